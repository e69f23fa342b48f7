// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events are legal inputs of the stage: RQ1 to RQ3, RQ11, and the widths of its ports.

use super::help::WINDOWS;
use golden_vectors::receive::request_check::cases::{cases, random};
use golden_vectors::receive::request_check::oracle::Event;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const PSNS: u64 = 1 << 24;

/// What `reorder` has said of a connection.
#[derive(Debug)]
struct Said {
    expected: u64,
    held: BTreeSet<u64>,
    released: VecDeque<u64>,
}

/// Checks that each outcome is one that `reorder` can give (its row R2). Returns how many packets are received.
fn check(events: &[Event], window: u64) -> u64 {
    let mut connections: BTreeMap<u64, Said> = BTreeMap::new();
    let mut received = 0;
    for event in events {
        match *event {
            Event::Open { connection, psn, .. } => {
                let said = Said { expected: psn, held: BTreeSet::new(), released: VecDeque::new() };
                let before = connections.insert(connection, said);
                assert!(
                    psn < PSNS && before.is_none_or(|before| before.released.is_empty()),
                    "RQ1: nothing is under way"
                );
            }
            Event::Arrival(arrival) if arrival.outcome == 6 => assert_eq!(arrival.expected, 0),
            Event::Arrival(arrival) => {
                let said = connections.get_mut(&arrival.connection).expect("it has been opened");
                let base = said.released.front().copied().unwrap_or(said.expected);
                let ahead = arrival.psn.wrapping_sub(said.expected) % PSNS;
                let held = said.held.contains(&arrival.psn);
                let free = arrival.psn.wrapping_sub(base) % PSNS < window;
                let can_be = match arrival.outcome {
                    0 => ahead == 0 && free,
                    1 => ahead > 0 && ahead < window && !held && free,
                    2 => held,
                    3 => ahead >= PSNS / 2,
                    4 => ahead >= window && ahead < PSNS / 2,
                    5 => ahead < window && !held && !free,
                    _ => arrival.outcome == 7,
                };
                assert!(can_be, "{arrival:?} {said:?}");
                if arrival.outcome < 2 {
                    said.held.insert(arrival.psn);
                    received += 1;
                }
                while said.held.remove(&said.expected) {
                    said.released.push_back(said.expected);
                    said.expected = (said.expected + 1) % PSNS;
                }
                assert_eq!(arrival.expected, said.expected);
                let packet = arrival.packet;
                assert!(arrival.psn < PSNS && packet.length < 1 << 13 && packet.dma_length < 1 << 32);
            }
            Event::Delivery(delivery) => {
                let said = connections.get_mut(&delivery.connection).expect("it has been opened");
                assert_eq!(said.released.pop_front(), Some(delivery.psn), "RQ11: in order, behind its arrival");
                assert!(delivery.handle < 1 << 16);
            }
        }
    }
    assert!(connections.values().all(|said| said.released.is_empty()), "all is delivered in the end");
    received
}

#[test]
fn events_are_those_of_reorder() {
    for window in WINDOWS {
        let mut received = 0;
        for case in cases(window) {
            let here = check(&case.events, window);
            assert!(here > 0, "{}", case.name);
            received += here;
        }
        assert!(received > 5000, "{received}");
        for seed in 0..16 {
            assert!(check(&random(seed, 1 + seed % 5, window, 5000), window) > 1000);
        }
    }
}

/// The same seed makes the same events, and another one makes others.
#[test]
fn random_traffic_is_reproducible() {
    let events = random(7, 3, 64, 3000);
    assert!((3000..3600).contains(&events.len()), "{}", events.len());
    assert_eq!(events, random(7, 3, 64, 3000));
    assert_ne!(events, random(8, 3, 64, 3000));
}
