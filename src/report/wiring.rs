// SPDX-License-Identifier: MIT OR Apache-2.0
//! A drawing of a stage that consists of stages: its instances below each other in the order of the data, and each stream as
//! a line from its source to its readers. What comes into the stage is on the left, what leaves it on the right.

use super::figure::drawn;
use crate::latency::Time;
use crate::wiring::{End, Stream, Wiring};
use maud::{Markup, html};

/// The horizontal positions: names of inputs, box, names of outputs, lanes, names of what leaves.
const BOX: (usize, usize) = (176, 270);
/// The least space for the names of what leaves.
const NAMES: usize = 110;
/// The same for outputs of boxes, with width and latency below.
const DETAILS: usize = 128;
/// The width of a letter of a name.
const LETTER: usize = 7;
/// The distance of two lanes, and of two ports of a box.
const LANE: usize = 9;
const PORT: usize = 28;
/// The space above the first and below the last port of a box, and between boxes.
const PAD: usize = 10;
const GAP: usize = 14;

/// A port of a box on its right side.
#[derive(Clone, Copy)]
enum Right<'a> {
    /// The index of the stream that comes out.
    Source(usize),
    /// The index of the stream that goes in, and its end.
    Reader(usize, &'a End),
}

/// Where a box and its ports are.
struct Placed<'a> {
    top: usize,
    height: usize,
    /// The streams that come from outside, each with its end.
    left: Vec<(usize, &'a End)>,
    right: Vec<Right<'a>>,
}

impl Placed<'_> {
    fn y(&self, port: usize) -> usize {
        self.top + PAD + PORT * port + PORT / 2
    }
}

/// The boxes from top to bottom.
fn placed(wiring: &Wiring) -> Vec<Placed<'_>> {
    let mut top = GAP;
    let mut boxes = Vec::new();
    for i in 0..wiring.instances.len() {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (k, stream) in wiring.streams.iter().enumerate() {
            for end in stream.to.iter().filter(|end| end.instance == Some(i)) {
                match stream.from.instance {
                    None => left.push((k, end)),
                    Some(_) => right.push(Right::Reader(k, end)),
                }
            }
        }
        let sources = wiring.streams.iter().enumerate().filter(|(_, stream)| stream.from.instance == Some(i));
        right.extend(sources.map(|(k, _)| Right::Source(k)));
        let height = 2 * PAD + PORT * left.len().max(right.len()).max(1);
        boxes.push(Placed { top, height, left, right });
        top += height + GAP;
    }
    boxes
}

/// A stream between instances or to the outside: the rows of its ends on the right side, its source first.
struct Line {
    stream: usize,
    source: usize,
    readers: Vec<(usize, bool)>,
    leaves: Vec<(usize, bool)>,
    lane: usize,
}

/// The lines, each in the first lane that is free for its length.
fn lines(wiring: &Wiring, boxes: &[Placed]) -> Vec<Line> {
    let mut lanes: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut lines = Vec::new();
    for (k, stream) in wiring.streams.iter().enumerate() {
        let rows = |wanted: fn(&Right, usize) -> Option<bool>| {
            let ports =
                boxes.iter().flat_map(|it| it.right.iter().enumerate().map(move |(port, right)| (it.y(port), right)));
            ports.filter_map(|(y, right)| Some((y, wanted(right, k)?))).collect::<Vec<_>>()
        };
        let source = rows(|right, k| matches!(right, Right::Source(stream) if *stream == k).then_some(false));
        let Some(&(source, _)) = source.first() else { continue };
        let readers = rows(|right, k| match right {
            Right::Reader(stream, end) if *stream == k => Some(end.logic),
            _ => None,
        });
        let leaves = stream.to.iter().enumerate().filter(|(_, end)| end.instance.is_none());
        let leaves: Vec<_> = leaves.map(|(n, end)| (n, end.logic)).collect();
        let ends = || readers.iter().map(|(y, _)| *y).chain([source]);
        let (from, to) = (ends().min().unwrap_or(source), ends().max().unwrap_or(source));
        let free =
            |lane: &Vec<(usize, usize)>| lane.iter().all(|(low, high)| to + PORT / 2 < *low || *high + PORT / 2 < from);
        let lane = lanes.iter().position(free).unwrap_or(lanes.len());
        if !readers.is_empty() {
            if lane == lanes.len() {
                lanes.push(Vec::new());
            }
            lanes[lane].push((from, to));
        }
        lines.push(Line { stream: k, source, readers, leaves, lane });
    }
    lines
}

/// A stage that is drawn.
#[derive(Clone, Copy)]
pub struct Drawn<'a> {
    /// Where it is in `summary.json`.
    pub path: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its latencies.
    pub latency: &'a [Time],
}

/// Draws a stage.
pub fn drawing(of: Drawn, wiring: &Wiring) -> Markup {
    let path = of.path;
    let boxes = placed(wiring);
    let lines = lines(wiring, &boxes);
    let lanes = lines.iter().map(|line| line.lane + 1).max().unwrap_or(0);
    let longest =
        |names: &mut dyn Iterator<Item = &End>| names.map(|end| end.interface.len()).max().unwrap_or(0) * LETTER;
    let from = longest(&mut wiring.streams.iter().map(|stream| &stream.from).filter(|end| end.instance.is_some()));
    let first_lane = BOX.1 + DETAILS.max(from);
    let edge = first_lane + LANE * lanes + 12;
    let leaving = longest(&mut wiring.streams.iter().flat_map(|it| &it.to).filter(|end| end.instance.is_none()));
    let (width, height) = (edge + NAMES.max(leaving), boxes.last().map_or(0, |last| last.top + last.height) + GAP);
    let id = path.trim_start_matches('/').replace('/', "-");
    let (title, marker) = (format!("title-{id}"), format!("head-{id}"));
    let head = format!("url(#{marker})");
    html! {
        svg.stage.wiring viewBox=(format!("0 0 {width} {height}")) width="100%" role="img" aria-labelledby=(title) {
            title id=(title) { (said(of.name, wiring)) }
            defs {
                marker id=(marker) markerWidth="8" markerHeight="7" refX="7" refY="3.5" orient="auto"
                    markerUnits="userSpaceOnUse" {
                    path.head d="M0 0L8 3.5L0 7z" {}
                }
            }
            @for (k, it) in boxes.iter().enumerate() {
                rect.box x=(BOX.0) y=(it.top) width=(BOX.1 - BOX.0) height=(it.height) rx="4" {}
                text.stagename x=((BOX.0 + BOX.1) / 2) y=(it.top + it.height / 2 + 4) text-anchor="middle" {
                    tspan data-json=(format!("{path}/wiring/instances/{k}/name")) { (wiring.instances[k].name) }
                }
                @for (port, &(stream, end)) in it.left.iter().enumerate() {
                    (wire(&format!("M0 {y}H{}", BOX.0, y = it.y(port)), end.logic, Some(&head)))
                    (label(path, stream, wiring, (0, it.y(port))))
                }
            }
            @for line in &lines {
                @let lane = first_lane + LANE * line.lane;
                @let out = if line.readers.is_empty() { first_lane } else { lane };
                (wire(&format!("M{} {}H{out}", BOX.1, line.source), false, None))
                @for (y, logic) in &line.readers {
                    (wire(&format!("M{lane} {}V{y}H{}", line.source, BOX.1), *logic, Some(&head)))
                }
                (label(path, line.stream, wiring, (BOX.1 + 4, line.source)))
                @for (nth, &(at, logic)) in line.leaves.iter().enumerate() {
                    @let y = line.source + 12 * nth;
                    @let output = &wiring.streams[line.stream].to[at].interface;
                    (wire(&format!("M{out} {}L{} {y}H{width}", line.source, edge - 6), logic, Some(&head)))
                    text.port x=(width) y=(y - 4) text-anchor="end" {
                        tspan data-json=(format!("{path}/wiring/streams/{}/to/{at}/interface", line.stream)) { (output) }
                    }
                    // What several instances lead to has its latency at the first of them.
                    @if first_to(wiring, output) == Some(line.stream) && let Some(latency) = clocks(path, of.latency, output) {
                        text.detail x=(width) y=(y + 11) text-anchor="end" { (latency) }
                    }
                }
            }
        }
    }
}

/// The first stream that leaves on an output.
fn first_to(wiring: &Wiring, output: &str) -> Option<usize> {
    let leaves = |end: &End| end.instance.is_none() && end.interface == output;
    wiring.streams.iter().position(|it| it.from.instance.is_some() && it.to.iter().any(leaves))
}

/// The clock cycles to an output, if they are among these latencies.
fn clocks(path: &str, latency: &[Time], output: &str) -> Option<Markup> {
    let (n, time) = latency.iter().enumerate().find(|(_, time)| time.ends_at(output))?;
    Some(html! { (drawn(&format!("{path}/latency/{n}/clocks"), time.clocks as f64, 0)) " clocks" })
}

/// A line; thin and dashed if there is logic on the way.
fn wire(path: &str, logic: bool, head: Option<&str>) -> Markup {
    html! { path.wire.signals[logic] d=(path) fill="none" marker-end=[head] {} }
}

/// The name of a stream above its line; below it its width, and if it comes out of an instance, the latency of that.
fn label(path: &str, k: usize, wiring: &Wiring, (x, y): (usize, usize)) -> Markup {
    let Stream { from, bits, .. } = &wiring.streams[k];
    let latency = from
        .instance
        .and_then(|i| clocks(&format!("{path}/wiring/instances/{i}"), &wiring.instances[i].latency, &from.interface));
    html! {
        text.port x=(x) y=(y - 4) {
            tspan data-json=(format!("{path}/wiring/streams/{k}/from/interface")) { (from.interface) }
        }
        text.detail x=(x) y=(y + 11) {
            (drawn(&format!("{path}/wiring/streams/{k}/bits"), f64::from(*bits), 0)) " bits"
            @if let Some(latency) = latency { ", " (latency) }
        }
    }
}

/// The drawing in words.
fn said(name: &str, wiring: &Wiring) -> String {
    let named = |end: &End| match end.instance {
        Some(i) => format!("{} of {}", end.interface, wiring.instances[i].name),
        None => end.interface.clone(),
    };
    let streams = wiring.streams.iter().map(|stream| {
        let to: Vec<_> = stream.to.iter().map(named).collect();
        format!("{} to {}", named(&stream.from), to.join(", "))
    });
    format!("Stage {name}. {}.", streams.collect::<Vec<_>>().join(". "))
}
