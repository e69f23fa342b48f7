// SPDX-License-Identifier: MIT OR Apache-2.0
//! The configuration: one TOML file in which every key has a default.
//!
//! `keys` defines each key once: its comment, what is allowed, how it is read and written. Reading, errors, the
//! printed file and the hash all follow from that table.

mod keys;
mod read;
mod ready;
pub(crate) mod recorded;
pub(crate) mod table;

pub use keys::{KEYS, Key, Kind, Value};
pub use ready::READY;

use crate::device::Device;
use crate::failure::{Failure, Outcome};
use pipeline::blocks::arbiter::Policy;
use pipeline::entropy_selector::Modes;
use pipeline::frame::side_band::SideBand;
use pipeline::frame_gate::DropMode;
use pipeline::header_builder::UdpChecksum;
use pipeline::headers::protocols::Protocols;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;

/// All settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Bits of a beat of the streams.
    pub data_width: u64,
    /// What the pipeline is to run on.
    pub target: Target,
    /// What it speaks.
    pub protocols: Protocols,
    /// What goes along with frames.
    pub side_band: SideBand,
    /// Size and mode of the stage that drops frames.
    pub frame_gate: FrameGate,
    /// The UDP checksum of frames that it builds.
    pub udp_checksum: UdpChecksum,
    /// Size of the stage that chooses paths.
    pub entropy_selector: EntropySelector,
    /// Size of the stage that shares packets out among sub-paths.
    pub path_scheduler: PathScheduler,
    /// Size of both halves of ELAB.
    pub elab: Elab,
    /// Size of the stage that reports paths with too many marks.
    pub mark_monitor: MarkMonitor,
    /// Size of the example stage.
    pub tally: Tally,
    /// Size of the block that holds items in a memory.
    pub fifo: Fifo,
    /// Size of the block that holds two items.
    pub skid_buffer: SkidBuffer,
    /// Size and policy of the block that grants one of several requests.
    pub arbiter: Arbiter,
    /// How conformance is tested.
    pub conform: Conform,
}

/// What the pipeline is to run on.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// A name that the key `device` of the configuration takes.
    pub device: String,
    /// Clock of the pipeline.
    pub clock_mhz: f64,
    /// Line rate.
    pub link_gbps: f64,
    /// Pipelines that share the link.
    pub pipelines: u64,
    /// Clocks from address to data of a block memory; else as device and clock want it.
    pub ram_latency: Option<u64>,
    /// What the names of all modules begin with.
    pub prefix: String,
}

/// Size and mode of the stage that drops frames.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameGate {
    /// Bytes of the memory of frames.
    pub depth: u64,
    /// Rows of the memory of records.
    pub frames: u64,
    /// What becomes of frames whose verdict is drop.
    pub drop: DropMode,
    /// With the streams of records.
    pub records: bool,
}

/// Size of the stage that chooses paths.
#[derive(Clone, Debug, PartialEq)]
pub struct EntropySelector {
    /// Congestion control contexts.
    pub cccs: u64,
    /// Entropy values of each.
    pub evs: u64,
    /// How they can be chosen from. The bitmap is always there.
    pub modes: Modes,
    /// Egress ports that they are dealt out to.
    pub ports: u64,
}

/// Size of the stage that shares packets out among sub-paths.
#[derive(Clone, Debug, PartialEq)]
pub struct PathScheduler {
    /// Queue pairs.
    pub qps: u64,
    /// Sub-paths of each.
    pub paths: u64,
}

/// Size of both halves of ELAB.
#[derive(Clone, Debug, PartialEq)]
pub struct Elab {
    /// Pairs of hosts.
    pub pairs: u64,
    /// Virtual paths of each.
    pub vps: u64,
    /// Cycles of a unit of time.
    pub unit: u64,
}

/// Size of the stage that reports paths with too many marks.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkMonitor {
    /// Number of paths.
    pub paths: u64,
    /// Rows of the FIFO of alarms.
    pub alarms: u64,
}

/// Size of the example stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// Rows of the table.
    pub rows: u64,
    /// Bits of a counter.
    pub width: u64,
    /// Bits of an amount.
    pub amount_width: u64,
}

/// Size of the block that holds items in a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Fifo {
    /// Rows of the memory.
    pub depth: u64,
    /// Bits of an item.
    pub width: u64,
}

/// Size of the block that holds two items.
#[derive(Clone, Debug, PartialEq)]
pub struct SkidBuffer {
    /// Bits of an item.
    pub width: u64,
}

/// Size and policy of the block that grants one of several requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Arbiter {
    /// Number of requests.
    pub requests: u64,
    /// Which of them is granted.
    pub policy: Policy,
}

/// How conformance is tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Conform {
    /// Seed of all random choices.
    pub seed: u64,
    /// Cycles in which a stream pauses.
    pub stall_percent: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            data_width: 512,
            target: Target {
                device: "xcvu37p".to_owned(),
                clock_mhz: 322.265625,
                link_gbps: 100.0,
                pipelines: 1,
                ram_latency: None,
                prefix: "mpnic".to_owned(),
            },
            protocols: Protocols::default(),
            side_band: SideBand::NONE,
            frame_gate: FrameGate { depth: 32_768, frames: 512, drop: DropMode::Drop, records: true },
            udp_checksum: UdpChecksum::default(),
            entropy_selector: EntropySelector { cccs: 1024, evs: 256, modes: Modes::ALL, ports: 1 },
            path_scheduler: PathScheduler { qps: 1024, paths: 8 },
            elab: Elab { pairs: 1024, vps: 8, unit: 322 },
            mark_monitor: MarkMonitor { paths: 256, alarms: 16 },
            tally: Tally { rows: 1024, width: 32, amount_width: 16 },
            fifo: Fifo { depth: 512, width: 64 },
            skid_buffer: SkidBuffer { width: 64 },
            arbiter: Arbiter { requests: 8, policy: Policy::RoundRobin },
            conform: Conform { seed: 1, stall_percent: 25 },
        }
    }
}

impl Config {
    /// Reads the text of a configuration; `name` is that of its file in errors.
    pub fn parse(name: &str, text: &str) -> Outcome<Self> {
        read::parse(name, text)
    }

    /// What the command line asks for: a file, a ready-made configuration by name, or the defaults.
    pub fn load(given: Option<&str>) -> Outcome<Self> {
        let Some(given) = given else { return Ok(Config::default()) };
        if let Some((_, text)) = READY.iter().find(|(name, _)| *name == given) {
            return Self::parse(&format!("{given}.toml"), text);
        }
        let path = Path::new(given);
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(given, &text),
            Err(error) => {
                let names: Vec<_> = READY.iter().map(|(name, _)| *name).collect();
                let help = format!("give the path of a TOML file, or one of {}", names.join(", "));
                Err(Failure::with_help(format!("cannot read the configuration {given}: {error}"), help))
            }
        }
    }

    /// Clocks from address to data of the block memories.
    pub fn ram_latency(&self) -> u32 {
        let Target { device, clock_mhz, ram_latency, .. } = &self.target;
        let auto = || Device::find(device).map_or(2, |device| device.ram_latency(*clock_mhz));
        ram_latency.and_then(|clocks| u32::try_from(clocks).ok()).unwrap_or_else(auto)
    }

    /// The whole configuration as a commented file.
    pub fn print(&self) -> String {
        let mut text = String::from(
            "# mpnic: one configuration, one pipeline. Every key may be left out; it then has its default.\n",
        );
        let mut section = "";
        for key in KEYS {
            if key.section != section {
                section = key.section;
                let _ = write!(text, "\n[{section}]");
            }
            let default = (key.get)(&Config::default());
            let _ = write!(
                text,
                "\n{}# {} (default {default})\n{} = {}\n",
                key.help.lines().map(|line| format!("# {line}\n")).collect::<String>(),
                key.kind.allowed(),
                key.name,
                (key.get)(self)
            );
        }
        text
    }

    /// Short SHA-256 of what the Verilog and the budget depend on; test settings do not count.
    pub fn hash(&self) -> String {
        let mut sha = Sha256::new();
        for key in KEYS.iter().filter(|key| key.section != "conform") {
            sha.update(format!("{}.{}={}\n", key.section, key.name, (key.get)(self)));
        }
        sha.finalize().iter().take(6).fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_reads_back() {
        let mut config = Config { data_width: 64, ..Config::default() };
        config.target.device = "lfe5u-85f".to_owned();
        config.target.clock_mhz = 156.25;
        let text = config.print();
        assert_eq!(Config::parse("printed", &text).ok(), Some(config));
    }

    #[test]
    fn ready_made_configurations_read() {
        for (name, _) in READY {
            assert!(Config::load(Some(name)).is_ok(), "{name}");
        }
    }

    #[test]
    fn test_settings_do_not_change_the_hash() {
        let mut config = Config::default();
        let hash = config.hash();
        config.conform.seed = 9;
        assert_eq!(config.hash(), hash);
        config.data_width = 64;
        assert_ne!(config.hash(), hash);
    }
}
