// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes whose `tkeep` is 0 do not matter, not even if they are unknown: each stage that frames pass through in Icarus with X
//! in them, beside the model with bytes at random.

use crate::common::unknown::Twins;
use crate::common::{buildings, captures};
use buildings::random;
use pipeline::frame::frame_gate::FrameGateConfig;
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use rtl_model::{Design, elaborate};
use testbench::benches::builder_bench::build;
use testbench::benches::parser_bench::{Traffic, parse};
use testbench::device::random::Random;
use testbench::streams::Frame;
use tier::pick;

const TRAFFIC: Traffic = Traffic { stall: 0.2, seed: 3 };

fn twins(design: &impl Design, passes: bool) -> Twins {
    Twins::new(&elaborate(design).expect("it has no defects"), passes)
}

/// Frames of a capture, whole and cut at any byte, also inside their headers, one behind the other.
fn frames() -> Vec<Frame> {
    let mut random = Random::new(5);
    let cut = |frame: Frame| {
        let length = match random.below(3) {
            0 => frame.bytes.len() as u64,
            1 => random.between(1, frame.bytes.len().min(100) as u64),
            _ => random.between(1, frame.bytes.len() as u64),
        };
        Frame { bytes: frame.bytes[..length as usize].to_vec(), ..frame }
    };
    captures::frames("mixed").into_iter().step_by(3).map(cut).collect()
}

/// The frames leave as they came, up to the ICRC.
fn pass(name: &str, mut twins: Twins, changed: usize) {
    let sent = frames();
    let outcomes = parse(&mut twins, &sent, TRAFFIC).unwrap_or_else(|error| panic!("{name}: {error}"));
    let differ = outcomes.iter().zip(&sent).filter(|(outcome, frame)| outcome.bytes != frame.bytes).count();
    assert!(outcomes.len() == sent.len() && differ <= changed, "{name}: {differ} frames of {}", sent.len());
    assert!(twins.unknown_bytes > 100, "{name}: {} bytes were unknown", twins.unknown_bytes);
}

#[test]
fn a_parser_does_not_see_bytes_without_tkeep() {
    for width in pick([64, 512, 128, 256, 1024], 1) {
        pass(&format!("{width} bits"), twins(&HeaderParserConfig::new(width), false), 0);
    }
}

#[test]
fn the_icrc_does_not_see_bytes_without_tkeep() {
    for width in pick([64, 512, 128, 256, 1024], 1) {
        pass(&format!("check, {width} bits"), twins(&IcrcConfig::new(width, IcrcMode::Check), false), 0);
        pass(&format!("insert, {width} bits"), twins(&IcrcConfig::new(width, IcrcMode::Insert), false), usize::MAX);
    }
}

#[test]
fn a_builder_does_not_see_bytes_without_tkeep() {
    for width in pick([64, 512, 128, 256, 1024], 1) {
        let mut source = Random::new(8);
        let cases: Vec<_> = (0..120).map(|_| random(&mut source).without_checksum()).collect();
        let expected: Vec<_> = cases.iter().map(|case| case.frame()).collect();
        let buildings: Vec<_> = cases.iter().zip(&expected).map(|(case, frame)| case.building(frame)).collect();
        let mut twins = twins(&HeaderBuilderConfig::new(width), false);
        let built = build(&mut twins, &buildings, TRAFFIC).unwrap_or_else(|error| panic!("{width} bits: {error}"));
        assert!(built.iter().zip(&expected).all(|(frame, expected)| frame.bytes == *expected), "{width} bits");
        assert!(twins.unknown_bytes > 100, "{width} bits: {} bytes were unknown", twins.unknown_bytes);
    }
}

#[test]
fn a_gate_passes_bytes_without_tkeep_and_does_not_look_at_them() {
    for width in pick([64, 512], 1) {
        let config = FrameGateConfig { records: false, ..FrameGateConfig::new(width, 16_384, 64) };
        pass(&format!("{width} bits"), twins(&config, true), 0);
    }
}
