// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench of the header parser on a device that runs the oracle: it finds no fault in a right device, and every kind
//! of fault in a wrong one.

use crate::common::{captures, fake};
use fake::Fake;
use golden_vectors::{Reason, VectorFile, Verdict};
use testbench::benches::parser_bench::{Traffic, parse};
use testbench::benches::replay;
use testbench::conform;
use tier::is_all;

fn vectors() -> VectorFile {
    VectorFile::embedded_stage("header_parser").expect("the file is consistent").expect("the file is there")
}

#[test]
fn a_right_parser_conforms_at_every_width_and_pace() {
    let file = vectors();
    // A quarter of the vectors, each once: the parser is right by definition, it is the bench that is tested.
    for (part, (width, stall)) in [(64, 0.0), (128, 0.5), (512, 0.2), (1024, 0.9)].into_iter().enumerate() {
        let cases = || file.cases().skip(part).step_by(if is_all() { 16 } else { 200 });
        let results = conform::run(&mut Fake::new(width), cases(), Traffic { stall, seed: 1 }).expect("it runs");
        assert_eq!(results.len(), cases().count());
        let failed: Vec<_> = results.iter().filter(|r| !r.passed()).collect();
        assert!(failed.is_empty(), "width {width}: {failed:?}");
    }
}

#[test]
fn a_wrong_verdict_and_a_wrong_field_are_named() {
    let file = vectors();
    let mut fake = Fake::new(64);
    fake.fault = |index, parsed| match index {
        3 => (parsed.verdict, parsed.reason) = (Verdict::Drop, Reason::Ihl),
        5 => parsed.record.link.iter_mut().for_each(|link| link.ethertype ^= 1),
        _ => {}
    };
    let results = conform::run(&mut fake, file.cases().take(10), Traffic::default()).expect("it runs");
    let failed: Vec<_> = results.iter().enumerate().filter(|(_, r)| !r.passed()).collect();
    assert_eq!(failed.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [3, 5]);
    assert!(failed[0].1.problems[0].starts_with("verdict: drop ihl, expected ok none"), "{failed:?}");
    assert!(failed[1].1.problems[0].starts_with("ethertype: 0x"), "{failed:?}");
}

#[test]
fn replayed_lines_say_what_the_encoder_put_in() {
    let (frames, expected) = captures::rocev2();
    let outcomes = parse(&mut Fake::new(256), &frames, Traffic { stall: 0.3, seed: 9 }).expect("it runs");
    let lines: Vec<_> = outcomes.iter().enumerate().map(|(i, outcome)| replay::line(i, outcome, true)).collect();
    captures::agree(&expected, &lines);
}
