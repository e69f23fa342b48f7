// SPDX-License-Identifier: MIT OR Apache-2.0
//! A drawing of the pipeline: a box per stage, or one per instance if it [consists of stages](super::wiring), an arrow per
//! stream with its width, and latencies at the outputs. Levels and counters, which are single signals, are only in the
//! table.

use super::figure::{drawn, exact, real, word};
use super::wiring::{self, Drawn};
use super::{name, table};
use crate::interfaces::{Direction, Interface};
use crate::latency::Time;
use crate::summary::{Stage, Summary};
use crate::wiring::Wiring;
use maud::{Markup, html};

pub fn section(summary: &Summary) -> Markup {
    let target = &summary.target;
    html! {
        dl.facts {
            div { dt { "bus" } dd { (exact("/target/data_width", target.data_width)) " bits" } }
            div { dt { "clock" } dd { (real("/target/clock_mhz", target.clock_mhz, 2)) " MHz" } }
            div { dt { "link" } dd { (exact("/target/link_gbps", target.link_gbps)) " Gb/s" } }
            div { dt { "pipelines" } dd { (exact("/target/pipelines", target.pipelines)) } }
            div { dt { "device" } dd { (word("/target/device", target.device)) } }
        }
        @for (i, left_out) in summary.left_out.iter().enumerate() {
            p {
                code { (word(&format!("/left_out/{i}/stage"), &left_out.stage)) } " is left out: it needs "
                (word(&format!("/left_out/{i}/needs"), left_out.needs)) "."
            }
        }
        div.stages {
            @for (i, stage) in summary.stages.iter().enumerate() {
                figure {
                    @match &stage.wiring {
                        Some(wiring) => (wiring::drawing(
                            Drawn { path: &format!("/stages/{i}"), name: &stage.stage, latency: &stage.latency },
                            wiring,
                        )),
                        None => (drawing(i, stage, target.pipelines > 1)),
                    }
                    figcaption {
                        (name(&format!("/stages/{i}/top"), &stage.top))
                        @if target.pipelines > 1 { ", one of " (exact("/target/pipelines", target.pipelines)) }
                        @if stage.wiring.is_some() { "; where a line is dashed, logic of the module is on the way" }
                    }
                }
                @for (k, part) in stage.parts.iter().enumerate() { @if let Some(wiring) = &part.wiring {
                    @let path = format!("/stages/{i}/parts/{k}");
                    figure {
                        (wiring::drawing(Drawn { path: &path, name: &part.stage, latency: &part.latency }, wiring))
                        figcaption { (name(&format!("{path}/top"), &part.top)) }
                    }
                } }
            }
        }
        details {
            summary { "Interfaces and latencies as tables" }
            @for (i, stage) in summary.stages.iter().enumerate() { (interfaces(i, stage)) }
        }
    }
}

/// The height of an arrow: its name above, and lines with width and latencies below.
const ROW: usize = 40;
/// The height of such a line.
const LINE: usize = 14;
/// The space above and below the rows in a box.
const PAD: usize = 14;
/// The number of letters of the stage's name that fit into the box on a phone.
const LETTERS: usize = 15;

/// Draws one stage. Horizontal positions are shares of the width, vertical ones pixels.
fn drawing(i: usize, stage: &Stage, many: bool) -> Markup {
    let side = |direction| -> Vec<(usize, &Interface)> {
        let drawn = |interface: &Interface| interface.direction == direction && !interface.is_single();
        stage.interfaces.iter().enumerate().filter(|(_, interface)| drawn(interface)).collect()
    };
    let (inputs, outputs) = (side(Direction::In), side(Direction::Out));
    let below: Vec<_> =
        stage.interfaces.iter().enumerate().map(|(j, interface)| details(i, j, interface, stage)).collect();
    let row = ROW + LINE * below.iter().map(Vec::len).max().unwrap_or(0);
    let inner = row * inputs.len().max(outputs.len()).max(1);
    let (top, height) = (10, inner + 2 * PAD);
    let middle = |at: usize, of: usize| top + PAD + inner * (2 * at + 1) / (2 * of);
    let lines = wrapped(&stage.stage, LETTERS);
    let title = format!("stage-{i}");
    html! {
        svg.stage width="100%" height=(top + height + 10) role="img" aria-labelledby=(title) {
            title id=(title) {
                "Stage " (stage.stage) ". In: " (listed(&inputs)) ". Out: " (listed(&outputs)) "."
            }
            defs {
                marker id=(format!("head-{i}")) markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto"
                    markerUnits="userSpaceOnUse" {
                    path.head d="M0 0L9 4L0 8z" {}
                }
            }
            // Further pipelines are drawn behind this one.
            @if many { @for behind in [8, 4] {
                rect.box x="33%" y=(top) width="34%" height=(height) rx="4"
                    transform=(format!("translate({behind} -{behind})")) {}
            } }
            rect.box x="33%" y=(top) width="34%" height=(height) rx="4" {}
            @let first = (top + height / 2 + 4).saturating_sub((lines.len() - 1) * 8);
            @for (k, line) in lines.iter().enumerate() {
                text.stagename x="50%" y=(first + k * 16) text-anchor="middle" { (line) }
            }
            @for side in [&inputs, &outputs] {
                @for (k, &(j, interface)) in side.iter().enumerate() {
                    (arrow(i, j, interface, middle(k, side.len()), &below[j]))
                }
            }
        }
    }
}

/// Draws an arrow into or out of the box, with its name above and lines below.
fn arrow(i: usize, j: usize, interface: &Interface, y: usize, below: &[Markup]) -> Markup {
    let out = interface.direction == Direction::Out;
    let (from, to) = if out { ("67%", "100%") } else { ("0", "33%") };
    let (x, anchor) = if out { ("100%", "end") } else { ("0", "start") };
    html! {
        line.wire.signals[!interface.stream] x1=(from) y1=(y) x2=(to) y2=(y) marker-end=(format!("url(#head-{i})")) {}
        text.port x=(x) y=(y - 8) text-anchor=(anchor) { (name_of(i, j, interface)) }
        @for (k, line) in below.iter().enumerate() {
            text.detail x=(x) y=(y + 16 + LINE * k) text-anchor=(anchor) { (line) }
        }
    }
}

/// The width and the latencies of an interface.
fn details(i: usize, j: usize, interface: &Interface, stage: &Stage) -> Vec<Markup> {
    let field = if interface.data_bits.is_some() { "data_bits" } else { "bits" };
    let bits = f64::from(interface.data_bits.unwrap_or(interface.bits));
    let mut lines = vec![html! { (drawn(&format!("/stages/{i}/interfaces/{j}/{field}"), bits, 0)) " bits" }];
    let times: Vec<_> = stage.latency.iter().enumerate().filter(|(_, time)| interface.has(&time.to)).collect();
    for (n, time) in &times {
        let from = stage.interfaces.iter().enumerate().find(|(_, interface)| interface.has(&time.from));
        // The input is named only if there are several.
        if let Some((from, interface)) = from.filter(|_| times.len() > 1) {
            lines.push(html! { "from " (name_of(i, from, interface)) });
        }
        lines.push(html! {
            (drawn(&format!("/stages/{i}/latency/{n}/clocks"), time.clocks as f64, 0)) " clocks, "
            (drawn(&format!("/stages/{i}/latency/{n}/ns"), time.ns, 1)) " ns"
        });
    }
    lines
}

fn name_of(i: usize, j: usize, interface: &Interface) -> Markup {
    html! { tspan data-json=(format!("/stages/{i}/interfaces/{j}/name")) { (interface.name) } }
}

fn listed(interfaces: &[(usize, &Interface)]) -> String {
    let names: Vec<_> = interfaces.iter().map(|(_, interface)| interface.name.as_str()).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// The lines of a name, broken after underscores.
fn wrapped(name: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in name.split_inclusive('_') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + part.len() > letters {
            lines.push(part.to_owned());
        } else {
            lines[last] += part;
        }
    }
    lines
}

/// The same as text with all widths, for readers who cannot see the drawing.
fn interfaces(i: usize, stage: &Stage) -> Markup {
    let rows = html! {
        caption {
            "Interfaces of " (stage.stage) "; bits of a transfer without "
            code { "valid" } " and " code { "ready" }
        }
        thead { tr {
            th scope="col" { "name" } th scope="col" { "direction" } th scope="col" { "kind" }
            th.n scope="col" { "bits" }
        } }
        tbody {
            @for (j, interface) in stage.interfaces.iter().enumerate() {
                @let at = |field: &str| format!("/stages/{i}/interfaces/{j}/{field}");
                tr {
                    th scope="row" { (name(&at("name"), &interface.name)) }
                    td { @if interface.direction == Direction::Out { "out" } @else { "in" } }
                    td { @if interface.stream { "stream" } @else { "signals" } }
                    td.n { (exact(&at("bits"), interface.bits)) }
                }
            }
        }
    };
    let path = format!("/stages/{i}");
    html! {
        (table(&format!("Interfaces of {}", stage.stage), rows))
        (latencies(&path, &stage.stage, &stage.latency, stage.wiring.as_ref()))
        @for (k, part) in stage.parts.iter().enumerate().filter(|(_, part)| part.wiring.is_some()) {
            (latencies(&format!("{path}/parts/{k}"), &part.stage, &part.latency, part.wiring.as_ref()))
        }
    }
}

/// The latencies of a stage, and of the instances of which it consists.
fn latencies(path: &str, stage: &str, own: &[Time], wiring: Option<&Wiring>) -> Markup {
    let row = |path: &str, time: &Time| {
        html! {
            th scope="row" { (name(&format!("{path}/from"), &time.from)) }
            td { (name(&format!("{path}/to"), &time.to)) }
            td.n { (exact(&format!("{path}/clocks"), time.clocks)) }
            td.n { (real(&format!("{path}/ns"), time.ns, 1)) }
        }
    };
    let times = html! {
        caption { "Latency of " (stage) ", nothing stalling" }
        thead { tr {
            th scope="col" { "from" } th scope="col" { "to" } th.n scope="col" { "clocks" } th.n scope="col" { "ns" }
        } }
        tbody { @for (j, time) in own.iter().enumerate() { tr { (row(&format!("{path}/latency/{j}"), time)) } } }
        @for (k, instance) in wiring.iter().flat_map(|wiring| wiring.instances.iter().enumerate()) {
            @let path = format!("{path}/wiring/instances/{k}");
            tbody {
                tr.group { th scope="rowgroup" colspan="4" { (name(&format!("{path}/name"), &instance.name)) } }
                @for (j, time) in instance.latency.iter().enumerate() { tr { (row(&format!("{path}/latency/{j}"), time)) } }
            }
        }
    };
    html! { @if wiring.is_some() || !own.is_empty() { (table(&format!("Latency of {stage}"), times)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_break_behind_underscores() {
        assert_eq!(wrapped("header_parser", LETTERS), ["header_parser"]);
        assert_eq!(wrapped("entropy_selector", LETTERS), ["entropy_", "selector"]);
        assert_eq!(wrapped("averyveryverylongname", LETTERS), ["averyveryverylongname"]);
    }
}
