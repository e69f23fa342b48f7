// SPDX-License-Identifier: MIT OR Apache-2.0
//! Removes what has no effect. A program is either the clock edge, which keeps everything on which outputs will ever
//! depend, or the outputs alone, which assign no state.

#[cfg(test)]
mod tests;

use crate::program::{BlockId, Program, Statement, Target};
use crate::words::{Op, WordId};
use std::collections::{HashMap, HashSet};

/// The purpose of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The program makes one clock edge.
    Edge,
    /// The program computes the outputs from the state.
    Outputs,
}

/// The words and state that are needed, found from the outputs.
#[derive(Default)]
struct Live {
    words: HashSet<WordId>,
    targets: HashSet<Target>,
    memories: HashSet<usize>,
    pending: Vec<WordId>,
}

/// Removes all statements that have no effect on `purpose`.
pub fn keep(program: &mut Program, purpose: Purpose) {
    let mut live = Live::default();
    let users = users(program);
    program.outputs.iter().for_each(|(_, limbs)| live.pending.extend(limbs));
    while let Some(word) = live.pending.pop() {
        if !live.words.insert(word) {
            continue;
        }
        live.pending.extend(&program.words.word(word).args);
        let target = match program.words.word(word).op {
            Op::Cell(cell) if purpose == Purpose::Edge => Target::Cell(cell),
            Op::Variable(variable) => {
                live.pending.extend(program.variables[variable].default);
                Target::Variable(variable)
            }
            _ => continue,
        };
        if live.targets.insert(target) {
            needs(&users, &mut live, Thing::Target(target));
        }
    }
    for block in 0..program.blocks.len() {
        let statements = std::mem::take(&mut program.blocks[block].statements);
        program.blocks[block].statements =
            statements.into_iter().filter_map(|statement| kept(statement, &live)).collect();
    }
    collapse(program, 0);
    if purpose == Purpose::Outputs {
        program.roots = program.outputs.iter().flat_map(|(_, limbs)| limbs.iter().copied()).collect();
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Thing {
    Target(Target),
    Memory(usize),
}

/// For everything that is assigned: the words of the assigning statements and the conditions around them.
type Users = HashMap<Thing, Vec<(Vec<WordId>, Option<usize>)>>;

fn users(program: &Program) -> Users {
    let mut users = Users::new();
    collect(program, 0, &mut Vec::new(), &mut users);
    users
}

fn collect(program: &Program, block: BlockId, above: &mut Vec<WordId>, users: &mut Users) {
    for statement in &program.blocks[block].statements {
        let words = || [statement.words(), above.clone()].concat();
        let memory = match statement {
            Statement::Read { memory, .. } => Some(*memory),
            _ => None,
        };
        for target in statement.targets() {
            users.entry(Thing::Target(target)).or_default().push((words(), memory));
        }
        if let Statement::Write { memory, .. } = statement {
            users.entry(Thing::Memory(*memory)).or_default().push((words(), None));
        }
        above.extend(statement.words());
        statement.blocks().into_iter().for_each(|inner| collect(program, inner, above, users));
        above.truncate(above.len() - statement.words().len());
    }
}

fn needs(users: &Users, live: &mut Live, thing: Thing) {
    for (words, memory) in users.get(&thing).into_iter().flatten() {
        live.pending.extend(words);
        if let Some(memory) = memory
            && live.memories.insert(*memory)
        {
            needs(users, live, Thing::Memory(*memory));
        }
    }
}

fn kept(statement: Statement, live: &Live) -> Option<Statement> {
    match statement {
        Statement::Assign { to, .. } => live.targets.contains(&to).then_some(statement),
        Statement::Read { memory, to, address, hold } => {
            let kept = |cell: &usize| live.targets.contains(&Target::Cell(*cell));
            let to: Vec<_> = to.into_iter().map(|cell| cell.filter(kept)).collect();
            to.iter().any(Option::is_some).then_some(Statement::Read { memory, to, address, hold })
        }
        Statement::Write { memory, .. } => live.memories.contains(&memory).then_some(statement),
        Statement::If { .. } | Statement::Case { .. } => Some(statement),
    }
}

/// Removes branches that always take the same arm, and branches without statements.
fn collapse(program: &mut Program, block: BlockId) {
    let mut out = Vec::new();
    for statement in std::mem::take(&mut program.blocks[block].statements) {
        statement.blocks().into_iter().for_each(|inner| collapse(program, inner));
        let empty = |block: BlockId| program.blocks[block].statements.is_empty();
        match &statement {
            Statement::If { condition, arms } => match program.words.number(*condition) {
                Some(value) => {
                    let taken = arms[if value == 1 { 0 } else { 1 }];
                    out.append(&mut program.blocks[taken].statements);
                }
                None if arms.iter().all(|&arm| empty(arm)) => {}
                None if empty(arms[0]) => {
                    let condition = program.words.not(*condition);
                    out.push(Statement::If { condition, arms: [arms[1], arms[0]] });
                }
                None => out.push(statement),
            },
            Statement::Case { subject, arms, otherwise } => match program.words.number(*subject) {
                Some(value) => {
                    let taken = arms.iter().find(|arm| arm.0 == value).map_or(*otherwise, |arm| arm.1);
                    out.append(&mut program.blocks[taken].statements);
                }
                None if arms.iter().all(|arm| empty(arm.1)) && empty(*otherwise) => {}
                None => out.push(statement),
            },
            _ => out.push(statement),
        }
    }
    program.blocks[block].statements = out;
}
