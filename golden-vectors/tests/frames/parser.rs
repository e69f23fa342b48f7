// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two oracles side by side: what the contract of the parser says already, whole frames say too.

use crate::arbitrary::{Sample, sample};
use crate::captures::{all, examine};
use golden_vectors::Verdict;
use golden_vectors::oracle::frame::{MpehMark, Options, Reason, write};
use golden_vectors::oracle::parse;
use proptest::prelude::*;

/// Rows 2 to 11 are the same; further rows judge what the parser lets pass.
fn compare(frame: &[u8]) {
    let reading = examine(frame, &Options::default());
    let parsed = parse(frame, false);
    if parsed.verdict == Verdict::Drop {
        assert_eq!((reading.verdict, reading.reason.name()), (Verdict::Drop, parsed.reason.name()));
        return;
    }
    if reading.verdict == Verdict::Drop {
        assert!(matches!(reading.reason, Reason::Icrc | Reason::HeaderCut), "{:?}", reading.reason);
        return;
    }
    let fields = reading.record.fields();
    let ours = parsed.record.rocev2.is_some();
    // The parser knows no XRC, and takes UET and ELAB for UDP, or UET for an unknown protocol.
    let xrc = ours && fields["bth_opcode"].value >> 5 == 5;
    for (name, field) in parsed.record.fields() {
        let other = match name.as_str() {
            "transport" => !ours,
            "has_aeth" | "has_reth" => xrc,
            name => xrc && name.starts_with("reth_"),
        };
        assert!(other || fields[&name] == field, "{name}: {:?}, {field:?}", fields[&name]);
    }
}

#[test]
fn both_oracles_agree_on_the_captures() {
    all().iter().for_each(|frame| compare(frame));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_oracles_agree(sample in sample(), at in 12..60usize, value: u8, damaged: bool) {
        let Sample { record, payload, trailer, options } = sample;
        if options.mpeh == MpehMark::Bit {
            let mut frame = write(&record, &payload, &trailer);
            if let (true, Some(byte)) = (damaged, frame.get_mut(at)) {
                *byte = value;
            }
            compare(&frame);
        }
    }
}
