// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks on a whole module: what drives what, names, unread inputs. (Widths and the order of reads and assignments
//! are checked where they happen.)

use super::build::Builder;
use super::circuit::*;
use super::names::{is_identifier, is_verilog_word};
use super::problem::Title;
use super::{interfaces, prune};
use std::collections::{BTreeMap, BTreeSet};

/// Checks that must run before dead parts are removed.
pub(super) fn before_pruning(b: &mut Builder) {
    variables(b);
    undriven(b);
}

/// Checks that apply only to the parts that remain.
pub(super) fn after_pruning(b: &mut Builder) {
    names(b);
    handshakes(b);
    // Another problem may be the reason that an input is not read.
    if b.problems.is_empty() {
        inputs(b);
    }
}

/// A variable made with the stage is read before it is assigned: a loop if the read reaches the assignment, a
/// hidden state otherwise.
fn variables(b: &mut Builder) {
    let (_, drivers) = prune::drivers(&b.module);
    for i in 0..b.variables.len() {
        let state = &b.variables[i];
        if !state.in_state {
            continue;
        }
        let (made, name) = (state.made, state.name.clone());
        match (state.early_read, state.assigned) {
            (Some((read, site)), Some(assigned)) if reaches(&b.module, &drivers, state.version, read) => b.problem(
                Title::CombinationalLoop,
                format!("variable `{name}` depends on itself within one clock"),
                "keep the value in a Reg between clocks",
                vec![("read", site), ("assigned", assigned)],
            ),
            (read, assigned) => {
                let mut sites = vec![("made", made)];
                sites.extend(read.map(|(_, site)| ("read", site)));
                sites.extend(assigned.map(|site| ("assigned", site)));
                b.problem(
                    Title::VariableInState,
                    format!("variable `{name}` is kept in the stage"),
                    "a Var lives inside one clock: make it there, or use a Reg",
                    sites,
                );
            }
        }
    }
}

fn reaches(module: &Module, drivers: &[Vec<NodeId>], variable: usize, goal: NodeId) -> bool {
    let mut seen = BTreeSet::new();
    // Its default comes first and is no loop.
    let mut pending = drivers[variable][1..].to_vec();
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = module.node(id);
        if id == goal {
            return true;
        }
        pending.extend(&node.args);
        if let Op::Variable(i) = node.op {
            pending.extend(&drivers[i]);
        }
    }
    false
}

fn undriven(b: &mut Builder) {
    let (drivers, _) = prune::drivers(&b.module);
    let read: BTreeSet<usize> = b
        .module
        .nodes
        .iter()
        .filter_map(|n| match n.op {
            Op::Register(i) => Some(i),
            _ => None,
        })
        .collect();
    let mut used: BTreeSet<NodeId> = BTreeSet::new();
    for node in &b.module.nodes {
        used.extend(&node.args);
    }
    for i in read {
        let register = b.module.registers[i].clone();
        let node = b.module.nodes.iter().position(|n| n.op == Op::Register(i)).map(|n| NodeId(n as u32));
        let observed = node.is_some_and(|n| used.contains(&n) || b.module.outputs.iter().any(|o| o.value == n));
        if drivers[i].is_empty() && observed {
            let text = format!("register `{}` is read but never assigned", register.name);
            b.problem(Title::NoDriver, text, "set() it in clock(), or use a constant", vec![("made", register.site)]);
        }
    }
    for i in 0..b.memories.len() {
        if b.memories[i].clocked.count() == 0 {
            let (name, site) = (b.module.memories[i].name.clone(), b.module.memories[i].site);
            let text = format!("memory `{name}` is never clocked");
            b.problem(Title::NoDriver, text, "call its clock() at the end of the stage's", vec![("made", site)]);
        }
    }
    for i in 0..b.children.len() {
        if b.children[i].count() == 0 {
            let (name, site) = (b.module.instances[i].name.clone(), b.module.instances[i].site);
            let text = format!("child `{name}` is never clocked");
            b.problem(Title::NoDriver, text, "call its clock() in the stage's", vec![("made", site)]);
        }
    }
}

fn inputs(b: &mut Builder) {
    let read: BTreeSet<usize> = b
        .module
        .nodes
        .iter()
        .filter_map(|n| match n.op {
            Op::Input(i) => Some(i),
            _ => None,
        })
        .collect();
    for i in 0..b.module.inputs.len() {
        let input = b.module.inputs[i].clone();
        if !read.contains(&i) && !input.unused_ok {
            let text = format!("input `{}` is never read", input.name);
            b.problem(Title::UnusedInput, text, "read it, or say ignore()", vec![("stage", b.module.site)]);
        }
    }
}

fn handshakes(b: &mut Builder) {
    for (text, help) in interfaces::faults(&b.module) {
        b.problem(Title::Handshake, text, help, vec![("stage", b.module.site)]);
    }
}

fn names(b: &mut Builder) {
    let module = &b.module;
    let mut all: Vec<(String, Site)> = vec![("clk".into(), module.site), ("rst".into(), module.site)];
    all.extend(module.inputs.iter().map(|x| (x.name.clone(), module.site)));
    all.extend(module.outputs.iter().map(|x| (x.name.clone(), module.site)));
    all.extend(module.registers.iter().map(|x| (x.name.clone(), x.site)));
    all.extend(module.variables.iter().map(|x| (x.name.clone(), x.site)));
    all.extend(module.memories.iter().map(|x| (x.name.clone(), x.site)));
    all.extend(module.instances.iter().map(|x| (x.name.clone(), x.site)));
    all.extend(module.nodes.iter().filter_map(|x| Some((x.name.clone()?, x.site))));
    let ports: BTreeSet<String> = module.outputs.iter().map(|x| x.name.clone()).collect();
    let mut seen: BTreeMap<String, Site> = BTreeMap::new();
    for (name, site) in all {
        if is_verilog_word(&name) {
            let text = format!("`{name}` is a Verilog keyword");
            b.problem(Title::ReservedWord, text, "choose another name", vec![("named", site)]);
        } else if !is_identifier(&name) {
            let text = format!("`{name}` is not a Verilog name");
            b.problem(
                Title::ReservedWord,
                text,
                "letters, digits and _, not starting with a digit",
                vec![("named", site)],
            );
        }
        match seen.get(&name) {
            // A register may have the name of the output port that it drives: they print as `foo_reg` and `foo`.
            Some(_) if ports.contains(&name) => {}
            Some(&first) => {
                let text = format!("two things are called `{name}`");
                b.problem(Title::NameClash, text, "rename one", vec![("first", first), ("second", site)]);
            }
            None => {
                seen.insert(name, site);
            }
        }
    }
}
