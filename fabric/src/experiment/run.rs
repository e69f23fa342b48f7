// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run: a case, and a seed.

use super::{Events, Plan, Planned, Workload, dragonfly};
use crate::event::{MICROSECOND, Time};
use crate::host::EndPoint;
use crate::link::{Link, Node, Wire};
use crate::network::{Network, Sample};
use crate::random::Random;
use crate::switch::Switches;
use crate::topology::Routes;
use crate::traffic::{Flow, load};
use crate::transport::{Message, Uet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What became of a message. Times are in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlowResult {
    /// The host that sends.
    pub source: u32,
    /// The host that gets it.
    pub destination: u32,
    /// Bytes.
    pub bytes: u64,
    /// It may be sent.
    pub start: Time,
    /// All of it has arrived.
    pub delivered: Option<Time>,
    /// The sender knows it.
    pub completed: Option<Time>,
}

/// Packets that arrive in a step of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// The first cycle of the step.
    pub cycle: u32,
    /// How many arrive.
    pub packets: u64,
    /// Their mean latency, in cycles.
    pub latency: f64,
}

/// What a run has shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The case.
    pub case: String,
    /// The seed.
    pub seed: u64,
    /// The end, in picoseconds.
    pub end: Time,
    /// Events.
    pub events: u64,
    /// Packets that hosts have sent, that have arrived, that were dropped, and that are still in the network.
    pub packets: [u64; 4],
    /// Figures by name: times in microseconds, goodput in Gb/s, counts.
    pub figures: BTreeMap<String, f64>,
    /// Counters by name, summed up over links and hosts.
    pub counters: BTreeMap<String, u64>,
    /// Messages.
    pub flows: Vec<FlowResult>,
    /// What was seen of links.
    pub samples: Vec<Sample>,
    /// Latency over time, of a Dragonfly whose traffic changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Series>,
    /// What must not be: links that lose or make packets, and messages that are not completed.
    pub broken: Vec<String>,
}

/// Purposes of random numbers.
const QUEUES: u64 = 0;
const SALTS: u64 = 1;
const ENTROPIES: u64 = 2;
const TRAFFIC: u64 = 3;

/// The messages of a seed.
fn flows(plan: &Events, seed: u64) -> Vec<Flow> {
    match &plan.workload {
        Workload::Flows(flows) => flows.clone(),
        Workload::Load { hosts, load: share, sizes, until } => {
            load(*hosts, plan.setup.rate, *share, sizes, *until, &mut Random::new(seed, TRAFFIC))
        }
    }
}

/// Runs a case with a seed.
#[must_use]
pub fn run(plan: &Plan, seed: u64) -> Run {
    match &plan.network {
        Planned::Events(events) => by_events(&plan.name, events, seed),
        Planned::Dragonfly(setup) => dragonfly::run(&plan.name, setup, seed),
    }
}

fn by_events(name: &str, plan: &Events, seed: u64) -> Run {
    let flows = flows(plan, seed);
    let mut network = made(plan, seed, &flows);
    network.run(plan.end);
    result(name, plan, seed, &flows, &network)
}

/// The network of a case, before it runs.
fn made(plan: &Events, seed: u64, flows: &[Flow]) -> Network {
    let hosts = plan.topology.hosts.len();
    let (mut sends, mut receives) = (vec![Vec::new(); hosts], vec![Vec::new(); hosts]);
    let mut contexts = Vec::with_capacity(flows.len());
    for (number, flow) in flows.iter().enumerate() {
        let Flow { source, destination, bytes, .. } = *flow;
        let (here, there) = (sends[source as usize].len() as u32, receives[destination as usize].len() as u32);
        let number = number as u32;
        sends[source as usize].push(Message { flow: number, peer: destination, context: there, bytes });
        receives[destination as usize].push(Message { flow: number, peer: source, context: here, bytes });
        contexts.push(here);
    }
    let mut seeds = Random::new(seed, ENTROPIES);
    let end_point = |(host, (sends, receives)): (usize, (&Vec<Message>, &Vec<Message>))| -> Box<dyn EndPoint> {
        Box::new(Uet::new(host as u32, plan.setup, sends, receives, seeds.bits()))
    };
    let end_points = sends.iter().zip(&receives).enumerate().map(end_point).collect();
    let links = plan.topology.wires.iter().map(|wire| link(plan, wire)).collect();
    // A plan has been checked: all hosts are joined.
    let routes = Routes::of(&plan.topology).unwrap_or_default();
    let salts = &mut Random::new(seed, SALTS);
    let switches = Switches::new(routes, plan.choice, plan.topology.switches.len(), salts);
    let queues = Random::new(seed, QUEUES);
    let mut network = Network::new(links, switches, end_points, flows.len(), queues);
    for (time, links, change) in &plan.changes {
        network.change(*time, links.clone(), *change);
    }
    for (flow, &context) in flows.iter().zip(&contexts) {
        match flow.after {
            Some(after) => network.start_after(after, flow.start, flow.source, context),
            None => network.start(flow.start, flow.source, context),
        }
    }
    if let Some((links, every)) = &plan.measured {
        network.watch(links.clone(), *every);
    }
    network
}

/// A link, with the queue of its place.
fn link(plan: &Events, wire: &Wire) -> Link {
    let [limits, last_hop] = plan.limits;
    Link::new(wire.clone(), if matches!(wire.to, Node::Host(_)) { last_hop } else { limits })
}

/// In microseconds.
fn us(time: Time) -> f64 {
    time as f64 / MICROSECOND as f64
}

/// The value below which this share of sorted values lies.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(at.saturating_sub(1)).copied().unwrap_or(0.0)
}

fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

fn result(name: &str, plan: &Events, seed: u64, flows: &[Flow], network: &Network) -> Run {
    let with_times = flows.iter().zip(network.flows());
    let results: Vec<_> = with_times
        .clone()
        .map(|(flow, times)| FlowResult {
            source: flow.source,
            destination: flow.destination,
            bytes: flow.bytes,
            start: times.started.unwrap_or(flow.start),
            delivered: times.delivered,
            completed: times.completed,
        })
        .collect();
    let counters = counters(network);
    let count = |name: &str| counters.get(name).copied().unwrap_or(0) as f64;
    let mut took: Vec<_> = results.iter().filter_map(|flow| Some(us(flow.completed? - flow.start))).collect();
    took.sort_unstable_by(f64::total_cmp);
    let arrived: Vec<_> = results.iter().filter_map(|flow| Some(us(flow.delivered? - flow.start))).collect();
    let bytes: u64 = results.iter().filter(|flow| flow.delivered.is_some()).map(|flow| flow.bytes).sum();
    let last = results.iter().filter_map(|flow| flow.delivered).max().unwrap_or(0);
    let figures = [
        ("largest", took.last().copied().unwrap_or(0.0)),
        ("mean", mean(&took)),
        ("p99", quantile(&took, 0.99)),
        ("p999", quantile(&took, 0.999)),
        ("delivered", mean(&arrived)),
        ("end", results.iter().filter_map(|flow| flow.completed).max().map_or(0.0, us)),
        // Bits of a picosecond are Tb/s.
        ("goodput", if last == 0 { 0.0 } else { bytes as f64 * 8000.0 / last as f64 }),
        ("data packets", count("data packets")),
        ("retransmissions", count("retransmissions")),
        ("marked", count("marked")),
        ("trimmed", count("trimmed")),
        ("dropped", network.packets()[2] as f64),
        ("inferred losses", count("inferred losses")),
    ];
    Run {
        case: name.to_owned(),
        seed,
        end: network.now(),
        events: network.events(),
        packets: network.packets(),
        figures: figures.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        broken: broken(plan, &results, network),
        counters,
        flows: results,
        samples: network.samples().to_vec(),
        series: Vec::new(),
    }
}

/// Counters of links and hosts, summed up; what begins with `most` is the most of one.
fn counters(network: &Network) -> BTreeMap<String, u64> {
    let mut counters: BTreeMap<String, u64> = BTreeMap::new();
    let mut add = |name: &str, value: u64| {
        let sum = counters.entry(name.to_owned()).or_default();
        *sum = if name.starts_with("most") { (*sum).max(value) } else { *sum + value };
    };
    for link in network.links() {
        let queue = &link.queue.counters;
        add("marked", queue.marked);
        add("trimmed", queue.trimmed);
        add("dropped, queue full", queue.full);
        add("dropped, header queue full", queue.headers_full);
        add("dropped, link down", link.counters.down);
        add("dropped, lost on a link", link.counters.lost);
        add("dropped, bit error", link.counters.broken);
        add("most bytes in a queue", queue.most);
    }
    for host in network.hosts() {
        host.counters().into_iter().for_each(|(name, value)| add(name, value));
    }
    counters
}

/// What must not be.
fn broken(plan: &Events, flows: &[FlowResult], network: &Network) -> Vec<String> {
    let (links, in_total) = network.unbalanced();
    let name = |link: u32| plan.topology.link_name(&plan.topology.wires[link as usize]);
    let lost = links.into_iter().map(|link| format!("{}: packets came from nowhere, or went nowhere", name(link)));
    let in_total = in_total.then(|| "in total packets came from nowhere, or went nowhere".to_owned());
    let open = flows.iter().enumerate().filter(|(_, flow)| flow.completed.is_none()).map(|(number, flow)| {
        let what = if flow.delivered.is_some() { "delivered, not completed" } else { "not delivered" };
        format!("message {number} from host {} to host {}: {what}", flow.source, flow.destination)
    });
    lost.chain(in_total).chain(open).collect()
}
