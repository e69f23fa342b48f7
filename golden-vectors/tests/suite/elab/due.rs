// SPDX-License-Identifier: MIT OR Apache-2.0
//! W12 to W14 by hand-made examples, with memories of latency 2: pair 0 of two is visited in even cycles.

use super::feedback_help::{PORT, SHAPE, forget, packet, queries, reports};
use golden_vectors::elab::feedback::oracle::{Arrival, Event, Settings, Shape, due};

/// From a visit to `due_valid`.
const VALID: u64 = 5;

const fn after(time: u64) -> Settings {
    Settings::new(3).report_time(time)
}

fn of_pair(cycle: u64, pair: u64) -> (u64, Event) {
    (cycle, Event::Arrival(Arrival { pair, sport: PORT, ..Arrival::default() }))
}

fn levels(unready: u64, ready: u64) -> [(u64, Event); 2] {
    [(unready, Event::DueReady(false)), (ready, Event::DueReady(true))]
}

/// The visits in which pairs are due, and the pairs, as they leave the output one after the other.
fn visits_of(shape: Shape, settings: Settings, events: &[(u64, Event)], until: u64) -> Vec<(u64, u64)> {
    let mut all = events.to_vec();
    all.sort_by_key(|&(cycle, _)| cycle);
    let mut before = None;
    let all = due(shape, settings, &all, until)
        .into_iter()
        .filter(|due| before.replace((due.pair, due.taken)) != Some((due.pair, false)));
    all.map(|due| (due.cycle - VALID, due.pair)).collect()
}

/// The visits of pair 0 in which it is due, in 200 cycles.
fn visits(time: u64, events: &[(u64, Event)]) -> Vec<u64> {
    visits_of(SHAPE, after(time), events, 200).into_iter().map(|(visit, _)| visit).collect()
}

#[test]
fn w13_due_after_the_time_and_again_after_the_same_time() {
    let one = [packet(57, 1)];
    assert_eq!(visits(40, &one), [64 + 40, 64 + 80, 64 + 120]);
    // In the first visit that is late enough.
    assert_eq!(visits(39, &one), [64 + 40, 64 + 80, 64 + 120]);
    assert_eq!(visits(41, &one), [64 + 42, 64 + 84, 64 + 126]);
    assert_eq!(visits(1, &one)[..3], [66, 68, 70]);
    assert_eq!(visits(0, &one), [0; 0]);
    assert_eq!(visits(1 << 23, &one), [0; 0]);
}

#[test]
fn w13_later_packets_do_not_begin_the_time_again() {
    assert_eq!(visits(40, &[packet(57, 1), packet(70, 1), packet(99, 2)])[0], 104);
}

#[test]
fn w13_queries_begin_the_time_again_and_one_report_is_left() {
    let two = [packet(57, 1), packet(58, 2)];
    let with = |count| visits(40, &[&two[..], &queries(80, count)].concat());
    assert_eq!(with(0), [104, 144, 184]);
    assert_eq!(with(1), [84 + 40, 84 + 80], "seen in the visit of cycle 84");
    assert_eq!(with(2), [0; 0]);
    assert_eq!(with(3), [0; 0]);
    // Queries in two visits: the second one begins the time.
    let three = [&two[..], &[packet(59, 3)], &queries(80, 1), &queries(90, 1)].concat();
    assert_eq!(visits(40, &three), [94 + 40, 94 + 80]);
}

#[test]
fn w13_a_packet_behind_queries_makes_all_vps_wait() {
    let known = [packet(57, 1), packet(58, 2)];
    let answered = [&known[..], &queries(80, 3), &[packet(97, 1)]].concat();
    assert_eq!(visits(40, &answered), [144, 184]);
    // Of the two, one is reported in the time.
    assert_eq!(visits(40, &[&answered[..], &queries(120, 1)].concat()), [164]);
    assert_eq!(visits(40, &[&answered[..], &queries(120, 2)].concat()), [0; 0]);
    // In the same visit the queries come first.
    assert_eq!(visits(40, &[&known[..], &[packet(76, 1)], &queries(79, 2)].concat()), [84 + 40, 84 + 80]);
    // A query that may not see the packet is never counted behind it: not one before the packet, nor one of the cycles in
    // which it might not see that the VP is known.
    let queried =
        |query| visits(40, &[&[packet(57, 1), packet(97, 1)], &queries(70, 2)[..], &queries(query, 1)].concat());
    assert!((87..=100).all(|query| queried(query) == [144, 184]));
    assert_eq!(queried(101), [0; 0]);
}

/// W5: queries that do not see the VP of the last packet report the others, and do not count.
#[test]
fn w13_a_new_vp_is_reported() {
    let events = [&[packet(57, 0), packet(58, 2)], &queries(70, 1)[..], &[packet(97, 1)], &queries(98, 2)].concat();
    // Three more are due, of which the last one is that of VP 1.
    let asked = [&events[..], &queries(110, 1), &queries(120, 1)].concat();
    assert_eq!(visits(40, &asked), [164]);
    // VP 2 is the last one of a turn: to report it again does not count.
    let asked = [&asked[..], &queries(170, 1)].concat();
    assert_eq!(reports(&asked, |report| report.vp - PORT), [2, 2, 0, 1, 2, 2]);
    let all = |events: &[_]| visits_of(SHAPE, after(40), events, 240).into_iter().map(|due| due.0).collect::<Vec<_>>();
    assert_eq!(all(&asked), [164, 204]);
    assert_eq!(all(&[&asked[..], &queries(180, 1)].concat()), [164]);
}

#[test]
fn w13_queries_without_an_answer_do_not_count() {
    // Pair 2 does not exist, pair 1 has no VP, and the VP of pair 0 is not known in cycle 60.
    let others = [(60, Event::Query(0)), (70, Event::Query(1)), (71, Event::Query(2))];
    assert_eq!(visits(40, &[&[packet(57, 1)], &others[..]].concat()), [104, 144, 184]);
    assert_eq!(visits(40, &[packet(57, 1), (61, Event::Query(0))]), [0; 0]);
    assert_eq!(visits_of(SHAPE, after(40), &[of_pair(60, 2), (70, Event::Query(0))], 200), []);
}

#[test]
fn w13_forgotten_pairs_do_not_wait() {
    assert_eq!(visits(40, &[packet(57, 1), forget(96)]), [0; 0]);
    assert_eq!(visits(40, &[packet(57, 1), forget(97)]), [104]);
    // Known again behind a visit without a VP: the time begins again; one VP is left of two.
    let again = [packet(57, 1), packet(58, 2), forget(80), packet(87, 1)];
    assert_eq!(visits(40, &again), [134, 174]);
    assert_eq!(visits(40, &[&again[..], &queries(110, 1)].concat()), [0; 0]);
    let split = [packet(57, 1), packet(58, 2), forget(80), packet(82, 1)];
    assert_eq!(visits(40, &split)[0], 130, "the visit of cycle 88 sees only the command");
    // In the same visit: the time goes on.
    let at_once = [packet(57, 1), packet(58, 2), forget(79), packet(81, 1)];
    assert_eq!(visits(40, &at_once), [104, 144, 184]);
    assert_eq!(visits(40, &[&at_once[..], &queries(110, 1)].concat()), [104]);
}

#[test]
fn w12_pairs_are_visited_one_after_the_other() {
    let shape = Shape::new(5, 2, 8);
    // The first visit is in cycle 42, of pair 0. All see their packet in visits of cycles 72 to 76.
    let events = [3, 1, 4, 0, 2].map(|pair| of_pair(64 + pair, pair));
    let dues: Vec<_> = (0..5).flat_map(|round| (0..5).map(move |pair| (92 + 20 * round + pair, pair))).collect();
    assert_eq!(visits_of(shape, after(20), &events, 92 + 100 + VALID), dues);
    let one = visits_of(Shape::new(1, 2, 8), after(1), &[packet(47, 1)], 60 + VALID);
    assert_eq!(one, [55, 56, 57, 58, 59].map(|visit| (visit, 0)), "a visit in every cycle");
}

/// The modulus is 2^24 = 0x100_0000.
#[test]
fn w12_now_begins_again() {
    let round = 1 << 24;
    let all = |time, at| visits_of(SHAPE, after(time), &[packet(at, 1)], round + 300);
    assert_eq!(all(100, round - 27)[0].0, round + 80);
    assert_eq!(all(100, round - 7)[0].0, round + 100, "since 0");
    assert_eq!(all(1 << 23, round / 2 + 97)[0].0, round + 104);
}

#[test]
fn w11_w13_the_time_is_changed_while_a_pair_waits() {
    let change = |at, settings| (at, Event::Settings(settings));
    // The visit of cycle 104 is the first that knows what is written in cycle 105.
    let with = |time, changes: &[(u64, Event)]| visits(time, &[&[packet(57, 1)], changes].concat());
    assert_eq!(with(0, &[change(106, after(40))])[0], 104);
    assert_eq!(with(0, &[change(107, after(40))])[0], 106);
    assert_eq!(with(40, &[change(106, after(0))]), [0; 0]);
    assert_eq!(with(40, &[change(106, after(42))])[0], 106);
    assert_eq!(with(40, &[change(106, Settings { valid: false, ..after(0) })])[0], 104);
    assert_eq!(with(80, &[change(90, after(1))])[..2], [88, 90], "it has waited for long");
    // Those after reset.
    let reset = SHAPE.reset_to(after(40));
    let none = Settings { valid: false, ..after(1) };
    assert_eq!(visits_of(reset, none, &[packet(57, 1)], 140), [(104, 0)]);
    assert_eq!(visits_of(SHAPE, none, &[packet(57, 1)], 60_000)[0].0, (64_u64 + 51_563).next_multiple_of(2));
}

#[test]
fn w14_a_stalled_output() {
    let both = [of_pair(57, 0), of_pair(58, 1)];
    let all = |more: &[(u64, Event)]| visits_of(SHAPE, after(40), &[&both, more].concat(), 180);
    assert_eq!(all(&[]), [(104, 0), (105, 1), (144, 0), (145, 1)]);
    // Pair 0 is taken in cycle 130: the visit of cycle 126 decides then, that of pair 1 in the next cycle.
    let stalled = levels(100, 130);
    assert_eq!(all(&stalled), [(104, 0), (127, 1), (144, 0), (167, 1)]);
    // Answered while it stands on the output, pair 0 is not taken back; answered behind it, pair 1 is.
    let query = |pair| (116, Event::Query(pair));
    assert_eq!(all(&[stalled[0], query(0), stalled[1]]), [(104, 0), (127, 1), (167, 1)]);
    assert_eq!(all(&[stalled[0], query(1), stalled[1]]), [(104, 0), (144, 0)]);
    let command = |pair| (116, Event::Command(pair));
    assert_eq!(all(&[stalled[0], command(0), stalled[1]]), [(104, 0), (127, 1), (167, 1)]);
    assert_eq!(all(&[stalled[0], command(1), stalled[1]]), [(104, 0), (144, 0)]);
    // Due again while it still stands on the output: it follows at once.
    assert_eq!(visits_of(SHAPE, after(40), &[&both[..1], &levels(100, 170)].concat(), 180), [(104, 0), (166, 0)]);
}

#[test]
fn w14_what_is_due_stays_due_with_a_longer_time_but_not_without_one() {
    let both = [of_pair(57, 0), of_pair(58, 1)];
    let with = |changes: &[(u64, Settings)]| {
        let changes: Vec<_> = changes.iter().map(|&(at, settings)| (at, Event::Settings(settings))).collect();
        visits_of(SHAPE, after(40), &[&both, &levels(100, 130)[..], &changes].concat(), 180)
    };
    assert_eq!(with(&[(120, after(1000))]), [(104, 0), (127, 1)]);
    assert_eq!(with(&[(110, after(0))]), [(104, 0)]);
    assert_eq!(with(&[(110, after(0)), (120, after(1000))]), [(104, 0)]);
    assert_eq!(with(&[(110, after(0)), (120, after(20))])[..2], [(104, 0), (126, 0)], "the time goes on");
}
