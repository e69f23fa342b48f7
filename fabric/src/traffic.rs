// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who sends how much to whom, and when.

use crate::event::Time;
use crate::random::Random;

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The host that sends it.
    pub source: u32,
    /// The host that gets it.
    pub destination: u32,
    /// Its bytes.
    pub bytes: u64,
    /// From then on it may be sent; with `after`, so long after that.
    pub start: Time,
    /// The number of the message whose arrival it waits for.
    pub after: Option<u32>,
}

/// Each host sends to one, and gets from one: a random cycle through all hosts, the same for every seed.
///
/// Fisher-Yates from the end, with the upper bits of a linear congruential generator that starts at 1.
#[must_use]
pub fn permutation(hosts: u32, bytes: u64) -> Vec<Flow> {
    let mut order: Vec<u32> = (0..hosts).collect();
    let mut x = 1_u64;
    for i in (1..hosts as usize).rev() {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(i, ((x >> 31) % (i as u64 + 1)) as usize);
    }
    let next = order.iter().cycle().skip(1);
    order
        .iter()
        .zip(next)
        .map(|(&source, &destination)| Flow { source, destination, bytes, start: 0, after: None })
        .collect()
}

/// Each host sends to the one so many numbers behind it.
#[must_use]
pub fn shift(hosts: u32, by: u32, bytes: u64) -> Vec<Flow> {
    let flow = |source| Flow { source, destination: (source + by) % hosts, bytes, start: 0, after: None };
    (0..hosts).map(flow).collect()
}

/// Some hosts, which lie evenly apart among these, send to one.
#[must_use]
pub fn incast(among: &[u32], senders: u32, receiver: u32, bytes: u64) -> Vec<Flow> {
    let nth = |nth: u32| among[(2 * nth as usize + 1) * among.len() / (2 * senders as usize)];
    (0..senders).map(|at| Flow { source: nth(at), destination: receiver, bytes, start: 0, after: None }).collect()
}

/// A collective in a ring: in each step every host sends a chunk to the next one, as soon as that of the step before has arrived. With
/// 2(*n* - 1) steps that is an all-reduce.
#[must_use]
pub fn ring(hosts: u32, steps: u32, bytes: u64) -> Vec<Flow> {
    let flow = |step: u32, source: u32| {
        let before = (source + hosts - 1) % hosts;
        let after = step.checked_sub(1).map(|step| step * hosts + before);
        Flow { source, destination: (source + 1) % hosts, bytes, start: 0, after }
    };
    (0..steps).flat_map(|step| (0..hosts).map(move |source| flow(step, source))).collect()
}

/// Sizes of messages, each with the share of messages that are at most so large.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes(pub Vec<(f64, f64)>);

impl Sizes {
    /// The size at this share, between two points on a straight line.
    #[must_use]
    pub fn at(&self, share: f64) -> u64 {
        let mut before = (self.0.first().map_or(1.0, |point| point.0), 0.0);
        for &(bytes, upto) in &self.0 {
            if share <= upto {
                let part = if upto > before.1 { (share - before.1) / (upto - before.1) } else { 1.0 };
                return (before.0 + part * (bytes - before.0)).round().max(1.0) as u64;
            }
            before = (bytes, upto);
        }
        before.0.max(1.0) as u64
    }

    /// The mean size.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let mut before = (self.0.first().map_or(1.0, |point| point.0), 0.0);
        let mut mean = 0.0;
        for &(bytes, upto) in &self.0 {
            mean += (upto - before.1) * (bytes + before.0) / 2.0;
            before = (bytes, upto);
        }
        mean
    }
}

/// Messages between random hosts, at random times (Poisson) up to an end, so that hosts send at a share of their rate.
#[must_use]
pub fn load(hosts: u32, rate: u64, load: f64, sizes: &Sizes, until: Time, random: &mut Random) -> Vec<Flow> {
    // Bytes of all hosts in a picosecond, and from that the time from one message to the next.
    let bytes = f64::from(hosts) * rate as f64 * load / 8e6;
    let between = sizes.mean() / bytes;
    let mut flows = Vec::new();
    let mut time = 0.0;
    loop {
        time -= (1.0 - random.real()).ln() * between;
        if time > until as f64 {
            return flows;
        }
        let source = random.below(hosts.into()) as u32;
        let other = random.below(u64::from(hosts) - 1) as u32;
        let destination = if other < source { other } else { other + 1 };
        flows.push(Flow { source, destination, bytes: sizes.at(random.real()), start: time as Time, after: None });
    }
}

/// Reads a connection matrix of htsim: `Nodes N`, `Connections M`, and lines such as `0->5 start 0 size 2000000`, with
/// times in picoseconds. Returns the number of nodes too.
///
/// # Errors
/// The text of a line is none, with the number of the line.
pub fn matrix(text: &str) -> Result<(u32, Vec<Flow>), (usize, String)> {
    let (mut nodes, mut connections, mut flows) = (0, None, Vec::new());
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: &str| (number + 1, format!("{what}: `{}`", line.trim()));
        let words: Vec<_> = line.split_whitespace().collect();
        let Some(&first) = words.first() else { continue };
        let value = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse::<u64>().ok()
        };
        if first.starts_with('#') {
            continue;
        }
        if first == "Nodes" {
            nodes =
                value("Nodes").and_then(|nodes| nodes.try_into().ok()).ok_or_else(|| wrong("no number of nodes"))?;
        } else if first == "Connections" {
            connections = Some(value("Connections").ok_or_else(|| wrong("no number of connections"))?);
        } else if let Some((from, to)) = first.split_once("->") {
            let host = |text: &str| text.parse::<u32>().map_err(|_| wrong("no number of a host"));
            let (source, destination) = (host(from)?, host(to)?);
            let bytes = value("size").ok_or_else(|| wrong("no `size`"))?;
            flows.push(Flow { source, destination, bytes, start: value("start").unwrap_or(0), after: None });
        } else {
            return Err(wrong("neither `Nodes`, nor `Connections`, nor a connection"));
        }
    }
    if connections.is_some_and(|connections| connections != flows.len() as u64) {
        return Err((
            text.lines().count(),
            format!("{} connections are announced, and {} are there", connections.unwrap_or(0), flows.len()),
        ));
    }
    Ok((nodes, flows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permutation_is_one_cycle() {
        let flows = permutation(128, 1);
        let mut at = 0;
        for step in 1..=128 {
            at = flows.iter().find(|flow| flow.source == at).expect("everyone sends").destination;
            assert_eq!(at == 0, step == 128);
        }
    }

    #[test]
    fn an_incast_has_different_senders() {
        for (hosts, senders) in [(128, 8), (9, 8), (128, 127), (2, 1)] {
            let among: Vec<_> = (1..hosts).collect();
            let mut sources: Vec<_> = incast(&among, senders, 0, 1).iter().map(|flow| flow.source).collect();
            sources.dedup();
            assert_eq!(sources.len(), senders as usize);
            assert!(sources.is_sorted() && sources.iter().all(|source| among.contains(source)));
        }
    }

    #[test]
    fn a_step_of_a_ring_waits_for_the_one_before() {
        let flows = ring(4, 3, 1);
        assert_eq!(flows.len(), 12);
        for (number, flow) in flows.iter().enumerate() {
            let before = flow.after.map(|before| flows[before as usize]);
            assert_eq!(before.is_none(), number < 4);
            assert!(before.is_none_or(|before| before.destination == flow.source));
        }
    }

    #[test]
    fn a_load_is_what_it_says() {
        let sizes = Sizes(vec![(1000.0, 0.5), (100_000.0, 1.0)]);
        assert_eq!((sizes.at(0.25), sizes.at(0.75), sizes.at(1.0)), (1000, 50_500, 100_000));
        let until = 20_000_000_000;
        let flows = load(16, 100_000, 0.6, &sizes, until, &mut Random::new(1, 0));
        let sum: u64 = flows.iter().map(|flow| flow.bytes).sum();
        let share = sum as f64 / (16.0 * 100_000.0 * until as f64 / 8e6);
        assert!((share - 0.6).abs() < 0.02, "{share}");
        assert!(flows.iter().all(|flow| flow.source != flow.destination && flow.start <= until));
    }

    #[test]
    fn matrices_are_read() {
        let text = "Nodes 4\nConnections 2\n0->1 start 0 size 10\n3->2 id 7 start 5 size 20\n";
        let (nodes, flows) = matrix(text).expect("it is one");
        assert_eq!((nodes, flows[1]), (4, Flow { source: 3, destination: 2, bytes: 20, start: 5, after: None }));
        assert_eq!(matrix("Nodes x").unwrap_err(), (1, "no number of nodes: `Nodes x`".to_owned()));
        assert_eq!(matrix("Nodes 2\n0->1 start 0").unwrap_err().0, 2);
        assert!(matrix("Nodes 2\nConnections 2\n0->1 size 1").unwrap_err().1.starts_with("2 connections"));
    }
}
