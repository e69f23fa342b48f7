// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of the stages of frames.

use super::{Key, Kind, Value};
use pipeline::frame::frame_gate::DropMode;
use pipeline::frame::header_builder::UdpChecksum;
use pipeline::headers::side_band::SideBand;

/// Defines a width of the side band.
macro_rules! side {
    ($name:literal, $help:literal, $most:ident, $place:ident) => {
        Key {
            section: "side_band",
            name: $name,
            help: $help,
            kind: Kind::Whole(0, SideBand::$most as u64),
            get: |config| Value::Whole(config.side_band.$place.into()),
            set: |config, value| {
                if let Value::Whole(x) = value {
                    config.side_band.$place = x.try_into().unwrap_or(SideBand::$most);
                }
            },
        }
    };
}

pub(super) const KEYS: &[Key] = &[
    side!(
        "tid_width",
        "Width of `tid`, which every stage passes on with the frames; with 0 there are no such ports.",
        MAX_ID_WIDTH,
        tid
    ),
    side!("tdest_width", "Width of `tdest`, in the same way.", MAX_ID_WIDTH, tdest),
    side!(
        "tuser_width",
        "Width of the user's part of `tuser`, above the bits of the stages: 96 for Corundum's time stamp of a received frame.",
        MAX_USER_WIDTH,
        tuser
    ),
    key!(
        "frame_gate",
        "depth",
        "Bytes of frames that the stage `frame_gate` holds, rounded up to a power of two beats; by default three jumbo frames.",
        Kind::Whole(256, 1 << 22),
        Whole,
        frame_gate.depth
    ),
    key!(
        "frame_gate",
        "frames",
        "Number of frames whose header records it holds.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]),
        Whole,
        frame_gate.frames
    ),
    Key {
        section: "frame_gate",
        name: "drop",
        help: "Treatment of frames whose verdict is drop: they are dropped, or pass with their mark.",
        kind: Kind::Word(&["drop", "mark"]),
        get: |config| {
            let mode = DropMode::ALL.iter().find(|(_, mode)| *mode == config.frame_gate.drop);
            Value::Text(mode.map_or_else(String::new, |(word, _)| (*word).to_owned()))
        },
        set: |config, value| {
            let mode = DropMode::ALL.iter().find(|(word, _)| value == Value::Text((*word).to_owned()));
            config.frame_gate.drop = mode.map_or(DropMode::Drop, |(_, mode)| *mode);
        },
    },
    key!(
        "frame_gate",
        "records",
        "Whether header records pass with the frames; without records it can be used after other parsers.",
        Kind::Flag,
        Flag,
        frame_gate.records
    ),
    Key {
        section: "header_builder",
        name: "udp_checksum",
        help: "UDP checksum of frames that are built: 0, which means none, or that of the header record.",
        kind: Kind::Word(&["zero", "recorded"]),
        get: |config| {
            let word = match config.udp_checksum {
                UdpChecksum::Zero => "zero",
                UdpChecksum::Recorded => "recorded",
            };
            Value::Text(word.to_owned())
        },
        set: |config, value| {
            let recorded = value == Value::Text("recorded".to_owned());
            config.udp_checksum = if recorded { UdpChecksum::Recorded } else { UdpChecksum::Zero };
        },
    },
];
