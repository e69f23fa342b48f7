// SPDX-License-Identifier: MIT OR Apache-2.0
//! RoCEv2 without multipath: marked packets are answered by congestion notification packets (CNPs), one of a connection in a time
//! (row RX27). With multipath ACKs carry the marks. With memories of latency `l`:
//!
//! ```text
//!  cycle n            arrival, as the ACK generator gets it; its connection to `plain` and `told`
//!        n + l + 1    was it told of shortly before? The connection to the queue
//!        n + 2 l + 3  the CNP is offered to `answers`, before ACKs, if no other one waits
//! ```
//!
//! If the queue is full the next marked packet of the connection asks again.

use super::config::RxConfig;
use super::stranger_rate::{AnswerSettings, INTERVAL_WIDTH};
use crate::blocks::fifo::Fifo;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable};
use crate::blocks::timebase::{TIME_WIDTH, Timebase};
use rtl_model::{
    Bits, Bundle, Logic, Pipeline, Ram, RamShape, Reading, Reg, bits, index_width, name_nets, select, when,
};

/// CNPs that may wait in the memory of the queue.
const PLACES: u64 = 16;
/// Clock cycles in a unit of time, as a power of two.
const UNIT_LOG: u32 = 6;
/// The pipeline of arrivals.
const NOTICE: Pipeline = Pipeline::new("notice");

/// When a connection was told, in units of 64 clock cycles.
#[derive(Bundle)]
#[shape]
struct Told<L: Reading> {
    valid: Bits<L>,
    #[width(TIME_WIDTH)]
    time: Bits<L>,
}

/// An arrival in steps 1 to `l` + 1, or a row of the sweep.
#[derive(Bundle)]
struct Marked<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// A packet that has a connection and is marked.
    marked: Bits<L>,
    connection: Bits<L>,
}

/// The connections to whose peers CNPs go.
#[name_nets]
pub struct Notices<L: Logic> {
    rows: u64,
    time: Timebase<L>,
    interval: Reg<Bits<L>>,
    /// The sweep after reset.
    sweeping: Reg<Bits<L>>,
    sweep_row: Reg<Bits<L>>,
    /// Connections without multipath; written by *open*.
    plain: Ram<Bits<L>>,
    is_plain: Reg<Bits<L>>,
    told: RmwTable<L, Told<L>>,
    marked: PipelineRegs<Marked<L>>,
    queue: Fifo<L, Bits<L>>,
}

#[name_nets]
impl<L: Logic> Notices<L> {
    pub fn new(config: RxConfig) -> Self {
        let (flag, l, connections) = (bits(1), config.reorder.ram_latency, config.reorder.connections);
        let connection = config.connection();
        let interval = bits(INTERVAL_WIDTH);
        let plain = RamShape::new(connections).latency(l).read_first();
        Notices {
            rows: connections,
            time: Timebase::new(),
            interval: Reg::starting_at(&interval, Bits::lit(INTERVAL_WIDTH, config.answer_interval)).with_reset(),
            sweeping: Reg::starting_at(&flag, Bits::lit(1, 1)).with_reset(),
            sweep_row: Reg::new(&bits(index_width(connections))).with_reset(),
            plain: Ram::new(plain, &flag),
            is_plain: Reg::new(&flag),
            told: RmwTable::new(connections, l, &Told::shape()),
            marked: PipelineRegs::new(1..=l + 1, &Marked { valid: flag, marked: flag, connection }).checked(NOTICE),
            queue: Fifo::new(PLACES, l, &connection),
        }
    }

    /// The wait until those have left that wait now: after so many, or if there is none for so many clock cycles.
    pub fn extent(config: &RxConfig) -> (u64, u64) {
        let latency = config.reorder.ram_latency;
        (Fifo::<L, Bits<L>>::capacity(PLACES, latency) + 1, u64::from(latency) + 4)
    }

    /// The connection whose peer is to be told first.
    pub fn first(&self) -> Access<L> {
        Access { valid: self.queue.valid(), index: self.queue.front() }
    }

    /// One clock cycle: a packet arrives, marked or not; *open* says whether its connection has multipath; the first CNP is taken.
    pub fn clock(
        &self,
        (arrives, marked, connection): (Bits<L>, Bits<L>, Bits<L>),
        (opens, opened, multipath): (Bits<L>, Bits<L>, Bits<L>),
        taken: Bits<L>,
        settings: AnswerSettings<L>,
    ) {
        let (time, interval, last) = (self.time.time(), self.interval.get(), self.marked.last());
        let (sweeping, row) = (self.sweeping.get(), self.sweep_row.get());

        // l + 1
        let told = self.told.operand();
        let apart = interval.slice(UNIT_LOG, INTERVAL_WIDTH - UNIT_LOG);
        let age = (time - told.time).extend(apart.width());
        let is_due = !told.valid | age.greater(apart);
        let notifies = last.valid & last.marked & self.is_plain.get() & interval.any() & is_due & self.queue.ready();
        let (enters, index) = (sweeping | arrives & marked, select(sweeping, row, connection));
        self.told.clock(Access { valid: enters, index }, Bits::lit(1, 1));
        when(last.valid, || {
            self.told
                .modify(Told { valid: (told.valid | notifies) & last.marked, time: select(notifies, time, told.time) });
        });
        self.queue.clock(notifies, || last.connection, taken);

        // 0 to l
        self.is_plain.set(self.plain.data());
        self.plain.read(index);
        when(opens, || self.plain.write(opened, !multipath));
        self.plain.clock();
        self.marked.shift(Marked { valid: enters, marked: !sweeping, connection: index });

        when(sweeping, || {
            self.sweep_row.set(row + 1);
            self.sweeping.set(row.differs(self.rows - 1));
        });
        when(settings.valid, || self.interval.set(settings.interval));
        self.time.clock();
    }
}
