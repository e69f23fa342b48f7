// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys and rows as they are stored.

use super::config::ContextLookupConfig;
use super::kinds::KeyKinds;
use super::ports::KeyPorts;
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// A key, with a code that distinguishes the included kinds only.
#[derive(Bundle)]
#[shape(config: ContextLookupConfig)]
pub struct Key<L: Reading> {
    /// Of two kinds, 1 is the one with the higher code; of three, the code itself.
    #[width((config.kinds.stored_code_width() > 0).then_some(config.kinds.stored_code_width()))]
    pub kind: Option<Bits<L>>,
    /// The lowest bits, at most 64.
    #[shape(config.low_word())]
    pub low: Bits<L>,
    /// The other three words of 64 bits.
    #[shape(config.high_word().map(|word| [word; 3]))]
    pub high: Option<[Bits<L>; 3]>,
}

#[name_nets]
impl<L: Logic> Key<L> {
    /// The key on these ports, if its kind is included.
    pub fn of_ports(kinds: KeyKinds, ports: KeyPorts<L>) -> Self {
        let KeyPorts { kind, low, high } = ports;
        let stored_kind = match *kinds.codes() {
            [_, high] => Some(kind.equals(high)),
            [_, _, _] => Some(kind),
            _ => None,
        };
        let high = match high {
            [Some(one), Some(two), Some(three)] => Some([one, two, three]),
            _ => None,
        };
        Key { kind: stored_kind, low, high }
    }

    /// 1 if both keys are equal.
    pub fn equals(self, other: Key<L>) -> Bits<L> {
        let mut equal = self.low.equals(other.low);
        if let (Some(here), Some(there)) = (self.kind, other.kind) {
            equal = equal & here.equals(there);
        }
        if let (Some(here), Some(there)) = (self.high, other.high) {
            equal = equal & here[0].equals(there[0]) & (here[1].equals(there[1]) & here[2].equals(there[2]));
        }
        equal
    }

    /// The words of the key, the lowest first.
    pub fn words(self) -> Vec<Bits<L>> {
        [self.low].into_iter().chain(self.high.into_iter().flatten()).collect()
    }
}

/// A key with the index of its context: a row of a sub-table, or a place of the stash.
#[derive(Bundle)]
#[shape(config: ContextLookupConfig)]
pub struct Entry<L: Reading> {
    /// There is a key.
    #[reset]
    pub valid: Bits<L>,
    pub key: Key<L>,
    #[shape(config.index())]
    pub index: Bits<L>,
}

#[name_nets]
impl<L: Logic> Entry<L> {
    /// 1 if there is a key, and it is this one.
    pub fn holds(self, key: Key<L>) -> Bits<L> {
        self.valid & self.key.equals(key)
    }
}
