// SPDX-License-Identifier: MIT OR Apache-2.0
//! The way of the records: each waits for the verdict on its frame, and behind it for the consumer.
//!
//! ```text
//!  s_record --> early --(verdict: pass)--> kept --> m_record
//!                 |
//!                 +--(verdict: drop)--> gone
//! ```
//!
//! A record and its verdict may come in any order. Up to [`LEAD`] of either wait for the other. Frames that end while so many
//! verdicts wait are lost; that their records go with them is kept as a number (`behind`), so that the two streams stay in
//! step whatever comes.

use super::config::FrameGateConfig;
use super::fifo::Fifo;
use crate::record::HeaderRecord;
use rtl_model::{Bits, Logic, Ram, RamShape, Reg, Shape, bits, clog2, name_nets, when};

/// Frames by which a record may be ahead of the end of its frame, or behind it. From the record's way out of the parser to
/// the gate there are at most 22 frames of one beat on the other way, 7 in the parser and 15 in `icrc` (1024 bits).
pub const LEAD: u64 = 32;

/// Bits of a row's number among the early records.
const EARLY: u32 = clog2(LEAD);

/// What happens to a frame in this clock.
#[name_nets]
pub(super) struct Ending<L: Logic> {
    /// Its last beat comes.
    pub ends: Bits<L>,
    /// If so, it is released.
    pub keep: Bits<L>,
}

#[name_nets]
pub(super) struct Records<L: Logic> {
    frames: u64,
    early: Ram<HeaderRecord<L>>,
    early_write: Reg<Bits<L>>,
    early_read: Reg<Bits<L>>,
    /// One bit a frame, the newest in bit 0: its record is kept.
    verdicts: Reg<Bits<L>>,
    /// How many there are.
    waiting: Reg<Bits<L>>,
    /// Frames lost behind those, because there were as many as can wait.
    behind: Reg<Bits<L>>,
    /// The record in the read register of `early` is kept.
    moves: Reg<Bits<L>>,
    kept: Fifo<L, HeaderRecord<L>>,
    kept_write: Reg<Bits<L>>,
    /// Released frames whose record has not been taken.
    owed: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Records<L> {
    pub fn new(config: &FrameGateConfig) -> Self {
        let (record, pointer) = (HeaderRecord::<Shape>::new(config.side_band), bits(EARLY + 1));
        let frames = clog2(config.frames);
        Records {
            frames: config.frames,
            // As shallow as it is it stands in look-up tables, which need no output register.
            early: Ram::new(RamShape::new(LEAD).latency(1).unused_on_collision(), &record),
            early_write: Reg::new(&pointer).with_reset(),
            early_read: Reg::new(&pointer).with_reset(),
            verdicts: Reg::new(&bits(LEAD as u32)),
            waiting: Reg::new(&pointer).with_reset(),
            behind: Reg::new(&bits(32)).with_reset(),
            moves: Reg::new(&bits(1)).with_reset(),
            kept: Fifo::new(config.frames, config.ram_latency, &record),
            kept_write: Reg::new(&bits(frames + 1)).with_reset(),
            owed: Reg::new(&bits(frames + 1)).with_reset(),
        }
    }

    /// A record is taken.
    pub fn ready(&self) -> Bits<L> {
        let (write, read) = (self.early_write.get(), self.early_read.get());
        write.truncate(EARLY).differs(read.truncate(EARLY)) | write.bit(EARLY).equals(read.bit(EARLY))
    }

    /// As many verdicts wait as can.
    fn late(&self) -> Bits<L> {
        self.waiting.get().bit(EARLY) | self.behind.get().any()
    }

    /// A frame that ends now can be released: there is room for verdict and record.
    pub fn room(&self) -> Bits<L> {
        self.owed.get().differs(self.frames) & !self.late()
    }

    /// There is a record.
    pub fn valid(&self) -> Bits<L> {
        self.kept.valid()
    }

    /// The record.
    pub fn front(&self) -> HeaderRecord<L> {
        self.kept.front()
    }

    /// One clock: what ends, what comes, and whether the consumer is ready.
    pub fn clock(&self, end: Ending<L>, (valid, record): (Bits<L>, HeaderRecord<L>), ready: Bits<L>) {
        let Ending { ends, keep } = end;
        let (write, read, ready_early) = (self.early_write.get(), self.early_read.get(), self.ready());
        let (waiting, verdicts, behind, late) =
            (self.waiting.get(), self.verdicts.get(), self.behind.get(), self.late());
        let (moves, kept_write, owed) = (self.moves.get(), self.kept_write.get(), self.owed.get());

        // A released frame owes a record until that is taken.
        let pays = self.kept.valid() & ready;
        self.owed.set(owed + (ends & keep).extend(owed.width()) - pays.extend(owed.width()));

        // The record that is kept.
        when(moves, || {
            self.kept.write(kept_write, self.early.data());
            self.kept_write.set(kept_write + 1);
        });
        self.kept.clock(kept_write, ready);

        // A record and its verdict meet.
        let judged = waiting.any();
        let meets = (write.differs(read) & (judged | behind.any())).named("meets");
        when(meets, || {
            self.early.read(read.truncate(EARLY));
            self.early_read.set(read + 1);
        });
        self.moves.set(meets & (verdicts >> (waiting - 1)).bit(0) & judged);
        let adds = ends & !late;
        let takes = meets & judged;
        self.waiting.set(waiting + adds.extend(waiting.width()) - takes.extend(waiting.width()));
        let loses = ends & late;
        let forgets = meets & !judged;
        self.behind.set(behind + loses.extend(32) - forgets.extend(32));
        when(adds, || self.verdicts.set(verdicts.truncate(LEAD as u32 - 1).concat(keep)));

        // A record comes.
        when(valid & ready_early, || {
            self.early.write(write.truncate(EARLY), record);
            self.early_write.set(write + 1);
        });
        self.early.clock();
    }
}
