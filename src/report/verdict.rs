// SPDX-License-Identifier: MIT OR Apache-2.0
//! The answer before all details: does it conform, does it fit, does it keep up?

use super::figure::{exact, percent, real, whole, word};
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
            li class=(class(summary.fits)) {
                h3 { (mark(summary.fits)) @if summary.fits { "Fits" } @else { "Does not fit" } }
                p { (percent("/total/registers_percent", summary.total.registers_percent)) " of the flip-flops" }
                p {
                    (percent("/total/blocks_percent", summary.total.blocks_percent)) " of the "
                    (word("/target/block", target.block)) " blocks"
                }
                @if summary.total.distributed_percent > 0.0 {
                    p {
                        (percent("/total/distributed_percent", summary.total.distributed_percent)) " of the "
                        (word("/target/distributed", target.distributed))
                    }
                }
            }
            @if frames {
                li class=(class(summary.keeps_up)) {
                    h3 { (mark(summary.keeps_up)) @if summary.keeps_up { "Keeps up" } @else { "Does not keep up" } }
                    @for (i, stage) in summary.stages.iter().enumerate() {
                        @if let Some(rate) = &stage.budget.rate {
                            @let at = |field: &str| format!("/stages/{i}/budget/rate/{field}");
                            p {
                                @if summary.stages.len() > 1 { (stage.stage) ": " }
                                "needs " (real(&at("clock_needed_mhz"), rate.clock_needed_mhz, 1))
                                " MHz of " (real("/target/clock_mhz", target.clock_mhz, 1))
                            }
                            p {
                                "worst frame: "
                                (whole(&at("worst_frame"), rate.worst_frame)) " bytes"
                            }
                        }
                    }
                }
            }
        }
        @if !summary.problems.is_empty() {
            ul.problems {
                @for (i, problem) in summary.problems.iter().enumerate() {
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
    let fits = if summary.fits { "fits " } else { "does not fit " };
    let keeps_up = if summary.keeps_up { "keeps up with " } else { "does not keep up with " };
    let fits = html! { (fits) (word("/target/device", target.device)) };
    let keeps_up = html! { (keeps_up) (exact("/target/link_gbps", target.link_gbps)) " Gb/s" };
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
            }
        }
        @if !unjudged.is_empty() { p { "no golden vectors for " (unjudged.join(", ")) } }
    }
}

fn class(good: bool) -> &'static str {
    if good { "good" } else { "bad" }
}

/// A sign beside the colour, for those who do not see the colour.
fn mark(good: bool) -> Markup {
    html! { span.mark aria-hidden="true" { @if good { "✓" } @else { "✗" } } " " }
}
