// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of gaps (R13).

/// Times wrap to 0 at this value.
const TIMES: u64 = 1 << 20;

/// The `time` of a cycle.
pub const fn time(cycle: u64) -> u64 {
    cycle / 64 % TIMES
}

/// Time from one to another, modulo 2 to the 20th (R13).
pub const fn age(from: u64, to: u64) -> u64 {
    to.wrapping_sub(from) % TIMES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_begin_again() {
        assert_eq!([63, 64, (TIMES - 1) * 64, TIMES * 64 + 130].map(time), [0, 1, TIMES - 1, 2]);
        assert_eq!([(5, 5), (5, 6), (TIMES - 1, 2), (1, 0)].map(|(from, to)| age(from, to)), [0, 1, 3, TIMES - 1]);
    }
}
