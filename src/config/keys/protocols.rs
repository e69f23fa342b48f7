// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[protocols]`.

use super::{Key, Kind, Value};
use pipeline::headers::protocols::{MpehIndicator, Reserved};

/// Defines a number of `protocols` that has fewer than 64 bits.
macro_rules! number {
    ($name:literal, $help:literal, $most:literal, $place:ident) => {
        Key {
            section: "protocols",
            name: $name,
            help: $help,
            kind: Kind::Whole(0, $most),
            get: |config| Value::Whole(config.protocols.$place.into()),
            set: |config, value| {
                if let Value::Whole(x) = value {
                    config.protocols.$place = x.try_into().unwrap_or($most);
                }
            },
        }
    };
}

pub(super) const KEYS: &[Key] = &[
    key!(
        "protocols",
        "rocev2",
        "Whether the pipeline supports RoCEv2 with the multipath extension header (MPEH).",
        Kind::Flag,
        Flag,
        protocols.rocev2
    ),
    key!(
        "protocols",
        "uet",
        "Whether the pipeline supports Ultra Ethernet (UET), over UDP and directly on IP.",
        Kind::Flag,
        Flag,
        protocols.uet
    ),
    key!("protocols", "elab", "Whether the pipeline supports ELAB.", Kind::Flag, Flag, protocols.elab),
    number!(
        "rocev2_port",
        "UDP destination port of RoCEv2. If ports are equal, RoCEv2 comes before UET, and UET before ELAB.",
        65535,
        rocev2_port
    ),
    number!("uet_port", "UDP destination port of Ultra Ethernet.", 65535, uet_port),
    number!("uet_protocol", "IP protocol of Ultra Ethernet without UDP; 17 turns it off.", 255, uet_protocol),
    number!("elab_port", "UDP destination port of the ELAB tunnel.", 65535, elab_port),
    number!("elab_inner", "IP protocol of the packets that the ELAB tunnel carries.", 255, elab_inner),
    Key {
        section: "protocols",
        name: "mpeh",
        help: "How an MPEH is announced: by mask 0x40 in byte 8 of the BTH, or by an OpCode of 0xC0 plus the operation.",
        kind: Kind::Word(&["bit", "opcode"]),
        get: |config| {
            let mark = match config.protocols.mpeh {
                MpehIndicator::Bit => "bit",
                MpehIndicator::OpCode => "opcode",
            };
            Value::Text(mark.to_owned())
        },
        set: |config, value| {
            let opcode = value == Value::Text("opcode".to_owned());
            config.protocols.mpeh = if opcode { MpehIndicator::OpCode } else { MpehIndicator::Bit };
        },
    },
    Key {
        section: "protocols",
        name: "reserved",
        help: "Treatment of frames whose reserved bits are not 0: they are ignored, counted, or dropped.",
        kind: Kind::Word(&["ignore", "count", "refuse"]),
        get: |config| {
            let word = match config.protocols.reserved {
                Reserved::Ignore => "ignore",
                Reserved::Count => "count",
                Reserved::Refuse => "refuse",
            };
            Value::Text(word.to_owned())
        },
        set: |config, value| {
            config.protocols.reserved = match value {
                Value::Text(word) if word == "count" => Reserved::Count,
                Value::Text(word) if word == "refuse" => Reserved::Refuse,
                _ => Reserved::Ignore,
            };
        },
    },
];
