// SPDX-License-Identifier: MIT OR Apache-2.0
//! The section `[traffic]`.

use super::network::time;
use super::settings::{Flow as Listed, Traffic};
use super::{Problem, Workload};
use crate::event::MICROSECOND;
use crate::link::Node;
use crate::traffic::{self, Flow, Sizes};
use std::path::Path;
use toml::Spanned;

/// The messages of a case, in a network of hosts behind these switches, with links of this rate.
pub fn workload(settings: &Traffic, leaves: &[Node], rate: u64, folder: &Path) -> Result<Workload, Problem> {
    let hosts = leaves.len() as u32;
    let pattern = &settings.pattern;
    let missing =
        |key: &str| Problem::at(pattern, format!("`{}` needs `{key}`", pattern.get_ref()), format!("add `{key} = ..`"));
    let bytes = || -> Result<u64, Problem> {
        let value = settings.bytes.as_ref().ok_or_else(|| missing("bytes"))?;
        check_bytes(*value.get_ref(), value)
    };
    if hosts < 2 {
        return Err(Problem::at(pattern, "there is nobody to send to", "a network has at least two hosts"));
    }
    let flows = match pattern.get_ref().as_str() {
        "permutation" => traffic::permutation(hosts, bytes()?),
        "shift" => {
            let by = settings.by.as_ref().ok_or_else(|| missing("by"))?;
            if by.get_ref().is_multiple_of(hosts) {
                return Err(Problem::at(
                    by,
                    "each host would send to itself",
                    format!("it is from 1 to {}", hosts - 1),
                ));
            }
            traffic::shift(hosts, *by.get_ref() % hosts, bytes()?)
        }
        "incast" => {
            let senders = settings.senders.as_ref().ok_or_else(|| missing("senders"))?;
            if !(1..hosts).contains(senders.get_ref()) {
                let message = format!("{} hosts cannot send to one of {hosts}", senders.get_ref());
                return Err(Problem::at(senders, message, format!("it is from 1 to {}", hosts - 1)));
            }
            let receiver = settings.receiver.as_ref().map_or(0, |receiver| *receiver.get_ref());
            if let Some(receiver) = settings.receiver.as_ref().filter(|receiver| *receiver.get_ref() >= hosts) {
                return Err(beyond(receiver, *receiver.get_ref(), hosts));
            }
            traffic::incast(&far(leaves, receiver, *senders.get_ref()), *senders.get_ref(), receiver, bytes()?)
        }
        "ring" => {
            let steps = settings.steps.as_ref().map_or(2 * (hosts - 1), |steps| *steps.get_ref());
            if let Some(value) =
                settings.steps.as_ref().filter(|_| u64::from(steps) * u64::from(hosts) > 1_000_000 || steps == 0)
            {
                return Err(Problem::at(
                    value,
                    format!("{steps} steps of {hosts} hosts"),
                    "choose at most a million messages",
                ));
            }
            traffic::ring(hosts, steps, bytes()?)
        }
        "flows" => {
            if settings.flow.is_empty() {
                return Err(missing("[[traffic.flow]]"));
            }
            let of_all = settings.bytes.as_ref().map(|bytes| *bytes.get_ref());
            settings.flow.iter().map(|flow| listed(flow, of_all, hosts)).collect::<Result<_, _>>()?
        }
        "matrix" => {
            let file = settings.file.as_ref().ok_or_else(|| missing("file"))?;
            matrix(file, hosts, folder)?
        }
        "load" => return load(settings, hosts, rate),
        other => {
            let help = "use permutation, shift, incast, ring, flows, matrix or load";
            return Err(Problem::at(pattern, format!("no pattern is called `{other}`"), help));
        }
    };
    Ok(Workload::Flows(flows))
}

/// Hosts behind other switches than this one's; all others, if there are not so many of them.
fn far(leaves: &[Node], receiver: u32, wanted: u32) -> Vec<u32> {
    let others = |host: &u32| *host != receiver;
    let far = |host: &u32| leaves[*host as usize] != leaves[receiver as usize];
    let hosts = 0..leaves.len() as u32;
    let behind: Vec<_> = hosts.clone().filter(far).collect();
    if behind.len() < wanted as usize { hosts.filter(others).collect() } else { behind }
}

/// The most bytes of a message: its packets have PSNs of 32 bits, and `ccc_table` counts bytes with 40.
const MOST: u64 = 1 << 36;

/// The most messages of a run, about.
const MESSAGES: f64 = 5e6;

fn check_bytes<T>(bytes: u64, at: &Spanned<T>) -> Result<u64, Problem> {
    if (1..=MOST).contains(&bytes) {
        return Ok(bytes);
    }
    Err(Problem::at(at, format!("a message of {bytes} bytes"), format!("it is from 1 to {MOST}")))
}

fn beyond<T>(at: &Spanned<T>, host: u32, hosts: u32) -> Problem {
    Problem::at(at, format!("there is no host {host}"), format!("hosts are numbered from 0 to {}", hosts - 1))
}

fn to_itself<T>(at: &Spanned<T>, host: u32) -> Problem {
    Problem::at(at, format!("host {host} sends to itself"), "name two hosts")
}

/// `[[traffic.flow]]`.
fn listed(flow: &Spanned<Listed>, of_all: Option<u64>, hosts: u32) -> Result<Flow, Problem> {
    let Listed { from, to, bytes, at_us } = *flow.get_ref();
    if let Some(host) = [from, to].into_iter().find(|&host| host >= hosts) {
        return Err(beyond(flow, host, hosts));
    }
    if from == to {
        return Err(to_itself(flow, from));
    }
    let Some(bytes) = bytes.or(of_all) else {
        return Err(Problem::at(flow, "a message without a size", "add `bytes = ..`, here or for all"));
    };
    let start = time(&Spanned::new(flow.span(), at_us), MICROSECOND, "a message")?;
    Ok(Flow { source: from, destination: to, bytes: check_bytes(bytes, flow)?, start, after: None })
}

/// A file of htsim.
fn matrix(file: &Spanned<String>, hosts: u32, folder: &Path) -> Result<Vec<Flow>, Problem> {
    let path = folder.join(file.get_ref());
    let text = std::fs::read_to_string(&path).map_err(|error| {
        Problem::at(file, format!("{}: {error}", path.display()), "name a file beside the experiment")
    })?;
    let (nodes, flows) = traffic::matrix(&text).map_err(|(line, what)| {
        Problem::at(file, format!("{}:{line}: {what}", path.display()), "lines are such as `0->5 start 0 size 2000000`")
    })?;
    if nodes > hosts {
        let message = format!("the matrix has {nodes} nodes, and the network {hosts} hosts");
        return Err(Problem::at(file, message, "choose a larger network, or another matrix"));
    }
    for flow in &flows {
        let Flow { source, destination, bytes, .. } = *flow;
        if let Some(host) = [source, destination].into_iter().find(|&host| host >= hosts) {
            return Err(beyond(file, host, hosts));
        }
        if source == destination {
            return Err(to_itself(file, source));
        }
        check_bytes(bytes, file)?;
    }
    if flows.is_empty() {
        return Err(Problem::at(file, "the matrix has no connection", "choose another one"));
    }
    Ok(flows)
}

/// Random messages.
fn load(settings: &Traffic, hosts: u32, rate: u64) -> Result<Workload, Problem> {
    let pattern = &settings.pattern;
    let missing = |key: &str| Problem::at(pattern, format!("`load` needs `{key}`"), format!("add `{key} = ..`"));
    let load = settings.load.as_ref().ok_or_else(|| missing("load"))?;
    let share = *load.get_ref();
    if !(share > 0.0 && share <= 1.0) {
        let message = format!("a load of {share} of what hosts can send");
        return Err(Problem::at(load, message, "it is above 0, and at most 1"));
    }
    let sizes = settings.sizes.as_ref().ok_or_else(|| missing("sizes"))?;
    let points = sizes.get_ref();
    let rises = points.windows(2).all(|two| two[0].0 <= two[1].0 && two[0].1 <= two[1].1);
    let ends = points.last().is_some_and(|last| last.1 == 1.0) && points[0].1 >= 0.0 && points[0].0 >= 1.0;
    if !rises || !ends || points.iter().any(|point| point.0 > MOST as f64) {
        let help = "write [[bytes, share], ..], both rising, with the last share 1.0";
        return Err(Problem::at(sizes, "these are no shares of messages up to a size", help));
    }
    let until = settings.until_us.as_ref().ok_or_else(|| missing("until_us"))?;
    let (at, until, sizes) = (until, time(until, MICROSECOND, "the last message")?, Sizes(points.clone()));
    let messages = f64::from(hosts) * rate as f64 * share / 8e6 * until as f64 / sizes.mean();
    if messages > MESSAGES {
        let message = format!("about {messages:.0} messages until then");
        return Err(Problem::at(at, message, format!("choose a time for at most {MESSAGES:.0}")));
    }
    Ok(Workload::Load { hosts, load: share, sizes, until })
}
