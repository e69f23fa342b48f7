// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of every run, told from the outside: from what went in and came out, not from how it is decided.

use golden_vectors::transmit::path_scheduler::oracle::{
    Answer, Command, Event, Feedback, Grant, Granularity, Kind, Op, Packet, Request, Settings, Shape, State, answer,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Four sub-paths of QP 0 are active by then, whatever the latency.
const BEGIN: u64 = 250;

/// QP 0 with four sub-paths, then anything.
#[derive(Clone, Debug)]
struct Run {
    shape: Shape,
    settings: Settings,
    granularity: Granularity,
    weights: Vec<u64>,
    /// In the order of their cycles.
    events: Vec<(u64, Event)>,
}

impl Run {
    fn all(&self) -> Vec<(u64, Event)> {
        let mut all = vec![(20, Event::Command(Command::open(0, 0xFF_FFF0, 0x1000, self.granularity)))];
        for (path, &weight) in (0..).zip(&self.weights) {
            let on = |op| Command::new(op, 0, path).weight(if op == Op::Add { 15 } else { weight });
            all.push((40 + 40 * path, Event::Command(on(Op::Add))));
            all.push((60 + 40 * path, Event::Command(on(Op::Start))));
        }
        all.extend_from_slice(&self.events);
        all
    }

    fn answer(&self) -> Answer {
        answer(self.shape, self.settings, &self.all())
    }

    /// Each grant with the request that it answers.
    fn granted(&self) -> Vec<(Request, Grant)> {
        let requests = self.all().into_iter().filter_map(|(_, event)| match event {
            Event::Request(request) => Some(request),
            _ => None,
        });
        requests.zip(self.answer().grants).collect()
    }

    /// The same with reads of a sub-path every so many cycles instead of the operations, and without some feedback.
    fn reading(&self, path: u64, keep: impl Fn(&Feedback) -> bool) -> Run {
        let mut run = self.clone();
        run.events.retain(|(_, event)| match event {
            Event::Command(_) => false,
            Event::Feedback(feedback) => keep(feedback),
            _ => true,
        });
        let reads = (BEGIN + 5..BEGIN + 400).step_by(20);
        run.events.extend(reads.map(|at| (at, Event::Command(Command::new(Op::Read, 0, path)))));
        run.events.sort_by_key(|&(cycle, _)| cycle);
        run
    }

    /// The first cycles in which the packets of the stream on a sub-path count, as the shape's latency has it.
    fn counted(&self, path: u64) -> Vec<u64> {
        let l = self.shape.ram_latency;
        let on = |(request, grant): &(Request, Grant)| {
            grant.ok && request.kind != Packet::Probe && grant.path == path //
        };
        self.granted().iter().filter(|both| on(both)).map(|(_, grant)| grant.cycle - (2 * l + 6) + 2 * l + 7).collect()
    }
}

/// An operation on QP 0 or 1, lawful or not, but for opening and closing.
fn command((op, qp, path, weight): (u64, u64, u64, u64)) -> Command {
    Command { op: 3 + op, qp, path, weight, mode: weight % 4, force: weight % 3 > 0, ..Command::default() }
}

prop_compose! {
    fn run()(
        latency in 1..4u64,
        settings in (0..3u64, 0..5u64, 0..6u64),
        rtt in 0..3u64,
        granularity in 0..3usize,
        weights in vec(1..16u64, 4),
        requests in vec((0..4u64, 0..30u64, 0..6u64), 400),
        feedback in vec((0..3u64, 0..5u64, 0..10usize, 0..40u64), 400),
        operations in vec((0..10u64, 0..8u64, 0..5u64, 0..16u64), 20),
    ) -> Run {
        let kinds = [0, 0, 0, 1, 1, 2, 2, 3, 4, 6].map(|kind: usize| Kind::ALL[kind]);
        let packets = [Packet::Data, Packet::Retransmission, Packet::Probe];
        let mut events = Vec::new();
        for (at, (dice, kind, path)) in (BEGIN..).zip(requests) {
            let kind = packets.get(kind as usize).copied().unwrap_or(Packet::Data);
            if dice != 0 {
                events.push((at, Event::Request(Request { qp: 0, kind, path })));
            }
        }
        for (at, (dice, path, kind, rtt)) in (BEGIN + 3..).zip(feedback) {
            if dice != 0 {
                let feedback = Feedback { bandwidth: 3 * rtt, ..Feedback::new(0, path, kinds[kind]) };
                events.push((at, Event::Feedback(feedback.rtt(rtt))));
            }
        }
        for (at, (op, qp, path, weight)) in (BEGIN + 7..).step_by(18).zip(operations) {
            events.push((at, Event::Command(command((op, qp / 7, path, weight)))));
        }
        events.sort_by_key(|&(cycle, _)| cycle);
        Run {
            shape: Shape::new(2, 4).ram_latency(latency),
            settings: Settings::new(settings.0, settings.1, settings.2).window(20_000).rtt(rtt).delay(30),
            granularity: Granularity::ALL[granularity],
            weights,
            events,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(64), ..ProptestConfig::default() })]

    /// T6: whatever happens to the sub-paths, the data of a QP are numbered without a gap, and nothing else is.
    #[test]
    fn psns_are_contiguous(run in run()) {
        let mut psn = 0xFF_FFF0;
        for (request, grant) in run.granted() {
            if grant.ok {
                let away = if request.kind == Packet::Probe { 1 << 23 } else { 0 };
                prop_assert_eq!(grant.psn, psn ^ away);
            }
            if grant.ok && request.kind == Packet::Data {
                psn = (psn + 1) % (1 << 24);
            }
        }
    }

    /// T4, T13, T17: a weight is between 1 and the limit while the sub-path is active, else 0; a limit is never 0.
    #[test]
    fn weights_are_in_their_limits(run in run()) {
        for response in run.answer().responses {
            match response.state {
                State::Active | State::Probed => prop_assert!((1..=response.limit).contains(&response.weight), "{:?}", response),
                State::Absent => prop_assert_eq!((response.weight, response.limit), (0, 0)),
                _ => prop_assert!(response.weight == 0 && response.limit > 0, "{:?}", response),
            }
        }
        for (request, grant) in run.granted().into_iter().filter(|(_, grant)| grant.ok) {
            let weight = grant.tag >> 2;
            prop_assert!(weight < 256 && (weight > 0 || request.kind == Packet::Probe));
        }
    }

    /// T12: in granularity *flow*, where draws are few, the weight of one sub-path does not depend on what is said of others. Packets
    /// that are sent again go elsewhere (T22), so there are none.
    #[test]
    fn feedback_is_about_one_sub_path(run in run(), path in 0..4u64) {
        let mut run = Run { granularity: Granularity::Flow, settings: Settings { fail: 0, ..run.settings }, ..run };
        for (_, event) in &mut run.events {
            if let Event::Request(request @ Request { kind: Packet::Retransmission, .. }) = event {
                request.kind = Packet::Data;
            }
        }
        let report = |run: &Run| run.answer().responses.split_off(9);
        let (all, alone) = (run.reading(path, |_| true), run.reading(path, |feedback| feedback.path == path));
        prop_assert_eq!(report(&all), report(&alone));
        let silent = run.reading(path, |feedback| feedback.path != path);
        prop_assert!(report(&silent).iter().all(|read| read.weight == run.weights[path as usize] && !read.congested));
    }

    /// T11, T12, T28: what is in flight are the packets granted less the feedback that was accepted for them.
    #[test]
    fn what_is_in_flight_was_granted_and_not_answered_for(run in run(), path in 0..4u64) {
        let run = run.reading(path, |_| true);
        let (responses, counted) = (run.answer().responses, run.counted(path));
        let packets = |effect| counted.iter().filter(|&&from| from <= effect).count() as u64;
        let of = |accepted| responses.iter().find(|response| response.cycle == accepted + run.shape.ram_latency + 4);
        let is_packet = |feedback: Feedback| feedback.kind != Kind::Answer.code();
        let mut answered = 0;
        let mut effect = None;
        // Of one cycle the feedback comes first.
        for &(cycle, event) in &run.events {
            match event {
                Event::Feedback(feedback) if feedback.path == path && is_packet(feedback) && effect != Some(cycle) => {
                    answered += u64::from(packets(cycle) > answered);
                }
                Event::Command(_) => {
                    effect = Some(cycle + 1);
                    prop_assert_eq!(of(cycle).map(|read| read.in_flight), Some(packets(cycle + 1) - answered));
                }
                _ => {}
            }
        }
    }

    /// T3, T9: the number of a flowlet goes on by one where F is set, and stays elsewhere.
    #[test]
    fn flowlets_are_numbered_in_a_row(run in run()) {
        let mut flowlet = None;
        let stream = run.granted().into_iter().filter(|(request, grant)| grant.ok && request.kind != Packet::Probe);
        for (at, (_, grant)) in stream.enumerate() {
            if grant.tag & 3 != 1 {
                prop_assert_eq!((grant.flags & 1, grant.flowlet), (0, 0));
                continue;
            }
            let before = flowlet.unwrap_or(0);
            let next = if at == 0 { 0 } else { before + (grant.flags & 1) };
            prop_assert_eq!(grant.flowlet, next);
            flowlet = Some(next);
        }
    }

    /// T1: every request is answered in its turn, and refused ones are counted.
    #[test]
    fn every_request_is_answered_and_counted(run in run()) {
        let answer = run.answer();
        let asked: Vec<u64> =
            run.all().iter().filter(|(_, e)| matches!(e, Event::Request(_))).map(|&(cycle, _)| cycle).collect();
        let answered: Vec<u64> = answer.grants.iter().map(|grant| grant.cycle - 2 * run.shape.ram_latency - 6).collect();
        prop_assert_eq!(asked, answered);
        let refused = answer.grants.iter().filter(|grant| !grant.ok).count() as u64;
        prop_assert_eq!(refused, answer.refused_requests + answer.no_path_requests + answer.full_requests);
        let blank = |g: &Grant| *g == Grant { cycle: g.cycle, qp: g.qp, ..Grant::default() };
        prop_assert!(answer.grants.iter().all(|grant| grant.ok != blank(grant)));
    }
}
