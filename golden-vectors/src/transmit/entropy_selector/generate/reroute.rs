// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows N5 and N6: events and commands that ask a single path to move, also one of ROD.

use super::single_path::{NEVER, RTT, SETTINGS, opened};
use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::entropy_selector::oracle::{Command, Kind, Mode, Op, Shape};
use crate::transmit::entropy_selector::script::{Script, built};
use crate::transmit::entropy_selector::suite::Suite;

/// Adds the groups `reroute` and `reroute-load` of one size.
pub fn add(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    suite.group("reroute", "a single path is asked to move", shape, SETTINGS.path(0, 1));
    rod(suite, shape);
    events(suite, shape);
    commands(suite, shape);
    both(suite, shape);
    late(suite, shape);
    nobody(suite, shape);
    lives(suite, shape);
    suite.group("reroute-load", "single paths are asked to move", shape, SETTINGS.path(1, 2));
    random(suite, shape, rng);
}

/// U05, U28: feedback does nothing for ROD, and the event moves it: once per `reroute` RTT, and when it is idle at once.
fn rod(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Rod", "Reroute"], &["N3", "N5", "S15", "U05", "U06", "U28"]);
    for (reroute, by_command) in [(0, false), (1, false), (10, false), (2, true)] {
        let mut script = Script::new(shape);
        script.set(0, SETTINGS.path(NEVER, reroute));
        let at = script.operate(0, Command::open(0, shape.evs - 2, Mode::SinglePath).rod()) + shape.effect();
        for cycle in (at..at + 3 * (reroute + 1) * RTT).step_by(8) {
            script.request(cycle, 0);
            script.feedback(cycle + 1, 0, shape.evs - 2, Kind::of(1 + cycle % 3));
            if by_command && cycle % 3 == 0 {
                script.command(cycle, Op::Reroute, 0, 0);
            } else if !by_command {
                script.reroute(cycle + 7, 0);
            }
        }
        let name = if by_command { "command" } else { "event" };
        suite.add(format!("rod-{name}-{reroute}"), format!("asked all the time, {reroute} RTT"), rows, script);
    }
    for idle in [0, 1, 2] {
        for offset in [-1, 0] {
            let mut script = Script::new(shape);
            script.set(0, SETTINGS.path(idle, NEVER));
            let at = script.operate(0, Command::open(0, 5, Mode::SinglePath).rod()) + shape.effect();
            script.requests(at.max(2 * RTT), 0, 2);
            script.reroute(at.max(2 * RTT) + 20, 0);
            script.requests(((3 + idle) * RTT).saturating_add_signed(offset), 0, 3);
            script.requests((5 + 2 * idle) * RTT, 0, 2);
            let comment = format!("{offset} cycles from the RTT in which it is idle");
            suite.add(format!("rod-idle-{idle}{offset:+}"), comment, rows, script);
        }
    }
}

/// Which request an event knows, and which request sees it.
fn events(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Reroute", "Boundary"], &["N5", "U05"]);
    for distance in 0..=10 {
        // The first request is so many cycles before the event: without one that it knows it does nothing.
        let (mut script, at) = opened(shape, 5);
        let at = at.max(2 * RTT);
        script.request(at, 0);
        script.reroute(at + distance, 0);
        script.request(at + 3 * RTT, 0);
        suite.add(format!("known-{distance}"), "the first request, then an event", rows, script);
        // The path moves so many cycles before the event, which asks for the EV before or behind the move.
        let (mut script, at) = opened(shape, 5);
        let at = at.max(2 * RTT);
        script.request(at, 0);
        script.mark(at + 1, 0, 5);
        let moved = at / RTT * RTT + 3 * RTT;
        script.request(moved, 0);
        script.reroute(moved + distance, 0);
        script.request(moved + 3 * RTT, 0);
        suite.add(format!("moved-{distance}"), "the path moves, then an event", rows, script);
    }
    for distance in 0..=5 {
        let (mut script, at) = opened(shape, shape.evs - 1);
        script.request(at, 0);
        let later = at / RTT * RTT + 3 * RTT;
        script.reroute(later, 0);
        script.request(later + distance, 0);
        script.requests(later + distance + 10, 0, 2);
        suite.add(format!("seen-{distance}"), "an event, and a request soon behind it", rows, script);
    }
    for distance in 1..=8 {
        let (mut script, _) = opened(shape, 5);
        let at = script.open_as(1, 9, Mode::SinglePath) / RTT * RTT + RTT;
        script.requests(at, 0, 1);
        script.requests(at + 1, 1, 1);
        (0..16).for_each(|n| script.reroute(at + 2 * RTT + n, n / distance % 2));
        (0..16).for_each(|n| script.request(at + 2 * RTT + n, n % 2));
        (0..4).for_each(|n| script.request(at + 4 * RTT + n, n % 2));
        suite.add(format!("turns-{distance}"), "two CCCs in turns", rows, script);
    }
}

/// The command: which request it knows, and which request sees it.
fn commands(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Reroute", "Command", "Boundary"], &["N6", "S10", "S11", "U05"]);
    for distance in -2..=2 {
        let (mut script, at) = opened(shape, 5);
        let asked = script.command(at.max(2 * RTT), Op::Reroute, 0, 0);
        script.request((asked + shape.read_grants()).saturating_add_signed(distance), 0);
        script.request(asked + 3 * RTT, 0);
        suite.add(format!("command-known{distance:+}"), "the first request, and a command", rows, script);
        let (mut script, at) = opened(shape, 5);
        script.request(at, 0);
        let asked = script.command(at + 3 * RTT, Op::Reroute, 0, 0);
        script.request((asked + shape.effect()).saturating_add_signed(distance), 0);
        script.request(asked + 2 * RTT, 0);
        suite.add(format!("command-seen{distance:+}"), "a command, and a request about its effect", rows, script);
    }
}

/// Events in the cycles around the one in which a command is in their way, and around its effect.
fn both(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Reroute", "Command", "HeldValid"], &["N5", "N6", "S10", "S12"]);
    let ops = if shape.ram_latency == 2 { &Op::ALL[..] } else { &[Op::Reroute] };
    for &op in ops {
        for distance in 15..=22 {
            let (mut script, at) = opened(shape, 5);
            let other = script.open_as(1, 9, Mode::SinglePath);
            script.request(at.max(other), 0);
            script.request(at.max(other) + 1, 1);
            let asked = script.command(at + 3 * RTT, op, 0, 0);
            script.reroute(asked + distance, distance % 2);
            script.unready_reroutes = vec![0, 1];
            (0..4).for_each(|n| script.request(asked + 2 * RTT + n, n % 2));
            let id = format!("beside-{}-{distance}", format!("{op:?}").to_lowercase());
            suite.add(id, format!("an event {distance} cycles behind a command"), rows, script);
        }
    }
    let mut script = Script::new(shape);
    script.unready_reroutes = vec![0];
    let at = script.open_as(0, 5, Mode::SinglePath);
    script.request(at, 0);
    script.request(at + 3 * RTT, 0);
    suite.add("sweep", "events in the sweep", aim(&["Reroute", "Sweep", "HeldValid"], &["N5", "S12"]), script);
}

/// An event that comes late asks for another EV, and what is asked holds until the EV comes round to it.
fn late(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Reroute", "Timer"], &["N2", "N3", "N5", "U06"]);
    for second in [2, 20, 70, 150, 280] {
        let (mut script, at) = opened(shape, 5);
        script.set(0, SETTINGS.path(NEVER, 2));
        let at = at.max(2 * RTT);
        (0..80).for_each(|n| script.request(at + 7 * n, 0));
        script.reroute(at + 20, 0);
        script.reroute(at + 20 + second, 0);
        suite.add(format!("late-{second}"), format!("asked once more {second} cycles later"), rows, script);
    }
    // In a space of two: EV 0 is asked once, EV 1 is suspect, and EV 0 comes round.
    let mut script = Script::new(shape);
    let at = script.operate(0, Command::open(0, 0, Mode::SinglePath).space(1)) + shape.effect();
    let at = at / RTT * RTT + RTT;
    script.request(at, 0);
    script.reroute(at + 20, 0);
    script.mark(at + 21, 0, 1);
    (1..6).for_each(|n| script.request(at + 2 * n * RTT, 0));
    suite.add("round", "asked once, and each EV comes round to it", rows, script);
}

/// CCCs that are closed or of another mode, and the answers to the command.
fn nobody(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Reroute", "Mode", "ClosedCcc"], &["N5", "N6", "S10"]);
    let most = shape.cccs.next_power_of_two().max(2);
    for n in 0..u64::from(shape.modes.count_ones()) {
        let mode = built(shape, n);
        let (mut script, at) = Script::opened_as(shape, 5, mode);
        script.requests(at, 0, 3);
        (0..4).for_each(|n| script.reroute(at + 12 + n, n % most));
        script.requests(at + 20, 0, 2);
        (0..most).for_each(|ccc| {
            script.command(at + 22, Op::Reroute, ccc, 0);
        });
        let at = script.command(0, Op::Read, 0, 0);
        script.requests(at + 2 * RTT, 0, 3);
        suite.add(format!("mode-{}", mode.name()), "events and commands for each CCC", rows, script);
    }
}

/// What was asked of the life before is forgotten.
fn lives(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Reroute", "Reopened"], &["N2", "N5", "S10"]);
    for distance in [-30, -3, -2, -1, 0, 1, 2, 3, 20] {
        let (mut script, at) = opened(shape, 5);
        script.requests(at, 0, 2);
        let opened = script.reopen(at + 30, 0, 5, Mode::SinglePath);
        script.requests(opened - 24, 0, 3);
        script.reroute(opened.saturating_add_signed(distance), 0);
        script.requests(opened, 0, 2);
        script.requests(opened + 3 * RTT, 0, 2);
        let comment = format!("an event {distance} cycles from when it is open again");
        suite.add(format!("reopened{distance:+}"), comment, rows, script);
    }
}

/// Random events, commands and feedback for single paths.
fn random(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    let used = shape.cccs.min(3);
    for asked in [2, 20] {
        let mut script = Script::new(shape);
        let mut open = |ccc| {
            let open = Command::open(ccc, rng.below(shape.evs), Mode::SinglePath).stride(rng.below(3)).class(ccc % 2);
            script.operate(0, Command { rod: ccc == 1, ..open.space(ccc * 2) }) + shape.effect()
        };
        let at = (0..used).map(&mut open).last().unwrap_or(0);
        for cycle in at..at + 900 {
            if rng.below(3) > 0 {
                script.request(cycle, rng.below(used));
            }
            if rng.below(8) == 0 {
                script.feedback(cycle, rng.below(used), rng.below(8), Kind::of(rng.below(6)));
            }
            if rng.below(asked) == 0 {
                script.reroute(cycle, rng.below(used + 1) % used.next_power_of_two().max(2));
            }
        }
        for _ in 0..24 {
            let op = [Op::Reroute, Op::Reroute, Op::Read, Op::Resize][rng.below(4) as usize];
            script.operate(at + rng.below(40), Command::new(op, rng.below(used), 0).space(rng.below(5)));
        }
        let rows = aim(&["Reroute", "FullLoad", "Command"], &["N2", "N3", "N5", "N6", "S18", "U05", "U06"]);
        suite.add(format!("load-{asked}"), format!("an event in one of {asked} cycles"), rows, script);
    }
}
