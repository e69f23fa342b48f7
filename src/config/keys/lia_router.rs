// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[lia_router]`.

use super::Kind::Whole;
use pipeline::routing::lia_router::Hop;

words!(Hop = [("rule", Hop::Rule), ("kept", Hop::Kept), ("dropped", Hop::Dropped)]);

section! {
    /// Size of the stage `lia_router`.
    LiaRouter: lia_router {
        /// Whether the pipeline is that of a switch of a Dragonfly: the stage `lia_router` alone.
        present: bool = false;
        /// Global links of a switch, h (L01).
        global_ports: u64 = 4, Whole(1, 16);
        /// Switches of a group, a; balanced are 2 h (L01).
        switches: u64 = 8, Whole(2, 64);
        /// Links between two groups, t: a divisor of a h, at most half of it; there are a h / t + 1 groups (L02).
        trunks: u64 = 1, Whole(1, 512);
        /// Width of the counters of flits: a queue has fewer flits than half of what they count, an interval fewer than all.
        counter_bits: u64 = 16, Whole(8, 16);
    }
}
