// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header parser in a hostile network: frames cut at every byte and frames with bytes changed, on model and RTL.
//! Every frame gets one verdict and one record, all as the oracle says; the frames pass unchanged; the counters add up.

use crate::common::{captures, oracle};
use oracle::{differences, options};
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::headers::protocols::{MpehIndicator, Protocols, Reserved};
use std::collections::BTreeMap;
use testbench::Dut;
use testbench::benches::parser_bench::{Traffic, parse};
use testbench::benches::replay::reason;
use testbench::device::model::model_of;
use testbench::device::random::Random;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use testbench::streams::Frame;
use tier::{is_all, pick};

const WIDTHS: [u32; 5] = [64, 128, 256, 512, 1024];
/// Number of frames that are sent and checked at a time.
const CHUNK: usize = 10_000;

/// What `scripts/hostile` asks for: mutated frames on the model, a tenth of them on the RTL; and all cuts.
fn asked() -> Option<usize> {
    let text = std::env::var("MPNIC_HOSTILE_FRAMES").ok()?;
    let frames = text.parse().unwrap_or_else(|_| panic!("MPNIC_HOSTILE_FRAMES={text} is not a number"));
    assert!(frames >= 10, "MPNIC_HOSTILE_FRAMES={frames}: of fewer than 10 none is left for the Verilog");
    Some(frames)
}

/// Number of mutated frames on the model.
fn mutated_frames() -> usize {
    asked().unwrap_or(if is_all() { 1_000_000 } else { 100_000 })
}

fn config(width: u32, protocols: Protocols) -> HeaderParserConfig {
    HeaderParserConfig { protocols, ..HeaderParserConfig::new(width) }
}

/// A device and its outputs so far.
pub struct Judge {
    what: String,
    dut: Box<dyn Dut>,
    protocols: Protocols,
    counts: BTreeMap<String, u64>,
}

impl Judge {
    pub fn model(width: u32, protocols: Protocols) -> Self {
        let dut = model_of(&config(width, protocols)).expect("it elaborates");
        Judge { what: format!("model, {width} bits, {protocols:?}"), dut, protocols, counts: BTreeMap::new() }
    }

    fn rtl(width: u32) -> Self {
        Self::rtl_of(width, Protocols::default())
    }

    pub fn rtl_of(width: u32, protocols: Protocols) -> Self {
        let source = Source::of_design(&config(width, protocols)).expect("it prints");
        let dut = Box::new(Verilator::new().build(&source).expect("it compiles"));
        Judge { what: format!("RTL, {width} bits"), dut, protocols, counts: BTreeMap::new() }
    }

    pub fn judge(&mut self, frames: &[Frame], stall: f64) {
        let options = options(&self.protocols);
        let outcomes =
            parse(&mut *self.dut, frames, Traffic { stall, seed: 1 }).expect("one verdict and record a frame");
        for (i, (frame, outcome)) in frames.iter().zip(&outcomes).enumerate() {
            let differences = differences(&frame.bytes, &options, outcome);
            assert!(differences.is_empty(), "{}, frame {i}: {differences:?}\n{:02x?}", self.what, frame.bytes);
            *self.counts.entry(reason(outcome.reason).to_owned()).or_default() += 1;
        }
    }

    /// Frames of this reason so far.
    pub fn count(&self, reason: &str) -> u64 {
        self.counts.get(reason).copied().unwrap_or(0)
    }

    /// The counters of the device must agree with its verdicts.
    pub fn counters_add_up(mut self) {
        let ports = self.dut.ports().clone();
        let mut outputs = vec![0; ports.output_limbs()];
        self.dut.outputs(&mut outputs);
        for (reason, count) in &self.counts {
            let port = ports.output(&format!("count_{reason}")).expect("there is a counter for every reason");
            assert_eq!(outputs[port.offset], *count, "{}: {}", self.what, port.name);
        }
    }
}

/// The frame cut at every byte; in the short run, beyond the longest headers only at one of 31 bytes.
fn cuts(frame: &Frame) -> Vec<Frame> {
    let lengths = (1..=frame.bytes.len()).filter(|n| asked().is_some() || *n < 150 || n % 31 == 0);
    lengths.map(|n| Frame { bytes: frame.bytes[..n].to_vec(), user: 0 }).collect()
}

/// Frames with some bytes of their headers changed, and now and then cut.
pub fn mutated(frames: &[Frame], count: usize, seed: u64) -> Vec<Frame> {
    let mut random = Random::new(seed);
    let mutate = |_| {
        let mut bytes = frames[random.below(frames.len() as u64) as usize].bytes.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len().min(140) as u64) as usize;
            bytes[at] = match random.below(3) {
                0 => bytes[at] ^ (1 << random.below(8)),
                1 => random.below(256) as u8,
                _ => bytes[at].wrapping_add(1),
            };
        }
        if random.below(16) == 0 {
            bytes.truncate(1 + random.below(bytes.len() as u64) as usize);
        }
        Frame { bytes, user: 0 }
    };
    (0..count).map(mutate).collect()
}

fn judge_mutated(mut judge: Judge, frames: &[Frame], count: usize) {
    let mut left = count;
    for seed in 0.. {
        let some = left.min(CHUNK);
        judge.judge(&mutated(frames, some, seed), if seed % 4 == 0 { 0.2 } else { 0.0 });
        left -= some;
        if left == 0 {
            break;
        }
    }
    judge.counters_add_up();
}

/// The header length of a bad frame must not be taken for that of the next, whose tags are where its UDP would be.
#[test]
fn a_bad_header_length_does_not_outlive_its_frame() {
    let frames = captures::frames("mixed");
    let is_tagged = |frame: &&Frame| frame.bytes[12..14] == [0x81, 0] && frame.bytes[16..18] == [0x81, 0];
    let tagged = frames.iter().find(is_tagged).expect("the capture has tags").clone();
    let mut short = frames.iter().find(|frame| frame.bytes[12..15] == [8, 0, 0x45]).expect("and IPv4").clone();
    for ihl in 0..5 {
        short.bytes[14] = 0x40 | ihl;
        for width in WIDTHS {
            Judge::model(width, Protocols::default()).judge(&[short.clone(), tagged.clone(), tagged.clone()], 0.0);
        }
    }
}

#[test]
fn captured_frames_cut_at_every_byte_on_the_model() {
    let frames = captures::frames("mixed");
    let mut judges: Vec<_> = WIDTHS.map(|width| Judge::model(width, Protocols::default())).into();
    // Each frame runs at one width in turn, the first ones at all widths.
    for (i, frame) in frames.iter().enumerate() {
        let cuts = cuts(frame);
        let count = judges.len();
        let here = judges.iter_mut().enumerate().filter(|(j, _)| i < 20 || i % count == *j);
        here.for_each(|(_, judge)| judge.judge(&cuts, 0.0));
    }
    judges.into_iter().for_each(Judge::counters_add_up);
}

#[test]
fn captured_frames_cut_at_every_byte_on_the_rtl() {
    let frames = captures::frames("mixed");
    for (i, width) in pick(WIDTHS.into_iter().enumerate(), 2) {
        let mut judge = Judge::rtl(width);
        frames.iter().skip(i).step_by(25).for_each(|frame| judge.judge(&cuts(frame), 0.0));
        judge.counters_add_up();
    }
}

#[test]
fn mutated_frames_on_the_model() {
    let frames = captures::frames("mixed");
    for width in pick(WIDTHS, 2) {
        judge_mutated(Judge::model(width, Protocols::default()), &frames, mutated_frames() / WIDTHS.len());
    }
}

#[test]
fn mutated_frames_on_the_rtl() {
    let frames = captures::frames("mixed");
    for width in pick(WIDTHS, 2) {
        judge_mutated(Judge::rtl(width), &frames, mutated_frames() / 10 / WIDTHS.len());
    }
}

#[test]
fn mutated_frames_in_every_configuration_of_the_protocols() {
    let default = Protocols::default();
    let all = [
        Protocols { rocev2: false, ..default },
        Protocols { uet: false, ..default },
        Protocols { elab: false, ..default },
        Protocols { rocev2: false, uet: false, ..default },
        Protocols { rocev2: false, elab: false, ..default },
        Protocols { uet: false, elab: false, ..default },
        Protocols { mpeh: MpehIndicator::OpCode, ..default },
        Protocols { reserved: Reserved::Refuse, ..default },
        Protocols { mpeh: MpehIndicator::OpCode, reserved: Reserved::Refuse, ..default },
        Protocols { reserved: Reserved::Count, ..default },
        Protocols { rocev2_port: 4793, ..default },
        Protocols { uet_protocol: 17, elab_port: 4791, rocev2_port: 53, ..default },
    ];
    let frames = captures::frames("mixed");
    let count = if is_all() { 5_000 } else { 500 };
    for protocols in pick(all, 4) {
        for width in pick([64, 512], 1) {
            Judge::model(width, protocols).judge(&mutated(&frames, count, 1), 0.1);
        }
    }
}
