// SPDX-License-Identifier: MIT OR Apache-2.0
//! The record path: each record waits for the verdict on its frame, and then for the consumer.
//!
//! ```text
//!  s_record --> early --(verdict: pass)--> kept --> m_record
//!                 |
//!                 +--(verdict: drop)--> removed; shown, if the frame is lost for want of room
//! ```
//!
//! A record and its verdict may come in any order. Up to [`MAX_SKEW`] of either wait for the other. Frames that end
//! while that many verdicts wait are lost; `discard_count` is the number of their records that must be removed as well,
//! so that the two streams always stay in step.

use super::config::FrameGateConfig;
use crate::blocks::prefetch_fifo::PrefetchFifo;
use crate::headers::record::HeaderRecord;
use rtl_model::{Bits, Logic, Ram, RamShape, Reg, bits, clog2, name_nets, when};

/// Number of frames by which a record may come before the end of its frame, or after it. Between parser and gate the
/// frame path holds at most 22 frames of one beat, 7 in the parser and 15 in `icrc` (1024 bits).
pub const MAX_SKEW: u64 = 32;

/// Bits of a row number of the early records.
const EARLY: u32 = clog2(MAX_SKEW);

/// The end of a frame in this clock cycle.
#[name_nets]
pub(super) struct FrameEnd<L: Logic> {
    /// The last beat of a frame comes.
    pub frame_ends: Bits<L>,
    /// If so, the frame is released.
    pub accept: Bits<L>,
    /// If so, the frame is good, and lost for want of room.
    pub loses: Bits<L>,
}

#[name_nets]
pub(super) struct Records<L: Logic> {
    frames: u64,
    pending: Ram<HeaderRecord<L>>,
    pending_write: Reg<Bits<L>>,
    pending_read: Reg<Bits<L>>,
    /// One bit per frame, the newest in bit 0: its record is kept.
    verdicts: Reg<Bits<L>>,
    /// Likewise: it is shown, as its frame is lost. Only with the output `kept`.
    losses: Option<Reg<Bits<L>>>,
    /// Number of valid bits in `verdicts`.
    verdict_count: Reg<Bits<L>>,
    /// Frames lost after those, because the maximum number of verdicts was waiting.
    discard_count: Reg<Bits<L>>,
    /// The record in the read register of `pending` is kept.
    transfer: Reg<Bits<L>>,
    /// It is that of a lost frame.
    lost: Option<Reg<Bits<L>>>,
    released: PrefetchFifo<L, HeaderRecord<L>>,
    released_write: Reg<Bits<L>>,
    /// Released frames whose record has not been taken.
    outstanding: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Records<L> {
    pub fn new(config: &FrameGateConfig) -> Self {
        let (record, pointer) = (HeaderRecord::shape(config.side_band), bits(EARLY + 1));
        let frames = clog2(config.frames);
        Records {
            frames: config.frames,
            // It is shallow enough for LUT RAM, which needs no output register, and in which a read comes before a write.
            pending: Ram::new(RamShape::new(MAX_SKEW).latency(1).read_first(), &record),
            pending_write: Reg::new(&pointer).with_reset(),
            pending_read: Reg::new(&pointer).with_reset(),
            verdicts: Reg::new(&bits(MAX_SKEW as u32)),
            losses: config.shows_kept.then(|| Reg::new(&bits(MAX_SKEW as u32))),
            verdict_count: Reg::new(&pointer).with_reset(),
            discard_count: Reg::new(&bits(32)).with_reset(),
            transfer: Reg::new(&bits(1)).with_reset(),
            lost: config.shows_kept.then(|| Reg::new(&bits(1)).with_reset()),
            released: PrefetchFifo::new(config.frames, config.ram_latency, &record),
            released_write: Reg::new(&bits(frames + 1)).with_reset(),
            outstanding: Reg::new(&bits(frames + 1)).with_reset(),
        }
    }

    /// A record is accepted.
    pub fn ready(&self) -> Bits<L> {
        let (write, read) = (self.pending_write.get(), self.pending_read.get());
        write.truncate(EARLY).differs(read.truncate(EARLY)) | write.bit(EARLY).equals(read.bit(EARLY))
    }

    /// The maximum number of verdicts waits, or records of lost frames have still to come.
    fn late(&self) -> Bits<L> {
        self.verdict_count.get().bit(EARLY) | self.discard_count.get().any()
    }

    /// A frame that ends now can be released: there is room for verdict and record.
    pub fn room(&self) -> Bits<L> {
        self.outstanding.get().differs(self.frames) & !self.late()
    }

    /// There is a record.
    pub fn valid(&self) -> Bits<L> {
        self.released.valid()
    }

    /// The released record to take next; valid while [`Self::valid`] is 1.
    pub fn front(&self) -> HeaderRecord<L> {
        self.released.front()
    }

    /// A record goes to the memory of kept ones, or is that of a frame that is lost.
    pub fn kept_valid(&self) -> Bits<L> {
        self.transfer.get() | self.kept_lost()
    }

    /// It is that of a frame that is lost.
    pub fn kept_lost(&self) -> Bits<L> {
        self.lost.as_ref().map_or(Bits::lit(1, 0), Reg::get)
    }

    /// That record.
    pub fn kept(&self) -> HeaderRecord<L> {
        self.pending.data()
    }

    /// One clock edge: the frame that ends, the record that comes, and whether the consumer is ready.
    pub fn clock(&self, end: FrameEnd<L>, (valid, record): (Bits<L>, HeaderRecord<L>), ready: Bits<L>) {
        let FrameEnd { frame_ends, accept, loses } = end;
        let (write, read, ready_early) = (self.pending_write.get(), self.pending_read.get(), self.ready());
        let (verdict_count, verdicts, discard_count, late) =
            (self.verdict_count.get(), self.verdicts.get(), self.discard_count.get(), self.late());
        let (transfer, released_write, outstanding) =
            (self.transfer.get(), self.released_write.get(), self.outstanding.get());

        // A released frame counts as outstanding until its record is taken.
        let record_taken = self.released.valid() & ready;
        self.outstanding.set(
            outstanding + (frame_ends & accept).extend(outstanding.width()) - record_taken.extend(outstanding.width()),
        );

        // The record that is kept.
        when(transfer, || {
            self.released.write(released_write, self.pending.data());
            self.released_write.set(released_write + 1);
        });
        self.released.clock(released_write, ready);

        // A record and its verdict are matched.
        let verdict_ready = verdict_count.any();
        let matched = (write.differs(read) & (verdict_ready | discard_count.any())).named("matched");
        // Read in every clock cycle: an enable would have as many loads as the record has bits.
        self.pending.read(read.truncate(EARLY));
        when(matched, || self.pending_read.set(read + 1));
        let of_frame = |bits: Bits<L>| matched & (bits >> (verdict_count - 1)).bit(0) & verdict_ready;
        self.transfer.set(of_frame(verdicts));
        let adds = frame_ends & !late;
        let takes = matched & verdict_ready;
        self.verdict_count
            .set(verdict_count + adds.extend(verdict_count.width()) - takes.extend(verdict_count.width()));
        let late_ends = frame_ends & late;
        let forgets = matched & !verdict_ready;
        self.discard_count.set(discard_count + late_ends.extend(32) - forgets.extend(32));
        when(adds, || self.verdicts.set(verdicts.truncate(MAX_SKEW as u32 - 1).concat(accept)));
        if let Some((losses, lost)) = self.losses.as_ref().zip(self.lost.as_ref()) {
            let before = losses.get();
            lost.set(of_frame(before));
            when(adds, || losses.set(before.truncate(MAX_SKEW as u32 - 1).concat(loses)));
        }

        // A record comes.
        when(valid & ready_early, || {
            self.pending.write(write.truncate(EARLY), record);
            self.pending_write.set(write + 1);
        });
        self.pending.clock();
    }
}
