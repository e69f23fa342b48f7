// SPDX-License-Identifier: MIT OR Apache-2.0
//! UGAL (row LR7): minimal, if the occupancy of the port times the hops is at most that of the other path and the bias of the
//! level. The steps are those of `requests`:
//!
//! ```text
//!  e + 10    occupancies x hops
//!  e + 11    difference; bias
//!  e + 12    minimal?
//! ```

use super::ports::{BIAS_WIDTH, HOPS_WIDTH, OCCUPANCY_WIDTH};
use super::settings::Biases;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select};

/// Width of an occupancy times hops.
const WEIGHTED: u32 = OCCUPANCY_WIDTH + HOPS_WIDTH;

/// What is compared.
#[derive(Bundle)]
#[shape]
struct Compared<L: Reading> {
    /// The minimal path, less the other one.
    #[width(BIAS_WIDTH)]
    excess: Bits<L>,
    #[width(BIAS_WIDTH)]
    bias: Bits<L>,
}

/// The comparisons of the requests.
#[name_nets]
pub struct Balance<L: Logic> {
    /// Step `e` + 11.
    minimal: Reg<Bits<L>>,
    other: Reg<Bits<L>>,
    /// Step `e` + 12.
    compared: Reg<Compared<L>>,
}

/// A number of two's complement as one that orders them.
#[name_nets]
fn ordered<L: Logic>(value: Bits<L>) -> Bits<L> {
    let sign = value.width() - 1;
    (!value.bit(sign)).concat(value.truncate(sign))
}

#[name_nets]
impl<L: Logic> Balance<L> {
    pub fn new() -> Self {
        const { assert!(WEIGHTED < BIAS_WIDTH) };
        Balance {
            minimal: Reg::new(&bits(WEIGHTED)),
            other: Reg::new(&bits(WEIGHTED)),
            compared: Reg::new(&Compared::shape()),
        }
    }

    /// The request in step `e` + 12 takes the minimal path.
    pub fn is_minimal(&self) -> Bits<L> {
        let Compared { excess, bias } = self.compared.get();
        ordered(bias).at_least(ordered(excess))
    }

    /// One clock cycle: occupancies and hops of both paths in step `e` + 10; the level in step `e` + 11, and the biases.
    pub fn clock(&self, occupancies: [Bits<L>; 2], hops: [Bits<L>; 2], level: Bits<L>, biases: Biases<L>) {
        // e + 11
        let excess = self.minimal.get().extend(BIAS_WIDTH) - self.other.get().extend(BIAS_WIDTH);
        let Biases { of_0, of_1, of_2 } = biases;
        let bias = select(level.bit(1), of_2, select(level.bit(0), of_1, of_0));
        self.compared.set(Compared { excess, bias });
        // e + 10
        self.minimal.set((occupancies[0] * hops[0]).extend(WEIGHTED + 1).truncate(WEIGHTED));
        self.other.set((occupancies[1] * hops[1]).truncate(WEIGHTED));
    }
}
