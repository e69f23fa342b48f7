// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes delays free. Most assignments of a pipeline in each clock cycle are `register := register`. Such chains are
//! stored side by side in a window that moves by one place per clock cycle, so that the first step of a chain becomes
//! the second without a copy:
//!
//! ```text
//! places   | gap a1 a2 a3 | gap b1 b2 |          before the edge
//!            ^ the new a1 is written here
//! places | gap a1 a2 a3 | gap b1 b2 |            behind it: a3 of before is the gap of b
//! ```
//!
//! When the window has reached the lower end of its buffer, it is copied to the upper end.

#[cfg(test)]
mod tests;

use crate::program::{Program, Statement, Target};
use crate::words::Op;
use std::collections::HashMap;

/// The number of moves before the window is copied back.
pub const MOVES: usize = 512;

/// The positions of cells in the window.
#[derive(Clone, Debug, Default)]
pub struct Window {
    /// The places of the cells that are in it.
    places: HashMap<usize, usize>,
    /// Number of places.
    pub size: usize,
}

impl Window {
    /// The place of a cell, if it is in the window.
    pub fn place(&self, cell: usize) -> Option<usize> {
        self.places.get(&cell).copied()
    }

    /// Makes an empty window.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// Finds the chains, and removes the assignments that the move of the window replaces.
pub fn slide(program: &mut Program) -> Window {
    let (sources, always) = assigned(program);
    let mut next: HashMap<usize, usize> = HashMap::new();
    let mut copies: Vec<_> = sources.iter().map(|(&to, &from)| (to, from)).collect();
    copies.sort();
    // Of several copies of one cell, the first continues its chain.
    for &(to, from) in &copies {
        next.entry(from).or_insert(to);
    }
    let goes_on = |cell: usize| sources.get(&cell).is_some_and(|from| next.get(from) == Some(&cell));
    let mut window = Window { size: 1, ..Window::default() };
    let mut moved = Vec::new();
    let mut heads: Vec<_> = next.keys().copied().filter(|&cell| !goes_on(cell)).collect();
    heads.sort();
    for head in heads {
        let mut chain: Vec<_> = std::iter::successors(Some(head), |cell| next.get(cell).copied()).collect();
        if !always.contains(&head) {
            chain.remove(0);
        }
        if chain.len() < 2 {
            continue;
        }
        for (step, &cell) in chain.iter().enumerate() {
            window.places.insert(cell, window.size + step);
        }
        window.size += chain.len() + 1;
        moved.extend(chain.into_iter().skip(1));
    }
    let moves = |statement: &Statement| matches!(statement, Statement::Assign { to: Target::Cell(cell), .. } if moved.contains(cell));
    program.blocks[0].statements.retain(|statement| !moves(statement));
    window
}

/// The cells that are assigned another cell of the same width in every clock cycle, and all cells that are assigned
/// once in every clock cycle.
fn assigned(program: &Program) -> (HashMap<usize, usize>, Vec<usize>) {
    let mut times: HashMap<usize, usize> = HashMap::new();
    for block in &program.blocks {
        for target in block.statements.iter().flat_map(Statement::targets) {
            if let Target::Cell(cell) = target {
                *times.entry(cell).or_default() += 1;
            }
        }
    }
    let (mut sources, mut always) = (HashMap::new(), Vec::new());
    for statement in &program.blocks[0].statements {
        if let Statement::Assign { to: Target::Cell(to), value } = statement
            && times[to] == 1
        {
            always.push(*to);
            let word = program.words.word(*value);
            if let Op::Cell(from) = word.op
                && from != *to
            {
                sources.insert(*to, from);
            }
        }
    }
    (sources, always)
}
