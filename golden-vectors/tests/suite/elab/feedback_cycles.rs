// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycles of the receiving half for each latency.

use super::feedback_help::{arrival, forget, packet, queries};
use golden_vectors::elab::feedback::oracle::{Answer, Arrival, Event, Settings, Shape, answer, due};

/// Latency, then the cycles of W4, W5 and W3.
const TABLE: [(u64, [u64; 3]); 3] = [(1, [13, 3, 2]), (2, [15, 4, 3]), (3, [17, 5, 4])];
/// Latency, then the cycles of W12, arrival, query and setting, and of W14, `due_ready` and `due_valid`.
const VISITS: [(u64, [u64; 5]); 3] = [(1, [5, 3, 2, 3, 4]), (2, [7, 4, 3, 4, 5]), (3, [9, 5, 4, 5, 6])];

fn run(latency: u64, events: &[(u64, Event)]) -> Answer {
    let mut all = events.to_vec();
    all.sort_by_key(|&(cycle, _)| cycle);
    answer(Shape::new(2, 8, 200).ram_latency(latency), Settings::new(3), &all)
}

#[test]
fn w4_ask_to_report() {
    for (latency, [report, ..]) in TABLE {
        assert_eq!(run(latency, &queries(100, 1)).reports[0].cycle, 100 + report);
    }
}

#[test]
fn w5_arrival_to_the_first_ask_that_knows_its_vp() {
    for (latency, [_, sight, _]) in TABLE {
        let known =
            |distance| run(latency, &[&[packet(100, 3)], &queries(100 + distance, 1)[..]].concat()).reports[0].ok;
        assert_eq!([known(0), known(sight - 1), known(sight), known(sight + 1)], [false, false, true, true]);
    }
}

#[test]
fn w8_forgetting_to_the_first_ask_that_knows() {
    for (latency, [_, sight, _]) in TABLE {
        let known = |distance| {
            let events = [packet(60, 3), forget(100)];
            run(latency, &[&events[..], &queries(100 + distance, 1)].concat()).reports[0].ok
        };
        assert_eq!([known(0), known(sight), known(sight + 1)], [true, true, false], "as of the effect");
    }
}

#[test]
fn w6_packets_of_the_cycle_of_the_ask_count() {
    for (latency, _) in TABLE {
        let count =
            |at| run(latency, &[&[packet(60, 3), packet(at, 3)], &queries(100, 1)[..]].concat()).reports[0].count;
        assert_eq!([99, 100, 101].map(count), [2, 2, 1]);
    }
}

#[test]
fn w3_arrival_to_the_length_of_its_burst() {
    for (latency, [_, _, timing]) in TABLE {
        let probed = |distance| {
            let change = (101 + distance, Event::Settings(Settings::new(2)));
            let events = [arrival(100, 3, false, 7), arrival(101, 3, false, 7), change];
            run(latency, &[&events[..], &queries(120, 1)].concat()).reports[0].probed
        };
        // Written in the cycle before, the other length is in force (W11).
        assert_eq!([probed(timing - 1), probed(timing)], [true, false]);
    }
}

#[test]
fn w8_operations_every_other_cycle_and_arrivals_but_in_the_cycle_of_the_effect() {
    for (latency, _) in TABLE {
        // The packet of cycle 101 is not accepted, so that only one of cycle 102 is known.
        let known = |at| {
            let events = [packet(60, 3), forget(100), packet(at, 4)];
            let answer = run(latency, &[&events[..], &queries(120, 1)].concat());
            (answer.reports[0].ok, answer.reports[0].count)
        };
        assert_eq!([100, 101, 102].map(known), [(false, 0), (false, 0), (true, 1)]);
        // Forgetting in cycle 101 is not accepted, in 102 it is.
        let twice = |second| {
            let events = [forget(100), packet(102, 4), forget(second)];
            run(latency, &[&events[..], &queries(120, 1)].concat()).reports[0].ok
        };
        assert_eq!([101, 102, 103].map(twice), [true, false, false]);
    }
}

#[test]
fn w9_the_sweep() {
    for (latency, _) in TABLE {
        let at = |cycle| {
            let answer = run(latency, &[&[packet(cycle, 3)], &queries(cycle, 1)[..], &queries(90, 1)].concat());
            (answer.refused_queries, answer.empty_queries, answer.reports[1].ok)
        };
        assert_eq!([47, 48].map(at), [(1, 1, false), (0, 1, true)]);
    }
}

/// The cycles in which a pair is due, with the pair, of two pairs: pair 0 is visited in even cycles.
fn dues(latency: u64, time: u64, events: &[(u64, Event)]) -> Vec<(u64, u64)> {
    let mut all = events.to_vec();
    all.sort_by_key(|&(cycle, _)| cycle);
    let dues = due(Shape::new(2, 8, 200).ram_latency(latency), Settings::new(3).report_time(time), &all, 140);
    dues.iter().map(|due| (due.cycle, due.pair)).collect()
}

#[test]
fn w12_arrival_to_the_first_visit_that_sees_it() {
    for (latency, [arrives, .., valid]) in VISITS {
        for arrival in 100..104 {
            let visit = (arrival + arrives).next_multiple_of(2);
            // Due in the visit that follows.
            assert_eq!(dues(latency, 1, &[packet(arrival, 3)])[0], (visit + 2 + valid, 0));
        }
    }
}

#[test]
fn w12_effect_of_a_command_to_the_first_visit_that_sees_it() {
    for (latency, [arrives, ..]) in VISITS {
        // The pair is due in the visit of cycle 110.
        let is_due = |effect| !dues(latency, 10, &[packet(100 - arrives, 3), forget(effect - 1)]).is_empty();
        assert_eq!([110 - arrives - 1, 110 - arrives, 110 - arrives + 1].map(is_due), [false, false, true]);
    }
}

#[test]
fn w12_query_to_the_first_visit_that_sees_it() {
    for (latency, [arrives, sight, ..]) in VISITS {
        let is_due =
            |query| !dues(latency, 10, &[&[packet(100 - arrives, 3)], &queries(query, 1)[..]].concat()).is_empty();
        assert_eq!([110 - sight - 1, 110 - sight, 110 - sight + 1].map(is_due), [false, false, true]);
    }
}

#[test]
fn w12_visit_to_its_setting() {
    for (latency, [arrives, _, setting, ..]) in VISITS {
        let is_due = |written| {
            let change = (written, Event::Settings(Settings::new(3)));
            !dues(latency, 10, &[packet(100 - arrives, 3), change]).is_empty()
        };
        assert_eq!([110 + setting - 2, 110 + setting - 1, 110 + setting].map(is_due), [false, false, true]);
    }
}

#[test]
fn w14_visit_to_its_due_ready_and_due_valid() {
    for (latency, [arrives, _, _, ready, valid]) in VISITS {
        // Both pairs are due, pair 1 in the visit of cycle 111.
        let other = (101 - arrives, Event::Arrival(Arrival { pair: 1, sport: 3, ..Arrival::default() }));
        let second = |unready| {
            let levels = [(unready, Event::DueReady(false)), (unready + 1, Event::DueReady(true))];
            let dues = dues(latency, 10, &[&[packet(100 - arrives, 3), other], &levels[..]].concat());
            assert_eq!(dues[0], (110 + valid, 0));
            dues.iter().find(|(_, pair)| *pair == 1).unwrap().0
        };
        assert_eq!(second(111 + ready - 1), 111 + valid, "the output is not valid yet");
        assert_eq!(second(111 + ready), 113 + valid, "the next visit");
        assert_eq!(second(111 + ready + 1), 111 + valid);
    }
}
