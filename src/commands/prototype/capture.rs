// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed capture through the parser, against what its encoder put in.

use crate::backend;
use crate::capture;
use crate::cli::Backend;
use crate::commands::replay;
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::output::Files;
use crate::stages;
use crate::summary::Replayed;
use serde_json::Value;
use std::net::IpAddr;
use testbench::parser_bench::Traffic;

const CAPTURE: &[u8] = include_bytes!("../../../golden-vectors/captures/rocev2.pcap");
const ENCODED: &str = include_str!("../../../golden-vectors/captures/rocev2.jsonl");

/// Adds the capture and its lines, and says how they compare with what its encoder put in.
pub fn replay(files: &mut Files, config: &Config) -> Outcome<Replayed> {
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
    files.add("replay/rocev2.pcap", CAPTURE);
    files.add("replay/rocev2.jsonl", all.iter().map(|line| replay::in_order(line) + "\n").collect::<String>());
    Ok(replayed)
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
