// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shift registers in look-up tables: what yosys' `xilinx_srl -fixed -minlen 3` and `cells_map.v` make from a chain of
//! flip-flops.

use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::Add;

/// The name in tables of results, for SRL16E and SRLC32E.
pub const SRL: &str = "SRL";

/// The shortest chain that becomes a shift register.
const SHORTEST: u32 = 3;
/// Number of steps of an SRLC32E.
const STEPS: u32 = 32;
/// One step more than an SRL16E has: this step becomes a flip-flop.
const ONE_TOO_MANY: u32 = 17;

/// The result of the replacement of chains.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shift {
    /// Number of flip-flops that are replaced.
    pub replaced: u64,
    /// Number of tables that replace them.
    pub tables: u64,
}

impl Shift {
    /// Replaces one chain.
    fn of_length(length: u32) -> Self {
        if length < SHORTEST {
            return Shift::default();
        }
        let (whole, rest) = (length / STEPS, length % STEPS);
        let kept = u32::from(rest == 1 || rest == ONE_TOO_MANY);
        Shift { replaced: (length - kept).into(), tables: (whole + u32::from(rest > 1)).into() }
    }

    /// Replaces chains, given as numbers by length.
    pub fn of(delays: &BTreeMap<u32, u64>) -> Self {
        let some = |(&length, &count): (&u32, &u64)| {
            let Shift { replaced, tables } = Shift::of_length(length);
            Shift { replaced: replaced * count, tables: tables * count }
        };
        delays.iter().map(some).sum()
    }
}

impl Add for Shift {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Shift { replaced: self.replaced + other.replaced, tables: self.tables + other.tables }
    }
}

impl Sum for Shift {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Shift::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths at which the rule of `cells_map.v` changes: flip-flops replaced, tables.
    #[test]
    fn chains_become_tables() {
        let known = [
            (2, (0, 0)),
            (3, (3, 1)),
            (16, (16, 1)),
            (17, (16, 1)),
            (18, (18, 1)),
            (32, (32, 1)),
            (33, (32, 1)),
            (34, (34, 2)),
            (49, (48, 2)),
            (64, (64, 2)),
            (65, (64, 2)),
            (96, (96, 3)),
            (97, (96, 3)),
            (128, (128, 4)),
            (129, (128, 4)),
        ];
        for (length, (replaced, tables)) in known {
            assert_eq!(Shift::of_length(length), Shift { replaced, tables }, "{length}");
        }
        assert_eq!(Shift::of(&[(2, 9), (3, 10), (33, 2)].into()), Shift { replaced: 94, tables: 12 });
    }
}
