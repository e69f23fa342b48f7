// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a person is shown of results.

use crate::commands::table;
use ::fabric::result::{CaseResult, Check, Interval, Report};

/// Most lines about what is broken.
const MOST: usize = 10;

/// Figures of a network by events, and their units.
const EVENTS: ([&str; 7], &str) = (
    ["largest", "mean", "p99", "goodput", "retransmissions", "trimmed", "dropped"],
    "Times from start to last ACK in us, goodput of all hosts in Gb/s, packets",
);

/// The same of a Dragonfly.
const DRAGONFLY: ([&str; 7], &str) = (
    ["accepted", "mean", "p99", "hops", "detours", "least switch", "most switch"],
    "Loads in flits of a host and cycle, latencies in cycles, detours in parts of the packets to other groups",
);

/// A number with four digits or more.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 || value == value.round() => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}

/// A mean, and half of its interval.
fn interval(value: Interval) -> String {
    let half = value.high - value.mean;
    if half == 0.0 { number(value.mean) } else { format!("{} ±{}", number(value.mean), number(half)) }
}

/// The results of an experiment.
pub fn text(report: &Report) -> String {
    let seeds = if report.seeds == 1 { "one seed".to_owned() } else { format!("{} seeds", report.seeds) };
    let mut text = format!("{}: {}, {seeds}\n\n", report.name, report.title);
    let (figures, units) = if report.is_dragonfly() { DRAGONFLY } else { EVENTS };
    let head: Vec<_> = ["case"].into_iter().chain(figures).collect();
    let row = |case: &CaseResult| {
        let of = |name: &&str| case.figures.get(*name).copied().map(interval).unwrap_or_default();
        [case.name.clone()].into_iter().chain(figures.iter().map(of)).collect()
    };
    text += &table::right(head, report.cases.iter().map(row));
    text += &format!("{units}; ± is the 95 % interval.\n");
    if !report.checks.is_empty() {
        text += "\n";
        text += &checks(&report.checks);
    }
    let broken: Vec<_> = report.broken().collect();
    for line in broken.iter().take(MOST) {
        text += &format!("broken: {line}\n");
    }
    if broken.len() > MOST {
        text += &format!("broken: {} more\n", broken.len() - MOST);
    }
    text
}

fn checks(checks: &[Check]) -> String {
    let row = |check: &Check| {
        let bound = match check.bound.as_str() {
            "most" => "at most ",
            "least" => "at least ",
            _ => "",
        };
        vec![
            check.case.clone(),
            check.figure.clone(),
            interval(check.ours),
            format!("{bound}{}", number(check.value)),
            format!("{:+.1} %", check.difference),
            format!("{} %", check.tolerance),
            if check.holds { "holds" } else { "FAILS" }.to_owned(),
        ]
    };
    let head = vec!["case", "figure", "ours", "source", "difference", "tolerance", "verdict"];
    table::left(head, checks.iter().map(row))
}
