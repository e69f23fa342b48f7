// SPDX-License-Identifier: MIT OR Apache-2.0
//! The keys of an experiment in a Dragonfly. `experiments/dragonfly-*.toml` show them with their comments.

use crate::experiment::settings::{About, Case, Expect};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What it is.
    pub experiment: About,
    /// Sizes.
    pub topology: Topology,
    /// Switches and links.
    #[serde(default)]
    pub switch: Switch,
    /// The policy.
    pub routing: Routing,
    /// Packets.
    pub traffic: Traffic,
    /// What counts.
    #[serde(default)]
    pub measure: Measure,
    /// Variants, each with other values of some keys.
    #[serde(default)]
    pub case: Vec<Case>,
    /// Lists of values by the names of their keys.
    #[serde(default)]
    pub sweep: BTreeMap<String, Vec<Spanned<toml::Value>>>,
    /// Figures that are known from elsewhere.
    #[serde(default)]
    pub expect: Vec<Expect>,
}

/// `[topology]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topology {
    /// `dragonfly`.
    pub kind: Spanned<String>,
    /// Global links of a switch.
    pub h: Spanned<u32>,
    /// Switches of a group; 2 *h* if it is not given.
    #[serde(default)]
    pub a: Option<Spanned<u32>>,
    /// Hosts of a switch; *h* if it is not given.
    #[serde(default)]
    pub p: Option<Spanned<u32>>,
    /// Links between two groups; one if it is not given.
    #[serde(default)]
    pub t: Option<Spanned<u32>>,
    /// Which links these are: `neighbours` or `apart`.
    #[serde(default)]
    pub trunks: Option<Spanned<String>>,
}

/// `[switch]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// Flits of a packet.
    #[serde(default)]
    pub packet_flits: Option<Spanned<u32>>,
    /// From the first flit at an input until the packet may ask for an output.
    #[serde(default)]
    pub pipeline_cycles: Option<Spanned<u32>>,
    /// Flits that pass from an input to an output in a cycle.
    #[serde(default)]
    pub speedup: Option<Spanned<u32>>,
    /// Packets of an output queue.
    #[serde(default)]
    pub output_packets: Option<Spanned<u32>>,
    /// Packets of an input buffer behind a link of the group, for each virtual channel.
    #[serde(default)]
    pub local_packets: Option<Spanned<u32>>,
    /// The same behind a link of another group.
    #[serde(default)]
    pub global_packets: Option<Spanned<u32>>,
    /// Injection queues of a host.
    #[serde(default)]
    pub injection_queues: Option<Spanned<u32>>,
    /// Packets of one of these.
    #[serde(default)]
    pub injection_packets: Option<Spanned<u32>>,
    /// Delay of links to hosts.
    #[serde(default)]
    pub host_cycles: Option<Spanned<u32>>,
    /// Delay of links in a group.
    #[serde(default)]
    pub local_cycles: Option<Spanned<u32>>,
    /// Delay of links between groups.
    #[serde(default)]
    pub global_cycles: Option<Spanned<u32>>,
    /// Who is served: ports in `turns`, or the `oldest` packet.
    #[serde(default)]
    pub order: Option<Spanned<String>>,
}

/// `[routing]`. Loads are in parts of a link.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Routing {
    /// `min`, `valiant`, `ugal`, `piggyback`, `acor`, `tpr` or `lia`.
    pub policy: Spanned<String>,
    /// Local hops of a detour's first phase: `G`, `LG`, `GL`, `LGL`, or `lia` or `acor`, whose rules choose.
    #[serde(default)]
    pub path: Option<Spanned<String>>,
    /// What decides for `tpr` and `lia`: the tables of the `stage`, or the same rules in the `network`, which know other trunks too.
    #[serde(default)]
    pub rules: Option<Spanned<String>>,
    /// What counts as the queue of a port: `waiting`, `landed` or `credits`.
    #[serde(default)]
    pub occupancy: Option<Spanned<String>>,
    /// A packet that waits is decided anew.
    #[serde(default)]
    pub again: Option<bool>,
    /// Of `ugal` and `piggyback`: flits for which the shortest way is preferred.
    #[serde(default)]
    pub threshold: Option<Spanned<f64>>,
    /// Weight of flits in injection queues (w).
    #[serde(default)]
    pub weight: Option<Spanned<f64>>,
    /// Interval of the counters.
    #[serde(default)]
    pub interval_cycles: Option<Spanned<u32>>,
    /// Of `stage`: from a sweep to the next; it divides the interval.
    #[serde(default)]
    pub sweep_cycles: Option<Spanned<u32>>,
    /// Loads above which traffic to a group is mixed, and adversarial, in parts of a link that each of *a* switches has.
    #[serde(default)]
    pub limits: Option<Spanned<[f64; 2]>>,
    /// Flits for which the shortest way is preferred, with benign and with mixed traffic.
    #[serde(default)]
    pub thresholds: Option<Spanned<[f64; 2]>>,
    /// Load above which an own global link counts as saturated, in parts as `limits`.
    #[serde(default)]
    pub gpsth: Option<Spanned<f64>>,
    /// If more own links than these are saturated, the first local hop is kept.
    #[serde(default)]
    pub sgc: Option<Spanned<u32>>,
    /// Load above which a remote local link is congested, in parts of a link.
    #[serde(default)]
    pub rcth: Option<Spanned<f64>>,
    /// Not of LIA: links that are drawn for a detour, of which the one with the shortest queue is taken.
    #[serde(default)]
    pub draws: Option<Spanned<u32>>,
    /// Not of LIA: the second local hop is dropped for as many packets as remote local links can carry.
    #[serde(default)]
    pub partial: Option<Spanned<bool>>,
}

/// `[traffic]`, and `[[traffic.change]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    /// `uniform` (UN), `adversarial` (ADV+i) or `consecutive` (ADVc).
    pub pattern: Spanned<String>,
    /// Of `adversarial`: so many groups further.
    #[serde(default)]
    pub offset: Option<Spanned<u32>>,
    /// This share of packets goes to any host instead.
    #[serde(default)]
    pub uniform: Option<Spanned<f64>>,
    /// Flits that a host makes in a cycle.
    pub load: Spanned<f64>,
    /// Other traffic from a cycle on.
    #[serde(default)]
    pub change: Vec<Change>,
}

/// `[[traffic.change]]`: what is not given stays.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The first cycle.
    pub at_cycle: Spanned<u32>,
    /// The pattern.
    #[serde(default)]
    pub pattern: Option<Spanned<String>>,
    /// The offset.
    #[serde(default)]
    pub offset: Option<Spanned<u32>>,
    /// The share.
    #[serde(default)]
    pub uniform: Option<Spanned<f64>>,
    /// The load.
    #[serde(default)]
    pub load: Option<Spanned<f64>>,
}

/// `[measure]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Cycles that do not count.
    #[serde(default)]
    pub warmup_cycles: Option<Spanned<u32>>,
    /// Cycles that do.
    #[serde(default)]
    pub cycles: Option<Spanned<u32>>,
    /// Latencies over time go to `series.csv`, in steps of so many cycles.
    #[serde(default)]
    pub step_cycles: Option<Spanned<u32>>,
}
