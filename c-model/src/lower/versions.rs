// SPDX-License-Identifier: MIT OR Apache-2.0
//! Variables that are assigned, read and assigned again. The second assignment is to another variable of the netlist,
//! which starts with the value of the first. In the C, a variable starts before the branch in which it is first
//! assigned. If both are assigned in the same branch, each of them gets its own branch, as in the Verilog.

use rtl_model::netlist::circuit::{Module, NodeId, Op, Statement, Target};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The assignments of a module, in statements that may each run as a whole.
pub(super) fn split(module: &Module) -> Vec<Cow<'_, Statement>> {
    let mut split = Vec::new();
    for statement in &module.body {
        let mut assigned = BTreeSet::new();
        variables(statement, &mut assigned);
        if assigned.iter().any(|&variable| reads(module, module.variables[variable].default, &assigned)) {
            let each = assigned.into_iter().filter_map(|i| only(statement, &|target| target == Target::Variable(i)));
            split.extend(each.map(Cow::Owned));
            split.extend(only(statement, &|target| matches!(target, Target::Register(_))).map(Cow::Owned));
        } else {
            split.push(Cow::Borrowed(statement));
        }
    }
    split
}

/// The targets that a statement assigns.
fn variables(statement: &Statement, found: &mut BTreeSet<usize>) {
    match statement {
        Statement::Assign { target: Target::Variable(i), .. } => drop(found.insert(*i)),
        Statement::Assign { .. } => {}
        Statement::If { arms, otherwise } => {
            arms.iter().flat_map(|arm| &arm.1).chain(otherwise).for_each(|inner| variables(inner, found));
        }
        Statement::Case { arms, otherwise, .. } => {
            arms.iter().flat_map(|arm| &arm.1).chain(otherwise).for_each(|inner| variables(inner, found));
        }
    }
}

/// Whether a node is computed from one of the variables.
fn reads(module: &Module, node: NodeId, variables: &BTreeSet<usize>) -> bool {
    let (mut seen, mut pending) = (BTreeSet::new(), vec![node]);
    while let Some(node) = pending.pop() {
        if seen.insert(node) {
            match module.node(node).op {
                Op::Variable(i) if variables.contains(&i) => return true,
                _ => pending.extend(&module.node(node).args),
            }
        }
    }
    false
}

/// A statement reduced to the assignments to some targets, if there are any.
fn only(statement: &Statement, keep: &impl Fn(Target) -> bool) -> Option<Statement> {
    let block = |body: &[Statement]| body.iter().filter_map(|inner| only(inner, keep)).collect::<Vec<_>>();
    match statement {
        Statement::Assign { target, .. } => keep(*target).then(|| statement.clone()),
        Statement::If { arms, otherwise } => {
            let arms: Vec<_> = arms.iter().map(|(condition, body)| (*condition, block(body))).collect();
            let otherwise = block(otherwise);
            let some = arms.iter().any(|arm| !arm.1.is_empty()) || !otherwise.is_empty();
            some.then_some(Statement::If { arms, otherwise })
        }
        Statement::Case { subject, arms, otherwise } => {
            let arms: Vec<_> = arms.iter().map(|(value, body)| (*value, block(body))).collect();
            let otherwise = block(otherwise);
            let some = arms.iter().any(|arm| !arm.1.is_empty()) || !otherwise.is_empty();
            some.then_some(Statement::Case { subject: *subject, arms, otherwise })
        }
    }
}
