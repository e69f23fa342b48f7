// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the command line says of the network between the two NICs, and the network that this makes.

use crate::cli::{self, FailedPath, PathGiven};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use pipeline::receive::ack_generator::AckProtocol;
use testbench::network::{
    FabricConfig, Impairment, Lengths, LinkConfig, Marking, PathConfig, PortConfig, QueueConfig, Rate, Trimming,
};

/// Bytes on the wire beside a frame: preamble, FCS and gap.
const OVERHEAD: u64 = 24;
/// Paths, if none are given: they have the rate of the link together.
const PATHS: usize = 4;
/// Clock cycles from a NIC to its switch, and back.
const NEAR: u64 = 50;
/// The part of a bandwidth-delay product above which a queue marks: a fifth, as NSCC has it (uet.md 1.13).
const MARKED: u64 = 5;
/// Bytes of a trimmed packet from the UDP header on.
const KEPT: usize = 24;
/// The DSCP of packets that may be trimmed.
pub const TRIMMABLE: u8 = 8;

/// A path of the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Its rate.
    pub gbps: f64,
    /// The round trip of a packet over it while it is idle.
    pub rtt_us: f64,
}

/// The network, in physical units.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    pub paths: Vec<Path>,
    /// The probability that a path loses a frame, on either way.
    pub loss: f64,
    /// The path that dies, and when.
    pub fails: Option<(usize, f64)>,
    pub seed: u64,
}

impl Scenario {
    pub fn of(args: &cli::Link, config: &Config) -> Outcome<Self> {
        let rtt_us = config.settings.rtt_us;
        let equal = Path { gbps: config.target.link_gbps / PATHS as f64, rtt_us };
        let given = |path: &PathGiven| Path { gbps: path.gbps, rtt_us: path.rtt_us.unwrap_or(rtt_us) };
        let paths = if args.path.is_empty() { vec![equal; PATHS] } else { args.path.iter().map(given).collect() };
        let most = config.path_scheduler.paths as usize;
        if config.tx_protocol() == AckProtocol::Roce && paths.len() > most {
            let message = format!("{} paths, and a QP has {most} sub-paths", paths.len());
            return Err(Failure::with_help(
                message,
                "give fewer with --path, or write `paths = ..` below [path_scheduler]",
            ));
        }
        let fails = args.fail_path.map(|FailedPath { path, us }| (path, us));
        if let Some((path, _)) = fails.filter(|(path, _)| *path >= paths.len()) {
            let message = format!("--fail-path {path}: there are {} paths, counted from 0", paths.len());
            return Err(Failure::with_help(message, "name one of them, or give more with --path"));
        }
        Ok(Scenario { paths, loss: args.loss / 100.0, fails, seed: args.seed })
    }

    /// The rate of all paths together, but not more than the link of a NIC has.
    pub fn gbps(&self, config: &Config) -> f64 {
        self.paths.iter().map(|path| path.gbps).sum::<f64>().min(config.target.link_gbps)
    }

    /// The network. A queue holds a bandwidth-delay product of the link, and marks above a fifth of it.
    pub fn fabric(&self, config: &Config) -> FabricConfig {
        let clocks = config.target.clock_mhz;
        let rate = |gbps: f64| {
            // Thousandths of bytes in a clock cycle.
            Rate { bytes: (gbps * 125_000.0 / clocks).round().max(1.0) as u64, cycles: 1000 }
        };
        let link = |gbps, delay| LinkConfig { rate: rate(gbps), delay, overhead: OVERHEAD, first_bit: false };
        let whole = config.target.link_gbps;
        let bdp = (whole * 125.0 * config.settings.rtt_us) as u64;
        let marked = (bdp / MARKED).max(1);
        let protocols = &config.protocols;
        let is_uet = config.tx_protocol() == AckProtocol::Uet;
        let trimming = |trimmed| {
            let trims = is_uet && config.settings.trim;
            trims.then_some(Trimming { trimmable: TRIMMABLE, trimmed, keep: KEPT, lengths: Lengths::Adjusted })
        };
        let queue = |trimmed| QueueConfig {
            capacity: bdp.max(2 * packet(config)),
            priority_capacity: bdp.max(2 * packet(config)),
            control: vec![config.rx.ack_dscp as u8, config.tx.control_dscp as u8],
            marking: Some(Marking { low: marked, high: marked + 1 }),
            trimming: trimming(trimmed),
        };
        let path = |path: &Path| {
            // What the two ends and the packet itself take is not on the wire of the path.
            let own = packet(config) as f64 * 8.0 * (1.0 / whole + 1.0 / path.gbps) / 1e3;
            let delay = ((path.rtt_us - own).max(0.0) * clocks / 2.0) as u64;
            let impairment = Impairment { loss: self.loss, duplication: 0.0 };
            PathConfig { link: link(path.gbps, delay.saturating_sub(2 * NEAR)), impairment }
        };
        FabricConfig {
            hosts: vec![0, 1],
            uplink: link(whole, NEAR),
            downlink: PortConfig {
                queue: queue(protocols.trimmed_last_hop_dscp),
                link: LinkConfig { first_bit: true, ..link(whole, NEAR) },
                impairment: Impairment::default(),
            },
            paths: self.paths.iter().map(path).collect(),
            path_queue: queue(protocols.trimmed_dscp),
            seed: self.seed,
        }
    }
}

/// Bytes on the wire of a full packet amid a message: Ethernet, IPv4, UDP, and PDS, SES and CRC, or BTH, MPEH and ICRC.
pub fn packet(config: &Config) -> u64 {
    let headers = match config.tx_protocol() {
        AckProtocol::Uet => 14 + 20 + 8 + 12 + config.tx.header_bytes + if config.protocols.uet_crc { 4 } else { 0 },
        AckProtocol::Roce => 14 + 20 + 8 + 12 + 8 + 4,
    };
    config.tx.segment + headers + OVERHEAD
}
