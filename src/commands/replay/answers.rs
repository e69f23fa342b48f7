// SPDX-License-Identifier: MIT OR Apache-2.0
//! The option `replay --out`: the frames of the capture go through the receive path, and its answers are a capture.
//!
//! The capture is first read with no connection open: the stage itself says which packets are in sequence. Then their
//! connections are opened, and all frames are sent, one after the other. Clock cycles count from the first frame on.

use super::connections::{self, Connection, First};
use super::delivered::{self, Delivery};
use super::{CHUNK, Receiver, icrc, in_order, lines, receiving, text};
use crate::backend::{self, Use};
use crate::capture::{self, Packet};
use crate::cli::{self, Backend};
use crate::commands::print;
use crate::config::{Config, HoldMode};
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use crate::stages::{StageName, reset};
use crate::trace;
use pipeline::receive::ack_generator::AckProtocol;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use testbench::Dut;
use testbench::benches::parser_bench::Traffic;
use testbench::benches::rx_bench::{Command, Identified, Response, RxBench};
use testbench::files::WholeFile;
use testbench::streams::Frame;
use testbench::streams::record::Record;

/// Clock cycles that a frame and its answer may be under way.
const UNDER_WAY: u64 = 4096;

/// Counters of the stage that the summary has, by their ports; those that a protocol does not have are left out.
const COUNTERS: [&str; 10] = [
    "acks",
    "naks",
    "probe_answers",
    "unknown_connections",
    "duplicates",
    "below_window",
    "above_window",
    "no_buffer",
    "dropped_replies",
    "lost_answers",
];

pub fn run(args: &cli::Replay, out: &Path, config: &Config, packets: &[Packet], traffic: Traffic) -> Outcome {
    if !config.protocols.rocev2 && !config.protocols.uet {
        return Err(Failure::with_help(
            "--out is for RoCEv2 and UET, and this configuration has neither",
            "choose another configuration with --config",
        ));
    }
    let config = &of_any_station(config);
    let given = args.connections.as_deref().map(|path| connections::load(path, config)).transpose()?;
    let answers_file = OutputCapture::create(out)?;
    let delivered_file = args.delivered.as_deref().map(OutputCapture::create).transpose()?;
    let trace = trace::open(args.trace.as_deref())?;
    let to = receiving(packets, config);
    let firsts = match &given {
        Some(given) if !connections::need_capture(given, config) => Vec::new(),
        _ => first_packets(packets, config, to)?,
    };
    let chosen = given.unwrap_or_else(|| connections::of_capture(&firsts));
    let opening = connections::opening(&chosen, &firsts, config)?;
    let to = Use { watched: trace.is_some(), ..to };
    let device = backend::device(args.backend, &StageName::Rx.of(config), to)?;
    let run = trace::run(trace, &StageName::Rx.module(config), device, |dut| {
        receive(dut, packets, &opening, traffic, config)
    })?;
    let time = |clocks| Duration::from_nanos(nanoseconds(clocks, config));
    answers_file.write(run.answers.iter().map(|(clocks, frame)| (time(*clocks), &frame.bytes[..])))?;
    if let Some(file) = delivered_file {
        file.write(run.delivered.iter().map(|packet| (time(packet.cycle), &packet.bytes[..])))?;
    }
    let summary = summary(&run, &chosen, &opening, config)?;
    print_answers(args, &run.answers, config)?;
    print(&if args.json { in_order(&summary) + "\n" } else { summary_text(&summary) })
}

/// A capture that is written when the run is over.
struct OutputCapture<'a>(&'a Path, WholeFile);

impl<'a> OutputCapture<'a> {
    fn create(path: &'a Path) -> Outcome<Self> {
        Ok(OutputCapture(path, WholeFile::create(path).map_err(Failure::file(path))?))
    }

    fn write<'b>(self, frames: impl Iterator<Item = (Duration, &'b [u8])>) -> Outcome {
        let OutputCapture(path, file) = self;
        file.finish(&capture::write(frames)?).map_err(Failure::file(path))
    }
}

/// What came of a run.
struct Run {
    frames: usize,
    answers: Vec<(u64, Frame)>,
    /// Frames that passed the gate.
    passed: u64,
    /// What stands beside records, if each frame has one.
    identified: Option<Vec<Identified>>,
    delivered: Vec<Delivery>,
    states: Vec<Response>,
    counts: Vec<(&'static str, u64)>,
    overflowed: u64,
}

/// The frames of the capture; one without captured bytes cannot be sent.
fn frames(packets: &[Packet]) -> impl Iterator<Item = Frame> {
    let sent = packets.iter().filter(|packet| !packet.bytes.is_empty());
    sent.map(|packet| Frame { bytes: packet.bytes.clone(), user: 0 })
}

fn send_all(bench: &mut RxBench, dut: &mut dyn Dut, packets: &[Packet], what: &str) -> Outcome {
    let progress = Progress::new(what, packets.len());
    for chunk in packets.chunks(CHUNK) {
        bench.send(&frames(chunk).collect::<Vec<_>>())?;
        bench.until_sent(dut)?;
        progress.add(chunk.len());
    }
    Ok(())
}

/// The configuration with a receive path that does not compare MAC addresses, as a capture may be of several devices, and does not check
/// requests, as it may begin amid a message.
fn of_any_station(config: &Config) -> Config {
    let mut config = config.clone();
    (config.rx.check_mac, config.rx.request_check) = (false, false);
    config
}

/// The configuration with a receive path that holds descriptors, whose records say of every frame what it is.
fn of_descriptors(config: &Config) -> Config {
    let mut config = config.clone();
    config.reorder.hold = HoldMode::Descriptor;
    config
}

/// The first packet in sequence of each key, in the order of the capture.
fn first_packets(packets: &[Packet], config: &Config, to: Use) -> Outcome<Vec<First>> {
    let mut model = backend::device(Backend::Model, &StageName::Rx.of(&of_descriptors(config)), to)?;
    let mut bench = RxBench::of_traffic(&mut *model, Traffic::default())?;
    send_all(&mut bench, &mut *model, packets, "connections")?;
    bench.until_idle(&mut *model, UNDER_WAY)?;
    let mut seen = BTreeSet::new();
    let mut firsts = Vec::new();
    for (identified, record) in bench.identified()?.iter().zip(bench.records()) {
        if let Some(first) = first(&record, config.ack_protocol()).filter(|_| identified.in_sequence)
            && seen.insert(first.key)
        {
            firsts.push(first);
        }
    }
    Ok(firsts)
}

/// What a connection takes from its first packet. The packets that set up a context of UET have no key.
fn first(record: &Record, protocol: AckProtocol) -> Option<First> {
    let get = |name: &str| record.get(name) as u64;
    match protocol {
        AckProtocol::Roce => Some(First { key: get("bth_dqpn"), psn: get("bth_psn"), has_mpeh: get("has_mpeh") == 1 }),
        AckProtocol::Uet if get("uet_syn") == 1 => None,
        AckProtocol::Uet => Some(First { key: get("uet_dpdcid"), psn: get("uet_psn"), has_mpeh: false }),
    }
}

/// Opens the connections, sends all frames, and waits for what is owed.
fn receive(
    dut: &mut dyn Dut,
    packets: &[Packet],
    opening: &[Command],
    traffic: Traffic,
    config: &Config,
) -> Outcome<Run> {
    let mut bench = RxBench::of_traffic(dut, traffic)?;
    if config.ack_protocol() == AckProtocol::Uet {
        // Frames come faster than they did when they were recorded, so there is no limit in time.
        bench.settings(dut, "answer", &[("interval", 0)])?;
    }
    for command in opening {
        if !bench.command(dut, *command)?.done {
            return Err(Failure::with_help(
                format!("the connection with key {} was refused: there is no room for the key", command.key),
                "set reorder.connections to a larger number",
            ));
        }
    }
    let start = bench.cycle();
    send_all(&mut bench, dut, packets, "replay")?;
    bench.until_idle(dut, patience(config))?;
    let mut states = Vec::new();
    for command in opening {
        states.push(bench.command(dut, Command::read(command.connection))?);
    }
    let of_run = |packet: Delivery| Delivery { cycle: packet.cycle - start, ..packet };
    let count = |name: &&'static str| Some((*name, bench.count(name)?));
    Ok(Run {
        frames: frames(packets).count(),
        answers: bench.answers()?.into_iter().map(|(end, frame)| (end - start, frame)).collect(),
        passed: bench.count("gate_passed").unwrap_or(0),
        // With frames in a pool only those of no connection have a record.
        identified: (!bench.holds_frames()).then(|| bench.identified()).transpose()?,
        delivered: delivered::of(&bench, config)?.into_iter().map(of_run).collect(),
        states,
        counts: COUNTERS.iter().filter_map(count).collect(),
        overflowed: bench.count("gate_overflowed").unwrap_or(0),
    })
}

/// Clock cycles after which no answer comes any more: the time of an ACK that is owed, and that of a gap.
fn patience(config: &Config) -> u64 {
    let time = |stage, port| reset(stage, port, config);
    // Units of 128 ns and of 64 clock cycles.
    let owed = time(StageName::AckGenerator, "time") as f64 * 0.128 * config.target.clock_mhz;
    owed as u64 + 2 * 64 * time(StageName::Reorder, "time") + UNDER_WAY
}

fn nanoseconds(clocks: u64, config: &Config) -> u64 {
    (clocks as f64 * 1e3 / config.target.clock_mhz).round() as u64
}

/// One line for each answer, as the parser reads it.
fn print_answers(args: &cli::Replay, answers: &[(u64, Frame)], config: &Config) -> Outcome {
    let packet =
        |(_, frame): &(u64, Frame)| Packet { bytes: frame.bytes.clone(), at: 0, length: frame.bytes.len() as u32 };
    let packets: Vec<_> = answers.iter().map(packet).collect();
    let to = receiving(&packets, config);
    let mut parser = backend::device(Backend::Model, &StageName::HeaderParser.of(config), to)?;
    let mut receiver = Receiver {
        parser: &mut *parser,
        icrc: icrc(Backend::Model, config, to)?,
        uet_crc: config.protocols.has_uet_crc(),
        rebuild: None,
    };
    let mut cycles = answers.iter().map(|(clocks, _)| *clocks);
    lines(&mut receiver, &packets, Traffic::default(), |lines| {
        let mut said = String::new();
        for (line, clocks) in lines.iter().zip(&mut cycles) {
            let mut line = line.clone();
            line["cycle"] = clocks.into();
            line["ns"] = nanoseconds(clocks, config).into();
            said += &if args.json { in_order(&line) + "\n" } else { text(&line) };
        }
        print(&said)
    })
}

fn summary(run: &Run, chosen: &[Connection], opening: &[Command], config: &Config) -> Outcome<Value> {
    let messages = delivered::messages(&run.delivered, opening.len(), config)?;
    let rocev2 = config.ack_protocol() == AckProtocol::Roce;
    let of = |(i, command): (usize, &Command)| {
        let in_sequence = |packet: &&Identified| packet.in_sequence && packet.found;
        let state = &run.states[i];
        let mut line = json!({
            "connection": i, "key": chosen[i].key, "first_psn": command.psn,
            "delivered": run.delivered.iter().filter(|packet| packet.connection == i as u64).count(),
            "expected_psn": state.expected, "held": state.held,
            "overtaken": state.reordered, "most_held": state.depth, "owes": state.owes,
        });
        if let Some(identified) = &run.identified {
            let mine = identified.iter().filter(in_sequence).filter(|packet| packet.connection == i as u64);
            line["packets"] = mine.count().into();
        }
        if let Some(messages) = &messages {
            line["messages"] = messages[i].into();
        }
        if rocev2 {
            line["peer"] = command.peer.into();
            line["multipath"] = command.multipath.into();
        }
        line
    };
    let mut summary = Map::new();
    let Run { passed, overflowed, .. } = *run;
    for (name, count) in [
        ("frames", run.frames as u64),
        ("passed", passed),
        ("dropped", run.frames as u64 - passed - overflowed),
        ("overflowed", overflowed),
        ("answers", run.answers.len() as u64),
    ] {
        summary.insert(name.to_owned(), count.into());
    }
    summary.extend(run.counts.iter().map(|(name, count)| ((*name).to_owned(), (*count).into())));
    summary.insert("connections".to_owned(), opening.iter().enumerate().map(of).collect::<Vec<_>>().into());
    Ok(summary.into())
}

fn summary_text(summary: &Value) -> String {
    let mut text = String::new();
    for line in summary["connections"].as_array().into_iter().flatten() {
        let get = |name: &str| line[name].as_u64().unwrap_or(0);
        // What is not known of a run is left out.
        let some = |name: &str| line[name].as_u64().map_or(String::new(), |count| format!("{count} {name}, "));
        text += &format!(
            "connection {}: key {}, {}{} delivered in order, {}expected PSN {}, {} held, {} overtaken\n",
            get("connection"),
            get("key"),
            some("packets"),
            get("delivered"),
            some("messages"),
            get("expected_psn"),
            get("held"),
            get("overtaken"),
        );
    }
    let counts = |names: &[&str]| {
        let one = |name: &&str| format!("{} {}", summary[*name], name.replace('_', " "));
        let said: Vec<_> = names.iter().filter(|name| !summary[**name].is_null()).map(one).collect();
        said.join(", ") + "\n"
    };
    text += &counts(&["frames", "passed", "dropped", "overflowed", "answers"]);
    text += &counts(&COUNTERS);
    text
}
