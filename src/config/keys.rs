// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every key of the configuration, defined once.

use super::Config;
use crate::device::{DEVICES, Device};
use pipeline::blocks::arbiter::{MAX_REQUESTS, Policy};
use pipeline::entropy_selector::mode;
use pipeline::frame::side_band::SideBand;
use pipeline::frame_gate::DropMode;
use pipeline::header_builder::UdpChecksum;
use pipeline::headers::protocols::{MpehIndicator, Reserved};
use serde::Serialize;
use std::fmt;

/// A key.
pub struct Key {
    /// The table it is in; empty at the top.
    pub section: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it means; the comment above it.
    pub help: &'static str,
    /// What is allowed.
    pub kind: Kind,
    /// Reads it.
    pub get: fn(&Config) -> Value,
    /// Writes it. The value is of the right kind.
    pub set: fn(&mut Config, Value),
}

impl Key {
    /// The key of a section; that without a name is `""`.
    pub fn find(section: &str, name: &str) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.section == section && key.name == name)
    }
}

/// What a key may be.
pub enum Kind {
    /// One of some numbers.
    OneOf(&'static [u64]),
    /// A whole number of a range.
    Whole(u64, u64),
    /// A number of a range.
    Number(f64, f64),
    /// One of some numbers, or `"auto"`.
    AutoOr(&'static [u64]),
    /// The name of a device.
    Device,
    /// True or false.
    Flag,
    /// One of some words.
    Word(&'static [&'static str]),
    /// What a module may be called.
    Name,
}

/// A value of a key.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Whole(u64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// True or false.
    Flag(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Whole(x) => write!(f, "{x}"),
            Value::Number(x) => write!(f, "{x}"),
            Value::Text(x) => write!(f, "\"{x}\""),
            Value::Flag(x) => write!(f, "{x}"),
        }
    }
}

impl Kind {
    /// What is allowed, in words.
    pub fn allowed(&self) -> String {
        match self {
            Kind::OneOf(all) => list(all.iter().map(u64::to_string)),
            Kind::Whole(low, high) => format!("a whole number from {low} to {high}"),
            Kind::Number(low, high) => format!("a number from {low} to {high}"),
            Kind::AutoOr(all) => list(std::iter::once("\"auto\"".to_owned()).chain(all.iter().map(u64::to_string))),
            Kind::Device => list(DEVICES.iter().map(|device| format!("\"{}\"", device.name))),
            Kind::Flag => "true or false".to_owned(),
            Kind::Word(all) => list(all.iter().map(|word| format!("\"{word}\""))),
            Kind::Name => "a name of Verilog, no reserved word".to_owned(),
        }
    }

    /// Whether a value is.
    pub fn allows(&self, value: &Value) -> bool {
        match (self, value) {
            (Kind::OneOf(all), Value::Whole(x)) => all.contains(x),
            (Kind::Whole(low, high), Value::Whole(x)) => (low..=high).contains(&x),
            (Kind::Number(low, high), Value::Number(x)) => (low..=high).contains(&x),
            (Kind::AutoOr(all), Value::Whole(x)) => all.contains(x),
            (Kind::AutoOr(_), Value::Text(x)) => x == "auto",
            (Kind::Device, Value::Text(x)) => Device::find(x).is_some(),
            (Kind::Flag, Value::Flag(_)) => true,
            (Kind::Word(all), Value::Text(x)) => all.contains(&x.as_str()),
            (Kind::Name, Value::Text(x)) => hdl::is_module_name(x),
            _ => false,
        }
    }

    /// The least and the most of whole numbers.
    pub fn limits(&self) -> Option<(u64, u64)> {
        match self {
            Kind::OneOf(all) | Kind::AutoOr(all) => Some((*all.iter().min()?, *all.iter().max()?)),
            Kind::Whole(low, high) => Some((*low, *high)),
            _ => None,
        }
    }
}

/// `a, b or c`.
pub(crate) fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<_> = items.collect();
    match items.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => items.concat(),
    }
}

macro_rules! key {
    ($section:literal, $name:literal, $help:literal, $kind:expr, $variant:ident, $($place:ident).+) => {
        Key {
            section: $section,
            name: $name,
            help: $help,
            kind: $kind,
            get: |config| Value::$variant(config.$($place).+.clone()),
            set: |config, value| {
                if let Value::$variant(x) = value {
                    config.$($place).+ = x;
                }
            },
        }
    };
}

/// A number of `protocols` that has fewer than 64 bits.
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

/// A width of the side band.
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

/// A mode of the entropy selector that it can be built without.
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

/// All keys, those of a section together.
pub const KEYS: &[Key] = &[
    key!(
        "",
        "data_width",
        "Bits of a beat of the AXI4-Stream at both ends of the pipeline.",
        Kind::OneOf(&[64, 128, 256, 512, 1024]),
        Whole,
        data_width
    ),
    Key {
        section: "target",
        name: "device",
        help: "The FPGA that `budget` compares with; boards are known as well: u50, u55c, u200, u250, u280, kr260 ..",
        kind: Kind::Device,
        get: |config| Value::Text(config.target.device.clone()),
        // One device, one name, one hash.
        set: |config, value| {
            if let Value::Text(name) = value {
                config.target.device = Device::find(&name).map_or(name, |device| device.name.to_owned());
            }
        },
    },
    key!("target", "clock_mhz", "Clock of the pipeline in MHz.", Kind::Number(1.0, 2000.0), Number, target.clock_mhz),
    key!(
        "target",
        "link_gbps",
        "Line rate of the link in Gb/s, preamble and inter-packet gap included.",
        Kind::Number(0.01, 3200.0),
        Number,
        target.link_gbps
    ),
    key!(
        "target",
        "pipelines",
        "Equal pipelines among which the link's frames are dealt; the Verilog is of one of them.",
        Kind::Whole(1, 64),
        Whole,
        target.pipelines
    ),
    Key {
        section: "target",
        name: "ram_latency",
        help: "Clocks from address to data of a block memory: 2 is with its output register, 3 with one more register behind that.\n\"auto\" follows device and clock.",
        kind: Kind::AutoOr(&[1, 2, 3]),
        get: |config| config.target.ram_latency.map_or(Value::Text("auto".to_owned()), Value::Whole),
        set: |config, value| {
            config.target.ram_latency = match value {
                Value::Whole(clocks) => Some(clocks),
                _ => None,
            }
        },
    },
    key!(
        "target",
        "prefix",
        "What the names of all modules begin with: PREFIX_header_parser and so on.",
        Kind::Name,
        Text,
        target.prefix
    ),
    key!("protocols", "rocev2", "RoCEv2 with the multipath extension header.", Kind::Flag, Flag, protocols.rocev2),
    key!("protocols", "uet", "Ultra Ethernet, over UDP and directly on IP.", Kind::Flag, Flag, protocols.uet),
    key!("protocols", "elab", "ELAB.", Kind::Flag, Flag, protocols.elab),
    number!(
        "rocev2_port",
        "UDP destination port of RoCEv2. Of equal ports the first of RoCEv2, UET and ELAB has it.",
        65535,
        rocev2_port
    ),
    number!("uet_port", "UDP destination port of Ultra Ethernet.", 65535, uet_port),
    number!("uet_protocol", "IP protocol of Ultra Ethernet without UDP; 17 for none.", 255, uet_protocol),
    number!("elab_port", "UDP destination port of the ELAB tunnel.", 65535, elab_port),
    number!("elab_inner", "IP protocol of what the ELAB tunnel carries.", 255, elab_inner),
    Key {
        section: "protocols",
        name: "mpeh",
        help: "What announces an MPEH: byte 8 of the BTH, mask 0x40, or an OpCode of 0xC0 and the operation.",
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
        help: "What becomes of frames whose reserved bits are not 0: nothing, counted, dropped.",
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
    side!(
        "tid_width",
        "Bits of `tid`, which goes through the stages with every frame; 0 leaves its ports out.",
        MAX_ID_WIDTH,
        tid
    ),
    side!("tdest_width", "The same of `tdest`.", MAX_ID_WIDTH, tdest),
    side!(
        "tuser_width",
        "The same of `tuser`, above the bits of the stages: 96 for Corundum's time stamp of a received frame.",
        MAX_USER_WIDTH,
        tuser
    ),
    key!(
        "frame_gate",
        "depth",
        "Bytes of frames that the stage `frame_gate` holds, in beats rounded up to a power of two; by default three jumbo frames.",
        Kind::Whole(256, 1 << 22),
        Whole,
        frame_gate.depth
    ),
    key!(
        "frame_gate",
        "frames",
        "Frames that it holds the header record of.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]),
        Whole,
        frame_gate.frames
    ),
    Key {
        section: "frame_gate",
        name: "drop",
        help: "What becomes of frames whose verdict is drop: they end there, or pass with their mark.",
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
        "Header records pass with the frames; without them it stands behind other parsers.",
        Kind::Flag,
        Flag,
        frame_gate.records
    ),
    Key {
        section: "header_builder",
        name: "udp_checksum",
        help: "The UDP checksum of frames that are built: 0 for none, or that of the header record.",
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
    key!(
        "entropy_selector",
        "cccs",
        "Congestion control contexts (CCCs) of the stage `entropy_selector`, in each pipeline.",
        Kind::Whole(1, 4096),
        Whole,
        entropy_selector.cccs
    ),
    key!(
        "entropy_selector",
        "evs",
        "Entropy values of a CCC: the paths that it chooses from.",
        Kind::OneOf(&[16, 32, 64, 128, 256, 512, 1024]),
        Whole,
        entropy_selector.evs
    ),
    key!(
        "entropy_selector",
        "ports",
        "Egress ports of the NIC: each EV belongs to one, by its lowest bits.",
        Kind::OneOf(&[1, 2, 4, 8]),
        Whole,
        entropy_selector.ports
    ),
    mode!(
        "oblivious",
        "CCCs that use every EV once a round. Path-aware spraying with a bitmap is always there.",
        OBLIVIOUS
    ),
    mode!("round_robin", "The same in the order of the EVs' numbers.", ROUND_ROBIN),
    mode!("single_path", "CCCs that use one EV at a time, as those of ROD do.", SINGLE_PATH),
    mode!("reps", "CCCs that use EVs again which came back without a mark.", REPS),
    mode!("mixed", "The same as long as there are some, else the bitmap.", MIXED),
    mode!("penalty", "The bitmap with a count of penalties in place of a mark.", PENALTY),
    key!(
        "path_scheduler",
        "qps",
        "Queue pairs (QPs) of the stage `path_scheduler`, in each pipeline.",
        Kind::Whole(1, 4096),
        Whole,
        path_scheduler.qps
    ),
    key!(
        "path_scheduler",
        "paths",
        "Sub-paths of a QP.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64]),
        Whole,
        path_scheduler.paths
    ),
    key!(
        "elab",
        "pairs",
        "Pairs of hosts of the stages `elab_scheduler` and `elab_feedback`, in each pipeline.",
        Kind::Whole(1, 4096),
        Whole,
        elab.pairs
    ),
    key!("elab", "vps", "Virtual paths (VPs) of a pair.", Kind::OneOf(&[2, 4, 8, 16, 32, 64]), Whole, elab.vps),
    key!(
        "elab",
        "unit",
        "Cycles of the unit of time that ELAB's rates are counted in; the same time for both hosts.",
        Kind::Whole(8, 65_535),
        Whole,
        elab.unit
    ),
    key!(
        "mark_monitor",
        "paths",
        "Paths of the stage `mark_monitor`.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]),
        Whole,
        mark_monitor.paths
    ),
    key!(
        "mark_monitor",
        "alarms",
        "Rows of its FIFO of alarms.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]),
        Whole,
        mark_monitor.alarms
    ),
    key!("tally", "rows", "Counters of the stage `tally`.", Kind::Whole(2, 1 << 24), Whole, tally.rows),
    key!("tally", "width", "Bits of a counter.", Kind::Whole(1, 64), Whole, tally.width),
    key!(
        "tally",
        "amount_width",
        "Bits of the amount that an event adds; at most `width`.",
        Kind::Whole(1, 64),
        Whole,
        tally.amount_width
    ),
    key!(
        "fifo",
        "depth",
        "Rows in the memory of the block `fifo`.",
        Kind::OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]),
        Whole,
        fifo.depth
    ),
    key!("fifo", "width", "Bits of an item.", Kind::Whole(1, 1024), Whole, fifo.width),
    key!(
        "skid_buffer",
        "width",
        "Bits of an item of the block `skid_buffer`.",
        Kind::Whole(1, 1024),
        Whole,
        skid_buffer.width
    ),
    key!(
        "arbiter",
        "requests",
        "Requests of the block `arbiter`.",
        Kind::Whole(2, MAX_REQUESTS as u64),
        Whole,
        arbiter.requests
    ),
    Key {
        section: "arbiter",
        name: "policy",
        help: "Which request is granted: the lowest, or the next in turn.",
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
    key!(
        "conform",
        "seed",
        "Seed of every random choice of a test; the same seed gives the same run.",
        Kind::Whole(0, i64::MAX as u64),
        Whole,
        conform.seed
    ),
    key!(
        "conform",
        "stall_percent",
        "Percentage of the cycles in which a stream pauses, chosen at random.",
        Kind::Whole(0, 95),
        Whole,
        conform.stall_percent
    ),
];
