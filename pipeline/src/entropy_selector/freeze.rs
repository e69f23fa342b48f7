// SPDX-License-Identifier: MIT OR Apache-2.0
//! When the ring of a CCC is frozen, and in which round it is (row P2 (a) and (c)). Ahead of the ring itself, so that neither
//! loop waits for the other. With memories of latency `l`:
//!
//! ```text
//!  step 0      CCC to `freezes`
//!       l + 1  over? begins?
//!       l + 2  written
//! ```

use super::EntropySelectorConfig;
use super::modes::mode;
use super::request::Heard;
use crate::clock::TIME_WIDTH;
use crate::update::{Ask, Update};
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, name_nets, select, when};

/// Width of the number of a round.
pub const ROUND_WIDTH: u32 = 2;
/// The kind of feedback that freezes.
const TIMEOUT: u64 = 3;

/// The row of a CCC.
#[derive(Bundle)]
struct Row<L: Reading> {
    /// It counts if the way has the same.
    turn: Bits<L>,
    frozen: Bits<L>,
    since: Bits<L>,
    round: Bits<L>,
}

/// What a feedback makes of it.
#[derive(Bundle)]
pub struct Freeze<L: Reading> {
    /// A freeze is over: the ring is emptied.
    pub ends: Bits<L>,
    /// It is frozen now.
    pub frozen: Bits<L>,
    /// How often it has been emptied, modulo 4.
    pub round: Bits<L>,
}

/// The freezes of all CCCs.
pub struct Freezes<L: Logic>(Update<L, Row<L>>);

#[name_nets]
impl<L: Logic> Freezes<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let flag = bits(1);
        let row = Row { turn: flag, frozen: flag, since: bits(TIME_WIDTH), round: bits(ROUND_WIDTH) };
        // Goes on over a reset, as the feedback does.
        Freezes(Update::new(config.cccs, config.ram_latency, &row).without_reset())
    }

    /// One cycle; what the feedback in step `l` + 1 (`heard`) makes of its CCC. `asked` is the one in step 0, and the one in
    /// step `l` `stays`; `length` is the setting.
    pub fn clock(&self, asked: Ask<L>, stays: Bits<L>, heard: Heard<L>, length: Bits<L>, time: Bits<L>) -> Freeze<L> {
        let row = self.0.operand();
        self.0.clock(asked, stays);
        let fresh = row.turn.differs(heard.way.ring_turn).named("freeze_fresh");
        // Not at once: four rounds must take longer than a request to see one.
        let length = length | (!length.any()).extend(TIME_WIDTH);
        let was_frozen = row.frozen & !fresh;
        let ends = (was_frozen & (time - row.since).at_least(length)).named("freeze_ends");
        let stays = was_frozen & !ends;
        let begins = (heard.way.is(mode::REPS) & heard.kind.equals(TIMEOUT) & !stays).named("freeze_begins");
        let round = select(fresh, Bits::lit(ROUND_WIDTH, 0), row.round) + ends.extend(ROUND_WIDTH);
        let frozen = stays | begins;
        when(heard.valid, || {
            self.0.change(Row { turn: heard.way.ring_turn, frozen, since: select(begins, time, row.since), round });
        });
        Freeze { ends, frozen, round }
    }
}

impl EntropySelectorConfig {
    pub(super) fn freeze(self) -> Freeze<Shape> {
        Freeze { ends: bits(1), frozen: bits(1), round: bits(ROUND_WIDTH) }
    }
}
