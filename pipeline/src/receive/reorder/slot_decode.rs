// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`SlotDecode`]: a slot, with the low and the high part of its number decoded apart. Each slot of the window is then compared
//! with it in one look-up table, behind a register, where one decoder for all slots would be four levels of wide nets.

use super::config::ReorderConfig;
use rtl_model::{Bits, Bundle, Logic, Reading, Wide, clog2, name_nets};

/// A slot.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct SlotDecode<L: Reading> {
    /// The low parts below its own.
    #[width(1 << (config.slot_bits() / 2))]
    low_before: Bits<L>,
    /// The high parts below its own.
    #[width(1 << (config.slot_bits() - config.slot_bits() / 2))]
    high_before: Bits<L>,
    /// Its high part.
    #[width(1 << (config.slot_bits() - config.slot_bits() / 2))]
    high: Bits<L>,
}

#[name_nets]
impl<L: Logic> SlotDecode<L> {
    /// The slot of this number.
    pub fn of(slot: Bits<L>) -> Self {
        let low_bits = slot.width() / 2;
        let (low, high) = (slot.truncate(low_bits), slot.slice(low_bits, slot.width() - low_bits));
        let before = |part: Bits<L>| !(!Bits::lit(1 << part.width(), 0) << part);
        SlotDecode { low_before: before(low), high_before: before(high), high: Bits::lit(1 << high.width(), 1) << high }
    }

    /// The slots before this one.
    pub fn slots_before(self) -> Wide<L> {
        let SlotDecode { low_before, high_before, high } = self;
        let lane = low_before.width();
        let mut low_in_all = low_before.widen();
        for _ in 0..clog2(high.width().into()) {
            low_in_all = low_in_all.concat(low_in_all);
        }
        high_before.spread(lane) | high.spread(lane) & low_in_all
    }
}
