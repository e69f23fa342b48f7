// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the transport header lies that ELAB tunnels (E03), and bytes behind the datagram.

use super::captures::examine;
use super::known_answers::{ELAB, hex};
use golden_vectors::Verdict;
use golden_vectors::headers::codec::{Options, Record, read, write};
use std::ops::Range;

fn inner(change: impl FnOnce(&mut Vec<u8>), tunnelled: u8) -> Option<Range<usize>> {
    let mut frame = hex(ELAB);
    change(&mut frame);
    let reading = examine(&frame, &Options { tunnelled, ..Options::default() });
    assert_eq!(reading.verdict, Verdict::Ok);
    reading.inner
}

#[test]
fn the_inner_header_has_the_length_it_says() {
    assert_eq!(inner(|_| {}, 6), Some(54..78));
    assert_eq!(inner(|frame| frame[66] = 0x50, 6), Some(54..74));
    assert_eq!(inner(|frame| frame[66] = 0x70, 6), Some(54..82));
    assert_eq!(inner(|_| {}, 17), Some(54..62));
}

/// It belongs to the original sender: one that does not fit, or is not known here, is no fault of the frame (E01).
#[test]
fn an_inner_header_that_does_not_fit_is_none() {
    assert_eq!(inner(|frame| frame[66] = 0x40, 6), None);
    assert_eq!(inner(|frame| frame[66] = 0x80, 6), None);
    assert_eq!(inner(|_| {}, 132), None);
}

/// Without B there is no rate, and the payload begins a word earlier (E04).
#[test]
fn without_a_rate() {
    let mut frame = hex(ELAB);
    frame[47] &= !2;
    let reading = examine(&frame, &Options::default());
    assert_eq!(reading.payload, 50..83);
    assert!(reading.line()["elab"].get("vp_rburst_rate").is_none());
}

/// The IP packet may be longer than the datagram, and the frame longer than the packet.
#[test]
fn bytes_behind_the_datagram() {
    let frame = hex(ELAB);
    let mut reading = read(&frame, &Options::default());
    reading.record.slack = 3;
    let longer = write(&reading.record, &frame[reading.payload], b"slackpad");
    let again = examine(&longer, &Options::default());
    assert_eq!((again.verdict, again.record.slack), (Verdict::Ok, 3));
    assert_eq!((again.payload, again.trailer), (54..83, 83..91));
    assert_eq!(again.record.fields()["ip_length"].value, 0x45 + 3);
    assert_eq!(again.record.fields()["udp_length"].value, 0x31);
    // There cannot be more of them than bytes behind the datagram.
    let record = Record { slack: 9, ..again.record };
    assert_eq!(record.settled(29, 8).slack, 8);
}
