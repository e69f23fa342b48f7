// SPDX-License-Identifier: MIT OR Apache-2.0
//! T16 to T18 by hand-made examples.

use super::help::*;
use golden_vectors::transmit::path_scheduler::oracle::{
    Command,
    Event,
    Granularity,
    Kind,
    Op,
    Response,
    Settings,
    State,
    answer, //
};

/// What makes each state of a sub-path of an open QP.
const STATES: [(State, &[Op]); 5] = [
    (State::Absent, &[]),
    (State::Probing, &[Op::Add]),
    (State::Active, &[Op::Add, Op::Start]),
    (State::Draining, &[Op::Add, Op::Start, Op::Drain]),
    (State::Failed, &[Op::Add, Op::Start, Op::Fail]),
];

/// The response to an operation on sub-path 3 of QP 0, open with some granularity, behind others with weight 7.
fn behind(before: &[Op], command: Command) -> Response {
    let mut events = vec![(20, Event::Command(Command::open(0, PSN, ENTROPY, Granularity::Flowlet)))];
    events.extend((40..).step_by(20).zip(before).map(|(at, &what)| op(at, what, 3, 7)));
    events.push((200, Event::Command(command)));
    response(&answer(SHAPE, SETTINGS, &events), 200)
}

#[test]
fn t17_operations_on_sub_paths_in_every_state() {
    use State::{Absent, Active, Draining, Failed, Probing};
    // For absent, probing, active, draining, failed: the state behind it if it can be done.
    let table = [
        (Op::Add, [Some(Probing), None, None, None, None]),
        (Op::Start, [None, Some(Active), None, None, None]),
        (Op::Limit, [None, Some(Probing), Some(Active), Some(Draining), Some(Failed)]),
        (Op::Drain, [None, Some(Draining), Some(Draining), None, None]),
        (Op::Fail, [None, Some(Failed), Some(Failed), Some(Failed), None]),
        (Op::Remove, [None, Some(Absent), None, Some(Absent), Some(Absent)]),
        (Op::Read, [Some(Absent), Some(Probing), Some(Active), Some(Draining), Some(Failed)]),
        (Op::Close, [Some(Absent), None, None, None, None]),
        (Op::Open, [None; 5]),
        (Op::Reroute, [None, Some(Probing), Some(Active), Some(Draining), Some(Failed)]),
        (Op::Reflow, [Some(Absent), Some(Probing), Some(Active), Some(Draining), Some(Failed)]),
    ];
    for (what, results) in table {
        for ((state, before), result) in STATES.into_iter().zip(results) {
            let response = behind(before, Command::new(what, 0, 3).weight(5));
            let expected = (result.is_some(), result.unwrap_or(state));
            assert_eq!((response.done, response.state), expected, "{what:?} {state:?}");
            assert_eq!((response.op, response.qp, response.path), (what.code(), 0, 3));
            let closed = what == Op::Close && response.done;
            let mode = if closed { None } else { Some(Granularity::Flowlet) };
            assert_eq!((response.open, response.mode), (!closed, mode));
            let limit = match (what, response.state) {
                (_, State::Absent) => 0,
                (Op::Limit | Op::Add, _) if response.done => 5,
                _ => 7,
            };
            // Each of the two brings it to 5, by the limit or by itself; before it is 7.
            let changed = response.done && matches!(what, Op::Start | Op::Limit);
            let weight = match response.state {
                State::Active => 7 - 2 * u64::from(changed),
                _ => 0,
            };
            assert_eq!((response.limit, response.weight), (limit, weight), "{what:?} {state:?}");
        }
    }
}

#[test]
fn t17_arguments() {
    let on = |op: Op| Command::new(op, 0, 3).weight(5);
    let zero = |op: Op| on(op).weight(0);
    for (before, command) in [
        (STATES[0].1, zero(Op::Add)),
        (STATES[1].1, zero(Op::Start)),
        (STATES[2].1, zero(Op::Limit)),
        (STATES[0].1, Command { path: 8, ..on(Op::Add) }),
        (STATES[2].1, Command { path: 11, ..on(Op::Drain) }),
        (STATES[2].1, Command { path: 255, ..on(Op::Fail) }),
        (STATES[0].1, Command { path: 8, ..on(Op::Read) }),
        (STATES[0].1, Command { qp: 1, ..on(Op::Add) }),
        (STATES[0].1, Command { qp: 1, ..on(Op::Close) }),
        (STATES[0].1, Command { qp: 1, ..on(Op::Regrain) }),
        (STATES[0].1, on(Op::Regrain).mode(3)),
        (STATES[2].1, Command { op: 12, ..on(Op::Read) }),
        (STATES[1].1, on(Op::Start).unforced()),
        (STATES[0].1, on(Op::Reroute)),
        (STATES[2].1, Command { path: 8, ..on(Op::Reroute) }),
        (STATES[2].1, Command { qp: 1, ..on(Op::Reflow) }),
        (STATES[2].1, Command { op: 15, ..on(Op::Read) }),
    ] {
        assert!(!behind(before, command).done, "{command:?}");
    }
    let response = behind(STATES[2].1, Command { op: 13, ..on(Op::Read) });
    assert_eq!((response.op, response.open, response.state, response.limit), (13, true, State::Active, 7));
    let elsewhere = behind(STATES[2].1, Command { qp: 1, ..on(Op::Read) });
    let nothing = Response { cycle: 206, op: 0, qp: 1, path: 3, done: true, ..Response::default() };
    assert_eq!(elsewhere, nothing, "a closed QP is there to be read");
}

#[test]
fn t17_a_weight_is_at_most_the_limit() {
    for (limit, weight, later, expected) in
        [(5, 9, 15, (5, 15)), (9, 5, 7, (5, 7)), (9, 9, 4, (4, 4)), (15, 15, 1, (1, 1))]
    {
        let mut events = vec![op(500, Op::Add, 2, limit), op(520, Op::Start, 2, weight), op(540, Op::Limit, 2, later)];
        events.push(op(560, Op::Read, 2, 0));
        let read = response(&run(Granularity::Flow, &[], &events), 560);
        assert_eq!((read.weight, read.limit), expected);
    }
}

#[test]
fn t17_a_sub_path_with_packets_in_flight_is_not_removed() {
    let mut events = stream(400, 2);
    events.extend([op(500, Op::Drain, 0, 0), op(520, Op::Remove, 0, 0), feedback(530, 0, Kind::Good)]);
    events.extend([op(540, Op::Remove, 0, 0), op(560, Op::Close, 0, 0), feedback(570, 0, Kind::Timeout)]);
    events.extend([op(580, Op::Remove, 0, 0), op(600, Op::Close, 0, 0)]);
    let answer = run(Granularity::Flow, &[3], &events);
    let done = [520, 540, 560, 580, 600].map(|at| response(&answer, at).done);
    assert_eq!(done, [false, false, false, true, true]);
    assert_eq!([520, 540].map(|at| response(&answer, at).in_flight), [2, 1]);
}

#[test]
fn t17_start_knows_nothing_of_before() {
    let mut events = stream(400, 5);
    events.extend(told(500, 0, &[Kind::Timeout, Kind::Timeout, Kind::Timeout, Kind::Good, Kind::Good]));
    let ops = [(Op::Fail, 0), (Op::Remove, 0), (Op::Add, 9), (Op::Read, 0), (Op::Start, 4)];
    events.extend((510..).step_by(20).zip(ops).map(|(at, (what, weight))| op(at, what, 0, weight)));
    events.extend(stream(620, 4));
    events.extend(told(650, 0, &[Kind::Good, Kind::Good, Kind::Timeout, Kind::Timeout]));
    events.push(op(652, Op::Read, 0, 0));
    let answer = run_with(Settings::new(0, 3, 4), Granularity::Flow, &[3], &events);
    let added = response(&answer, 570);
    assert_eq!((added.state, added.congested, added.limit), (State::Probing, false, 9));
    let read = response(&answer, 652);
    assert_eq!((read.state, read.weight, read.congested), (State::Active, 1, true), "two lost, not five");
    assert_eq!((answer.grants[5].tag >> 2, answer.grants[5].flags & 8), (4, 0));
}

#[test]
fn t17_a_qp_that_is_opened_again_begins_anew() {
    let mut events = stream(400, 3);
    events.extend([feedback(450, 0, Kind::Good), feedback(451, 1, Kind::Good), feedback(452, 0, Kind::Good)]);
    let ops = [(Op::Drain, 0), (Op::Remove, 0), (Op::Drain, 1), (Op::Remove, 1), (Op::Close, 0)];
    events.extend((500..).step_by(20).zip(ops).map(|(at, (what, path))| op(at, what, path, 0)));
    let open = Command::open(0, 77, 0x00F00, Granularity::Flowlet);
    events.extend([(620, Event::Command(open)), op(640, Op::Add, 1, 3), op(660, Op::Start, 1, 3), data(680)]);
    let grant = run(Granularity::Packet, &[1, 1], &events).grants[3];
    assert_eq!((grant.path, grant.psn, grant.entropy), (1, 77, ENTROPY ^ 1));
    assert_eq!((grant.flags, grant.flowlet, grant.tag), (1, 0, 1 + 4 * 3));
}

/// T17: a sub-path that fails by itself is not removed before anybody has seen that, so that its last packets have counted.
#[test]
fn t17_a_sub_path_that_failed_by_itself_is_seen_before_it_is_removed() {
    let mut events = vec![data(400), feedback(500, 0, Kind::Timeout), data(498), data(504)];
    events.extend([op(501, Op::Remove, 0, 0), op(530, Op::Remove, 0, 0), feedback(540, 0, Kind::Good)]);
    events.extend([feedback(541, 0, Kind::Good), op(560, Op::Remove, 0, 0), op(580, Op::Add, 0, 5)]);
    let answer = run_with(Settings::new(1, 0, 1), Granularity::Flow, &[3], &events);
    let seen = [501, 530, 560, 580].map(|at| (response(&answer, at).done, response(&answer, at).in_flight));
    assert_eq!(seen, [(false, 0), (false, 2), (true, 0), (true, 0)]);
    assert_eq!(answer.feedback_absent, 0);
}
