// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row V3: the packets of a burst all go to the VP that requested it.

use super::shapes::{EIGHT, LATENCIES, MANY, NEVER};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Command, Op, Settings, Shape};
use crate::elab::scheduler::script::{MOST, Script, other_port, port};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES {
        suite.group("burst", "bursts of all lengths, alone and together", shape, WITH);
        lengths(suite, shape);
        together(suite, shape);
        lengths_change(suite, shape);
        removed(suite, shape);
        others(suite, shape);
    }
    suite.group("burst", "many VPs call", MANY, WITH);
    many(suite, MANY);
    suite.group("numbers", "numbers of bursts", EIGHT, Settings { burst: 1, explore: 0, ..WITH });
    numbers(suite, EIGHT);
}

/// A VP requests a probe 3 units after a mark, and a burst has 4 packets.
const WITH: Settings = Settings { explore: 3, burst: 4, ..NEVER };

fn lengths(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst"], &["V3", "V13", "E07", "E15", "E16"]);
    for burst in [0, 1, 2, 4, 10, 300] {
        for step in [1, 3] {
            if burst == 300 && (step > 1 || shape.ram_latency == 1) {
                continue;
            }
            let (mut script, at) = Script::running(shape, &[MOST, MOST, MOST]);
            script.set(0, Settings { burst, ..WITH });
            let next = script.call(at, 0, 1, 3) + shape.visibility_delay();
            (0..burst + 8).for_each(|n| script.request(next - 3 + step * n, 0));
            let row = if burst > 255 { "E16-" } else { "" };
            suite.add(
                format!("{row}{burst}-by-{step}"),
                format!("of {burst} packets, {step} cycles apart"),
                rows,
                script,
            );
        }
    }
}

/// Several VPs have a pending probe request. The lowest comes first, and each burst is completed before the next.
fn together(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst", "Interleaved"], &["V3", "V13", "E15"]);
    for (name, vps) in [("two", &[1, 2][..]), ("turned", &[2, 0]), ("three", &[0, 1, 3]), ("apart", &[7, 5])] {
        for apart in [1, 6, 9] {
            let (mut script, at) = Script::running(shape, &[MOST; 8]);
            for (n, &vp) in (0..).zip(vps) {
                script.call(at + apart * n, 0, vp, 3);
            }
            script.stream(at + 3 * shape.unit + shape.visibility_delay() - 3, 0, 30);
            suite.add(format!("{name}-{apart}"), format!("VPs {vps:?} call {apart} cycles apart"), rows, script);
        }
    }
}

/// `settings_burst` changes around the cycle in which it is read, and while a burst is in progress.
fn lengths_change(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst", "Settings", "Boundary"], &["V3", "E15"]);
    for (name, from, to) in [("begins", 0, 3), ("ends", 3, 0), ("grows", 2, 6)] {
        for distance in [shape.burst() - 1, shape.burst(), shape.burst() + 1] {
            let (mut script, at) = Script::running(shape, &[MOST, MOST]);
            script.set(0, Settings { burst: from, ..WITH });
            let next = script.call(at, 0, 1, 3) + shape.visibility_delay();
            script.stream(next, 0, 1);
            script.stream(next + 1, 0, 12);
            script.set(next + distance, Settings { burst: to, ..WITH });
            let comment = format!("another length {distance} cycles behind a request");
            suite.add(format!("{name}-{distance}"), comment, rows, script);
        }
    }
}

/// The VP is removed in the middle of its burst and added again, with the same or another port.
fn removed(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst", "Command"], &["V3", "V14", "V16"]);
    let burst = 60;
    for (name, again) in
        [("gone", None), ("back", Some(port(shape, 0, 1))), ("other-port", Some(other_port(shape, 0, 1)))]
    {
        for quiet in [false, true] {
            let (mut script, at) = Script::running(shape, &[MOST, MOST, MOST]);
            script.set(0, Settings { burst, ..WITH });
            let next = script.call(at, 0, 1, 3) + shape.visibility_delay();
            script.stream(next, 0, 5);
            let gone = script.command(next, Op::Remove, 0, 1);
            if let Some(sport) = again {
                script.operate(gone + 30, Command::add(0, sport, MOST));
            }
            // Packets sent while the VP is absent end the burst. Without such packets, the VP with this number
            // continues it.
            if !quiet {
                script.stream(next + 5, 0, 40);
            }
            script.stream(script.settled() + 2, 0, 12);
            let with = if quiet { "nothing" } else { "packets" };
            suite.add(format!("{name}-{with}"), format!("removed in its burst, {with} while it is away"), rows, script);
        }
    }
    // An acknowledged probe request stays acknowledged, an unanswered one is answered when the VP is added again.
    for heard in [false, true] {
        let (mut script, at) = Script::running(shape, &[MOST, MOST, MOST]);
        let next = script.call(at, 0, 1, 3) + shape.visibility_delay();
        if heard {
            script.stream(next, 0, 6);
        }
        script.command(next, Op::Remove, 0, 1);
        let again = script.add(0, 1, MOST);
        script.stream(next + 6, 0, 10);
        script.stream(again - 2, 0, 12);
        let id = if heard { "heard" } else { "unheard" };
        suite.add(format!("again-{id}"), "removed behind a call, and added again", rows, script);
    }
    // Another VP requests a probe while the VP of the burst is removed.
    let (mut script, at) = Script::running(shape, &[MOST, MOST, MOST]);
    script.set(0, Settings { burst, ..WITH });
    let next = script.call(at, 0, 0, 3) + shape.visibility_delay();
    script.call(at + 2, 0, 2, 3);
    script.command(next, Op::Remove, 0, 0);
    script.stream(next, 0, 90);
    suite.add("next", "removed in its burst while another one calls", rows, script);
    // All VPs are removed: requests are refused, and the packets left of the burst stay.
    let (mut script, at) = Script::running(shape, &[0, MOST]);
    script.set(0, Settings { burst, ..WITH });
    let next = script.call(at, 0, 1, 3) + shape.visibility_delay();
    script.command(next, Op::Remove, 0, 1);
    let again = script.add(0, 1, MOST);
    script.stream(next, 0, again + 6 - next);
    suite.add("all-gone", "the only VP is removed in its burst, and added again", rows, script);
}

/// A burst of one pair must not change where the packets of another pair go.
fn others(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst", "Interleaved"], &["V2", "V3", "E02", "E15"]);
    for pairs in 2..=3 {
        let (mut script, at) = Script::all_running(shape, pairs, &[MOST, MOST]);
        for pair in 0..pairs {
            script.call(at + 2 * pair, pair, pair % 2, 3);
        }
        let next = at + 3 * shape.unit + shape.visibility_delay();
        (0..40).for_each(|n| script.request(next + n, n % pairs));
        suite.add(format!("pairs-{pairs}"), format!("{pairs} pairs in turns"), rows, script);
    }
}

/// VPs with numbers far apart request probes in the same unit.
fn many(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst"], &["V3", "V13", "E15"]);
    for step in [1, 7, 21] {
        let (mut script, at) = Script::running(shape, &[MOST; 64]);
        script.set(0, Settings { burst: 2, explore: 12, ..WITH });
        let vps: Vec<u64> = (0..64).rev().step_by(step).collect();
        for (n, &vp) in (0..).zip(&vps) {
            script.call(at + n, 0, vp, 12);
        }
        script.stream(at + 12 * shape.unit + shape.visibility_delay(), 0, 3 * vps.len() as u64 + 6);
        suite.add(format!("{}-vps", vps.len()), "the lowest that calls is first", rows, script);
    }
}

/// Each probe request gives its burst the next burst number.
fn numbers(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst"], &["V3", "V13", "V19", "E07"]);
    for vps in 1..=3 {
        let (mut script, at) = Script::running(shape, &[MOST, MOST, MOST]);
        (0..vps).for_each(|vp| script.ecn(at + vp, 0, vp, 3));
        for n in 1..=20 {
            (0..vps).for_each(|vp| script.count(at + n * 2 * shape.unit + vp, 0, vp, 3));
        }
        script.stream(at, 0, 44 * shape.unit);
        suite.add(format!("{vps}"), format!("a call every two units on {vps} VPs"), rows, script);
    }
}
