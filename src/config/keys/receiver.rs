// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of the stages of the receiver.

use super::{Key, Kind, Value, auto_or, whole};
use crate::config::HoldMode;
use pipeline::blocks::secded::Protection;

pub(super) const KEYS: &[Key] = &[
    key!(
        "context_lookup",
        "entries",
        "Number of contexts of received frames, per pipeline; memory is used best just below 0.9 times a power of two.",
        Kind::Whole(2, 16_384),
        Whole,
        context_lookup.entries
    ),
    key!(
        "reorder",
        "connections",
        "Number of connections of the stage `reorder`, per pipeline.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]),
        Whole,
        reorder.connections
    ),
    key!(
        "reorder",
        "window",
        "PSNs of a connection from the first one that has not been read; covers what paths differ at full rate (M100).",
        Kind::OneOf(&[64, 128, 256, 512, 1024]),
        Whole,
        reorder.window
    ),
    key!(
        "reorder",
        "paths",
        "Number of sub-paths per connection whose packets are counted.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256]),
        Whole,
        reorder.paths
    ),
    key!(
        "reorder",
        "psn_bits",
        "Bits of a PSN: 24 for RoCEv2, 32 for UET.",
        Kind::OneOf(&[24, 32]),
        Whole,
        reorder.psn_bits
    ),
    key!(
        "reorder",
        "handle_bits",
        "Bits that are held per packet and delivered with it, such as the number of a buffer.",
        Kind::OneOf(&[1, 2, 4, 8, 16, 32, 64]),
        Whole,
        reorder.handle_bits
    ),
    Key {
        section: "reorder",
        name: "sram_protection",
        help: "Check bits in all memories of the stage: \"secded\" corrects one flipped bit of a word of 64 bits and detects two.\nIt takes a ram_latency of 2 at least, and \"auto\" adds 1; 3 keeps the output register of a block RAM.",
        kind: Kind::Word(&["none", "secded"]),
        get: |config| {
            let now = Protection::ALL.iter().find(|(_, protection)| *protection == config.reorder.sram_protection);
            Value::Text(now.map_or_else(String::new, |(word, _)| (*word).to_owned()))
        },
        set: |config, value| {
            let wanted = Protection::ALL.iter().find(|(word, _)| value == Value::Text((*word).to_owned()));
            config.reorder.sram_protection = wanted.map_or(Protection::None, |(_, protection)| *protection);
        },
    },
    Key {
        section: "reorder",
        name: "hold",
        help: "What the stage `reorder` holds for a packet: \"descriptor\" a handle, \"payload\" its frame, in a pool of cells.",
        kind: Kind::Word(&["descriptor", "payload"]),
        get: |config| {
            let now = HoldMode::ALL.iter().find(|(_, hold)| *hold == config.reorder.hold);
            Value::Text(now.map_or_else(String::new, |(word, _)| (*word).to_owned()))
        },
        set: |config, value| {
            let wanted = HoldMode::ALL.iter().find(|(word, _)| value == Value::Text((*word).to_owned()));
            config.reorder.hold = wanted.map_or(HoldMode::Descriptor, |(_, hold)| *hold);
        },
    },
    key!(
        "reorder",
        "cells",
        "Cells of the pool, shared by all connections.",
        Kind::OneOf(&[16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]),
        Whole,
        reorder.cells
    ),
    Key {
        section: "reorder",
        name: "cell_bytes",
        help: "Bytes of a cell, four beats at least; \"auto\" is 256, and 512 if data_width is 1024.",
        kind: Kind::AutoOr(&[64, 128, 256, 512, 1024]),
        get: |config| auto_or(config.reorder.cell_bytes),
        set: |config, value| config.reorder.cell_bytes = whole(&value),
    },
    Key {
        section: "reorder",
        name: "quota",
        help: "Most cells of a connection, after reset (M101); \"auto\" is a quarter of cells.",
        kind: Kind::AutoOrWhole(1, 65_536),
        get: |config| auto_or(config.reorder.quota),
        set: |config, value| config.reorder.quota = whole(&value),
    },
    Key {
        section: "reorder",
        name: "reserve",
        help: "Cells kept free for packets without which a connection cannot go on, after reset; \"auto\" is a sixteenth of cells.",
        kind: Kind::AutoOrWhole(0, 65_536),
        get: |config| auto_or(config.reorder.reserve),
        set: |config, value| config.reorder.reserve = whole(&value),
    },
];
