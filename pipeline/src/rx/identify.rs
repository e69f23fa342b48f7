// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the context of each frame, and offers the frame's record and its arrival. With a lookup of latency `l` + 3:
//!
//! ```text
//!  cycle n            take    record to `records`; its key to the lookup
//!        n + l + 3    answer  found, index to `identities`
//!        n + l + 5    front   both in registers: the record to its consumer, the arrival to the reorder stage
//! ```
//!
//! One frame is taken per clock cycle. A frame leaves when both consumers have taken their part: one that is ready first
//! does not get the next frame before the other one, so the two streams have the same order. If the reorder stage holds
//! frames, an arrival is the frame itself, which [`steer`](super::steer) passes on when it is at the front, and only frames
//! that have no place in the order have a record.

use super::config::RxConfig;
use super::packet::Packet;
use crate::blocks::fifo::Fifo;
use crate::context_lookup;
use crate::headers::record::HeaderRecord;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, when};

/// Frames that may be between the frame gate and their consumers: twice as many as a lookup takes clock cycles.
const FRAMES: u64 = 16;
/// Latency of the memories of so few rows.
const LATENCY: u32 = 1;
/// Width of the numbers by which frames are counted, in and out; there are fewer frames than numbers.
pub const PLACE_WIDTH: u32 = 6;

/// A frame whose context is being looked up.
#[derive(Bundle)]
struct Pending<L: Reading> {
    record: HeaderRecord<L>,
    in_sequence: Bits<L>,
    has_key: Bits<L>,
}

/// The context of a frame.
#[derive(Bundle)]
struct Identity<L: Reading> {
    found: Bits<L>,
    index: Bits<L>,
}

/// A frame whose context has been looked up.
pub struct Identified<L: Logic> {
    pub record: HeaderRecord<L>,
    pub packet: Packet<L>,
    /// The packet has its place in the order of a connection.
    pub in_sequence: Bits<L>,
    /// There is a context with its key.
    pub found: Bits<L>,
    /// The index of that context.
    pub index: Bits<L>,
    /// The number of the frame.
    pub number: Bits<L>,
}

/// Frames from the gate to their consumers.
#[name_nets]
pub struct Identify<L: Logic> {
    config: RxConfig,
    records: Fifo<L, Pending<L>>,
    /// It has more rows than there are frames, so it is never full.
    identities: Fifo<L, Identity<L>>,
    /// 1 if the consumer has taken the record of the frame at the front, and its arrival has been taken.
    record_taken: Reg<Bits<L>>,
    arrival_taken: Reg<Bits<L>>,
    /// The number of the frame at the front.
    number: Reg<Bits<L>>,
    /// Frames taken and frames that have left, modulo 64.
    taken: Reg<Bits<L>>,
    left: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Identify<L> {
    pub fn new(config: RxConfig) -> Self {
        let (flag, place) = (bits(1), bits(PLACE_WIDTH));
        let pending = Pending { record: HeaderRecord::new(config.parser.side_band), in_sequence: flag, has_key: flag };
        Identify {
            config,
            records: Fifo::new(FRAMES, LATENCY, &pending),
            identities: Fifo::new(2 * FRAMES, LATENCY, &Identity { found: flag, index: config.lookup.index() }),
            record_taken: Reg::new(&flag).with_reset(),
            arrival_taken: Reg::new(&flag).with_reset(),
            number: Reg::new(&bits(config.reorder.handle_bits)).with_reset(),
            taken: Reg::new(&place).with_reset(),
            left: Reg::new(&place).with_reset(),
        }
    }

    /// A record can be taken.
    pub fn ready(&self) -> Bits<L> {
        self.records.ready()
    }

    /// There is a frame.
    fn valid(&self) -> Bits<L> {
        self.records.valid() & self.identities.valid()
    }

    /// The frame at the front has a record for its consumer, and an arrival.
    fn has(&self) -> (Bits<L>, Bits<L>) {
        let (in_sequence, one) = (self.records.front().in_sequence, Bits::lit(1, 1));
        if self.config.holds_frames() { (!in_sequence, one) } else { (one, in_sequence) }
    }

    /// There is a record for its consumer.
    pub fn record_valid(&self) -> Bits<L> {
        self.valid() & self.has().0 & !self.record_taken.get()
    }

    /// There is an arrival: for the reorder stage, or a frame to be passed on.
    pub fn arrival_valid(&self) -> Bits<L> {
        self.valid() & self.has().1 & !self.arrival_taken.get()
    }

    /// The frame at the front.
    pub fn front(&self) -> Identified<L> {
        let Pending { record, in_sequence, has_key } = self.records.front();
        let Identity { found, index } = self.identities.front();
        let (found, index) = (found & has_key, index.gate(has_key));
        Identified { record, packet: self.config.read(&record), in_sequence, found, index, number: self.number.get() }
    }

    /// How many frames have been taken and have left, modulo 64.
    pub fn progress(&self) -> (Bits<L>, Bits<L>) {
        (self.taken.get(), self.left.get())
    }

    /// One clock cycle: a record comes, an answer of the lookup, and the consumers are ready or not.
    pub fn clock(
        &self,
        (valid, record): (Bits<L>, HeaderRecord<L>),
        answer: context_lookup::Answer<L>,
        record_ready: Bits<L>,
        arrival_ready: Bits<L>,
    ) {
        let (has_record, has_arrival) = self.has();
        let record_done = (self.record_taken.get() | !has_record | record_ready).named("record_done");
        let arrival_done = (self.arrival_taken.get() | !has_arrival | arrival_ready).named("arrival_done");
        let leaves = (self.valid() & record_done & arrival_done).named("leaves");
        when(self.valid(), || {
            self.record_taken.set(record_done & !leaves);
            self.arrival_taken.set(arrival_done & !leaves);
        });
        when(leaves, || {
            self.number.set(self.number.get() + 1);
            self.left.set(self.left.get() + 1);
        });
        when(valid & self.ready(), || self.taken.set(self.taken.get() + 1));
        let pending = || {
            let Packet { in_sequence, has_key, .. } = self.config.read(&record);
            Pending { record, in_sequence, has_key }
        };
        self.records.clock(valid, pending, leaves);
        self.identities.clock(answer.valid, || Identity { found: answer.found, index: answer.index }, leaves);
    }
}
