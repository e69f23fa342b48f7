// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row T31: windows that follow marks.

use super::shapes::{FIVE, LATENCIES, MANY, SMALL};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Feedback, Granularity, Kind, Op, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// Weights that do not matter, and windows of at most so many packets.
fn following(initial: u64, window: u64) -> Settings {
    Settings::new(0, 0, 0).window(window).initial(initial)
}

/// Adds the groups `follow` and `follow-widest`.
pub fn add(suite: &mut Suite) {
    for shape in LATENCIES {
        suite.group("follow", "windows that follow marks", shape, following(2, 40));
        rounds(suite, shape);
        falls(suite, shape);
        unused(suite, shape);
        edges(suite, shape);
        changed(suite, shape);
        again(suite, shape);
    }
    for (shape, initial) in [(SMALL, 63), (SMALL, 1), (FIVE, 1023), (FIVE, 3), (MANY, 2)] {
        let name = format!("follow-widest{initial}");
        suite.group(
            &name,
            "windows at the limits of their widths",
            shape,
            following(initial, (1 << (shape.in_flight_bits - 1).min(15)) - 1),
        );
        widest(suite, shape, initial);
    }
}

/// Requests until the sub-path is full and beyond, then this feedback for each packet in flight, and so on.
fn round(script: &mut Script, shape: Shape, at: u64, packets: u64, kinds: &[Kind]) -> u64 {
    let behind = script.stream(at, 0, packets) + shape.counted();
    let behind = script.kinds(behind, (0, 0), (0..packets).map(|n| kinds[n as usize % kinds.len()]));
    script.reads(behind + 10, 0, 1);
    behind + 30
}

/// It doubles up to the first mark, and grows by a packet for as many GOOD as two windows from there on, until there have been eight
/// windows of them.
fn rounds(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Following", "Window"], &["T20", "T31", "M66", "M67"]);
    for (name, kinds) in [("good", &[Kind::Good][..]), ("mixed", &[Kind::Good, Kind::Good, Kind::Good, Kind::Ecn])] {
        let (mut script, mut at) = Script::running(shape, Granularity::Packet, &[4]);
        for packets in [4, 6, 12, 24] {
            at = round(&mut script, shape, at, packets, kinds);
        }
        at = round(&mut script, shape, at, 20, &[Kind::Ecn]);
        for _ in 0..16 {
            at = round(&mut script, shape, at, 24, kinds);
        }
        for _ in 0..6 {
            at = round(&mut script, shape, at, 50, &[Kind::Good]);
        }
        suite.add(format!("M67-rounds-{name}"), "packets and feedback, round by round", rows, script);
    }
}

/// Marks, slow packets and losses, on hold and not, down to one packet.
fn falls(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Following", "Kind"], &["T12", "T23", "T31", "M67", "M69"]);
    for kind in Kind::ALL {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[4, 4]);
        script.set(0, following(9, 40).rtt(1).delay(5));
        let mut at = script.stream(at, 0, 20) + shape.counted();
        for n in 0..12 {
            script.hear(at, Feedback::new(0, 0, kind).rtt(n % 3 * 4));
            script.reads(at + 8, 0, 1);
            script.stream(at + 20, 0, 3);
            at += [40, 70, 200][n as usize % 3];
        }
        let id = format!("M69-falls-{}", kind.code());
        suite.add(id, format!("{kind:?}, at once and after an RTT"), rows, script);
    }
}

/// A window that is not used does not grow.
fn unused(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Following", "InFlight"], &["T31", "M67"]);
    for initial in [1, 2, 5, 8, 9] {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[4]);
        script.set(0, following(initial, 40));
        let mut at = at;
        for packets in [1, 2, 3, 4, 5, 6] {
            let behind = script.stream(at, 0, packets) + shape.counted();
            let behind = script.kinds(behind, (0, 0), (0..packets).map(|_| Kind::Good));
            script.reads(behind + 8, 0, 1);
            at = behind + 24;
        }
        suite.add(format!("M67-unused-{initial}"), "fewer packets than half of the window", rows, script);
    }
}

/// The cycles around which packets and feedback see that the window is another one.
fn edges(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Following", "Boundary"], &["T20", "T31"]);
    for kind in [Kind::Good, Kind::Timeout] {
        for distance in 0..shape.counted() + 2 {
            let (mut script, at) = Script::running(shape, Granularity::Flow, &[4]);
            let at = script.stream(at, 0, 2) + shape.counted() + 8;
            script.feedback(at, 0, 0, kind);
            script.data(at + distance, 0);
            script.data(at + distance + 1, 0);
            script.feedback(at + distance + 2, 0, 0, Kind::Good);
            script.stream(at + distance + 2 + shape.counted(), 0, 4);
            script.reads(at + distance + 60, 0, 1);
            let id = format!("follow-{}-{distance}", kind.code());
            suite.add(id, format!("packets {distance} cycles behind {kind:?}"), rows, script);
        }
    }
}

/// Windows begin to follow marks, and no longer do; the largest one changes.
fn changed(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Following", "Settings"], &["T20", "T31", "M108"]);
    for settings in [following(0, 5), following(5, 3), following(1, 40), following(3, 1)] {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[4]);
        let mut at = round(&mut script, shape, at, 6, &[Kind::Good]);
        script.set(at, settings);
        for _ in 0..3 {
            at = round(&mut script, shape, at + 4, 8, &[Kind::Good]);
        }
        script.set(at, following(2, 40));
        at = round(&mut script, shape, at + 4, 8, &[Kind::Good, Kind::Ecn]);
        round(&mut script, shape, at, 12, &[Kind::Good]);
        let id = format!("M108-follow-{}-{}", settings.initial, settings.window);
        suite.add(id, "settings that change under way", rows, script);
    }
}

/// A sub-path that starts again begins anew.
fn again(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Following", "Reopened"], &["T17", "T31", "M74"]);
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[4, 4]);
    let mut at = script.stream(at, 0, 8) + shape.counted();
    for kind in [Kind::Good, Kind::Good, Kind::Ecn, Kind::Timeout, Kind::Good] {
        script.feedback(at, 0, 0, kind);
        at += 1;
    }
    script.reads(at + 9, 0, 2);
    let at = script.command(at + 40, Op::Fail, 0, 0);
    script.kinds(at + 4, (0, 0), [Kind::Return; 8]);
    let at = script.command(at + 40, Op::Remove, 0, 0);
    script.set(at, following(6, 40));
    let at = script.add(0, 0, 7);
    script.reads(at + 20, 0, 2);
    script.stream(at + 60, 0, 20);
    script.reads(at + 110, 0, 2);
    suite.add("M74-follow", "a sub-path that is removed and started again", rows, script);
}

/// Windows that grow up to what their widths can count.
fn widest(suite: &mut Suite, shape: Shape, initial: u64) {
    let rows = aim(&["Following", "Boundary"], &["T20", "T31", "M67"]);
    let (mut script, mut at) = Script::running(shape, Granularity::Packet, &[4]);
    let packets = if initial > 100 { 1100 } else { 100 };
    for kinds in [&[Kind::Good][..], &[Kind::Good, Kind::Ecn], &[Kind::Nack], &[Kind::Good]] {
        at = round(&mut script, shape, at, packets, kinds);
    }
    suite.add(format!("widest-{initial}"), "as many packets as can be", rows, script);
}
