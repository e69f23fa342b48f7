// SPDX-License-Identifier: MIT OR Apache-2.0
//! The summary as text: on the terminal, and as the README of the directory.

use crate::commands::conform::Counts;
use crate::config::Config;
use crate::output;
use crate::summary::{LeftOut, Names, Part, Replayed, Stage, Summary};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The results in some lines, and where they have been written.
pub fn all(summary: &Summary, config: &Config, dir: &str) -> String {
    format!("{}written  {dir}\n", results(summary, config))
}

fn results(summary: &Summary, config: &Config) -> String {
    let mut text = String::new();
    let Summary { conform, replay, whole, .. } = summary;
    let total = &whole.total;
    for Stage { top, testbench, parts, .. } in &summary.stages {
        let said = |testbench| if testbench { "self-checking testbench, " } else { "" };
        let _ = writeln!(text, "rtl      {top}: Verilog, {}file list, FuseSoC core, yosys script", said(*testbench));
        // One that is also beside it has a line of its own.
        let beside = |part: &Part| summary.stages.iter().any(|stage| stage.stage == part.stage);
        for Part { top: part, testbench, .. } in parts.iter().filter(|part| !beside(part)) {
            let _ = writeln!(
                text,
                "         {part}, of which {top} has an instance: the same{}",
                match testbench {
                    true => ", and a self-checking testbench",
                    false => "",
                }
            );
        }
    }
    for LeftOut { stage, needs } in &summary.left_out {
        let _ = writeln!(text, "         {stage} is left out: it needs {needs}");
    }
    let names = |of: fn(&Names) -> usize| summary.stages.iter().map(|stage| of(&stage.names)).sum::<usize>();
    let (nets, made) = (names(|names| names.nets), names(|names| names.made));
    let percent = 100.0 * made as f64 / nets.max(1) as f64;
    let _ = writeln!(text, "         {nets} nets, {percent:.1} % of them without a name in the source");
    let several = summary.stages.len() > 1;
    for suites in conform.suites.chunk_by(|one, next| one.name == next.name) {
        let _ = writeln!(text, "conform  {} as configured: {} on the model", suites[0].name, Counts::of(suites));
        for failure in suites.iter().flat_map(|suite| &suite.failures).take(5) {
            let _ = writeln!(text, "         FAIL {}: {}", failure.id, failure.problems.join("; "));
        }
    }
    for Stage { stage, parts, .. } in summary.stages.iter().filter(|stage| !stage.parts.is_empty()) {
        let of_vectors = |part: &&Part| part.wiring.is_some() || summary.is_judged(&part.stage);
        let names: Vec<_> = parts.iter().filter(of_vectors).map(|part| part.stage.as_str()).collect();
        let _ = writeln!(text, "conform  {stage}: by its stages, {}", names.join(", "));
    }
    for stage in summary.unjudged() {
        let _ = writeln!(text, "conform  {stage}: no golden vectors");
    }
    if !conform.suites.is_empty() {
        let _ = writeln!(text, "         mpnic conform runs them and the vectors of all other configurations");
    }
    if let Some(Replayed { capture, frames, agree, differences, .. }) = replay {
        let _ = writeln!(text, "replay   {capture}: {agree} of {frames} frames read as they were encoded");
        for what in differences.iter().take(5) {
            let _ = writeln!(text, "         {what}");
        }
    }
    for stage in &summary.stages {
        let name = if several { format!("{}: ", stage.stage) } else { String::new() };
        let _ = writeln!(text, "budget   {name}{}", cost(stage));
        if let Some(events) = &stage.budget.events {
            let what = if events.clocks > 1 { "packets" } else { "events" };
            let _ = writeln!(text, "         {:.1} million {what} a second", events.mevents);
        }
    }
    if several {
        let _ = writeln!(
            text,
            "         together: {} register bits, {} memory bits, {} logic levels",
            total.register_bits, total.memory_bits, total.logic_levels
        );
    }
    whole.verdict(config).iter().for_each(|line| {
        let _ = writeln!(text, "         {line}");
    });
    text
}

fn cost(stage: &Stage) -> String {
    let total = &stage.budget.total;
    let mut parts = vec![
        format!("{} register bits", total.register_bits),
        format!("{} memory bits", total.memory_bits),
        format!("{} logic levels", total.logic_levels),
    ];
    parts.extend(stage.latency.iter().map(|latency| format!("{} clocks to {}", latency.clocks, latency.to)));
    parts.join(", ")
}

/// Makes `README.md` of the directory.
pub fn readme(summary: &Summary, config: &Config, names: &[String]) -> String {
    let tops: Vec<_> = summary.stages.iter().map(|stage| stage.top.as_str()).collect();
    let mut text = format!(
        "# {}\n\nMade by {} from configuration {} (`nic.toml`), {} bits a beat. `report.html` shows all of it.\n\n\
         ```\n{}```\n\n",
        tops.join(", "),
        summary.tool,
        summary.config,
        summary.target.data_width,
        results(summary, config)
    );
    let parts = summary.stages.iter().flat_map(|stage| &stage.parts).map(|part| (part.testbench, &part.top));
    let stages = summary.stages.iter().map(|stage| (stage.testbench, &stage.top));
    let benches: BTreeSet<_> = parts.chain(stages).filter(|(testbench, _)| *testbench).map(|(_, top)| top).collect();
    if !benches.is_empty() {
        text += "Run the golden vectors on the Verilog in Icarus, from `rtl/`; it ends with `PASS`, or with `FAIL` and a bad \
                 exit status:\n\n```\n";
        for top in benches {
            let _ = writeln!(
                text,
                "iverilog -g2001 -s {top}_tb -o tb {top}_tb.v -c {top}.f && vvp -n tb +seed=1 +stall=30"
            );
        }
        text += "```\n\n";
    }
    text += "Check that nothing has changed since: `sha256sum -c mpnic.sha256`.\n\n| file | what it is |\n|---|---|\n";
    for name in names {
        let _ = writeln!(text, "| `{name}` | {} |", output::about(name));
    }
    text
}
