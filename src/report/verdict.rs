// SPDX-License-Identifier: MIT OR Apache-2.0
//! The overall result, before all details: does it conform, does it fit, does it keep up?

use super::figure::{exact, percent, real, whole, word};
use crate::budget::{Clock, Closes};
use crate::summary::Summary;
use maud::{Markup, html};

pub fn section(summary: &Summary) -> Markup {
    let target = &summary.target;
    let frames = summary.stages.iter().any(|stage| stage.budget.rate.is_some());
    html! {
        p.verdict { (sentence(summary, frames)) }
        ul.tiles {
            @if !summary.conform.suites.is_empty() {
                li class=(class(summary.conforms)) { (conforms(summary)) }
            }
            li class=(class(summary.whole.fits)) {
                h3 { (mark(summary.whole.fits)) @if summary.whole.fits { "Fits" } @else { "Does not fit" } }
                p { (percent("/total/registers_percent", summary.whole.total.registers_percent)) " of the flip-flops" }
                p {
                    (percent("/total/blocks_percent", summary.whole.total.blocks_percent)) " of the "
                    (word("/target/block", target.block)) " blocks"
                }
                @if summary.whole.total.distributed_percent > 0.0 {
                    p {
                        (percent("/total/distributed_percent", summary.whole.total.distributed_percent)) " of the "
                        (word("/target/distributed", target.distributed))
                    }
                }
                @match summary.whole.tables_percent {
                    Some(share) => { p { (percent("/tables_percent", share)) " of the LUTs, as measured" } }
                    None => { p { "LUTs are not counted" } }
                }
            }
            li class=(class(summary.whole.keeps_up)) {
                h3 {
                    (mark(summary.whole.keeps_up))
                    @match (summary.whole.keeps_up, summary.whole.closes) {
                        (false, _) => "Does not keep up",
                        (true, Closes::Yes | Closes::Larger) => "Keeps up",
                        (true, _) => { "Keeps up if " (real("/needed_mhz", summary.whole.needed_mhz, 1)) " MHz close" }
                    }
                }
                p {
                    "needs " (real("/needed_mhz", summary.whole.needed_mhz, 1)) " MHz of "
                    (real("/target/clock_mhz", target.clock_mhz, 1))
                }
                @for (i, stage) in summary.stages.iter().enumerate() {
                    @if let Some(rate) = stage.budget.rate.as_ref().filter(|_| first(summary) == Some(i)) {
                        p {
                            "worst frame: "
                            (whole(&format!("/stages/{i}/budget/rate/worst_frame"), rate.worst_frame)) " bytes"
                        }
                    }
                }
                @for (i, (stage, frame)) in summary.whole.from_frame.iter().enumerate() {
                    p { (stage) ": from frames of " (whole(&format!("/from_frame/{i}/1"), *frame)) " bytes on" }
                }
                @for (i, stage) in summary.stages.iter().enumerate() {
                    p { (stage.stage) ": " (closing(i, &stage.budget.clock)) }
                }
            }
        }
        @if !summary.whole.problems.is_empty() {
            ul.problems {
                @for (i, problem) in summary.whole.problems.iter().enumerate() {
                    li { (word(&format!("/problems/{i}"), problem)) }
                }
            }
        }
    }
}

fn sentence(summary: &Summary, frames: bool) -> Markup {
    let target = &summary.target;
    let conforms = match summary.conforms {
        _ if summary.conform.suites.is_empty() => "has no golden vectors",
        true => "conforms to its contract",
        false => "does not conform to its contract",
    };
    let fits = if summary.whole.fits { "fits " } else { "does not fit " };
    let keeps_up = if summary.whole.keeps_up { "keeps up with " } else { "does not keep up with " };
    let fits = html! { (fits) (word("/target/device", target.device)) };
    let condition = summary.whole.keeps_up && summary.whole.closes == Closes::NotMeasured;
    let keeps_up = html! {
        (keeps_up) (exact("/target/link_gbps", target.link_gbps)) " Gb/s"
        @if condition { " if " (real("/needed_mhz", summary.whole.needed_mhz, 1)) " MHz close" }
    };
    html! {
        "It " (conforms) @if frames { ", " (fits) " and " (keeps_up) } @else { " and " (fits) } "."
    }
}

fn conforms(summary: &Summary) -> Markup {
    let unjudged = summary.unjudged();
    html! {
        h3 { (mark(summary.conforms)) @if summary.conforms { "Conforms" } @else { "Does not conform" } }
        p {
            (whole("/conform/passed", summary.conform.passed as u64)) " golden vectors passed, "
            (whole("/conform/failed", summary.conform.failed as u64)) " failed"
        }
        p {
            "as configured " (whole("/conform/as_configured/passed", summary.conform.as_configured.passed as u64))
            " passed, " (whole("/conform/as_configured/failed", summary.conform.as_configured.failed as u64)) " failed"
        }
        @if let Some(replay) = &summary.replay {
            p {
                (whole("/replay/agree", replay.agree as u64)) " of "
                (whole("/replay/frames", replay.frames as u64)) " captured frames read as encoded"
                @if replay.transport == "udp" { " but for RoCEv2, which this pipeline reads as UDP" }
            }
        }
        @if !unjudged.is_empty() { p { "no golden vectors for " (unjudged.join(", ")) } }
    }
}

/// The first stage with frames.
fn first(summary: &Summary) -> Option<usize> {
    summary.stages.iter().position(|stage| stage.budget.rate.is_some())
}

/// The state of knowledge about a stage's clock.
fn closing(i: usize, clock: &Clock) -> Markup {
    let at = |field: &str| format!("/stages/{i}/budget/clock/measured/{field}");
    let entry = clock.measured.as_ref().map(|figure| &figure.entry);
    let (mhz, estimate) = (entry.and_then(|entry| entry.mhz), entry.and_then(|entry| entry.estimate_ns));
    html! {
        @match clock.closes {
            Closes::Yes => "closes",
            Closes::Larger => "closes, measured larger",
            Closes::No => "does not close",
            Closes::NotMeasured => "not measured",
        }
        @if let Some(mhz) = mhz { ", " (real(&at("mhz"), mhz, 1)) " MHz after place and route" }
        @if let Some(ns) = estimate { "; estimate before placement " (real(&at("estimate_ns"), ns, 2)) " ns" }
    }
}

fn class(good: bool) -> &'static str {
    if good { "good" } else { "bad" }
}

/// A sign next to the colour, for readers who do not see the colour.
fn mark(good: bool) -> Markup {
    html! { span.mark aria-hidden="true" { @if good { "✓" } @else { "✗" } } " " }
}
