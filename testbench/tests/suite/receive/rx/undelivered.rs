// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames in sequence that are never delivered (row RX24): each is named once, with its cause, in a bound; when nobody takes what is named,
//! nothing is lost, and *close* waits for it.

use super::alone::{Alone, multipath, request};
use super::{AckProtocol, Command, Dut, QUIET, config, model, rtl};
use golden_vectors::headers::Mpeh;
use pipeline::receive::reorder::outcome;
use pipeline::receive::rx::RxConfig;
use testbench::benches::rx_bench::Undelivered;
use testbench::streams::Frame;
use tier::pick;

const KEY: u64 = 0x600;
const PSN: u64 = 100;
/// The flag of the MPEH of a packet that is not to be received.
const P: u8 = 4;
/// Frames that are named in a row.
const MANY: u64 = 200;

fn packet(key: u64, psn: u64) -> Frame {
    Frame { bytes: request(key, psn, 64).with_mpeh(Mpeh::new()).bytes(), user: 0 }
}

/// The causes that have been named, from one on.
fn causes(alone: &Alone, from: usize) -> Vec<(u64, u64)> {
    let undelivered = alone.run.undelivered().expect("the fields are there");
    undelivered[from..].iter().map(|Undelivered { handle, cause, .. }| (*handle, *cause)).collect()
}

/// Each cause once, and packets that are delivered and that wait between them.
fn each_has_its_cause(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    alone.does(multipath(config, 1, KEY, PSN));
    let probe = Mpeh::new().with_flags(P);
    let frames = [
        packet(KEY, PSN),
        packet(KEY, PSN),
        packet(KEY, PSN + 2),
        packet(KEY, PSN + 2),
        packet(KEY, PSN + 500),
        packet(KEY + 1, PSN),
        Frame { bytes: request(KEY, PSN + 1, 64).with_mpeh(probe).bytes(), user: 0 },
    ];
    alone.run.send(&frames).expect("they have bytes");
    alone.rest();
    let (below, duplicate) = (outcome::BELOW, outcome::DUPLICATE);
    let expected = [(1, below), (3, duplicate), (4, outcome::ABOVE), (5, outcome::UNKNOWN), (6, outcome::PROBE)];
    assert_eq!(causes(&alone, 0), expected);
    let delivered = alone.run.delivered().expect("the fields are there");
    assert_eq!(delivered.iter().map(|packet| packet.handle).collect::<Vec<_>>(), [0]);
    // That with handle 2 waits: what is not named is free when the connection is closed.
    let response = alone.run.command(alone.dut, Command::close(1)).expect("there is a response");
    assert_eq!((response.done, response.expected, response.held), (true, PSN + 1, 1));
    alone.rest();
    assert_eq!((causes(&alone, 0).len(), alone.run.delivered().expect("the fields are there").len()), (5, 1));
}

/// So many repetitions one behind the other: the longest time from a record to the outcome.
fn slowest(alone: &mut Alone) -> u64 {
    let before = alone.run.undelivered_cycles().0.len();
    alone.run.send(&(0..MANY).map(|_| packet(KEY, PSN)).collect::<Vec<_>>()).expect("they have bytes");
    alone.rest();
    let (named, records) = alone.run.undelivered_cycles();
    let named = &named[before..];
    assert_eq!(named.len() as u64, MANY);
    let records = &records[records.len() - named.len()..];
    named.iter().zip(records).map(|(named, record)| named - record).max().expect("there are some")
}

fn named_in_time(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    alone.does(multipath(config, 1, KEY, PSN));
    alone.run.send(&[packet(KEY, PSN)]).expect("it has bytes");
    alone.rest();
    let (slowest, bound) = (slowest(&mut alone), 2 * u64::from(config.reorder.ram_latency) + 32);
    println!("{slowest} clock cycles at most, of {bound}");
    assert!(slowest <= bound, "{slowest} clock cycles");
}

/// Nobody takes what is named: arrivals wait, nothing is lost, and *close* ends when the last one has been taken.
fn nobody_takes_them(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    alone.does(multipath(config, 1, KEY, PSN));
    alone.run.send(&[packet(KEY, PSN)]).expect("it has bytes");
    alone.rest();
    alone.run.pause("undelivered", 1.0).expect("it is there");
    alone.run.send(&(0..60).map(|_| packet(KEY, PSN)).collect::<Vec<_>>()).expect("they have bytes");
    alone.run.until_idle(alone.dut, QUIET).expect("nothing breaks");
    let below = || alone.run.count("below_window").expect("it is counted");
    assert_eq!((below(), alone.run.count("gate_overflowed")), (32, Some(0)), "as many as have room");
    alone.run.pause("undelivered", 0.9).expect("it is there");
    alone.does(Command::close(1));
    let named = causes(&alone, 0).len() as u64;
    assert_eq!((named, alone.run.count("below_window")), (60, Some(60)), "all are named before the response");
}

/// *Close* waits for what is to be named, which the host takes slowly, while another connection is answered a few times.
fn close_amid_answers(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    for (connection, key) in [(1, KEY), (2, KEY + 2)] {
        alone.does(multipath(config, connection, key, PSN));
    }
    alone.run.pause("undelivered", 1.0).expect("it is there");
    alone.run.send(&(0..20).map(|n| packet(KEY, PSN - n)).collect::<Vec<_>>()).expect("they have bytes");
    alone.run.until_idle(alone.dut, QUIET).expect("nothing breaks");
    alone.run.pause("undelivered", 0.99).expect("it is there");
    alone.run.send(&(0..20).map(|n| packet(KEY + 2, PSN + n)).collect::<Vec<_>>()).expect("they have bytes");
    alone.does(Command::close(1));
    assert_eq!(causes(&alone, 0).len(), 19, "all but the first one are below the window");
    alone.run.pause("undelivered", 0.0).expect("it is there");
    alone.does(Command::close(2));
}

fn all(dut: &mut dyn Dut, config: &RxConfig) {
    each_has_its_cause(dut, config);
    named_in_time(dut, config);
    nobody_takes_them(dut, config);
    close_amid_answers(dut, config);
}

#[test]
fn each_frame_that_is_not_delivered_is_named_once() {
    for (width, latency) in pick([(512, 2), (64, 1), (1024, 3)], 1) {
        let config = config(AckProtocol::Roce, width, latency);
        all(&mut *model(&config), &config);
    }
}

#[test]
fn that_of_the_verilog_is_too() {
    let config = config(AckProtocol::Roce, 256, 2);
    all(&mut rtl(&config, 0), &config);
}
