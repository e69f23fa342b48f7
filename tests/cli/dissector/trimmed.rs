// SPDX-License-Identifier: MIT OR Apache-2.0
//! What switches have left of packets: said where the oracle says it, and no header is cut short then.

use super::tshark::{Captured, Tshark, number};
use golden_vectors::{Reason, VectorFile};

const OPTIONS: [&str; 8] = [
    "-o",
    "mpnic_uet.trimmed:16",
    "-o",
    "mpnic_uet.trimmed_last_hop:18",
    "-o",
    "mpnic_rocev2.trimmed:16",
    "-o",
    "mpnic_rocev2.trimmed_last_hop:18",
];
const TRIMMED: &str = "mpnic.trimmed";
const CUT: &str = "mpnic.cut";

#[test]
fn trimmed_packets_are_shown() {
    let tshark = Tshark::new();
    let file = VectorFile::embedded_stage("header_parser").expect("it is consistent").expect("it is there");
    let group = file.groups.iter().find(|group| group.name == "trimmed").expect("it is there");
    let frames: Vec<Captured> = group.tests.iter().map(|case| (case.frame.clone(), case.frame.len())).collect();
    let capture = tshark.capture(&frames);
    // Without a DSCP there are none.
    let plain = tshark.fields(&capture, &[TRIMMED], &[]);
    assert!(plain.iter().all(|shown| !shown.contains_key(TRIMMED)));
    let mut trimmed = 0;
    for (case, shown) in group.tests.iter().zip(tshark.fields(&capture, &[TRIMMED, CUT], &OPTIONS)) {
        if case.expect.reason != Some(Reason::Trimmed) {
            continue;
        }
        trimmed += 1;
        assert!(shown.contains_key(TRIMMED) && !shown.contains_key(CUT), "{}: {shown:?}", case.id);
        for (name, field) in [("bth_psn", "mpnic.bth.psn"), ("uet_psn", "mpnic.uet.psn")] {
            let psn = case.expect.fields.get(name).map(|psn| psn.value as i128);
            assert_eq!(number(&shown, field), psn, "{}: {shown:?}", case.id);
        }
    }
    assert!(trimmed > 500, "{trimmed}");
}
