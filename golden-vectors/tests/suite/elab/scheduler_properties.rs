// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of every run of the sending half, told from the outside: from what went in and came out, not from how
//! it is decided.

use golden_vectors::elab::scheduler::oracle::{
    Answer,
    Command,
    Event,
    Grant,
    Op,
    Report,
    Settings,
    Shape,
    answer, //
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Four VPs of pair 0 are there by then, whatever the latency.
const BEGIN: u64 = 250;
const PORT: u64 = 0x7770;

/// Pair 0 with four VPs, then anything.
#[derive(Clone, Debug)]
struct Run {
    shape: Shape,
    settings: Settings,
    bandwidths: Vec<u64>,
    /// In the order of their cycles.
    events: Vec<(u64, Event)>,
}

impl Run {
    fn all(&self) -> Vec<(u64, Event)> {
        let add = |(vp, &bandwidth)| (60 + 20 * vp, Event::Command(Command::add(0, PORT + vp, bandwidth)));
        (0..).zip(&self.bandwidths).map(add).chain(self.events.iter().copied()).collect()
    }

    fn answer(&self) -> Answer {
        answer(self.shape, self.settings, &self.all())
    }

    /// The same without some events.
    fn without(&self, drop: impl Fn(&Event) -> bool) -> Run {
        let mut run = self.clone();
        run.events.retain(|(_, event)| !drop(event));
        run
    }

    /// The same with reads of a VP every so many cycles instead of the operations.
    fn reading(&self, vp: u64) -> Run {
        let mut run = self.without(|event| matches!(event, Event::Command(_)));
        let reads = (BEGIN + 5..BEGIN + 400).step_by(20);
        run.events.extend(reads.map(|at| (at, Event::Command(Command::new(Op::Read, 0, PORT + vp)))));
        run.events.sort_by_key(|&(cycle, _)| cycle);
        run
    }
}

prop_compose! {
    fn run()(
        latency in 1..4u64,
        settings in (0..256u64, 0..5u64, 0..6u64, 0..5u64),
        bandwidths in vec(1..1_u64 << 24, 4),
        requests in vec((0..5u64, 0..3u64), 400),
        reports in vec((0..4u64, 0..5u64, 0..50u64, 0..10u8, 0..1_u64 << 25), 400),
        operations in vec((0..4u64, 0..5u64, 0..1_u64 << 24), 20),
    ) -> Run {
        let mut events = Vec::new();
        for (at, (dice, pair)) in (BEGIN..).zip(requests) {
            if dice != 0 {
                events.push((at, Event::Request(if dice == 1 { pair } else { 0 })));
            }
        }
        for (at, (dice, vp, count, news, rate)) in (BEGIN + 3..).zip(reports) {
            if dice != 0 {
                let (ecn, probed) = (news == 1 || news == 2, news == 2 || news == 3);
                events.push((at, Event::Report(Report { pair: 0, vp: PORT + vp, count, ecn, probed, rate })));
            }
        }
        for (at, (op, vp, bandwidth)) in (BEGIN + 7..).step_by(18).zip(operations) {
            events.push((at, Event::Command(Command { op, pair: 0, sport: PORT + vp, bandwidth })));
        }
        events.sort_by_key(|&(cycle, _)| cycle);
        let (alpha, window, explore, burst) = settings;
        Run { shape: Shape::new(3, 8, 8).ram_latency(latency), settings: Settings::new(alpha, window, explore, burst), bandwidths, events }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(64), ..ProptestConfig::default() })]

    /// V3: the packets of a burst go to one VP while it stays, bursts have numbers in a row, each of so many packets but
    /// for the last one.
    #[test]
    fn bursts_are_whole(run in run()) {
        let run = run.without(|event| matches!(event, Event::Command(_)));
        let answer = run.answer();
        let packets: Vec<_> = answer.grants.iter().filter(|grant| grant.ok && grant.pair == 0).collect();
        let last = packets.iter().map(|grant| grant.burst).max().unwrap_or_default();
        prop_assert_eq!(last, answer.bursts);
        for number in 1..=last {
            let of: Vec<_> = (0..packets.len()).filter(|&at| packets[at].burst == number).collect();
            let first = packets[of[0]];
            prop_assert!(of.iter().all(|&at| packets[at].vp == first.vp));
            prop_assert_eq!(of[of.len() - 1] - of[0] + 1, of.len(), "without another packet among them");
            prop_assert!(of.len() as u64 == run.settings.burst || number == last && of[of.len() - 1] == packets.len() - 1);
        }
    }

    /// V8: reports of one VP do not change another.
    #[test]
    fn reports_concern_their_vp_alone(run in run(), vp in 0..4u64) {
        let run = run.reading(vp);
        let others = |event: &Event| matches!(event, Event::Report(report) if report.vp != PORT + vp);
        prop_assert_eq!(run.answer().responses, run.without(others).answer().responses);
    }

    /// Requests change nothing that reports or operations find, and a refused one nothing that others find (V2).
    #[test]
    fn requests_do_not_reach_responses_and_refused_ones_nobody(run in run(), vp in 0..4u64) {
        let run = run.reading(vp);
        let request = |event: &Event| matches!(event, Event::Request(_));
        prop_assert_eq!(run.answer().responses, run.without(request).answer().responses);
        let stranger = |event: &Event| matches!(event, Event::Request(pair) if *pair != 0);
        let (with, without) = (run.answer(), run.without(stranger).answer());
        let kept: Vec<_> = with.grants.iter().filter(|grant| grant.pair == 0).copied().collect();
        prop_assert_eq!(kept, without.grants);
    }

    /// V12, V16: whatever happens, *B* is where it began, a rate that was reported, or *R* at a mark; without marks and
    /// bursts it stays.
    #[test]
    fn bandwidths_come_from_somewhere(run in run(), vp in 0..4u64) {
        let mut quiet = run.reading(vp);
        for (_, event) in &mut quiet.events {
            if let Event::Report(report) = event {
                (report.ecn, report.probed) = (false, false);
            }
        }
        let answer = quiet.answer();
        prop_assert!(answer.responses[4..].iter().all(|r| r.bandwidth == run.bandwidths[vp as usize] && !r.probe_armed));
        prop_assert_eq!(answer.bursts, 0);
    }

    /// V1, V2: every request is answered in its order, with a VP or with nothing, and counted if with nothing.
    #[test]
    fn every_request_is_answered(run in run()) {
        let answer = run.answer();
        let asked: Vec<_> =
            run.all().iter().filter_map(|&(at, e)| if let Event::Request(pair) = e { Some((at, pair)) } else { None }).collect();
        let distance = 2 * run.shape.ram_latency + 8;
        let answered: Vec<_> = answer.grants.iter().map(|grant| (grant.cycle - distance, grant.pair)).collect();
        prop_assert_eq!(asked, answered);
        let refused = answer.grants.iter().filter(|grant| !grant.ok).count() as u64;
        prop_assert_eq!(refused, answer.refused_requests + answer.no_vp_requests);
        let blank = |g: &Grant| *g == Grant { cycle: g.cycle, pair: g.pair, ..Grant::default() };
        prop_assert!(answer.grants.iter().all(|grant| grant.ok != blank(grant)));
        prop_assert!(answer.grants.iter().all(|grant| !grant.ok || grant.sport % 8 == grant.vp));
    }
}
