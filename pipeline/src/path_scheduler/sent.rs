// SPDX-License-Identifier: MIT OR Apache-2.0
//! Count of packets sent on each sub-path (row T11). With memories of latency `l`, for a packet that enters in cycle n:
//!
//! ```text
//!  n          sub-path to `sent`
//!  n + l + 1  count incremented
//!  n + l + 2  count written, also to `sent_view`; feedback of this clock cycle or later reads it there
//! ```

use super::PathSchedulerConfig;
use crate::blocks::shift_register::ShiftRegister;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, index_width, name_nets, select, when};

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
    sent: RmwTable<L, Bits<L>>,
    sent_view: WriteFirstRam<L, Bits<L>>,
    read_pipe: ShiftRegister<Count<L>>,
    /// Steps `l` + 1 and `l` + 2.
    counts: [Reg<Count<L>>; 2],
}

#[name_nets]
impl<L: Logic> Sent<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let (rows, latency, count) = (config.sub_paths(), config.ram_latency, config.sent());
        let step = Count { valid: bits(1), row: bits(index_width(rows)), clears: bits(1) };
        Sent {
            sent: RmwTable::new(rows, latency, &count),
            sent_view: WriteFirstRam::new(rows, latency, 1, &count),
            read_pipe: ShiftRegister::new(latency as usize, |i| Reg::numbered(i as u32 + 1, &step)),
            counts: ["count_chosen", "count_changed"].map(|name| Reg::named(name, &step)),
        }
    }

    /// Packets sent on the sub-path that was read `l` clock cycles ago.
    pub fn data(&self) -> Bits<L> {
        self.sent_view.data(0)
    }

    /// One clock cycle: a packet on a sub-path, or with `clears` the sweep of its row; `read_index` is the row to read.
    pub fn clock(&self, packet: Access<L>, clears: Bits<L>, read_index: Bits<L>) {
        let ([at, changed], row, count) = (Reg::get_all(&self.counts), self.sent.operand(), self.sent.modified());
        self.sent.clock(packet, Bits::lit(1, 1));
        when(at.valid, || {
            let zero = Bits::lit(row.width(), 0);
            self.sent.modify(select(at.clears, zero, row + 1));
        });
        self.sent_view.clock(&[read_index], Access { valid: changed.valid, index: changed.row }, count);
        self.counts[1].set(at);
        self.counts[0].set(self.read_pipe.last());
        self.read_pipe.shift(Count { valid: packet.valid, row: packet.index, clears });
    }
}
