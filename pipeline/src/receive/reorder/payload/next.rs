// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which cell of a frame comes after a cell: two copies, one for delivery and one for `close`.
//!
//! A link is written when the next cell is taken, long before the frame can be read. What is read of the last cell of a
//! frame would be old, and is not read.

use super::sizes::Sizes;
use crate::blocks::secded::{TableRam, Upsets};
use rtl_model::{Bits, Logic, RamShape, name_nets, when};

/// The links between the cells of frames.
#[name_nets]
pub struct Next<L: Logic> {
    delivery: TableRam<L, Bits<L>>,
    clearing: TableRam<L, Bits<L>>,
}

#[name_nets]
impl<L: Logic> Next<L> {
    pub fn new(sizes: Sizes) -> Self {
        let (ram, shape) = (sizes.stage.ram(), RamShape::new(sizes.pool.cells).unused_on_collision());
        let cell = sizes.pool.cell();
        Next { delivery: TableRam::new(ram, shape, &cell), clearing: TableRam::new(ram, shape, &cell) }
    }

    /// The cells that were read for, by delivery and by `close`.
    pub fn data(&self) -> [Bits<L>; 2] {
        [self.delivery.data(), self.clearing.data()]
    }

    /// What was wrong with rows that have been used: of delivery, of `close`.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        [self.delivery.upsets(), self.clearing.upsets()].concat()
    }

    /// One clock cycle: `follows` if `to` comes after the cell `from`; for which cells the next ones are read; which of
    /// those that were read are `used`.
    pub fn clock(
        &self,
        (follows, from): (Bits<L>, Bits<L>),
        to: Bits<L>,
        reads: [(Bits<L>, Bits<L>); 2],
        used: [Bits<L>; 2],
    ) {
        let [(by_delivery, delivered), (by_clearing, cleared)] = reads;
        when(follows, || self.delivery.write(from, to));
        when(follows, || self.clearing.write(from, to));
        when(by_delivery, || self.delivery.read(delivered));
        when(by_clearing, || self.clearing.read(cleared));
        self.delivery.check(0, used[0]);
        self.clearing.check(0, used[1]);
        self.delivery.clock();
        self.clearing.clock();
    }
}
