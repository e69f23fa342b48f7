// SPDX-License-Identifier: MIT OR Apache-2.0
//! Joins the answers of the receive path and the frames of the transmit path to the stream of frames to the MAC (row NI3):
//!
//! ```text
//!  answers  A A . . . B B . . .      A, B are frames of two beats, D and E of three
//!  data     D D D D D E E E E E      the first beat of D waits for A, that of E for B
//!  out      A A D D D B B E E E
//! ```
//!
//! The path is combinational: a beat passes in the clock cycle in which it is offered. A frame that has been offered stays
//! until its last beat has been taken, so `m_axis_tx` keeps the rules of AXI4-Stream.

use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// Answers that go before a frame of data that waits.
pub const ANSWERS: u64 = 16;
/// Width of their number.
const COUNT_WIDTH: u32 = 5;

/// The frame that is offered or under way.
#[derive(Bundle)]
#[shape]
struct Current<L: Reading> {
    #[reset]
    valid: Bits<L>,
    is_answer: Bits<L>,
}

/// An arbitrated multiplexer of two streams of frames.
#[name_nets]
pub struct FrameMux<L: Logic> {
    current: Reg<Current<L>>,
    /// Answers that have gone while a frame of data waited, one after the other.
    answers: Reg<Bits<L>>,
}

impl<L: Logic> Default for FrameMux<L> {
    fn default() -> Self {
        Self::new()
    }
}

#[name_nets]
impl<L: Logic> FrameMux<L> {
    /// No frame is under way.
    pub fn new() -> Self {
        FrameMux { current: Reg::new(&Current::shape()), answers: Reg::new(&bits(COUNT_WIDTH)).with_reset() }
    }

    /// The beat that passes is that of an answer.
    fn is_answer(&self, answer: &Axis<L>, data: &Axis<L>) -> Bits<L> {
        let Current { valid, is_answer } = self.current.get();
        let first = answer.tvalid & !(data.tvalid & self.answers.get().equals(ANSWERS));
        select(valid, is_answer, first)
    }

    /// The frames to the MAC.
    pub fn joined(&self, answer: Axis<L>, data: Axis<L>) -> Axis<L> {
        select(self.is_answer(&answer, &data), answer, data)
    }

    /// What answers and data see of the MAC's readiness.
    pub fn ready(&self, answer: &Axis<L>, data: &Axis<L>, mac: Ready<L>) -> [Ready<L>; 2] {
        let is_answer = self.is_answer(answer, data);
        [Ready { tready: mac.tready & is_answer }, Ready { tready: mac.tready & !is_answer }]
    }

    /// One clock cycle: beats are offered, and the MAC is ready or not.
    pub fn clock(&self, answer: Axis<L>, data: Axis<L>, mac: Ready<L>) {
        let is_answer = self.is_answer(&answer, &data);
        let joined = self.joined(answer, data);
        let ends = joined.tvalid & joined.tlast & mac.tready;
        when(joined.tvalid, || self.current.set(Current { valid: !ends, is_answer }));
        when(ends, || self.answers.set((self.answers.get() + 1).gate(is_answer & data.tvalid)));
    }
}
