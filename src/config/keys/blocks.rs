// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of the blocks, and of the stages of the tutorials.

use super::{Key, Kind, Value};
use pipeline::blocks::arbiter::{MAX_REQUESTS, Policy};

pub(super) const KEYS: &[Key] = &[
    key!(
        "mark_monitor",
        "paths",
        "Number of paths of the stage `mark_monitor`.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]),
        Whole,
        mark_monitor.paths
    ),
    key!(
        "mark_monitor",
        "alarms",
        "Number of rows of the FIFO for alarms.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]),
        Whole,
        mark_monitor.alarms
    ),
    key!("tally", "rows", "Number of counters of the stage `tally`.", Kind::Whole(2, 1 << 24), Whole, tally.rows),
    key!("tally", "width", "Width of a counter in bits.", Kind::Whole(1, 64), Whole, tally.width),
    key!(
        "tally",
        "amount_width",
        "Width in bits of the amount that an event adds; at most `width`.",
        Kind::Whole(1, 64),
        Whole,
        tally.amount_width
    ),
    key!(
        "fifo",
        "depth",
        "Number of rows in the memory of the block `fifo`.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]),
        Whole,
        fifo.depth
    ),
    key!("fifo", "width", "Width of an item in bits.", Kind::Whole(1, 1024), Whole, fifo.width),
    key!(
        "skid_buffer",
        "width",
        "Width in bits of an item of the block `skid_buffer`.",
        Kind::Whole(1, 1024),
        Whole,
        skid_buffer.width
    ),
    key!(
        "arbiter",
        "requests",
        "Number of requests of the block `arbiter`.",
        Kind::Whole(2, MAX_REQUESTS as u64),
        Whole,
        arbiter.requests
    ),
    Key {
        section: "arbiter",
        name: "policy",
        help: "Which request is granted: the lowest one, or the next one in turn.",
        kind: Kind::Word(&["priority", "round_robin"]),
        get: |config| {
            let policy = Policy::ALL.iter().find(|(_, policy)| *policy == config.arbiter.policy);
            Value::Text(policy.map_or_else(String::new, |(word, _)| (*word).to_owned()))
        },
        set: |config, value| {
            let policy = Policy::ALL.iter().find(|(word, _)| value == Value::Text((*word).to_owned()));
            config.arbiter.policy = policy.map_or(Policy::RoundRobin, |(_, policy)| *policy);
        },
    },
];
