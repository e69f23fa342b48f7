// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run in a Dragonfly, and its figures. Times are in cycles.

use crate::dragonfly::measure::Measure;
use crate::dragonfly::network::{Network, Setup};
use crate::event::NANOSECOND;
use crate::experiment::{Run, Series};

/// The figures of a run that can be expected.
pub const FIGURES: [&str; 14] = [
    "load",
    "accepted",
    "mean",
    "p50",
    "p99",
    "p999",
    "hops",
    "refused",
    "detours",
    "first hops",
    "second hops",
    "least switch",
    "most switch",
    "s_out",
];

/// The figure of a run in which traffic changes: cycles after the last change until latency stays near its last value.
pub const SETTLED: &str = "settled";

/// How near: this part of the last value.
const NEAR: f64 = 0.1;

/// Runs a case with a seed.
pub fn run(name: &str, setup: &Setup, seed: u64) -> Run {
    let mut network = Network::new(setup, seed);
    network.run();
    let (measure, shape) = (&network.measure, &setup.shape);
    let count = |packets: u64, hosts: u32| {
        packets as f64 * f64::from(setup.hardware.flits) / f64::from(measure.cycles()) / f64::from(hosts)
    };
    let ratio = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let switch = |packets: &u32| count((*packets).into(), shape.hosts);
    let loads = || measure.injected.iter().map(switch);
    // Of the patterns that are studied, the first switch of a group owns the links to the next groups (Y3).
    let firsts: u64 = measure.injected.iter().step_by(shape.switches as usize).map(|&packets| u64::from(packets)).sum();
    let [abroad, detours, first, second] = measure.kinds;
    let mut figures = vec![
        ("load", setup.phases.last().map_or(0.0, |phase| phase.load)),
        ("accepted", count(measure.packets, shape.all_hosts())),
        ("mean", ratio(measure.latency, measure.packets)),
        ("p50", measure.quantile(0.5)),
        ("p99", measure.quantile(0.99)),
        ("p999", measure.quantile(0.999)),
        ("hops", ratio(measure.links, measure.packets)),
        ("refused", ratio(measure.refused, measure.offered)),
        ("detours", ratio(detours, abroad)),
        ("first hops", ratio(first, detours)),
        ("second hops", ratio(second, detours)),
        ("least switch", loads().fold(f64::INFINITY, f64::min)),
        ("most switch", loads().fold(0.0, f64::max)),
        ("s_out", count(firsts, shape.groups * shape.hosts)),
    ];
    if setup.phases.len() > 1 {
        figures.push((SETTLED, settled(setup, measure)));
    }
    let counters = [
        ("packets made in the window", measure.offered),
        ("packets refused in the window", measure.refused),
        ("packets delivered in the window", measure.packets),
        ("packets on detours in the window", detours),
    ];
    let inside = network.made - network.delivered;
    Run {
        case: name.to_owned(),
        seed,
        // A cycle counts as a nanosecond.
        end: u64::from(setup.window.end) * NANOSECOND,
        events: network.grants,
        packets: [network.made, network.delivered, 0, inside],
        figures: figures.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        counters: counters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        flows: Vec::new(),
        samples: Vec::new(),
        series: series(setup, measure),
        broken: network.broken(),
    }
}

/// Latency over time, if the traffic changes.
fn series(setup: &Setup, measure: &Measure) -> Vec<Series> {
    if setup.phases.len() < 2 {
        return Vec::new();
    }
    let step = setup.window.step;
    let each = |(at, packets): (usize, &crate::dragonfly::measure::Step)| Series {
        cycle: at as u32 * step,
        packets: packets.packets,
        latency: if packets.packets == 0 { 0.0 } else { packets.latency as f64 / packets.packets as f64 },
    };
    measure.series.iter().enumerate().map(each).collect()
}

/// Cycles from the last change to the first step from which on the mean latency is near that of the last quarter.
fn settled(setup: &Setup, measure: &Measure) -> f64 {
    let from = setup.phases.last().map_or(0, |phase| phase.from);
    let step = setup.window.step;
    let after = &measure.series[(from.div_ceil(step) as usize).min(measure.series.len())..];
    let last = &after[after.len() - after.len() / 4..];
    let (packets, latency) = last.iter().fold((0, 0), |sum, step| (sum.0 + step.packets, sum.1 + step.latency));
    if packets == 0 {
        return f64::from(setup.window.end - from);
    }
    let final_ = latency as f64 / packets as f64;
    let far = |step: &crate::dragonfly::measure::Step| {
        step.packets > 0 && (step.latency as f64 / step.packets as f64 / final_ - 1.0).abs() > NEAR
    };
    let steps = after.iter().rposition(far).map_or(0, |at| at + 1);
    f64::from(steps as u32 * step)
}
