// SPDX-License-Identifier: MIT OR Apache-2.0
//! T12, T13, T22 and T23: steps, delay, and sub-paths that are avoided.

use super::help::*;
use golden_vectors::transmit::path_scheduler::oracle::Kind::{Ecn, Good, Nack, Timeout};
use golden_vectors::transmit::path_scheduler::oracle::{
    Answer, Event, Feedback, Granularity, Kind, Op, Response, Settings, State,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Feedback is marked by its unit of time: the first cycle of unit `n` for feedback, whose time is that of 3 cycles later.
const fn unit(n: u64) -> u64 {
    64 * n - 3
}

/// The states of a sub-path of weight 200 after each of these feedbacks, all on packets in flight.
fn after(settings: Settings, kinds: &[(u64, Feedback)]) -> Vec<Response> {
    let mut events = vec![op(400, Op::Add, 7, 255), op(420, Op::Start, 7, 200)];
    events.extend(stream(440, kinds.len() as u64));
    for &(at, feedback) in kinds {
        events.extend([(at, Event::Feedback(Feedback { path: 7, ..feedback })), op(at, Op::Read, 7, 0)]);
    }
    let answer = run_with(settings, Granularity::Flow, &[], &events);
    assert_eq!(answer.feedback_absent, 0);
    kinds.iter().map(|&(at, _)| response(&answer, at)).collect()
}

fn weights(settings: Settings, kinds: &[(u64, Kind)]) -> Vec<u64> {
    let kinds: Vec<_> = kinds.iter().map(|&(at, kind)| (at, Feedback::new(0, 7, kind))).collect();
    after(settings, &kinds).iter().map(|read| read.weight).collect()
}

/// M69: one step per RTT, of which the last unit of time is the one after it.
#[test]
fn m69_marks_within_an_rtt_are_one_step() {
    let settings = SETTINGS.rtt(2);
    let at = unit(10);
    let marks = [(at, Ecn), (at + 20, Ecn), (at + 40, Nack), (unit(13) - 1, Ecn), (unit(13) + 20, Ecn)];
    assert_eq!(weights(settings, &marks), [175, 175, 175, 175, 154]);
    assert_eq!(weights(SETTINGS, &marks), [175, 154, 77, 68, 60], "without an RTT each is a step");
    assert_eq!(weights(settings, &[(at, Nack), (at + 20, Timeout), (at + 40, Ecn)]), [100, 1, 1]);
    // After a long pause the first mark is a step; deadlines are compared modulo 2^16.
    for pause in [64 << 14, 64 << 15, (64 << 16) - 64 * 70] {
        let step = if pause > 64 << 15 { 175 } else { 154 };
        assert_eq!(weights(settings, &[(at, Ecn), (at + pause, Ecn), (at + pause + 20, Ecn)]), [175, step, step]);
    }
    // From the last units of a round of times to the first of the next.
    let at = unit((1 << 16) - 1);
    assert_eq!(weights(settings, &[(at, Ecn), (at + 128, Ecn), (at + 192, Ecn)]), [175, 175, 154]);
}

/// M64, M47: a slow packet is a mark.
#[test]
fn m64_a_slow_packet_lowers_the_weight() {
    for (delay, rtt, slow) in [(9, 9, false), (9, 10, true), (0, 0xFFFF, false), (1, 0, false), (0xFFFE, 0xFFFF, true)]
    {
        let read = after(SETTINGS.delay(delay), &[(700, Feedback::new(0, 7, Good).rtt(rtt))])[0];
        assert_eq!((read.weight, read.congested), (if slow { 175 } else { 200 }, slow), "{delay} {rtt}");
    }
}

/// M62: so many steps without recovery.
#[test]
fn m62_avoided_after_so_many_steps() {
    let avoided = |settings: Settings, kinds: &[Kind]| {
        let kinds: Vec<_> = (700..).step_by(20).zip(kinds).map(|(at, &kind)| (at, Feedback::new(0, 7, kind))).collect();
        after(settings, &kinds).iter().map(|read| read.avoided).collect::<Vec<_>>()
    };
    let settings = Settings::new(1, 2, 0).migrate(2);
    assert_eq!(avoided(settings, &[Ecn, Nack, Good, Good, Ecn]), [false, true, true, false, false]);
    assert_eq!(avoided(settings, &[Ecn, Good, Ecn]), [false, false, true], "one GOOD is no recovery");
    assert_eq!(avoided(settings, &[Ecn, Good, Good, Ecn]), [false; 4]);
    assert_eq!(avoided(settings.rtt(1), &[Ecn, Ecn, Ecn]), [false; 3], "in the same RTT");
    assert_eq!(avoided(settings.migrate(0), &[Ecn; 9]), [false; 9]);
    let recovered = avoided(settings, &[Ecn, Ecn, Kind::Answer]);
    assert_eq!(recovered, [false, true, false]);
}

/// A stream of data, one packet in 40 cycles, each answered 100 cycles later by the kind that `told` says.
fn answered(settings: Settings, granularity: Granularity, told: impl Fn(u64, u64) -> Kind) -> Answer {
    let weights = [1, 15];
    let mut events: Vec<(u64, Event)> = Vec::new();
    for n in 0..300 {
        events.push(data(500 + 40 * n));
        let granted = run_with(settings, granularity, &weights, &events).grants;
        let path = granted.last().unwrap().path;
        events.push(feedback(500 + 40 * n + 30, path, told(n, path)));
    }
    run_with(settings, granularity, &weights, &events)
}

/// M62, M70, M65: a flow leaves a congested sub-path after so many RTTs, with S, and stays on the better one.
#[test]
fn m70_a_flow_leaves_a_congested_sub_path() {
    let settings = Settings::new(1, 2, 3).rtt(4).migrate(3);
    let answer = answered(settings, Granularity::Flow, |_, path| if path == 1 { Ecn } else { Good });
    let paths = column(&answer, |grant| grant.path);
    let left = paths.iter().position(|&path| path == 0).unwrap() as u64;
    // It begins on the better one. Steps come in the first unit of time and after 5 units each.
    let cycles = 40 * left;
    assert!((2 * 4 * 64..=3 * 6 * 64).contains(&cycles), "left after {cycles} cycles");
    assert!(paths[left as usize..].iter().all(|&path| path == 0));
    let switched: Vec<_> = answer.grants.iter().enumerate().filter(|(_, g)| g.flags & 2 != 0).map(|(n, _)| n).collect();
    assert_eq!(switched, [left as usize]);
    assert!(answer.reports.iter().any(|report| report.causes.congested && report.path == 1));
    // As before, without migration: it stays for ever.
    let stays = answered(settings.migrate(0), Granularity::Flow, |_, path| if path == 1 { Ecn } else { Good });
    assert!(column(&stays, |grant| grant.path).iter().all(|&path| path == 1));
}

#[test]
fn m70_packets_leave_a_congested_sub_path() {
    let settings = Settings::new(1, 2, 3).rtt(4).migrate(3);
    let answer = answered(settings, Granularity::Packet, |_, path| if path == 1 { Ecn } else { Good });
    let last = column(&answer, |grant| grant.path).split_off(200);
    // By its weight, which has fallen from 15 to 1 of 16.
    let congested = last.iter().filter(|&&path| path == 1).count();
    assert!((1..=10).contains(&congested), "{congested} of {}", last.len());
    // If all are congested none is avoided.
    let answer = answered(settings, Granularity::Packet, |_, _| Ecn);
    let last = column(&answer, |grant| grant.path).split_off(200);
    assert!((40..=60).contains(&last.iter().filter(|&&path| path == 0).count()), "{last:?}");
}

/// M62, M63: only flows leave an avoided sub-path at once. Packets and flowlets go on by weight, or else one sub-path after
/// the other would be left out, and the last one would get all packets.
#[test]
fn m62_flows_alone_avoid() {
    let settings = Settings::new(1, 2, 3).migrate(1);
    for granularity in Granularity::ALL {
        let mut events = stream(500, 4);
        events.push(feedback(520, 1, Ecn));
        events.push(feedback(521, 0, Ecn));
        events.push(feedback(522, 0, Good));
        events.push(feedback(523, 0, Good));
        events.extend((0..10).map(|n| data(1000 + 200 * n)));
        let paths = column(&run_with(settings, granularity, &[4, 4], &events), |grant| grant.path).split_off(4);
        let uses = paths.contains(&1);
        assert_eq!(uses, granularity != Granularity::Flow, "{granularity:?}: {paths:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(48), ..ProptestConfig::default() })]

    /// M69, M68: at most one step per RTT and sub-path. The weight falls by at most one halving (or to 1 by TIMEOUT) in
    /// any RTT, and not at all on the other sub-path.
    #[test]
    fn at_most_one_step_per_rtt(rtt in 1..5u64, kinds in vec(0..5usize, 200)) {
        let mut events = vec![op(400, Op::Add, 7, 255), op(420, Op::Start, 7, 255)];
        events.extend(stream(440, 90));
        let kinds = kinds.into_iter().map(|kind| [Good, Ecn, Nack, Ecn, Good][kind]);
        for (at, kind) in (600..).step_by(16).zip(kinds).take(90) {
            events.extend([feedback(at, 7, kind), op(at, Op::Read, 7, 0)]);
        }
        let answer = run_with(Settings::new(1, 0, 0).rtt(rtt), Granularity::Flow, &[], &events);
        let reads: Vec<_> = answer.responses.iter().filter(|read| read.path == 7 && read.state == State::Active).collect();
        let falls: Vec<u64> =
            reads.windows(2).filter(|pair| pair[1].weight < pair[0].weight).map(|pair| pair[1].cycle).collect();
        prop_assert!(falls.windows(2).all(|pair| pair[1] - pair[0] >= 64 * rtt), "{:?}", falls);
    }
}
