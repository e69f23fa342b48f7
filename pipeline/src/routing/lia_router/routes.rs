// SPDX-License-Identifier: MIT OR Apache-2.0
//! A row for each other group: the level of its load, and the first link that leads there. The sweep writes one half while
//! requests read the other one, which is that of the last sweep.

use super::config::LiaRouterConfig;
use super::links::{Link, resized};
use super::ports::LEVEL_WIDTH;
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, bits, index_width, name_nets, when};

/// A row.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Row<L: Reading> {
    #[width(LEVEL_WIDTH)]
    level: Bits<L>,
    #[shape(config.switch())]
    switch: Bits<L>,
    #[shape(bits(index_width(config.global_ports)))]
    port: Bits<L>,
}

/// The rows.
#[name_nets]
pub struct Routes<L: Logic> {
    config: LiaRouterConfig,
    rows: Ram<Row<L>>,
}

#[name_nets]
impl<L: Logic> Routes<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        let depth = 2 << config.row().bits();
        let ram = RamShape::new(depth).unused_on_collision().latency(config.ram_latency);
        Routes { config, rows: Ram::new(ram, &Row::shape(config)) }
    }

    /// Level and first link of the row that was read as many clock cycles ago as the latency.
    pub fn data(&self) -> (Bits<L>, Link<L>) {
        let Row { level, switch, port } = self.rows.data();
        let shape = Link::shape(self.config);
        (level, Link { switch: switch.extend(shape.switch.bits()), port })
    }

    /// One clock cycle: a row of this half is read; a row of the other one is written.
    pub fn clock(&self, row: Bits<L>, half: Bits<L>, write: Access<L>, level: Bits<L>, first: Link<L>) {
        let width = self.config.row().bits();
        self.rows.read(half.concat(resized(row, width)));
        let switch = first.switch.truncate(self.config.switch().bits());
        when(write.valid, || self.rows.write((!half).concat(write.index), Row { level, switch, port: first.port }));
        self.rows.clock();
    }
}
