// SPDX-License-Identifier: MIT OR Apache-2.0
//! A [`WriteFirstRam`] with or without check bits as a stage: one read and one write per clock cycle.
//!
//! ```text
//!  cycle n          read, write
//!        n + l      row: as it was written last, that of cycle n included
//!        n + l + 1  whether it was corrected, or could not be
//! ```

use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::{Protection, RamKind, Upsets};
use crate::blocks::table::{Access, WriteFirstRam, latency_suffix};
use rtl_model::{Bits, Bundle, Design, Logic, Reading, Shape, Stage, Wide, index_width, name_nets, wide};

/// Size of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteFirstConfig {
    /// Number of rows.
    pub depth: u64,
    /// Bits of a row, 1 to 1024.
    pub width: u32,
    /// How the memory is built.
    pub ram: RamKind,
}

#[name_nets]
impl Design for WriteFirstConfig {
    type Stage<L: Logic> = WriteFirstStage<L>;

    fn module_name(&self) -> String {
        let WriteFirstConfig { depth, width, ram: RamKind { latency, protection } } = *self;
        let protected = if protection == Protection::Secded { "secded" } else { "" };
        format!("write_first_d{depth}w{width}{protected}{}", latency_suffix(latency))
    }

    fn build<L: Logic>(&self) -> WriteFirstStage<L> {
        WriteFirstStage {
            config: *self,
            table: WriteFirstRam::new(self.depth, self.ram, 1, &wide(self.width)),
            reads: PipelineRegs::new(1..=self.ram.latency, &Access::shape(self.depth)),
        }
    }
}

/// A row that is written.
#[derive(Bundle)]
#[shape(config: WriteFirstConfig)]
pub struct RowWrite<L: Reading> {
    /// There is a write in this clock cycle.
    pub valid: Bits<L>,
    /// Index of the row.
    #[width(index_width(config.depth))]
    pub index: Bits<L>,
    /// The row.
    #[width(config.width)]
    pub data: Wide<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: WriteFirstConfig)]
pub struct WriteFirstIn<L: Reading> {
    /// The row that is written.
    pub write: RowWrite<L>,
    /// The row that is read.
    #[shape(Access::shape(config.depth))]
    pub read: Access<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct WriteFirstOut<L: Reading> {
    /// There is a row.
    pub valid: Bits<L>,
    /// The row that has been read.
    pub data: Wide<L>,
    /// What was wrong with the row of the clock cycle before.
    pub upsets: Option<Upsets<L>>,
}

/// A memory whose reads return the row that is written in the same clock cycle.
#[name_nets]
pub struct WriteFirstStage<L: Logic> {
    config: WriteFirstConfig,
    table: WriteFirstRam<L, Wide<L>>,
    /// Steps 1 to `l` of a read.
    reads: PipelineRegs<Access<L>>,
}

#[name_nets]
impl<L: Logic> Stage<L> for WriteFirstStage<L> {
    type In = WriteFirstIn<L>;
    type Out = WriteFirstOut<L>;

    fn input_shape(&self) -> WriteFirstIn<Shape> {
        WriteFirstIn::shape(self.config)
    }

    fn outputs(&self) -> WriteFirstOut<L> {
        let valid = self.reads.last().valid;
        WriteFirstOut { valid, data: self.table.data(0), upsets: self.table.upsets().into_iter().next() }
    }

    fn clock(&self, input: &WriteFirstIn<L>) {
        let WriteFirstIn { write, read } = *input;
        self.table.check(0, self.reads.last().valid);
        self.table.clock(&[read.index], Access { valid: write.valid, index: write.index }, write.data);
        self.reads.shift(read);
    }
}
