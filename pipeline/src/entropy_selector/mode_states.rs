// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way of each CCC, and what tells its feedback from that of earlier lives.
//!
//! As a cursor counts if its turn is the life's, a ring and a suspect count if theirs is the way's. They are written by
//! feedback, and each kind not in every life, so each has a turn of its own, which opening takes as the one that was
//! not written last.

use super::EntropySelectorConfig;
use super::ccc_control::COMMAND;
use super::modes::ModeState;
use super::request::AdmittedFeedback;
use crate::rmw_table::Access;
use crate::write_first::WriteFirstRam;
use rtl_model::{Bits, Logic, bits, name_nets};

/// The table, and the turns that feedback has written last.
#[name_nets]
pub struct ModeStates<L: Logic> {
    mode_states: WriteFirstRam<L, ModeState<L>>,
    ring_generations: WriteFirstRam<L, Bits<L>>,
    suspect_generations: WriteFirstRam<L, Bits<L>>,
}

#[name_nets]
impl<L: Logic> ModeStates<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (cccs, latency) = (config.cccs, config.ram_latency);
        let generation_table = || WriteFirstRam::new(cccs, latency, 1, &bits(1));
        ModeStates {
            mode_states: WriteFirstRam::new(cccs, latency, 3, &config.mode_state()),
            ring_generations: generation_table(),
            suspect_generations: generation_table(),
        }
    }

    /// The way that a port asked for `l` cycles ago.
    pub fn of(&self, port: usize) -> ModeState<L> {
        self.mode_states.data(port)
    }

    /// The way of a CCC that is opened, which the keeper asked for `l` cycles ago.
    pub fn opened(&self, mode: Bits<L>) -> ModeState<L> {
        ModeState {
            mode,
            ring_generation: !self.ring_generations.data(0),
            suspect_generation: !self.suspect_generations.data(0),
        }
    }

    /// One cycle; `admitted_feedback` is the feedback in step `l` + 6.
    pub fn clock(
        &self,
        reads: [Bits<L>; 3],
        write: Access<L>,
        mode_state: ModeState<L>,
        admitted_feedback: AdmittedFeedback<L>,
    ) {
        self.mode_states.clock(&reads, write, mode_state);
        let command_read = [reads[COMMAND]];
        let any = Access { valid: admitted_feedback.valid, index: admitted_feedback.ccc };
        self.ring_generations.clock(&command_read, any, admitted_feedback.mode_state.ring_generation);
        let bad =
            Access { valid: admitted_feedback.valid & admitted_feedback.kind.any(), index: admitted_feedback.ccc };
        self.suspect_generations.clock(&command_read, bad, admitted_feedback.mode_state.suspect_generation);
    }
}
