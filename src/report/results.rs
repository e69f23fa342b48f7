// SPDX-License-Identifier: MIT OR Apache-2.0
//! The results of the checks: golden vectors by suite, and the capture.

use super::figure::{exact, whole, word};
use super::table;
use crate::summary::Summary;
use maud::{Markup, html};

/// The maximum number of listed failures of a suite or frames of the capture; the JSON file has all.
const SHOWN: usize = 50;

pub fn conformance(summary: &Summary) -> Markup {
    let suites = &summary.conform.suites;
    if suites.is_empty() {
        return html! { p { "There are no golden vectors for these stages." } };
    }
    let suite_table = html! {
        caption { "Golden vectors, by suite" }
        thead { tr {
            th scope="col" { "suite" } th scope="col" { "on" } th scope="col" { "built with" }
            th.n scope="col" { "passed" } th.n scope="col" { "failed" }
        } }
        tbody {
            @for (i, suite) in suites.iter().enumerate() {
                @let at = |field: &str| format!("/conform/suites/{i}/{field}");
                tr class=[(suite.failed > 0).then_some("bad")] {
                    th scope="row" { (super::name(&at("name"), &suite.name)) }
                    td { (word(&at("backend"), suite.backend)) }
                    td {
                        @if let Some(width) = suite.data_width { (exact(&at("data_width"), width)) " bits" }
                        @for (k, (key, value)) in suite.configuration.iter().enumerate() {
                            @if k > 0 || suite.data_width.is_some() { ", " }
                            (key) " " (exact(&at(&format!("configuration/{key}")), value))
                        }
                    }
                    td.n { (whole(&at("passed"), suite.passed as u64)) }
                    td.n { (whole(&at("failed"), suite.failed as u64)) }
                }
            }
        }
    };
    html! {
        p.lead {
            "The vectors come from an oracle that shares no code with the design. "
            (whole("/conform/passed", summary.conform.passed as u64)) " passed and "
            (whole("/conform/failed", summary.conform.failed as u64))
            " failed on the stages as they are configured. " code { "mpnic conform" }
            " runs them and the vectors of all other configurations."
            @if summary.stages.iter().any(|stage| stage.testbench) {
                " The testbenches in " code { "rtl/" } " run them on the Verilog."
            }
        }
        (table("Golden vectors, by suite", suite_table))
        @for (i, suite) in suites.iter().enumerate().filter(|(_, suite)| suite.failed > 0) {
            details open {
                summary { "Failures of " (suite.name) " on the " (suite.backend) }
                dl.failures {
                    @for (j, failure) in suite.failures.iter().take(SHOWN).enumerate() {
                        @let at = format!("/conform/suites/{i}/failures/{j}");
                        dt { (word(&format!("{at}/id"), &failure.id)) }
                        @for (k, problem) in failure.problems.iter().enumerate() {
                            dd { (word(&format!("{at}/problems/{k}"), problem)) }
                        }
                    }
                }
                @if suite.failures.len() > SHOWN {
                    p { "The rest is in " a href="conform.json" { "conform.json" } "." }
                }
            }
        }
    }
}

pub fn replay(summary: &Summary) -> Markup {
    let Some(replay) = &summary.replay else {
        return html! { p { "No stage reads frames." } };
    };
    html! {
        p {
            (whole("/replay/agree", replay.agree as u64)) " of " (whole("/replay/frames", replay.frames as u64))
            " frames of " a href="replay/rocev2.pcap" { (word("/replay/capture", replay.capture)) }
            " were read as they were encoded. What the pipeline says of each is in "
            a href="replay/rocev2.jsonl" { code { "replay/rocev2.jsonl" } } "."
        }
        @if !replay.differences.is_empty() {
            details open {
                summary { "Frames that were not" }
                ul.failures {
                    @for (i, what) in replay.differences.iter().take(SHOWN).enumerate() {
                        li { (word(&format!("/replay/differences/{i}"), what)) }
                    }
                }
                @if replay.differences.len() > SHOWN {
                    p { "The rest is in " a href="summary.json" { "summary.json" } "." }
                }
            }
        }
    }
}
