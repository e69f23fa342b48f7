// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the context of each frame while its record is in the memory of the gate, and makes an arrival of the record when it
//! leaves. With memories of latency `l`:
//!
//! ```text
//!  cycle n              kept     record enters the memory of the gate; its key to the lookup
//!        n + l + 2               record offered by the gate, if it is the only one
//!        n + l + 3      answer   to `identities`, with what is known of the frame since cycle n
//!        n + 2 l + 5    record   identity in a register: the record to its consumer; it leaves, its arrival to `arrivals`
//!        n + 2 l + 6    arrival  to the reorder stage
//! ```
//!
//! One frame per clock cycle. A record waits in the gate alone, and its identity, a few bits, in a memory of as many rows. A record that is taken and its arrival leave at the same edge, so both streams have the same order.
//! `arrivals` is a skid buffer: the ready of the reorder stage, which is far away, does not reach the enables of the registers
//! that hold the record, which are a thousand flip-flops.
//!
//! Of a frame for which the gate has no room the record is shown, and not kept. Its key is looked up as that of any other one, and
//! then [`lost_packet`](super::lost_packet) makes an arrival of it. While `arrivals` has none, that one is at its front, and one of
//! a frame takes its place.
//!
//! If the reorder stage holds frames, an arrival is the frame itself, which [`steer`](super::steer) passes on when it is at
//! the front, and only frames that have no place in the order have a record for a consumer.

use super::config::RxConfig;
use super::contexts::Opened;
use super::lost_packet::LostPacket;
use super::packet::{Claim, Details, Packet};
use super::speakers::Speakers;
use crate::blocks::counter::Counter;
use crate::blocks::fifo::Fifo;
use crate::blocks::skid_buffer::SkidBuffer;
use crate::blocks::table::Access;
use crate::headers::record::HeaderRecord;
use crate::receive::context_lookup;
use crate::receive::reorder::{FLAGS_WIDTH, LENGTH_WIDTH, PATH_WIDTH};
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, Shape, bits, clog2, name_nets, when};

/// What a frame is, known before its context is.
#[derive(Bundle)]
#[shape]
struct Nature<L: Reading> {
    in_sequence: Bits<L>,
    has_key: Bits<L>,
    /// The frame is lost, and its record not kept.
    lost: Bits<L>,
}

/// The context of a frame, and what it is.
#[derive(Bundle)]
#[shape(config: RxConfig)]
struct Identity<L: Reading> {
    in_sequence: Bits<L>,
    found: Bits<L>,
    #[shape(config.connection())]
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
#[shape(config: RxConfig)]
pub struct IdentifiedArrival<L: Reading> {
    /// The packet has its place in the order of a connection.
    pub in_sequence: Bits<L>,
    /// There is a context with its key.
    pub found: Bits<L>,
    /// The index of that context.
    #[shape(config.connection())]
    pub index: Bits<L>,
    /// The number of the frame.
    #[width(config.reorder.handle_bits)]
    pub number: Bits<L>,
    /// UET: how many packets in sequence of no connection came before it.
    #[shape(config.stranger())]
    pub stranger: Option<Bits<L>>,
    /// These are as in [`Packet`].
    #[width(config.reorder.psn_bits)]
    pub psn: Bits<L>,
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    #[width(FLAGS_WIDTH)]
    pub flags: Bits<L>,
    #[width(LENGTH_WIDTH)]
    pub length: Bits<L>,
    pub details: Details<L>,
}

impl RxConfig {
    /// Shape of the numbers by which frames are counted, in and out. There are more of them than frames: those that the gate
    /// holds, and two arrivals.
    pub(super) const fn place(&self) -> Bits<Shape> {
        bits(clog2(self.gate.frames) + 2)
    }

    /// Shape of the number of a packet of no connection, by which the ACK generator names it: UET only.
    pub(super) fn stranger(&self) -> Option<Bits<Shape>> {
        self.uet(bits(self.ack.handle_bits))
    }
}

/// Frames from the gate to their consumers.
#[name_nets]
pub struct Identify<L: Logic> {
    config: RxConfig,
    /// From the record to the answer of the lookup.
    natures: Delay<Nature<L>>,
    /// It has as many rows as the gate keeps records, so it is never full.
    identities: Fifo<L, Identity<L>>,
    arrivals: SkidBuffer<IdentifiedArrival<L>>,
    /// There is none, and that of a packet that is lost is at its front.
    lost_offered: Reg<Bits<L>>,
    /// The number of the next record.
    number: Reg<Bits<L>>,
    /// UET: the number of the next packet of no connection.
    stranger: Option<Reg<Bits<L>>>,
    /// Frames whose keys were looked up and that are not lost, and arrivals of frames that have left; they wrap.
    taken: Reg<Bits<L>>,
    left: Reg<Bits<L>>,
    /// Packets whose keys were not found.
    unknown: Counter<L>,
    /// Who may speak to a connection.
    pub speakers: Speakers<L>,
    /// A packet that is lost in the gate, until its arrival has left.
    pub lost: LostPacket<L>,
}

#[name_nets]
impl<L: Logic> Identify<L> {
    pub fn new(config: RxConfig) -> Self {
        let (flag, place) = (bits(1), config.place());
        let nature = Nature::shape();
        let identity = Identity::shape(config);
        Identify {
            config,
            natures: Delay::new(&nature, config.lookup.answer_latency() as usize),
            identities: Fifo::new(config.gate.frames, config.gate.ram_latency, &identity),
            arrivals: SkidBuffer::new(&IdentifiedArrival::shape(config)),
            lost_offered: Reg::new(&bits(1)).with_reset(),
            number: Reg::new(&bits(config.reorder.handle_bits)).with_reset(),
            stranger: config.stranger().map(|number| Reg::new(&number).with_reset()),
            taken: Reg::new(&place).with_reset(),
            left: Reg::new(&place).with_reset(),
            unknown: Counter::new(32),
            speakers: Speakers::new(config),
            lost: LostPacket::new(config),
        }
    }

    /// The record that the gate offers is that of an identified frame, and there is room for its arrival. An identity is there
    /// after its record, so the gate offers one.
    fn valid(&self) -> Bits<L> {
        self.identities.valid() & self.arrivals.ready()
    }

    /// The identity of the frame whose record is next. Whoever may not speak to the connection has none.
    fn identity(&self) -> Identity<L> {
        let (Identity { in_sequence, found, index }, speaks) = (self.identities.front(), self.speakers.may_speak());
        Identity { in_sequence: in_sequence & speaks, found: found & speaks, index: index.gate(speaks) }
    }

    /// The frame has a record for the consumer.
    fn has_record(&self) -> Bits<L> {
        if self.config.holds_frames() { !self.identity().in_sequence } else { Bits::lit(1, 1) }
    }

    /// There is a record for its consumer. It stays until it is taken: `arrivals` has room until something enters it.
    pub fn record_valid(&self) -> Bits<L> {
        self.valid() & self.has_record()
    }

    /// The frame whose record is next, the one that the gate offers.
    pub fn front(&self, record: HeaderRecord<L>) -> Identified<L> {
        let Identity { in_sequence, found, index } = self.identity();
        let Packet { psn, path, flags, length, details, .. } = self.config.read(&record);
        let (number, stranger) = (self.number.get(), self.stranger.as_ref().map(Reg::get));
        let arrival =
            IdentifiedArrival { in_sequence, found, index, number, stranger, psn, path, flags, length, details };
        Identified { record, arrival }
    }

    /// There is an arrival of a frame: for the reorder stage, or a frame to be passed on.
    pub fn arrival_valid(&self) -> Bits<L> {
        self.arrivals.valid()
    }

    /// There is an arrival of a packet that is lost, and none of a frame.
    pub fn lost_valid(&self) -> Bits<L> {
        self.lost_offered.get()
    }

    /// The next arrival, of a frame or of a packet that is lost.
    pub fn arrival(&self) -> IdentifiedArrival<L> {
        self.arrivals.front()
    }

    /// How many keys have been looked up and how many arrivals have left; both wrap.
    pub fn progress(&self) -> (Bits<L>, Bits<L>) {
        (self.taken.get(), self.left.get())
    }

    /// Counter: packets whose keys were not found.
    pub fn unknown(&self) -> Bits<L> {
        self.unknown.get()
    }

    /// The record at the front leaves, if its consumer is ready.
    pub fn leaves(&self, record_ready: Bits<L>) -> Bits<L> {
        (self.valid() & (!self.has_record() | record_ready)).named("record_leaves")
    }

    /// One clock cycle: a record is kept, or shown as its frame is lost, an answer of the lookup comes, the gate offers a record,
    /// and the consumers are ready or not; *open* names ends, and the host takes what was refused, or not; `lost_taken`: the
    /// reorder stage takes the arrival of a packet that is lost, if there is one.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        (kept, lost, record): (Bits<L>, Bits<L>, &HeaderRecord<L>),
        (packet, claim): (&Packet<L>, Claim<L>),
        answer: context_lookup::Answer<L>,
        arrival: IdentifiedArrival<L>,
        record_ready: Bits<L>,
        (arrival_ready, lost_taken): (Bits<L>, Bits<L>),
        (opened, refusal_ready): (&Opened<L>, Bits<L>),
    ) {
        let leaves = self.leaves(record_ready);
        when(leaves, || self.number.set(self.number.get() + 1));
        if let Some(stranger) = &self.stranger {
            let front = self.identity();
            when(leaves & front.in_sequence & !front.found, || stranger.set(stranger.get() + 1));
        }
        when(self.arrivals.valid() & arrival_ready, || self.left.set(self.left.get() + 1));
        when(kept & !lost, || self.taken.set(self.taken.get() + 1));
        let addressed = !(leaves & arrival.in_sequence);
        let shown = (kept & lost, packet, record);
        let lost_leaves = self.lost_valid() & lost_taken;
        let offers = self.arrivals.clock_or(leaves, || arrival, arrival_ready, || self.lost.arrival(arrival));
        self.lost_offered.set(offers & self.lost.arrives() & !lost_leaves);
        self.lost.clock(shown, self.speakers.judges_lost(), addressed, lost_leaves);
        let Nature { in_sequence, has_key, lost: was_lost } = self.natures.get();
        self.unknown.count(answer.valid & has_key & !answer.found);
        let index = answer.index.truncate(self.config.connection().bits()).gate(has_key);
        let found = Access { valid: answer.found & has_key, index };
        self.speakers.clock((kept, claim), (answer.valid, was_lost, found), leaves, opened, refusal_ready);
        let identity = || Identity { in_sequence, found: answer.found & has_key, index };
        self.identities.clock(answer.valid & !was_lost, identity, leaves);
        self.natures.shift(Nature { in_sequence: packet.in_sequence, has_key: packet.has_key, lost });
    }
}
