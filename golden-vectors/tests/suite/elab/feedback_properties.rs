// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of every run of the receiving half, told from the outside.

use super::feedback_help::PORT;
use golden_vectors::elab::feedback::oracle::{Answer, Arrival, Event, Report, Settings, Shape, answer};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;

const BEGIN: u64 = 60;

#[derive(Clone, Debug)]
struct Run {
    shape: Shape,
    settings: Settings,
    /// In the order of their cycles.
    events: Vec<(u64, Event)>,
}

impl Run {
    fn answer(&self) -> Answer {
        answer(self.shape, self.settings, &self.events)
    }
}

prop_compose! {
    /// Packets and queries in nearly every cycle on four VPs, and many queries at the end.
    fn run()(
        latency in 1..4u64,
        burst in 0..6u64,
        arrivals in vec((0..5u64, 0..4u64, any::<bool>(), 0..3u64), 300),
        queried in vec((0..3u64, 0..5u64), 300),
    ) -> Run {
        let mut events = Vec::new();
        for (at, (dice, vp, ecn, burst)) in (BEGIN..).zip(arrivals) {
            if dice != 0 {
                let burst = if burst == 2 { at / 20 } else { burst };
                events.push((at, Event::Arrival(Arrival { pair: 0, sport: PORT + vp, ecn: ecn && dice == 1, burst })));
            }
        }
        for (at, (dice, pair)) in (BEGIN..).zip(queried) {
            if dice != 0 {
                events.push((at, Event::Query(if pair == 4 { 2 } else { 0 })));
            }
        }
        events.extend((BEGIN + 400..BEGIN + 410).map(|at| (at, Event::Query(0))));
        events.sort_by_key(|&(cycle, _)| cycle);
        Run { shape: Shape::new(2, 8, 50).ram_latency(latency), settings: Settings::new(burst), events }
    }
}

/// What was reported of each VP.
fn by_vp(answer: &Answer) -> BTreeMap<u64, Vec<Report>> {
    let mut by_vp: BTreeMap<_, Vec<_>> = BTreeMap::new();
    answer.reports.iter().filter(|report| report.ok).for_each(|r| by_vp.entry(r.vp).or_default().push(*r));
    by_vp
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(64), ..ProptestConfig::default() })]

    /// W6: every packet is reported once, and a mark is reported if there was one.
    #[test]
    fn every_packet_is_reported_once(run in run()) {
        let reported = by_vp(&run.answer());
        let mut arrived: BTreeMap<u64, (u64, bool)> = BTreeMap::new();
        for (_, event) in &run.events {
            if let Event::Arrival(arrival) = event {
                let (count, ecn) = arrived.entry(arrival.sport).or_default();
                (*count, *ecn) = (*count + 1, *ecn || arrival.ecn);
            }
        }
        let sums = reported.iter().map(|(&vp, list)| {
            (vp, (list.iter().map(|report| report.count).sum::<u64>(), list.iter().any(|report| report.ecn)))
        });
        prop_assert_eq!(sums.collect::<BTreeMap<_, _>>(), arrived);
    }

    /// W5: each VP that is known is reported once in a turn, and the last one twice.
    #[test]
    fn vps_take_turns(run in run()) {
        let vps: Vec<_> = run.answer().reports.iter().filter(|report| report.ok).map(|report| report.vp).collect();
        for window in vps[vps.len() - 10..].windows(5) {
            let mut sorted = window.to_vec();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, [0, 1, 2, 3, 3].map(|vp| PORT + vp));
        }
    }

    /// W4: every query is answered in its order.
    #[test]
    fn every_ask_is_answered(run in run()) {
        let answer = run.answer();
        let queried: Vec<_> =
            run.events.iter().filter_map(|&(at, e)| if let Event::Query(pair) = e { Some((at, pair)) } else { None }).collect();
        let distance = 2 * run.shape.ram_latency + 11;
        let answered: Vec<_> = answer.reports.iter().map(|report| (report.cycle - distance, report.pair)).collect();
        prop_assert_eq!(queried, answered);
        let refused = answer.reports.iter().filter(|report| !report.ok).count() as u64;
        prop_assert_eq!(refused, answer.refused_queries + answer.empty_queries);
        let blank = |r: &Report| *r == Report { cycle: r.cycle, pair: r.pair, ..Report::default() };
        prop_assert!(answer.reports.iter().all(|report| report.ok != blank(report)));
    }

    /// W7: no rate is above a packet in every cycle, but for what the rounding of m adds; without a burst there is none.
    #[test]
    fn rates_are_possible(run in run()) {
        for report in run.answer().reports {
            prop_assert!(report.probed == (report.rate > 0));
            prop_assert!(report.rate <= (50 << 16) + (50 << 9));
        }
    }
}
