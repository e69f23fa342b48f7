// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of a fuzzer through the header parser; every verdict and record as the oracle says.
//!
//! The input is a row of frames. Byte 0 of each chooses: bit 0 a frame of the capture with bytes of the input put into its
//! headers, or else bytes of the input alone.
#![no_main]

#[path = "../../testbench/tests/suite/common/captures.rs"]
#[allow(dead_code)]
mod captures;
#[path = "../../testbench/tests/suite/common/oracle.rs"]
mod oracle;

use libfuzzer_sys::fuzz_target;
use oracle::{differences, options};
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::headers::protocols::Protocols;
use std::sync::OnceLock;
use testbench::benches::parser_bench::{Traffic, parse};
use testbench::device::model::reference_of;
use testbench::streams::Frame;

const WIDTHS: [u32; 5] = [64, 128, 256, 512, 1024];
/// Patches of a captured frame.
const PATCHES: usize = 4;

fn captured() -> &'static [Frame] {
    static FRAMES: OnceLock<Vec<Frame>> = OnceLock::new();
    FRAMES.get_or_init(|| captures::frames("mixed"))
}

/// The next frame of an input that is not used up.
fn next(input: &mut &[u8]) -> Option<Frame> {
    let (&choice, rest) = input.split_first()?;
    *input = rest;
    let mut take = |count: usize| {
        let (taken, rest) = input.split_at(count.min(input.len()));
        *input = rest;
        taken
    };
    let bytes = if choice & 1 == 1 {
        let which = take(1).first().copied().unwrap_or_default();
        let frames = captured();
        let mut bytes = frames[(usize::from(which) * 2 + usize::from(choice >> 7)) % frames.len()].bytes.clone();
        for patch in take(2 * PATCHES).chunks_exact(2) {
            let at = usize::from(patch[0]) % bytes.len();
            bytes[at] = patch[1];
        }
        bytes
    } else {
        take(1 + usize::from(choice >> 1)).to_vec()
    };
    (!bytes.is_empty()).then_some(Frame { bytes, user: 0 })
}

fuzz_target!(|input: &[u8]| {
    let Some((&width, mut rest)) = input.split_first() else { return };
    let frames: Vec<_> = std::iter::from_fn(|| next(&mut rest)).collect();
    let width = WIDTHS[usize::from(width) % WIDTHS.len()];
    // The reading in which the fuzzer sees what its frames reach.
    let mut reference = reference_of(&HeaderParserConfig::new(width)).expect("it elaborates");
    let outcomes = parse(&mut *reference, &frames, Traffic::default()).expect("one verdict and record a frame");
    for (frame, outcome) in frames.iter().zip(&outcomes) {
        let differences = differences(&frame.bytes, &options(&Protocols::default()), outcome);
        assert!(differences.is_empty(), "{width} bits: {differences:?}\n{:02x?}", frame.bytes);
    }
});
