// SPDX-License-Identifier: MIT OR Apache-2.0
//! Credits: how many of 16 places are in use, and whether one is free, which is a register.

use super::config::PLACES;
use rtl_model::{Bits, Logic, Reg, bits, clog2, name_nets};

/// Credits for [`PLACES`] places.
#[name_nets]
pub struct Credits<L: Logic> {
    used: Reg<Bits<L>>,
    /// Not all of them are used.
    room: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Credits<L> {
    /// All places are free, at power-up and after reset.
    pub fn new() -> Self {
        Credits {
            used: Reg::new(&bits(clog2(PLACES + 1))).with_reset(),
            room: Reg::starting_at(&bits(1), Bits::lit(1, 1)).with_reset(),
        }
    }

    /// There is a place. A register.
    pub fn room(&self) -> Bits<L> {
        self.room.get()
    }

    /// One clock cycle: a place is taken, only if there is room, and one is given back. The result is 1 if there is a place
    /// in the next clock cycle, for a register that looks at more than this.
    pub fn clock(&self, takes: Bits<L>, gives: Bits<L>) -> Bits<L> {
        let used = self.used.get();
        let one = |bit: Bits<L>| bit.extend(used.width());
        let full = !self.room.get() | used.equals(PLACES - 1) & takes;
        let room = gives | !full;
        self.room.set(room);
        self.used.set(used + one(takes) - one(gives));
        room
    }
}
