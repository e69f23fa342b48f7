// SPDX-License-Identifier: MIT OR Apache-2.0
//! What nobody looks at need not be computed. A field of a pipeline step matters only where its valid bit is 1: wherever it is
//! read, the valid bit decides whether that has an effect, or hands it on to a step whose valid bit is this one. Such a field is
//! assigned only if its valid bit will be 1. Hidden state differs then, outputs do not.
//!
//! Flags, that is cells of one bit, are always exact, so that no two fields excuse each other. For each field the flags without
//! which it does not matter are found as the greatest solution of: a field matters where something reads it that matters.

use crate::program::{Block, BlockId, Program, Statement, Target};
use crate::words::{Op, WordId};
use std::collections::{HashMap, HashSet};

/// A set of flags.
type Flags = HashSet<usize>;

/// Flags without which a field does not matter; all of them, before anything that reads it has been found.
#[derive(Clone, PartialEq)]
enum Need {
    Any,
    Only(Flags),
}

impl Need {
    /// It matters where either does.
    fn also(&mut self, flags: &Flags) {
        *self = match self {
            Need::Any => Need::Only(flags.clone()),
            Need::Only(before) => Need::Only(before.intersection(flags).copied().collect()),
        };
    }
}

/// Of each cell that is assigned once in every clock, and is no flag, the flags without which it does not matter.
pub struct Observed {
    guards: HashMap<usize, Flags>,
    /// What each flag of these will be.
    next: HashMap<usize, WordId>,
}

impl Observed {
    /// The condition under which cells need be assigned.
    fn condition(&self, cells: &[usize]) -> Option<WordId> {
        let (first, rest) = cells.split_first()?;
        let all =
            |flag: &&usize| rest.iter().all(|cell| self.guards.get(cell).is_some_and(|flags| flags.contains(flag)));
        let flag = self.guards.get(first)?.iter().filter(all).min()?;
        self.next.get(flag).copied()
    }

    /// Whether a cell may hold anything when it does not matter.
    pub fn is_loose(&self, cell: usize) -> bool {
        self.guards.contains_key(&cell)
    }
}

/// Looks at all uses of all fields.
pub fn observe(program: &Program) -> Observed {
    let next = steps(program);
    let flag = |cell: usize| program.cells[cell].width == 1 && !program.cells[cell].wide;
    // A row of one bit is read, not computed: its address is not what it will be.
    let read: HashSet<usize> = program.blocks[0].statements.iter().flat_map(reads).collect();
    let flags: Flags = next
        .keys()
        .copied()
        .filter(|&cell| {
            flag(cell) && !read.contains(&cell) && !(program.cells[cell].reset && program.cells[cell].init == 1)
        })
        .collect();
    let fields: HashSet<usize> = next.keys().copied().filter(|&cell| !flag(cell)).collect();
    let mut needs: HashMap<usize, Need> = fields.iter().map(|&cell| (cell, Need::Any)).collect();
    loop {
        let mut found = Uses { program, flags: &flags, next: &next, needs: &needs, words: HashMap::new() };
        found.block(0, &Flags::new());
        for (_, limbs) in &program.outputs {
            limbs.iter().for_each(|&limb| found.word(limb, &Flags::new()));
        }
        let cells = found.flow();
        let mut after: HashMap<usize, Need> = fields.iter().map(|&cell| (cell, Need::Any)).collect();
        for (cell, need) in cells {
            after.entry(cell).and_modify(|all| *all = need);
        }
        if after == needs {
            break;
        }
        needs = after;
    }
    let known = |need: Need| match need {
        Need::Only(flags) => Some(flags).filter(|flags| !flags.is_empty()),
        Need::Any => None,
    };
    let guards = needs.into_iter().filter_map(|(cell, need)| Some((cell, known(need)?))).collect();
    Observed { guards, next }
}

/// What the cells are assigned that are assigned once, in every clock; of a row that is read, its address.
fn steps(program: &Program) -> HashMap<usize, WordId> {
    let mut times: HashMap<usize, usize> = HashMap::new();
    for target in program.blocks.iter().flat_map(|block| &block.statements).flat_map(Statement::targets) {
        if let Target::Cell(cell) = target {
            *times.entry(cell).or_default() += 1;
        }
    }
    let assigned = program.blocks[0].statements.iter().flat_map(|statement| match statement {
        Statement::Assign { to: Target::Cell(cell), value } => vec![(*cell, *value)],
        Statement::Read { to, address, hold: None, .. } => to.iter().flatten().map(|&cell| (cell, *address)).collect(),
        _ => vec![],
    });
    assigned.filter(|(cell, _)| times[cell] == 1).collect()
}

/// The uses of all words, and the flags that must be 1 for each of them to matter.
struct Uses<'a> {
    program: &'a Program,
    flags: &'a Flags,
    next: &'a HashMap<usize, WordId>,
    needs: &'a HashMap<usize, Need>,
    words: HashMap<WordId, Need>,
}

impl Uses<'_> {
    fn word(&mut self, word: WordId, flags: &Flags) {
        self.words.entry(word).or_insert(Need::Any).also(flags);
    }

    fn block(&mut self, block: BlockId, above: &Flags) {
        let program = self.program;
        for statement in &program.blocks[block].statements {
            match statement {
                Statement::Assign { to, value } => match to {
                    Target::Cell(cell) if self.needs.contains_key(cell) => self.field(*cell, *value),
                    _ => self.word(*value, above),
                },
                Statement::If { condition, arms } => {
                    self.word(*condition, above);
                    for (arm, on) in arms.iter().zip([true, false]) {
                        let mut inside = above.clone();
                        self.implied(*condition, on, &mut inside);
                        self.block(*arm, &inside);
                    }
                }
                Statement::Case { subject, arms, otherwise } => {
                    self.word(*subject, above);
                    let arms = arms.iter().map(|arm| arm.1).chain([*otherwise]);
                    arms.for_each(|arm| self.block(arm, above));
                }
                Statement::Read { .. } if cells_in(statement, self.needs) => {
                    statement.targets().into_iter().for_each(|to| match to {
                        Target::Cell(cell) => self.field(cell, self.next[&cell]),
                        Target::Variable(_) => {}
                    });
                }
                Statement::Read { .. } | Statement::Write { .. } => {
                    statement.words().into_iter().for_each(|word| self.word(word, above));
                }
            }
        }
    }

    /// What a field is assigned matters if the field will: if its flags will be 1, and what that tells of the flags now.
    fn field(&mut self, cell: usize, value: WordId) {
        let Some(Need::Only(flags)) = self.needs.get(&cell).cloned() else {
            // So far nothing reads it.
            return;
        };
        let mut now = Flags::new();
        flags.iter().for_each(|flag| self.implied(self.next[flag], true, &mut now));
        self.word(value, &now);
    }

    /// Adds the flags that are 1 if a word of one bit is `on`.
    fn implied(&self, word: WordId, on: bool, flags: &mut Flags) {
        let it = self.program.words.word(word);
        match it.op {
            Op::Cell(cell) if on && self.flags.contains(&cell) => drop(flags.insert(cell)),
            Op::Not => self.implied(it.args[0], !on, flags),
            Op::And if on && it.width == 1 => it.args.iter().for_each(|&arg| self.implied(arg, true, flags)),
            Op::Or if !on && it.width == 1 => it.args.iter().for_each(|&arg| self.implied(arg, false, flags)),
            _ => {}
        }
    }

    /// An operand that matters where its word does, and only if a gate is as it says.
    fn hand(&mut self, arg: WordId, flags: &Flags, gate: Option<(WordId, bool)>) {
        let mut inside = flags.clone();
        if let Some((word, on)) = gate {
            self.implied(word, on, &mut inside);
        }
        self.word(arg, &inside);
    }

    /// From each word to its operands; what cells need in the end.
    fn flow(mut self) -> HashMap<usize, Need> {
        let mut cells: HashMap<usize, Need> = HashMap::new();
        let variables: Vec<_> = self.program.variables.iter().filter_map(|variable| variable.default).collect();
        // Variables hide what becomes of their values.
        variables.into_iter().for_each(|default| self.word(default, &Flags::new()));
        for id in (0..self.program.words.len()).rev().map(|i| WordId(i as u32)) {
            let Some(Need::Only(flags)) = self.words.get(&id).cloned() else { continue };
            let it = self.program.words.word(id).clone();
            if let Op::Cell(cell) = it.op {
                cells.entry(cell).or_insert(Need::Any).also(&flags);
            }
            match it.op {
                Op::And => {
                    for (i, &arg) in it.args.iter().enumerate() {
                        let other = it.args[1 - i];
                        let gate = self.program.words.word(other);
                        match gate.op {
                            Op::Fill => self.hand(arg, &flags, Some((gate.args[0], true))),
                            _ => self.hand(arg, &flags, (it.width == 1).then_some((other, true))),
                        }
                    }
                }
                Op::Select => {
                    self.hand(it.args[0], &flags, None);
                    self.hand(it.args[1], &flags, Some((it.args[0], true)));
                    self.hand(it.args[2], &flags, Some((it.args[0], false)));
                }
                _ => it.args.iter().for_each(|&arg| self.hand(arg, &flags, None)),
            }
        }
        cells
    }
}

/// The cells that a row is read to.
fn reads(statement: &Statement) -> Vec<usize> {
    match statement {
        Statement::Read { to, .. } => to.iter().flatten().copied().collect(),
        _ => Vec::new(),
    }
}

/// A row is read in every clock, and to fields alone.
fn cells_in(statement: &Statement, fields: &HashMap<usize, Need>) -> bool {
    matches!(statement, Statement::Read { hold: None, .. })
        && reads(statement).iter().all(|cell| fields.contains_key(cell))
}

/// Puts assignments of fields under their conditions.
pub fn guard(program: &mut Program, observed: &Observed) {
    let mut guarded: Vec<(WordId, Vec<Statement>)> = Vec::new();
    let mut out = Vec::new();
    for statement in std::mem::take(&mut program.blocks[0].statements) {
        let condition = match &statement {
            Statement::Assign { to: Target::Cell(cell), .. } => observed.condition(&[*cell]),
            Statement::Read { hold: None, .. } => observed.condition(&reads(&statement)),
            _ => None,
        };
        match condition.filter(|&condition| program.words.number(condition).is_none()) {
            None => out.push(statement),
            Some(condition) => match guarded.iter_mut().find(|group| group.0 == condition) {
                Some(group) => group.1.push(statement),
                None => guarded.push((condition, vec![statement])),
            },
        }
    }
    for (condition, statements) in guarded {
        program.blocks.extend([Block { statements }, Block::default()]);
        let arms = [program.blocks.len() - 2, program.blocks.len() - 1];
        out.push(Statement::If { condition, arms });
    }
    program.blocks[0].statements = out;
}
