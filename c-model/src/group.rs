// SPDX-License-Identifier: MIT OR Apache-2.0
//! Joins consecutive assignments that choose by the same condition into one branch. For example, all words from which a
//! frame is packed either move by a word or do not.

#[cfg(test)]
mod tests;

use crate::program::{Block, BlockId, Program, Statement, Target};
use crate::words::{Op, WordId};
use std::collections::HashMap;

/// The number of choices from which on a branch is worth its cost.
const ENOUGH: usize = 4;

/// Groups the assignments of all blocks.
pub fn group(program: &mut Program) {
    let mut uses: HashMap<WordId, usize> = HashMap::new();
    for i in 0..program.words.len() {
        for &arg in &program.words.word(WordId(i as u32)).args {
            *uses.entry(arg).or_default() += 1;
        }
    }
    for word in program.blocks.iter().flat_map(|block| &block.statements).flat_map(Statement::words) {
        *uses.entry(word).or_default() += 1;
    }
    let mut block = 0;
    // The arms that are made here are appended, so they are visited too.
    while block < program.blocks.len() {
        in_block(program, block, &uses);
        block += 1;
    }
}

fn in_block(program: &mut Program, block: BlockId, uses: &HashMap<WordId, usize>) {
    let statements = std::mem::take(&mut program.blocks[block].statements);
    let mut out: Vec<Statement> = Vec::new();
    let mut run: Vec<(usize, WordId)> = Vec::new();
    for statement in statements {
        match statement {
            Statement::Assign { to: Target::Cell(cell), value } if run.iter().all(|one| one.0 != cell) => {
                run.push((cell, value));
            }
            other => {
                flush(program, &mut run, &mut out, uses);
                out.push(other);
            }
        }
    }
    flush(program, &mut run, &mut out, uses);
    program.blocks[block].statements = out;
}

/// Writes a run of assignments. They may be in any order, because all of them read the old values.
fn flush(
    program: &mut Program,
    run: &mut Vec<(usize, WordId)>,
    out: &mut Vec<Statement>,
    uses: &HashMap<WordId, usize>,
) {
    let condition = |value: WordId| {
        let word = program.words.word(value);
        (word.op == Op::Select && uses.get(&value).is_none_or(|&uses| uses <= 1)).then(|| word.args[0])
    };
    let mut times: HashMap<WordId, usize> = HashMap::new();
    run.iter().filter_map(|&(_, value)| condition(value)).for_each(|word| *times.entry(word).or_default() += 1);
    let grouped = |value: WordId| condition(value).filter(|word| times[word] >= ENOUGH);
    let mut branches: Vec<(WordId, [Vec<Statement>; 2])> = Vec::new();
    let mut plain = Vec::new();
    for (cell, value) in std::mem::take(run) {
        let assign = |value: WordId| Statement::Assign { to: Target::Cell(cell), value };
        let Some(condition) = grouped(value) else {
            plain.push(assign(value));
            continue;
        };
        let at = branches.iter().position(|branch| branch.0 == condition).unwrap_or_else(|| {
            branches.push((condition, [Vec::new(), Vec::new()]));
            branches.len() - 1
        });
        let args = &program.words.word(value).args;
        branches[at].1[0].push(assign(args[1]));
        branches[at].1[1].push(assign(args[2]));
    }
    out.extend(plain);
    for (condition, arms) in branches {
        let arms = arms.map(|statements| {
            program.blocks.push(Block { statements });
            program.blocks.len() - 1
        });
        out.push(Statement::If { condition, arms });
    }
}
