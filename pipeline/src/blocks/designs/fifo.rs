// SPDX-License-Identifier: MIT OR Apache-2.0
//! `fifo`: a FIFO in a block RAM. Contract: `docs/blocks.md`.

use super::ports::{Item, PushPop, Ready};
use crate::blocks::fifo::Fifo;
use crate::blocks::table::latency_suffix;
use rtl_model::{Bits, Bundle, Design, Logic, Reading, Shape, Stage, Wide, name_nets, wide};

/// Size of a FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FifoConfig {
    /// Rows of the memory, a power of two from 2 on.
    pub depth: u64,
    /// Bits of an item, 1 to 1024.
    pub width: u32,
    /// Clock cycles from address to row: 1, 2 with the memory's output register, 3 with one more register after it.
    pub ram_latency: u32,
}

#[name_nets]
impl Design for FifoConfig {
    type Stage<L: Logic> = FifoStage<L>;

    fn module_name(&self) -> String {
        let FifoConfig { depth, width, ram_latency } = self;
        format!("fifo_d{depth}w{width}{}", latency_suffix(*ram_latency))
    }

    fn build<L: Logic>(&self) -> FifoStage<L> {
        FifoStage { config: *self, fifo: Fifo::new(self.depth, self.ram_latency, &wide(self.width)) }
    }
}

/// Outputs.
#[derive(Bundle)]
pub struct FifoOut<L: Reading> {
    /// There is room for an item.
    pub push: Ready<L>,
    /// The items in the order in which they were pushed.
    pub pop: Item<L>,
    /// Number of items pushed and not popped.
    pub level: Bits<L>,
}

/// The stage `fifo`.
#[name_nets]
pub struct FifoStage<L: Logic> {
    config: FifoConfig,
    fifo: Fifo<L, Wide<L>>,
}

#[name_nets]
impl<L: Logic> Stage<L> for FifoStage<L> {
    type In = PushPop<L>;
    type Out = FifoOut<L>;

    fn input_shape(&self) -> PushPop<Shape> {
        PushPop::shape(self.config.width)
    }

    fn outputs(&self) -> FifoOut<L> {
        FifoOut {
            push: Ready { ready: self.fifo.ready() },
            pop: Item { valid: self.fifo.valid(), data: self.fifo.front() },
            level: self.fifo.level(),
        }
    }

    fn clock(&self, input: &PushPop<L>) {
        self.fifo.clock(input.push.valid, || input.push.data, input.pop.ready);
    }
}
