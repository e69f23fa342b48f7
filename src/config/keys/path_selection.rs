// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of the stages of path selection.

use super::{Key, Kind, Value};
use pipeline::transmit::entropy_selector::mode;
use pipeline::transmit::path_scheduler::EntropyRule;

/// Defines an optional mode of the entropy selector.
macro_rules! mode {
    ($name:literal, $help:literal, $mode:ident) => {
        Key {
            section: "entropy_selector",
            name: $name,
            help: $help,
            kind: Kind::Flag,
            get: |config| Value::Flag(config.entropy_selector.modes.has(mode::$mode)),
            set: |config, value| {
                let modes = &mut config.entropy_selector.modes;
                *modes = modes.with(mode::$mode, value == Value::Flag(true));
            },
        }
    };
}

pub(super) const KEYS: &[Key] = &[
    key!(
        "entropy_selector",
        "cccs",
        "Number of congestion control contexts (CCCs) of the stage `entropy_selector`, per pipeline.",
        Kind::Whole(1, 4096),
        Whole,
        entropy_selector.cccs
    ),
    key!(
        "entropy_selector",
        "evs",
        "Number of entropy values (EVs) per CCC: the paths that it chooses from.",
        Kind::OneOf(&[16, 32, 64, 128, 256, 512, 1024]),
        Whole,
        entropy_selector.evs
    ),
    key!(
        "entropy_selector",
        "ports",
        "Number of egress ports of the NIC; the lowest bits of an EV select its port.",
        Kind::OneOf(&[1, 2, 4, 8]),
        Whole,
        entropy_selector.ports
    ),
    key!(
        "entropy_selector",
        "wire_base",
        "Lowest EV on the wire, a UDP source port: a multiple of `wire_range`.",
        Kind::Whole(16, 65_520),
        Whole,
        entropy_selector.wire_base
    ),
    key!(
        "entropy_selector",
        "wire_range",
        "Number of EVs on the wire; each CCC has `evs` of them, at a random place.",
        Kind::OneOf(&[16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768]),
        Whole,
        entropy_selector.wire_range
    ),
    mode!(
        "oblivious",
        "Support for CCCs that use every EV once per round. Path-aware spraying with a bitmap is always included.",
        OBLIVIOUS
    ),
    mode!("round_robin", "Support for CCCs that use the EVs in the order of their numbers.", ROUND_ROBIN),
    mode!("single_path", "Support for CCCs that use one EV at a time, as for ROD.", SINGLE_PATH),
    mode!("reps", "Support for CCCs that reuse EVs whose feedback has no mark.", REPS),
    mode!("mixed", "Support for CCCs that reuse such EVs while there are any, and otherwise use the bitmap.", MIXED),
    mode!("penalty", "Support for a bitmap with a number of penalties instead of a mark.", PENALTY),
    key!(
        "path_scheduler",
        "qps",
        "Number of queue pairs (QPs) of the stage `path_scheduler`, per pipeline.",
        Kind::Whole(1, 4096),
        Whole,
        path_scheduler.qps
    ),
    key!(
        "path_scheduler",
        "paths",
        "Number of sub-paths per QP.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64]),
        Whole,
        path_scheduler.paths
    ),
    key!(
        "path_scheduler",
        "weight_bits",
        "Bits of the weight of a sub-path: 8 share bandwidths of 1:40 within 2 %, 4 within 40 %.",
        Kind::Whole(4, 8),
        Whole,
        path_scheduler.weight_bits
    ),
    key!(
        "path_scheduler",
        "in_flight_bits",
        "Bits of the number of packets in flight on a sub-path; its window is below half of what they count.",
        Kind::Whole(8, 24),
        Whole,
        path_scheduler.in_flight_bits
    ),
    Key {
        section: "path_scheduler",
        name: "entropy",
        help: "Entropy of a sub-path: \"table\" has one for each, which commands change; \"xor\" needs no memory and no\nadditional latency: that of the QP XOR the number of the sub-path.",
        kind: Kind::Word(&["xor", "table"]),
        get: |config| {
            let word = match config.path_scheduler.entropy {
                EntropyRule::Xor => "xor",
                EntropyRule::Table => "table",
            };
            Value::Text(word.to_owned())
        },
        set: |config, value| {
            let xor = value == Value::Text("xor".to_owned());
            config.path_scheduler.entropy = if xor { EntropyRule::Xor } else { EntropyRule::Table };
        },
    },
    key!(
        "elab",
        "pairs",
        "Number of pairs of hosts of the stages `elab_scheduler` and `elab_feedback`, per pipeline.",
        Kind::Whole(1, 4096),
        Whole,
        elab.pairs
    ),
    key!(
        "elab",
        "vps",
        "Number of virtual paths (VPs) per pair.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64]),
        Whole,
        elab.vps
    ),
    key!(
        "elab",
        "unit",
        "Clock cycles per unit of time of ELAB's rates; the unit must be the same time on both hosts.",
        Kind::Whole(8, 65_535),
        Whole,
        elab.unit
    ),
    key!(
        "elab",
        "report_dscp",
        "The DSCP of packets that `elab_host` sends for their report alone.",
        Kind::Whole(0, 63),
        Whole,
        elab.report_dscp
    ),
];
