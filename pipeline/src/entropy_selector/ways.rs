// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way of each CCC, and what tells its feedback from that of earlier lives.
//!
//! As a cursor counts if its turn is the life's, a ring and a suspect count if theirs is the way's. They are written by
//! feedback, and each kind not in every life, so each has a turn of its own, which opening takes as the one that was
//! not written last.

use super::EntropySelectorConfig;
use super::keeper::KEEPER;
use super::modes::Way;
use super::request::Heard;
use crate::update::Ask;
use crate::write_first::WriteFirst;
use rtl_model::{Bits, Logic, bits, name_nets};

/// The table, and the turns that feedback has written last.
#[name_nets]
pub struct Ways<L: Logic> {
    ways: WriteFirst<L, Way<L>>,
    ring_turns: WriteFirst<L, Bits<L>>,
    suspect_turns: WriteFirst<L, Bits<L>>,
}

#[name_nets]
impl<L: Logic> Ways<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (cccs, latency) = (config.cccs, config.ram_latency);
        let turns = || WriteFirst::new(cccs, latency, 1, &bits(1));
        Ways { ways: WriteFirst::new(cccs, latency, 3, &config.way()), ring_turns: turns(), suspect_turns: turns() }
    }

    /// The way that a port asked for `l` cycles ago.
    pub fn of(&self, port: usize) -> Way<L> {
        self.ways.data(port)
    }

    /// The way of a CCC that is opened, which the keeper asked for `l` cycles ago.
    pub fn opened(&self, mode: Bits<L>) -> Way<L> {
        Way { mode, ring_turn: !self.ring_turns.data(0), suspect_turn: !self.suspect_turns.data(0) }
    }

    /// One cycle; `heard` is the feedback in step `l` + 6.
    pub fn clock(&self, reads: [Bits<L>; 3], write: Ask<L>, way: Way<L>, heard: Heard<L>) {
        self.ways.clock(&reads, write, way);
        let asked = [reads[KEEPER]];
        let any = Ask { valid: heard.valid, key: heard.ccc };
        self.ring_turns.clock(&asked, any, heard.way.ring_turn);
        let bad = Ask { valid: heard.valid & heard.kind.any(), key: heard.ccc };
        self.suspect_turns.clock(&asked, bad, heard.way.suspect_turn);
    }
}
