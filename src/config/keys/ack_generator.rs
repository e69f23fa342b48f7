// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[ack_generator]`.

use super::{Key, Kind, Value};
use pipeline::ack_generator::AckProtocol;

pub(super) const KEYS: &[Key] = &[
    Key {
        section: "ack_generator",
        name: "protocol",
        help: "What the receiver answers if the pipeline has both: \"roce\", with and without multipath, or \"uet\".",
        kind: Kind::Word(&["roce", "uet"]),
        get: |config| {
            let word = match config.ack_generator.protocol {
                AckProtocol::Roce => "roce",
                AckProtocol::Uet => "uet",
            };
            Value::Text(word.to_owned())
        },
        set: |config, value| {
            let uet = value == Value::Text("uet".to_owned());
            config.ack_generator.protocol = if uet { AckProtocol::Uet } else { AckProtocol::Roce };
        },
    },
    key!(
        "ack_generator",
        "connections",
        "Number of connections of the stage `ack_generator`, per pipeline; that of `reorder`.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]),
        Whole,
        ack_generator.connections
    ),
    key!(
        "ack_generator",
        "window",
        "PSNs in the window of a connection; that of `reorder`.",
        Kind::OneOf(&[64, 128, 256, 512, 1024]),
        Whole,
        ack_generator.window
    ),
    key!(
        "ack_generator",
        "replies",
        "Answers to single packets that can wait, such as NACKs; above that an ACK is sent in their place.",
        Kind::OneOf(&[4, 8, 16, 32, 64, 128, 256, 512, 1024]),
        Whole,
        ack_generator.replies
    ),
    key!(
        "ack_generator",
        "handle_bits",
        "UET: bits that come with a packet and are given back with its reply.",
        Kind::OneOf(&[1, 2, 4, 8, 16, 32, 64]),
        Whole,
        ack_generator.handle_bits
    ),
];
