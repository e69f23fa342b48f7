// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the ring of a CCC is frozen, and its flush count (rule P2 (a) and (c)). This is decided before the ring
//! itself is changed, so that neither loop waits for the other. With memories of latency `l`:
//!
//! ```text
//!  step 0      CCC to `freezes`
//!       l + 1  ends? begins?
//!       l + 2  row written
//! ```

use super::config::EntropySelectorConfig;
use super::modes::mode;
use super::request::AdmittedFeedback;
use crate::blocks::table::{Access, RmwTable};
use crate::blocks::timebase::TIME_WIDTH;
use crate::transmit::feedback;
use rtl_model::{Bits, Bundle, Logic, Reading, bits, constant, name_nets, select, when};

/// Width of a flush count.
pub const FLUSH_COUNT_WIDTH: u32 = 2;
/// Freeze of a CCC.
#[derive(Bundle)]
#[shape]
struct FreezeRow<L: Reading> {
    /// The row is valid if the mode state has the same ring generation.
    generation: Bits<L>,
    frozen: Bits<L>,
    #[width(TIME_WIDTH)]
    since: Bits<L>,
    #[width(FLUSH_COUNT_WIDTH)]
    flush_count: Bits<L>,
}

/// Freeze of a CCC after a feedback.
#[derive(Bundle)]
#[shape]
pub struct Freeze<L: Reading> {
    /// 1 if a freeze ends; the ring is then flushed.
    pub ends: Bits<L>,
    /// 1 if the ring is frozen now.
    pub frozen: Bits<L>,
    /// Number of times the ring has been flushed, modulo 4.
    #[width(FLUSH_COUNT_WIDTH)]
    pub flush_count: Bits<L>,
}

/// Table of the freezes of all CCCs.
pub struct Freezes<L: Logic>(RmwTable<L, FreezeRow<L>>);

#[name_nets]
impl<L: Logic> Freezes<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let flag = bits(1);
        let row = FreezeRow::shape();
        // Not reset, as the feedback is not.
        Freezes(RmwTable::new(config.cccs, config.ram_latency, &row).without_reset())
    }

    /// One cycle; returns the freeze after the feedback in step `l` + 1 (`admitted_feedback`). `read_access` is the
    /// feedback in step 0; `stays` is 1 if that in step `l` is admitted; `length` is the setting.
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
        // At least 1: four flushes must take longer than it takes a request to see one.
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
                // Counts only while it is frozen.
                since: select(stays, row.since, time),
                flush_count,
            });
        });
        Freeze { ends, frozen, flush_count }
    }
}
