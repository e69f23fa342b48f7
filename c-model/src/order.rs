// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order of the outermost statements. Cells are assigned in place, so a reader of a cell should run before the
//! assignment. If that is impossible (two registers exchange their values), the old value is saved later on, which
//! costs a copy.
//!
//! Required order: assignments to the same target keep their order, a variable is read after its assignments, and a row
//! is read before it is written.

#[cfg(test)]
mod tests;

use crate::program::{Program, Statement, Target};
use crate::window::Window;
use crate::words::{Op, WordId};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What a statement reads and assigns, including all statements inside it.
struct Touch {
    reads: HashSet<Target>,
    writes: HashSet<Target>,
    loads: HashSet<usize>,
    stores: HashSet<usize>,
}

/// Sorts the outermost block.
pub fn sort(program: &mut Program, window: &Window) {
    let statements = std::mem::take(&mut program.blocks[0].statements);
    let touches: Vec<_> = statements.iter().map(|statement| touch(program, window, statement)).collect();
    let order = schedule(&touches);
    let mut statements: Vec<_> = statements.into_iter().map(Some).collect();
    program.blocks[0].statements =
        order.into_iter().map(|i| statements[i].take().expect("each is scheduled once")).collect();
}

fn touch(program: &Program, window: &Window, statement: &Statement) -> Touch {
    let mut touch =
        Touch { reads: HashSet::new(), writes: HashSet::new(), loads: HashSet::new(), stores: HashSet::new() };
    let mut pending = Vec::new();
    program.walk(statement, &mut |inner| {
        pending.extend(inner.words());
        // In the window the new value does not replace the old one.
        let own = |target: &Target| !matches!(target, Target::Cell(cell) if window.place(*cell).is_some());
        touch.writes.extend(inner.targets().into_iter().filter(own));
        match inner {
            Statement::Read { memory, .. } => drop(touch.loads.insert(*memory)),
            Statement::Write { memory, .. } => drop(touch.stores.insert(*memory)),
            _ => {}
        }
    });
    // A default is computed before the first assignment.
    for target in &touch.writes {
        if let Target::Variable(i) = target {
            pending.extend(program.variables[*i].default);
        }
    }
    let mut seen: HashSet<WordId> = HashSet::new();
    while let Some(id) = pending.pop() {
        if seen.insert(id) {
            let word = program.words.word(id);
            pending.extend(&word.args);
            match word.op {
                Op::Cell(i) => drop(touch.reads.insert(Target::Cell(i))),
                Op::Variable(i) => {
                    touch.reads.insert(Target::Variable(i));
                    pending.extend(program.variables[i].default);
                }
                _ => {}
            }
        }
    }
    touch
}

/// Chooses, among the statements that need not wait, the first in the order of the source. If there is none, it chooses
/// the one that costs the fewest copies.
fn schedule(touches: &[Touch]) -> Vec<usize> {
    let count = touches.len();
    let (mut must, mut should) = (vec![0usize; count], vec![0usize; count]);
    let (mut must_after, mut should_after) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    // For each pair of statements, the cells that would have to be saved.
    let mut writers: HashMap<Target, Vec<usize>> = HashMap::new();
    let mut storing: HashMap<usize, Vec<usize>> = HashMap::new();
    for (i, touch) in touches.iter().enumerate() {
        touch.writes.iter().for_each(|&target| writers.entry(target).or_default().push(i));
        touch.stores.iter().for_each(|&memory| storing.entry(memory).or_default().push(i));
    }
    let mut hard = BTreeSet::new();
    let mut soft: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for list in writers.values() {
        hard.extend(list.windows(2).map(|pair| (pair[0], pair[1])));
    }
    for (i, touch) in touches.iter().enumerate() {
        for target in &touch.reads {
            for &writer in writers.get(target).into_iter().flatten().filter(|&&writer| writer != i) {
                match target {
                    Target::Variable(_) => drop(hard.insert((writer, i))),
                    Target::Cell(_) => *soft.entry((i, writer)).or_default() += 1,
                }
            }
        }
        for memory in &touch.loads {
            let stores = storing.get(memory).into_iter().flatten().filter(|&&store| store != i);
            hard.extend(stores.map(|&store| (i, store)));
        }
    }
    for &(a, b) in &hard {
        must[b] += 1;
        must_after[a].push(b);
    }
    for (&(a, b), &cells) in soft.iter().filter(|(pair, _)| !hard.contains(pair)) {
        should[b] += cells;
        should_after[a].push((b, cells));
    }
    let mut left: BTreeSet<usize> = (0..count).collect();
    let mut order = Vec::with_capacity(count);
    while !left.is_empty() {
        let free = left.iter().copied().find(|&i| must[i] == 0 && should[i] == 0);
        let next = free.or_else(|| {
            let ready = left.iter().copied().filter(|&i| must[i] == 0);
            ready.min_by_key(|&i| (should[i], i))
        });
        let next = next.expect("what must be is without circles: it follows the order of the source");
        left.remove(&next);
        must_after[next].iter().for_each(|&i| must[i] -= 1);
        should_after[next].iter().for_each(|&(i, cells)| should[i] -= cells);
        order.push(next);
    }
    order
}
