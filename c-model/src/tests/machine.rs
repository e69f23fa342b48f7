// SPDX-License-Identifier: MIT OR Apache-2.0
//! Evaluates programs. The meaning of a program depends on the passes that it has been through:
//!
//! * before it is ordered, all statements run at once: a cell has its value before the edge, a variable its value after
//!   all of its assignments;
//! * when it is ordered, statements run one after the other: a variable has the value that was assigned last, a memory has
//!   the rows stored so far; cells still have their old values;
//! * when it is placed, everything is as in the C: see [`super::placed`].

use super::apply::apply;
use super::placed::Run;
use super::random::Random;
use crate::place::Placed;
use crate::program::{BlockId, Memory, Program, Statement, Target};
use crate::window::Window;
use crate::words::{Op, WordId};
use std::collections::HashMap;

/// The limbs of each port.
pub type Ports = Vec<Vec<u64>>;

/// The levels of reset and inputs, one entry per clock cycle.
pub type Stimulus = Vec<(bool, Ports)>;

/// The state of a program.
#[derive(Clone)]
pub struct Machine {
    cells: Vec<u64>,
    /// The places of the window. Cells that are in the window are nowhere else.
    window: Vec<u64>,
    pub memories: Vec<Vec<u64>>,
}

/// A program that makes one clock edge.
#[derive(Clone, Copy)]
pub enum Edge<'a> {
    AtOnce(&'a Program),
    InOrder(&'a Program),
    Placed(&'a Placed),
}

/// Makes a machine for an edge with its window.
pub struct Plan<'a> {
    edge: Edge<'a>,
    program: &'a Program,
    window: &'a Window,
    /// The outermost statements that assign each variable.
    setters: HashMap<usize, Vec<usize>>,
}

impl<'a> Plan<'a> {
    pub fn new(edge: Edge<'a>, window: &'a Window) -> Self {
        let program = match edge {
            Edge::AtOnce(program) | Edge::InOrder(program) => program,
            Edge::Placed(placed) => &placed.program,
        };
        let mut setters: HashMap<usize, Vec<usize>> = HashMap::new();
        for (i, statement) in program.blocks[0].statements.iter().enumerate() {
            program.walk(statement, &mut |inner| {
                for target in inner.targets() {
                    if let Target::Variable(variable) = target {
                        let list = setters.entry(variable).or_default();
                        if list.last() != Some(&i) {
                            list.push(i);
                        }
                    }
                }
            });
        }
        Plan { edge, program, window, setters }
    }
}

impl Machine {
    /// Sets the state at power-up.
    pub fn new(program: &Program, window: &Window) -> Self {
        let memories = program.memories.iter().map(|memory| vec![0; memory.depth as usize * memory.limbs()]);
        let mut machine = Machine {
            cells: vec![0; program.cells.len()],
            window: vec![0; window.size + 1],
            memories: memories.collect(),
        };
        for (i, cell) in program.cells.iter().enumerate() {
            machine.write(window, i, cell.init);
        }
        machine
    }

    /// The value of a cell.
    pub fn read(&self, window: &Window, cell: usize) -> u64 {
        window.place(cell).map_or_else(|| self.cells[cell], |place| self.window[place])
    }

    fn write(&mut self, window: &Window, cell: usize, value: u64) {
        *window.place(cell).map_or_else(|| &mut self.cells[cell], |place| &mut self.window[place]) = value;
    }

    /// The place of a cell's next value: where it will be when the window has moved.
    pub fn assign(&mut self, window: &Window, cell: usize, value: u64) {
        *window.place(cell).map_or_else(|| &mut self.cells[cell], |place| &mut self.window[place - 1]) = value;
    }

    fn finish(&mut self, program: &Program, window: &Window, reset: bool) {
        self.window.rotate_right(1);
        for (i, cell) in program.cells.iter().enumerate().filter(|(_, cell)| reset && cell.reset) {
            self.write(window, i, cell.init);
        }
    }

    /// Runs one clock cycle.
    pub fn clock(&mut self, plan: &Plan, reset: bool, inputs: &Ports) {
        match plan.edge {
            Edge::AtOnce(_) => self.evaluated(plan, inputs, None),
            Edge::InOrder(_) => self.evaluated(plan, inputs, Some(HashMap::new())),
            Edge::Placed(placed) => Run::new(placed, plan.window, self, inputs).edge(),
        }
        self.finish(plan.program, plan.window, reset);
    }

    fn evaluated(&mut self, plan: &Plan, inputs: &Ports, values: Option<HashMap<usize, u64>>) {
        let before = self.clone();
        let mut clock = Clock { plan, before: &before, inputs, known: HashMap::new(), values };
        let mut assigned = Vec::new();
        clock.block(0, &mut assigned, &mut self.memories);
        for (cell, value) in assigned {
            self.assign(plan.window, cell, value);
        }
    }

    /// Returns the outputs before the edge.
    pub fn outputs(&self, plan: &Plan) -> Ports {
        let mut clock = Clock { plan, before: self, inputs: &Vec::new(), known: HashMap::new(), values: None };
        let outputs = plan.program.outputs.iter();
        outputs.map(|(_, limbs)| limbs.iter().map(|&limb| clock.value(limb)).collect()).collect()
    }
}

/// Returns the outputs before each edge.
pub fn play(edge: Edge, window: &Window, stimulus: &Stimulus) -> Vec<Ports> {
    let plan = Plan::new(edge, window);
    let mut machine = Machine::new(plan.program, window);
    let clock = |(reset, inputs): &(bool, Ports)| {
        let outputs = machine.outputs(&plan);
        machine.clock(&plan, *reset, inputs);
        outputs
    };
    stimulus.iter().map(clock).collect()
}

/// The value of a word of a program without state.
pub fn evaluate(program: &Program, word: WordId, inputs: &Ports) -> u64 {
    let window = Window::default();
    let (plan, before) = (Plan::new(Edge::AtOnce(program), &window), Machine::new(program, &window));
    Clock { plan: &plan, before: &before, inputs, known: HashMap::new(), values: None }.value(word)
}

/// Random inputs, and a reset now and then.
pub fn stimulus(inputs: &[(String, u32)], clocks: usize, seed: u64) -> Stimulus {
    let mut random = Random(seed ^ 0x5555);
    let clock = |_| {
        let reset = random.below(40) == 0;
        (reset, inputs.iter().map(|&(_, width)| random.value(width).used().to_vec()).collect())
    };
    (0..clocks).map(clock).collect()
}

/// A mask of a lane in limb `limb` of a row.
pub fn lane_mask(memory: &Memory, lane: u64, limb: usize) -> u64 {
    let width = memory.width / memory.lanes;
    let bit = lane * u64::from(width);
    let inside = bit < memory.width.into() && bit / 64 == limb as u64;
    if inside { (!0 >> (64 - width)) << (bit % 64) } else { 0 }
}

/// One evaluation of a program's statements.
struct Clock<'a> {
    plan: &'a Plan<'a>,
    before: &'a Machine,
    inputs: &'a Ports,
    known: HashMap<WordId, u64>,
    /// The current values of variables, if statements run one after the other.
    values: Option<HashMap<usize, u64>>,
}

impl Clock<'_> {
    fn value(&mut self, id: WordId) -> u64 {
        if let Some(&value) = self.known.get(&id) {
            return value;
        }
        let program = self.plan.program;
        let word = program.words.word(id);
        let value = match word.op {
            Op::Cell(cell) => self.before.read(self.plan.window, cell),
            Op::Input(port, limb) => self.inputs[port][limb],
            Op::Variable(variable) => self.variable(variable),
            Op::Element => {
                let at = self.value(word.args[1]) as usize;
                self.value(program.words.word(word.args[0]).args[at])
            }
            _ => {
                let args: Vec<_> = word.args.iter().map(|&arg| self.value(arg)).collect();
                apply(program, word, &args)
            }
        };
        self.known.insert(id, value);
        value
    }

    fn variable(&mut self, variable: usize) -> u64 {
        if let Some(&value) = self.values.as_ref().and_then(|values| values.get(&variable)) {
            return value;
        }
        let program = self.plan.program;
        let mut value = program.variables[variable].default.map(|default| self.value(default));
        if self.values.is_none() {
            for &i in self.plan.setters.get(&variable).into_iter().flatten() {
                self.setting(&program.blocks[0].statements[i], variable, &mut value);
            }
        }
        value.unwrap_or_else(|| panic!("{} is read ahead of its assignment", program.variables[variable].name))
    }

    /// Runs the statements that assign a variable. Conditions around other statements are not evaluated, because they
    /// may depend on the variable.
    fn setting(&mut self, statement: &Statement, variable: usize, to: &mut Option<u64>) {
        let program = self.plan.program;
        let mut sets = false;
        program.walk(statement, &mut |inner| sets |= inner.targets().contains(&Target::Variable(variable)));
        match statement {
            _ if !sets => {}
            Statement::Assign { value, .. } => *to = Some(self.value(*value)),
            _ => {
                for inner in &program.blocks[self.taken(statement).expect("a branch")].statements {
                    self.setting(inner, variable, to);
                }
            }
        }
    }

    /// The block that a branch takes.
    fn taken(&mut self, statement: &Statement) -> Option<BlockId> {
        Some(match statement {
            Statement::If { condition, arms } => arms[if self.value(*condition) == 1 { 0 } else { 1 }],
            Statement::Case { subject, arms, otherwise } => {
                let subject = self.value(*subject);
                arms.iter().find(|arm| arm.0 == subject).map_or(*otherwise, |arm| arm.1)
            }
            _ => return None,
        })
    }

    fn block(&mut self, block: BlockId, assigned: &mut Vec<(usize, u64)>, memories: &mut Vec<Vec<u64>>) {
        let program = self.plan.program;
        for statement in &program.blocks[block].statements {
            self.statement(statement, assigned, memories);
        }
    }

    fn statement(&mut self, statement: &Statement, assigned: &mut Vec<(usize, u64)>, memories: &mut Vec<Vec<u64>>) {
        let program = self.plan.program;
        match statement {
            Statement::Assign { to: Target::Cell(cell), value } => assigned.push((*cell, self.value(*value))),
            Statement::Assign { to: Target::Variable(variable), value } => {
                if self.values.is_some() {
                    let value = self.value(*value);
                    self.values.as_mut().expect("in order").insert(*variable, value);
                    self.known.clear();
                }
            }
            Statement::Read { memory, to, address, hold } => {
                let it = &program.memories[*memory];
                let row = self.value(*address) as usize * it.limbs();
                let held = hold.filter(|&(_, on)| self.value(on) == 1).map(|(lane, _)| self.value(lane));
                for (limb, cell) in to.iter().enumerate().filter_map(|(limb, cell)| Some((limb, (*cell)?))) {
                    let kept = held.map_or(0, |lane| lane_mask(it, lane, limb));
                    let stored = match self.values.is_some() {
                        true => memories[*memory][row + limb],
                        false => self.before.memories[*memory][row + limb],
                    };
                    assigned.push((cell, stored & !kept | self.before.read(self.plan.window, cell) & kept));
                }
            }
            Statement::Write { memory, address, lane, data } => {
                let it = &program.memories[*memory];
                let row = self.value(*address) as usize * it.limbs();
                let lane = lane.map(|lane| self.value(lane));
                let data: Vec<_> = data.iter().map(|&limb| self.value(limb)).collect();
                store(it, &mut memories[*memory][row..row + it.limbs()], lane, &data);
            }
            Statement::If { .. } | Statement::Case { .. } => {
                let taken = self.taken(statement).expect("a branch");
                self.block(taken, assigned, memories);
            }
        }
    }
}

/// Stores a row or a lane of it.
pub fn store(memory: &Memory, row: &mut [u64], lane: Option<u64>, data: &[u64]) {
    let Some(lane) = lane else { return row.copy_from_slice(data) };
    for (limb, to) in row.iter_mut().enumerate() {
        let mask = lane_mask(memory, lane, limb);
        if mask != 0 {
            *to = *to & !mask | data[0] << mask.trailing_zeros();
        }
    }
}
