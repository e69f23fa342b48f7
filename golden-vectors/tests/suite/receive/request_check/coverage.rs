// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cases name every row and come to every side of it, and so does random traffic.

use super::help::{WINDOWS, run};
use golden_vectors::receive::request_check::cases::{Case, cases, random};
use golden_vectors::receive::request_check::oracle::Event;
use std::collections::{BTreeMap, BTreeSet};

/// What comes of events.
#[derive(Debug, Default)]
struct Seen {
    /// Causes, and at whose packets: first, last, WRITE.
    causes: BTreeSet<(u64, [bool; 3])>,
    /// Outcomes of arrivals, in error before or not.
    outcomes: BTreeSet<(u64, bool)>,
    /// By how much the expected PSN has moved.
    runs: BTreeSet<u64>,
    /// Connections that were opened in error, and not.
    opened: [u64; 2],
    /// Arrivals with two verdicts.
    doubles: u64,
    passed: u64,
    /// Packets that were refused, and those behind them.
    refused: [u64; 2],
    connections: BTreeSet<u64>,
}

impl Seen {
    fn add(&mut self, events: &[Event]) {
        let mut packets = BTreeMap::new();
        let mut causes = BTreeMap::new();
        run(events, |oracle, event| match *event {
            Event::Open { connection, .. } => {
                let in_error = causes.insert(connection, 0).is_some_and(|cause| cause != 0);
                self.opened[usize::from(in_error)] += 1;
                self.connections.insert(connection);
            }
            Event::Arrival(arrival) => {
                let in_error = oracle.status(arrival.connection).cause != 0;
                self.outcomes.insert((arrival.outcome, in_error));
                if arrival.outcome < 2 {
                    packets.insert((arrival.connection, arrival.psn), arrival.packet);
                }
                if arrival.outcome == 0 {
                    self.runs.insert(arrival.expected.wrapping_sub(arrival.psn) % (1 << 24));
                }
                self.doubles += u64::from(oracle.arrive(&arrival).len() == 2);
                let status = oracle.status(arrival.connection);
                if !in_error && status.cause != 0 {
                    let packet = packets[&(arrival.connection, status.psn)];
                    self.causes.insert((status.cause, [packet.first, packet.last, packet.write]));
                    causes.insert(arrival.connection, status.cause);
                }
            }
            Event::Delivery(delivery) => match oracle.deliver(&delivery) {
                Ok(()) => self.passed += 1,
                Err(refused) => self.refused[usize::from(refused.behind)] += 1,
            },
        });
    }

    /// Order and size at 8 kinds of packets, and length at 4.
    fn is_complete(&self) -> bool {
        let sides = (0..8).flat_map(|outcome| [(outcome, false), (outcome, true)]);
        self.causes.len() == 20
            && self.outcomes.iter().copied().eq(sides)
            && [1, 2, 3].iter().all(|run| self.runs.contains(run))
    }
}

#[test]
fn cases_name_every_row() {
    let cases = cases(64);
    let names: BTreeSet<_> = cases.iter().map(|case| &case.name).collect();
    assert!(!cases.is_empty() && names.len() == cases.len(), "names are not twice there");
    assert!(cases.iter().all(|case| !case.rows.is_empty() && !case.events.is_empty()));
    let rows: BTreeSet<_> = cases.iter().flat_map(|case| case.rows.iter().map(|&row| row.to_owned())).collect();
    assert_eq!(rows, (1..15).map(|n| format!("RQ{n}")).collect());
}

#[test]
fn cases_come_to_every_side() {
    for window in WINDOWS {
        let mut seen = Seen::default();
        for case in cases(window) {
            seen.add(&case.events);
        }
        assert!(seen.is_complete(), "{seen:?}");
        assert!(seen.runs.contains(&window) && seen.connections.iter().eq(&[0, 1]), "{seen:?}");
        assert!(seen.passed > 5000 && seen.doubles > 100, "{seen:?}");
        assert!(seen.refused.iter().chain(&seen.opened).all(|&count| count > 300), "{seen:?}");
    }
}

#[test]
fn random_traffic_comes_to_every_side() {
    let mut seen = Seen::default();
    for seed in 0..20 {
        seen.add(&random(seed, 4, 64, 10_000));
    }
    assert!(seen.is_complete(), "{seen:?}");
    assert!(seen.passed > 20_000 && seen.doubles > 20, "{seen:?}");
    assert!(seen.refused.iter().chain(&seen.opened).all(|&count| count > 100), "{seen:?}");
}

/// 3 of 7 states have no message open: a first and an only packet are legal there, of two operations each. In each of
/// the others a middle and a last one are, of one operation. That is 20 of 56 pairs, with an MTU and without.
#[test]
fn twenty_of_56_orders_are_legal() {
    let orders: Vec<Case> = cases(64).into_iter().filter(|case| case.name.starts_with("order: ")).collect();
    assert_eq!(orders.len(), 112);
    let mut legal = 0;
    for case in orders {
        let mut results = Vec::new();
        run(&case.events, |oracle, event| match event {
            Event::Arrival(arrival) => drop(oracle.arrive(arrival)),
            Event::Delivery(delivery) => results.push(oracle.deliver(delivery)),
            Event::Open { .. } => {}
        });
        // The packet is the last but one.
        let [before @ .., tried, _] = &results[..] else { panic!("{}", case.name) };
        let behind = tried.is_err_and(|refused| refused.behind);
        assert!(before.iter().all(Result::is_ok) && !behind, "{}", case.name);
        legal += u64::from(tried.is_ok());
    }
    assert_eq!(legal, 40);
}
