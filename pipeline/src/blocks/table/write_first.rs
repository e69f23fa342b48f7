// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`WriteFirstRam`]: a read returns the row that is written in the same clock cycle. With a latency of 2:
//!
//! ```text
//!  cycle n      read(port, index), write(index, row)
//!        n + 1  row read is in the read register, row written in a bypass register
//!        n + 2  data(port): the row in the output register, or the one that was written in cycle n
//! ```
//!
//! The written row stays in bypass registers for as many clock cycles as a read takes. From latency 2 on there is no
//! logic between the block RAM and its output register, and there is never logic before its enable.

use super::Access;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::{RamKind, TableRam, Upsets};
use rtl_model::{Bits, Logic, RamShape, Reg, Signal, bits, name_nets, select, when};

/// A memory whose reads return the row that is written in the same clock cycle.
#[name_nets]
pub struct WriteFirstRam<L: Logic, T: Signal<Logic = L>> {
    rows: TableRam<L, T>,
    latency: u32,
    /// Bypass registers: the row written one clock cycle ago, two and so on.
    bypass: PipelineRegs<T>,
    /// 1 if a row was written one clock cycle ago and so on; for all bypass registers but the last.
    bypass_valid: PipelineRegs<Bits<L>>,
    /// For each read port: 1 if the row written was the row read in the same clock cycle.
    collision: Vec<PipelineRegs<Bits<L>>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> WriteFirstRam<L, T> {
    /// A memory of `depth` rows of this kind (a latency, or a latency and a protection) with this number of read ports.
    pub fn new(depth: u64, kind: impl Into<RamKind>, ports: usize, row: &T::Shape) -> Self {
        let kind = kind.into();
        let latency = kind.latency;
        let collision = |port: usize| {
            PipelineRegs::of(1..=latency, |step| Reg::named(&format!("collision_{port}_{step}"), &bits(1)))
        };
        WriteFirstRam {
            rows: TableRam::new(kind, RamShape::new(depth).unused_on_collision().reads(ports), row),
            latency,
            bypass: PipelineRegs::new(1..=latency, row),
            bypass_valid: PipelineRegs::new(1..=latency - 1, &bits(1)),
            collision: (0..ports).map(collision).collect(),
        }
    }

    /// The row that a port read as many clock cycles ago as the latency.
    pub fn data(&self, port: usize) -> T {
        select(self.collision[port].last(), self.bypass.last(), self.rows.data_port(port))
    }

    /// Says whether the row of a port is used in this clock cycle, so that its upsets count. Called once per clock cycle,
    /// before `clock`.
    pub fn check(&self, port: usize, used: Bits<L>) {
        self.rows.check(port, used & !self.collision[port].last());
    }

    /// For each port, what was wrong with the row used one clock cycle ago; none without check bits.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        self.rows.upsets()
    }

    /// One clock cycle, with a read on every port.
    pub fn clock(&self, reads: &[Bits<L>], write: Access<L>, row: T) {
        for step in (2..=self.latency).rev() {
            when(self.bypass_valid.at(step - 1), || self.bypass.set(step, self.bypass.at(step - 1)));
        }
        self.bypass_valid.shift(write.valid);
        for (port, &key) in reads.iter().enumerate() {
            self.collision[port].shift(write.valid & write.index.equals(key));
            self.rows.read_port(port, key);
        }
        when(write.valid, || {
            self.rows.write(write.index, row);
            self.bypass.set(1, row);
        });
        self.rows.clock();
    }
}
