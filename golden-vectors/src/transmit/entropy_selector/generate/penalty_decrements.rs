// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows K3 and K4: requests decrement penalties, when a decrement is seen, and feedback that prevents it.

use super::penalty::{FOUR, TWO, opened, taken, told};
use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::entropy_selector::oracle::Kind::{self, Ecn, Good, Nack, Timeout};
use crate::transmit::entropy_selector::oracle::{Command, Mode, Op, Settings, Shape};
use crate::transmit::entropy_selector::script::{Script, built};
use crate::transmit::entropy_selector::suite::Suite;

/// Adds the group `taken-off` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("taken-off", "penalties that go down", shape, Settings::new(64, 256));
    seen(suite, shape);
    piles(suite, shape);
    kept(suite, shape);
    neighbours(suite, shape);
    streams(suite, shape);
    turns(suite, shape);
}

/// The distance from a feedback, and from a decrement, to the first request that sees it.
fn seen(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Penalty", "Boundary"], &["K3", "K4", "S5"]);
    for around in [-2, -1, 0, 1] {
        let (mut script, at) = opened(shape, 1, FOUR);
        script.feedback(at, 0, 1, Nack);
        script.request((at + shape.visibility_delay()).saturating_add_signed(around), 0);
        suite.add(format!("told{around:+}"), "a feedback, and a request about when it is seen", rows, script);
        for (kind, before) in [(Ecn, 0), (Nack, 3)] {
            let (mut script, at) = opened(shape, 0, TWO);
            script.feedback(at, 0, 1, kind);
            let at = (0..before).fold(at + shape.visibility_delay(), |at, _| {
                script.request(at, 0);
                at + taken(shape)
            });
            script.request(at, 0);
            script.request((at + taken(shape)).saturating_add_signed(around), 0);
            let id = format!("seen-{}{around:+}", format!("{kind:?}").to_lowercase());
            suite.add(id, "the last is taken off, and a request about when that is seen", rows, script);
        }
    }
}

/// Requests that do not see the earlier decrements ask for more of them than the penalty has. It must stop at 0.
fn piles(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Penalty", "BackToBack"], &["K3", "K4"]);
    for kinds in [&[Ecn][..], &[Nack], &[Timeout], &[Ecn, Ecn]] {
        for (space, gap) in [(TWO, 1), (TWO, 2), (TWO, 5), (FOUR, 1), (FOUR, 3)] {
            let (mut script, at) = opened(shape, 0, space);
            let at = told(&mut script, at, 1, kinds);
            if space == FOUR {
                told(&mut script, at, 2, &[Ecn, Timeout]);
            }
            (0..24).for_each(|n| script.request(at + 4 + n * gap, 0));
            // No decrement is outstanding, so a new penalty is complete.
            let at = at + 4 + 24 * gap + taken(shape);
            script.feedback(at, 0, 1, Ecn);
            script.requests(at + shape.visibility_delay(), 0, 3);
            script.command(at, Op::Read, 0, 0);
            let id: String = kinds.iter().map(|kind| format!("{kind:?}").to_lowercase().remove(0)).collect();
            let comment = format!("a request every {gap} cycles");
            suite.add(format!("piles-{id}-{}-{gap}", 1 << space), comment, rows, script);
        }
    }
    // A penalty that a saturated request did not see.
    let rows = aim(&["Penalty", "Saturated"], &["K3", "K4", "S7"]);
    for ahead in [0, 1, 5, 9] {
        let (mut script, at) = opened(shape, 0, FOUR);
        script.settings(0, 64, 0);
        script.feedback(at, 0, 3, Ecn);
        let at = script.requests(at + 10, 0, 2);
        script.feedback((at - 1 + shape.grant()) - ahead, 0, 1, [Ecn, Nack][ahead as usize / 5]);
        script.command(at, Op::Read, 0, 0);
        (0..8).for_each(|n| script.request(at + 12 + n * taken(shape), 0));
        let comment = format!("the EV that it is granted is marked {ahead} cycles before something is taken off");
        suite.add(format!("unseen-{ahead}"), comment, rows, script);
    }
}

/// Row K4: feedback of each kind, accepted or refused, around the cycle of a decrement.
fn kept(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Penalty", "Dropped"], &["K4", "S4", "S8", "S15"]);
    let (out, last) = (shape.evs + 1, shape.cccs - 1);
    let nobody = shape.cccs.next_power_of_two().max(2) - 1;
    // The feedback's CCC and EV, and the *open* of that CCC if it is not CCC 0.
    let other = |ccc, mode| Some(Command::open(ccc, 1, mode));
    let fates = [
        ("same", 0, 1, None),
        ("other-ev", 0, 2, None),
        ("out-of-space", 0, 5, None),
        ("out-of-range", 0, out, None),
        ("other-ccc", 1, 1, other(1, Mode::Penalty)),
        ("other-mode", 1, 1, other(1, built(shape, 1))),
        ("other-range", last, out, other(last, built(shape, 0))),
        ("rod", last, 1, other(last, Mode::Penalty).map(Command::rod)),
        ("closed", nobody, 1, None),
    ];
    // What is in the way does not depend on the latency.
    let count = if shape.ram_latency == 2 { fates.len() } else { 1 };
    for (n, (name, ccc, ev, open)) in fates.into_iter().take(count).enumerate() {
        for distance in [-1, 0, 1] {
            for kind in Kind::ALL {
                // Far from the decrement one kind of feedback is enough in most cases.
                if distance != 0 && n > 0 && kind != Kind::ALL[1 + n % 3] {
                    continue;
                }
                let mut script = Script::new(shape);
                let mut at = script.open_sized(0, 0, Mode::Penalty, FOUR);
                if let Some(open) = open {
                    at = script.operate(0, open) + shape.effect();
                }
                script.feedback(at, 0, 1, Ecn);
                let asked = at + shape.visibility_delay();
                script.request(asked, 0);
                script.request(asked + 1, 0);
                let due = (asked + 1 + shape.grant()).saturating_add_signed(distance);
                script.feedback(due, ccc, ev, kind);
                script.command(due - 4, Op::Read, 0, 0);
                script.requests(due + taken(shape), 0, 3);
                let id = format!("kept-{name}-{}{distance:+}", format!("{kind:?}").to_lowercase());
                suite.add(id, format!("{kind:?} {distance} cycles from when something is taken off"), rows, script);
            }
        }
    }
}

/// Feedback and decrements for the same EV, one after the other at every distance.
fn neighbours(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Penalty", "Dropped", "BackToBack"], &["K1", "K3", "K4"]);
    for (name, before, told_then) in [("most", Timeout, Ecn), ("over", Timeout, Nack), ("least", Ecn, Ecn)] {
        let near = if name == "over" { 1 } else { 8 };
        for distance in [-8, -3, -2, -1, 0, 1, 2, 3, 8].into_iter().filter(|distance: &i64| distance.abs() <= near) {
            let (mut script, at) = opened(shape, 0, TWO);
            script.feedback(at, 0, 1, before);
            let asked = at + shape.visibility_delay() + 6;
            script.request(asked, 0);
            script.feedback((asked + shape.grant()).saturating_add_signed(distance), 0, 1, told_then);
            // As many slow requests as the largest sum of penalties.
            let rest = asked + shape.grant() + 8 + shape.visibility_delay();
            let count = if before == Ecn { 3 } else { 16 };
            (0..count).for_each(|n| script.request(rest + n * taken(shape), 0));
            let comment = format!("{told_then:?} {distance} cycles from when one of a {before:?} is taken off");
            suite.add(format!("{name}{distance:+}"), comment, rows, script);
        }
    }
    for gap in 1..=4 {
        let (mut script, at) = opened(shape, 0, TWO);
        for n in 0..48 {
            script.request(at + n, 0);
            if n % gap == 0 {
                script.feedback(at + n, 0, 1, [Ecn, Ecn, Good][n as usize / 16]);
            }
        }
        script.command(at + 20, Op::Read, 0, 0);
        suite.add(format!("often-{gap}"), format!("feedback on the same EV every {gap} cycles"), rows, script);
    }
}

/// Feedback in every cycle or in most, so that few decrements are done. Then there is none.
fn streams(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Penalty", "Dropped", "FullLoad"], &["K3", "K4"]);
    for (name, good) in [("none", 0), ("third", 1), ("most", 2), ("good", 3)] {
        let (mut script, at) = opened(shape, 0, FOUR);
        told(&mut script, at, 1, &[Nack, Ecn]);
        // Feedback for a CCC that does not exist, so that penalties only go down.
        for n in 0..40 {
            script.feedback(at + 6 + n, 0, shape.evs, if n % 3 < good { Good } else { Ecn });
        }
        script.requests(at + 6, 0, 64);
        script.command(at + 30, Op::Read, 0, 0);
        suite.add(format!("stream-{name}"), "each cycle a feedback that is for no EV", rows, script);
    }
}

/// Two CCCs in turn: a decrement for one must not reach the other.
fn turns(suite: &mut Suite, shape: Shape) {
    if shape.cccs == 1 {
        return;
    }
    let rows = aim(&["Penalty", "Interleaved"], &["K3", "K4"]);
    for distance in [1, 2, 3, 5, 8] {
        let (mut script, _) = opened(shape, 0, TWO);
        let at = script.open_sized(1, 1, Mode::Penalty, FOUR);
        for (n, ccc) in [(0, 0), (1, 1), (2, 1)] {
            script.feedback(at + n, ccc, 1 + n / 2, [Nack, Ecn, Nack][n as usize]);
        }
        (0..30).for_each(|n| script.request(at + 6 + n, n / distance % 2));
        script.command(at + 20, Op::Read, 0, 0);
        script.command(0, Op::Read, 1, 0);
        suite.add(format!("turns-{distance}"), format!("{distance} requests for each"), rows, script);
    }
}

/// Adds the group `penalty-load` of one size: random events on few CCCs, most of them in mode counting.
pub fn random(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    let settings = Settings::new(64, 256).seed(rng.below(1 << 32)).reps(2, 1).path(1, 1);
    suite.group("counting-load", "random events on CCCs with penalties", shape, settings);
    let used = shape.cccs.min(3);
    let code = |rng: &mut SplitMix64| [TWO, FOUR, 3, 0][rng.below(4) as usize];
    for cccs in 1..=used {
        let mut script = Script::new(shape);
        let opened: Vec<_> =
            (0..cccs).map(|ccc| script.open_sized(ccc, rng.below(shape.evs), Mode::Penalty, code(rng))).collect();
        events(&mut script, shape, settings, opened.last().copied().unwrap_or(0), cccs, rng);
        let rows = aim(&["Penalty", "Dropped", "FullLoad"], &["K1", "K2", "K3", "K4", "S2", "S7"]);
        suite.add(format!("load-{cccs}"), format!("{cccs} CCCs"), rows, script);
    }
    let mut script = Script::new(shape);
    let at = (0..used).map(|ccc| script.open_sized(ccc, rng.below(shape.evs), Mode::Penalty, code(rng))).last();
    events(&mut script, shape, settings, at.unwrap_or(0), used, rng);
    for _ in 0..18 {
        let op = [Op::Read, Op::Read, Op::Resize, Op::Resize, Op::Close, Op::Open, Op::Open][rng.below(7) as usize];
        let mode = [Mode::Penalty, Mode::Penalty, built(shape, rng.below(7))][rng.below(3) as usize];
        let command = Command { op, rod: rng.below(8) == 0, ..Command::open(rng.below(used), rng.below(8), mode) };
        script.operate(at.unwrap_or(0) + rng.below(20), command.space(code(rng)));
    }
    let rows = aim(&["Penalty", "Dropped", "FullLoad", "Command", "Reopened"], &["K4", "K5", "S10", "S11", "S18"]);
    suite.add("lives", "opened, closed and resized meanwhile", rows, script);
}

/// A request and a feedback in every cycle, then one of them less often, on EVs that are granted soon.
fn events(script: &mut Script, shape: Shape, settings: Settings, at: u64, cccs: u64, rng: &mut SplitMix64) {
    for step in 0..360 {
        // How many of eight cycles have a request, and how many a feedback.
        let (asked, told) = [(8, 8), (8, 3), (8, 1), (2, 2), (1, 0)][step as usize / 60 % 5];
        if rng.below(8) < asked {
            script.request(at + step, rng.below(cccs));
        }
        if rng.below(8) < told {
            let ev = [rng.below(4), rng.below(8), rng.below(shape.evs), rng.below(2)][rng.below(4) as usize];
            let kind = [Good, Good, Good, Ecn, Ecn, Ecn, Nack, Kind::of(rng.below(8))];
            script.feedback(at + step, rng.below(cccs), ev, kind[rng.below(8) as usize]);
        }
        if rng.below(60) == 0 {
            let saturation = [32, 100, 256, 256][rng.below(4) as usize];
            script.set(at + step, Settings { rtt: 64 + rng.below(100), saturation, ..settings });
        }
    }
}
