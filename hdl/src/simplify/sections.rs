// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sections of a module, after the components of its stage: each has registers and memories, and the statements
//! that assign them. A component with few statements is one section with all that it contains; a larger one gives each
//! of its components a section.

use rtl_model::netlist::circuit::{Module, Statement, Target};
use rtl_model::netlist::{Live, branches};

/// Number of lines that a reader takes in at once.
const LINES: usize = 150;
/// A component with fewer lines is part of the section around it.
const FEW: usize = 12;

/// A part of a module.
#[derive(Debug)]
pub struct Section {
    /// The fields of components that contain it; none for what belongs to the stage itself.
    pub path: Vec<String>,
    /// Its live registers.
    pub registers: Vec<usize>,
    /// Its memories with a live read port.
    pub memories: Vec<usize>,
    /// The statements that assign its registers.
    pub body: Vec<Statement>,
}

/// A component, with its own registers and memories and its components.
#[derive(Default)]
struct Component {
    path: Vec<String>,
    registers: Vec<usize>,
    memories: Vec<usize>,
    inner: Vec<Component>,
}

/// All sections in the order in which the stage makes their components.
pub fn sections(module: &Module, live: &Live, body: &[Statement]) -> Vec<Section> {
    let mut top = Component::default();
    for (i, register) in module.registers.iter().enumerate().filter(|(i, _)| live.registers[*i]) {
        top.at(&register.scope).registers.push(i);
    }
    for (i, memory) in module.memories.iter().enumerate().filter(|(i, _)| live.reads[*i].contains(&true)) {
        top.at(&memory.scope).memories.push(i);
    }
    let mut sections = Vec::new();
    top.split(body, &mut sections);
    sections
}

impl Component {
    /// The component of this path inside this one.
    fn at(&mut self, path: &[String]) -> &mut Component {
        let Some((name, rest)) = path.split_first() else { return self };
        let known = self.inner.iter().position(|one| one.path.last() == Some(name));
        let index = known.unwrap_or_else(|| {
            let path = self.path.iter().chain([name]).cloned().collect();
            self.inner.push(Component { path, ..Component::default() });
            self.inner.len() - 1
        });
        self.inner[index].at(rest)
    }

    /// Registers and memories, those of its components included.
    fn all(&self) -> (Vec<usize>, Vec<usize>) {
        let (mut registers, mut memories) = (self.registers.clone(), self.memories.clone());
        for one in &self.inner {
            let (of_registers, of_memories) = one.all();
            registers.extend(of_registers);
            memories.extend(of_memories);
        }
        registers.sort();
        memories.sort();
        (registers, memories)
    }

    fn lines(&self, body: &[Statement]) -> usize {
        let (registers, _) = self.all();
        registers.len() + lines(&assigning(body, &registers))
    }

    /// Registers alone, without a component or a memory.
    fn is_plain(&self) -> bool {
        self.inner.is_empty() && self.memories.is_empty()
    }

    fn split(mut self, body: &[Statement], sections: &mut Vec<Section>) {
        if self.inner.is_empty() || self.lines(body) <= LINES {
            let (registers, memories) = self.all();
            return sections.push(Section::new(self.path, registers, memories, body));
        }
        // Its own registers stay with it as long as they are not too many.
        let stays = |one: &Component| one.is_plain() || one.lines(body) < FEW;
        let (own, mut apart): (Vec<_>, Vec<_>) = self.inner.drain(..).enumerate().partition(|(_, one)| stays(one));
        let mut own: Vec<_> = own.into_iter().map(|(at, one)| (one.lines(body), at, one)).collect();
        own.sort_by_key(|(lines, at, _)| (*lines, *at));
        let mut total = self.lines(body);
        for (lines, at, one) in own {
            match lines < FEW || total + lines <= LINES {
                true => self.inner.push(one),
                false => apart.push((at, one)),
            }
            total += lines;
        }
        let (registers, memories) = self.all();
        if !registers.is_empty() || !memories.is_empty() {
            sections.push(Section::new(self.path, registers, memories, body));
        }
        apart.sort_by_key(|(at, _)| *at);
        for (_, one) in apart {
            one.split(body, sections);
        }
    }
}

impl Section {
    fn new(path: Vec<String>, registers: Vec<usize>, memories: Vec<usize>, body: &[Statement]) -> Self {
        let body = assigning(body, &registers);
        Section { path, registers, memories, body }
    }
}

/// The statements that assign these registers.
fn assigning(all: &[Statement], registers: &[usize]) -> Vec<Statement> {
    branches::filter(all, &|target| matches!(target, Target::Register(i) if registers.binary_search(&i).is_ok()))
}

/// Lines that statements print to.
fn lines(body: &[Statement]) -> usize {
    let block = |inner: &Vec<Statement>| 1 + lines(inner);
    let each = |statement: &Statement| match statement {
        Statement::Assign { .. } => 1,
        Statement::If { arms, otherwise } => {
            1 + arms.iter().map(|(_, inner)| block(inner)).sum::<usize>() + block(otherwise)
        }
        Statement::Case { arms, otherwise, .. } => {
            2 + arms.iter().map(|(_, inner)| 1 + block(inner)).sum::<usize>() + block(otherwise)
        }
    };
    body.iter().map(each).sum()
}
