// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows V21 to V25: VPs on which nothing arrives.

use super::shapes::{EIGHT_SLOW, LATENCIES, LONG, NEVER, SMALL};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Op, Settings, Shape};
use crate::elab::scheduler::script::{MOST, Script};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [LATENCIES[0], LATENCIES[1], EIGHT_SLOW, SMALL, LONG] {
        suite.group("silence", "VPs on which nothing arrives", shape, WITH);
        time(suite, shape);
        turns(suite, shape);
        unheard(suite, shape);
        answers(suite, shape);
        tries(suite, shape);
        returns(suite, shape);
        all(suite, shape);
        empty(suite, shape);
        bursts(suite, shape);
        settings(suite, shape);
        added(suite, shape);
    }
}

/// A period is a unit.
const WITH: Settings = NEVER.silence(4);
/// Periods from the first packet without an answer until its VP is dead.
const PERIODS: u64 = 5;
/// Rounds of reports for the same.
const ROUNDS: u64 = 4;

/// Packets without an answer on two VPs, of which the next one may find its VP dead.
const PACKETS: u64 = 8;

/// Two VPs, such packets from the beginning of a unit, and reports of VP 1, each of which ends a round.
/// Also returns the cycle in which the period of the first packet begins.
fn waiting(shape: Shape, turns: u64) -> (Script, u64) {
    let (mut script, at) = Script::running(shape, &[MOST, MOST]);
    let begin = script.ahead(at, shape.sent());
    script.stream(begin, 0, PACKETS);
    // It ends no round.
    script.count(begin - 1, 0, 1, 0);
    for n in 0..turns {
        script.count(begin + 2 + n, 0, 1, 0);
    }
    (script, begin)
}

/// Periods until requests of this cycle see all of `waiting`.
fn later(shape: Shape, turns: u64) -> u64 {
    (turns + PACKETS + shape.visibility_delay()).div_ceil(shape.unit).max(PERIODS)
}

/// The packets that find a VP dead are in the last cycle before a period, or in the first one of it.
fn time(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Boundary"], &["V21", "V22", "V25"]);
    for periods in [1, PERIODS - 1, PERIODS, PERIODS + 1, 2 * PERIODS] {
        for early in [0, 1] {
            // Requests see the reports later than this packet.
            let (mut script, at) = Script::running(shape, &[MOST, MOST]);
            let begin = script.ahead(at, shape.sent());
            script.stream(begin, 0, PACKETS);
            for n in 0..=ROUNDS {
                script.count(begin + n - ROUNDS, 0, 1, 0);
            }
            script.stream(begin + periods * shape.unit - early, 0, 1);
            script.stream(begin + 12 * shape.unit, 0, 6);
            script.reads(begin + 14 * shape.unit, 0, [0, 1]);
            let id = format!("time-{periods}-{early}");
            suite.add(id, format!("a packet {early} cycles before period {periods}"), rows, script);
        }
    }
}

/// The other host must have had as many rounds of reports.
fn turns(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Boundary"], &["V22", "V25"]);
    for turns in [0, ROUNDS - 1, ROUNDS, ROUNDS + 1, 4 * ROUNDS - 1, 4 * ROUNDS] {
        let (mut script, begin) = waiting(shape, turns);
        let again = begin + later(shape, turns) * shape.unit;
        script.stream(again, 0, 40);
        script.reads(again + 50, 0, [0, 1]);
        suite.add(format!("turns-{turns}"), format!("{turns} reports say nothing"), rows, script);
    }
    let turns = ROUNDS;
    for distance in [-1_i64, 0, 1] {
        let (mut script, begin) = waiting(shape, turns);
        let seen = begin + 1 + turns + shape.visibility_delay();
        let last = seen.saturating_add_signed(distance);
        script.set(0, WITH.silence(1));
        script.stream(last, 0, 1);
        script.stream(last + 60, 0, 4);
        suite.add(format!("turns-seen-{distance:+}"), "a packet about the last turn", rows, script);
    }
}

/// The other host says nothing at all.
fn unheard(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Boundary"], &["V22", "V23"]);
    for early in [0, 1] {
        let (mut script, begin) = waiting(shape, 0);
        let end = begin + 64 * shape.unit - early;
        script.stream(end, 0, 30);
        script.reads(end + 40, 0, [0, 1]);
        suite.add(format!("unheard-{early}"), format!("a packet {early} cycles before period 64"), rows, script);
    }
}

/// Reports that say something of a VP, or nothing, about the cycle in which they see its packet.
fn answers(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Boundary"], &["V22", "V7"]);
    for count in [0, 1] {
        for distance in [-1_i64, 0, 1, 3] {
            let (mut script, begin) = waiting(shape, ROUNDS);
            let sees = begin + shape.packet();
            script.count(sees.saturating_add_signed(distance), 0, 0, count);
            let again = begin + later(shape, ROUNDS + 12) * shape.unit;
            script.stream(again, 0, 12);
            script.stream(again + 60, 0, 12);
            let id = format!("answer-{count}{distance:+}");
            suite.add(id, format!("a report of {count} packets about the packet"), rows, script);
        }
    }
}

/// A dead VP gets a packet now and then, ever less often; a request in every cycle shows when.
fn tries(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Explore", "FullLoad"], &["V21", "V23", "V24"]);
    let (mut script, begin) = waiting(shape, ROUNDS);
    let again = begin + later(shape, ROUNDS) * shape.unit;
    script.stream(again, 0, 30 * shape.unit.min(12));
    for n in 0..60 {
        script.stream(again + (31 + 5 * n) * shape.unit + n % 3, 0, 3);
    }
    suite.add("tries", "a dead VP and a request in every cycle, then fewer", rows, script);
    for early in 0..=2 {
        let (mut script, begin) = waiting(shape, ROUNDS);
        let again = begin + later(shape, ROUNDS) * shape.unit;
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
        let (mut script, begin) = waiting(shape, ROUNDS);
        let again = begin + later(shape, ROUNDS) * shape.unit;
        script.stream(again, 0, 3);
        let reports = again + shape.packet() + 20;
        for (n, &count) in (0..).zip(counts) {
            script.count(reports + n, 0, 0, count);
        }
        script.stream(reports + shape.visibility_delay() - 2, 0, 8);
        script.reads(reports, 0, [0]);
        let next = reports + 80;
        for n in 0..=ROUNDS {
            script.count(next + n, 0, 1, 1);
        }
        script.stream(next + later(shape, ROUNDS) * shape.unit, 0, 20);
        script.reads(next + 20 * shape.unit, 0, [0, 1]);
        suite.add(format!("returns-{name}"), format!("a dead VP, and reports: {name}"), rows, script);
    }
    for distance in [-1_i64, 0, 1] {
        let (mut script, begin) = waiting(shape, ROUNDS);
        let again = begin + later(shape, ROUNDS) * shape.unit;
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
        script.stream(begin, 0, 3 * PACKETS);
        for n in 0..2 * ROUNDS {
            script.count(begin + 40 + n, 0, n % 2, 0);
        }
        let again = begin + later(shape, 2 * ROUNDS + 40) * shape.unit;
        script.stream(again, 0, 60);
        script.count(again + 60, 0, 1, 2);
        script.stream(again + 60, 0, 60);
        script.reads(again + 120, 0, [0, 1]);
        suite.add(format!("all-{}", bandwidths[1]), "both VPs are dead, and one returns", rows, script);
    }
}

/// Packets without bytes begin no wait, find no VP dead, and are no tries.
fn empty(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead"], &["V22", "V24"]);
    for full in [0, 1, 2] {
        let (mut script, at) = Script::running(shape, &[MOST, MOST]);
        let begin = script.ahead(at, shape.sent());
        for n in 0..PACKETS {
            if full > 0 { script.request(begin + n, 0) } else { script.empty(begin + n, 0) }
        }
        for n in 0..=ROUNDS {
            script.count(begin + 2 + n, 0, 1, 0);
        }
        let again = begin + later(shape, ROUNDS) * shape.unit;
        for n in 0..120 {
            if full > 1 && n < 2 || n > 90 { script.request(again + n, 0) } else { script.empty(again + n, 0) }
        }
        script.reads(again + 60, 0, [0, 1]);
        suite.add(format!("empty-{full}"), "packets without bytes", rows, script);
    }
}

/// A dead VP begins no burst, and a burst ends with the death of its VP.
fn bursts(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Burst"], &["V3", "V23"]);
    for (name, burst) in [("begins", 3), ("ends", 200)] {
        let (mut script, at) = Script::running(shape, &[MOST, MOST]);
        script.set(0, Settings { burst, explore: 2, ..WITH });
        let begin = script.ahead(at, shape.sent());
        let calls = if burst == 200 { begin } else { begin + 7 * shape.unit };
        script.call(calls, 0, 0, 3);
        script.stream(begin + 4 * shape.unit, 0, PACKETS);
        for n in 0..=ROUNDS {
            script.count(begin + 5 * shape.unit + n, 0, 1, 0);
        }
        let again = begin + (5 + later(shape, ROUNDS)) * shape.unit;
        script.stream(again, 0, 60);
        script.count(again + 70, 0, 0, 1);
        script.stream(again + 70, 0, 40);
        suite.add(format!("burst-{name}"), format!("a burst of {burst} packets on a VP that dies"), rows, script);
    }
}

/// Lengths of periods, also ones that change.
fn settings(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Settings"], &["V20", "V21", "V22"]);
    for silence in [0, 1, 3, 7, 8, 11, 12] {
        let (mut script, begin) = waiting(shape, ROUNDS);
        script.set(0, WITH.silence(silence));
        for n in 0..24 {
            script.stream(begin + (later(shape, ROUNDS) + n) * shape.unit, 0, 2);
        }
        suite.add(format!("silence-{silence}"), format!("settings_silence {silence}"), rows, script);
    }
    for offset in [-1_i64, 0, 1] {
        let (mut script, begin) = waiting(shape, ROUNDS);
        script.set(begin.saturating_add_signed(offset) + 2 * shape.unit, WITH.silence(12));
        let again = begin + later(shape, ROUNDS) * shape.unit;
        for n in 0..24 {
            script.stream(again + n * shape.unit, 0, 2);
        }
        let off = script.ahead(again + 26 * shape.unit, shape.sent());
        script.set(off.saturating_add_signed(offset) + shape.sent() - 1, WITH.silence(0));
        script.stream(off, 0, 3);
        suite.add(format!("silence-changes{offset:+}"), "settings_silence changes", rows, script);
    }
}

/// A VP that is added is not dead, whatever has been sent on its number.
fn added(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Dead", "Reopened", "Command"], &["V16", "V17", "V22"]);
    for dies in [false, true] {
        let (mut script, begin) = waiting(shape, ROUNDS);
        let again = begin + later(shape, ROUNDS) * shape.unit;
        if dies {
            script.stream(again, 0, 3);
        }
        script.reads(again + 20, 0, [0]);
        script.command(again + 40, Op::Remove, 0, 0);
        script.stream(again + 60, 0, 3);
        script.add(0, 0, MOST);
        let seen = script.settled();
        script.reads(seen, 0, [0]);
        script.stream(seen, 0, 8);
        for n in 0..=ROUNDS {
            script.count(seen + n, 0, 1, 0);
        }
        script.stream(seen + later(shape, ROUNDS) * shape.unit, 0, 8);
        script.reads(seen + 20 * shape.unit, 0, [0]);
        suite.add(format!("added-{dies}"), "a VP is removed and added", rows, script);
    }
    // With a packet of before on its way.
    for distance in 0..4 {
        let (mut script, begin) = waiting(shape, 0);
        let removed = script.command(begin, Op::Remove, 0, 0);
        script.add(0, 0, MOST);
        script.stream(removed + 7 * distance, 0, PACKETS + 4);
        for n in 0..=ROUNDS {
            script.count(removed + 50 + n, 0, 1, 0);
        }
        script.stream(removed + 12 * shape.unit.max(8), 0, 8);
        suite.add(format!("added-amid-{distance}"), "packets about a VP that is added", rows, script);
    }
}
