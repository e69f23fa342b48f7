// SPDX-License-Identifier: MIT OR Apache-2.0
//! Count of packets sent on each sub-path (row T11). With memories of latency `l`, for a packet that enters in cycle n:
//!
//! ```text
//!  n          sub-path to `sent`
//!  n + l + 1  count incremented
//!  n + l + 2  count written, also to `sent_view`; feedback of this clock cycle or later reads it there
//! ```

use super::config::PathSchedulerConfig;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, bits, index_width, name_nets, select, when};

/// A packet to be counted, or a row to be swept.
#[derive(Bundle)]
struct Count<L: Reading> {
    #[reset]
    valid: Bits<L>,
    row: Bits<L>,
    clears: Bits<L>,
}

/// Counts of packets sent, for all sub-paths.
#[name_nets]
pub struct Sent<L: Logic> {
    latency: u32,
    sent: RmwTable<L, Bits<L>>,
    sent_view: WriteFirstRam<L, Bits<L>>,
    /// Steps 1 to `l` + 2.
    packet: PipelineRegs<Count<L>>,
}

#[name_nets]
impl<L: Logic> Sent<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let (rows, latency, count) = (config.sub_paths(), config.ram_latency, config.sent());
        let step = Count { valid: bits(1), row: bits(index_width(rows)), clears: bits(1) };
        Sent {
            latency,
            sent: RmwTable::new(rows, latency, &count),
            sent_view: WriteFirstRam::new(rows, latency, 1, &count),
            packet: PipelineRegs::new(1..=latency + 2, &step),
        }
    }

    /// Packets sent on the sub-path that was read `l` clock cycles ago.
    pub fn data(&self) -> Bits<L> {
        self.sent_view.data(0)
    }

    /// One clock cycle: a packet on a sub-path, or with `clears` the sweep of its row; `read_index` is the row to read.
    pub fn clock(&self, packet: Access<L>, clears: Bits<L>, read_index: Bits<L>) {
        let (counted, written) = (self.packet.at(self.latency + 1), self.packet.at(self.latency + 2));
        let (row, count) = (self.sent.operand(), self.sent.modified());
        self.sent.clock(packet, Bits::lit(1, 1));
        when(counted.valid, || {
            let zero = Bits::lit(row.width(), 0);
            self.sent.modify(select(counted.clears, zero, row + 1));
        });
        self.sent_view.clock(&[read_index], Access { valid: written.valid, index: written.row }, count);
        self.packet.shift(Count { valid: packet.valid, row: packet.index, clears });
    }
}
