// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows V21 to V25: VPs on which nothing arrives.

use super::shapes::{EIGHT_SLOW, LATENCIES, LONG, MANY, NEVER, SMALL};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Op, Settings, Shape};
use crate::elab::scheduler::script::{MOST, Script};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [LATENCIES[0], LATENCIES[1], EIGHT_SLOW, SMALL, LONG] {
        suite.group("silence", "VPs on which nothing arrives", shape, WITH);
        time(suite, shape);
        unheard(suite, shape, &[1, 2, 4]);
        denials(suite, shape);
        answers(suite, shape);
        tries(suite, shape);
        returns(suite, shape);
        all(suite, shape);
        empty(suite, shape);
        bursts(suite, shape);
        settings(suite, shape);
        added(suite, shape);
    }
    suite.group("silence", "many VPs on which nothing arrives", MANY, WITH);
    unheard(suite, MANY, &[15, 16, 17, 64]);
}

/// A period is a unit.
const WITH: Settings = NEVER.silence(4);
/// Later packets of a wait, and periods from the last one until a packet asks.
const LATER: u64 = 2;
const ASKS: u64 = 3;
/// Periods without any report for each VP, of so many at most.
const EACH: u64 = 8;
const LIMIT: u64 = 16;

/// So many VPs, and packets on all of them until each has asked. The first packets are in the first cycle of a period. Also
/// returns the cycle of the packet that asks first, on a VP that [`first`] tells.
fn asking(shape: Shape, vps: u64) -> (Script, u64) {
    let (mut script, at) = Script::running(shape, &vec![MOST; vps as usize]);
    let begin = script.ahead(at, shape.sent());
    let step = vps.div_ceil(shape.unit);
    for n in 0..=LATER {
        script.stream(begin + n * step * shape.unit, 0, vps);
    }
    let asks = begin + (LATER * step + ASKS.max(step)) * shape.unit;
    script.stream(asks, 0, vps);
    (script, asks)
}

/// The VP of the first packet: that behind VP 0.
fn first(vps: u64) -> u64 {
    1 % vps
}

/// Two VPs that have asked, of which VP 1 is answered and VP 0 is not. Also returns a cycle from which on requests see that VP 0
/// is denied; a period begins with its packet.
fn denied(shape: Shape) -> (Script, u64) {
    let (mut script, asks) = asking(shape, 2);
    let again = deny(&mut script, shape, asks);
    (script, again)
}

/// The reports for this.
fn deny(script: &mut Script, shape: Shape, asks: u64) -> u64 {
    let sees = asks + 2 + shape.packet();
    script.count(sees, 0, 1, 1);
    script.count(sees + 1, 0, 0, 0);
    asks + (3 + shape.packet() + shape.visibility_delay()).div_ceil(shape.unit) * shape.unit
}

/// Packets about the first and last cycles of the periods in which they are later ones, and ask.
fn time(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Boundary"], &["V21", "V22", "V25"]);
    let distances = [[1, 1, 3], [1, 2, 2], [1, 1, 2], [2, 1, 4], [1, 3, 3], [4, 1, 3], [1, 1, 12]];
    for (distances, early) in distances.iter().flat_map(|distances| (0..4).map(move |early| (distances, early))) {
        let (mut script, at) = Script::running(shape, &[MOST, MOST]);
        let begin = script.ahead(at, shape.sent());
        script.stream(begin, 0, 2);
        let mut unit = 0;
        for (n, distance) in (1..).zip(distances) {
            unit += distance;
            script.stream(begin + unit * shape.unit - u64::from(n == early), 0, 2);
        }
        let sees = begin + unit * shape.unit + 2 + shape.packet();
        script.count(sees, 0, 1, 0);
        script.count(sees + 1, 0, 0, 0);
        let again = sees + 2 + shape.visibility_delay();
        script.stream(again, 0, 6);
        script.reads(again + 40, 0, [0, 1]);
        let name = distances.map(|distance| distance.to_string()).join("-");
        let comment = format!("packets {name} periods apart, number {early} a cycle early");
        suite.add(format!("time-{name}-{early}"), comment, rows, script);
    }
}

/// The other host says nothing at all of some of these VPs.
fn unheard(suite: &mut Suite, shape: Shape, all: &[u64]) {
    let rows = aim(&["Dead", "Boundary"], &["V22", "V23"]);
    for &vps in all.iter().filter(|&&vps| vps <= shape.vps) {
        for early in [0, 1] {
            let (mut script, asks) = asking(shape, vps);
            let end = asks + EACH * vps.min(LIMIT) * shape.unit - early;
            script.stream(end, 0, vps + 20);
            script.reads(end + 40, 0, [0, first(vps)]);
            let comment = format!("{vps} VPs, a packet {early} cycles before the last period");
            suite.add(format!("unheard-{vps}-{early}"), comment, rows, script);
        }
    }
    if shape.vps > 2 {
        let (mut script, asks) = asking(shape, 3);
        script.command(asks + 2 * shape.unit, Op::Remove, 0, 2);
        script.stream(asks + 2 * EACH * shape.unit, 0, 20);
        suite.add("unheard-removed", "three VPs, of which one is removed", rows, script);
    }
}

/// Reports of no packets, about the cycles in which they see that the packets ask, and packets that see them.
fn denials(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Boundary"], &["V22", "V7", "V25"]);
    for distance in [-1_i64, 0, 1, 3] {
        let (mut script, asks) = asking(shape, 2);
        let denies = (asks + shape.packet()).saturating_add_signed(distance);
        script.count(denies, 0, first(2), 0);
        let sees = denies + shape.visibility_delay();
        script.stream(sees - 2, 0, 6);
        script.stream(sees + 40, 0, 6);
        script.reads(sees + 60, 0, [0, 1]);
        suite.add(
            format!("denial{distance:+}"),
            "a report of no packets about the cycle of the question",
            rows,
            script,
        );
    }
    for count in [0, 1] {
        let (mut script, asks) = asking(shape, 2);
        let denies = asks + shape.packet() + 2;
        script.count(denies, 0, first(2), 0);
        script.count(denies + 1, 0, first(2), count);
        let sees = denies + shape.visibility_delay();
        script.stream(sees - 1, 0, 6);
        // A wait that begins behind it is not denied.
        for n in [2, 3, 4, 7] {
            script.stream(sees + n * shape.unit, 0, 2);
        }
        script.stream(sees + 9 * shape.unit, 0, 4);
        suite.add(format!("denial-then-{count}"), format!("a denial, then a report of {count} packets"), rows, script);
    }
    for times in [1, 2, 5] {
        let (mut script, asks) = asking(shape, 2);
        // Before it asks, or over a number that has no VP.
        for n in 0..times {
            script.count(asks - 10 + n, 0, first(2), 0);
            script.count(asks + shape.packet() + 3 + n, 0, 1 - first(2), 0);
        }
        script.stream(asks + 6 * shape.unit, 0, 40);
        suite.add(
            format!("denials-{times}"),
            format!("{times} reports before the question, and of the other VP"),
            rows,
            script,
        );
    }
}

/// Reports of packets about the cycle in which they see the first packet, and the one that asks.
fn answers(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Boundary"], &["V22", "V7"]);
    for asked in [false, true] {
        for distance in [-1_i64, 0, 1, 3] {
            let (mut script, asks) = asking(shape, 2);
            let packet = if asked { asks } else { asks - (LATER + ASKS) * shape.unit };
            script.count((packet + shape.packet()).saturating_add_signed(distance), 0, first(2), 1);
            let denies = asks + shape.packet() + 8;
            script.count(denies, 0, first(2), 0);
            script.stream(denies + shape.visibility_delay(), 0, 12);
            script.stream(denies + shape.visibility_delay() + 60, 0, 12);
            let id = format!("answer-{}{distance:+}", if asked { "asks" } else { "first" });
            suite.add(id, "a report of packets about the packet", rows, script);
        }
    }
}

/// A dead VP gets a packet now and then, ever less often; a request in every cycle shows when.
fn tries(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Explore", "FullLoad"], &["V21", "V23", "V24"]);
    let (mut script, again) = denied(shape);
    script.stream(again, 0, 30 * shape.unit.min(12));
    for n in 0..60 {
        script.stream(again + (31 + 5 * n) * shape.unit + n % 3, 0, 3);
    }
    suite.add("tries", "a dead VP and a request in every cycle, then fewer", rows, script);
    for early in 0..=2 {
        let (mut script, again) = denied(shape);
        script.stream(again, 0, 2);
        for n in 2..9 {
            script.stream(script.ahead(again + n * shape.unit, shape.tries() + early) - 1, 0, 2);
        }
        let comment = format!("requests {early} cycles before the period in which the VP is tried");
        suite.add(format!("tries-{early}"), comment, rows, script);
    }
}

/// A report of a dead VP that says something: it returns at once, and may die again.
fn returns(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Boundary", "Reopened"], &["V22", "V23", "V25"]);
    for (name, counts) in [("nothing", &[0, 0][..]), ("one", &[1]), ("twice", &[1, 2]), ("late", &[0, 3])] {
        let (mut script, again) = denied(shape);
        script.stream(again, 0, 3);
        let reports = again + shape.packet() + 20;
        for (n, &count) in (0..).zip(counts) {
            script.count(reports + n, 0, 0, count);
        }
        script.stream(reports + shape.visibility_delay() - 2, 0, 8);
        script.reads(reports, 0, [0]);
        let next = script.ahead(reports + 80, shape.sent());
        for n in [0, 1, 2, 5] {
            script.stream(next + n * shape.unit, 0, 2);
        }
        let sees = next + 5 * shape.unit + 2 + shape.packet();
        script.count(sees, 0, 0, 0);
        script.count(sees + 1, 0, 1, 1);
        script.stream(sees + 2 + shape.visibility_delay(), 0, 20);
        script.reads(sees + 20 * shape.unit, 0, [0, 1]);
        suite.add(format!("returns-{name}"), format!("a dead VP, and reports: {name}"), rows, script);
    }
    for distance in [-1_i64, 0, 1] {
        let (mut script, again) = denied(shape);
        script.stream(again, 0, 3);
        // As it dies.
        script.count((again + shape.packet()).saturating_add_signed(distance), 0, 0, 1);
        script.stream(again + 60, 0, 20);
        suite.add(format!("returns{distance:+}"), "a report about the cycle in which it dies", rows, script);
    }
}

/// All VPs are dead: all are used as before, until one returns.
fn all(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Weight"], &["V6", "V23", "V24", "V25"]);
    for bandwidths in [[MOST, MOST], [MOST, MOST / 3]] {
        let (mut script, at) = Script::running(shape, &bandwidths);
        let begin = script.ahead(at, shape.sent());
        for n in [0, 1, 2, 5] {
            script.stream(begin + n * shape.unit, 0, 8);
        }
        let sees = begin + 5 * shape.unit + 8 + shape.packet();
        script.count(sees, 0, 0, 0);
        script.count(sees + 1, 0, 1, 0);
        let again = sees + 2 + shape.visibility_delay();
        script.stream(again, 0, 60);
        script.count(again + 60, 0, 1, 2);
        script.stream(again + 60, 0, 60);
        script.reads(again + 120, 0, [0, 1]);
        suite.add(format!("all-{}", bandwidths[1]), "both VPs are dead, and one returns", rows, script);
    }
}

/// Packets without bytes begin no wait, ask nothing, find no VP dead, and are no tries.
fn empty(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead"], &["V22", "V24"]);
    // The first of the packets that have none; there are six times of packets before others.
    for first in 0..=6 {
        let (mut script, at) = Script::running(shape, &[MOST, MOST]);
        let begin = script.ahead(at, shape.sent());
        let packets = |script: &mut Script, n: u64, at: u64, count: u64| {
            for at in at..at + count {
                if n < first { script.request(at, 0) } else { script.empty(at, 0) }
            }
        };
        for (n, period) in (0..).zip([0, 1, 2, 5]) {
            packets(&mut script, n, begin + period * shape.unit, 2);
        }
        let sees = begin + 5 * shape.unit + 2 + shape.packet();
        script.count(sees, 0, 0, 0);
        script.count(sees + 1, 0, 1, 1);
        let again = sees + 2 + shape.visibility_delay();
        packets(&mut script, 4, again, 4);
        packets(&mut script, 5, again + 20, 100);
        script.stream(again + 120, 0, 30);
        script.reads(again + 60, 0, [0, 1]);
        suite.add(format!("empty-{first}"), "packets without bytes", rows, script);
    }
}

/// A dead VP begins no burst, and a burst ends with the death of its VP.
fn bursts(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Burst"], &["V3", "V23"]);
    for (name, burst) in [("begins", 3), ("ends", 400)] {
        let (mut script, asks) = asking(shape, 2);
        let again = deny(&mut script, shape, asks);
        script.set(0, Settings { burst, explore: 2, ..WITH });
        // Marks come with reports of no packets, which answer nothing.
        let call = |script: &mut Script, at: u64| {
            script.ecn(at, 0, 0, 0);
            script.count(at + 3 * shape.unit, 0, 0, 0);
        };
        call(&mut script, if name == "ends" { asks - 7 * shape.unit } else { again });
        script.stream(again + 10, 0, 60 + 4 * shape.unit);
        script.count(again + 80 + 4 * shape.unit, 0, 0, 1);
        script.stream(again + 80 + 4 * shape.unit, 0, 40);
        suite.add(format!("burst-{name}"), format!("a burst of {burst} packets on a VP that dies"), rows, script);
    }
}

/// Lengths of periods, also ones that change.
fn settings(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Settings"], &["V20", "V21", "V22"]);
    // Packets in every unit, of which VP 0 is denied in every second one.
    let goes_on = |script: &mut Script, from: u64, units: u64| {
        for n in 0..units {
            script.stream(from + n * shape.unit, 0, 2);
            script.count(from + n * shape.unit + 2, 0, n % 2, n % 2);
        }
    };
    for silence in [0, 1, 3, 7, 8, 11, 12] {
        let (mut script, at) = Script::running(shape, &[MOST, MOST]);
        script.set(0, WITH.silence(silence));
        let begin = script.ahead(at, shape.sent());
        goes_on(&mut script, begin, 30);
        suite.add(format!("silence-{silence}"), format!("settings_silence {silence}"), rows, script);
    }
    for offset in [-1_i64, 0, 1] {
        let (mut script, at) = Script::running(shape, &[MOST, MOST]);
        let begin = script.ahead(at, shape.sent());
        script.set(begin.saturating_add_signed(offset) + 2 * shape.unit, WITH.silence(12));
        goes_on(&mut script, begin, 30);
        suite.add(format!("silence-changes{offset:+}"), "settings_silence changes", rows, script);
        let (mut script, again) = denied(shape);
        // VP 0 has the second one of these packets.
        script.set(again.saturating_add_signed(offset) + shape.sent(), WITH.silence(0));
        script.stream(again, 0, 3);
        suite.add(format!("silence-ends{offset:+}"), "settings_silence becomes 0", rows, script);
    }
}

/// A VP that is added is not dead, whatever has been sent on its number.
fn added(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Reopened", "Command"], &["V16", "V17", "V22"]);
    // Packets on both VPs until one asks, of which VP 0 is denied.
    let dies = |script: &mut Script, from: u64| {
        let begin = script.ahead(from, shape.sent());
        for n in [0, 1, 2, 5] {
            script.stream(begin + n * shape.unit, 0, 2);
        }
        let sees = begin + 5 * shape.unit + 2 + shape.packet();
        script.count(sees, 0, 0, 0);
        script.count(sees + 1, 0, 1, 1);
        script.stream(sees + 2 + shape.visibility_delay(), 0, 8);
        sees + 80
    };
    for dead in [false, true] {
        let (mut script, again) = denied(shape);
        if dead {
            script.stream(again, 0, 3);
        }
        script.reads(again + 20, 0, [0]);
        script.command(again + 40, Op::Remove, 0, 0);
        script.stream(again + 60, 0, 3);
        script.add(0, 0, MOST);
        let seen = script.settled();
        script.reads(seen, 0, [0]);
        let end = dies(&mut script, seen);
        script.reads(end, 0, [0]);
        suite.add(format!("added-{dead}"), "a VP is removed and added", rows, script);
    }
    // With a packet of before on its way.
    for distance in 0..4 {
        let (mut script, asks) = asking(shape, 2);
        let removed = script.command(asks, Op::Remove, 0, 0);
        script.add(0, 0, MOST);
        script.stream(removed + 7 * distance, 0, 12);
        dies(&mut script, removed + 60);
        suite.add(format!("added-amid-{distance}"), "packets about a VP that is added", rows, script);
    }
}
