// SPDX-License-Identifier: MIT OR Apache-2.0
//! UET: how often a connection is told that there is no buffer for its packets (row G27): an access in step 4, the row in step
//! `l` + 5, what it is compared with from step 4 on. One NACK has its sender send all of them again, so one is enough until it can have come back.

use super::config::AckGeneratorConfig;
use super::pass::{PASS, Pass};
use super::ports::TIME_WIDTH;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Signal, name_nets, select, when};

/// When a connection was told.
#[derive(Bundle)]
#[shape]
struct Told<L: Reading> {
    valid: Bits<L>,
    #[width(TIME_WIDTH)]
    time: Bits<L>,
}

/// From when on it counts that a connection was told, of a pass: after `time`, which is later than its τ if `wraps`.
#[derive(Bundle)]
#[shape]
struct Since<L: Reading> {
    wraps: Bits<L>,
    #[width(TIME_WIDTH)]
    time: Bits<L>,
}

/// When all of them were.
#[name_nets]
pub struct NoBuffer<L: Logic> {
    step: usize,
    rows: RmwTable<L, Told<L>>,
    /// Steps 5 to `l` + 5.
    since: PipelineRegs<Since<L>>,
}

#[name_nets]
impl<L: Logic> NoBuffer<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let step = config.effect() - 1;
        NoBuffer {
            step: step as usize,
            rows: RmwTable::new(config.connections, config.ram_latency, &Told::shape()),
            since: PipelineRegs::new(5..=step, &Since::shape()).checked(PASS),
        }
    }

    /// One clock cycle: the passes in all steps; the time, and that for which nothing more is said, for step 4; in step `l` + 5
    /// whether there is no buffer for the packet, and its τ. Of that one: its connection was told shortly before.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        (now, apart): (Bits<L>, Bits<L>),
        no_buffer: Bits<L>,
        time: Bits<L>,
    ) -> Bits<L> {
        let (pass, row, since) = (passes[self.step], self.rows.operand(), self.since.last());
        let told = self.rows.of_operand(|row| {
            // Two comparisons side by side, in place of a difference and a comparison behind it.
            let [after, before] = [since.time.less(row.time), !time.less(row.time)];
            row.valid & select(since.wraps, after | before, after & before)
        });
        let told = (no_buffer & told).named("told");
        let tells = no_buffer & !told;
        self.rows.clock(passes[4].access(), Bits::lit(1, 1));
        let next = select(tells, Told { valid: Bits::lit(1, 1), time }, row);
        when(pass.valid, || {
            self.rows.modify(next.gate(!pass.sweeps));
        });
        let difference = now.extend(TIME_WIDTH + 1) - apart.extend(TIME_WIDTH + 1);
        self.since.shift(Since { wraps: difference.bit(TIME_WIDTH), time: difference.truncate(TIME_WIDTH) });
        told
    }
}
