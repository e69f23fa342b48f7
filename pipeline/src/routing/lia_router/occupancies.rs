// SPDX-License-Identifier: MIT OR Apache-2.0
//! The occupancies of ports (row LR7):
//!
//! ```text
//!  0    the event
//!  1    less what is in flight, at least 0
//!  2    written
//! ```

use super::config::LiaRouterConfig;
use super::ports::{OCCUPANCY_WIDTH, Occupancy};
use crate::blocks::bounds::exists;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select, when};

/// Latency of the memory. It is small, and may well be made of look-up tables.
const LATENCY: u32 = 1;

/// The occupancies of all ports, and two ports to read them.
#[name_nets]
pub struct Occupancies<L: Logic> {
    config: LiaRouterConfig,
    /// Step 1.
    event: Reg<Occupancy<L>>,
    unknown: Reg<Bits<L>>,
    /// Step 2.
    write: Reg<Access<L>>,
    occupancy: Reg<Bits<L>>,
    rows: WriteFirstRam<L, Bits<L>>,
}

#[name_nets]
impl<L: Logic> Occupancies<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        Occupancies {
            config,
            event: Reg::new(&Occupancy::shape(config)),
            unknown: Reg::new(&bits(1)).with_reset(),
            write: Reg::new(&Access::shape(config.ports())),
            occupancy: Reg::new(&bits(OCCUPANCY_WIDTH)),
            rows: WriteFirstRam::new(config.ports(), LATENCY, 2, &bits(OCCUPANCY_WIDTH)),
        }
    }

    /// The occupancies that were read one clock cycle ago.
    pub fn read(&self) -> [Bits<L>; 2] {
        [self.rows.data(0), self.rows.data(1)]
    }

    /// The event of the clock cycle before was for a port that does not exist.
    pub fn unknown(&self) -> Bits<L> {
        self.unknown.get()
    }

    /// One clock cycle: an event, unless there is none to be taken; a port that is cleared; two ports that are read; flits in
    /// flight do not count.
    pub fn clock(
        &self,
        event: Occupancy<L>,
        taken: Bits<L>,
        clears: Access<L>,
        reads: [Bits<L>; 2],
        corrected: Bits<L>,
    ) {
        let (at_port, row) = (self.event.get(), self.occupancy.get());
        // 2
        self.rows.clock(&reads, self.write.get(), row);
        // 1
        let Occupancy { flits, in_flight, .. } = at_port;
        let width = OCCUPANCY_WIDTH + 1;
        let left = flits.extend(width) - in_flight.extend(width);
        let counted = left.truncate(OCCUPANCY_WIDTH).gate(!left.bit(OCCUPANCY_WIDTH));
        self.occupancy.set(select(corrected, counted, flits));
        // A constant, which the reset of a flip-flop makes.
        when(clears.valid, || self.occupancy.set(Bits::lit(OCCUPANCY_WIDTH, 0)));
        self.write.set(Access {
            valid: at_port.valid | clears.valid,
            index: select(clears.valid, clears.index, at_port.port),
        });
        // 0
        let known = exists(event.port, self.config.ports());
        self.event.set(Occupancy { valid: event.valid & taken & known, ..event });
        self.unknown.set(event.valid & taken & !known);
    }
}
