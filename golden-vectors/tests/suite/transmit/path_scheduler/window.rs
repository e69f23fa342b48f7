// SPDX-License-Identifier: MIT OR Apache-2.0
//! T2, T11 and T20: the number in flight never wraps, and a full sub-path takes nothing.

use super::help::*;
use golden_vectors::transmit::path_scheduler::oracle::{
    Answer, Command, Event, Feedback, Granularity, Kind, Op, Packet, Request, Settings, Shape, State, answer,
};
use proptest::prelude::*;

fn run_wide(window: u64, granularity: Granularity, weights: &[u64], events: &[(u64, Event)]) -> Answer {
    run_with(SETTINGS.window(window), granularity, weights, events)
}

/// M62, M74: with thousands in flight, each counts, no feedback is ignored, and nothing is removed.
#[test]
fn m62_5000_packets_in_flight_count() {
    for count in [4095, 4096, 4097, 5000, 16_384] {
        let mut events = stream(400, count);
        events.extend([op(20_000, Op::Read, 0, 0), feedback(20_010, 0, Kind::Ecn), op(20_020, Op::Drain, 0, 0)]);
        events.extend([op(20_040, Op::Remove, 0, 0), op(20_060, Op::Close, 0, 0)]);
        events.extend(told(20_100, 0, &vec![Kind::Good; count as usize]));
        let end = 20_200 + count;
        events.extend([op(end, Op::Remove, 0, 0), op(end + 20, Op::Close, 0, 0)]);
        let answer = run_wide(20_000, Granularity::Flow, &[9], &events);
        assert_eq!((response(&answer, 20_000).in_flight, response(&answer, 20_020).in_flight), (count, count - 1));
        assert_eq!([20_040, 20_060].map(|at| response(&answer, at).done), [false, false], "{count}");
        // One more feedback than packets.
        assert_eq!((answer.feedback_absent, answer.full_requests), (1, 0));
        assert_eq!([end, end + 20].map(|at| response(&answer, at).done), [true, true], "{count}");
    }
}

/// M67: the widest windows of all widths, without any feedback.
#[test]
fn m62_the_number_in_flight_stays_below_half_of_its_range() {
    for latency in 1..4 {
        for bits in [8, 9, 12] {
            for window in [1 << (bits - 1), (1 << (bits - 1)) - 32, (1 << (bits - 1)) - 33] {
                let shape = SHAPE.in_flight_bits(bits).ram_latency(latency);
                let mut events = running(Granularity::Flow, &[9]);
                events.extend(stream(400, 5000));
                events.push(op(6000, Op::Read, 0, 0));
                let answer = answer(shape, SETTINGS.window(window - 1), &events);
                let read = answer.responses.last().unwrap();
                assert!(read.full && read.in_flight < 1 << (bits - 1), "{read:?}");
                assert_eq!(read.in_flight, answer.grants.iter().filter(|grant| grant.ok).count() as u64);
                assert_eq!(answer.full_requests, 5000 - read.in_flight);
            }
        }
    }
}

/// M47: a request is refused with a cause of its own if all active sub-paths are full.
#[test]
fn m47_full_sub_paths_are_passed_over() {
    let mut events = stream(400, 4);
    // Packets 0 and 2 went to sub-path 0.
    events.extend([data(430), feedback(450, 0, Kind::Good), data(470), probe(471, 1), feedback(480, 1, Kind::Good)]);
    events.extend([data(500), data(501)]);
    let answer = run_wide(2, Granularity::Packet, &[3, 3], &events);
    let paths: Vec<_> = answer.grants.iter().map(|grant| grant.ok.then_some(grant.path)).collect();
    assert_eq!(paths, [Some(0), Some(1), Some(0), Some(1), None, Some(0), Some(1), Some(1), Some(1)]);
    assert_eq!((answer.full_requests, answer.no_path_requests, answer.refused_requests), (1, 0, 0));
}

#[test]
fn m47_a_flow_leaves_a_full_sub_path_and_stays_away() {
    let mut events = stream(400, 3);
    events.extend([data(430), feedback(440, 0, Kind::Good), feedback(441, 0, Kind::Good), data(470), data(471)]);
    let answer = run_wide(3, Granularity::Flow, &[9, 1], &events);
    assert_eq!(column(&answer, |grant| grant.path), [0, 0, 0, 1, 1, 1]);
    assert_eq!(column(&answer, |grant| grant.flags), [0, 0, 0, 2, 0, 0]);
}

#[test]
fn t20_a_window_of_0_counts_as_1_and_the_greatest_ones_as_less() {
    let shape = Shape::new(1, 2).in_flight_bits(8);
    assert_eq!([0, 1, 95, 96, 127].map(|value| shape.window(value)), [1, 1, 95, 64, 95]);
    let shape = shape.in_flight_bits(16);
    assert_eq!([293, 32_735, 32_736, 32_767].map(|value| shape.window(value)), [293, 32_735, 32_704, 32_735]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(48), ..ProptestConfig::default() })]

    /// M62, M67, M74: whatever comes, the number in flight is at most the window and what is in the pipeline, no feedback
    /// is ignored that is for a packet granted long enough before, and what is absent has nothing in flight.
    #[test]
    fn in_flight_never_wraps(
        window in 1..128u64,
        latency in 1..4u64,
        dice in proptest::collection::vec((0..4u64, 0..3u64, 0..20u64), 600),
    ) {
        let shape = Shape::new(1, 4).ram_latency(latency).in_flight_bits(8);
        let mut events = running(Granularity::Packet, &[7, 3, 1]);
        for (at, &(request, path, rest)) in (400..).zip(&dice) {
            if request > 0 {
                events.push((at, Event::Request(Request { qp: 0, kind: Packet::Data, path: 0 })));
            }
            // In the cycle after a command no feedback is accepted.
            if rest < 12 && at % 20 != 1 {
                events.push((at, Event::Feedback(Feedback::new(0, path, Kind::Good))));
            }
            if at % 20 == 0 {
                let op = [Op::Drain, Op::Remove, Op::Add, Op::Start][(rest % 4) as usize];
                events.push((at, Event::Command(Command::new(op, 0, path).weight(5))));
            } else if at % 20 == 19 {
                events.push((at, Event::Settings(Some(SETTINGS.window(window)))));
            }
        }
        let answer = answer(shape, SETTINGS.window(window), &events);
        // The packets that do not yet see that it is full, and once more if a feedback makes room as early as can be.
        let most = shape.window(window) + 4 * latency + 12;
        let mut sent = [0i64; 4];
        for response in &answer.responses {
            prop_assert!(response.in_flight <= most && most < 128, "{response:?}");
            prop_assert!(response.state != State::Absent || response.in_flight == 0);
        }
        for grant in answer.grants.iter().filter(|grant| grant.ok) {
            sent[grant.path as usize] += 1;
        }
        let feedback = events.iter().filter(|(_, event)| matches!(event, Event::Feedback(_))).count() as i64;
        // Feedback is refused for absence alone, and is never more than what was sent.
        prop_assert!(feedback - answer.feedback_absent as i64 <= sent.iter().sum());
    }
}

/// T20: a window that becomes smaller than what is in flight makes the sub-path full with the next packet.
#[test]
fn t20_windows_that_change() {
    let set = |at, window| (at, Event::Settings(Some(Settings::window(SETTINGS, window))));
    let mut events = stream(400, 5);
    events.extend([set(430, 2), data(440), data(460), feedback(470, 0, Kind::Good), data(490), set(500, 9)]);
    events.extend([feedback(510, 0, Kind::Good), data(530)]);
    let answer = run_wide(20, Granularity::Flow, &[9], &events);
    assert_eq!(column(&answer, |grant| grant.ok)[5..], [true, false, false, true]);
}
