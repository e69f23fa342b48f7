// SPDX-License-Identifier: MIT OR Apache-2.0
//! V15 to V17 by hand-made examples.

use super::scheduler_help::*;
use golden_vectors::elab::scheduler::oracle::{Command, Event, Op, Response, Settings};

/// What operations answer, 20 cycles apart, on a pair that has VP 1 with bandwidth 70000.
fn responses(commands: &[Command]) -> Vec<Response> {
    let events: Vec<_> = (0..).zip(commands).map(|(n, &command)| (400 + 20 * n, Event::Command(command))).collect();
    let answer = run(&[0, 70_000], &events);
    (0..commands.len() as u64).map(|n| response(&answer, 400 + 20 * n)).collect()
}

/// Done, then the port and bandwidth of the VP that is present behind it.
fn outcomes(commands: &[Command]) -> Vec<(bool, Option<(u64, u64)>)> {
    let state = |r: &Response| {
        assert!(r.present || (r.port, r.bandwidth, r.rate, r.probe_armed) == (0, 0, 0, false));
        (r.done, r.present.then_some((r.port, r.bandwidth)))
    };
    responses(commands).iter().map(state).collect()
}

#[test]
fn v15_v16_v17_what_can_be_done() {
    let there = Some((PORT + 1, 70_000));
    let (read, remove) = (|vp| Command::new(Op::Read, 0, PORT + vp), |vp| Command::new(Op::Remove, 0, PORT + vp));
    assert_eq!(outcomes(&[read(1), read(0), read(9)]), [(true, there), (true, None), (true, there)]);
    assert_eq!(outcomes(&[Command::add(0, PORT + 1, 5), read(1)]), [(false, there), (true, there)]);
    assert_eq!(outcomes(&[Command::add(0, PORT + 9, 5), read(1)]), [(false, there), (true, there)], "the same number");
    assert_eq!(outcomes(&[Command::add(0, PORT, 0), read(0)]), [(false, None), (true, None)]);
    let added = Some((PORT + 16, 5));
    assert_eq!(
        outcomes(&[Command::add(0, PORT + 16, 5), read(0), read(8)]),
        [(true, added), (true, added), (true, added)]
    );
    assert_eq!(
        outcomes(&[remove(9), remove(0), remove(1), remove(1)]),
        [(false, there), (false, None), (true, None), (false, None)]
    );
    let third = Command { op: 3, pair: 0, sport: PORT + 1, bandwidth: 5 };
    assert_eq!(outcomes(&[third, read(1)]), [(false, there), (true, there)]);
    for op in 0..4 {
        assert_eq!(outcomes(&[Command { pair: 2, op, ..third }, read(1)]), [(false, None), (true, there)]);
    }
}

#[test]
fn v16_a_vp_that_is_added_again_is_as_at_first() {
    let waiting = Settings { window: 4, explore: 2, ..SETTINGS };
    let mut events = vec![count(398, 0, 0), ecn(430, 0, 40), op(450, Op::Read, 0), count(451, 0, 60_000)];
    events.extend([op(470, Op::Remove, 0), add(490, 0, 9999), op(510, Op::Read, 0)]);
    // Added in cycle 491, unit 61; unit 65 begins with the report of cycle 518.
    events.extend([count(518, 0, 8), op(540, Op::Read, 0)]);
    let answer = run_with(waiting, &[70_000], &events);
    let state = |at| {
        let read = response(&answer, at);
        (read.bandwidth, read.rate, read.probe_armed)
    };
    assert_eq!(state(450), (5 * 65536, 5 * 65536, true));
    assert_eq!(state(510), (9999, 0, false));
    assert_eq!(state(540), (9999, 65536, false));
}
