// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parser, ICRC and gate, wired as on the page of the stage: frames with all verdicts at full rate, with consumers that
//! pause for a long time.

use golden_vectors::frame::header_parser::oracle::parse;
use golden_vectors::frame::icrc::oracle::check;
use golden_vectors::headers::codec::Options;
use golden_vectors::{VectorFile, Verdict};
use pipeline::frame::frame_gate::FrameGateConfig;
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use rtl_model::netlist::interfaces::Direction;
use std::collections::BTreeSet;
use testbench::device::drive::Drive;
use testbench::device::ports::interface;
use testbench::device::random::Random;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use testbench::streams::{Frame, Streams, beats, frames};
use testbench::{Dut, Ports};
use tier::pick;

const PAGE: &str = include_str!("../../../../../docs/stages/frame_gate.md");

/// Signals that the test sees in addition to the ports of the page: frames that end at the gate, and records that
/// arrive there.
const SEEN: [(&str, &str); 3] = [
    ("seen_end", "checked_tvalid && checked_tlast"),
    ("seen_record", "record_tvalid && record_tready"),
    ("seen_ready", "record_tready && checked_tready"),
];

/// The module of the page for this width, with a gate of this size.
fn receive(gate: FrameGateConfig) -> testbench::NativeDut {
    let width = gate.data_width;
    let parts = [
        ("mpnic_header_parser parser", Source::of_design(&HeaderParserConfig::new(width))),
        ("mpnic_icrc icrc", Source::of_design(&IcrcConfig::new(width, IcrcMode::Check))),
        ("mpnic_frame_gate gate", Source::of_design(&gate)),
    ]
    .map(|(instance, source)| (instance, source.expect("it prints")));
    let record = parts[2].1.ports.interface("s_record", Direction::In).expect("it takes records");
    let fields: Vec<_> = record.fields.iter().map(|field| (field.name.clone(), field.width)).collect();
    let block = PAGE.split("```verilog\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the module");
    let mut text = String::from("// verilator lint_off PINMISSING\n");
    for line in block.lines() {
        if line.contains("ethernet_0") {
            for (name, width) in &fields {
                let line = line.replace("ethernet_0", name).replace("[31:0]", &format!("[{}:0]", width - 1));
                text += &format!("{line}\n");
            }
        } else if line == "    // to user logic" {
            SEEN.iter().for_each(|(name, _)| text += &format!("output wire {name},\n"));
        } else if line == "endmodule" {
            SEEN.iter().for_each(|(name, value)| text += &format!("assign {name} = {value};\n"));
            text += "endmodule\n";
        } else {
            text += &format!("{line}\n");
        }
    }
    text = text.replace("parameter W = 64", &format!("parameter W = {width}"));
    for (instance, source) in &parts {
        let (_, name) = instance.split_once(' ').expect("module and instance");
        let named = text.replace(&format!("{instance} ("), &format!("{} {name} (", source.top));
        assert_ne!(text, named, "the page has no instance `{instance}`");
        text = named;
    }
    let mut files: Vec<_> = parts.iter().flat_map(|(_, source)| source.files.clone()).collect();
    files.push(("receive.v".into(), text));
    let (parser, gate) = (&parts[0].1.ports, &parts[2].1.ports);
    let frames_in = parser.interface("s_axis", Direction::In).expect("it parses frames").clone();
    let outputs = gate.interfaces.iter().filter(|one| ["m_axis", "m_record", "count"].contains(&one.name.as_str()));
    let seen = SEEN.iter().map(|(name, _)| interface(name, Direction::Out, &[], [("", 1)]));
    let ports = Ports::of_interfaces([frames_in].into_iter().chain(outputs.cloned()).chain(seen).collect());
    let source = Source { top: "receive".into(), files, ports, registers: Vec::new() };
    Verilator::new().build(&source).expect("it compiles")
}

/// Frames of the golden vectors, each with its number in bytes 2 to 5, and whether it is to pass.
fn numbered(longest: usize) -> Vec<(Frame, bool)> {
    let mut all = Vec::new();
    for stage in ["header_parser", "icrc"] {
        let file = VectorFile::embedded_stage(stage).expect("it is consistent").expect("it is there");
        for case in file.cases().filter(|case| (14..=longest).contains(&case.frame.len())) {
            let bad = stage == "header_parser" && case.bad_frame;
            let mut bytes = case.frame.clone();
            bytes[2..6].copy_from_slice(&u32::try_from(all.len()).expect("few").to_be_bytes());
            let marked = parse(&bytes, bad, &Options::default()).verdict == Verdict::Drop;
            let passes = !marked && check(&bytes, marked, &Options::default()).expect.verdict == Verdict::Ok;
            all.push((Frame { bytes, user: bad.into() }, passes));
        }
    }
    all
}

/// Which consumers are ready in a cycle: that of frames, that of records.
type Consumers = fn(u64, &mut Random) -> (bool, bool);

/// The outputs of a run.
struct Seen {
    frames: Vec<Frame>,
    /// Numbers of the records.
    records: Vec<u32>,
    /// Passed, dropped, overflowed.
    counts: [u64; 3],
    /// The greatest number of frames by which records were ahead at the gate.
    lead: i64,
}

fn run(gate: FrameGateConfig, input: &[(Frame, bool)], pause: f64, consumers: Consumers) -> Seen {
    let mut dut = receive(gate);
    let ports = dut.ports().clone();
    let mut streams = Streams::new(&ports, Random::new(5)).source("s_axis", |s| s.pause(pause)).expect("frames go in");
    let source = streams.source_mut("s_axis").expect("frames go in");
    for (frame, _) in input {
        let items = beats(source.channel(), frame).expect("it has bytes");
        source.send(items);
    }
    let channel = |prefix| testbench::streams::Channel::output(&ports, prefix).expect("it is there");
    let (frames_out, records_out) = (channel("m_axis"), channel("m_record"));
    let number = records_out.field("ethernet_1").expect("it is there").1.start;
    let at = |name: &str| ports.output(name).expect("it is there").offset;
    let (end, record, ready) = (at("seen_end"), at("seen_record"), at("seen_ready"));
    let mut outputs = vec![0; ports.output_limbs()];
    let mut row = vec![0; ports.input_limbs()];
    let (mut items, mut records) = (Vec::new(), Vec::new());
    let (mut lead, mut most, mut idle) = (0, 0, 0);
    let mut random = Random::new(9);
    dut.clock(true, &row);
    for cycle in 0.. {
        dut.outputs(&mut outputs);
        assert_eq!(outputs[ready], 1, "cycle {cycle}: the gate stalls");
        streams.drive(&outputs, &mut row);
        let (frame_ready, record_ready) = consumers(cycle, &mut random);
        frames_out.set_ready(&mut row, frame_ready);
        records_out.set_ready(&mut row, record_ready);
        if frame_ready && frames_out.valid(&outputs) {
            items.push(frames_out.get(&outputs));
        }
        if record_ready && records_out.valid(&outputs) {
            records.push(records_out.get(&outputs)[number] as u32);
        }
        lead += outputs[record] as i64 - outputs[end] as i64;
        most = most.max(lead);
        let moves = outputs[end] == 1 || frames_out.valid(&outputs) || records_out.valid(&outputs);
        idle = if moves || !streams.parts().0[0].is_done() { 0 } else { idle + 1 };
        if idle > 200 {
            break;
        }
        assert!(cycle < 2_000_000, "it never ends");
        dut.clock(false, &row);
    }
    let counts = ["passed", "dropped", "overflowed"].map(|name| outputs[at(&format!("count_{name}"))]);
    assert_eq!(lead, 0, "every frame has a record");
    Seen { frames: frames(&frames_out, &items).expect("they are lawful"), records, counts, lead: most }
}

fn numbers(seen: &Seen) -> Vec<u32> {
    let number = |frame: &Frame| u32::from_be_bytes(frame.bytes[2..6].try_into().expect("four bytes"));
    seen.frames.iter().map(number).collect()
}

#[test]
fn the_frames_that_pass_are_those_that_parser_and_icrc_let_pass() {
    let input = numbered(9000);
    let expected: Vec<_> = input.iter().filter(|(_, passes)| *passes).map(|(frame, _)| frame.clone()).collect();
    assert!(expected.len() > 500 && input.len() - expected.len() > 500);
    for (width, pause) in pick([(64, 0.0), (512, 0.0), (512, 0.6)], 1) {
        let gate = FrameGateConfig::new(width, 16384, 64);
        let seen = run(gate, &input, pause, |_, _| (true, true));
        let (passed, all) = (expected.len() as u64, input.len() as u64);
        assert_eq!(seen.counts, [passed, all - passed, 0], "{width} bits");
        assert_eq!(seen.records, numbers(&seen), "{width} bits");
        assert_eq!(seen.frames.len(), expected.len(), "{width} bits");
        let whole = seen.frames.iter().zip(&expected).all(|(seen, expected)| seen.bytes == expected.bytes);
        assert!(whole && seen.frames.iter().all(|frame| frame.user == 0), "{width} bits");
    }
}

#[test]
fn records_are_at_most_22_frames_ahead_and_never_stall() {
    let input: Vec<_> = numbered(128).into_iter().take(2000).collect();
    let seen = run(FrameGateConfig::new(1024, 16384, 64), &input, 0.0, |_, _| (true, true));
    assert_eq!((seen.lead, seen.counts[2]), (22, 0));
}

/// Whatever the consumers do, frames and records leave in step, and all others are counted.
fn stays_in_step(gate: FrameGateConfig, consumers: Consumers) {
    let input = numbered(9000);
    let seen = run(gate, &input, 0.0, consumers);
    let expected: BTreeSet<u32> = (0..).zip(&input).filter(|(_, (_, passes))| *passes).map(|(i, _)| i).collect();
    let out = numbers(&seen);
    assert_eq!(seen.records, out);
    assert!(out.is_sorted_by(|a, b| a < b) && out.iter().all(|number| expected.contains(number)));
    let [passed, dropped, overflowed] = seen.counts;
    assert_eq!(passed, out.len() as u64);
    assert_eq!(dropped, (input.len() - expected.len()) as u64);
    assert_eq!(passed + overflowed, expected.len() as u64);
    assert!(passed > 50 && overflowed > 50, "{passed} passed, {overflowed} overflowed");
    let whole = out.iter().zip(&seen.frames).all(|(&number, frame)| input[number as usize].0.bytes == frame.bytes);
    assert!(whole, "frames change");
}

#[test]
fn a_consumer_of_frames_that_stands_still_costs_frames_and_no_step() {
    stays_in_step(FrameGateConfig::new(512, 2048, 64), |cycle, _| (cycle % 2000 > 1500, true));
}

#[test]
fn a_consumer_of_records_that_stands_still_costs_frames_and_no_step() {
    stays_in_step(FrameGateConfig::new(512, 16384, 8), |cycle, _| (true, cycle % 2000 > 1500));
}

#[test]
fn consumers_that_stall_at_random_cost_frames_and_no_step() {
    stays_in_step(FrameGateConfig::new(64, 1024, 4), |_, random| (random.chance(0.4), random.chance(0.1)));
}
