// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs placed programs as the C does: cells change in place, a constant with a name is visible from its definition to
//! the end of its block, and a variable must be declared and assigned before it is read.

use super::apply::apply;
use super::machine::{Machine, Ports, lane_mask, store};
use crate::place::{Form, Line, Placed};
use crate::program::{BlockId, Statement, Target};
use crate::window::Window;
use crate::words::{Op, WordId};
use std::collections::HashMap;

/// The names that are visible in a block.
#[derive(Default)]
struct Scope {
    /// Constants; an array has all of its elements.
    words: HashMap<WordId, Vec<u64>>,
    variables: HashMap<usize, Option<u64>>,
}

/// One run of a function.
pub struct Run<'a> {
    placed: &'a Placed,
    window: &'a Window,
    machine: &'a mut Machine,
    inputs: &'a Ports,
    scopes: Vec<Scope>,
}

impl<'a> Run<'a> {
    pub fn new(placed: &'a Placed, window: &'a Window, machine: &'a mut Machine, inputs: &'a Ports) -> Self {
        Run { placed, window, machine, inputs, scopes: Vec::new() }
    }

    /// Runs the function of the edge.
    pub fn edge(mut self) {
        self.block(0, |_| ());
    }

    /// Runs the function of the outputs.
    pub fn outputs(mut self) -> Ports {
        let placed = self.placed;
        self.block(0, |run| {
            let mut limbs = |limbs: &Vec<WordId>| limbs.iter().map(|&limb| run.value(limb)).collect();
            placed.program.outputs.iter().map(|(_, list)| limbs(list)).collect()
        })
    }

    /// Runs a block, and a function in its scope at the end.
    fn block<T>(&mut self, block: BlockId, end: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::default());
        let placed = self.placed;
        for &line in &placed.lines[block] {
            match line {
                Line::Declare(variable) => {
                    let default = placed.program.variables[variable].default.map(|word| self.value(word));
                    let before = self.scope().variables.insert(variable, default);
                    assert!(before.is_none(), "{} is declared twice", placed.program.variables[variable].name);
                }
                Line::Define(word) => {
                    let elements = match placed.program.words.word(word).op {
                        Op::Array => self.elements(word),
                        _ => vec![self.plain(word)],
                    };
                    let before = self.scope().words.insert(word, elements);
                    assert!(before.is_none(), "word {} is defined twice", word.0);
                }
                Line::Run(i) => self.statement(&placed.program.blocks[block].statements[i]),
            }
        }
        let result = end(self);
        self.scopes.pop();
        result
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("inside a block")
    }

    fn known(&self, word: WordId) -> &[u64] {
        let known = self.scopes.iter().rev().find_map(|scope| scope.words.get(&word));
        known.unwrap_or_else(|| panic!("word {} is used where it is not defined: {:?}", word.0, self.word(word)))
    }

    fn word(&self, word: WordId) -> &'a crate::words::Word {
        self.placed.program.words.word(word)
    }

    fn variable(&mut self, variable: usize) -> &mut Option<u64> {
        let name = &self.placed.program.variables[variable].name;
        let found = self.scopes.iter_mut().rev().find_map(|scope| scope.variables.get_mut(&variable));
        found.unwrap_or_else(|| panic!("{name} is used where it is not declared"))
    }

    fn value(&mut self, id: WordId) -> u64 {
        match self.placed.forms[id.0 as usize] {
            Form::Local => self.known(id)[0],
            Form::Chosen(variable) => self.variable(variable).expect("assigned before it is read"),
            Form::Inline => self.plain(id),
            Form::Unused => panic!("word {} is used: {:?}", id.0, self.word(id)),
        }
    }

    fn elements(&mut self, array: WordId) -> Vec<u64> {
        self.word(array).args.iter().map(|&arg| self.value(arg)).collect()
    }

    /// The value of the operation of a word.
    fn plain(&mut self, id: WordId) -> u64 {
        let word = self.word(id);
        match word.op {
            Op::Cell(cell) => self.machine.read(self.window, cell),
            Op::Input(port, limb) => self.inputs[port][limb],
            Op::Variable(variable) => self.variable(variable).expect("assigned before it is read"),
            Op::Element => {
                let at = self.value(word.args[1]) as usize;
                match self.placed.forms[word.args[0].0 as usize] {
                    Form::Local => self.known(word.args[0])[at],
                    _ => self.elements(word.args[0])[at],
                }
            }
            // C evaluates only one side.
            Op::Select => {
                let condition = self.value(word.args[0]);
                self.value(word.args[if condition == 1 { 1 } else { 2 }])
            }
            _ => {
                let args: Vec<_> = word.args.iter().map(|&arg| self.value(arg)).collect();
                apply(&self.placed.program, word, &args)
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let placed = self.placed;
        match statement {
            Statement::Assign { to: Target::Cell(cell), value } => {
                let value = self.value(*value);
                self.machine.assign(self.window, *cell, value);
            }
            Statement::Assign { to: Target::Variable(variable), value } => {
                let value = self.value(*value);
                *self.variable(*variable) = Some(value);
            }
            Statement::If { condition, arms } => {
                let taken = arms[if self.value(*condition) == 1 { 0 } else { 1 }];
                self.block(taken, |_| ());
            }
            Statement::Case { subject, arms, otherwise } => {
                let subject = self.value(*subject);
                let taken = arms.iter().find(|arm| arm.0 == subject).map_or(*otherwise, |arm| arm.1);
                self.block(taken, |_| ());
            }
            Statement::Read { memory, to, address, hold } => {
                let it = &placed.program.memories[*memory];
                let row = self.value(*address) as usize * it.limbs();
                let held = hold.map(|(lane, on)| (self.value(lane), self.value(on)));
                for (limb, cell) in to.iter().enumerate().filter_map(|(limb, cell)| Some((limb, (*cell)?))) {
                    let kept = held.filter(|held| held.1 == 1).map_or(0, |(lane, _)| lane_mask(it, lane, limb));
                    let old = self.machine.read(self.window, cell);
                    let value = self.machine.memories[*memory][row + limb] & !kept | old & kept;
                    self.machine.assign(self.window, cell, value);
                }
            }
            Statement::Write { memory, address, lane, data } => {
                let it = &placed.program.memories[*memory];
                let row = self.value(*address) as usize * it.limbs();
                let lane = lane.map(|lane| self.value(lane));
                let data: Vec<_> = data.iter().map(|&limb| self.value(limb)).collect();
                store(it, &mut self.machine.memories[*memory][row..row + it.limbs()], lane, &data);
            }
        }
    }
}
