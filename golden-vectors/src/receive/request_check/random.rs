// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic: connections whose senders make a mistake now and then, over paths that reorder and repeat.

use super::oracle::{Event, LONGEST, Packet};
use super::packets::{MTUS, NOISE, Place, message, send};
use super::script::Script;
use super::window::{PSNS, advance, back, distance, outcome};
use crate::rng::SplitMix64;

/// One of so many messages has a fault.
const FAULTY: u64 = 40;

/// The path MTU for which messages are made when it is not known.
const ANY_MTU: u64 = 700;

/// The sender of a connection, and its paths.
#[derive(Clone, Debug)]
struct Sender {
    mtu: u64,
    /// The PSN behind the last packet that has been made.
    next: u64,
    /// What is on the way.
    flying: Vec<(u64, Packet)>,
    /// So many packets may be on the way.
    depth: usize,
    /// The last PSN of the first message with a fault. Beyond it the connection is in error.
    faulty: Option<u64>,
}

impl Sender {
    fn new(rng: &mut SplitMix64, window: u64, psn: u64) -> Self {
        let mtu = if rng.below(8) == 0 { 0 } else { MTUS[rng.below(5) as usize] };
        let depth = match rng.below(4) {
            0 => 1,
            1 => window + 8,
            _ => 2 + rng.below(15),
        };
        Sender { mtu, next: psn, flying: Vec::new(), depth: depth as usize, faulty: None }
    }

    /// Sends messages until enough is on the way.
    fn fill(&mut self, rng: &mut SplitMix64) {
        while self.flying.len() < self.depth {
            let mut packets = random_message(rng, if self.mtu == 0 { ANY_MTU } else { self.mtu });
            let fault = rng.below(FAULTY) == 0 && break_message(rng, &mut packets, self.mtu);
            for packet in packets {
                self.flying.push((self.next, packet));
                self.next = advance(self.next, 1);
            }
            if fault && self.faulty.is_none() {
                self.faulty = Some(back(self.next, 1));
            }
        }
    }

    /// The connection is in error if this PSN is expected.
    fn in_error(&self, expected: u64) -> bool {
        self.faulty.is_some_and(|faulty| (1..PSNS / 2).contains(&distance(expected, faulty)))
    }
}

/// A legal message of one to six packets.
fn random_message(rng: &mut SplitMix64, mtu: u64) -> Vec<Packet> {
    let full = if rng.below(3) == 0 { 0 } else { rng.below(6) };
    let rest = match rng.below(4) {
        0 => mtu,
        1 => 1,
        2 => u64::from(full > 0),
        _ => 1 + rng.below(mtu),
    };
    message(rng.below(2) == 0, mtu, full * mtu + rest)
}

/// Puts a fault into a legal message, so that one of its packets is refused. Returns whether there is one: sizes and
/// lengths do not matter if the MTU is not known.
fn break_message(rng: &mut SplitMix64, packets: &mut [Packet], mtu: u64) -> bool {
    let at = rng.below(packets.len() as u64) as usize;
    let is_write = packets[at].write;
    match rng.below(3) {
        0 => {
            let packet = &mut packets[at];
            // Another operation only matters within a message.
            if packet.first || rng.below(2) == 0 {
                packet.first = !packet.first;
            } else {
                packet.write = !packet.write;
            }
            return true;
        }
        2 if is_write => break_length(rng, packets, if mtu == 0 { ANY_MTU } else { mtu }),
        _ => {
            let Packet { first, last, ref mut length, .. } = packets[at];
            *length = match (first, last, rng.below(3)) {
                (_, false, 0) => mtu.saturating_sub(1),
                (_, false, 1) | (false, true, 0) => 0,
                (.., 2) => mtu + 1 + rng.below(mtu.max(2) - 1),
                _ => mtu + 1,
            };
        }
    }
    mtu != 0
}

/// Changes what a WRITE announces, or what comes of it.
fn break_length(rng: &mut SplitMix64, packets: &mut [Packet], mtu: u64) {
    let count = packets.len();
    let told = packets[0].dma_length;
    let (packet, choice) = (&mut packets[0], rng.below(6));
    packet.dma_length = match choice {
        0 => told + 1,
        1 if told > 0 => told - 1,
        2 => told ^ 1 << rng.below(32),
        3 if count > 1 => rng.below(mtu + 1),
        4 if count > 1 => LONGEST + 1 + rng.below(LONGEST - 1),
        5 if count > 2 => (1 + rng.below(count as u64 - 1)) * mtu,
        _ => told + mtu,
    };
}

/// Any packet, for arrivals that are not received.
fn any_packet(rng: &mut SplitMix64) -> Packet {
    let bits = rng.next_u64();
    Packet {
        first: bits & 1 == 1,
        last: bits & 2 == 2,
        write: bits & 4 == 4,
        dma_length: NOISE,
        ..send(Place::Only, rng.below(4097))
    }
}

/// A PSN to begin with. Often it wraps soon, or is near the middle.
fn first_psn(rng: &mut SplitMix64) -> u64 {
    match rng.below(3) {
        0 => PSNS - 1 - rng.below(40),
        1 => PSNS / 2 - rng.below(40),
        _ => rng.below(PSNS),
    }
}

/// What is not received: duplicates, packets before and behind the window, probes, packets of no connection.
fn strange(rng: &mut SplitMix64, script: &mut Script, connection: u64, window: u64) {
    let expected = script.psn(connection, 0);
    let packet = any_packet(rng);
    match rng.below(6) {
        0 => {
            let held: Vec<_> = script.window(connection).held().collect();
            if !held.is_empty() {
                script.arrive(connection, held[rng.below(held.len() as u64) as usize], packet);
            }
        }
        1 => drop(script.arrive(connection, back(expected, 1 + rng.below(8)), packet)),
        2 => drop(script.arrive(connection, back(expected, 1 + rng.below(PSNS / 2)), packet)),
        3 => {
            let by = if rng.below(2) == 0 { 0 } else { rng.below(PSNS / 2 - window) };
            script.arrive(connection, advance(expected, window + by), packet);
        }
        4 => script.probe(connection, rng.below(PSNS), packet),
        _ => script.unknown(connection, advance(expected, rng.below(4)), packet),
    }
}

/// One packet of what is on the way comes. It is lost on the way if there is no place for it.
fn arrive(rng: &mut SplitMix64, script: &mut Script, connection: u64, sender: &mut Sender) {
    sender.fill(rng);
    let at = if rng.below(3) == 0 { 0 } else { rng.below(sender.flying.len() as u64) as usize };
    let (psn, packet) = sender.flying[at];
    let outcome = script.arrive(connection, psn, packet);
    if outcome == outcome::IN_ORDER || outcome == outcome::HELD {
        sender.flying.remove(at);
    }
}

/// At least so many events of so many connections with a window of so many packets.
///
/// Legal and illegal traffic: what is inside of packets may be wrong, but arrivals and deliveries are those of `reorder`,
/// and a connection is opened when nothing of it is under way.
#[must_use]
pub fn random(seed: u64, connections: u64, window: u64, events: usize) -> Vec<Event> {
    let mut rng = SplitMix64::new(seed);
    let mut script = Script::new(window);
    let mut senders = Vec::new();
    for connection in 0..connections {
        let psn = first_psn(&mut rng);
        let sender = Sender::new(&mut rng, window, psn);
        script.open(connection, psn, sender.mtu);
        senders.push(sender);
    }
    // Connections come in bursts.
    let mut connection = 0;
    while script.len() < events {
        if rng.below(4) == 0 {
            connection = rng.below(connections);
        }
        let sender = &mut senders[connection as usize];
        match rng.below(16) {
            0 => strange(&mut rng, &mut script, connection, window),
            1..=3 => script.deliver(connection, 1 + rng.below(6) as usize),
            4 if rng.below(4) == 0 => script.deliver(connection, usize::MAX),
            5 => {
                let expected = script.psn(connection, 0);
                let likely = if sender.in_error(expected) { 4 } else { 200 };
                if rng.below(likely) == 0 {
                    let psn = if rng.below(2) == 0 { expected } else { first_psn(&mut rng) };
                    *sender = Sender::new(&mut rng, window, psn);
                    script.open(connection, psn, sender.mtu);
                }
            }
            _ => arrive(&mut rng, &mut script, connection, sender),
        }
    }
    script.finish()
}
