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
//!
//! With check bits the row is written one clock cycle later, from the first bypass register: the caller's logic and the trees
//! of the check bits are not in one clock cycle. A read in cycle n + 1 takes the row from one bypass register more.

use super::Access;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::{Protection, RamKind, TableRam, Upsets};
use rtl_model::{Bits, Logic, RamShape, Reg, Signal, across, bits, index_width, name_nets, select, when};

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
    late: Option<LateWrite<L>>,
}

/// A write one clock cycle after it was asked for.
#[name_nets]
struct LateWrite<L: Logic> {
    index: Reg<Bits<L>>,
    /// For each read port: 1 if this row was read in the clock cycle in which it was written.
    collision: Vec<PipelineRegs<Bits<L>>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> WriteFirstRam<L, T> {
    /// A memory of `depth` rows of this kind (a latency, or a latency and a protection) with this number of read ports.
    pub fn new(depth: u64, kind: impl Into<RamKind>, ports: usize, row: &T::Shape) -> Self {
        let kind = kind.into();
        let latency = kind.latency;
        let collision = |name: &str, port: usize| {
            PipelineRegs::of(1..=latency, |step| Reg::named(&format!("{name}_{port}_{step}"), &bits(1)))
        };
        let late = u32::from(kind.protection != Protection::None);
        WriteFirstRam {
            rows: TableRam::new(kind, RamShape::new(depth).unused_on_collision().reads(ports), row),
            latency,
            bypass: PipelineRegs::new(1..=latency + late, row),
            bypass_valid: PipelineRegs::new(1..=latency + late - 1, &bits(1)),
            collision: (0..ports).map(|port| collision("collision", port)).collect(),
            late: (late == 1).then(|| LateWrite {
                index: Reg::new(&bits(index_width(depth))),
                collision: (0..ports).map(|port| collision("late_collision", port)).collect(),
            }),
        }
    }

    /// The row that a port read as many clock cycles ago as the latency.
    pub fn data(&self, port: usize) -> T {
        let stored = self.rows.data_port(port);
        let stored = match &self.late {
            Some(late) => select(late.collision[port].last(), self.bypass.last(), stored),
            None => stored,
        };
        select(self.collision[port].last(), self.bypass.at(self.latency), stored)
    }

    /// Says whether the row of a port is used in this clock cycle, so that its upsets count. Called once per clock cycle,
    /// before `clock`.
    pub fn check(&self, port: usize, used: Bits<L>) {
        if let Some(late) = &self.late {
            self.rows.check(port, used & !(self.collision[port].last() | late.collision[port].last()));
        }
    }

    /// For each port, what was wrong with the row used one clock cycle ago; none without check bits.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        self.rows.upsets()
    }

    /// One clock cycle, with a read on every port.
    pub fn clock(&self, reads: &[Bits<L>], write: Access<L>, row: T) {
        if let Some(late) = &self.late {
            let (valid, index) = (self.bypass_valid.at(1), late.index.get());
            for (port, &key) in reads.iter().enumerate() {
                late.collision[port].shift(valid & index.equals(key));
            }
            when(valid, || self.rows.write(index, self.bypass.at(1)));
            late.index.set(write.index);
        }
        for step in (2..=self.latency + u32::from(self.late.is_some())).rev() {
            when(self.bypass_valid.at(step - 1), || self.bypass.set(step, self.bypass.at(step - 1)));
        }
        self.bypass_valid.shift(write.valid);
        for (port, &key) in reads.iter().enumerate() {
            // What is written is of another operation.
            self.collision[port].shift(across(write.valid) & across(write.index).equals(key));
            self.rows.read_port(port, key);
        }
        when(write.valid, || {
            if self.late.is_none() {
                self.rows.write(write.index, row);
            }
            self.bypass.set(1, row);
        });
        self.rows.clock();
    }
}
