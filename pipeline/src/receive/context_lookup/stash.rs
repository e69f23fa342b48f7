// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stash: a queue of keys in registers that wait for a row, front in place 0. All places are compared at once.

use super::config::{ContextLookupConfig, STASH};
use super::records::{Entry, Key};
use super::sub_tables::each;
use rtl_model::{Bits, Logic, Reg, name_nets, select};

/// The queue of keys without a row. Places that hold a key follow one another from place 0 on.
#[name_nets]
pub struct Stash<L: Logic> {
    places: Vec<Reg<Entry<L>>>,
}

#[name_nets]
impl<L: Logic> Stash<L> {
    pub fn new(config: ContextLookupConfig) -> Self {
        Stash { places: (0..STASH as u32).map(|place| Reg::numbered(place, &Entry::shape(config))).collect() }
    }

    /// What is in each place.
    pub fn entries(&self) -> Vec<Entry<L>> {
        self.places.iter().map(Reg::get).collect()
    }

    /// The key at the front, if there is one.
    pub fn front(&self) -> Entry<L> {
        self.places[0].get()
    }

    /// 1 if there is no free place.
    pub fn full(&self) -> Bits<L> {
        self.places[STASH - 1].get().valid
    }

    /// One bit per place: it holds this key.
    pub fn matches(&self, key: Key<L>) -> Bits<L> {
        let matches: Vec<_> = self.places.iter().map(|place| place.get().holds(key)).collect();
        each(&matches)
    }

    /// One clock cycle. `taken_out` has one bit per place, of which at most one is 1: the keys behind move up. With
    /// `push`, `entry` goes to the back; not in the same clock cycle.
    pub fn clock(&self, taken_out: Bits<L>, push: Bits<L>, entry: Entry<L>) {
        let places = self.entries();
        let empty = Entry { valid: Bits::lit(1, 0), ..entry };
        for place in 0..STASH {
            let moves_up = taken_out.truncate(place as u32 + 1).any();
            let behind = if place + 1 < STASH { places[place + 1] } else { empty };
            let is_back = if place == 0 { !places[0].valid } else { places[place - 1].valid & !places[place].valid };
            let pushed = Entry { valid: Bits::lit(1, 1), ..entry };
            self.places[place].set_if(moves_up | push & is_back, select(moves_up, behind, pushed));
        }
    }
}
