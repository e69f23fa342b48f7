// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mode state of each CCC, with the generations that distinguish its ring and suspect from those of earlier
//! openings.
//!
//! As a cursor is valid if its generation is that of the CCC state, a ring and a suspect are valid if theirs is that of
//! the mode state. Feedback writes them, but not each of them between every *open* and *close*. So each has its own
//! generation, and *open* chooses the one that was not written last.

use super::config::EntropySelectorConfig;
use super::mode_state::ModeState;
use super::records::COMMAND;
use super::request::AdmittedFeedback;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Logic, bits, name_nets};

/// Table of mode states, and the generations that feedback has written last.
#[name_nets]
pub struct ModeStates<L: Logic> {
    /// Mode state of each CCC.
    mode_states: WriteFirstRam<L, ModeState<L>>,
    /// Ring generation that feedback has written last.
    ring_generations: WriteFirstRam<L, Bits<L>>,
    /// Suspect generation that feedback has written last.
    suspect_generations: WriteFirstRam<L, Bits<L>>,
}

#[name_nets]
impl<L: Logic> ModeStates<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (cccs, latency) = (config.cccs, config.ram_latency);
        let generation_table = || WriteFirstRam::new(cccs, latency, 1, &bits(1));
        ModeStates {
            mode_states: WriteFirstRam::new(cccs, latency, 3, &ModeState::shape(config)),
            ring_generations: generation_table(),
            suspect_generations: generation_table(),
        }
    }

    /// Mode state that a port read `l` cycles ago.
    pub fn of(&self, port: usize) -> ModeState<L> {
        self.mode_states.data(port)
    }

    /// Mode state of a CCC after *open*; the command read its rows `l` cycles ago.
    pub fn opened(&self, mode: Bits<L>, lfsr: Bits<L>) -> ModeState<L> {
        ModeState {
            mode,
            lfsr,
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
