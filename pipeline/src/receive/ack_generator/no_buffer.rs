// SPDX-License-Identifier: MIT OR Apache-2.0
//! UET: how often a connection is told that there is no buffer for its packets (row G27): an access in step 4, the row in step
//! `l` + 5. One NACK has its sender send all of them again, so one is enough until it can have come back.

use super::config::AckGeneratorConfig;
use super::pass::Pass;
use super::ports::TIME_WIDTH;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, name_nets, select, when};

/// When a connection was told.
#[derive(Bundle)]
#[shape]
struct Told<L: Reading> {
    valid: Bits<L>,
    #[width(TIME_WIDTH)]
    time: Bits<L>,
}

/// When all of them were.
#[name_nets]
pub struct NoBuffer<L: Logic> {
    step: usize,
    rows: RmwTable<L, Told<L>>,
    /// Step `l` + 6: the packet finds no buffer, and its connection was told shortly before.
    told: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> NoBuffer<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        NoBuffer {
            step: config.effect() as usize - 1,
            rows: RmwTable::new(config.connections, config.ram_latency, &Told::shape()),
            told: Reg::new(&bits(1)).with_reset(),
        }
    }

    /// Of the pass in step `l` + 6: it is not answered, as its connection was told shortly before.
    pub fn told(&self) -> Bits<L> {
        self.told.get()
    }

    /// One clock cycle: the passes in all steps; in step `l` + 5 whether there is no buffer for the packet, and its time; the
    /// time for which nothing more is said.
    pub fn clock(&self, passes: &[Pass<L>], no_buffer: Bits<L>, time: Bits<L>, apart: Bits<L>) {
        let (pass, row) = (passes[self.step], self.rows.operand());
        let told = (no_buffer & row.valid & (time - row.time).less(apart)).named("told");
        let tells = no_buffer & !told;
        self.rows.clock(passes[4].access(), Bits::lit(1, 1));
        let next = select(tells, Told { valid: Bits::lit(1, 1), time }, row);
        when(pass.valid, || {
            self.rows.modify(next.gate(!pass.sweeps));
        });
        self.told.set(told);
    }
}
