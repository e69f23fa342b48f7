// SPDX-License-Identifier: MIT OR Apache-2.0
//! RX28: requests that overtake each other are checked in the order of their PSNs. Nothing is acknowledged that has not been checked;
//! the host gets nothing of a request that is refused, nor later, when the connection is another one.

use super::alone::{Alone, multipath, request};
use super::tag::rocev2;
use super::{AckProtocol, Command, Dut, QUIET, config, model, rtl};
use golden_vectors::headers::Mpeh;
use golden_vectors::headers::codec::Record;
use pipeline::receive::reorder::ReorderSettings;
use pipeline::receive::rx::RxConfig;
use testbench::benches::rx_bench::Undelivered;
use testbench::streams::Frame;
use tier::pick;

const KEY: u64 = 0x600;
const PSN: u64 = 0xFF_FFFE;
const MTU: usize = 256;
/// OpCodes of SEND.
const FIRST: u8 = 0x00;
const MIDDLE: u8 = 0x01;
const LAST: u8 = 0x02;
const ONLY: u8 = 0x04;
/// Syndromes.
const ACK: u8 = 0x1F;
const INVALID: u8 = 0x61;

fn checked(width: u32, ram_latency: u32) -> RxConfig {
    RxConfig { request_check: true, ..config(AckProtocol::Roce, width, ram_latency) }
}

/// A packet, with its place behind the first PSN.
fn packet(place: u64, opcode: u8, length: usize) -> Frame {
    let frame = request(KEY, PSN + place, length).with_opcode(opcode);
    Frame { bytes: frame.with_mpeh(Mpeh::new()).bytes(), user: 0 }
}

/// What answers say: syndrome, place behind the first PSN, and MSN.
fn said(answers: &[Record]) -> Vec<(u8, u64, u32)> {
    let of = |record: &Record| {
        let headers = rocev2(record);
        let aeth = headers.aeth.expect("it has an AETH");
        (aeth.syndrome(), u64::from(headers.bth.psn()).wrapping_sub(PSN) & 0xFF_FFFF, aeth.msn())
    };
    answers.iter().map(of).collect()
}

fn open(alone: &mut Alone, config: &RxConfig) {
    alone.run.hold("command_mtu", MTU as u64).expect("the port is there");
    alone.does(multipath(config, 1, KEY, PSN));
}

/// Places of packets that have been delivered.
fn delivered(alone: &Alone) -> Vec<u64> {
    let packets = alone.run.delivered().expect("the fields are there");
    packets.iter().map(|packet| packet.psn.wrapping_sub(PSN) & 0xFF_FFFF).collect()
}

/// Handles and causes of those that have not.
fn undelivered(alone: &Alone) -> Vec<(u64, u64)> {
    let undelivered = alone.run.undelivered().expect("the fields are there");
    undelivered.iter().map(|Undelivered { handle, cause, .. }| (*handle, *cause)).collect()
}

/// Packets of a message and a wrong one wait for the second packet of the message: an ACK says how far they are right.
fn wrong_behind_a_gap(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    open(&mut alone, config);
    let held = [packet(0, FIRST, MTU), packet(2, LAST, 9), packet(3, ONLY, MTU), packet(4, MIDDLE, MTU)];
    alone.run.send(&held).expect("they have bytes");
    alone.run.send(&[packet(5, ONLY, 0)]).expect("it has bytes");
    alone.rest();
    assert_eq!(delivered(&alone), [0]);
    alone.run.send(&[packet(1, MIDDLE, MTU)]).expect("it has bytes");
    let answers = said(&alone.rest());
    // Two messages are whole: of three packets, and of one.
    assert_eq!(answers.last(), Some(&(INVALID, 4, 2)), "{answers:?}");
    assert!(answers.iter().all(|(syndrome, place, _)| *syndrome == INVALID || *place < 4), "{answers:?}");
    assert_eq!(delivered(&alone), [0, 1, 2, 3]);
    assert_eq!(undelivered(&alone), [(3, 0), (4, 1)]);
    assert_eq!(alone.count("invalid_requests"), 1);
    // What comes later is dropped; what comes again is refused again.
    alone.run.send(&[packet(6, FIRST, MTU), packet(8, ONLY, 1)]).expect("they have bytes");
    assert_eq!(said(&alone.rest()), []);
    alone.run.send(&[packet(4, MIDDLE, MTU)]).expect("it has bytes");
    assert_eq!(said(&alone.rest()), [(INVALID, 4, 2)]);
    assert_eq!(delivered(&alone).len(), 4);
    // The QP is as new when it is opened again.
    alone.does(Command::close(1));
    open(&mut alone, config);
    alone.run.send(&[packet(0, FIRST, MTU), packet(1, LAST, MTU)]).expect("they have bytes");
    let answers = said(&alone.rest());
    assert!(answers.iter().all(|(syndrome, ..)| *syndrome == ACK), "{answers:?}");
    assert_eq!(delivered(&alone)[4..], [0, 1]);
}

/// The host takes nothing while a QP with a wrong request is closed and opened again: what is behind that request is refused even so.
fn nothing_of_before_is_delivered(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    open(&mut alone, config);
    alone.run.pause("delivery", 1.0).expect("it is there");
    let right = (0..28).map(|place| packet(place, ONLY, 5));
    let wrong = [packet(28, LAST, 5), packet(29, ONLY, 5), packet(30, ONLY, 5)];
    alone.run.send(&right.chain(wrong).collect::<Vec<_>>()).expect("they have bytes");
    alone.run.until_idle(alone.dut, QUIET).expect("nothing breaks");
    assert_eq!((delivered(&alone), undelivered(&alone)), (vec![], vec![]), "nothing is named");
    alone.run.pause("delivery", 0.97).expect("it is there");
    alone.does(Command::close(1));
    open(&mut alone, config);
    alone.run.pause("delivery", 0.0).expect("it is there");
    alone.run.send(&[packet(0, ONLY, 1)]).expect("it has bytes");
    alone.rest();
    assert_eq!(delivered(&alone), (0..28).chain([0]).collect::<Vec<_>>());
    assert_eq!(undelivered(&alone), [(28, 0), (29, 1), (30, 1)]);
}

/// The same with a QP that was not in error: its packets are delivered, though a request of the next one is refused at once.
fn all_of_before_is_delivered(dut: &mut dyn Dut, config: &RxConfig) {
    for pending in [15, 17, 24, 32] {
        let mut alone = Alone::new(dut, config);
        open(&mut alone, config);
        alone.run.pause("delivery", 1.0).expect("it is there");
        alone.run.send(&(0..pending).map(|place| packet(place, ONLY, 5)).collect::<Vec<_>>()).expect("they have bytes");
        alone.run.until_idle(alone.dut, QUIET).expect("nothing breaks");
        alone.does(Command::close(1));
        alone.run.pause("delivery", 0.97).expect("it is there");
        // Its PSNs are before those of before.
        let first = PSN - 50;
        alone.does(multipath(config, 1, KEY, first));
        alone.run.pause("delivery", 0.0).expect("it is there");
        let wrong = [(0, ONLY), (1, ONLY), (2, MIDDLE), (3, ONLY)];
        let frames = wrong.map(|(place, opcode)| {
            let frame = request(KEY, first + place, MTU).with_opcode(opcode);
            Frame { bytes: frame.with_mpeh(Mpeh::new()).bytes(), user: 0 }
        });
        alone.run.send(&frames).expect("they have bytes");
        alone.rest();
        let new = [first, first + 1].map(|psn| psn.wrapping_sub(PSN) & 0xFF_FFFF);
        assert_eq!(delivered(&alone), (0..pending).chain(new).collect::<Vec<_>>(), "{pending} wait");
        assert_eq!(undelivered(&alone), [(pending + 2, 0), (pending + 3, 1)], "{pending} wait");
    }
}

/// *Close* comes while a long walk goes on that ends in an error: its response says so.
fn close_says_what_a_walk_has_found(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    open(&mut alone, config);
    let held = (1..31).map(|place| packet(place, if place == 25 { LAST } else { ONLY }, 5));
    alone.run.send(&held.collect::<Vec<_>>()).expect("they have bytes");
    alone.rest();
    alone.run.pause("m_record", 1.0).expect("it is there");
    alone.run.send(&[packet(0, ONLY, 5)]).expect("it has bytes");
    alone.run.until_idle(alone.dut, QUIET).expect("nothing breaks");
    alone.run.pause("m_record", 0.99).expect("it is there");
    let response = alone.does(Command::close(1));
    assert_eq!((response.expected, response.refused), ((PSN + 31) & 0xFF_FFFF, (1, (PSN + 25) & 0xFF_FFFF)));
}

/// A connection in error says nothing of gaps.
fn gaps_behind_it_are_not_reported(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    open(&mut alone, config);
    alone.reorder_settings(ReorderSettings { span: 4, time: 2 });
    alone.run.send(&[packet(0, MIDDLE, MTU)]).expect("it has bytes");
    assert_eq!(said(&alone.rest()), [(INVALID, 0, 0)]);
    alone.run.send(&[packet(41, ONLY, 1), packet(44, ONLY, 1)]).expect("they have bytes");
    alone.rest();
    alone.run.run(alone.dut, 4000).expect("nothing breaks");
    assert_eq!(said(&alone.rest()), []);
    // Another connection reports its gaps all the same.
    alone.does(Command { multipath: true, ..super::open(3, KEY + 2, PSN) });
    let of_other = |place| {
        let frame = request(KEY + 2, PSN + place, 5).with_opcode(ONLY).with_mpeh(Mpeh::new());
        Frame { bytes: frame.bytes(), user: 0 }
    };
    alone.run.send(&[of_other(0), of_other(9)]).expect("they have bytes");
    alone.rest();
    alone.run.run(alone.dut, 4000).expect("nothing breaks");
    assert!(alone.count("acks") > 1, "{} ACKs", alone.count("acks"));
}

/// A packet of another version of the transport is nobody's.
fn another_version(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    open(&mut alone, config);
    let other = request(KEY, PSN, 5).with_mpeh(Mpeh::new()).with_bth(|bth| bth.set_tver(1));
    alone.run.send(&[Frame { bytes: other.bytes(), user: 0 }]).expect("it has bytes");
    assert_eq!(said(&alone.rest()), []);
    assert_eq!((delivered(&alone).len(), undelivered(&alone).len()), (0, 0));
}

fn all(dut: &mut dyn Dut, config: &RxConfig) {
    wrong_behind_a_gap(dut, config);
    nothing_of_before_is_delivered(dut, config);
    all_of_before_is_delivered(dut, config);
    close_says_what_a_walk_has_found(dut, config);
    gaps_behind_it_are_not_reported(dut, config);
    another_version(dut, config);
}

#[test]
fn requests_are_checked_in_order() {
    for (width, latency) in pick([(512, 2), (64, 1), (1024, 3)], 1) {
        let config = checked(width, latency);
        all(&mut *model(&config), &config);
    }
}

#[test]
fn the_verilog_checks_them_too() {
    let config = checked(512, 2);
    all(&mut rtl(&config, 0), &config);
}
