// SPDX-License-Identifier: MIT OR Apache-2.0
//! Points between statements, and their order.

use crate::program::{BlockId, Program};
use std::collections::BTreeMap;

/// The space between keys of statements, for lines that are placed before a statement.
const ROOM: i64 = 1 << 32;

/// A point in a block; lower keys come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub block: BlockId,
    pub key: i64,
}

/// The nesting of blocks.
#[derive(Debug)]
pub struct Tree {
    /// The statement that contains each block.
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

    /// The key of a statement, by its index.
    pub fn key(statement: usize) -> i64 {
        (statement as i64 + 1) * ROOM
    }

    /// The statement that a key belongs to.
    pub fn gap(key: i64) -> i64 {
        (key + ROOM - 1).div_euclid(ROOM)
    }

    /// Adds a block inside a statement.
    pub fn add(&mut self, outer: Point) {
        self.outer.push(Some(outer));
        self.depth.push(self.depth[outer.block] + 1);
    }

    /// Both points in the innermost block that they share, and the blocks inside it that they are in.
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

    /// If all points are inside one branch, in several arms of it and not in its condition: the points of each arm.
    /// With `any`, the arms may belong to different branches.
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

    /// Whether `a` may run after the statement at `b`.
    pub fn behind(&self, a: Point, b: Point) -> bool {
        let (a, b, below) = self.lift(a, b);
        // Arms of one branch exclude each other. A condition is evaluated before the arms.
        a.key > b.key || a.key == b.key && below[0].is_some() && below[1].is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Make;

    /// A tree with a branch as statement 1 of block 0, whose arms are blocks 1 and 2, and a branch inside arm 1, whose
    /// arms are blocks 3 and 4.
    fn tree() -> Tree {
        let mut make = Make::new();
        let on = make.input("on", 1);
        let (cell, was) = make.cell("a", 1);
        let [yes, no] = [(); 2].map(|()| make.block(vec![]));
        let [inner_yes, inner_no] = [(); 2].map(|()| make.block(vec![Make::set(cell, was)]));
        make.0.blocks[yes].statements =
            vec![crate::program::Statement::If { condition: on, arms: [inner_yes, inner_no] }];
        make.run(Make::set(cell, on));
        make.run(crate::program::Statement::If { condition: on, arms: [yes, no] });
        assert_eq!([yes, no, inner_yes, inner_no], [1, 2, 3, 4]);
        Tree::of(&make.0)
    }

    fn at(block: BlockId, statement: usize) -> Point {
        Point { block, key: Tree::key(statement) }
    }

    #[test]
    fn what_comes_first_is_found_in_the_block_that_holds_both() {
        let tree = tree();
        assert_eq!(tree.common(at(0, 0), at(3, 0)), at(0, 0));
        assert_eq!(tree.common(at(3, 0), at(4, 0)), at(1, 0));
        assert_eq!(tree.common(at(3, 0), at(2, 0)), at(0, 1));
        assert_eq!(tree.common(at(2, 5), at(2, 3)), at(2, 3));
    }

    #[test]
    fn an_arm_runs_behind_its_condition_and_not_behind_another_arm() {
        let tree = tree();
        assert!(tree.behind(at(0, 1), at(0, 0)) && !tree.behind(at(0, 0), at(0, 1)));
        assert!(tree.behind(at(3, 0), at(0, 0)) && !tree.behind(at(0, 0), at(3, 0)));
        assert!(tree.behind(at(3, 0), at(0, 1)), "an arm behind the branch that it is of");
        assert!(!tree.behind(at(0, 1), at(3, 0)), "a condition behind its arm");
        assert!(!tree.behind(at(3, 0), at(4, 0)) && !tree.behind(at(4, 0), at(3, 0)));
        assert!(!tree.behind(at(0, 0), at(0, 0)), "a statement behind itself");
    }

    #[test]
    fn uses_in_several_arms_of_one_branch_are_told_apart() {
        let tree = tree();
        let arms = tree.arms(&[at(3, 0), at(4, 0), at(3, 2)], false).expect("two arms");
        assert_eq!(arms, [vec![at(3, 0), at(3, 2)], vec![at(4, 0)]]);
        assert_eq!(tree.arms(&[at(3, 0), at(3, 1)], false), None, "one arm");
        assert_eq!(tree.arms(&[at(0, 0), at(3, 0)], false), None, "outside too");
        assert_eq!(tree.arms(&[at(1, 0), at(3, 0)], true), None, "the condition too");
    }

    #[test]
    fn a_block_may_be_added() {
        let mut tree = tree();
        tree.add(at(4, 0));
        assert_eq!(tree.common(at(5, 3), at(4, 1)), at(4, 0));
        assert_eq!(Tree::gap(Tree::key(3)), Tree::gap(Tree::key(3) - 1), "ahead of a statement");
        assert_ne!(Tree::gap(Tree::key(3)), Tree::gap(Tree::key(3) + 1));
    }
}
