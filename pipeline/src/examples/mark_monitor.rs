// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mark_monitor`: counts congestion marks per path and reports every path that has had too many. Contract:
//! `docs/stages/mark_monitor.md` (rows C1 to C5). With memories of latency `l`:
//!
//! ```text
//!  0            mark     path to `counts`
//!  l + 1        count    one more mark; at the limit the count starts again and there is an alarm
//!  l + 2        alarm    path to the FIFO, if it has room
//!  2 l + 4 on            alarm is output until it is taken
//! ```
//!
//! A mark is accepted in every clock cycle, also back to back on the same path. Only the alarms can be stalled.
//! An alarm is output 2 `l` + 4 clock cycles after its mark, if none before it waits. An alarm for which the FIFO has no
//! room is lost and counted. Every path number is valid, because `paths` is a power of two; a limit of 0 counts as 1.

use crate::blocks::counter::Counter;
use crate::blocks::fifo::Fifo;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, latency_suffix};
use rtl_model::{
    Bits, Bundle, Design, Logic, Pipeline, Reading, Reg, Shape, Stage, bits, clog2, name_nets, select, when,
};

/// The pipeline of marks.
const MARK: Pipeline = Pipeline::new("mark");

/// Width of a count of marks in bits.
const COUNT_WIDTH: u32 = 16;

/// Size of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkMonitorConfig {
    /// Number of paths, a power of two.
    pub paths: u64,
    /// Rows of the FIFO of alarms, a power of two.
    pub alarms: u64,
    /// Latency of the memories in clock cycles, 1 to 3.
    pub ram_latency: u32,
}

impl MarkMonitorConfig {
    fn path_width(self) -> u32 {
        clog2(self.paths)
    }
}

/// A marked packet.
#[derive(Bundle)]
#[shape(config: MarkMonitorConfig)]
pub struct Mark<L: Reading> {
    /// There is a marked packet; it is counted while `mark_ready` is 1.
    #[reset]
    pub valid: Bits<L>,
    /// The path on which it came.
    #[width(config.path_width())]
    pub path: Bits<L>,
}

/// A path that has had too many marks.
#[derive(Bundle)]
pub struct Alarm<L: Reading> {
    /// There is an alarm; stays 1 until `alarm_ready`.
    pub valid: Bits<L>,
    /// The path.
    pub path: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: MarkMonitorConfig)]
pub struct MarkMonitorIn<L: Reading> {
    /// Marked packets.
    pub mark: Mark<L>,
    /// The receiver of alarms is ready.
    #[ready(alarm)]
    pub alarm_ready: Bits<L>,
    /// Number of marks of a path that make an alarm; 0 counts as 1.
    #[width(COUNT_WIDTH)]
    pub settings_limit: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct MarkMonitorOut<L: Reading> {
    /// A mark can be counted; 0 while the table is swept after reset.
    #[ready(mark)]
    pub mark_ready: Bits<L>,
    /// The paths with too many marks, in the order in which they reached the limit.
    pub alarm: Alarm<L>,
    /// Alarms for which the FIFO had no room, since reset. The counter wraps.
    pub lost_alarms: Bits<L>,
}

#[name_nets]
impl Design for MarkMonitorConfig {
    type Stage<L: Logic> = MarkMonitor<L>;

    fn module_name(&self) -> String {
        let MarkMonitorConfig { paths, alarms, ram_latency } = *self;
        format!("mark_monitor_p{paths}a{alarms}{}", latency_suffix(ram_latency))
    }

    fn build<L: Logic>(&self) -> MarkMonitor<L> {
        let MarkMonitorConfig { paths, alarms, ram_latency: l } = *self;
        let (mark, path) = (Mark::shape(*self), bits(self.path_width()));
        MarkMonitor {
            config: *self,
            sweeping: Reg::starting_at(&bits(1), Bits::lit(1, 1)).with_reset(),
            sweep_path: Reg::new(&path).with_reset(),
            marks: PipelineRegs::new(1..=l + 1, &mark).checked(MARK),
            counts: RmwTable::new(paths, l, &bits(COUNT_WIDTH)),
            raised: Reg::new(&mark),
            alarms: Fifo::new(alarms, l, &path),
            lost_alarms: Counter::new(32),
        }
    }
}

/// The stage.
#[name_nets]
pub struct MarkMonitor<L: Logic> {
    config: MarkMonitorConfig,
    /// 1 until all counts have been cleared.
    sweeping: Reg<Bits<L>>,
    sweep_path: Reg<Bits<L>>,
    /// Marks in steps 1 to `l` + 1, in which the count is there.
    marks: PipelineRegs<Mark<L>>,
    /// Marks of each path since its last alarm.
    counts: RmwTable<L, Bits<L>>,
    /// Step `l` + 2: the path has reached the limit.
    raised: Reg<Mark<L>>,
    /// Alarms that have not been taken.
    alarms: Fifo<L, Bits<L>>,
    lost_alarms: Counter<L>,
}

#[name_nets]
impl<L: Logic> Stage<L> for MarkMonitor<L> {
    type In = MarkMonitorIn<L>;
    type Out = MarkMonitorOut<L>;

    fn input_shape(&self) -> MarkMonitorIn<Shape> {
        MarkMonitorIn::shape(self.config)
    }

    fn outputs(&self) -> MarkMonitorOut<L> {
        MarkMonitorOut {
            mark_ready: !self.sweeping.get(),
            alarm: Alarm { valid: self.alarms.valid(), path: self.alarms.front() },
            lost_alarms: self.lost_alarms.get(),
        }
    }

    fn clock(&self, input: &MarkMonitorIn<L>) {
        let (sweeping, sweep_path, raised) = (self.sweeping.get(), self.sweep_path.get(), self.raised.get());
        let (counting, count) = (self.marks.last(), self.counts.operand());

        // l + 2
        self.lost_alarms.count(raised.valid & !self.alarms.ready());
        self.alarms.clock(raised.valid, || raised.path, input.alarm_ready);

        // 0, and the steps of the table: a mark, or the sweep of a row.
        let counted = input.mark.valid & !sweeping;
        let path = select(sweeping, sweep_path, input.mark.path);
        self.counts.clock(Access { valid: counted | sweeping, index: path }, Bits::lit(1, 1));

        // l + 1: a swept row is not a mark, and its new value is 0.
        let more = count + 1;
        let at_limit = more.at_least(input.settings_limit);
        self.counts.modify(more.gate(counting.valid & !at_limit));
        self.raised.set(Mark { valid: counting.valid & at_limit, path: counting.path });

        // 0 to l
        self.marks.shift(Mark { valid: counted, path });
        when(sweeping, || {
            self.sweep_path.set(sweep_path + 1);
            self.sweeping.set(!sweep_path.equals(self.config.paths - 1));
        });
    }
}
