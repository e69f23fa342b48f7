// SPDX-License-Identifier: MIT OR Apache-2.0
//! X1: the ring before the bitmap.

use super::help::{SETTINGS, evs, feedback, good, request, requests, run};
use golden_vectors::transmit::entropy_selector::oracle::{Command, Ev, Event, Kind, Mode, Op, Settings};
use proptest::prelude::*;

fn mixed(settings: Settings, parts: &[&[(u64, Event)]]) -> Vec<(u64, bool)> {
    let answer = run(Mode::Mixed, 5, settings, &parts.concat());
    answer.grants.iter().map(|grant| (grant.index, grant.saturated)).collect()
}

#[test]
fn x1_a_good_ev_comes_first_and_leaves_the_bitmap_where_it_was() {
    // 9 is from the ring; 5 is marked, so the bitmap begins with 6.
    let parts: [&[_]; 4] = [&good(40, [9]), &[feedback(41, 5, Kind::Ecn)], &requests(60, 3), &good(70, [12])];
    let taken = mixed(SETTINGS, &[&parts.concat(), &requests(80, 2)]);
    assert_eq!(taken, [9, 6, 7, 12, 8].map(|ev| (ev, false)));
}

#[test]
fn x2_u11_an_ev_that_was_marked_since_is_not_taken_from_the_ring() {
    let parts: [&[_]; 3] = [&good(40, [9, 10]), &[feedback(42, 9, Kind::Timeout)], &requests(60, 3)];
    // In place of 9 comes 5; then 10.
    assert_eq!(mixed(SETTINGS, &parts), [(5, false), (10, false), (6, false)]);
    // Of a saturated CCC it is taken.
    assert_eq!(mixed(Settings::new(1000, 0), &parts), [(9, false), (10, false), (5, true)]);
    // Not seen yet.
    let parts: [&[_]; 3] = [&good(40, [9, 10]), &[feedback(53, 9, Kind::Timeout)], &requests(60, 3)];
    assert_eq!(mixed(SETTINGS, &parts), [(9, false), (10, false), (5, false)]);
}

#[test]
fn x1_only_the_bitmap_is_saturated() {
    let parts: [&[_]; 3] = [&good(40, [9]), &[feedback(41, 5, Kind::Ecn)], &requests(60, 2)];
    assert_eq!(mixed(Settings::new(1000, 0), &parts), [(9, false), (5, true)]);
}

#[test]
fn x1_nothing_freezes_and_nothing_is_explored() {
    let timeout = [feedback(42, 12, Kind::Timeout)];
    let taken = mixed(SETTINGS.reps(3, 100), &[&good(40, [9, 10]), &timeout, &requests(60, 4)]);
    assert_eq!(taken, [9, 10, 5, 6].map(|ev| (ev, false)));
}

#[test]
fn s14_a_read_gives_what_the_bitmap_chose_last() {
    let read = |at| (at, Event::Command(Command::new(Op::Read, 0, 0)));
    let events = [good(40, [9]), good(51, [12]), vec![request(50), read(52), request(73), read(74)]].concat();
    let answer = run(Mode::Mixed, 5, SETTINGS, &events);
    assert_eq!(evs(&answer), [9, 12]);
    let answer = run(Mode::Mixed, 5, SETTINGS, &[events, vec![request(82), read(95)]].concat());
    assert_eq!(answer.responses[1..].iter().map(|r| (r.last, r.mode)).collect::<Vec<_>>(), [(4, 5), (5, 5), (5, 5)]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(64), ..ProptestConfig::default() })]

    /// Without GOOD it is a bitmap, and what the ring gives is not missed by the bitmap: the other grants are those of a
    /// bitmap that is asked that often in those cycles.
    #[test]
    fn what_the_ring_does_not_give_is_the_bitmap_s(
        dice in proptest::collection::vec((0..8u64, 0..4usize, any::<bool>(), any::<bool>()), 300),
    ) {
        // GOOD is told of the upper half, where no EV is marked; the limit keeps the bitmap in the lower half or not.
        let told = (30..).zip(&dice).filter(|(_, d)| d.2);
        let told = told.map(|(at, &(ev, kind, ..))| match Kind::ALL[kind] {
            Kind::Good => feedback(at, 8 + ev, Kind::Good),
            kind => feedback(at, ev, kind),
        });
        let told: Vec<_> = told.collect();
        let asked: Vec<_> = (30..).zip(&dice).filter(|(_, d)| d.3).map(|(at, _)| at).collect();
        let answer = run(Mode::Mixed, 0, SETTINGS, &[told.clone(), asked.iter().map(|&at| request(at)).collect()].concat());
        // Who took what: a ring of EVs told long enough ago, told from outside.
        let mut others = Vec::new();
        let mut waiting: Vec<(u64, u64)> = Vec::new();
        let mut good = told.iter().filter_map(|&(at, event)| match event {
            Event::Feedback(_, Ev::Own(ev), Kind::Good) => Some((at, ev)),
            _ => None,
        }).peekable();
        let mut overflow = false;
        for (grant, &at) in answer.grants.iter().zip(&asked) {
            while let Some(next) = good.next_if(|&(told, _)| told + 8 <= at) {
                waiting.push(next);
            }
            overflow |= waiting.len() + good.clone().take_while(|&(told, _)| told <= at).count() > 8;
            if overflow {
                // What is lost then is told by P2; the rows have examples.
                break;
            }
            match waiting.is_empty() {
                false => prop_assert_eq!(grant.index, waiting.remove(0).1),
                true => others.push((at, grant.index)),
            }
        }
        let alone: Vec<_> = others.iter().map(|&(at, _)| request(at)).collect();
        let bitmap = run(Mode::Bitmap, 0, SETTINGS, &[told, alone].concat());
        prop_assert_eq!(evs(&bitmap), others.iter().map(|&(_, ev)| ev).collect::<Vec<_>>());
    }
}
