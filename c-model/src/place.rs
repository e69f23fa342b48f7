// SPDX-License-Identifier: MIT OR Apache-2.0
//! Late placement: each word is computed once, in the innermost block that holds all of its uses, before the first of
//! them. A word that only one branch needs is computed only when that branch is taken. A word that several arms of a
//! branch need is written in each of them.
//!
//! A choice with much work on one side becomes a branch, so that the same rule applies to that work. A cell that is
//! read after its assignment is saved before it.

mod point;
#[cfg(test)]
mod tests;

use crate::program::{Block, BlockId, Program, Statement, Target, Variable};
use crate::window::Window;
use crate::words::{Op, WordId};
use point::{Point, Tree};
use std::collections::HashMap;

/// The number of operations from which on a branch is worth its cost.
const WORTH_A_BRANCH: u32 = 8;
/// The maximum number of wiring operations that are repeated rather than computed where they may not be needed.
const CHEAP: u32 = 4;

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The word is not written.
    Unused,
    /// As an expression where it is used.
    Inline,
    /// As a constant with a name.
    Local,
    /// As a variable that the branches of a choice assign.
    Chosen(usize),
}

/// A line of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// The declaration of a variable.
    Declare(usize),
    /// The definition of a word.
    Define(WordId),
    /// A statement of the block.
    Run(usize),
}

/// A program with a place for each word.
#[derive(Debug)]
pub struct Placed {
    /// The program, in which some choices have become branches.
    pub program: Program,
    /// How each word is written.
    pub forms: Vec<Form>,
    /// The lines of each block.
    pub lines: Vec<Vec<Line>>,
}

struct Placer<'a> {
    program: Program,
    window: &'a Window,
    tree: Tree,
    forms: Vec<Form>,
    /// The points at which each word is used.
    uses: Vec<Vec<Point>>,
    /// The points at which each variable is read.
    reads: Vec<Vec<Point>>,
    /// The points at which cells and variables are assigned.
    assigned: HashMap<Target, Vec<Point>>,
    /// The variables that each word depends on.
    depends: Vec<Vec<usize>>,
    /// Number of words and statements that have each word as an operand.
    count: Vec<u32>,
    lines: Vec<Vec<(i64, Line)>>,
    /// The branches that choices have become: block, key, condition, statement.
    branches: Vec<(BlockId, i64, WordId, usize)>,
}

/// Places all words of a program.
pub fn place(program: Program, window: &Window) -> Placed {
    let tree = Tree::of(&program);
    let words = program.words.len();
    let mut placer = Placer {
        window,
        tree,
        forms: vec![Form::Unused; words],
        uses: vec![Vec::new(); words],
        reads: vec![Vec::new(); program.variables.len()],
        assigned: HashMap::new(),
        depends: vec![Vec::new(); words],
        count: vec![0; words],
        lines: vec![Vec::new(); program.blocks.len()],
        branches: Vec::new(),
        program,
    };
    placer.statements(0);
    let order = placer.order();
    placer.dependencies(&order);
    for thing in order.into_iter().rev() {
        match thing {
            Thing::Word(word) => placer.word(word),
            Thing::Variable(variable) => placer.variable(variable),
        }
    }
    let lines = placer.lines.into_iter().map(|mut lines| {
        lines.sort_by_key(|&(key, line)| (key, matches!(line, Line::Run(_))));
        lines.into_iter().map(|(_, line)| line).collect()
    });
    Placed { lines: lines.collect(), program: placer.program, forms: placer.forms }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Thing {
    Word(WordId),
    Variable(usize),
}

impl Placer<'_> {
    /// Notes the uses and assignments of the statements of a block.
    fn statements(&mut self, block: BlockId) {
        for i in 0..self.program.blocks[block].statements.len() {
            let statement = self.program.blocks[block].statements[i].clone();
            let point = Point { block, key: Tree::key(i) };
            self.lines[block].push((point.key, Line::Run(i)));
            for word in statement.words() {
                self.uses[word.0 as usize].push(point);
                self.count[word.0 as usize] += 1;
            }
            for target in statement.targets() {
                let windowed = matches!(target, Target::Cell(cell) if self.window.place(cell).is_some());
                if !windowed {
                    self.assigned.entry(target).or_default().push(point);
                }
            }
            statement.blocks().into_iter().for_each(|inner| self.statements(inner));
        }
        if block == 0 {
            // Outputs are read after all statements.
            let end = Point { block, key: Tree::key(self.program.blocks[0].statements.len()) };
            for word in self.program.roots.clone() {
                self.uses[word.0 as usize].push(end);
                self.count[word.0 as usize] += 1;
            }
        }
    }

    /// All words that are used, operands before their users.
    fn order(&mut self) -> Vec<Thing> {
        let used: Vec<_> = (0..self.uses.len()).filter(|&i| !self.uses[i].is_empty()).collect();
        let mut assigned: Vec<_> = self.assigned.keys().copied().collect();
        assigned.sort();
        let variables = assigned.into_iter().filter_map(|target| match target {
            Target::Variable(i) => Some(Thing::Variable(i)),
            Target::Cell(_) => None,
        });
        let roots: Vec<_> = used.into_iter().map(|i| Thing::Word(WordId(i as u32))).chain(variables).collect();
        let (mut order, mut seen) = (Vec::new(), HashMap::new());
        for root in roots {
            self.visit(root, &mut seen, &mut order);
        }
        order
    }

    fn visit(&mut self, thing: Thing, seen: &mut HashMap<Thing, ()>, order: &mut Vec<Thing>) {
        if seen.insert(thing, ()).is_some() {
            return;
        }
        match thing {
            Thing::Word(word) => {
                for arg in self.program.words.word(word).args.clone() {
                    self.count[arg.0 as usize] += 1;
                    self.visit(Thing::Word(arg), seen, order);
                }
                if let Op::Variable(i) = self.program.words.word(word).op {
                    self.visit(Thing::Variable(i), seen, order);
                }
            }
            Thing::Variable(i) => {
                if let Some(default) = self.program.variables[i].default {
                    self.count[default.0 as usize] += 1;
                    self.visit(Thing::Word(default), seen, order);
                }
            }
        }
        order.push(thing);
    }

    fn dependencies(&mut self, order: &[Thing]) {
        for &thing in order {
            if let Thing::Word(word) = thing {
                let it = self.program.words.word(word);
                let mut all: Vec<usize> = match it.op {
                    Op::Variable(i) => vec![i],
                    _ => it.args.iter().flat_map(|arg| self.depends[arg.0 as usize].iter().copied()).collect(),
                };
                all.sort();
                all.dedup();
                self.depends[word.0 as usize] = all;
            }
        }
    }

    /// The place of a definition that is used at all of these points.
    fn ahead(&self, uses: &[Point]) -> Point {
        let common = uses.iter().copied().reduce(|a, b| self.tree.common(a, b)).expect("it is used");
        Point { key: common.key - 1, ..common }
    }

    fn word(&mut self, word: WordId) {
        let uses = std::mem::take(&mut self.uses[word.0 as usize]);
        if uses.is_empty() {
            return;
        }
        let op = self.program.words.word(word).op.clone();
        match op {
            Op::Constant(_) | Op::Input(..) => self.forms[word.0 as usize] = Form::Inline,
            Op::Variable(variable) => {
                self.forms[word.0 as usize] = Form::Inline;
                self.reads[variable].extend(&uses);
            }
            Op::Cell(cell) => {
                let assigned = self.assigned.get(&Target::Cell(cell)).cloned().unwrap_or_default();
                let late = |used: &Point| assigned.iter().any(|&assigned| self.tree.behind(*used, assigned));
                match uses.iter().any(late) {
                    true => {
                        let all: Vec<_> = uses.iter().chain(&assigned).copied().collect();
                        self.define(word, self.ahead(&all));
                    }
                    false => self.forms[word.0 as usize] = Form::Inline,
                }
            }
            Op::Select if self.worth_a_branch(word) => self.local(word, &uses),
            Op::Array if self.program.whole_register(word).is_some() => self.inline(word, &uses),
            Op::Array => self.local(word, &uses),
            _ if self.count[word.0 as usize] == 1 => self.inline(word, &uses),
            _ => self.local(word, &uses),
        }
    }

    /// Writes the word where it is used.
    fn inline(&mut self, word: WordId, uses: &[Point]) {
        self.forms[word.0 as usize] = Form::Inline;
        for arg in self.program.words.word(word).args.clone() {
            self.uses[arg.0 as usize].extend(uses);
        }
    }

    /// Defines the word before all of its uses, if everything that it depends on is assigned by then.
    fn local(&mut self, word: WordId, uses: &[Point]) {
        let points = self.places(uses, self.is_wiring(word));
        if !points.iter().all(|&point| self.settled(word, point)) {
            return self.inline(word, uses);
        }
        let branches = self.worth_a_branch(word);
        for point in points {
            if branches { self.branch(word, point) } else { self.define(word, point) }
        }
    }

    /// Where to compute a word that is used at these points: once, or once in each arm of a branch. Wiring is cheap, so
    /// it may also be computed in each of several branches.
    fn places(&self, uses: &[Point], wiring: bool) -> Vec<Point> {
        match self.tree.arms(uses, wiring) {
            Some(arms) => arms.iter().flat_map(|uses| self.places(uses, wiring)).collect(),
            None => vec![self.ahead(uses)],
        }
    }

    /// Whether the word is some bits of one or two cells or inputs.
    fn is_wiring(&self, word: WordId) -> bool {
        self.wires(word) <= CHEAP
    }

    fn wires(&self, word: WordId) -> u32 {
        let it = self.program.words.word(word);
        let own = match it.op {
            Op::Constant(_) | Op::Cell(_) | Op::Input(..) => return 0,
            Op::Wider => 0,
            Op::Low | Op::Shl(_) | Op::Shr(_) | Op::Or => 1,
            _ => return CHEAP + 1,
        };
        it.args.iter().fold(own, |sum, &arg| (sum + self.wires(arg)).min(CHEAP + 1))
    }

    fn settled(&self, word: WordId, point: Point) -> bool {
        self.depends[word.0 as usize].iter().all(|&variable| {
            let assigned = self.assigned.get(&Target::Variable(variable));
            assigned.into_iter().flatten().all(|&assigned| self.tree.behind(point, assigned))
        })
    }

    fn define(&mut self, word: WordId, point: Point) {
        self.forms[word.0 as usize] = Form::Local;
        self.lines[point.block].push((point.key, Line::Define(word)));
        for arg in self.program.words.word(word).args.clone() {
            self.uses[arg.0 as usize].push(point);
        }
    }

    /// Whether the word is a choice with much work on one side.
    fn worth_a_branch(&self, word: WordId) -> bool {
        let it = self.program.words.word(word);
        it.op == Op::Select && it.args[1..].iter().any(|&side| self.work(side) >= WORTH_A_BRANCH)
    }

    /// Makes the variable of a choice.
    fn chosen(&mut self, word: WordId) -> usize {
        if let Form::Chosen(variable) = self.forms[word.0 as usize] {
            return variable;
        }
        let name = self.program.words.name(word).map_or_else(|| format!("chosen_{}", word.0), str::to_owned);
        self.program.variables.push(Variable { name, default: None });
        self.reads.push(Vec::new());
        let variable = self.program.variables.len() - 1;
        self.forms[word.0 as usize] = Form::Chosen(variable);
        variable
    }

    /// Makes a branch of a choice.
    fn branch(&mut self, word: WordId, point: Point) {
        let args = self.program.words.word(word).args.clone();
        let variable = self.chosen(word);
        let known = self.branches.iter().find(|&&(block, key, condition, _)| {
            block == point.block && condition == args[0] && key <= point.key && Tree::gap(key) == Tree::gap(point.key)
        });
        let (key, at) = match known {
            Some(&(_, key, _, at)) => (key, at),
            None => self.new_branch(point, args[0]),
        };
        // The branch may be one of an earlier choice, whose key is lower.
        let declare = Point { key: key - 1, ..point };
        self.lines[point.block].push((declare.key, Line::Declare(variable)));
        let Statement::If { arms, .. } = self.program.blocks[point.block].statements[at] else { return };
        for (arm, value) in arms.into_iter().zip([args[1], args[2]]) {
            let inner = self.program.blocks[arm].statements.len();
            self.program.blocks[arm].statements.push(Statement::Assign { to: Target::Variable(variable), value });
            let inside = Point { block: arm, key: Tree::key(inner) };
            self.lines[arm].push((inside.key, Line::Run(inner)));
            self.uses[value.0 as usize].push(inside);
        }
    }

    fn new_branch(&mut self, point: Point, condition: WordId) -> (i64, usize) {
        let mut arm = || {
            self.program.blocks.push(Block::default());
            self.lines.push(Vec::new());
            self.tree.add(point);
            self.program.blocks.len() - 1
        };
        let arms = [arm(), arm()];
        let statements = &mut self.program.blocks[point.block].statements;
        statements.push(Statement::If { condition, arms });
        let at = statements.len() - 1;
        self.lines[point.block].push((point.key, Line::Run(at)));
        self.uses[condition.0 as usize].push(point);
        self.branches.push((point.block, point.key, condition, at));
        (point.key, at)
    }

    /// Number of operations that are needed only for this word.
    fn work(&self, word: WordId) -> u32 {
        let mut seen = HashMap::new();
        self.work_of(word, &mut seen)
    }

    fn work_of(&self, word: WordId, seen: &mut HashMap<WordId, u32>) -> u32 {
        let times = seen.entry(word).or_insert(0);
        *times += 1;
        if *times != self.count[word.0 as usize] {
            return 0;
        }
        let it = self.program.words.word(word);
        let own = match it.op {
            Op::Constant(_) | Op::Input(..) | Op::Cell(_) | Op::Variable(_) | Op::Wider => 0,
            Op::Table(_) | Op::Element | Op::Mul => 3,
            Op::Linear(_) => 8,
            _ => 1,
        };
        own + it.args.iter().map(|&arg| self.work_of(arg, seen)).sum::<u32>()
    }

    /// Declares a variable before all statements that assign or read it.
    fn variable(&mut self, variable: usize) {
        let assigned = self.assigned.get(&Target::Variable(variable)).cloned().unwrap_or_default();
        let all: Vec<_> = assigned.into_iter().chain(std::mem::take(&mut self.reads[variable])).collect();
        if all.is_empty() {
            return;
        }
        let point = self.ahead(&all);
        self.lines[point.block].push((point.key, Line::Declare(variable)));
        if let Some(default) = self.program.variables[variable].default {
            self.uses[default.0 as usize].push(point);
        }
    }
}
