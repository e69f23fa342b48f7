// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycles of the receiving half for each latency.

use super::feedback_help::{arrival, forget, packet, queries};
use golden_vectors::elab_feedback::oracle::{Answer, Event, Settings, Shape, answer};

/// Latency, then the cycles of W4, W5 and W3.
const TABLE: [(u64, [u64; 3]); 3] = [(1, [13, 3, 2]), (2, [15, 4, 3]), (3, [17, 5, 4])];

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
