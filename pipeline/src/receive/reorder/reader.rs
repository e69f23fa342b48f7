// SPDX-License-Identifier: MIT OR Apache-2.0
//! The slots, and the reader that delivers runs of packets from them (rows R8 and R9). With memories of latency `l`:
//!
//! ```text
//!  step l + 5 of an arrival      its handle to its slot
//!
//!  cycle r          read: the slot of the next packet of the run; the slot is free from now on
//!        r + l      the packet to `packets`
//!        r + l + 3  the packet on the delivery ports, if none waits ahead of it
//! ```
//!
//! At most 16 packets are on the way from the slots to the delivery ports, for which `packets` has room.

use super::config::{PLACES, ReorderConfig};
use super::credits::Credits;
use super::pass::Pass;
use super::payload::SlotRead;
use super::ports::Delivery;
use super::turns::Run;
use super::window::BaseWrite;
use crate::blocks::fifo::Fifo;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::Upsets;
use crate::blocks::table::{PackedRam, Storage};
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, bits, name_nets, select, when};

/// The pipeline of reads.
const READ: Pipeline = Pipeline::new("read");

/// The packet that is being read.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Slot<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(config.connection())]
    connection: Bits<L>,
    #[shape(config.psn())]
    psn: Bits<L>,
}

/// A packet that has been read.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Packet<L: Reading> {
    #[shape(config.connection())]
    connection: Bits<L>,
    #[shape(config.psn())]
    psn: Bits<L>,
    #[width(config.slot_width())]
    handle: Bits<L>,
}

/// A packet that has been read: its connection, its PSN and its slot.
type ReadPacket<L> = (Bits<L>, Bits<L>, Bits<L>);

/// Slots of all connections, and what reads them.
#[name_nets]
pub struct Reader<L: Logic> {
    config: ReorderConfig,
    slots: PackedRam<L>,
    /// Handle of the arrival in steps 1 to `l` + 5; with frames, their place in the pool, from step 3 on.
    handle: PipelineRegs<Bits<L>>,
    current: Reg<Slot<L>>,
    /// Its PSN + 1.
    after: Reg<Bits<L>>,
    /// Packets of the run after this one.
    more: Reg<Bits<L>>,
    /// There are none.
    last: Reg<Bits<L>>,
    /// Steps 1 to `l` of a read.
    reading: PipelineRegs<Slot<L>>,
    packets: Fifo<L, Packet<L>>,
    /// Packets that have been read and not transferred.
    read_ahead: Credits<L>,
    /// There is a place for one more, and no connection starts anew, whose base is written then.
    may_read: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Reader<L> {
    pub fn new(config: ReorderConfig) -> Self {
        let (connection, psn, l) = (config.connection(), config.psn(), config.ram_latency);
        let handle = bits(config.slot_width());
        let slot = Slot::shape(config);
        let lane_bits = config.lane_bits();
        Reader {
            config,
            slots: PackedRam::new(config.slots() >> lane_bits, lane_bits, config.slot_width(), config.ram()),
            handle: PipelineRegs::new(config.slot_step() + 1..=l + 5, &handle).checked(READ),
            current: Reg::new(&slot),
            after: Reg::new(&psn),
            more: Reg::new(&Run::shape(config).more),
            last: Reg::new(&bits(1)),
            reading: PipelineRegs::new(1..=l, &slot).checked(READ),
            packets: Fifo::new(PLACES, config.ram().latency(1), &Packet::shape(config)),
            read_ahead: Credits::new(),
            may_read: Reg::starting_at(&bits(1), Bits::lit(1, 1)).with_reset(),
        }
    }

    /// The packet that is delivered.
    pub fn delivery(&self) -> Delivery<L> {
        let Packet { connection, psn, handle } = self.packets.front();
        Delivery { valid: Some(self.packets.valid()), connection, psn, handle: Some(handle) }
    }

    /// The packet that goes to the frame reader: whether there is one, connection, PSN and slot.
    pub fn packet(&self) -> (Bits<L>, ReadPacket<L>) {
        let Packet { connection, psn, handle } = self.packets.front();
        (self.packets.valid(), (connection, psn, handle))
    }

    /// The content of this slot, which was read as many clock cycles ago as the latency.
    pub fn slot(&self, connection: Bits<L>, slot: Bits<L>) -> Bits<L> {
        self.slots.data(connection.concat(slot))
    }

    /// 1 if a slot is read in this clock cycle; not while `other` is read.
    pub fn reads(&self, other: Option<Bits<L>>) -> Bits<L> {
        let reads = self.current.get().valid & self.may_read.get();
        match other {
            Some(other) => reads & !other,
            None => reads,
        }
    }

    /// 1 if the next run is taken.
    pub fn takes(&self, available: Bits<L>, reads: Bits<L>) -> Bits<L> {
        available & (!self.current.get().valid | reads & self.last.get())
    }

    /// The slot that becomes free.
    pub fn frees(&self, reads: Bits<L>) -> BaseWrite<L> {
        BaseWrite { valid: reads, connection: self.current.get().connection, base: self.after.get() }
    }

    /// What was wrong with rows that have been used: `slots`, `packets`.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        [self.slots.upsets(), self.packets.upsets()].concat()
    }

    /// One clock cycle: `handle` is that of the pass that enters, and the packet in step `l` + 5 is `new`; `reads` and
    /// `takes` are those of this clock cycle, with the next `run`, and `other` is a slot that is read instead; `ready` is that
    /// of the receiver of packets; one of them is `done`, if that is not when it is taken. In the next clock cycle a
    /// connection `starts` anew.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        handle: Bits<L>,
        stored: Pass<L>,
        new: Bits<L>,
        (reads, other): (Bits<L>, Option<SlotRead<L>>),
        takes: Bits<L>,
        run: Run<L>,
        (ready, done): (Bits<L>, Option<Bits<L>>),
        starts: Bits<L>,
    ) {
        let (current, after, more) = (self.current.get(), self.after.get(), self.more.get());
        let address = |connection: Bits<L>, psn: Bits<L>| connection.concat(psn.truncate(self.config.slot_bits()));

        let arrived = self.reading.last();
        let Slot { connection, psn, .. } = arrived;
        let room = self.read_ahead.clock(reads, done.unwrap_or_else(|| self.packets.valid() & ready));
        self.may_read.set(room & !starts);
        let handle_read = self.slots.data(address(connection, psn));
        self.slots.check(
            other.map_or(address(connection, psn), |other| {
                select(other.used, other.connection.concat(other.slot), address(connection, psn))
            }),
            other.map_or(arrived.valid, |other| arrived.valid | other.used),
        );
        self.packets.clock(arrived.valid, || Packet { connection, psn, handle: handle_read }, ready);

        self.reading.shift(Slot { valid: reads, ..current });
        // In every clock cycle: an enable would have to reach all blocks of the memory.
        let next = address(current.connection, current.psn);
        self.slots.read(match other {
            Some(SlotRead { valid, connection, slot, .. }) => select(valid, connection.concat(slot), next),
            None => next,
        });
        when(takes, || {
            self.current.set(Slot { valid: Bits::lit(1, 1), connection: run.connection, psn: run.first });
            self.after.set(run.first + 1);
            self.more.set(run.more);
            self.last.set(!run.more.any());
        })
        .or_when(reads, || {
            self.current.set(Slot { valid: !self.last.get(), connection: current.connection, psn: after });
            self.after.set(after + 1);
            self.more.set(more - 1);
            self.last.set(more.equals(1));
        });

        let kept = self.handle.last();
        when(new, || self.slots.write(address(stored.connection, stored.psn), kept));
        self.slots.clock();
        self.handle.shift(handle);
    }
}
