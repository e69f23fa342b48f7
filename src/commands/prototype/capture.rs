// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the committed capture through the parser and compares the results with what its encoder wrote.

use crate::backend;
use crate::capture;
use crate::cli::Backend;
use crate::commands::replay::{self, Receiver};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::output::Files;
use crate::stages::StageName;
use crate::summary::Replayed;
use pipeline::headers::protocols::Protocols;
use serde_json::Value;
use std::net::IpAddr;
use testbench::benches::parser_bench::Traffic;

const CAPTURE: &[u8] = include_bytes!("../../../golden-vectors/captures/rocev2.pcap");
const ENCODED: &str = include_str!("../../../golden-vectors/captures/rocev2.jsonl");

/// Adds the capture and its lines, and compares them with what its encoder wrote.
pub fn replay(files: &mut Files, config: &Config) -> Outcome<Replayed> {
    let packets = capture::read("rocev2.pcap", CAPTURE)?;
    // The ports and marks are those of the encoder.
    let Protocols { rocev2, uet, elab, .. } = config.protocols;
    let protocols = Protocols { rocev2, uet, elab, ..Protocols::default() };
    let config = &Config { protocols, ..config.clone() };
    let to = replay::receiving(&packets, config);
    let mut parser = backend::device(Backend::Model, &StageName::HeaderParser.of(config), to)?;
    let mut receiver = Receiver {
        parser: &mut *parser,
        icrc: replay::icrc(Backend::Model, config, to)?,
        uet_crc: false,
        rebuild: None,
    };
    let traffic = Traffic { stall: config.conform.stall_percent as f64 / 100.0, seed: config.conform.seed };
    let mut all = Vec::new();
    replay::lines(&mut receiver, &packets, traffic, |lines| {
        all.extend_from_slice(lines);
        Ok(())
    })?;
    let transport = if rocev2 { "rocev2" } else { "udp" };
    let (frames, differences) = (packets.len(), Vec::new());
    let mut replayed = Replayed { capture: "rocev2.pcap", transport, frames, agree: 0, differences };
    for (got, encoded) in all.iter().zip(ENCODED.lines()) {
        let encoded: Value = serde_json::from_str(encoded).map_err(Failure::defect)?;
        match difference(&known(encoded, rocev2), got, "") {
            None => replayed.agree += 1,
            Some(what) => replayed.differences.push(format!("frame {}: {what}", got["frame"])),
        }
    }
    files.add("replay/rocev2.pcap", CAPTURE);
    files.add("replay/rocev2.jsonl", all.iter().map(|line| replay::in_order(line) + "\n").collect::<String>());
    Ok(replayed)
}

/// The expected result of a pipeline for a frame: a transport that is not configured is reported as UDP.
fn known(encoded: Value, rocev2: bool) -> Value {
    match encoded {
        Value::Object(mut fields) if !rocev2 && fields.get("transport").is_some_and(|name| name == "rocev2") => {
            fields.retain(|name, value| name != "icrc" && !value.is_object());
            fields.insert("transport".to_owned(), "udp".into());
            fields.into()
        }
        encoded => encoded,
    }
}

/// The first field that was encoded but not read.
fn difference(encoded: &Value, got: &Value, path: &str) -> Option<String> {
    let address = |value: &Value| value.as_str().and_then(|text| text.parse::<IpAddr>().ok());
    // What has more than 53 bits is read as a string.
    let digits = |value: &Value| u64::from_str_radix(value.as_str()?.strip_prefix("0x")?, 16).ok();
    match (encoded, got) {
        (Value::Object(fields), Value::Object(read)) => fields.iter().find_map(|(name, value)| match read.get(name) {
            None => Some(format!("{path}{name} is missing")),
            Some(read) => difference(value, read, &format!("{path}{name} ")),
        }),
        _ if encoded == got || (address(encoded).is_some() && address(encoded) == address(got)) => None,
        (Value::Number(number), Value::String(_)) if number.as_u64() == digits(got) => None,
        _ => Some(format!("{path}is {got}, expected {encoded}")),
    }
}
