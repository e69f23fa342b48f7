// SPDX-License-Identifier: MIT OR Apache-2.0
//! A case in a Dragonfly: all keys are checked, and what is not given has its default.

use super::settings::{Measure, Routing, Settings, Switch, Topology, Traffic};
use crate::dragonfly::measure::Window;
use crate::dragonfly::network::Setup;
use crate::dragonfly::pattern::{Pattern, Phase};
use crate::dragonfly::policy::{Choice, Keep, Occupancy, Rules};
use crate::dragonfly::shape::{MOST_PORTS, Shape, Trunks};
use crate::dragonfly::switches::{Hardware, Switches};
use crate::dragonfly::tables::Tables;
use crate::experiment::Problem;
use crate::experiment::network::within;
use toml::Spanned;

/// Most cycles of a run.
const CYCLES: u32 = 100_000_000;

/// Most packets on links that a network remembers.
const STARTS: u64 = 1 << 27;

/// The least load: one packet of a host in some million cycles.
const LEAST: f64 = 1e-5;

/// Most hosts of a network.
const HOSTS: u32 = 300_000;

/// A number in a range, or one in place of it.
fn number(value: &Option<Spanned<u32>>, else_: u32, low: u32, high: u32, what: &str) -> Result<u32, Problem> {
    let Some(value) = value else { return Ok(else_) };
    let number = *value.get_ref();
    if (low..=high).contains(&number) {
        return Ok(number);
    }
    Err(Problem::at(value, format!("{what}: {number}"), format!("it is from {low} to {high}")))
}

/// One of some words, or the first one.
fn word<T: Copy>(value: &Option<Spanned<String>>, words: &[(&str, T)], what: &str) -> Result<T, Problem> {
    let Some(value) = value else { return Ok(words[0].1) };
    named(value, words, what)
}

fn named<T: Copy>(value: &Spanned<String>, words: &[(&str, T)], what: &str) -> Result<T, Problem> {
    let found = words.iter().find(|(word, _)| word == value.get_ref());
    found.map(|&(_, value)| value).ok_or_else(|| {
        let known = words.iter().map(|&(word, _)| word).collect::<Vec<_>>().join(", ");
        Problem::at(value, format!("no {what} is called `{}`", value.get_ref()), format!("use one of {known}"))
    })
}

/// The network of a case.
pub fn setup(settings: &Settings) -> Result<Setup, Problem> {
    if settings.experiment.end_us.span() != (0..0) {
        let help = "a run ends after measure.warmup_cycles and measure.cycles";
        return Err(Problem::at(&settings.experiment.end_us, "a Dragonfly has no `end_us`", help));
    }
    let shape = shape(&settings.topology)?;
    let hardware = hardware(&settings.switch)?;
    let starts = Switches::starts(&shape, &hardware);
    if starts > STARTS {
        let switch = &settings.switch;
        let help = "choose shorter delays, longer packets or a smaller network";
        let message = format!("the network would remember {starts} packets on its links");
        let at = switch.global_cycles.as_ref().or(switch.local_cycles.as_ref()).or(switch.packet_flits.as_ref());
        return Err(Problem::at(at.unwrap_or(&settings.topology.h), message, help));
    }
    let rules = rules(&settings.routing, &shape, &hardware)?;
    let window = window(&settings.measure)?;
    let phases = phases(&settings.traffic, &shape, window.end)?;
    Ok(Setup { shape, hardware, rules, phases, window })
}

fn shape(settings: &Topology) -> Result<Shape, Problem> {
    let h = number(&Some(settings.h.clone()), 1, 1, 31, "global links of a switch")?;
    let a = number(&settings.a, 2 * h, 2, 64, "switches of a group")?;
    let p = number(&settings.p, h, 1, 32, "hosts of a switch")?;
    let t = number(&settings.t, 1, 1, a * h, "links between two groups")?;
    if p + a - 1 + h > MOST_PORTS {
        let at = settings.a.as_ref().or(settings.p.as_ref()).unwrap_or(&settings.h);
        let message = format!("a switch with {} ports", p + a - 1 + h);
        return Err(Problem::at(at, message, format!("p + a - 1 + h is {MOST_PORTS} at most")));
    }
    let trunks = [("neighbours", Trunks::Neighbours), ("apart", Trunks::Apart)];
    let trunks = word(&settings.trunks, &trunks, "choice of trunks")?;
    let at = settings.t.as_ref().unwrap_or(&settings.h);
    let shape = Shape::new(p, a, h, t, trunks).map_err(|message| {
        Problem::at(at, message, "a balanced one has a = 2 h, p = h and t = 1, which is the default")
    })?;
    if shape.all_hosts() > HOSTS {
        let message = format!("a network of {} hosts", shape.all_hosts());
        return Err(Problem::at(at, message, format!("it has {HOSTS} at most")));
    }
    Ok(shape)
}

fn hardware(settings: &Switch) -> Result<Hardware, Problem> {
    let order = [("turns", false), ("oldest", true)];
    Ok(Hardware {
        flits: number(&settings.packet_flits, 8, 1, 64, "flits of a packet")?,
        pipeline: number(&settings.pipeline_cycles, 5, 1, 1000, "cycles of the pipeline")?,
        speedup: number(&settings.speedup, 2, 1, 64, "a speed-up")?,
        output_queue: number(&settings.output_packets, 4, 1, 256, "packets of an output queue")?,
        host_delay: number(&settings.host_cycles, 1, 1, 10_000, "a delay")?,
        local_delay: number(&settings.local_cycles, 10, 1, 10_000, "a delay")?,
        global_delay: number(&settings.global_cycles, 100, 1, 10_000, "a delay")?,
        injection_queues: number(&settings.injection_queues, 3, 1, 4, "injection queues")?,
        injection_buffer: number(&settings.injection_packets, 16, 1, 1024, "packets of an injection queue")?,
        local_buffer: number(&settings.local_packets, 4, 1, 1024, "packets of a buffer")?,
        global_buffer: number(&settings.global_packets, 32, 1, 4096, "packets of a buffer")?,
        oldest_first: word(&settings.order, &order, "order")?,
    })
}

/// What keeps the local hops of a path.
const PATHS: [(&str, [Keep; 2]); 6] = [
    ("G", [Keep::Never, Keep::Never]),
    ("LG", [Keep::Always, Keep::Never]),
    ("GL", [Keep::Never, Keep::Always]),
    ("LGL", [Keep::Always, Keep::Always]),
    ("lia", [Keep::Counters, Keep::Counters]),
    ("acor", [Keep::Acor, Keep::Acor]),
];

/// Policies, with the path that they have if none is given.
const POLICIES: [(&str, &str); 7] = [
    ("min", "LGL"),
    ("valiant", "LGL"),
    ("ugal", "LGL"),
    ("piggyback", "LGL"),
    ("acor", "acor"),
    ("tpr", "LGL"),
    ("lia", "lia"),
];

/// A load of traffic, in parts of a link.
fn load(value: &Option<Spanned<f64>>, else_: f64, what: &str) -> Result<f64, Problem> {
    value.as_ref().map_or(Ok(else_), |value| within(value, 0.0, 1000.0, what))
}

fn rules(settings: &Routing, shape: &Shape, hardware: &Hardware) -> Result<Rules, Problem> {
    let policy = settings.policy.get_ref().as_str();
    let default = named(&settings.policy, &POLICIES, "policy")?;
    let path = match &settings.path {
        Some(path) => named(path, &PATHS, "path")?,
        None => PATHS.iter().find(|(name, _)| *name == default).map_or(PATHS[3].1, |&(_, keeps)| keeps),
    };
    let threshold = settings.threshold.as_ref().map_or(Ok(48.0), |value| within(value, -1e6, 1e6, "a threshold"))?;
    let choice = match policy {
        "min" => Choice::Minimal,
        "valiant" | "acor" => Choice::Detour,
        "ugal" => Choice::Ugal(threshold),
        "piggyback" => Choice::Piggyback(threshold),
        _ => Choice::Levels,
    };
    if let Some(value) = settings.threshold.as_ref().filter(|_| !matches!(policy, "ugal" | "piggyback")) {
        return Err(Problem::at(
            value,
            format!("`{policy}` has no threshold"),
            "lia and tpr have thresholds for levels",
        ));
    }
    let part = 1.0 / f64::from(shape.switches);
    let pair = |value: &Option<Spanned<[f64; 2]>>, else_: [f64; 2], low: f64, what: &str| match value {
        None => Ok(else_),
        Some(value) if value.get_ref().iter().all(|number| (low..=1e4).contains(number)) => Ok(*value.get_ref()),
        Some(value) => {
            Err(Problem::at(value, format!("{what}: {:?}", value.get_ref()), format!("they are from {low} to 10000")))
        }
    };
    let interval = number(&settings.interval_cycles, 1000, 1, 1_000_000, "cycles of an interval")?;
    let sweep = number(
        &settings.sweep_cycles,
        if interval.is_multiple_of(8) { interval / 8 } else { interval },
        1,
        interval,
        "cycles of a sweep",
    )?;
    if let Some(value) = settings.sweep_cycles.as_ref().filter(|_| !interval.is_multiple_of(sweep)) {
        let help = format!("choose a number that divides the interval of {interval} cycles");
        return Err(Problem::at(value, format!("a sweep of {sweep} cycles"), help));
    }
    let occupancy = [("waiting", Occupancy::Waiting), ("landed", Occupancy::Landed), ("credits", Occupancy::Credits)];
    let weight = if policy == "tpr" { 0.0 } else { 1.0 };
    let weight = settings.weight.as_ref().map_or(Ok(weight), |value| within(value, 0.0, 1000.0, "a weight"))?;
    let rules = Rules {
        choice,
        first: path[0],
        second: path[1],
        occupancy: word(&settings.occupancy, &occupancy, "reading of an occupancy")?,
        tables: tables(settings, shape, choice, path, fits(shape, hardware, interval, weight))?,
        again: settings.again.unwrap_or(true),
        weight,
        interval,
        sweep,
        limits: pair(&settings.limits, [1.5, 3.0], 0.0, "limits")?.map(|limit| limit * part),
        thresholds: pair(&settings.thresholds, [48.0, 0.0], -1e4, "thresholds")?,
        global: load(&settings.gpsth, 0.8, "a load")? * part,
        saturated: number(&settings.sgc, shape.links / 2, 0, shape.links, "saturated links")?,
        remote: load(&settings.rcth, 0.7, "a load")?,
        draws: number(&settings.draws, 1, 1, 64, "links that are drawn")?,
        partial: settings.partial.as_ref().is_some_and(|value| *value.get_ref()),
    };
    Ok(rules)
}

/// Whether the tables of the stage decide. They hold what `fits`.
fn tables(settings: &Routing, shape: &Shape, choice: Choice, path: [Keep; 2], fits: bool) -> Result<bool, Problem> {
    let ours = settings.draws.is_some() || settings.partial.is_some();
    let known = choice == Choice::Levels && !path.contains(&Keep::Acor) && Tables::shape(shape).is_some();
    let wanted = word(&settings.rules, &[("stage", true), ("network", false)], "place of rules")?;
    let Some(value) = settings.rules.as_ref().filter(|_| wanted) else {
        return Ok(wanted && known && !ours && fits);
    };
    if !known || ours {
        let message = "the stage does not know this policy, path, variant or arrangement of trunks";
        return Err(Problem::at(value, message, "use `rules = \"network\"`, or leave it out"));
    }
    if !fits {
        let message = "counters of the stage have 16 bits, weights are below 16, and this needs more";
        return Err(Problem::at(value, message, "choose a shorter interval or smaller injection queues, or `network`"));
    }
    Ok(true)
}

/// Whether the stage holds the weight, what may wait, and what may leave in an interval.
fn fits(shape: &Shape, hardware: &Hardware, interval: u32, weight: f64) -> bool {
    let product = |factors: &[u32]| factors.iter().map(|&factor| u64::from(factor)).product::<u64>();
    let waits = product(&[shape.hosts, hardware.injection_queues, hardware.injection_buffer, hardware.flits]);
    let leaves = product(&[shape.hosts, hardware.speedup, interval]);
    waits < 1 << 15 && leaves < 1 << 16 && weight < 16.0
}

fn window(settings: &Measure) -> Result<Window, Problem> {
    let from = number(&settings.warmup_cycles, 5000, 0, CYCLES, "cycles before")?;
    let cycles = number(&settings.cycles, 10_000, 1, CYCLES, "cycles that count")?;
    let step = number(&settings.step_cycles, 100, 1, CYCLES, "cycles of a step")?;
    let step = step.max((from + cycles) / 100_000);
    Ok(Window { from, end: from + cycles, step })
}

const PATTERNS: [&str; 3] = ["uniform", "adversarial", "consecutive"];

fn phases(settings: &Traffic, shape: &Shape, end: u32) -> Result<Vec<Phase>, Problem> {
    let mut now = settings.clone();
    let mut phases = vec![phase(&now, 0, shape)?];
    for change in &settings.change {
        let at = *change.at_cycle.get_ref();
        if at >= end || phases.last().is_some_and(|last| at <= last.from) {
            let help = format!("changes follow one another, above 0 and below the end at cycle {end}");
            return Err(Problem::at(&change.at_cycle, format!("a change at cycle {at}"), help));
        }
        now.pattern = change.pattern.clone().unwrap_or(now.pattern);
        now.offset = change.offset.clone().or(now.offset);
        now.uniform = change.uniform.clone().or(now.uniform);
        now.load = change.load.clone().unwrap_or(now.load);
        phases.push(phase(&now, at, shape)?);
    }
    Ok(phases)
}

fn phase(settings: &Traffic, from: u32, shape: &Shape) -> Result<Phase, Problem> {
    let load = *settings.load.get_ref();
    if !(LEAST..=1.0).contains(&load) {
        let message = format!("a load of {load} flits of a host in a cycle");
        return Err(Problem::at(&settings.load, message, format!("it is from {LEAST} to 1")));
    }
    let words = PATTERNS.map(|name| (name, name));
    let pattern = match named(&settings.pattern, &words, "pattern")? {
        "uniform" => Pattern::Uniform,
        "consecutive" => Pattern::Consecutive,
        _ => {
            let missing = || Problem::at(&settings.pattern, "`adversarial` needs `offset`", "add `offset = ..`");
            let offset = settings.offset.as_ref().ok_or_else(missing)?;
            number(&Some(offset.clone()), 1, 1, shape.groups - 1, "an offset of groups").map(Pattern::Adversarial)?
        }
    };
    if pattern == Pattern::Consecutive && shape.links >= shape.groups {
        let message = format!("{} groups have no {} others", shape.groups, shape.links);
        return Err(Problem::at(&settings.pattern, message, "choose a smaller t"));
    }
    let uniform = settings.uniform.as_ref().map_or(Ok(0.0), |value| within(value, 0.0, 1.0, "a share"))?;
    Ok(Phase { from, pattern, uniform, load })
}
