// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests to memories as conditions. An enable is a variable that is 0 unless a branch sets it to 1. It is replaced
//! by the condition of that branch.

use super::Lower;
use crate::words::WordId;
use rtl_model::netlist::circuit::{NodeId, Op, Statement, Target};

/// The maximum number of branches in a condition.
const FEW: usize = 4;

/// The condition under which an assignment runs.
#[derive(Clone, Copy)]
enum Step {
    Is(NodeId, bool),
    Equals(NodeId, u64),
}

impl Lower<'_> {
    /// The value of a variable that is 0 unless it is set to 1, or that is always assigned in one place.
    pub(super) fn enable(&mut self, scope: usize, variable: usize, at: usize) -> Option<WordId> {
        let module = self.scopes[scope].module;
        let mut found = Vec::new();
        collect(&module.body, variable, &mut Vec::new(), &mut found);
        if let [(path, value)] = &found[..]
            && path.is_empty()
        {
            return Some(self.limb(scope, *value, at));
        }
        let constant = |node: NodeId| match module.node(node).op {
            Op::Constant(value) if value.width() == 1 => Some(value.low()),
            _ => None,
        };
        let ones = found.iter().all(|&(_, value)| constant(value) == Some(1));
        if !ones || found.len() > FEW || constant(module.variables[variable].default) != Some(0) {
            return None;
        }
        let mut any = self.program.words.constant(1, 0);
        for (path, _) in found {
            let mut all = self.program.words.constant(1, 1);
            for step in path {
                let holds = self.step(scope, step);
                all = self.program.words.and(all, holds);
            }
            any = self.program.words.or(any, all);
        }
        Some(any)
    }

    fn step(&mut self, scope: usize, step: Step) -> WordId {
        match step {
            Step::Is(node, on) => {
                let word = self.limb(scope, node, 0);
                if on { word } else { self.program.words.not(word) }
            }
            Step::Equals(node, value) => {
                let word = self.limb(scope, node, 0);
                let value = self.program.words.constant(self.program.words.width(word), value);
                self.program.words.eq(word, value)
            }
        }
    }
}

/// All assignments to a variable, each with its condition.
fn collect(body: &[Statement], variable: usize, path: &mut Vec<Step>, found: &mut Vec<(Vec<Step>, NodeId)>) {
    for statement in body {
        let depth = path.len();
        match statement {
            Statement::Assign { target: Target::Variable(i), value, .. } if *i == variable => {
                found.push((path.clone(), *value));
            }
            Statement::Assign { .. } => {}
            Statement::If { arms, otherwise } => {
                for (condition, block) in arms {
                    path.push(Step::Is(*condition, true));
                    collect(block, variable, path, found);
                    path.pop();
                    path.push(Step::Is(*condition, false));
                }
                collect(otherwise, variable, path, found);
            }
            Statement::Case { subject, arms, otherwise } => {
                for (value, block) in arms {
                    path.push(Step::Equals(*subject, value.low()));
                    collect(block, variable, path, found);
                    path.pop();
                }
                // The condition of the default arm is long, so it is treated as one that never helps.
                let before = found.len();
                collect(otherwise, variable, path, found);
                if found.len() > before {
                    found.resize(FEW + 1 + found.len(), (Vec::new(), found[before].1));
                }
            }
        }
        path.truncate(depth);
    }
}
