// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[ccc_table]`.

use super::{Key, Kind, Value};
use pipeline::transmit::ccc_table::CccAlgorithms;

const ALGORITHMS: [(&str, CccAlgorithms); 4] = [
    ("nscc", CccAlgorithms::Nscc),
    ("rccc", CccAlgorithms::Rccc),
    ("both", CccAlgorithms::Both),
    ("none", CccAlgorithms::None),
];

pub(super) const KEYS: &[Key] = &[
    key!(
        "ccc_table",
        "cccs",
        "Number of congestion control contexts (CCCs) of the stage `ccc_table`, per pipeline.",
        Kind::Whole(1, 16_384),
        Whole,
        ccc_table.cccs
    ),
    Key {
        section: "ccc_table",
        name: "algorithms",
        help: "Congestion control that the stage includes: \"nscc\", \"rccc\", \"both\" (each CCC chooses) or \"none\".",
        kind: Kind::Word(&["nscc", "rccc", "both", "none"]),
        get: |config| {
            let word = ALGORITHMS.iter().find(|(_, algorithms)| *algorithms == config.ccc_table.algorithms);
            Value::Text(word.map_or("nscc", |(word, _)| word).to_owned())
        },
        set: |config, value| {
            if let Some((_, algorithms)) = ALGORITHMS.iter().find(|(word, _)| value == Value::Text((*word).to_owned()))
            {
                config.ccc_table.algorithms = *algorithms;
            }
        },
    },
    key!(
        "ccc_table",
        "classes",
        "Strict classes of CCCs; the lowest one that has a CCC is served.",
        Kind::Whole(1, 4),
        Whole,
        ccc_table.classes
    ),
    key!(
        "ccc_table",
        "delay_shift",
        "NSCC: weight of a delay sample in the filtered delay, as a negative power of two.",
        Kind::Whole(4, 8),
        Whole,
        ccc_table.delay_shift
    ),
    key!(
        "ccc_table",
        "credit_unit",
        "RCCC: bytes of a unit of credit on the wire, of senders and of receivers.",
        Kind::OneOf(&[64, 128, 256, 512, 1024, 2048, 4096]),
        Whole,
        ccc_table.credit_unit
    ),
];
