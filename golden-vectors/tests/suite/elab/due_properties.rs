// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of reports of their own in every run, with a consumer that asks for every pair that is due.

use super::feedback_help::PORT;
use golden_vectors::elab::feedback::oracle::{Arrival, Due, Event, Settings, Shape, answer, due};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const VPS: u64 = 4;
/// Traffic ends with this cycle.
const QUIET: u64 = 360;

#[derive(Clone, Debug)]
struct Run {
    shape: Shape,
    settings: Settings,
    /// In the order of their cycles.
    events: Vec<(u64, Event)>,
    /// Cycles from the transfer of a pair to the query for it.
    delay: u64,
}

prop_compose! {
    /// Some VPs become known first. Then packets, queries of packets that go back, and commands come and go. The consumer
    /// stalls.
    fn run()(
        latency in 1..4u64,
        pairs in 1..5u64,
        time in 1..60u64,
        known in 1..=VPS,
        delay in 0..30u64,
        arrivals in vec((0..6u64, 0..4u64, 0..VPS), 200),
        queried in vec((0..6u64, 0..4u64), 200),
        commands in vec((0..40u64, 0..4u64), 200),
        levels in vec((0..8u64, any::<bool>()), 200),
    ) -> Run {
        let shape = Shape::new(pairs, VPS, 50).ram_latency(latency);
        let arrive = |pair, vp| Event::Arrival(Arrival { pair, sport: PORT + vp, ..Arrival::default() });
        let first = (0..pairs * known).map(|n| (80 + n, arrive(n / known, n % known)));
        let mut events: Vec<_> = first.collect();
        let begin = QUIET - 200;
        let arrivals = (begin..).zip(arrivals).filter(|(at, (dice, ..))| at / 40 % 2 == 0 || *dice == 0);
        events.extend(arrivals.map(|(at, (_, pair, vp))| (at, arrive(pair % pairs, vp))));
        let queried = (begin..).zip(queried).filter(|(at, (dice, _))| at / 30 % 2 == 0 || *dice == 0);
        events.extend(queried.map(|(at, (_, pair))| (at, Event::Query(pair % pairs))));
        // One is accepted in every other cycle; in the next cycle there is no packet.
        let commands = (begin..).zip(commands).filter(|(at, (dice, _))| at % 2 == 0 && *dice == 0);
        let commands: Vec<_> = commands.map(|(at, (_, pair))| (at, Event::Command(pair % pairs))).collect();
        let effects: BTreeSet<_> = commands.iter().map(|(at, _)| at + 1).collect();
        events.retain(|(at, event)| !matches!(event, Event::Arrival(_)) || !effects.contains(at));
        events.extend(commands);
        let levels = (begin..).zip(levels).filter(|(_, (dice, _))| *dice == 0);
        events.extend(levels.map(|(at, (_, level))| (at, Event::DueReady(level))));
        events.push((QUIET, Event::DueReady(true)));
        events.sort_by_key(|&(cycle, _)| cycle);
        Run { shape, settings: Settings::new(3).report_time(time), events, delay }
    }
}

impl Run {
    /// By then all is reported: each pair is due once for each of its VPs, one after the other.
    fn end(&self) -> u64 {
        let [pairs, time] = [self.shape.pairs, self.settings.report_time];
        QUIET + (VPS + 2) * (time + 2 * pairs + self.delay + 30)
    }

    fn due(&self) -> Vec<Due> {
        due(self.shape, self.settings, &self.events, self.end())
    }

    /// With a query for every pair that was taken; each in a cycle without another one.
    fn asked(mut self) -> Self {
        let mut last = 0;
        while let Some(next) = self.due().into_iter().find(|due| due.taken && due.cycle > last) {
            last = next.cycle;
            let taken = |at: u64| self.events.iter().any(|&(cycle, e)| cycle == at && matches!(e, Event::Query(_)));
            let at = (last + self.delay..).find(|&at| !taken(at)).unwrap();
            self.events.push((at, Event::Query(next.pair)));
            self.events.sort_by_key(|&(cycle, _)| cycle);
        }
        self
    }

    /// The cycle of the last packet of each pair, and the VPs that are known in the end.
    fn last(&self) -> BTreeMap<u64, (u64, BTreeSet<u64>)> {
        let mut last: BTreeMap<u64, (u64, BTreeSet<u64>)> = BTreeMap::new();
        for &(at, event) in &self.events {
            match event {
                Event::Arrival(Arrival { pair, sport, .. }) => {
                    let (packet, vps) = last.entry(pair).or_default();
                    *packet = at;
                    vps.insert(sport - PORT);
                }
                Event::Command(pair) => last.entry(pair).or_default().1.clear(),
                _ => {}
            }
        }
        last
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(64), ..ProptestConfig::default() })]

    /// W13: each VP that is known in the end is reported after the last packet of its pair, and then nothing is due any more.
    #[test]
    fn each_vp_is_reported_after_the_last_packet(run in run()) {
        let run = run.asked();
        let distance = run.shape.report();
        let answer = answer(run.shape, run.settings, &run.events);
        for (pair, (last, known)) in run.last() {
            let reports = answer.reports.iter().filter(|r| r.pair == pair && r.ok && r.cycle - distance >= last);
            let vps: BTreeSet<_> = reports.map(|report| report.vp - PORT).collect();
            prop_assert!(vps.is_superset(&known), "pair {}: {:?} of {:?}", pair, vps, known);
        }
        let quiet = run.end() - run.settings.report_time - 2 * run.shape.pairs - run.delay - 20;
        prop_assert!(run.due().iter().all(|due| due.cycle < quiet));
    }

    /// W13: after the last packet each VP is reported once, no more, if nothing else asks and the answer is in time; the last one of
    /// a turn may be twice (W5).
    #[test]
    fn no_vp_is_reported_too_often(run in run()) {
        let mut run = run;
        let begin = QUIET - 200;
        run.events.retain(|&(at, _)| at < begin);
        run.settings.report_time = run.delay + 3 * run.shape.pairs + 30;
        let run = run.asked();
        let answer = answer(run.shape, run.settings, &run.events);
        let mut reports: Vec<_> =
            answer.reports.iter().map(|report| (report.pair, report.vp - PORT, report.count)).collect();
        reports.sort_by_key(|report| report.0);
        let again = |two: &[(u64, u64, u64)]| two[1] == (two[0].0, two[0].1, 0);
        let mut vps: Vec<_> = reports.windows(2).filter(|two| !again(two)).map(|two| two[1]).collect();
        vps.extend(reports.first());
        vps.sort_unstable();
        let once: Vec<_> = run.last().into_iter().flat_map(|(pair, (_, vps))| vps.into_iter().map(move |vp| (pair, vp, 1))).collect();
        prop_assert_eq!(vps, once);
    }

    /// W14: what is on the output stays there until it is taken.
    #[test]
    fn the_output_stands_until_it_is_taken(run in run()) {
        let dues = run.due();
        for two in dues.windows(2) {
            let stands = (two[1].cycle, two[1].pair) == (two[0].cycle + 1, two[0].pair);
            prop_assert!(two[0].taken || stands, "{:?}", two);
        }
        prop_assert!(dues.last().is_none_or(|due| due.taken || due.cycle + 1 == run.end()));
    }

    /// W13: a pair for which nobody asks is due again and again, and never before the time has passed.
    #[test]
    fn a_pair_without_an_answer_is_due_every_time(run in run()) {
        let mut run = run;
        run.events.retain(|&(_, event)| matches!(event, Event::Arrival(_)));
        let [pairs, time] = [run.shape.pairs, run.settings.report_time];
        let dues = run.due();
        for pair in 0..pairs {
            let cycles: Vec<_> = dues.iter().filter(|due| due.pair == pair).map(|due| due.cycle).collect();
            prop_assert!(cycles.len() > 2);
            prop_assert!(cycles.windows(2).all(|two| two[1] - two[0] == time.next_multiple_of(pairs)));
        }
    }

    /// W13: with the time 0 nothing is due.
    #[test]
    fn without_a_time_nothing_is_due(run in run()) {
        let run = Run { settings: Settings::new(3), ..run };
        prop_assert_eq!(run.due(), vec![]);
    }
}
