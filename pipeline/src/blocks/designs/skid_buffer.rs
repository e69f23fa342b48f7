// SPDX-License-Identifier: MIT OR Apache-2.0
//! `skid_buffer`: two items, so that `ready` is a register. Contract: `docs/blocks.md`.

use super::ports::{Item, PushPop, Ready};
use crate::blocks::skid_buffer::SkidBuffer;
use rtl_model::{Bundle, Design, Logic, Reading, Shape, Stage, Wide, name_nets, wide};

/// Size of a skid buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkidBufferConfig {
    /// Bits of an item, 1 to 1024.
    pub width: u32,
}

#[name_nets]
impl Design for SkidBufferConfig {
    type Stage<L: Logic> = SkidBufferStage<L>;

    fn module_name(&self) -> String {
        format!("skid_buffer_w{}", self.width)
    }

    fn build<L: Logic>(&self) -> SkidBufferStage<L> {
        SkidBufferStage { config: *self, skid_buffer: SkidBuffer::new(&wide(self.width)) }
    }
}

/// Outputs.
#[derive(Bundle)]
pub struct SkidBufferOut<L: Reading> {
    /// There is room for an item; a register.
    pub push: Ready<L>,
    /// The items in the order in which they were pushed.
    pub pop: Item<L>,
}

/// The stage `skid_buffer`.
#[name_nets]
pub struct SkidBufferStage<L: Logic> {
    config: SkidBufferConfig,
    skid_buffer: SkidBuffer<Wide<L>>,
}

#[name_nets]
impl<L: Logic> Stage<L> for SkidBufferStage<L> {
    type In = PushPop<L>;
    type Out = SkidBufferOut<L>;

    fn input_shape(&self) -> PushPop<Shape> {
        PushPop::shape(self.config.width)
    }

    fn outputs(&self) -> SkidBufferOut<L> {
        SkidBufferOut {
            push: Ready { ready: self.skid_buffer.ready() },
            pop: Item { valid: self.skid_buffer.valid(), data: self.skid_buffer.front() },
        }
    }

    fn clock(&self, input: &PushPop<L>) {
        self.skid_buffer.clock(input.push.valid, || input.push.data, input.pop.ready);
    }
}
