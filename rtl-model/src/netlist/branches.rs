// SPDX-License-Identifier: MIT OR Apache-2.0
//! The statements: conditions that are constant resolved, branches that do nothing removed.

use super::circuit::{NodeId, Op, Statement, Target, Value};
use super::fold::fold;
use super::graph::Graph;
use crate::ops::{Binary, Unary};

/// The body over the nodes of `graph`.
pub fn resolve(graph: &Graph, body: &[Statement], new: &dyn Fn(NodeId) -> NodeId) -> Vec<Statement> {
    let mut out = Vec::new();
    for statement in body {
        match statement {
            Statement::Assign { target, value, site } => {
                out.push(Statement::Assign { target: *target, value: new(*value), site });
            }
            Statement::If { arms, otherwise } => {
                let mut left = Vec::new();
                let mut last = otherwise;
                for (condition, inner) in arms {
                    let condition = new(*condition);
                    match graph.constant(condition) {
                        Some(value) if value.is_zero() => {}
                        Some(_) => {
                            last = inner;
                            break;
                        }
                        None => left.push((condition, resolve(graph, inner, new))),
                    }
                }
                push_if(&mut out, left, resolve(graph, last, new));
            }
            Statement::Case { subject, arms, otherwise } => {
                let subject = new(*subject);
                match graph.constant(subject) {
                    Some(is) => {
                        let taken = arms.iter().find(|(value, _)| *value == is).map_or(otherwise, |(_, inner)| inner);
                        out.extend(resolve(graph, taken, new));
                    }
                    None => {
                        let arms = arms.iter().map(|(value, inner)| (*value, resolve(graph, inner, new))).collect();
                        push_case(&mut out, graph.node(subject).width, subject, arms, resolve(graph, otherwise, new));
                    }
                }
            }
        }
    }
    out
}

/// The statements that assign a target that `keep` accepts, under their conditions.
pub fn filter(body: &[Statement], keep: &dyn Fn(Target) -> bool) -> Vec<Statement> {
    let mut out = Vec::new();
    for statement in body {
        match statement {
            Statement::Assign { target, .. } => {
                if keep(*target) {
                    out.push(statement.clone());
                }
            }
            Statement::If { arms, otherwise } => {
                let arms = arms.iter().map(|(condition, inner)| (*condition, filter(inner, keep))).collect();
                push_if(&mut out, arms, filter(otherwise, keep));
            }
            Statement::Case { subject, arms, otherwise } => {
                let arms = arms.iter().map(|(value, inner)| (*value, filter(inner, keep))).collect();
                // Whether the arms are complete does not change here, so the width is not needed.
                push_case(&mut out, u32::MAX, *subject, arms, filter(otherwise, keep));
            }
        }
    }
    out
}

type IfArms = Vec<(NodeId, Vec<Statement>)>;
type CaseArms = Vec<(Value, Vec<Statement>)>;

fn push_if(out: &mut Vec<Statement>, mut arms: IfArms, otherwise: Vec<Statement>) {
    if otherwise.is_empty() {
        while arms.last().is_some_and(|(_, inner)| inner.is_empty()) {
            arms.pop();
        }
    }
    if arms.is_empty() {
        out.extend(otherwise);
    } else {
        out.push(Statement::If { arms, otherwise });
    }
}

fn push_case(out: &mut Vec<Statement>, width: u32, subject: NodeId, mut arms: CaseArms, otherwise: Vec<Statement>) {
    let complete = width < 32 && arms.len() as u64 == 1 << width;
    let otherwise = if complete { Vec::new() } else { otherwise };
    if otherwise.is_empty() {
        arms.retain(|(_, inner)| !inner.is_empty());
    }
    if arms.is_empty() {
        out.extend(otherwise);
    } else {
        out.push(Statement::Case { subject, arms, otherwise });
    }
}

/// Turns `if (a) {} else ..` into `if (!a) ..`.
pub fn open_empty_arms(graph: &mut Graph, body: &mut Vec<Statement>) {
    for statement in body {
        match statement {
            Statement::Assign { .. } => {}
            Statement::If { arms, otherwise } => {
                if let Some(empty) = arms.iter().position(|(_, inner)| inner.is_empty()) {
                    let rest = arms.split_off(empty + 1);
                    let otherwise = std::mem::take(otherwise);
                    let mut inner = Vec::new();
                    push_if(&mut inner, rest, otherwise);
                    let alone = arms.len() == 1;
                    if let Some((condition, body)) = arms.last_mut() {
                        *condition = inverse(graph, *condition);
                        *body = inner;
                        if alone
                            && let [Statement::If { arms: deeper, otherwise }] = &mut body[..]
                            && let [(also, inner)] = &mut deeper[..]
                            && otherwise.is_empty()
                        {
                            *condition = both(graph, *condition, *also);
                            *body = std::mem::take(inner);
                        }
                    }
                }
                for (_, inner) in arms {
                    open_empty_arms(graph, inner);
                }
                open_empty_arms(graph, otherwise);
            }
            Statement::Case { arms, otherwise, .. } => {
                for (_, inner) in arms {
                    open_empty_arms(graph, inner);
                }
                open_empty_arms(graph, otherwise);
            }
        }
    }
}

fn both(graph: &mut Graph, a: NodeId, b: NodeId) -> NodeId {
    let site = graph.node(a).site;
    fold(graph, Op::Binary(Binary::And), vec![a, b], 1, site)
}

fn inverse(graph: &mut Graph, id: NodeId) -> NodeId {
    let site = graph.node(id).site;
    fold(graph, Op::Unary(Unary::Not), vec![id], 1, site)
}
