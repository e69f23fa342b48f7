// SPDX-License-Identifier: MIT OR Apache-2.0
//! Branches as statements.

use super::gates::condition;
use crate::constant::name_of;
use crate::logic::{Body, Control};
use crate::netlist::builder::Builder;
use crate::netlist::circuit::{Statement, Value};
use crate::netlist::net::{Mark, Net, Netlist};
use crate::netlist::problem::Title;
use crate::netlist::session::{width_problem, with};
use std::panic::Location;

impl Control for Netlist {
    type Chain = u32;
    type Switch = (Net, u32);
    #[track_caller]
    fn when(cond: Net, body: &dyn Body) -> u32 {
        let (cond, site) = (condition(cond), Location::caller());
        let group = with(|b| b.group());
        let arm = branch(group, 0, cond.step, body);
        with(|b| {
            let cond = b.own(cond, site);
            b.blocks.last_mut().expect("open").push(Statement::If { arms: vec![(cond, arm)], otherwise: vec![] });
        });
        group
    }
    #[track_caller]
    fn or_when(group: u32, cond: Net, body: &dyn Body) -> u32 {
        let (cond, site) = (condition(cond), Location::caller());
        let arm_index = with(|b| match last(b) {
            Statement::If { arms, .. } => arms.len() as u32,
            _ => unreachable!("follows its when"),
        });
        let arm = branch(group, arm_index, cond.step, body);
        with(|b| {
            let cond = b.own(cond, site);
            if let Statement::If { arms, .. } = last(b) {
                arms.push((cond, arm));
            }
        });
        group
    }
    fn otherwise(group: u32, body: &dyn Body) {
        let arm = branch(group, u32::MAX, None, body);
        with(|b| {
            if let Statement::If { otherwise, .. } = last(b) {
                *otherwise = arm;
            }
        });
    }
    #[track_caller]
    fn switch(subject: Net) -> (Net, u32) {
        let site = Location::caller();
        with(|b| {
            let node = b.own(subject, site);
            let case = Statement::Case { subject: node, arms: vec![], otherwise: vec![] };
            b.blocks.last_mut().expect("open").push(case);
            (subject, b.group())
        })
    }
    #[track_caller]
    fn case((subject, group): (Net, u32), value: u64, path: Option<&'static str>, body: &dyn Body) -> (Net, u32) {
        let site = Location::caller();
        if subject.width < 64 && value >> subject.width != 0 {
            let text = format!("case {value:#x} does not fit {} bits", subject.width);
            width_problem(text, "the subject never has this value");
            return (subject, group);
        }
        let value = Value::from_u64(subject.width, value);
        let (index, twice) = with(|b| match last(b) {
            Statement::Case { arms, .. } => (arms.len() as u32, arms.iter().any(|(v, _)| *v == value)),
            _ => unreachable!("follows its switch"),
        });
        if twice {
            let text = format!("value {:#x} twice in one switch", value.low());
            with(|b| b.problem(Title::DuplicateCase, text, "merge the two bodies", vec![("second", site)]));
        }
        let arm = branch(group, index, subject.step, body);
        with(|b| {
            let mut subject = None;
            if let Statement::Case { arms, subject: of, .. } = last(b) {
                arms.push((value, arm));
                subject = Some(*of);
            }
            if let (Some(id), Some(path)) = (subject, path) {
                b.names_state(id, value, &name_of(path));
            }
        });
        (subject, group)
    }
    fn default((subject, group): (Net, u32), body: &dyn Body) {
        let arm = branch(group, u32::MAX, subject.step, body);
        with(|b| {
            if let Statement::Case { otherwise, .. } = last(b) {
                *otherwise = arm;
            }
        });
    }
}

/// Runs a body in a block of its own, under a condition that is in this step.
fn branch(group: u32, arm: u32, step: Option<Mark>, body: &dyn Body) -> Vec<Statement> {
    with(|b| {
        b.path.push((group, arm));
        b.conditions.push(step);
        b.blocks.push(vec![]);
    });
    body.run();
    with(|b| {
        b.path.pop();
        b.conditions.pop();
        b.blocks.pop().expect("opened above")
    })
}

fn last(b: &mut Builder) -> &mut Statement {
    b.blocks.last_mut().and_then(|block| block.last_mut()).expect("a when or switch stands here")
}
