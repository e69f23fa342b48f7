// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[tx]`, the transmit path.

use super::ack_generator::{PROTOCOLS, protocol_of, protocol_word};
use super::{Key, Kind, Value};

pub(super) const KEYS: &[Key] = &[
    Key {
        section: "tx",
        name: "protocol",
        help: "What the transmit path `tx` sends if the pipeline has both: \"roce\", with multipath, or \"uet\".",
        kind: Kind::Word(PROTOCOLS),
        get: |config| protocol_word(config.tx.protocol),
        set: |config, value| config.tx.protocol = protocol_of(&value),
    },
    key!(
        "tx",
        "messages",
        "Messages of a PDC that can wait or be under way in the transmit path `tx`.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64]),
        Whole,
        tx.messages
    ),
    key!(
        "tx",
        "segment",
        "Payload bytes of a packet; the last one of a message has what is left.",
        Kind::OneOf(&[256, 512, 1024, 2048, 4096, 8192]),
        Whole,
        tx.segment
    ),
    key!(
        "tx",
        "header_bytes",
        "UET: bytes in front of the payload of each packet, the SES header.",
        Kind::Whole(0, 252),
        Whole,
        tx.header_bytes
    ),
    key!(
        "tx",
        "handle_bits",
        "Width of the name that the host gives to a message.",
        Kind::Whole(1, 32),
        Whole,
        tx.handle_bits
    ),
    key!("tx", "dscp", "The DSCP of data packets.", Kind::Whole(0, 63), Whole, tx.dscp),
    key!(
        "tx",
        "control_dscp",
        "RCCC: the DSCP of control packets, CREDIT and CREDIT_REQUEST.",
        Kind::Whole(0, 63),
        Whole,
        tx.control_dscp
    ),
    key!(
        "tx",
        "credit_request_us",
        "RCCC: the time in microseconds in which each PDC is polled once, to see whether it stands still without credit.",
        Kind::Whole(1, 10_000),
        Whole,
        tx.credit_request_us
    ),
];
