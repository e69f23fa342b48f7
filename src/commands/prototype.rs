// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic prototype`: everything about one configuration, in one directory.

use super::budget::text as budget_text;
use super::conform::{self, Report};
use super::{json, print, replay, rtl};
use crate::backend;
use crate::budget::Budget;
use crate::capture;
use crate::cli::{self, Backend};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::output::Files;
use crate::stages::{self, StageName};
use golden_vectors::VectorFile;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;
use std::net::IpAddr;
use testbench::parser_bench::Traffic;

const CAPTURE: &[u8] = include_bytes!("../../golden-vectors/captures/rocev2.pcap");
const ENCODED: &str = include_str!("../../golden-vectors/captures/rocev2.jsonl");

/// What `summary.json` holds.
#[derive(Debug, Serialize)]
struct Summary {
    /// Version of this layout.
    version: u32,
    tool: &'static str,
    config: String,
    top: String,
    passed: bool,
    conform: Report,
    replay: Replayed,
    budget: Budget,
}

/// The capture, against what its encoder put in.
#[derive(Debug, Serialize)]
struct Replayed {
    capture: &'static str,
    frames: usize,
    agree: usize,
    differences: Vec<String>,
}

/// Runs the command.
pub fn run(args: &cli::Prototype, config: &Config) -> Outcome {
    let mut files = Files::default();
    let top = rtl::add(&mut files, "rtl/", StageName::PIPELINE, config)?;
    let mut suites = Vec::new();
    for file in VectorFile::embedded()? {
        let cases: Vec<_> = file.cases().collect();
        suites.push(conform::suite(&file.stage, &cases, Backend::Model, config, None)?);
    }
    let conform = Report::of(suites);
    let (lines, replay) = replay(config)?;
    let budget = Budget::of(StageName::PIPELINE, config)?;
    let summary = Summary {
        version: 1,
        tool: concat!("mpnic ", env!("CARGO_PKG_VERSION")),
        config: config.hash(),
        top,
        passed: conform.failed == 0 && replay.agree == replay.frames && budget.fits,
        conform,
        replay,
        budget,
    };
    files.add("nic.toml", config.print());
    files.add("conform.json", json(&summary.conform)?);
    files.add("budget.json", json(&summary.budget)?);
    files.add("budget.txt", budget_text(&summary.budget));
    files.add("replay/rocev2.pcap", CAPTURE);
    files.add("replay/rocev2.jsonl", lines);
    let summary_json = json(&summary)?;
    files.add("summary.json", summary_json.as_str());
    files.add("README.md", readme(&summary, config, &files));
    files.write(&args.out, args.force)?;
    print(&if args.json { summary_json } else { text(&summary, &args.out.display().to_string()) })?;
    if summary.passed { Ok(()) } else { Err(Failure::Check) }
}

/// The lines of the capture, and how they compare with what its encoder put in.
fn replay(config: &Config) -> Outcome<(String, Replayed)> {
    let packets = capture::read("rocev2.pcap", CAPTURE)?;
    let mut dut = backend::device(Backend::Model, &stages::header_parser(config), false)?;
    let traffic = Traffic { stall: config.conform.stall_percent as f64 / 100.0, seed: config.conform.seed };
    let mut all = Vec::new();
    replay::lines(&mut *dut, &packets, traffic, |lines| {
        all.extend_from_slice(lines);
        Ok(())
    })?;
    let mut replayed = Replayed { capture: "rocev2.pcap", frames: packets.len(), agree: 0, differences: Vec::new() };
    for (got, encoded) in all.iter().zip(ENCODED.lines()) {
        let encoded: Value = serde_json::from_str(encoded).map_err(Failure::message)?;
        match difference(&encoded, got, "") {
            None => replayed.agree += 1,
            Some(what) => replayed.differences.push(format!("frame {}: {what}", got["frame"])),
        }
    }
    Ok((all.iter().map(|line| replay::in_order(line) + "\n").collect(), replayed))
}

/// The first field that was encoded and not read. The parser does not judge the ICRC.
fn difference(encoded: &Value, got: &Value, path: &str) -> Option<String> {
    let address = |value: &Value| value.as_str().and_then(|text| text.parse::<IpAddr>().ok());
    match (encoded, got) {
        (Value::Object(fields), Value::Object(read)) => fields.iter().find_map(|(name, value)| match read.get(name) {
            _ if name == "icrc" => None,
            None => Some(format!("{path}{name} is missing")),
            Some(read) => difference(value, read, &format!("{path}{name} ")),
        }),
        _ if encoded == got || (address(encoded).is_some() && address(encoded) == address(got)) => None,
        _ => Some(format!("{path}is {got}, expected {encoded}")),
    }
}

fn text(summary: &Summary, dir: &str) -> String {
    let mut text = String::new();
    let Summary { top, conform, replay, budget, .. } = summary;
    let _ = writeln!(text, "rtl      {top}: Verilog, self-checking testbench, file list, FuseSoC core, yosys script");
    let _ = writeln!(text, "conform  {} passed, {} failed on the model", conform.passed, conform.failed);
    for failure in conform.suites.iter().flat_map(|suite| &suite.failures).take(5) {
        let _ = writeln!(text, "         FAIL {}: {}", failure.id, failure.problems.join("; "));
    }
    let Replayed { capture, frames, agree, differences } = replay;
    let _ = writeln!(text, "replay   {capture}: {agree} of {frames} frames read as they were encoded");
    differences.iter().take(5).for_each(|what| {
        let _ = writeln!(text, "         {what}");
    });
    let latency: Vec<_> = budget.latency.iter().map(|l| format!("{} clocks to {}", l.clocks, l.to)).collect();
    let total = &budget.total;
    let _ = writeln!(
        text,
        "budget   {} register bits, {} memory bits, {} logic levels, {}",
        total.register_bits,
        total.memory_bits,
        total.logic_levels,
        latency.join(", ")
    );
    match budget.problems.as_slice() {
        [] => writeln!(text, "         fits {} and keeps up with the link", budget.device.title),
        problems => writeln!(text, "         does not fit: {}", problems.join("; ")),
    }
    .ok();
    let _ = writeln!(text, "written  {dir}");
    text
}

fn readme(summary: &Summary, config: &Config, files: &Files) -> String {
    let top = &summary.top;
    let mut text = format!(
        "# {top}\n\nMade by {} from configuration {} (`nic.toml`), {} bits a beat.\n\n```\n{}```\n\n",
        summary.tool,
        summary.config,
        config.data_width,
        self::text(summary, "this directory").replace("written  this directory\n", "")
    );
    let _ = write!(
        text,
        "Run the golden vectors on the Verilog in Icarus, from `rtl/`; it ends with `PASS`:\n\n```\n\
         iverilog -g2001 -s {top}_tb -o tb {top}_tb.v -c {top}.f && vvp -n tb +seed=1 +stall=30\n```\n\n\
         Check that nothing has changed since: `sha256sum -c mpnic.sha256`.\n\n| file | what it is |\n|---|---|\n"
    );
    let about = |name: &str| match name.rsplit('.').next() {
        _ if name.ends_with("_tb.v") => "self-checking testbench",
        _ if name == "summary.json" => "all results",
        _ if name == "nic.toml" => "the whole configuration",
        _ if name.starts_with("budget") => "memory, registers, levels, latency, rate",
        _ if name == "conform.json" => "the golden vectors on the model",
        _ if name == "replay/rocev2.jsonl" => "what the pipeline says of each frame of the capture",
        Some("pcap") => "the capture",
        Some("v") => "module",
        Some("f") => "file list",
        Some("core") => "FuseSoC core",
        Some("ys") => "yosys script",
        Some("hex") => "data of the testbench",
        _ => "",
    };
    for name in files.names() {
        let _ = writeln!(text, "| `{name}` | {} |", about(name));
    }
    text
}
