// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks on a whole module: what drives what, names, unread inputs. (Widths and the order of reads and assignments
//! are checked where they happen.)

use super::circuit::*;
use super::interfaces;
use super::live::Drivers;
use super::names::{is_identifier, is_verilog_word};
use super::problem::{Problems, Title};
use super::uses::Uses;
use std::collections::{BTreeMap, BTreeSet};

/// Checks that must run before dead parts are removed.
pub(super) fn before_pruning(module: &Module, uses: &Uses, problems: &mut Problems) {
    let drivers = Drivers::of(module);
    variables(module, &drivers, uses, problems);
    undriven(module, &drivers, uses, problems);
}

/// Checks that apply only to the parts that remain.
pub(super) fn after_pruning(module: &Module, problems: &mut Problems) {
    names(module, problems);
    handshakes(module, problems);
    // Another problem may be the reason that an input is not read.
    if problems.is_empty() {
        inputs(module, problems);
    }
}

/// A variable made with the stage is read before it is assigned: a loop if the read reaches the assignment, a
/// hidden state otherwise.
fn variables(module: &Module, drivers: &Drivers, uses: &Uses, problems: &mut Problems) {
    for state in uses.variables.iter().filter(|state| state.in_state) {
        let (made, name) = (state.made, &state.name);
        match (state.early_read, state.assigned) {
            (Some((read, site)), Some(assigned)) if reaches(module, &drivers.variables, state.version, read) => {
                problems.add(
                    Title::CombinationalLoop,
                    format!("variable `{name}` depends on itself within one clock"),
                    "keep the value in a Reg between clocks",
                    vec![("read", site), ("assigned", assigned)],
                )
            }
            (read, assigned) => {
                let mut sites = vec![("made", made)];
                sites.extend(read.map(|(_, site)| ("read", site)));
                sites.extend(assigned.map(|site| ("assigned", site)));
                problems.add(
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

fn undriven(module: &Module, drivers: &Drivers, uses: &Uses, problems: &mut Problems) {
    let read: BTreeSet<usize> = module
        .nodes
        .iter()
        .filter_map(|n| match n.op {
            Op::Register(i) => Some(i),
            _ => None,
        })
        .collect();
    let mut used: BTreeSet<NodeId> = BTreeSet::new();
    for node in &module.nodes {
        used.extend(&node.args);
    }
    for i in read {
        let register = &module.registers[i];
        let node = module.nodes.iter().position(|n| n.op == Op::Register(i)).map(|n| NodeId(n as u32));
        let observed = node.is_some_and(|n| used.contains(&n) || module.outputs.iter().any(|o| o.value == n));
        if drivers.registers[i].is_empty() && observed {
            let text = format!("register `{}` is read but never assigned", register.name);
            problems.add(
                Title::NoDriver,
                text,
                "set() it in clock(), or use a constant",
                vec![("made", register.site)],
            );
        }
    }
    for (i, memory) in uses.memories.iter().enumerate() {
        if memory.clocked.count() == 0 {
            let (name, site) = (module.memories[i].name.clone(), module.memories[i].site);
            let text = format!("memory `{name}` is never clocked");
            problems.add(Title::NoDriver, text, "call its clock() at the end of the stage's", vec![("made", site)]);
        }
    }
    for (i, child) in uses.children.iter().enumerate() {
        if child.count() == 0 {
            let (name, site) = (module.instances[i].name.clone(), module.instances[i].site);
            let text = format!("child `{name}` is never clocked");
            problems.add(Title::NoDriver, text, "call its clock() in the stage's", vec![("made", site)]);
        }
    }
}

fn inputs(module: &Module, problems: &mut Problems) {
    let read: BTreeSet<usize> = module
        .nodes
        .iter()
        .filter_map(|n| match n.op {
            Op::Input(i) => Some(i),
            _ => None,
        })
        .collect();
    for (i, input) in module.inputs.iter().enumerate() {
        if !read.contains(&i) && !input.unused_ok {
            let text = format!("input `{}` is never read", input.name);
            problems.add(Title::UnusedInput, text, "read it, or say ignore()", vec![("stage", module.site)]);
        }
    }
}

fn handshakes(module: &Module, problems: &mut Problems) {
    for (text, help) in interfaces::faults(module) {
        problems.add(Title::Handshake, text, help, vec![("stage", module.site)]);
    }
}

fn names(module: &Module, problems: &mut Problems) {
    let mut all: Vec<(String, Site)> = vec![("clk".into(), module.site), ("rst".into(), module.site)];
    all.extend(module.inputs.iter().map(|x| (x.name.clone(), module.site)));
    all.extend(module.outputs.iter().map(|x| (x.name.clone(), module.site)));
    let port_count = all.len();
    all.extend(module.registers.iter().map(|x| (x.name.clone(), x.site)));
    all.extend(module.variables.iter().map(|x| (x.name.clone(), x.site)));
    all.extend(module.memories.iter().map(|x| (x.name.clone(), x.site)));
    all.extend(module.instances.iter().map(|x| (x.name.clone(), x.site)));
    all.extend(module.nodes.iter().filter_map(|x| Some((x.name.clone()?, x.site))));
    let ports: BTreeSet<String> = module.outputs.iter().map(|x| x.name.clone()).collect();
    let mut seen: BTreeMap<String, Site> = BTreeMap::new();
    for (i, (name, site)) in all.into_iter().enumerate() {
        if is_verilog_word(&name) {
            let text = format!("`{name}` is a Verilog keyword");
            problems.add(Title::ReservedWord, text, "choose another name", vec![("named", site)]);
        } else if !is_identifier(&name) {
            let text = format!("`{name}` is not a Verilog name");
            problems.add(
                Title::ReservedWord,
                text,
                "letters, digits and _, not starting with a digit",
                vec![("named", site)],
            );
        }
        match seen.get(&name) {
            // A register may have the name of the output port that it drives: they print as `foo_reg` and `foo`.
            Some(_) if i >= port_count && ports.contains(&name) => {}
            Some(&first) => {
                let text = format!("two things are called `{name}`");
                problems.add(Title::NameClash, text, "rename one", vec![("first", first), ("second", site)]);
            }
            None => {
                seen.insert(name, site);
            }
        }
    }
}
