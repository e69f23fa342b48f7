// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frames of both captures, and what every reading has to be.

use golden_vectors::Verdict;
use golden_vectors::headers::codec::{Options, Reading, Reason, read, write};
use pcap_file::pcap::PcapReader;

const ROCEV2: &[u8] = include_bytes!("../../../captures/rocev2.pcap");
const MIXED: &[u8] = include_bytes!("../../../captures/mixed.pcap");

fn frames(capture: &[u8]) -> Vec<Vec<u8>> {
    let mut reader = PcapReader::new(capture).unwrap();
    let mut frames = Vec::new();
    while let Some(packet) = reader.next_packet() {
        frames.push(packet.unwrap().data.into_owned());
    }
    frames
}

/// The 500 frames of all protocols.
pub fn mixed() -> Vec<Vec<u8>> {
    frames(MIXED)
}

/// The 200 frames of RoCEv2.
pub fn rocev2() -> Vec<Vec<u8>> {
    frames(ROCEV2)
}

/// The frames of both captures.
pub fn all() -> Vec<Vec<u8>> {
    [frames(ROCEV2), frames(MIXED)].concat()
}

/// Reads a frame and checks what must hold for any: one verdict, ranges inside the frame and in order, and a frame that
/// says it can be put together again is.
pub fn examine(frame: &[u8], options: &Options) -> Reading {
    let reading = read(frame, options);
    assert_eq!(reading.verdict == Verdict::Ok, reading.reason == Reason::None);
    assert!(reading.payload.start <= reading.payload.end && reading.payload.end <= reading.trailer.start);
    assert!(reading.trailer.start <= reading.trailer.end && reading.trailer.end <= frame.len());
    let kept = matches!(reading.reason, Reason::None | Reason::Icrc | Reason::Reserved);
    assert_eq!(reading.record.link.is_some(), kept);
    if let Some(inner) = &reading.inner {
        assert!(inner.start == reading.payload.start && inner.end <= reading.payload.end);
    }
    if reading.rebuilt {
        let (payload, trailer) = (&frame[reading.payload.clone()], &frame[reading.trailer.clone()]);
        assert_eq!(write(&reading.record, payload, trailer), frame);
    }
    assert_eq!(reading.line()["verdict"], if reading.verdict == Verdict::Ok { "ok" } else { "drop" });
    reading
}

#[test]
fn both_have_their_frames() {
    assert_eq!((frames(ROCEV2).len(), mixed().len()), (200, 500));
}
