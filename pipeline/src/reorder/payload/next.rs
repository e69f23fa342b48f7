// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which cell of a frame comes after a cell: two copies, one for delivery and one for `close`.
//!
//! A link is written when the next cell is taken, long before the frame can be read. What is read of the last cell of a
//! frame would be old, and is not read.

use super::config::Sizes;
use rtl_model::{Bits, Logic, Ram, RamShape, name_nets, when};

/// The links between the cells of frames.
#[name_nets]
pub struct Next<L: Logic> {
    links: Ram<Bits<L>>,
}

/// The read port for delivery.
const DELIVERY: usize = 0;
/// The read port for `close`.
const CLEARING: usize = 1;

#[name_nets]
impl<L: Logic> Next<L> {
    pub fn new(sizes: Sizes) -> Self {
        let shape = RamShape::new(sizes.pool.cells).latency(sizes.stage.ram_latency).reads(2).unused_on_collision();
        Next { links: Ram::new(shape, &sizes.pool.cell()) }
    }

    /// The cells that were read for, by delivery and by `close`.
    pub fn data(&self) -> [Bits<L>; 2] {
        [self.links.data_port(DELIVERY), self.links.data_port(CLEARING)]
    }

    /// One clock cycle: `follows` if `to` comes after the cell `from`; for which cells the next ones are read.
    pub fn clock(&self, (follows, from): (Bits<L>, Bits<L>), to: Bits<L>, reads: [(Bits<L>, Bits<L>); 2]) {
        let [(by_delivery, delivered), (by_clearing, cleared)] = reads;
        when(follows, || self.links.write(from, to));
        when(by_delivery, || self.links.read_port(DELIVERY, delivered));
        when(by_clearing, || self.links.read_port(CLEARING, cleared));
        self.links.clock();
    }
}
