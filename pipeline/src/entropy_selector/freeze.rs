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
use super::request::AdmittedFeedback;
use crate::feedback;
use crate::rmw_table::{Access, RmwTable};
use crate::timebase::TIME_WIDTH;
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, constant, name_nets, select, when};

/// Width of the number of a round.
pub const FLUSH_COUNT_WIDTH: u32 = 2;
/// The kind of feedback that freezes.

/// The row of a CCC.
#[derive(Bundle)]
struct FreezeRow<L: Reading> {
    /// It counts if the way has the same.
    generation: Bits<L>,
    frozen: Bits<L>,
    since: Bits<L>,
    flush_count: Bits<L>,
}

/// What a feedback makes of it.
#[derive(Bundle)]
pub struct Freeze<L: Reading> {
    /// A freeze is over: the ring is emptied.
    pub ends: Bits<L>,
    /// It is frozen now.
    pub frozen: Bits<L>,
    /// How often it has been emptied, modulo 4.
    pub flush_count: Bits<L>,
}

/// The freezes of all CCCs.
pub struct Freezes<L: Logic>(RmwTable<L, FreezeRow<L>>);

#[name_nets]
impl<L: Logic> Freezes<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let flag = bits(1);
        let row =
            FreezeRow { generation: flag, frozen: flag, since: bits(TIME_WIDTH), flush_count: bits(FLUSH_COUNT_WIDTH) };
        // Goes on over a reset, as the feedback does.
        Freezes(RmwTable::new(config.cccs, config.ram_latency, &row).without_reset())
    }

    /// One cycle; what the feedback in step `l` + 1 (`admitted_feedback`) makes of its CCC. `read_access` is the one in step 0, and the one in
    /// step `l` `stays`; `length` is the setting.
    pub fn clock(
        &self,
        read_access: Access<L>,
        stays: Bits<L>,
        admitted_feedback: AdmittedFeedback<L>,
        length: Bits<L>,
        time: Bits<L>,
    ) -> Freeze<L> {
        let row = self.0.operand();
        self.0.clock(read_access, stays);
        let row_stale = row.generation.differs(admitted_feedback.mode_state.ring_generation).named("freeze_row_stale");
        // Not at once: four rounds must take longer than a request to see one.
        let length = length | (!length.any()).extend(TIME_WIDTH);
        let was_frozen = row.frozen & !row_stale;
        let ends = (was_frozen & (time - row.since).at_least(length)).named("freeze_ends");
        let stays = was_frozen & !ends;
        let begins = (admitted_feedback.mode_state.is(constant!(mode::REPS))
            & admitted_feedback.kind.equals(constant!(feedback::TIMEOUT))
            & !stays)
            .named("freeze_begins");
        let flush_count =
            select(row_stale, Bits::lit(FLUSH_COUNT_WIDTH, 0), row.flush_count) + ends.extend(FLUSH_COUNT_WIDTH);
        let frozen = stays | begins;
        when(admitted_feedback.valid, || {
            self.0.modify(FreezeRow {
                generation: admitted_feedback.mode_state.ring_generation,
                frozen,
                since: select(begins, time, row.since),
                flush_count,
            });
        });
        Freeze { ends, frozen, flush_count }
    }
}

impl EntropySelectorConfig {
    pub(super) fn freeze(self) -> Freeze<Shape> {
        Freeze { ends: bits(1), frozen: bits(1), flush_count: bits(FLUSH_COUNT_WIDTH) }
    }
}
