// SPDX-License-Identifier: MIT OR Apache-2.0
//! What of a netlist is delay alone: chains of flip-flops that a shift register can take the place of.

use rtl_model::*;
use std::collections::BTreeMap;

#[derive(Bundle)]
pub struct In<L: Reading> {
    go: Bits<L>,
    a: Bits<L>,
}

#[derive(Bundle)]
pub struct Out<L: Reading> {
    q: Bits<L>,
    tap: Bits<L>,
}

/// Steps of eight bits, all with one enable or one without, all with reset or none, with a look at one of them.
#[derive(Clone, Copy)]
pub struct Line {
    steps: usize,
    free: Option<usize>,
    reset: bool,
    tap: usize,
    /// The halves change places at every step.
    swap: bool,
}

const LINE: Line = Line { steps: 5, free: None, reset: false, tap: 4, swap: false };

pub struct Steps<L: Logic> {
    line: Line,
    steps: Vec<Reg<Bits<L>>>,
}

impl Design for Line {
    type Stage<L: Logic> = Steps<L>;
    fn module_name(&self) -> String {
        "line".to_owned()
    }
    fn build<L: Logic>(&self) -> Steps<L> {
        let step = |i| {
            let step = Reg::named(&format!("step_{i}"), &bits(8));
            if self.reset { step.with_reset() } else { step }
        };
        Steps { line: *self, steps: (0..self.steps).map(step).collect() }
    }
}

impl<L: Logic> Stage<L> for Steps<L> {
    type In = In<L>;
    type Out = Out<L>;
    fn input_shape(&self) -> In<Shape> {
        In { go: bits(1), a: bits(8) }
    }
    fn outputs(&self) -> Out<L> {
        Out { q: self.steps[self.line.steps - 1].get(), tap: self.steps[self.line.tap].get() }
    }
    fn clock(&self, input: &In<L>) {
        for i in (0..self.line.steps).rev() {
            let step = || {
                let before = if i == 0 { input.a } else { self.steps[i - 1].get() };
                let next = if self.line.swap { before.slice(0, 4).concat(before.slice(4, 4)) } else { before };
                self.steps[i].set(next);
            };
            match self.line.free == Some(i) {
                true => step(),
                false => {
                    when(input.go, step);
                }
            }
        }
    }
}

fn delays(line: Line) -> BTreeMap<u32, u64> {
    elaborate(&line).unwrap_or_else(|report| panic!("{report}")).top().measure().delays
}

#[test]
fn a_line_is_one_chain_a_bit() {
    assert_eq!(delays(LINE), [(5, 8)].into());
    assert_eq!(delays(Line { swap: true, ..LINE }), [(5, 8)].into());
}

#[test]
fn a_look_at_a_step_ends_a_chain() {
    assert_eq!(delays(Line { tap: 1, ..LINE }), [(2, 8), (3, 8)].into());
    assert_eq!(delays(Line { tap: 0, ..LINE }), [(4, 8)].into());
}

#[test]
fn another_enable_ends_a_chain() {
    assert_eq!(delays(Line { free: Some(2), ..LINE }), [(2, 16)].into());
}

#[test]
fn what_is_reset_is_no_delay() {
    assert_eq!(delays(Line { reset: true, ..LINE }), BTreeMap::new());
}
