// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets in a time as a rate (V11, W7).

/// `count` x 2^16 / `span` as the rows round it, before they say how much it is at most.
///
/// The rule in its own words, for a span that is not 0: *p* is the place of the leading one, *m* the 8 bits from there on.
#[must_use]
pub const fn rate(count: u64, span: u64) -> u64 {
    let p = span.ilog2();
    let m = if p >= 7 { span / 2_u64.pow(p - 7) } else { span * 2_u64.pow(7 - p) };
    count * (2_u64.pow(24) / m) / 2_u64.pow(p + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // A power of two is exact; of 3 units m is 192, of 257 it is 128 and of 511 it is 255.
        assert_eq!([rate(1, 1), rate(5, 2), rate(3, 1 << 20)], [1 << 16, 5 << 15, 0]);
        assert_eq!([rate(1, 3), rate(4, 3), rate(1, 257), rate(1000, 511)], [21845, 87381, 256, 128_501]);
    }
}
