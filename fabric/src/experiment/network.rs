// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sections `[topology]` and `[queue]`.

use super::Problem;
use super::settings::{self, Settings};
use crate::event::{MICROSECOND, NANOSECOND, Time};
use crate::link::{Change, LinkId, Node, duration};
use crate::queue::Limits;
use crate::switch::Choice;
use crate::topology::{Cable, Pattern, Routes, Topology, fat_tree, leaf_spine};
use crate::transport::{Control, Setup};
use toml::Spanned;

/// A change at a time.
pub type At = (Time, Vec<LinkId>, Change);

/// A number that must be in a range.
pub fn within(value: &Spanned<f64>, low: f64, high: f64, what: &str) -> Result<f64, Problem> {
    let number = *value.get_ref();
    if number.is_finite() && (low..=high).contains(&number) {
        return Ok(number);
    }
    Err(Problem::at(value, format!("{what} is {number}"), format!("it is from {low} to {high}")))
}

/// A rate in Mb/s.
fn rate(value: &Spanned<f64>) -> Result<u64, Problem> {
    Ok((within(value, 0.001, 100_000.0, "a rate in Gb/s")? * 1000.0).round() as u64)
}

/// A time in picoseconds.
pub fn time(value: &Spanned<f64>, unit: Time, what: &str) -> Result<Time, Problem> {
    if *value.get_ref() < 0.0 {
        return Err(Problem::at(value, format!("{what} is before time 0"), "a run begins at 0"));
    }
    Ok((within(value, 0.0, 1e9, what)? * unit as f64).round() as Time)
}

/// A key that this kind needs.
fn needed<'a, T>(value: Option<&'a Spanned<T>>, key: &str, of: &Spanned<String>) -> Result<&'a Spanned<T>, Problem> {
    value.ok_or_else(|| Problem::at(of, format!("`{}` needs `{key}`", of.get_ref()), format!("add `{key} = ..`")))
}

/// The topology, and how its switches choose.
pub fn topology(settings: &settings::Topology) -> Result<(Topology, Cable, Choice), Problem> {
    let cable = Cable { rate: rate(&settings.rate_gbps)?, delay: time(&settings.delay_ns, NANOSECOND, "a delay")? };
    let kind = &settings.kind;
    let numbers = [(&settings.hosts, 65_536), (&settings.leaves, 65_536), (&settings.spines, 4096)];
    for (value, most) in numbers.into_iter().filter_map(|(value, most)| Some((value.as_ref()?, most))) {
        if !(1..=most).contains(value.get_ref()) {
            return Err(Problem::at(
                value,
                format!("a network with {} of these", value.get_ref()),
                format!("it is from 1 to {most}"),
            ));
        }
    }
    let topology = match kind.get_ref().as_str() {
        "leaf-spine" => {
            let hosts = needed(settings.hosts.as_ref(), "hosts", kind)?;
            let leaves = needed(settings.leaves.as_ref(), "leaves", kind)?;
            let spines = needed(settings.spines.as_ref(), "spines", kind)?;
            let made = leaf_spine(*hosts.get_ref(), *leaves.get_ref(), *spines.get_ref(), cable);
            made.map_err(|message| {
                Problem::at(leaves, message, "choose a number of leaves that divides that of hosts")
            })?
        }
        "fat-tree" => {
            let hosts = needed(settings.hosts.as_ref(), "hosts", kind)?;
            let tiers = needed(settings.tiers.as_ref(), "tiers", kind)?;
            let made = fat_tree(*hosts.get_ref(), *tiers.get_ref(), cable);
            made.map_err(|message| Problem::at(hosts, message, "k ports make k*k/2 hosts in 2 tiers, k*k*k/4 in 3"))?
        }
        "links" => listed(settings, cable)?,
        other => {
            return Err(Problem::at(
                kind,
                format!("no topology is called `{other}`"),
                "use leaf-spine, fat-tree, links or dragonfly",
            ));
        }
    };
    let choice = match settings.ecmp.as_ref().map(|ecmp| (ecmp, ecmp.get_ref().as_str())) {
        None | Some((_, "flow-ev")) => Choice::FlowAndEv,
        Some((_, "flow")) => Choice::Flow,
        Some((at, other)) => {
            return Err(Problem::at(at, format!("switches do not choose by `{other}`"), "use flow-ev or flow"));
        }
    };
    Ok((topology, cable, choice))
}

/// A list of links. Hosts are numbered as they come, and must be called `host0`, `host1` and so on.
fn listed(settings: &settings::Topology, cable: Cable) -> Result<Topology, Problem> {
    let mut hosts = 0;
    let mut ends = Vec::new();
    for link in &settings.links {
        let text = link.get_ref();
        let Some((a, b)) = text.split_once(" - ") else {
            return Err(Problem::at(link, format!("`{text}` is no link"), "write it as `host0 - leaf0`"));
        };
        for name in [a.trim(), b.trim()] {
            if let Some(number) = name.strip_prefix("host") {
                let number: u32 = number.parse().map_err(|_| {
                    Problem::at(link, format!("`{name}` has no number"), "hosts are called host0, host1 and so on")
                })?;
                hosts = hosts.max(number.saturating_add(1));
            }
        }
        ends.push((link, a.trim(), b.trim()));
    }
    if hosts as usize > settings.links.len() {
        let message = format!("host{} is named, and there are {} links", hosts - 1, settings.links.len());
        return Err(Problem::at(&settings.kind, message, "hosts are numbered from 0 without a gap"));
    }
    let mut topology = Topology::of_hosts(hosts);
    for (link, a, b) in ends {
        let mut node = |name: &str| {
            let host = name.strip_prefix("host").and_then(|number| number.parse().ok()).map(Node::Host);
            host.unwrap_or_else(|| match topology.switches.iter().position(|switch| switch == name) {
                Some(at) => Node::Switch(at as u32),
                None => topology.switch(name.to_owned()),
            })
        };
        let (a, b) = (node(a), node(b));
        if a == b {
            return Err(Problem::at(link, "a link joins a place with itself", "name two places"));
        }
        topology.join(a, b, cable);
    }
    Ok(topology)
}

/// The changes, in the order of the file.
pub fn changes(settings: &settings::Topology, topology: &Topology) -> Result<Vec<At>, Problem> {
    let mut changes = Vec::new();
    for change in &settings.change {
        let text = change.links.get_ref();
        let help = format!("links are called such as {}", examples(topology));
        let pattern = Pattern::read(text).map_err(|message| Problem::at(&change.links, message, help.clone()))?;
        let links = pattern.links(topology);
        if links.is_empty() {
            return Err(Problem::at(&change.links, format!("`{text}` names no link"), help));
        }
        let at = time(&change.at_us, MICROSECOND, "a change")?;
        let mut add = |change| changes.push((at, links.clone(), change));
        change.up.into_iter().for_each(|up| add(Change::Up(up)));
        if let Some(gbps) = &change.rate_gbps {
            add(Change::Rate(rate(gbps)?));
        }
        if let Some(loss) = &change.loss {
            add(Change::Loss(within(loss, 0.0, 1.0, "a share of packets")?));
        }
        if let Some(share) = &change.bit_errors {
            add(Change::BitErrors(within(share, 0.0, 0.5, "a share of bits")?));
        }
        if let Some(queue) = &change.queue {
            add(Change::Queue(within(queue, 0.0, 1.0, "a share of a queue")?));
        }
        let kept = change.up.is_none() && change.rate_gbps.is_none() && change.queue.is_none();
        let same = kept && change.loss.is_none() && change.bit_errors.is_none();
        if same {
            return Err(Problem::at(
                &change.links,
                "nothing changes",
                "add `up`, `rate_gbps`, `loss`, `bit_errors` or `queue`",
            ));
        }
    }
    Ok(changes)
}

/// The links that are looked at, and how often.
pub fn measured(settings: &settings::Measure, topology: &Topology) -> Result<Option<(Vec<LinkId>, Time)>, Problem> {
    let Some(links) = &settings.links else {
        return match &settings.every_us {
            Some(every) => Err(Problem::at(every, "no links are named", "add `links = ..`")),
            None => Ok(None),
        };
    };
    let help = format!("links are called such as {}", examples(topology));
    let pattern = Pattern::read(links.get_ref()).map_err(|message| Problem::at(links, message, help.clone()))?;
    let named = pattern.links(topology);
    if named.is_empty() {
        return Err(Problem::at(links, format!("`{}` names no link", links.get_ref()), help));
    }
    let every = match &settings.every_us {
        Some(every) => (within(every, 0.001, 1e6, "a time between samples in us")? * MICROSECOND as f64) as Time,
        None => MICROSECOND,
    };
    Ok(Some((named, every)))
}

/// The names of some links.
fn examples(topology: &Topology) -> String {
    let last = topology.wires.last().map(|wire| topology.link_name(wire));
    let first = topology.wires.first().map(|wire| topology.link_name(wire));
    first.into_iter().chain(last).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Round trip of a full packet and of its ACK over the longest path of an empty network.
pub fn round_trip(topology: &Topology, routes: &Routes, packet: u32, control: u32) -> Result<Time, String> {
    let wires = &topology.wires;
    let mut leaves: std::collections::BTreeMap<Node, u32> = std::collections::BTreeMap::new();
    for host in 0..topology.hosts.len() as u32 {
        leaves.entry(wires[routes.from_host(host) as usize].to).or_insert(host);
    }
    // Two of the first leaf, if there is only one.
    let mut some: Vec<u32> = leaves.into_values().collect();
    if some.len() == 1 {
        some = (0..topology.hosts.len().min(2) as u32).collect();
    }
    let one_way = |from: u32, to: u32, bytes: u32| {
        let mut link = routes.from_host(from);
        let mut sum = 0;
        for _ in 0..=topology.switches.len() {
            let at = &wires[link as usize];
            sum += at.delay + duration(bytes.into(), at.rate);
            match at.to {
                Node::Host(_) => return Ok(sum),
                Node::Switch(switch) => match routes.choices(switch, to).first() {
                    Some(&next) => link = next,
                    None => break,
                },
            }
        }
        Err(format!("no path leads from {} to {}", topology.hosts[from as usize], topology.hosts[to as usize]))
    };
    let mut longest = 0;
    for (at, &from) in some.iter().enumerate() {
        for &to in &some[..at] {
            longest = longest.max(one_way(from, to, packet)? + one_way(to, from, control)?);
        }
    }
    Ok(longest)
}

/// What queues hold, in bytes, and those before the link to a host.
pub fn limits(settings: &Settings, setup: &Setup) -> Result<[Limits; 2], Problem> {
    let queue = &settings.queue;
    let size = u64::from(setup.packet);
    let bdp = setup.bdp().div_ceil(size).max(1);
    let of = |value: &Option<Spanned<u64>>, else_: u64| value.as_ref().map_or(else_, |value| *value.get_ref());
    let packets = of(&queue.packets, bdp);
    if let Some(value) = queue.packets.as_ref().filter(|value| !(1..=1_000_000).contains(value.get_ref())) {
        return Err(Problem::at(value, "a queue of no packet, or of too many", "it is from 1 to 1000000 packets"));
    }
    let (low, high) = (of(&queue.ecn_low, (packets + 2) / 5), of(&queue.ecn_high, (4 * packets + 2) / 5));
    if low > high {
        let at = queue.ecn_low.as_ref().or(queue.ecn_high.as_ref());
        let (message, help) =
            (format!("marks begin at {low} packets, and are set always at {high}"), "exchange the two");
        return Err(at.map_or_else(|| Problem::new(&message, help), |at| Problem::at(at, &message, help)));
    }
    let trim = setup.trim.then_some(setup.control_size);
    let mark = queue.ecn.unwrap_or(true).then_some((low * size, high * size));
    let limits = Limits { data: packets * size, headers: 2 * packets * size, mark, trim };
    // With credit the receiver itself controls the last hop (uet.md 3).
    let last = queue.ecn_last_hop.unwrap_or(setup.control == Control::Nscc);
    Ok([limits, Limits { mark: mark.filter(|_| last), ..limits }])
}
