// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the frames go behind the gate. If the reorder stage holds handles, all of them leave on `m_axis`. If it holds frames, a
//! frame waits in the gate until its arrival leaves [`identify`](super::identify), which takes *l* + 4 clock cycles from
//! its record on for the first one and nothing for those behind it. Then those that have a place in the order of a
//! connection go to the reorder stage, and the others to `m_axis`. There is no register here.

use super::Rx;
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Logic, name_nets, select};

/// A beat from the gate on its way.
pub struct Steered<L: Logic> {
    /// To `m_axis`.
    pub passed: Axis<L>,
    /// To the reorder stage, if it holds frames.
    pub held: Option<Axis<L>>,
    /// The frame at the front has a place in the order of a connection.
    in_sequence: Bits<L>,
    /// It may pass.
    open: Bits<L>,
    /// The beat is its last one.
    last: Bits<L>,
}

#[name_nets]
impl<L: Logic> Steered<L> {
    /// The ready of the consumer to which the frame goes, for the gate.
    pub fn ready(&self, passed: Ready<L>, held: Option<Ready<L>>) -> Ready<L> {
        match held {
            None => passed,
            Some(held) => Ready { tready: select(self.in_sequence, held.tready, passed.tready) & self.open },
        }
    }

    /// The last beat of a frame is taken.
    pub fn ends(&self, passed: Ready<L>, held: Option<Ready<L>>) -> Bits<L> {
        self.last & self.ready(passed, held).tready
    }
}

#[name_nets]
impl<L: Logic> Rx<L> {
    /// The beat that the gate offers.
    pub(super) fn steer(&self, beat: Axis<L>) -> Steered<L> {
        let (in_sequence, open) = (self.identify.arrival().in_sequence, self.identify.arrival_valid());
        let last = beat.tvalid & beat.tlast;
        if !self.config.holds_frames() {
            return Steered { passed: beat, held: None, in_sequence, open, last };
        }
        let valid = (beat.tvalid & open).named("steered_valid");
        // A packet that is lost is a frame of one beat, of which nothing is read but what stands beside it.
        let lost = self.identify.lost_valid();
        Steered {
            passed: Axis { tvalid: valid & !in_sequence, ..beat },
            held: Some(Axis { tvalid: valid & in_sequence | lost, tlast: beat.tlast | lost, ..beat }),
            in_sequence,
            open,
            last,
        }
    }
}
