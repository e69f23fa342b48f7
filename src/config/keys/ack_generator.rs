// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[ack_generator]`.

use super::{Key, Kind, Value};
use pipeline::receive::ack_generator::AckProtocol;

/// The words for the protocols that have connections.
pub(super) const PROTOCOLS: &[&str] = &["roce", "uet"];

/// The word for a protocol.
pub(super) fn protocol_word(protocol: AckProtocol) -> Value {
    let word = match protocol {
        AckProtocol::Roce => "roce",
        AckProtocol::Uet => "uet",
    };
    Value::Text(word.to_owned())
}

/// The protocol of a word.
pub(super) fn protocol_of(word: &Value) -> AckProtocol {
    if *word == Value::Text("uet".to_owned()) { AckProtocol::Uet } else { AckProtocol::Roce }
}

pub(super) const KEYS: &[Key] = &[
    Key {
        section: "ack_generator",
        name: "protocol",
        help: "What the receiver answers if the pipeline has both: \"roce\", with and without multipath, or \"uet\".",
        kind: Kind::Word(PROTOCOLS),
        get: |config| protocol_word(config.ack_generator.protocol),
        set: |config, value| config.ack_generator.protocol = protocol_of(&value),
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
