// SPDX-License-Identifier: MIT OR Apache-2.0
//! The records of all packets: one memory with one read port. With memories of latency `l`:
//!
//! ```text
//!  l + 4   a packet that is sent is written; that of a NACK or an examination is read
//!  walk    the packets that it releases are read: nothing else is then
//!
//!  after a read    l + 1  record      l + 2  age      l + 5  the last step that needs it
//! ```
//!
//! A NACK or an examination in the clock cycle behind a new packet reads one clock cycle after its write. No row is
//! read in the clock cycle of a write.

use super::config::PacketTrackerConfig;
use super::pass::{Load, Pass, Record};
use super::ports::{RTX_WIDTH, TIME_WIDTH};
use super::releases::Release;
use super::results::Repeated;
use super::serving::Serving;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Logic, Pipeline, Ram, RamShape, bits, name_nets, select, when};

/// The steps after a read, of a pass or of the walk.
const RECORD: Pipeline = Pipeline::new("record");

/// The records.
#[name_nets]
pub struct Records<L: Logic> {
    config: PacketTrackerConfig,
    rows: Ram<Record<L>>,
    /// Steps `l` + 1 to `l` + 5 after a read.
    read: PipelineRegs<Record<L>>,
    /// Steps `l` + 2 to `l` + 5: the time since the packet was sent.
    age: PipelineRegs<Bits<L>>,
}

/// What is known of passes and of the walk.
pub struct RecordsIn<'a, L: Logic> {
    pub passes: &'a [Pass<L>],
    /// Step `l` + 4: a new packet is sent; the EV.
    pub sends: Bits<L>,
    pub ev: Bits<L>,
    /// What single operations say; the times of passes.
    pub loads: &'a [Load<L>],
    pub times: &'a [Bits<L>],
    /// The walk; it has found a packet that is sent again.
    pub walk: Serving<L>,
    pub found: Bits<L>,
    pub repeated: Repeated<L>,
    /// The packet that the walk reads, and the one that it has read `l` + 1 clock cycles ago.
    pub release: Release<L>,
    pub released: Release<L>,
}

#[name_nets]
impl<L: Logic> Records<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (l, record) = (config.ram_latency, Record::shape(config));
        let shape = RamShape::new(config.pdcs * config.window).latency(l).unused_on_collision();
        Records {
            config,
            rows: Ram::new(shape, &record),
            read: PipelineRegs::new(l + 1..=l + 5, &record).checked(RECORD),
            age: PipelineRegs::new(l + 2..=l + 5, &bits(TIME_WIDTH)).checked(RECORD),
        }
    }

    /// The record that was read so many clock cycles ago, `l` + 1 to `l` + 5.
    pub fn record(&self, step: u32) -> Record<L> {
        self.read.at(step)
    }

    /// Its age, from `l` + 2 on.
    pub fn age(&self, step: u32) -> Bits<L> {
        self.age.at(step)
    }

    /// One clock cycle.
    pub fn clock(&self, from: &RecordsIn<L>) {
        let (config, l) = (self.config, self.config.ram_latency);
        let (walk, step) = (from.walk, config.records() as usize);

        // l + 1 after a read
        let known = step + l as usize + 1;
        let of_pass = select(from.passes[known].examines, from.times[known], from.loads[known].arrived());
        let until = select(from.released.valid, walk.arrived, of_pass);
        self.age.shift(until - self.read.at(l + 1).stamp);

        // l
        self.read.shift(self.rows.data());

        // 0
        let pass = from.passes[step];
        let repeats = pass.finishes & walk.agains & from.found;
        let written = Record {
            size: select(repeats, from.repeated.size, from.loads[step].size()),
            stamp: from.times[step],
            rtx_count: from.repeated.rtx_count & repeats.extend_signed(RTX_WIDTH),
            ev: config.low_ev(from.ev),
        };
        let slot = config.slot(pass.pdc, pass.psn);
        when(from.sends | repeats, || self.rows.write(slot, written));
        let Release { valid, place, .. } = from.release;
        self.rows.read(select(valid, config.slot(walk.pdc, place), slot));
        self.rows.clock();
    }
}
