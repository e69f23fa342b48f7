// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the context of each frame, and offers the frame's record and its arrival. With a lookup of latency `l` + 3:
//!
//! ```text
//!  cycle n            take     record to `records`; its key to the lookup
//!        n + l + 3    answer   found, index to `identities`
//!        n + l + 5    record   both in registers: the record to its consumer; it leaves, its arrival to `arrivals`
//!        n + l + 6    arrival  to the reorder stage
//! ```
//!
//! One frame is taken per clock cycle. With 16 records in the memory none is taken, and further frames wait in the gate. A record that is taken makes room in `records` and becomes an arrival at the same edge,
//! so both streams have the same order. `arrivals` is a skid buffer: the ready of the reorder stage, which is far away, does
//! not reach the enables of `records`, which are a thousand flip-flops.
//!
//! If the reorder stage holds frames, an arrival is the frame itself, which [`steer`](super::steer) passes on when it is at
//! the front, and only frames that have no place in the order have a record for a consumer.

use super::config::RxConfig;
use super::packet::{Details, Packet};
use crate::blocks::fifo::Fifo;
use crate::blocks::skid_buffer::SkidBuffer;
use crate::context_lookup;
use crate::headers::record::HeaderRecord;
use crate::reorder::{FLAGS_WIDTH, LENGTH_WIDTH, PATH_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, name_nets, when};

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
    /// What its arrival will be.
    pub arrival: IdentifiedArrival<L>,
}

/// What the reorder stage and the ACK generator learn of a frame.
#[derive(Bundle)]
pub struct IdentifiedArrival<L: Reading> {
    /// The packet has its place in the order of a connection.
    pub in_sequence: Bits<L>,
    /// There is a context with its key.
    pub found: Bits<L>,
    /// The index of that context.
    pub index: Bits<L>,
    /// The number of the frame.
    pub number: Bits<L>,
    /// These are as in [`Packet`].
    pub psn: Bits<L>,
    pub path: Bits<L>,
    pub flags: Bits<L>,
    pub length: Bits<L>,
    pub details: Details<L>,
}

impl RxConfig {
    /// Shape of an arrival.
    fn arrival(&self) -> IdentifiedArrival<Shape> {
        IdentifiedArrival {
            in_sequence: bits(1),
            found: bits(1),
            index: self.connection(),
            number: bits(self.reorder.handle_bits),
            psn: bits(self.reorder.psn_bits),
            path: bits(PATH_WIDTH),
            flags: bits(FLAGS_WIDTH),
            length: bits(LENGTH_WIDTH),
            details: self.details(),
        }
    }
}

/// Frames from the gate to their consumers.
#[name_nets]
pub struct Identify<L: Logic> {
    config: RxConfig,
    records: Fifo<L, Pending<L>>,
    /// It has more rows than there are frames, so it is never full.
    identities: Fifo<L, Identity<L>>,
    arrivals: SkidBuffer<IdentifiedArrival<L>>,
    /// The number of the next record.
    number: Reg<Bits<L>>,
    /// Frames taken and arrivals that have left, modulo 64.
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
            identities: Fifo::new(2 * FRAMES, LATENCY, &Identity { found: flag, index: config.connection() }),
            arrivals: SkidBuffer::new(&config.arrival()),
            number: Reg::new(&bits(config.reorder.handle_bits)).with_reset(),
            taken: Reg::new(&place).with_reset(),
            left: Reg::new(&place).with_reset(),
        }
    }

    /// A record can be taken.
    pub fn ready(&self) -> Bits<L> {
        self.records.ready()
    }

    /// There is a record, and room for its arrival.
    fn valid(&self) -> Bits<L> {
        self.records.valid() & self.identities.valid() & self.arrivals.ready()
    }

    /// The frame has a record for the consumer.
    fn has_record(&self) -> Bits<L> {
        if self.config.holds_frames() { !self.records.front().in_sequence } else { Bits::lit(1, 1) }
    }

    /// There is a record for its consumer. It stays until it is taken: `arrivals` has room until something enters it.
    pub fn record_valid(&self) -> Bits<L> {
        self.valid() & self.has_record()
    }

    /// The frame whose record is next.
    pub fn front(&self) -> Identified<L> {
        let Pending { record, in_sequence, has_key } = self.records.front();
        let Identity { found, index } = self.identities.front();
        let Packet { psn, path, flags, length, details, .. } = self.config.read(&record);
        let (found, index, number) = (found & has_key, index.gate(has_key), self.number.get());
        let arrival = IdentifiedArrival { in_sequence, found, index, number, psn, path, flags, length, details };
        Identified { record, arrival }
    }

    /// There is an arrival: for the reorder stage, or a frame to be passed on.
    pub fn arrival_valid(&self) -> Bits<L> {
        self.arrivals.valid()
    }

    /// The next arrival.
    pub fn arrival(&self) -> IdentifiedArrival<L> {
        self.arrivals.front()
    }

    /// How many frames have been taken and how many arrivals have left, modulo 64.
    pub fn progress(&self) -> (Bits<L>, Bits<L>) {
        (self.taken.get(), self.left.get())
    }

    /// The record at the front leaves, if its consumer is ready.
    pub fn leaves(&self, record_ready: Bits<L>) -> Bits<L> {
        (self.valid() & (!self.has_record() | record_ready)).named("record_leaves")
    }

    /// One clock cycle: a record comes, an answer of the lookup, and the consumers are ready or not.
    pub fn clock(
        &self,
        (valid, record): (Bits<L>, HeaderRecord<L>),
        answer: context_lookup::Answer<L>,
        record_ready: Bits<L>,
        arrival_ready: Bits<L>,
    ) {
        let (leaves, arrival) = (self.leaves(record_ready), self.front().arrival);
        when(leaves, || self.number.set(self.number.get() + 1));
        when(self.arrivals.valid() & arrival_ready, || self.left.set(self.left.get() + 1));
        when(valid & self.ready(), || self.taken.set(self.taken.get() + 1));
        let pending = || {
            let Packet { in_sequence, has_key, .. } = self.config.read(&record);
            Pending { record, in_sequence, has_key }
        };
        self.records.clock(valid, pending, leaves);
        let index = answer.index.truncate(self.config.connection().bits());
        self.identities.clock(answer.valid, || Identity { found: answer.found, index }, leaves);
        self.arrivals.clock(leaves, || arrival, arrival_ready);
    }
}
