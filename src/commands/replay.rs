// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic replay`: sends the frames of a capture through the header parser and the check of the ICRC, or
//! through the receive path.

mod answers;
mod connections;
mod delivered;
mod rebuild;

use super::print;
use crate::backend::{self, Use};
use crate::capture::{self, Packet};
use crate::cli;
use crate::config::Config;
use crate::failure::Outcome;
use crate::progress::Progress;
use crate::stages::StageName;
use crate::trace;
use rebuild::Rebuild;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::LazyLock;
use testbench::Dut;
use testbench::benches::parser_bench::{self, Traffic, parse};
use testbench::benches::replay::line;
use testbench::streams::Frame;

/// Number of frames that are sent before their lines are printed.
const CHUNK: usize = 1024;

pub fn run(args: &cli::Replay, config: &Config) -> Outcome {
    let mut config = config.clone();
    if let Some(width) = args.data_width.as_ref().and_then(|width| width.parse().ok()) {
        config.data_width = width;
    }
    let traffic = Traffic { stall: args.stall as f64 / 100.0, seed: args.seed };
    let (packets, bytes) = capture::load(&args.capture)?;
    if let Some(out) = &args.out {
        return answers::run(args, out, &config, &packets, traffic);
    }
    let trace = trace::open(args.trace.as_deref())?;
    let print = |lines: &[Value]| {
        let lines = lines.iter().map(|line| if args.json { in_order(line) + "\n" } else { text(line) });
        print(&lines.collect::<String>())
    };
    let to = receiving(&packets, &config);
    let parser =
        backend::device(args.backend, &StageName::HeaderParser.of(&config), Use { watched: trace.is_some(), ..to })?;
    let icrc = icrc(args.backend, &config, to)?;
    let rebuild =
        args.rebuild.as_deref().map(|path| Rebuild::new(path, bytes, args.backend, &config, to)).transpose()?;
    trace::run(trace, &StageName::HeaderParser.module(&config), parser, |parser| {
        let mut receiver = Receiver { parser, icrc, uet_crc: config.protocols.has_uet_crc(), rebuild };
        lines(&mut receiver, &packets, traffic, print)?;
        receiver.rebuild.map_or(Ok(()), Rebuild::finish)
    })
}

/// The stages that a frame passes.
pub struct Receiver<'a> {
    /// The stage `header_parser`.
    pub parser: &'a mut dyn Dut,
    /// The stage `icrc` after it, if frames have a CRC.
    pub icrc: Option<Box<dyn Dut>>,
    /// Packets of UET have one.
    pub uet_crc: bool,
    /// The stages that build frames again, if that is requested.
    pub rebuild: Option<Rebuild>,
}

/// Builds the stages for their backend.
pub fn receiving(packets: &[Packet], config: &Config) -> Use {
    Use::frames(packets.iter().map(|packet| packet.bytes.len()), config.data_width)
}

/// The stage `icrc`, if frames have a CRC.
pub fn icrc(backend: cli::Backend, config: &Config, to: Use) -> Outcome<Option<Box<dyn Dut>>> {
    let has_crc = config.protocols.rocev2 || config.protocols.has_uet_crc();
    has_crc.then(|| backend::device(backend, &StageName::Icrc.of(config), to)).transpose()
}

impl Receiver<'_> {
    /// The results of the frames: that of the parser, or if it accepts the frame, that of `icrc`.
    fn receive(&mut self, frames: &[Frame], traffic: Traffic) -> Outcome<Vec<parser_bench::Outcome>> {
        let mut outcomes = parse(self.parser, frames, traffic)?;
        let Some(icrc) = &mut self.icrc else { return Ok(outcomes) };
        let judged = |(frame, outcome): (&Frame, &parser_bench::Outcome)| Frame {
            bytes: frame.bytes.clone(),
            user: u64::from(outcome.drop) | u64::from(outcome.reason) << 1,
        };
        let frames: Vec<_> = frames.iter().zip(&outcomes).map(judged).collect();
        for (outcome, behind) in outcomes.iter_mut().zip(parse(&mut **icrc, &frames, traffic)?) {
            (outcome.drop, outcome.reason) = (behind.drop, behind.reason);
        }
        Ok(outcomes)
    }
}

/// The line of a frame without captured bytes.
fn nothing_captured(index: usize) -> Value {
    serde_json::json!({ "frame": index, "verdict": "drop", "reason": "cut_short" })
}

/// Sends all packets in groups and hands over a line for each.
pub fn lines(
    receiver: &mut Receiver<'_>,
    packets: &[Packet],
    traffic: Traffic,
    mut each: impl FnMut(&[Value]) -> Outcome,
) -> Outcome {
    let progress = Progress::new("replay", packets.len());
    for (i, chunk) in packets.chunks(CHUNK).enumerate() {
        // A frame without captured bytes cannot be sent.
        let sent: Vec<_> = (i * CHUNK..).zip(chunk).filter(|(_, packet)| !packet.bytes.is_empty()).collect();
        let frames: Vec<_> = sent.iter().map(|(_, packet)| Frame { bytes: packet.bytes.clone(), user: 0 }).collect();
        let traffic = Traffic { seed: traffic.seed.wrapping_add(i as u64), ..traffic };
        let outcomes = receiver.receive(&frames, traffic)?;
        let said: Vec<_> = sent.iter().zip(&outcomes).map(|((index, packet), said)| (*index, *packet, said)).collect();
        let mut lines: Vec<_> = (i * CHUNK..).take(chunk.len()).map(nothing_captured).collect();
        for (index, _, outcome) in &said {
            lines[index - i * CHUNK] = line(*index, outcome, receiver.uet_crc);
        }
        if let Some(rebuild) = &mut receiver.rebuild {
            for ((index, ..), rebuilt) in said.iter().zip(rebuild.packets(&said, traffic)?) {
                lines[index - i * CHUNK]["rebuilt"] = rebuilt.into();
            }
        }
        for (line, packet) in
            lines.iter_mut().zip(chunk).filter(|(_, packet)| packet.bytes.len() < packet.length as usize)
        {
            line["captured"] = packet.bytes.len().into();
            line["length"] = packet.length.into();
        }
        each(&lines)?;
        progress.add(chunk.len());
    }
    Ok(())
}

/// Keys in the order of the frame, as far as all objects share one order. Other keys follow in alphabetical order.
const ORDER: &str = "frame frames passed dropped overflowed answers acks naks probe_answers unknown_connections duplicates below_window above_window no_buffer dropped_replies lost_answers connections connection key peer multipath first_psn expected_psn packets delivered messages held overtaken most_held owes cycle ns verdict reason dst_mac src_mac vlans ethertype l3 src dst dscp ecn ip_length hop_limit protocol fragment flow_label transport sport dport udp_length icrc crc \
    bth mpeh deth xrceth reth atomic_eth aeth atomic_ack immdt ieth cnp uet elab \
    opcode se migreq pad tver pkey fecn becn dqpn ackreq \
    entropy type next_hdr ctl_type m isrod retx p ar syn nt req nack_code vendor_code probe_opaque clear_psn_offset ack_psn_offset cack_psn nack_psn \
    psn spdcid dpdcid pdc_info psn_offset ccc_id credit_target cc_type cc_flags mpr sack_psn_offset sack_bitmap service_time rc rcv_cwnd_pend rcvd_bytes credit ooo_count cc_state pkt_id payload \
    path_id flags flowlet_seq sched_tag qkey sqpn srqn vaddr rkey length swap compare syndrome msn original data \
    vp_id vp_rcnt b e burst_id vp_rburst_rate captured length rebuilt";

/// JSON with its keys in [`ORDER`].
pub fn in_order(value: &Value) -> String {
    static PLACES: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
        let mut places = HashMap::new();
        for (place, name) in ORDER.split_whitespace().enumerate() {
            // Of a name that stands twice the first place counts.
            places.entry(name).or_insert(place);
        }
        places
    });
    let Value::Object(fields) = value else { return value.to_string() };
    let mut fields: Vec<_> = fields.iter().collect();
    fields.sort_by_cached_key(|(name, _)| PLACES.get(name.as_str()).copied().unwrap_or(usize::MAX));
    let fields: Vec<_> = fields.iter().map(|(name, value)| format!("\"{name}\":{}", in_order(value))).collect();
    format!("{{{}}}", fields.join(","))
}

/// A line of the table for people.
fn text(line: &Value) -> String {
    let get = |name: &str| match &line[name] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let mut text = format!("{:>6}  {}", get("frame"), get("verdict"));
    if line["verdict"] == "drop" {
        return format!("{text} {}\n", get("reason"));
    }
    text += &match line["l3"] == "other" {
        true => format!("  ethertype {:#06x}", line["ethertype"].as_u64().unwrap_or(0)),
        false => format!("  {} > {}", end(line, "src", "sport"), end(line, "dst", "dport")),
    };
    text += &format!("  {}", get("transport"));
    if let Some(time) = line.get("ns") {
        text += &format!("  at {time} ns");
    }
    for (header, fields) in [
        ("bth", &["opcode", "dqpn", "psn"][..]),
        ("mpeh", &["path_id", "flowlet_seq"]),
        ("aeth", &["syndrome", "msn"]),
        ("reth", &["vaddr", "rkey", "length"]),
        ("uet", &["type", "psn", "cack_psn", "nack_code", "nack_psn", "pkt_id"]),
        ("elab", &["vp_id", "vp_rcnt", "burst_id"]),
    ] {
        if let Some(object) = line.get(header) {
            let value = |name: &str| Some(object.get(name)?.as_str().map_or(object[name].to_string(), str::to_owned));
            let values = fields.iter().filter_map(|name| Some(format!(" {name} {}", value(name)?)));
            text += &format!("  {header}{}", values.collect::<String>());
        }
    }
    text + "\n"
}

/// Address and port.
fn end(line: &Value, address: &str, port: &str) -> String {
    let address = line[address].as_str().unwrap_or_default();
    match &line[port] {
        Value::Null => address.to_owned(),
        port if address.contains(':') => format!("[{address}]:{port}"),
        port => format!("{address}:{port}"),
    }
}
