// SPDX-License-Identifier: MIT OR Apache-2.0
//! The keys of an experiment's file. `experiments/*.toml` show each with its comment.

use super::dragonfly::settings::Settings as Dragonfly;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A file: its keys depend on the kind of its topology.
#[derive(Clone, Debug)]
pub enum File {
    /// Of a network by events.
    Events(Box<Settings>),
    /// Of a Dragonfly.
    Dragonfly(Box<Dragonfly>),
}

/// The kind of the topology, and nothing else.
#[derive(Deserialize)]
struct Kind {
    topology: KindOfTopology,
}

#[derive(Deserialize)]
struct KindOfTopology {
    kind: String,
}

impl File {
    /// Reads a text.
    pub fn read(text: &str) -> Result<Self, toml::de::Error> {
        if toml::from_str::<Kind>(text).is_ok_and(|file| file.topology.kind == "dragonfly") {
            return toml::from_str(text).map(Box::new).map(File::Dragonfly);
        }
        toml::from_str(text).map(Box::new).map(File::Events)
    }

    /// What it is.
    #[must_use]
    pub fn about(&self) -> &About {
        match self {
            File::Events(settings) => &settings.experiment,
            File::Dragonfly(settings) => &settings.experiment,
        }
    }

    /// Its cases.
    #[must_use]
    pub fn cases(&self) -> &[Case] {
        match self {
            File::Events(settings) => &settings.case,
            File::Dragonfly(settings) => &settings.case,
        }
    }

    /// Its sweep.
    #[must_use]
    pub fn sweep(&self) -> &BTreeMap<String, Vec<Spanned<toml::Value>>> {
        match self {
            File::Events(settings) => &settings.sweep,
            File::Dragonfly(settings) => &settings.sweep,
        }
    }

    /// What is known.
    #[must_use]
    pub fn expect(&self) -> &[Expect] {
        match self {
            File::Events(settings) => &settings.expect,
            File::Dragonfly(settings) => &settings.expect,
        }
    }
}

/// The whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What it is.
    pub experiment: About,
    /// The network.
    pub topology: Topology,
    /// Queues of switches.
    #[serde(default)]
    pub queue: Queue,
    /// End points.
    #[serde(default)]
    pub transport: Transport,
    /// Messages.
    pub traffic: Traffic,
    /// What is written of links.
    #[serde(default)]
    pub measure: Measure,
    /// Variants, each with other values of some keys.
    #[serde(default)]
    pub case: Vec<Case>,
    /// Lists of values by the names of their keys: each case is run with all combinations.
    #[serde(default)]
    pub sweep: BTreeMap<String, Vec<Spanned<toml::Value>>>,
    /// Figures that are known from elsewhere.
    #[serde(default)]
    pub expect: Vec<Expect>,
}

/// `[experiment]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// What it is called.
    pub name: String,
    /// What it shows, in a line.
    pub title: String,
    /// Where the expected figures are from.
    #[serde(default)]
    pub source: String,
    /// The first seed.
    #[serde(default = "one")]
    pub seed: u64,
    /// How many seeds, in a row.
    #[serde(default = "one_spanned")]
    pub seeds: Spanned<u64>,
    /// After this time a run ends, in microseconds.
    #[serde(default = "second")]
    pub end_us: Spanned<f64>,
}

/// `[topology]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topology {
    /// `leaf-spine`, `fat-tree` or `links`.
    pub kind: Spanned<String>,
    /// Number of hosts.
    #[serde(default)]
    pub hosts: Option<Spanned<u32>>,
    /// Of `leaf-spine`.
    #[serde(default)]
    pub leaves: Option<Spanned<u32>>,
    /// Of `leaf-spine`.
    #[serde(default)]
    pub spines: Option<Spanned<u32>>,
    /// Of `fat-tree`.
    #[serde(default)]
    pub tiers: Option<Spanned<u32>>,
    /// Rate of links.
    pub rate_gbps: Spanned<f64>,
    /// Delay of links.
    pub delay_ns: Spanned<f64>,
    /// Of `links`: `"host0 - leaf0"`. Names that begin with `host` are hosts.
    #[serde(default)]
    pub links: Vec<Spanned<String>>,
    /// Changes while a run goes on.
    #[serde(default)]
    pub change: Vec<Change>,
    /// How switches choose: `flow-ev`, or `flow`.
    #[serde(default)]
    pub ecmp: Option<Spanned<String>>,
}

/// `[[topology.change]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Which links.
    pub links: Spanned<String>,
    /// When.
    pub at_us: Spanned<f64>,
    /// They carry packets, or lose all of them.
    #[serde(default)]
    pub up: Option<bool>,
    /// Their rate from then on.
    #[serde(default)]
    pub rate_gbps: Option<Spanned<f64>>,
    /// The share of packets that they lose.
    #[serde(default)]
    pub loss: Option<Spanned<f64>>,
    /// The share of bits that they change.
    #[serde(default)]
    pub bit_errors: Option<Spanned<f64>>,
    /// The share of the limits of their queues that are in force.
    #[serde(default)]
    pub queue: Option<Spanned<f64>>,
}

/// `[queue]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Queue {
    /// Most data, in full packets; one bandwidth-delay product if it is not given.
    #[serde(default)]
    pub packets: Option<Spanned<u64>>,
    /// Above so many packets some are marked; a fifth of a bandwidth-delay product if it is not given.
    #[serde(default)]
    pub ecn_low: Option<Spanned<u64>>,
    /// Above so many packets all are marked; four fifths if it is not given.
    #[serde(default)]
    pub ecn_high: Option<Spanned<u64>>,
    /// Packets are marked.
    #[serde(default)]
    pub ecn: Option<bool>,
    /// Also before the link to a host; if it is not given, unless there is credit.
    #[serde(default)]
    pub ecn_last_hop: Option<bool>,
    /// Packets that do not fit are trimmed; otherwise they are dropped.
    #[serde(default)]
    pub trim: Option<bool>,
}

/// `[transport]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transport {
    /// `nscc`, `rccc` or `both`.
    #[serde(default)]
    pub control: Option<Spanned<String>>,
    /// The mode of `entropy_selector`.
    #[serde(default)]
    pub selection: Option<Spanned<String>>,
    /// EVs of a connection.
    #[serde(default)]
    pub paths: Option<Spanned<u64>>,
    /// Bytes of a full packet.
    #[serde(default)]
    pub packet_bytes: Option<Spanned<u32>>,
    /// Bytes of its headers.
    #[serde(default)]
    pub header_bytes: Option<Spanned<u32>>,
    /// Received bytes for which there is an ACK.
    #[serde(default)]
    pub ack_bytes: Option<Spanned<u64>>,
    /// The first time-out.
    #[serde(default)]
    pub rto_us: Option<Spanned<f64>>,
    /// After so long without an ACK the last packet is sent again.
    #[serde(default)]
    pub tail_probe_us: Option<Spanned<f64>>,
    /// Of `reps`: for how long an end point uses old EVs after a time-out.
    #[serde(default)]
    pub freeze_us: Option<Spanned<f64>>,
    /// Of `reps`: packets with new EVs at first, and after a freeze.
    #[serde(default)]
    pub explore: Option<Spanned<u64>>,
    /// Most packets behind the first one without an ACK.
    #[serde(default)]
    pub window: Option<Spanned<u64>>,
    /// Round trip in an empty network, for the settings of the congestion control.
    #[serde(default)]
    pub rtt_us: Option<Spanned<f64>>,
}

/// `[traffic]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    /// `permutation`, `shift`, `incast`, `ring`, `flows`, `matrix` or `load`.
    pub pattern: Spanned<String>,
    /// Bytes of each message.
    #[serde(default)]
    pub bytes: Option<Spanned<u64>>,
    /// Of `shift`.
    #[serde(default)]
    pub by: Option<Spanned<u32>>,
    /// Of `ring`; those of an all-reduce if it is not given.
    #[serde(default)]
    pub steps: Option<Spanned<u32>>,
    /// Of `incast`.
    #[serde(default)]
    pub senders: Option<Spanned<u32>>,
    /// Of `incast`.
    #[serde(default)]
    pub receiver: Option<Spanned<u32>>,
    /// Of `flows`.
    #[serde(default)]
    pub flow: Vec<Spanned<Flow>>,
    /// Of `matrix`: a file.
    #[serde(default)]
    pub file: Option<Spanned<String>>,
    /// Of `load`: the share of the rate of hosts.
    #[serde(default)]
    pub load: Option<Spanned<f64>>,
    /// Of `load`: bytes, and the share of messages that are at most so large.
    #[serde(default)]
    pub sizes: Option<Spanned<Vec<(f64, f64)>>>,
    /// Of `load`: no message begins later.
    #[serde(default)]
    pub until_us: Option<Spanned<f64>>,
}

/// `[[traffic.flow]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// Number of the host that sends.
    pub from: u32,
    /// Number of the host that gets it.
    pub to: u32,
    /// Bytes, if not as all have.
    #[serde(default)]
    pub bytes: Option<u64>,
    /// When it begins.
    #[serde(default)]
    pub at_us: f64,
}

/// `[measure]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Links whose queues and rates are written to `traces.csv`, by a pattern.
    #[serde(default)]
    pub links: Option<Spanned<String>>,
    /// How often.
    #[serde(default)]
    pub every_us: Option<Spanned<f64>>,
}

/// `[[case]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it is called.
    pub name: Spanned<String>,
    /// Values by the names of their keys: `"transport.selection" = "reps"`.
    #[serde(default)]
    pub set: BTreeMap<String, Spanned<toml::Value>>,
}

/// `[[expect]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The case, if there are any.
    #[serde(default)]
    pub case: Option<Spanned<String>>,
    /// The figure.
    pub figure: Spanned<String>,
    /// Its value elsewhere.
    pub value: f64,
    /// How far ours may be from it, in percent.
    #[serde(default)]
    pub tolerance: f64,
    /// `about`, or ours may be `most`, or `least`, this.
    #[serde(default)]
    pub bound: Option<Spanned<String>>,
    /// Ours is relative to that of this case.
    #[serde(default)]
    pub than: Option<Spanned<String>>,
    /// Where it is from, if not from the source of the experiment.
    #[serde(default)]
    pub source: Option<String>,
    /// Why ours is another one.
    #[serde(default)]
    pub note: Option<String>,
}

const fn one() -> u64 {
    1
}

fn one_spanned() -> Spanned<u64> {
    Spanned::new(0..0, 1)
}

fn second() -> Spanned<f64> {
    Spanned::new(0..0, 1e6)
}
