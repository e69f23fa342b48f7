// SPDX-License-Identifier: MIT OR Apache-2.0
//! Count of packets sent on each sub-path, and whether they fill its window (rows T11 and T20). With memories of latency
//! `l`, for a packet that enters in cycle n:
//!
//! ```text
//!  n          sub-path to `sent` and `completed_view`
//!  n + l      number of packets at which the sub-path is full
//!  n + l + 1  count incremented, `filled` changed
//!  n + l + 2  both written, also to `sent_view` and `filled_view`; feedback and requests of this clock cycle or later
//!             read them there
//! ```

use super::config::PathSchedulerConfig;
use super::records::{Completed, SentCount};
use super::window::QUARTERS_LOG;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, BitPlaneRam, BitPlaneRamShape, LaneWrite, RmwTable, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, Signal, bits, name_nets, select, when};

/// The pipeline of packets that are sent.
const SENT: Pipeline = Pipeline::new("sent");

/// A packet to be counted, or a row to be swept.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Count<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.qp())]
    pub qp: Bits<L>,
    #[width(config.path_bits())]
    pub path: Bits<L>,
    pub clears: Bits<L>,
}

/// A change of the packets completed on a sub-path.
#[derive(Bundle)]
pub struct CompletedUpdate<L: Reading> {
    pub valid: Bits<L>,
    pub row: Bits<L>,
    pub completed: Completed<L>,
}

/// Counts of packets sent, for all sub-paths.
#[name_nets]
pub struct Sent<L: Logic> {
    config: PathSchedulerConfig,
    sent: RmwTable<L, SentCount<L>>,
    sent_view: WriteFirstRam<L, SentCount<L>>,
    completed_view: WriteFirstRam<L, Completed<L>>,
    filled_view: BitPlaneRam<L>,
    /// Steps 1 to `l` + 2.
    packet: PipelineRegs<Count<L>>,
    /// Step `l` + 1: the count before this packet from which on this packet fills the window.
    full_at: Reg<Bits<L>>,
    released: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Sent<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let PathSchedulerConfig { qps, paths, ram_latency, .. } = config;
        let (rows, flag) = (config.sub_paths(), bits(1));
        let step = Count::shape(config);
        Sent {
            config,
            sent: RmwTable::new(rows, ram_latency, &SentCount::shape(config)),
            sent_view: WriteFirstRam::new(rows, ram_latency, 1, &SentCount::shape(config)),
            completed_view: WriteFirstRam::new(rows, ram_latency, 1, &Completed::shape(config)),
            filled_view: BitPlaneRam::new(BitPlaneRamShape { rows: qps, lanes: paths, width: 1, ram_latency }),
            packet: PipelineRegs::new(1..=ram_latency + 2, &step).checked(SENT),
            full_at: Reg::new(&config.packets()),
            released: Reg::new(&flag),
        }
    }

    /// Packets sent on the sub-path that was read `l` clock cycles ago.
    pub fn data(&self) -> SentCount<L> {
        self.sent_view.data(0)
    }

    /// `filled` of the sub-paths of the QP that was read `l` clock cycles ago.
    pub fn filled(&self) -> Bits<L> {
        let [filled] = self.filled_view.data();
        filled
    }

    /// One clock cycle: a packet on a sub-path, or the sweep of its row. `event_row` and `request_qp` are what events
    /// and requests read.
    pub fn clock(
        &self,
        packet: Count<L>,
        event_row: Bits<L>,
        request_qp: Bits<L>,
        update: CompletedUpdate<L>,
        (window_less_one, adapts): (Bits<L>, Bits<L>),
    ) {
        let l = self.config.ram_latency;
        let (counted, written) = (self.packet.at(l + 1), self.packet.at(l + 2));
        let (row, modified) = (self.sent.operand(), self.sent.modified());
        let index = |at: Count<L>| self.config.row(at.qp, at.path);

        // l + 2
        self.sent_view.clock(&[event_row], Access { valid: written.valid, index: index(written) }, modified);
        let Count { valid, qp, path, .. } = written;
        self.filled_view.clock(request_qp, LaneWrite { valid, row: qp, lane: path, value: modified.filled });

        // l + 1
        self.sent.clock(Access { valid: packet.valid, index: index(packet) }, Bits::lit(1, 1));
        when(counted.valid, || {
            let width = row.count.width();
            let full = (!(row.count - self.full_at.get()).bit(width - 1)).named("window_filled");
            let filled = select(full, !self.released.get(), row.filled);
            let next = SentCount { count: row.count + 1, filled };
            self.sent.modify(next.gate(!counted.clears));
        });

        // l
        let arrived = self.packet.at(l);
        when(arrived.valid, || {
            let completed = self.completed_view.data(0);
            let width = completed.count.width();
            let own_less_one = (completed.window >> u64::from(QUARTERS_LOG)).extend(width) - 1;
            self.full_at.set(completed.count + select(adapts, own_less_one, window_less_one.extend(width)));
            self.released.set(completed.released);
        });

        // 0 to l
        let CompletedUpdate { valid, row, completed } = update;
        self.completed_view.clock(&[index(packet)], Access { valid, index: row }, completed);
        self.packet.shift(packet);
    }
}
