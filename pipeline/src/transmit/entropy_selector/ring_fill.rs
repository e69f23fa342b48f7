// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring of REPS, feedback side: feedback fills it (rules P1, P2, P7, X1). With memories of latency `l`:
//!
//! ```text
//!  step l + 1      CCC to `ring_rows` and `popped`; frozen?
//!       2 l + 1    the pops of this round
//!       2 l + 2    pushed, or flushed
//!       2 l + 3    row written
//!       l + 6      update to the request side (at latency 3 in step 2 `l` + 3)
//!       l + 8      EV to its slot, two steps later, because requests read the slots two steps later
//! ```

use super::config::EntropySelectorConfig;
use super::freeze::{Freeze, Freezes};
use super::request::AdmittedFeedback;
use super::ring_records::{FILL_BITS, Popped, Push, Ring, RingUpdate, SLOT_BITS};
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use crate::transmit::feedback;
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, bits, constant, name_nets, select, when};

/// Number of slots of a ring.
const SLOTS: u64 = 1 << SLOT_BITS;

/// Ring row of a CCC; the fields are those of [`Ring`].
#[derive(Bundle)]
struct RingRow<L: Reading> {
    generation: Bits<L>,
    head: Bits<L>,
    empty_at: Bits<L>,
    written: Bits<L>,
    since: Bits<L>,
    /// Number of EVs stored in epoch `since`, at most 8.
    latest: Bits<L>,
    /// Number of EVs stored in epoch `since` and the one before, at most 8.
    recent: Bits<L>,
}

/// Feedback, with the freeze after it.
#[derive(Bundle)]
struct RingFeedback<L: Reading> {
    admitted_feedback: AdmittedFeedback<L>,
    freeze: Freeze<L>,
}

/// Ring update waiting for its step.
#[derive(Bundle)]
struct PendingRingUpdate<L: Reading> {
    ask: Access<L>,
    ring: Ring<L>,
}

/// Feedback side of the rings: fills and flushes them.
#[name_nets]
pub struct RingFill<L: Logic> {
    /// Freeze of each CCC.
    freezes: Freezes<L>,
    ring_rows: RmwTable<L, RingRow<L>>,
    popped: WriteFirstRam<L, Popped<L>>,
    /// Feedback and freeze, delayed from step `l` + 1 to 2 `l` + 1.
    feedback_delay: Delay<RingFeedback<L>>,
    /// Feedback and freeze in step 2 `l` + 2.
    ring_feedback: Reg<RingFeedback<L>>,
    /// Pops of its round, as the feedback sees them.
    pops_seen: Reg<Bits<L>>,
    /// Feedback and freeze in step 2 `l` + 3, whose ring row is written.
    written_by: Reg<RingFeedback<L>>,
    /// Delays the ring update from step 2 `l` + 3 to step `l` + 6.
    align_delay: Option<Delay<PendingRingUpdate<L>>>,
    /// Pushes in steps 2 `l` + 3 to `l` + 8.
    push: Delay<Push<L>>,
}

#[name_nets]
impl<L: Logic> RingFill<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, latency) = (bits(1), config.ram_latency);
        let (ring, ask) = (Ring::shape(), Access { valid: flag, index: config.ccc() });
        let Ring { generation, head, empty_at, written, since, .. } = ring;
        let row = RingRow { generation, head, empty_at, written, since, latest: empty_at, recent: empty_at };
        let popped = Popped { generation: flag, flush_count: ring.flush_count, popped: empty_at };
        let ring_feedback =
            RingFeedback { admitted_feedback: AdmittedFeedback::shape(config), freeze: Freeze::shape() };
        let waits = 3 - latency as usize;
        RingFill {
            freezes: Freezes::new(config),
            // Not reset, as the feedback is not; nor are the updates.
            ring_rows: RmwTable::new(config.cccs, latency, &row).without_reset(),
            popped: WriteFirstRam::new(config.cccs, latency, 1, &popped),
            feedback_delay: Delay::new(&ring_feedback, latency as usize),
            ring_feedback: Reg::new(&ring_feedback),
            pops_seen: Reg::new(&empty_at),
            written_by: Reg::new(&ring_feedback),
            align_delay: (waits > 0).then(|| Delay::new(&PendingRingUpdate { ask, ring }, waits).without_reset()),
            push: Delay::new(&Push::shape(config), 6 - latency as usize),
        }
    }

    /// The ring in step 2 `l` + 3.
    fn of_changed(&self) -> PendingRingUpdate<L> {
        let RingFeedback { admitted_feedback, freeze: Freeze { frozen, flush_count, .. } } = self.written_by.get();
        let RingRow { generation, head, empty_at, written, since, latest, recent } = self.ring_rows.modified();
        let fresh_from = [recent, latest].map(|fresh| empty_at - fresh);
        let stored = recent.any();
        let ring = Ring { generation, head, empty_at, written, frozen, flush_count, since, stored, fresh_from };
        PendingRingUpdate { ask: Access { valid: admitted_feedback.valid, index: admitted_feedback.ccc }, ring }
    }

    /// The update in this cycle.
    pub fn ring_update(&self) -> RingUpdate<L> {
        let PendingRingUpdate { ask, ring } = self.align_delay.as_ref().map_or_else(|| self.of_changed(), Delay::get);
        RingUpdate { ring_valid: ask.valid, ccc: ask.index, ring, push: self.push.get() }
    }

    /// One cycle. `read_access` is the feedback in step 0; `entering` and `admitted_feedback` are the admitted feedback
    /// in steps `l` and `l` + 1; `pops` selects the CCC whose row a request changes to `popped`; `freeze` is the
    /// setting.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        read_access: Access<L>,
        entering: AdmittedFeedback<L>,
        admitted_feedback: AdmittedFeedback<L>,
        pops: Access<L>,
        popped: Popped<L>,
        freeze: Bits<L>,
        time: Bits<L>,
    ) {
        let (row, feedback_delay, ring_feedback, pops_seen) =
            (self.ring_rows.operand(), self.feedback_delay.get(), self.ring_feedback.get(), self.pops_seen.get());
        let counted = self.popped.data(0);
        if let Some(align_delay) = &self.align_delay {
            align_delay.shift(self.of_changed());
        }
        self.ring_rows.clock(Access { valid: admitted_feedback.valid, index: admitted_feedback.ccc }, Bits::lit(1, 1));
        self.popped.clock(&[admitted_feedback.ccc], pops, popped);

        // 2 l + 2
        let RingFeedback { admitted_feedback: at, freeze: Freeze { ends, .. } } = ring_feedback;
        let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
        let row_stale = row.generation.differs(at.mode_state.ring_generation).named("ring_row_stale");
        let good = at.kind.equals(constant!(feedback::GOOD)).named("recycles");
        let empties = row_stale | ends;
        let head = select(row_stale, zero(row.head), row.head);
        let written = select(empties, zero(row.written), row.written);
        let full = (row.empty_at - pops_seen).bit(SLOT_BITS).named("ring_full");
        let one = good.extend(FILL_BITS);
        let elapsed = at.epoch - row.since;
        let (same, next) = (elapsed.equals(0), elapsed.equals(1));
        let [latest, recent] = [row.latest, row.recent].map(|fresh| select(row_stale, zero(fresh), fresh));
        let older = select(same, recent, latest.gate(next));
        let more = |fresh: Bits<L>| select(fresh.less(SLOTS), fresh + 1, fresh);
        when(at.valid, || {
            self.ring_rows.modify(RingRow {
                generation: at.mode_state.ring_generation,
                head: head + good.extend(SLOT_BITS),
                // A push into a full ring replaces the oldest EV.
                empty_at: select(empties, pops_seen + one, select(full, row.empty_at, row.empty_at + one)),
                written: select(good, more(written), written),
                since: select(good, at.epoch, row.since),
                latest: select(good, more(latest.gate(same)), latest),
                recent: select(good, more(older), recent),
            });
        });
        self.written_by.set(ring_feedback);
        self.push.shift(Push { valid: at.valid & good, ccc: at.ccc, slot: head, ev: at.ev });

        // 2 l + 1
        let counts = counted.generation.equals(feedback_delay.admitted_feedback.generation)
            & counted.flush_count.equals(feedback_delay.freeze.flush_count);
        self.pops_seen.set(select(counts, counted.popped, zero(counted.popped)));
        self.ring_feedback.set(feedback_delay);

        // l + 1
        let freeze = self.freezes.clock(read_access, entering.valid, admitted_feedback, freeze, time);
        self.feedback_delay.shift(RingFeedback { admitted_feedback, freeze });
    }
}
