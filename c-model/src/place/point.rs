// SPDX-License-Identifier: MIT OR Apache-2.0
//! Places between statements, and which of two comes first.

use crate::program::{BlockId, Program};
use std::collections::BTreeMap;

/// Room for what is placed ahead of a statement.
const ROOM: i64 = 1 << 32;

/// A place in a block; lower keys come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub block: BlockId,
    pub key: i64,
}

/// How blocks lie in one another.
#[derive(Debug)]
pub struct Tree {
    /// Where the statement is that a block is part of.
    outer: Vec<Option<Point>>,
    depth: Vec<u32>,
}

impl Tree {
    pub fn of(program: &Program) -> Self {
        let count = program.blocks.len();
        let mut tree = Tree { outer: vec![None; count], depth: vec![0; count] };
        tree.below(program, 0);
        tree
    }

    fn below(&mut self, program: &Program, block: BlockId) {
        for (i, statement) in program.blocks[block].statements.iter().enumerate() {
            for inner in statement.blocks() {
                self.outer[inner] = Some(Point { block, key: Tree::key(i) });
                self.depth[inner] = self.depth[block] + 1;
                self.below(program, inner);
            }
        }
    }

    /// The key of a statement by its number.
    pub fn key(statement: usize) -> i64 {
        (statement as i64 + 1) * ROOM
    }

    /// The statement that a key is at or ahead of.
    pub fn gap(key: i64) -> i64 {
        (key + ROOM - 1).div_euclid(ROOM)
    }

    /// A new block inside a statement.
    pub fn add(&mut self, outer: Point) {
        self.outer.push(Some(outer));
        self.depth.push(self.depth[outer.block] + 1);
    }

    /// Both in the innermost block that they share, and the blocks that they were in below it.
    fn lift(&self, mut a: Point, mut b: Point) -> (Point, Point, [Option<BlockId>; 2]) {
        let mut below = [None, None];
        while a.block != b.block {
            let deeper = if self.depth[a.block] >= self.depth[b.block] { 0 } else { 1 };
            let point = if deeper == 0 { &mut a } else { &mut b };
            below[deeper] = Some(point.block);
            *point = self.outer[point.block].expect("all blocks are in the outermost one");
        }
        (a, b, below)
    }

    /// If all points are inside one branch, in several arms of it and not in its condition: those of each arm. With `any`, the
    /// branch may be another for each.
    pub fn arms(&self, points: &[Point], any: bool) -> Option<Vec<Vec<Point>>> {
        let common = points.iter().copied().reduce(|a, b| self.common(a, b))?;
        let mut arms: BTreeMap<BlockId, Vec<Point>> = BTreeMap::new();
        for &point in points {
            let (mut at, mut arm) = (point, None);
            while at.block != common.block {
                arm = Some(at.block);
                at = self.outer[at.block]?;
            }
            if at.key != common.key && !any {
                return None;
            }
            arms.entry(arm?).or_default().push(point);
        }
        (arms.len() > 1).then(|| arms.into_values().collect())
    }

    /// The first of two points, in the innermost block that holds both.
    pub fn common(&self, a: Point, b: Point) -> Point {
        let (a, b, _) = self.lift(a, b);
        if a.key <= b.key { a } else { b }
    }

    /// `a` may run after the statement at `b` has.
    pub fn behind(&self, a: Point, b: Point) -> bool {
        let (a, b, below) = self.lift(a, b);
        // Arms of one branch exclude each other; a condition is evaluated ahead of its arms.
        a.key > b.key || a.key == b.key && below[0].is_some() && below[1].is_none()
    }
}
