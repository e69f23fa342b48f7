// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows 13 and 14: entropy goes into the selected field, and changes nothing if the frame does not have that field.

use super::kinds::{KINDS, Kind, record, rest_of};
use crate::frame::header_builder::suite::Suite;
use crate::rng::SplitMix64;

/// The values of `entropy_target`.
const INTO: [(u8, &str); 4] = [(0, "recorded"), (1, "source-port"), (2, "flow-label"), (3, "reserved")];

/// Adds the group `entropy`: kinds of frames with and without the field, each with all targets.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("entropy", "entropy into the UDP source port, the entropy header and the flow label");
    let kinds: Vec<_> = [0, 1, 2, 5, 6, 7, 9].into_iter().map(|at| KINDS[at]).collect();
    for (l3, version) in [(0, "other"), (1, "v4"), (2, "v6")] {
        for &kind in &kinds[..if l3 == 0 { 1 } else { kinds.len() }] {
            for entropy in [0, 0xF_FFFF, rng.next_u64() as u32 & 0xF_FFFF] {
                each(suite, kind, (l3, version), entropy, "entropy", rng);
            }
        }
    }
}

/// A few of these cases, for stages with other configurations.
pub fn some(suite: &mut Suite, rng: &mut SplitMix64) {
    for kind in [KINDS[2], KINDS[7]] {
        each(suite, kind, (2, "v6"), 0xA_5A5A, "entropy", rng);
    }
}

fn each(suite: &mut Suite, kind: Kind, (l3, version): (u8, &str), entropy: u32, prefix: &str, rng: &mut SplitMix64) {
    for (into, where_to) in INTO {
        let mut record = record(kind, into % 3, l3, rng);
        (record.entropy, record.entropy_target, record.payload_length) = (entropy, into, 9);
        let rest = rest_of(&record, rng);
        let id = format!("{prefix}-{version}-{}-{where_to}-{entropy:05x}", kind.4);
        suite.add(id, "entropy of this value, to go there", (&["Entropy"], &["R13", "R14"]), &record, rest);
    }
}
