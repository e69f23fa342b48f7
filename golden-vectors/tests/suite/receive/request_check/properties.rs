// SPDX-License-Identifier: MIT OR Apache-2.0
//! What holds for every traffic, stated apart from the oracle: by whole messages in place of steps.

use super::help::{WINDOWS, run};
use golden_vectors::receive::request_check::cases::{cases, random};
use golden_vectors::receive::request_check::oracle::{Event, Packet};
use std::collections::BTreeMap;

const PSNS: u64 = 1 << 24;

/// These packets are a message, or the beginning of one.
fn is_message(mtu: u64, packets: &[Packet]) -> bool {
    let count = packets.len();
    let begin = packets[0];
    let ended = packets[count - 1].last;
    let one_message = packets.iter().enumerate().all(|(n, packet)| {
        packet.first == (n == 0) && packet.write == begin.write && !(packet.last && n + 1 < count) //
    });
    if mtu == 0 || !one_message {
        return one_message;
    }
    let sizes = packets.iter().all(|packet| match packet.last {
        false => packet.length == mtu,
        true => packet.length <= mtu && (count == 1 || packet.length > 0),
    });
    let total: u64 = packets.iter().map(|packet| packet.length).sum();
    let told = begin.dma_length;
    let length = if ended { total == told } else { total < told };
    sizes && (!begin.write || length && (told <= 1 << 31 || count == 1 && ended))
}

/// The messages of a connection as they grow.
#[derive(Debug, Default)]
struct Messages {
    mtu: u64,
    open: Vec<Packet>,
}

impl Messages {
    /// Whether all is legal with this packet behind those before it.
    fn add(&mut self, packet: Packet) -> bool {
        self.open.push(packet);
        let legal = is_message(self.mtu, &self.open);
        if packet.last {
            self.open.clear();
        }
        legal
    }
}

/// What is known of a connection since it was opened.
#[derive(Debug, Default)]
struct Connection {
    passed: Messages,
    checked: Messages,
    /// What has come and has not been delivered.
    come: BTreeMap<u64, Packet>,
    /// The expected PSN while no packet before it is illegal.
    expected: u64,
    illegal: Option<u64>,
    refused: bool,
}

impl Connection {
    fn new(psn: u64, mtu: u64) -> Self {
        let messages = || Messages { mtu, ..Messages::default() };
        Connection { passed: messages(), checked: messages(), expected: psn, ..Connection::default() }
    }

    /// Looks for the first illegal packet before this PSN.
    fn look(&mut self, expected: u64) {
        while self.illegal.is_none() && self.expected != expected {
            if !self.checked.add(self.come[&self.expected]) {
                self.illegal = Some(self.expected);
            }
            self.expected = (self.expected + 1) % PSNS;
        }
    }
}

/// Random traffic of many kinds, and the cases.
fn traffic() -> Vec<Vec<Event>> {
    let mut all = Vec::new();
    for (seed, connections) in (0..24).zip([1, 2, 3, 8].into_iter().cycle()) {
        all.push(random(seed, connections, WINDOWS[seed as usize % 2], 6000));
    }
    for window in WINDOWS {
        all.extend(cases(window).into_iter().map(|case| case.events));
    }
    all
}

/// What passes is whole legal messages, and perhaps the beginning of one. The first packet that does not pass would make
/// it illegal. Nothing passes behind it. Each delivery is named once.
#[test]
fn whole_messages_pass() {
    let [mut passed, mut refused, mut behind] = [0, 0, 0];
    for events in traffic() {
        let mut connections = BTreeMap::new();
        let mut here = 0;
        let oracle = run(&events, |oracle, event| match *event {
            Event::Open { connection, psn, mtu } => drop(connections.insert(connection, Connection::new(psn, mtu))),
            Event::Arrival(arrival) => {
                oracle.arrive(&arrival);
                if arrival.outcome < 2 {
                    let connection = connections.get_mut(&arrival.connection).unwrap();
                    connection.come.insert(arrival.psn, arrival.packet);
                }
            }
            Event::Delivery(delivery) => {
                let connection = connections.get_mut(&delivery.connection).unwrap();
                let packet = connection.come.remove(&delivery.psn).expect("each is named once");
                match oracle.deliver(&delivery) {
                    Ok(()) => {
                        assert!(!connection.refused && connection.passed.add(packet), "{delivery:?} {packet:?}");
                        passed += 1;
                    }
                    Err(named) => {
                        assert_eq!((named.connection, named.handle), (delivery.connection, delivery.handle));
                        assert_eq!(named.behind, connection.refused);
                        if named.behind {
                            behind += 1;
                        } else {
                            assert!(!connection.passed.add(packet), "{delivery:?} {packet:?}");
                            connection.refused = true;
                            here += 1;
                        }
                    }
                }
            }
        });
        // RQ14: every packet that was refused has been delivered some time.
        assert_eq!(oracle.invalid_requests(), here);
        refused += here;
    }
    assert!(passed > 30_000 && refused > 1000 && behind > 3000, "{passed} {refused} {behind}");
}

/// Each arrival has its verdicts, the last of them marked. None acknowledges an illegal packet, each NAK names it.
#[test]
fn verdicts_end_at_the_first_illegal_packet() {
    let [mut own, mut naks, mut repeats, mut silent] = [0; 4];
    for events in traffic() {
        let mut connections = BTreeMap::new();
        run(&events, |oracle, event| match *event {
            Event::Open { connection, psn, mtu } => drop(connections.insert(connection, Connection::new(psn, mtu))),
            Event::Arrival(arrival) => {
                let verdicts = oracle.arrive(&arrival);
                let (last, first) = verdicts.split_last().expect("each arrival has a verdict");
                assert!(last.last && first.len() < 2 && first.iter().all(|verdict| !verdict.last && !verdict.invalid));
                assert!(verdicts.iter().all(|verdict| verdict.connection == arrival.connection));
                let repeated =
                    [last.outcome, last.psn, last.expected] == [arrival.outcome, arrival.psn, arrival.expected];
                if arrival.outcome == 6 {
                    assert!(repeated && !last.invalid && first.is_empty());
                    return;
                }
                let connection = connections.get_mut(&arrival.connection).unwrap();
                let before = connection.illegal;
                if arrival.outcome < 2 {
                    connection.come.insert(arrival.psn, arrival.packet);
                }
                if arrival.outcome == 0 {
                    connection.look(arrival.expected);
                }
                let Some(illegal) = connection.illegal else {
                    assert!(repeated && !last.invalid && first.is_empty(), "{arrival:?} {verdicts:?}");
                    own += 1;
                    return;
                };
                let answered = verdicts.iter().filter(|verdict| verdict.outcome != 6);
                let beyond = |expected: u64| (1..PSNS / 2).contains(&(expected.wrapping_sub(illegal) % PSNS));
                assert!(answered.clone().all(|verdict| !beyond(verdict.expected)));
                if before.is_none() || [2, 3, 5].contains(&arrival.outcome) {
                    assert_eq!((last.outcome, last.psn, last.expected, last.invalid), (7, illegal, illegal, true));
                    assert_eq!(first.len(), usize::from(before.is_none() && arrival.psn != illegal));
                    assert!(first.iter().all(|passed| [passed.psn, passed.expected] == [arrival.psn, illegal]));
                    assert!(first.iter().all(|passed| passed.outcome == 0));
                    naks += u64::from(before.is_none());
                    repeats += u64::from(before.is_some());
                } else {
                    assert!(answered.count() == 0 && first.is_empty() && !last.invalid);
                    silent += 1;
                }
                let status = oracle.status(arrival.connection);
                assert!(status.psn == illegal && (1..=3).contains(&status.cause));
            }
            Event::Delivery(_) => {}
        });
    }
    assert!(own > 30_000 && naks > 1000 && repeats > 200 && silent > 3000, "{own} {naks} {repeats} {silent}");
}
