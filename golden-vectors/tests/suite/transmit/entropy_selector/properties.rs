// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of every run, told from the outside: from what went in and came out, not from how it is decided.

use golden_vectors::transmit::entropy_selector::oracle::{
    ALL_FREE, Answer, Command, Ev, Event, Grant, Kind, Op, Settings, Shape, answer,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// One CCC of some RTT class, open by cycle 30; all runs have a constant RTT.
#[derive(Clone, Debug)]
struct Run {
    shape: Shape,
    settings: Settings,
    class: u64,
    /// Cycle, EV and kind of each feedback.
    feedback: Vec<(u64, u64, Kind)>,
    requests: Vec<u64>,
}

impl Run {
    fn answer(&self) -> Answer {
        self.answer_with(&self.feedback)
    }

    fn answer_with(&self, feedback: &[(u64, u64, Kind)]) -> Answer {
        let mut events: Vec<_> =
            feedback.iter().map(|&(at, ev, kind)| (at, Event::Feedback(0, Ev::Own(ev), kind))).collect();
        events.extend(self.requests.iter().map(|&at| (at, Event::Request(0, ALL_FREE))));
        events.sort_by_key(|&(cycle, _)| cycle);
        events.insert(0, (9, Event::Command(Command::new(Op::Open, 0, 0).class(self.class))));
        answer(self.shape, self.settings, &events)
    }

    /// The RTT of the CCC.
    fn rtt(&self) -> u64 {
        self.settings.rtt << self.class
    }

    /// What can mark, as (cycle, EV).
    fn marks(&self) -> impl Iterator<Item = (u64, u64)> {
        let real = |&&(_, ev, kind): &&(u64, u64, Kind)| {
            matches!(kind, Kind::Ecn | Kind::Nack | Kind::Timeout) && ev < self.shape.evs
        };
        self.feedback.iter().filter(real).map(|&(at, ev, _)| (at, ev))
    }

    /// EVs marked between two cycles, both included.
    fn marked(&self, from: u64, to: u64) -> BTreeSet<u64> {
        self.marks().filter(|&(at, _)| (from..=to).contains(&at)).map(|(_, ev)| ev).collect()
    }
}

/// The cycle of the request. With memories of latency 1, 2 and 3 grants come, and marks are seen, after 7, 8 and 9 cycles.
fn asked(run: &Run, grant: &Grant) -> u64 {
    grant.cycle - after(run)
}

fn after(run: &Run) -> u64 {
    6 + run.shape.ram_latency
}

prop_compose! {
    fn run()(
        bits in 4..7u32,
        latency in 1..4u64,
        rtt in 64..300u64,
        class in 0..3u64,
        share in 0.0..1.2f64,
        hot in 1..65u64,
    )(
        shape in Just(Shape::new(1, 1 << bits).ram_latency(latency)),
        class in Just(class),
        settings in Just(Settings::new(rtt, (share * 256.0) as u64)),
        feedback in vec((0.0..1.0f64, 0..hot, 0..8usize), 1500),
        requests in vec(0.0..1.0f64, 1500),
        busy in (0.0..1.0f64, 0.0..1.0f64),
    ) -> Run {
        let feedback = (30..).zip(feedback).filter(|(_, (dice, _, _))| *dice < busy.0);
        Run {
            shape,
            settings,
            class,
            feedback: feedback.map(|(at, (_, ev, kind))| (at, ev, Kind::of(kind as u64))).collect(),
            requests: (30..).zip(requests).filter(|(_, dice)| *dice < busy.1).map(|(at, _)| at).collect(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(128), ..ProptestConfig::default() })]

    /// U10, U11: for one RTT from when the mark is seen, the EV is not granted unless the CCC is saturated.
    #[test]
    fn u10_u11_a_marked_ev_rests_for_one_rtt(run in run()) {
        let grants = run.answer().grants;
        for (at, ev) in run.marks() {
            for grant in grants.iter().filter(|g| g.index == ev && (at + after(&run)..=at + run.rtt()).contains(&asked(&run, g))) {
                prop_assert!(grant.saturated, "EV {} marked in {}, granted in {}", ev, at, asked(&run, grant));
            }
        }
    }

    /// U11: what is older than two RTT has no influence: without it the same is granted. The walk remembers what it
    /// granted before, so only a run that has no request before that time can be compared.
    #[test]
    fn u11_a_mark_is_forgotten_after_two_rtt(run in run()) {
        let rtt = run.rtt();
        let from = 30 + 3 * rtt;
        let late = Run { requests: run.requests.iter().copied().filter(|&at| at >= from).collect(), ..run.clone() };
        let fresh: Vec<_> = run.feedback.iter().copied().filter(|&(at, ..)| at >= from - 2 * rtt).collect();
        prop_assert_eq!(late.answer().grants, late.answer_with(&fresh).grants);
    }

    /// S2: an EV that nobody marked is granted between any two grants of another EV.
    #[test]
    fn a_free_ev_has_its_turn(run in run()) {
        let grants = run.answer().grants;
        let ever = run.marked(0, u64::MAX);
        for (first, grant) in grants.iter().enumerate() {
            let Some(length) = grants[first + 1..].iter().position(|next| next.index == grant.index) else {
                continue;
            };
            let between: BTreeSet<_> = grants[first..=first + length].iter().map(|grant| grant.index).collect();
            for ev in (0..run.shape.evs).filter(|ev| !ever.contains(ev)) {
                prop_assert!(between.contains(&ev), "EV {} has no turn behind {:?}", ev, grant);
            }
        }
    }

    /// S7: saturation needs more marks than the fraction says, or all, that can be in force; and with more that must
    /// be in force there is saturation.
    #[test]
    fn u12_saturation_is_what_the_fraction_says(run in run()) {
        let (rtt, saturation) = (run.rtt(), run.settings.saturation);
        let all = |count: u64| count * 256 > saturation * run.shape.evs || count == run.shape.evs;
        for grant in &run.answer().grants {
            let (at, seen) = (asked(&run, grant), asked(&run, grant) - after(&run));
            let surely = run.marked(at.saturating_sub(rtt), seen);
            let maybe = run.marked((at + 1).saturating_sub(2 * rtt), seen);
            prop_assert!(!grant.saturated || all(maybe.len() as u64), "{:?} with {} marked", grant, maybe.len());
            prop_assert!(grant.saturated || !all(surely.len() as u64), "{:?} with {} marked", grant, surely.len());
            prop_assert!(grant.saturated || !surely.contains(&grant.index));
        }
    }

    /// S4, S8: GOOD, LAST_HOP, codes without a meaning and EVs out of range change no grant.
    #[test]
    fn what_does_not_mark_changes_nothing(run in run()) {
        let real: Vec<_> = run.feedback.iter().copied().filter(|&(_, ev, k)| k.marks() && ev < run.shape.evs).collect();
        prop_assert_eq!(run.answer().grants, run.answer_with(&real).grants);
        let beyond = run.feedback.iter().filter(|&&(_, ev, _)| ev >= run.shape.evs).count() as u64;
        prop_assert_eq!(run.answer().feedback_range, beyond);
    }

    /// S1: one grant a request, so many cycles later; all lie in the range.
    #[test]
    fn every_request_has_its_grant(run in run()) {
        let answer = run.answer();
        prop_assert_eq!(answer.grants.iter().map(|grant| asked(&run, grant)).collect::<Vec<_>>(), run.requests.clone());
        prop_assert!(answer.grants.iter().all(|grant| grant.open && grant.index < run.shape.evs));
    }
}
