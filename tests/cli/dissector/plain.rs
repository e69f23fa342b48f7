// SPDX-License-Identifier: MIT OR Apache-2.0
//! A frame that is none of ours, or of RoCEv2 without MPEH, looks as if there were no script.

use super::tshark::{Captured, Tshark, committed};
use std::path::Path;

/// TCP connections are counted, those in tunnels as well.
const STREAM: &str = "    [Stream index: ";

/// Compares all frames in which the script shows nothing of its own. How many those are, and how many of them were its
/// to look at.
fn compare(tshark: &Tshark, capture: &Path) -> (usize, usize) {
    let with = tshark.text(capture, true);
    let without = tshark.text(capture, false);
    assert_eq!(with.len(), without.len());
    let mut counts = (0, 0);
    for (with, without) in with.iter().zip(&without) {
        if with.contains("\nRoCEv2 with ") || with.contains("\nUltra Ethernet ") || with.contains("\nELAB ") {
            continue;
        }
        // Wireshark names every dissector that has seen the frame.
        let with_layer = with.contains(":mpnic_rocev2");
        let with = with.replace(":mpnic_rocev2", "");
        let mut lines = with.lines().zip(without.lines());
        let differs = lines.find(|(with, without)| with != without && !with.starts_with(STREAM));
        assert!(differs.is_none() && with.lines().count() == without.lines().count(), "{differs:?} in {with}");
        counts.0 += 1;
        counts.1 += usize::from(with_layer);
    }
    counts
}

#[test]
fn frames_of_others_look_the_same() {
    let tshark = Tshark::new();
    let (rocev2, mixed) = (committed("rocev2.pcap").0, committed("mixed.pcap").0);
    assert_eq!((compare(&tshark, &rocev2), compare(&tshark, &mixed)), ((99, 99), (223, 92)));
}

/// Also if it ends early.
#[test]
fn malformed_frames_of_others_look_the_same() {
    let tshark = Tshark::new();
    let frames = ["mixed.pcap", "rocev2.pcap"].into_iter().flat_map(|name| committed(name).1);
    let cut = |frame: Vec<u8>| (14..frame.len().min(120)).step_by(13).map(move |end| (frame[..end].to_vec(), end));
    let pieces: Vec<Captured> = frames.flat_map(cut).collect();
    let (all, seen) = compare(&tshark, &tshark.capture(&pieces));
    assert!(all > 2000 && seen > 500, "{all} {seen}");
}
