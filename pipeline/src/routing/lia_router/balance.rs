// SPDX-License-Identifier: MIT OR Apache-2.0
//! UGAL (row LR7): minimal, if the occupancy of the port times the hops is at most that of the other path and the bias of the
//! level. The steps are those of `requests`:
//!
//! ```text
//!  e + 10    occupancies
//!  e + 11    occupancies x hops
//!  e + 12    difference; bias
//!  e + 13    minimal?
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
    occupancies: [Reg<Bits<L>>; 2],
    /// Step `e` + 12.
    minimal: Reg<Bits<L>>,
    other: Reg<Bits<L>>,
    /// Step `e` + 13.
    compared: Reg<Compared<L>>,
}

#[name_nets]
impl<L: Logic> Balance<L> {
    pub fn new() -> Self {
        const { assert!(WEIGHTED < BIAS_WIDTH) };
        Balance {
            occupancies: [0, 1].map(|path| Reg::numbered(path, &bits(OCCUPANCY_WIDTH))),
            minimal: Reg::new(&bits(WEIGHTED)),
            other: Reg::new(&bits(WEIGHTED)),
            compared: Reg::new(&Compared::shape()),
        }
    }

    /// The request in step `e` + 13 takes the minimal path.
    pub fn is_minimal(&self) -> Bits<L> {
        let Compared { excess, bias } = self.compared.get();
        let wide = |value: Bits<L>| value.extend_signed(BIAS_WIDTH + 1);
        !(wide(bias) - wide(excess)).bit(BIAS_WIDTH)
    }

    /// One clock cycle: occupancies of both paths in step `e` + 10, and hops in step `e` + 11; the level in step `e` + 12, and the
    /// biases.
    pub fn clock(&self, occupancies: [Bits<L>; 2], hops: [Bits<L>; 2], level: Bits<L>, biases: Biases<L>) {
        // e + 12
        let excess = self.minimal.get().extend(BIAS_WIDTH) - self.other.get().extend(BIAS_WIDTH);
        let Biases { of_0, of_1, of_2 } = biases;
        let bias = select(level.bit(1), of_2, select(level.bit(0), of_1, of_0));
        self.compared.set(Compared { excess, bias });
        // e + 11
        let [minimal, other] = Reg::get_all(&self.occupancies);
        self.minimal.set(minimal * hops[0]);
        self.other.set(other * hops[1]);
        // e + 10
        self.occupancies[0].set(occupancies[0]);
        self.occupancies[1].set(occupancies[1]);
    }
}
