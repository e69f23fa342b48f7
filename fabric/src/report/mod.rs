// SPDX-License-Identifier: MIT OR Apache-2.0
//! One page with plots, which needs no network and no script.

mod curves;
mod plot;

use crate::result::{CaseResult, Check, Interval, Report};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");

/// A number for people.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 || value == value.round() => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}

fn interval(value: Interval) -> String {
    format!("{} ({} to {})", number(value.mean), number(value.low), number(value.high))
}

/// The page of a result.
///
/// # Errors
/// A plot cannot be drawn.
pub fn page(report: &Report) -> Result<String, String> {
    let dragonfly = report.is_dragonfly();
    let cdf = if dragonfly { None } else { Some(plot::completion(report)?) };
    let dots = if dragonfly { None } else { plot::against_source(report)? };
    let curves = if dragonfly { curves::all(report)? } else { Vec::new() };
    let times = if dragonfly {
        "Latencies are in cycles, from the time when a packet is made to its last flit at the host; loads are in flits of a host and cycle."
    } else {
        "Times are from the start of a message to the ACK that completes it."
    };
    let broken: Vec<_> = report.broken().collect();
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (report.name) ": " (report.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (report.name) ": " (report.title) }
                p { "mpnic " (report.version) ", " (report.seeds) " seeds from " (report.seed) " on. " (times) }
                @if !report.checks.is_empty() {
                    h2 { "Against figures that are known" }
                    (checks(&report.checks))
                    @if let Some(dots) = &dots { figure { (PreEscaped(dots)) figcaption { "Ours with its 95 % interval, and the source's (cross), in us." } } }
                }
                @if let Some(cdf) = &cdf {
                    h2 { "When messages are completed" }
                    figure { (PreEscaped(cdf)) figcaption { "Share of messages of all seeds that are completed by a time." } }
                }
                @for (caption, plot) in &curves { figure { (PreEscaped(plot)) figcaption { (caption) } } }
                h2 { "Figures" }
                (figures(&report.cases))
                @if !broken.is_empty() {
                    h2 { "Broken" }
                    ul { @for line in broken.iter().take(100) { li { (line) } } }
                }
                h2 { "Counters" }
                (counters(&report.cases))
                h2 { "Configuration" }
                pre { code { (toml::to_string(&report.configuration).map_err(|error| error.to_string())?) } }
            }
        }
    };
    Ok(markup.into_string())
}

fn checks(checks: &[Check]) -> Markup {
    html! {
        table {
            thead { tr { th { "case" } th { "figure" } th { "ours" } th { "source" } th { "difference" } th { "tolerance" } th { "verdict" } th { "from" } } }
            tbody {
                @for check in checks {
                    tr class=(if check.holds { "good" } else { "bad" }) {
                        th scope="row" { (check.case) }
                        td { (check.figure) }
                        td { (interval(check.ours)) }
                        td { @if check.bound != "about" { "at " (check.bound) " " } (number(check.value)) }
                        td { (format!("{:+.1} %", check.difference)) }
                        td { (check.tolerance) " %" }
                        td { (if check.holds { "holds" } else { "fails" }) }
                        td { (check.source) @if let Some(note) = &check.note { ": " (note) } }
                    }
                }
            }
        }
    }
}

/// A table with a row for each name, and a column for each case.
fn table(cases: &[CaseResult], names: &[&String], value: impl Fn(&CaseResult, &str) -> String) -> Markup {
    html! {
        table {
            thead { tr { th { } @for case in cases { th { (if case.name.is_empty() { "all" } else { &case.name }) } } } }
            tbody {
                @for name in names {
                    tr { th scope="row" { (name) } @for case in cases { td { (value(case, name)) } } }
                }
            }
        }
    }
}

fn figures(cases: &[CaseResult]) -> Markup {
    let names: Vec<_> = cases.first().map(|case| case.figures.keys()).into_iter().flatten().collect();
    table(cases, &names, |case, name| case.figures.get(name).copied().map(interval).unwrap_or_default())
}

fn counters(cases: &[CaseResult]) -> Markup {
    let first = cases.first().and_then(|case| case.runs.first());
    let names: Vec<_> = first.map(|run| run.counters.keys()).into_iter().flatten().collect();
    let sum = |case: &CaseResult, name: &str| {
        let all = case.runs.iter().filter_map(|run| run.counters.get(name));
        let value = if name.starts_with("most") { all.max().copied().unwrap_or(0) } else { all.sum() };
        value.to_string()
    };
    table(cases, &names, sum)
}
