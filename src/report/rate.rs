// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames per second over the frame length: what the pipelines take, compared with what the link delivers.

use super::figure::{drawn, exact, real, whole};
use super::table;
use crate::budget::{Events, LONGEST, Rate, RatePoint, SHORTEST};
use crate::rates;
use crate::summary::Summary;
use maud::{Markup, html};
use std::fmt::Write;

pub fn section(summary: &Summary) -> Markup {
    html! {
        @for (i, stage) in summary.stages.iter().enumerate() {
            @if summary.stages.len() > 1 { h3 { (stage.stage) } }
            @match (&stage.budget.rate, &stage.budget.events) {
                (Some(rate), _) => (frames(i, rate)),
                (None, Some(events)) => (events_of(i, events)),
                (None, None) => {}
            }
        }
    }
}

/// The text for a stage without frames.
fn events_of(i: usize, events: &Events) -> Markup {
    let at = |field: &str| format!("/stages/{i}/budget/events/{field}");
    html! {
        p {
            @if events.clocks > 1 {
                "One packet in " (exact(&at("clocks"), events.clocks)) " clocks: "
                (real(&at("mevents"), events.mevents, 1)) " million packets a second. It "
            } @else {
                "One event in every clock: " (real(&at("mevents"), events.mevents, 1)) " million events a second. "
                "One a frame "
            }
            @match events.from_frame {
                Some(frame) => {
                    "keeps up with " (exact(&at("link_gbps"), events.link_gbps)) " Gb/s from frames of "
                    (whole(&at("from_frame"), frame)) " bytes on."
                }
                None => { "does not keep up with " (exact(&at("link_gbps"), events.link_gbps)) " Gb/s." }
            }
        }
    }
}

fn frames(i: usize, rate: &Rate) -> Markup {
    let at = |field: &str| format!("/stages/{i}/budget/rate/{field}");
    let keeps_up = rate.clock_mhz >= rate.clock_needed_mhz;
    let lengths = html! {
        caption { "Millions of frames a second" }
        thead { tr {
            th.n scope="col" { "frame, bytes" } th.n scope="col" { "pipeline" } th.n scope="col" { "link" }
        } }
        tbody {
            @for (j, point) in rate.points.iter().enumerate() {
                @let at = |field: &str| format!("/stages/{i}/budget/rate/points/{j}/{field}");
                tr class=[(point.frame == rate.worst_frame).then_some("worst")] {
                    th.n scope="row" {
                        @if point.frame == rate.worst_frame { "worst: " }
                        (exact(&at("frame"), point.frame))
                    }
                    td.n { (real(&at("mframes"), point.mframes, 2)) }
                    td.n { (real(&at("link_mframes"), point.link_mframes, 2)) }
                }
            }
        }
    };
    html! {
        p.lead {
            "The worst frame for this bus has " (exact(&at("worst_frame"), rate.worst_frame)) " bytes: the link brings "
            (real(&at("link_mframes"), rate.link_mframes, 1)) " million a second, "
            @if rate.pipelines > 1 { (exact(&at("pipelines"), rate.pipelines)) " pipelines take " }
            @else { "the pipeline takes " }
            (real(&at("mframes"), rate.mframes, 1)) ". "
            @if keeps_up { "A clock of " } @else { "It would need a clock of " }
            (real(&at("clock_needed_mhz"), rate.clock_needed_mhz, 1)) " MHz"
            @if keeps_up { " would do; it has " } @else { ", not " }
            (real(&at("clock_mhz"), rate.clock_mhz, 1)) "."
        }
        div.split { figure.rate {
            (chart(i, rate, &rates::curve(rate)))
            figcaption.legend {
                span { (key("pipeline")) " pipeline takes" }
                " "
                span { (key("link")) " link brings" }
            }
        }
        (table("Frames a second by frame length", lengths)) }
    }
}

/// The style of a line.
fn key(class: &str) -> Markup {
    html! {
        svg.key width="24" height="8" aria-hidden="true" { line class=(class) x1="0" x2="24" y1="4" y2="4" {} }
    }
}

const HEIGHT: f64 = 240.0;

/// The scales of the chart, both logarithmic.
struct Scales {
    low: f64,
    high: f64,
}

impl Scales {
    fn of(points: &[RatePoint]) -> Self {
        let all = || points.iter().flat_map(|point| [point.mframes, point.link_mframes]);
        Scales { low: all().fold(f64::MAX, f64::min) * 0.8, high: all().fold(0.0, f64::max) * 1.3 }
    }

    /// Share of the width, 0 to 1.
    fn x(&self, frame: u64) -> f64 {
        (frame as f64 / SHORTEST as f64).ln() / (LONGEST as f64 / SHORTEST as f64).ln()
    }

    /// Share of the height from the top, 0 to 1.
    fn y(&self, mframes: f64) -> f64 {
        1.0 - (mframes / self.low).ln() / (self.high / self.low).ln()
    }

    /// The numbers 1, 2, 5, 10, .. within the range of the picture.
    fn ticks(&self) -> Vec<f64> {
        let decades = -6..=6;
        let all = decades.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
        all.filter(|&tick| tick >= self.low && tick <= self.high).collect()
    }

    /// A line through the points, in thousandths of width and height.
    fn line(&self, points: &[RatePoint], of: fn(&RatePoint) -> f64) -> String {
        let mut path = String::new();
        for point in points {
            let (x, y) = (1e3 * self.x(point.frame), 1e3 * self.y(of(point)));
            let _ = write!(path, "{}{x:.1} {y:.1}", if path.is_empty() { 'M' } else { 'L' });
        }
        path
    }
}

/// The lines scale with the picture; text and strokes do not.
fn chart(i: usize, rate: &Rate, points: &[RatePoint]) -> Markup {
    let scales = Scales::of(points);
    let of_width = |frame| format!("{:.2}%", 100.0 * scales.x(frame));
    let pixels = |mframes| format!("{:.1}", HEIGHT * scales.y(mframes));
    let link = scales.line(points, |point| point.link_mframes);
    let at = |field: &str| format!("/stages/{i}/budget/rate/{field}");
    // The label is placed where there is space.
    let (side, shift) = if scales.x(rate.worst_frame) < 0.5 { ("start", 8) } else { ("end", -8) };
    let title = format!("rate-{i}");
    html! {
        svg.chart width="100%" height=(HEIGHT + 40.0) role="img" aria-labelledby=(title) {
            title id=(title) {
                "Frames a second over frame length, both logarithmic: the pipeline in steps, the link as a smooth "
                "curve. The table below has the numbers."
            }
            @for tick in scales.ticks() {
                @let y = pixels(tick);
                line.grid x1="0" x2="100%" y1=(y) y2=(y) {}
                text.axis x="-6" y=(y) dy="4" text-anchor="end" { (tick) }
            }
            @for frame in [SHORTEST, 128, 256, 512, 1024, 2048, 4096, LONGEST] {
                @let x = of_width(frame);
                line.grid x1=(x) x2=(x) y1="0" y2=(HEIGHT) {}
                text.axis x=(x) y=(HEIGHT + 16.0) text-anchor="middle" { (frame) }
            }
            text.axis x="50%" y=(HEIGHT + 34.0) text-anchor="middle" { "bytes of a frame, without FCS" }
            text.axis x="-6" y="-8" text-anchor="start" { "Mframe/s" }
            svg width="100%" height=(HEIGHT) viewBox="0 0 1000 1000" preserveAspectRatio="none" {
                path.area d=(format!("{link}L1000 1000L0 1000z")) {}
                path.link d=(link) {}
                path.pipeline d=(scales.line(points, |point| point.mframes)) {}
            }
            @let x = of_width(rate.worst_frame);
            line.worst x1=(x) x2=(x) y1="0" y2=(HEIGHT) {}
            circle.pipeline cx=(x) cy=(pixels(rate.mframes)) r="4" {}
            circle.link cx=(x) cy=(pixels(rate.link_mframes)) r="4" {}
            g transform=(format!("translate({shift} 0)")) {
                text.note x=(x) y=(HEIGHT - 26.0) text-anchor=(side) {
                    "worst: " (drawn(&at("worst_frame"), rate.worst_frame as f64, 0)) " bytes"
                }
                text.note x=(x) y=(HEIGHT - 10.0) text-anchor=(side) {
                    (drawn(&at("mframes"), rate.mframes, 1)) " for "
                    (drawn(&at("link_mframes"), rate.link_mframes, 1)) " Mframe/s"
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scales_hold_all_points() {
        let point = |frame, mframes, link_mframes| {
            let (beats, clock_needed_mhz) = (1, mframes);
            RatePoint { frame, beats, link_mframes, mframes, clock_needed_mhz, keeps_up: true }
        };
        let scales = Scales::of(&[point(SHORTEST, 300.0, 100.0), point(LONGEST, 2.0, 1.5)]);
        assert!(scales.x(SHORTEST).abs() < 1e-9 && (scales.x(LONGEST) - 1.0).abs() < 1e-9);
        for mframes in [300.0, 100.0, 2.0, 1.5] {
            assert!((0.0..1.0).contains(&scales.y(mframes)), "{mframes}");
        }
        assert!(scales.y(300.0) < scales.y(100.0));
        assert_eq!(scales.ticks(), [2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]);
    }
}
