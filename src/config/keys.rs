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
use pipeline::path_scheduler::EntropyRule;
use serde::Serialize;
use std::fmt;

/// A key of the configuration.
pub struct Key {
    /// The table that contains it; empty at the top level.
    pub section: &'static str,
    /// The name of the key.
    pub name: &'static str,
    /// Its meaning, which is printed as the comment above the key.
    pub help: &'static str,
    /// The values that are allowed.
    pub kind: Kind,
    /// Reads its value.
    pub get: fn(&Config) -> Value,
    /// Writes its value, which must be of the right kind.
    pub set: fn(&mut Config, Value),
}

impl Key {
    /// Finds a key by its section (`""` at the top level) and its name.
    pub fn find(section: &str, name: &str) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.section == section && key.name == name)
    }
}

/// The values that a key may have.
pub enum Kind {
    /// One of these numbers.
    OneOf(&'static [u64]),
    /// A whole number in a range.
    Whole(u64, u64),
    /// A number in a range.
    Number(f64, f64),
    /// One of these numbers, or `"auto"`.
    AutoOr(&'static [u64]),
    /// The name of a device.
    Device,
    /// True or false.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The name of a module.
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
    /// Describes the allowed values in words.
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

    /// Whether a value is allowed.
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

    /// The least and the greatest of the allowed whole numbers.
    pub fn limits(&self) -> Option<(u64, u64)> {
        match self {
            Kind::OneOf(all) | Kind::AutoOr(all) => Some((*all.iter().min()?, *all.iter().max()?)),
            Kind::Whole(low, high) => Some((*low, *high)),
            _ => None,
        }
    }
}

/// Joins the items as `a, b or c`.
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

/// All keys; the keys of a section follow one another.
pub const KEYS: &[Key] = &[
    key!(
        "",
        "data_width",
        "Bits per beat of the AXI4-Stream at both ends of the pipeline.",
        Kind::OneOf(&[64, 128, 256, 512, 1024]),
        Whole,
        data_width
    ),
    Key {
        section: "target",
        name: "device",
        help: "The FPGA for the results of `budget`; the names of boards are accepted as well: u50, u55c, u200, u250, u280, kr260 ..",
        kind: Kind::Device,
        get: |config| Value::Text(config.target.device.clone()),
        // A board becomes the name of its device, so that one device has one hash.
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
        "Line rate of the link in Gb/s, including preamble and inter-packet gap.",
        Kind::Number(0.01, 3200.0),
        Number,
        target.link_gbps
    ),
    key!(
        "target",
        "pipelines",
        "Number of equal pipelines that share the frames of the link; the Verilog is that of one pipeline.",
        Kind::Whole(1, 64),
        Whole,
        target.pipelines
    ),
    Key {
        section: "target",
        name: "ram_latency",
        help: "Clock cycles from address to data of a block memory: 2 uses its output register, 3 adds another register after that.\n\"auto\" chooses by device and clock.",
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
        "Prefix of the names of all modules: PREFIX_header_parser and so on.",
        Kind::Name,
        Text,
        target.prefix
    ),
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
    key!(
        "context_lookup",
        "entries",
        "Number of contexts of received frames, per pipeline; memory is used best just below 0.9 times a power of two.",
        Kind::Whole(2, 16_384),
        Whole,
        context_lookup.entries
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
        "settings",
        "rtt_us",
        "Round trip of an idle network in microseconds; the default is that of the reference network of NSCC (uet.md 2.1).",
        Kind::Number(0.5, 5000.0),
        Number,
        settings.rtt_us
    ),
    key!(
        "settings",
        "packet_bytes",
        "Bytes of a full packet on the wire, with which the link rate becomes packets; the default is 4 KiB with headers (uet.md 5).",
        Kind::Whole(64, 9216),
        Whole,
        settings.packet_bytes
    ),
    key!(
        "settings",
        "saturation_percent",
        "Share of its EVs that may be marked before a CCC stops avoiding marked EVs (U12).",
        Kind::Number(0.0, 100.0),
        Number,
        settings.saturation_percent
    ),
    key!(
        "settings",
        "reroute_rtts",
        "Round trips between two moves of a single path that is not idle (U06).",
        Kind::Whole(1, 255),
        Whole,
        settings.reroute_rtts
    ),
    key!(
        "settings",
        "idle_rtts",
        "Round trips without a packet after which a single path is idle and may move at once (U06).",
        Kind::Whole(0, 255),
        Whole,
        settings.idle_rtts
    ),
    key!(
        "settings",
        "reps_explore_bdps",
        "Bandwidth-delay products of packets for which REPS draws new EVs before it reuses any (uet.md 4.2).",
        Kind::Number(0.0, 16.0),
        Number,
        settings.reps_explore_bdps
    ),
    key!(
        "settings",
        "reps_freeze_us",
        "Time in microseconds for which REPS reuses old EVs after a TIMEOUT (uet.md 4.2).",
        Kind::Number(0.0, 200_000.0),
        Number,
        settings.reps_freeze_us
    ),
    key!(
        "settings",
        "seed",
        "Number that makes the order of EVs another one in every device (U08).",
        Kind::Whole(0, u32::MAX as u64),
        Whole,
        settings.seed
    ),
    key!(
        "settings",
        "flowlet_rtts",
        "Gap in round trips after which a flowlet of a QP begins, unless its own is set; more than paths differ (M03).",
        Kind::Number(0.0, 255.0),
        Number,
        settings.flowlet_rtts
    ),
    key!(
        "settings",
        "window_bdps",
        "Bandwidth-delay products of packets that a sub-path may have in flight (M47, M67).",
        Kind::Number(0.1, 64.0),
        Number,
        settings.window_bdps
    ),
    key!(
        "settings",
        "raise_rtts",
        "Round trips without congestion after which the weight of a sub-path rises; 0 for never (M64).",
        Kind::Number(0.0, 255.0),
        Number,
        settings.raise_rtts
    ),
    key!(
        "settings",
        "delay_percent",
        "RTT of a packet, in percent of `rtt_us`, above which its sub-path counts as congested; 0 for never (M64).",
        Kind::Number(0.0, 10_000.0),
        Number,
        settings.delay_percent
    ),
    key!(
        "settings",
        "migrate_rtts",
        "Round trips with congestion in a row after which packets leave a sub-path; 0 for never (M62, M70).",
        Kind::Whole(0, 7),
        Whole,
        settings.migrate_rtts
    ),
    key!(
        "settings",
        "fail_timeouts",
        "Number of TIMEOUTs in a row with which a sub-path fails; 0 for never (M72).",
        Kind::Whole(0, 7),
        Whole,
        settings.fail_timeouts
    ),
    key!(
        "settings",
        "alpha",
        "Weight of a new rate in the average rate of a virtual path (E12, E16).",
        Kind::Number(0.0, 0.99),
        Number,
        settings.alpha
    ),
    key!(
        "settings",
        "update_rtts",
        "Least time between two updates of the rate of a virtual path, in round trips (E12).",
        Kind::Number(0.0, 16.0),
        Number,
        settings.update_rtts
    ),
    key!(
        "settings",
        "explore_rtts",
        "Round trips without a mark after which a burst explores a virtual path, T_explore (E15, E16).",
        Kind::Number(1.0, 1000.0),
        Number,
        settings.explore_rtts
    ),
    key!(
        "settings",
        "burst_bdps",
        "Length of that burst in bandwidth-delay products, but at least 10 packets, C_burst (E16).",
        Kind::Number(0.0, 4.0),
        Number,
        settings.burst_bdps
    ),
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
        "Percentage of the clock cycles in which a stream pauses, chosen at random.",
        Kind::Whole(0, 95),
        Whole,
        conform.stall_percent
    ),
];
