// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows K1, K2 and K5: the penalty of each kind of feedback, how long it lasts, and what *read* shows of it.

use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::Kind::{self, Ecn, Good, Nack, Timeout};
use crate::transmit::entropy_selector::oracle::{Command, Mode, Op, Settings, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

/// The code of a space of two EVs. One is granted and the other is passed over, again and again.
pub const TWO: u64 = 1;
/// The code of a space of four EVs.
pub const FOUR: u64 = 2;

/// Adds the group `penalty` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("counting", "penalties in place of marks", shape, Settings::new(64, 256));
    if shape.evs == 16 {
        reads(suite, shape);
        resized(suite, shape);
    }
    // Rules that do not depend on the latency are tested at one latency.
    if shape.ram_latency == 2 {
        rounds(suite, shape);
        order(suite, shape);
    }
    if shape.ram_latency == 2 && shape.evs == 16 {
        added(suite, shape);
        saturated(suite, shape);
        kept(suite, shape);
        lives(suite, shape);
        others(suite, shape);
    }
}

/// Opens CCC 0 in the mode `penalty` from EV `start` on, with this code of a space. Also returns the first cycle in
/// which it is open.
pub fn opened(shape: Shape, start: u64, space: u64) -> (Script, u64) {
    let mut script = Script::new(shape);
    let at = script.open_sized(0, start, Mode::Penalty, space);
    (script, at)
}

/// Cycles from a request to the first one that sees its decrement.
pub const fn taken(shape: Shape) -> u64 {
    shape.grant() + shape.visibility_delay()
}

/// Adds feedback of these kinds for CCC 0 and this EV in consecutive cycles. Returns the first cycle after them.
pub fn told(script: &mut Script, at: u64, ev: u64, kinds: &[Kind]) -> u64 {
    (at..).zip(kinds).for_each(|(at, &kind)| script.feedback(at, 0, ev, kind));
    at + kinds.len() as u64
}

/// Each kind of feedback, and sums of penalties around 15. Requests pass over the EV as often as its penalty says,
/// each after the decrement of the previous one.
fn added(suite: &mut Suite, shape: Shape) {
    let sums: [&[Kind]; 14] = [
        &[Good],
        &[Ecn],
        &[Nack],
        &[Timeout],
        &[Ecn, Good],
        &[Ecn, Ecn],
        &[Good, Nack, Good, Ecn],
        &[Nack, Nack, Nack, Ecn, Ecn],
        &[Nack, Nack, Nack, Ecn, Ecn, Ecn],
        &[Nack, Ecn, Nack, Ecn, Nack, Ecn, Ecn],
        &[Nack, Nack, Nack, Nack],
        &[Timeout, Ecn],
        &[Nack, Timeout, Good],
        &[Ecn; 17],
    ];
    let rows = aim(&["Penalty", "Kind", "Boundary"], &["K1", "K2", "K3", "S4", "U22", "U23", "U24"]);
    for kinds in sums {
        let (mut script, at) = opened(shape, 0, TWO);
        let at = told(&mut script, at, 1, kinds) + shape.visibility_delay();
        script.command(at - shape.visibility_delay(), Op::Read, 0, 0);
        (0..18).for_each(|n| script.request(at + n * taken(shape), 0));
        script.command(at + 15 * taken(shape), Op::Read, 0, 0);
        let id: String = kinds.iter().map(|kind| format!("{kind:?}").to_lowercase().remove(0)).collect();
        suite.add(format!("added-{id}"), "until the EV comes back", rows, script);
    }
}

/// The same in larger spaces, where a round takes longer than a decrement.
fn rounds(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Penalty", "BackToBack"], &["K1", "K3", "S2"]);
    let most = u64::from(shape.evs.ilog2());
    for (kind, rounds) in [(Ecn, 1), (Nack, 4), (Timeout, 15)] {
        for code in [3, most].into_iter().filter(|code| rounds << code <= 256) {
            let space = 1 << code;
            let (mut script, at) = opened(shape, space - 5, code);
            script.feedback(at, 0, space - 3, kind);
            script.requests(at + shape.visibility_delay(), 0, (rounds + 1) * (space - 1) + 3);
            let id = format!("rounds-{}-{code}", format!("{kind:?}").to_lowercase());
            suite.add(id, format!("one of {space} EVs is passed over {rounds} times"), rows, script);
        }
    }
}

/// Adjacent EVs with penalties, also at the end of the space: only the first one is decremented.
fn order(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Penalty", "Sparse"], &["K3", "S2", "S17"]);
    for (name, start, evs) in [("middle", 0, [1, 2]), ("wrap", 2, [3, 0]), ("apart", 0, [1, 3]), ("at", 1, [1, 2])] {
        for kinds in [[Ecn, Ecn], [Ecn, Nack], [Nack, Ecn]] {
            let (mut script, at) = opened(shape, start, FOUR);
            (at..).zip(evs.into_iter().zip(kinds)).for_each(|(at, (ev, kind))| script.feedback(at, 0, ev, kind));
            (0..16).for_each(|n| script.request(at + 10 + n * taken(shape), 0));
            script.command(at + 10 + 4 * taken(shape), Op::Read, 0, 0);
            let [first, second] = kinds.map(|kind| format!("{kind:?}").to_lowercase());
            let id = format!("order-{name}-{first}-{second}");
            suite.add(id, format!("EV {} and {}", evs[0], evs[1]), rows, script);
        }
    }
    // Two adjacent EVs at each possible border between words of the memory.
    let words = [8, 16, 32, 64, 128, 512].into_iter().filter(|border| *border < shape.evs).chain([shape.evs]);
    for border in words {
        let (mut script, at) = opened(shape, border - 2, 0);
        script.feedback(at, 0, border - 1, Ecn);
        script.feedback(at + 1, 0, border % shape.evs, Nack);
        script.requests(at + 10, 0, 3);
        script.command(at + 10 + taken(shape), Op::Read, 0, 0);
        suite.add(format!("border-{border}"), "on both sides of a border", rows, script);
    }
}

/// Numbers of marked EVs around a limit, and all EVs marked, until the CCC is no longer saturated.
fn saturated(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Penalty", "Saturated", "BackToBack"], &["K2", "K3", "S7", "U12"]);
    for (space, marks) in [(TWO, 2), (FOUR, 2), (FOUR, 3), (FOUR, 4), (3, 8)] {
        let limits = [0, marks - 1, marks, shape.evs].into_iter().skip(usize::from(marks > 2));
        for limit in limits.take_while(|&limit| limit <= marks || marks == 1 << space) {
            let (mut script, at) = opened(shape, 1, space);
            let size = 1 << space;
            script.settings(0, 64, if limit == shape.evs { 256 } else { limit * 256 / size });
            let kind = |n: u64| [Ecn, Ecn, Nack, Ecn][n as usize % 4];
            (0..marks).for_each(|n| script.feedback(at + n, 0, (1 + n) % size, kind(n)));
            let gap = if limit == marks { 3 } else { 1 };
            (0..36).for_each(|n| script.request(at + marks + 6 + n * gap, 0));
            script.command(at + 24, Op::Read, 0, 0);
            let comment = format!("{marks} of {size} are marked, a request every {gap} cycles");
            suite.add(format!("limit-{limit}-{size}-{marks}"), comment, rows, script);
        }
    }
    // All EVs, so slowly that each request sees the decrements of all earlier ones.
    let (mut script, at) = opened(shape, 0, FOUR);
    let end = [Timeout, Nack, Ecn, Nack].iter().zip(0..).fold(at, |at, (&kind, ev)| {
        script.feedback(at, 0, ev, kind);
        at + 1
    });
    (0..32).for_each(|n| script.request(end + shape.visibility_delay() + n * taken(shape), 0));
    suite.add("recovers", "all marked, until the worst is free", rows, script);
    if shape.evs == 16 {
        let (mut script, at) = opened(shape, 7, 0);
        (0..16).for_each(|n| script.feedback(at + n, 0, n, [Ecn, Nack][n as usize % 2]));
        script.requests(at + 22, 0, 96);
        suite.add("recovers-all", "all of the largest space, back to back", rows, script);
    }
}

/// Row K2: a penalty stays however many RTT pass.
fn kept(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Penalty", "Idle"], &["K2"]);
    // An epoch has 64 cycles here. The longest wait has more epochs than ten bits can count.
    let long = (shape.evs == 16 && shape.cccs > 1).then_some(1030);
    for epochs in [1, 2, 3, 4, 9, 17, 65].into_iter().chain(long) {
        let (mut script, at) = opened(shape, 5, 3);
        script.feedback(at, 0, 5, Ecn);
        script.feedback(at + 1, 0, 6, Nack);
        let at = at + 64 * epochs;
        script.command(at - 16, Op::Read, 0, 0);
        script.requests(at + 10, 0, 3);
        script.command(at + 32, Op::Read, 0, 0);
        suite.add(format!("kept-{epochs}"), format!("{epochs} epochs without events"), rows, script);
    }
}

/// Feedback and decrements shortly after a *read*.
fn reads(suite: &mut Suite, shape: Shape) {
    let edge = aim(&["Penalty", "Command", "Boundary"], &["K5", "S11"]);
    for distance in [-2, -1, 0, 1, 2] {
        for taken in [false, true] {
            let (mut script, at) = opened(shape, 1, FOUR);
            script.feedback(at, 0, 1, Ecn);
            script.feedback(at + 1, 0, 2, Nack);
            let read = script.command(at + 30, Op::Read, 0, 0);
            let last = (read + shape.read_feedback()).saturating_add_signed(distance);
            if taken {
                script.request(last - shape.grant(), 0);
            } else {
                script.feedback(last, 0, 3, Timeout);
            }
            script.command(0, Op::Read, 0, 0);
            let (name, what) = if taken { ("taken", "something taken off") } else { ("told", "a feedback") };
            let comment = format!("{what} {distance} cycles from the last one that it knows");
            suite.add(format!("read-{name}{distance:+}"), comment, edge, script);
        }
    }
}

/// A smaller space starts without penalties. A larger one, and one of the same size, keep all of them.
fn resized(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Penalty", "Space", "Boundary"], &["K5", "S10", "S18", "U10"]);
    for (name, from, to) in [("smaller", 3, FOUR), ("same", FOUR, FOUR), ("larger", FOUR, 0)] {
        for distance in [-30, -2, -1, 0, 1] {
            let (mut script, at) = opened(shape, 0, from);
            let change = script.resize(at + 30, 0, to);
            script.feedback(at, 0, 1, Nack);
            script.feedback(change.saturating_add_signed(distance), 0, 2, Nack);
            script.requests(change - 1, 0, 3);
            script.requests(change + 12, 0, 4);
            script.command(0, Op::Read, 0, 0);
            let comment = format!("a feedback {distance} cycles from when the space is {name}");
            suite.add(format!("{name}{distance:+}"), comment, rows, script);
        }
    }
    // Decrements after the change: of a new penalty, and of an EV that is not in the space any more.
    for asked in [-3, -2, -1, 0, 1] {
        for (ev, again) in [(1, true), (1, false), (6, false)] {
            let (mut script, at) = opened(shape, ev - 1, 3);
            script.request(at, 0);
            script.feedback(at + 1, 0, ev, Nack);
            let change = script.resize(at + 30, 0, FOUR);
            let due = change.saturating_add_signed(2 * asked);
            script.request(due - shape.grant(), 0);
            if again {
                script.feedback(change + 1, 0, ev, Ecn);
            }
            script.resize(0, 0, 3);
            let at = script.command(0, Op::Read, 0, 0);
            script.requests(at, 0, 8);
            let id = format!("taken-{ev}{}{asked:+}", if again { "-again" } else { "" });
            suite.add(id, format!("taken off {} cycles from the change", 2 * asked), rows, script);
        }
    }
}

/// No penalty of one life reaches the next, whatever the modes.
fn lives(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Penalty", "Reopened"], &["K1", "K3", "S10", "S11"]);
    let modes = [Mode::Bitmap, Mode::Penalty].map(|mode| shape.mode(mode.code()).unwrap_or(Mode::Penalty));
    for (n, [first, second]) in [[modes[1]; 2], modes, [modes[1], modes[0]]].into_iter().enumerate() {
        for gap in [0, 4] {
            let mut script = Script::new(shape);
            let at = script.open_sized(0, 0, first, FOUR);
            script.requests(at, 0, 1);
            told(&mut script, at, 1, &[Nack, Ecn, Timeout]);
            told(&mut script, at + 3, 2, &[Ecn, Nack]);
            script.command(at + 20, Op::Close, 0, 0);
            let again = script.operate(0, Command::open(0, 1, second).space(FOUR)) + shape.effect();
            // Some requests come at the end of the previous life.
            script.requests(again - shape.operations() - 4, 0, 6);
            script.feedback(again + gap, 0, 1, Nack);
            script.requests(again + gap + 1, 0, 20);
            script.command(0, Op::Read, 0, 0);
            let id = format!("lives-{n}-{gap}");
            suite.add(id, "closed while something is to be taken off, and opened again", rows, script);
        }
    }
}

fn others(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    let at = script.operate(0, Command::open(0, 1, Mode::Penalty).rod().space(FOUR)) + shape.effect();
    told(&mut script, at, 1, &[Ecn, Nack, Timeout]);
    script.requests(at + 12, 0, 6);
    script.command(at + 12, Op::Read, 0, 0);
    suite.add("rod", "no penalties", aim(&["Rod", "Penalty"], &["S15", "K1", "U28"]), script);
    let (mut script, at) = opened(shape, 1, FOUR);
    for (n, ev) in (0..).zip([4, 5, shape.evs - 1, shape.evs, shape.evs + 1, 0x8001]) {
        script.feedback(at + n, 0, ev, Kind::ALL[1 + n as usize % 3]);
    }
    script.feedback(at + 6, 0, 2, Ecn);
    script.requests(at + 16, 0, 6);
    script.command(at + 10, Op::Read, 0, 0);
    suite.add("range", "feedback out of range is none", aim(&["OutOfRange", "Penalty"], &["S8", "K1"]), script);
}
