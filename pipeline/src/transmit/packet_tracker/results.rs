// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a walk has released (rows D13, D16, D17 and D30). In clock cycles after the read of a packet, with memories of
//! latency `l`:
//!
//! ```text
//!  0       counted
//!  1       how far is it behind the base?
//!  2       its PSN
//!  l + 1   its size is added; *again* keeps size and count
//!  l + 2   its age, if it is the trigger
//!  l + 3   its outcome
//! ```

use super::config::PacketTrackerConfig;
use super::pass::Record;
use super::ports::{BYTES_WIDTH, QUANTA_WIDTH, RTX_WIDTH, SIZE_WIDTH, TIME_WIDTH};
use super::releases::Release;
use super::serving::Serving;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, bits, name_nets, select, when};

/// The pipeline of results.
const RESULT: Pipeline = Pipeline::new("result");

/// The trigger of an ACK.
#[derive(Bundle)]
#[shape]
pub struct Trigger<L: Reading> {
    /// It was released.
    pub valid: Bits<L>,
    /// Its time of transmission is valid.
    pub timed: Bits<L>,
    #[width(RTX_WIDTH)]
    pub rtx_count: Bits<L>,
    #[width(TIME_WIDTH)]
    pub stamp: Bits<L>,
}

/// What *again* has found.
#[derive(Bundle)]
#[shape]
pub struct Repeated<L: Reading> {
    #[width(SIZE_WIDTH)]
    pub size: Bits<L>,
    #[width(RTX_WIDTH)]
    pub rtx_count: Bits<L>,
}

/// The results of a walk, until the next one begins.
#[name_nets]
pub struct Results<L: Logic> {
    config: PacketTrackerConfig,
    /// Packets in flight, and marked ones.
    packets: Reg<Bits<L>>,
    late_packets: Reg<Bits<L>>,
    /// Their sizes.
    bytes: Reg<Bits<L>>,
    late_bytes: Reg<Bits<L>>,
    /// The bytes in flight in units of 256.
    quanta: Reg<Bits<L>>,
    trigger: Reg<Trigger<L>>,
    repeated: Reg<Repeated<L>>,
    /// *First* less the base; what it is after the walk.
    first_offset: Reg<Bits<L>>,
    first: Reg<Bits<L>>,
    /// Steps 1 to `l` + 3 of reads.
    reads: PipelineRegs<Release<L>>,
    offset: Reg<Bits<L>>,
    psns: PipelineRegs<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Results<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (flag, count, bytes, l) = (bits(1), config.count(), bits(BYTES_WIDTH), config.ram_latency);
        let read = Release::shape(config);
        Results {
            config,
            packets: Reg::new(&count),
            late_packets: Reg::new(&count),
            bytes: Reg::new(&bytes),
            late_bytes: Reg::new(&bytes),
            quanta: Reg::new(&bits(QUANTA_WIDTH)),
            trigger: Reg::new(&Trigger::shape()),
            repeated: Reg::new(&Repeated::shape()),
            first_offset: Reg::new(&count),
            first: Reg::new(&count),
            reads: PipelineRegs::new(1..=l + 3, &read).checked(RESULT),
            offset: Reg::new(&count),
            psns: PipelineRegs::new(3..=l + 3, &config.psn()).checked(RESULT),
        }
    }

    /// The numbers of packets released: in flight, and marked.
    pub fn packets(&self) -> [Bits<L>; 2] {
        [self.packets.get(), self.late_packets.get()]
    }

    /// The bytes of the marked ones.
    pub fn late_bytes(&self) -> Bits<L> {
        self.late_bytes.get()
    }

    /// The bytes of those in flight in units of 256.
    pub fn quanta(&self) -> Bits<L> {
        self.quanta.get()
    }

    /// The trigger.
    pub fn trigger(&self) -> Trigger<L> {
        self.trigger.get()
    }

    /// What *again* has found, with the count of this time.
    pub fn repeated(&self) -> Repeated<L> {
        let Repeated { size, rtx_count } = self.repeated.get();
        Repeated { size, rtx_count: rtx_count + (!rtx_count.all()).extend(RTX_WIDTH) }
    }

    /// *First* after an ACK.
    pub fn first(&self) -> Bits<L> {
        self.first.get()
    }

    /// The packet that was read so many clock cycles ago, 1 to `l` + 3.
    pub fn read(&self, step: u32) -> Release<L> {
        self.reads.at(step)
    }

    /// Its PSN `l` + 3 clock cycles after the read.
    pub fn psn(&self) -> Bits<L> {
        self.psns.last()
    }

    /// The trigger, `l` + 2 clock cycles after its read, has a time of transmission from the future.
    pub fn bad_time(&self, age: Bits<L>) -> Bits<L> {
        let read = self.reads.at(self.config.ram_latency + 2);
        read.valid & read.trigger & age.bit(TIME_WIDTH - 1)
    }

    /// One clock cycle: a walk begins in the next one; what is served; the packet that is read; the records of those
    /// read `l` + 1 and `l` + 2 clock cycles ago, and the age of the latter.
    pub fn clock(&self, begins: Bits<L>, serving: Serving<L>, read: Release<L>, records: [Record<L>; 2], age: Bits<L>) {
        let (config, l) = (self.config, self.config.ram_latency);
        let none = Bits::lit(1, 0);
        let (added, timed) = (self.reads.at(l + 1), self.reads.at(l + 2));
        let [packets, late_packets, bytes, late_bytes] =
            [&self.packets, &self.late_packets, &self.bytes, &self.late_bytes].map(Reg::get);
        let trigger = self.trigger.get();
        let counts = read.valid & !serving.agains;

        self.packets.set((packets + (counts & !read.late).extend(packets.width())).gate(!begins));
        self.late_packets.set((late_packets + (counts & read.late).extend(packets.width())).gate(!begins));
        let size = records[0].size.extend(BYTES_WIDTH).gate(added.valid);
        self.bytes.set((bytes + size.gate(!added.late)).gate(!begins));
        self.late_bytes.set((late_bytes + size.gate(added.late)).gate(!begins));
        let whole = (bytes + 255).slice(8, BYTES_WIDTH - 8);
        let beyond = whole.slice(QUANTA_WIDTH, BYTES_WIDTH - 8 - QUANTA_WIDTH).any();
        self.quanta.set(whole.truncate(QUANTA_WIDTH) | beyond.extend_signed(QUANTA_WIDTH));
        when(added.valid & serving.agains, || {
            let Record { size, rtx_count, .. } = records[0];
            self.repeated.set(Repeated { size, rtx_count });
        });

        when(timed.valid & timed.trigger, || {
            let Record { rtx_count, stamp, .. } = records[1];
            let timed = !age.bit(TIME_WIDTH - 1);
            self.trigger.set(Trigger { valid: Bits::lit(1, 1), timed, rtx_count, stamp });
        });
        when(begins, || self.trigger.set(Trigger { valid: none, ..trigger }));

        // Where the first marked PSN may be after it: not before the base.
        let (first, offset) = (serving.first, self.first_offset.get());
        let base = config.place(serving.base);
        let is_before = offset.less(serving.cumulative);
        self.first.set(select(is_before, base + serving.cumulative, first));
        self.first_offset.set(first - base);

        self.psns.shift(serving.base + self.offset.get().extend(config.psn_bits));
        self.offset.set(self.reads.at(1).place - base);
        self.reads.shift(read);
    }
}
