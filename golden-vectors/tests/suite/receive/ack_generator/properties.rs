// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage behind the oracle of `reorder`: nothing that is owed is lost, the number of messages is that of the sender, and
//! there is one NAK per gap.

use super::help::{ROCE, UET};
use golden_vectors::receive::ack_generator::oracle as ack;
use golden_vectors::receive::reorder::oracle as reorder;
use golden_vectors::rng::SplitMix64;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const CONNECTIONS: u64 = 4;

/// A stage behind `reorder`, with the packets that were sent.
struct Run {
    shape: ack::Shape,
    reorder: reorder::Oracle,
    stage: ack::Oracle,
    rng: SplitMix64,
    /// Fields of packets that are on their way through `reorder`, in the order of their arrivals.
    fields: VecDeque<ack::Arrival>,
    /// The last packets of messages.
    lasts: Vec<BTreeSet<u64>>,
    /// PSNs that are still to be sent, by connection.
    next: Vec<u64>,
    late: Vec<Vec<u64>>,
    start: Vec<u64>,
    /// New bytes up to each arrival, and replies that are owed.
    bytes: Vec<u64>,
    replies: u64,
    /// What an arrival told: cycle, connection and expected PSN.
    told: Vec<(u64, u64, u64)>,
    acks: Vec<(u64, ack::Ack)>,
    seed: u64,
}

impl Run {
    fn new(shape: ack::Shape, seed: u64) -> Self {
        let psns = shape.psns();
        let behind = reorder::Shape::new(CONNECTIONS, 64).psn_bits(shape.psn_bits()).ram_latency(shape.ram_latency);
        let mut rng = SplitMix64::new(seed);
        let start: Vec<u64> = (0..CONNECTIONS).map(|_| (psns - 1 - rng.below(200)) % psns).collect();
        let mut run = Run {
            shape,
            reorder: reorder::Oracle::new(behind, reorder::Pace::LATE),
            stage: ack::Oracle::new(shape),
            rng,
            fields: VecDeque::new(),
            lasts: vec![BTreeSet::new(); CONNECTIONS as usize],
            next: vec![0; CONNECTIONS as usize],
            late: vec![Vec::new(); CONNECTIONS as usize],
            start,
            bytes: vec![0; CONNECTIONS as usize],
            replies: 0,
            told: Vec::new(),
            acks: Vec::new(),
            seed,
        };
        run.idle(60, true);
        for connection in 0..CONNECTIONS {
            // Two without multipath. Open here first.
            let psn = run.start[connection as usize];
            let open = ack::Command {
                op: 1,
                connection,
                psn,
                multipath: connection < 2 && !shape.is_uet(),
                ..ack::Command::default()
            };
            run.step(None, Some(open), true);
            run.idle(60, true);
        }
        run
    }

    fn step(&mut self, packet: Option<reorder::Arrival>, open: Option<ack::Command>, ready: bool) {
        let cycle = self.stage.cycle();
        let (before, out) = (self.reorder.outputs(), self.stage.outputs());
        let arrival = before.answer.map(|answer| self.answer(cycle, &answer));
        let is_uet = self.shape.is_uet();
        let report = before.event.map(|event| {
            let reorder::Report { connection, first, last, by_span, by_time } = event;
            ack::Report { connection, first, last, repeated: !is_uet && !by_span && !by_time }
        });
        let command = open.map(|open| reorder::Command {
            op: 1,
            connection: open.connection,
            psn: open.psn,
            ..reorder::Command::default()
        });
        let span = 3;
        let settings = (cycle == 0).then_some(reorder::Settings { span, time: 50 });
        self.reorder.step(&reorder::Inputs {
            arrival: packet,
            command,
            event_ready: out.event_ready,
            ..reorder::Inputs::idle(settings)
        });
        // Any count that coalesces, and a time that ends it.
        let settings = (cycle == 0).then_some(ack::Settings {
            count: 3,
            count_multipath: 3,
            time: 40,
            // Every refusal has a reply.
            no_buffer_time: 0,
            ..self.shape.reset
        });
        self.stage.step(&ack::Inputs { arrival, report, command: open, settings, pressure: 0, ack_ready: ready });
        self.acks.extend(out.ack.filter(|_| ready).map(|ack| (cycle, ack)));
    }

    fn idle(&mut self, cycles: u64, ready: bool) {
        (0..cycles).for_each(|_| self.step(None, None, ready));
    }

    /// The answer of `reorder` with the fields of its packet.
    fn answer(&mut self, cycle: u64, answer: &reorder::Answer) -> ack::Arrival {
        let outcome = ack::Outcome::ALL[answer.outcome as usize];
        let fields = self.fields.pop_front().expect("an answer for each packet");
        let connection = answer.arrival.connection;
        let uet = self.shape.is_uet();
        let new = matches!(outcome, ack::Outcome::InOrder | ack::Outcome::Held);
        self.bytes[connection as usize] += if new { fields.length } else { 0 };
        let refused = matches!(outcome, ack::Outcome::Above | ack::Outcome::NoBuffer);
        self.replies += u64::from(outcome == ack::Outcome::Probe && (uet || connection < 2) || uet && refused);
        if new {
            self.told.push((cycle, connection, answer.expected));
        }
        ack::Arrival {
            outcome,
            connection,
            psn: answer.arrival.psn,
            expected: answer.expected,
            held: answer.held,
            highest: answer.highest,
            suspected: answer.suspected,
            late: answer.late,
            sack_base: answer.sack_base,
            sack: answer.sack,
            ..fields
        }
    }

    /// A packet of a connection, if it is accepted.
    fn send(&mut self, connection: u64, number: u64, probe: bool, ready: bool) -> bool {
        let psn = (self.start[connection as usize] + number) % self.shape.psns();
        if !self.reorder.outputs().arrival_ready {
            self.step(None, None, ready);
            return false;
        }
        let last = self.lasts[connection as usize].contains(&number);
        let length = 64 + number % 1000;
        self.fields.push_back(ack::Arrival {
            last,
            length,
            ecn: self.rng.below(20) == 0,
            ack_request: self.rng.below(30) == 0,
            ..ack::Arrival::default()
        });
        let flags = if probe { reorder::PROBE } else { 0 };
        let packet = reorder::Arrival { connection, found: true, psn, flags, ..reorder::Arrival::default() };
        self.step(Some(packet), None, ready);
        true
    }

    /// Random traffic; then all that is late.
    fn traffic(&mut self, packets: u64) {
        let mut ready = true;
        for _ in 0..packets {
            let n = self.rng.below(CONNECTIONS);
            let at = n as usize;
            if self.rng.below(25) == 0 {
                ready = !ready;
            }
            let choice = self.rng.below(20);
            if choice == 0 {
                self.send(n, 0, true, ready);
            } else if choice < 3 && self.next[at] > 0 {
                self.send(n, self.next[at] - 1, false, ready);
            } else if choice < 6 && !self.late[at].is_empty() {
                let which = self.rng.below(self.late[at].len() as u64) as usize;
                let number = self.late[at][which];
                if self.send(n, number, false, ready) {
                    self.late[at].swap_remove(which);
                }
            } else if self.late[at].first().is_none_or(|first| self.next[at] - first < 80) {
                let number = self.next[at];
                if self.rng.below(3) == 0 {
                    self.lasts[at].insert(number);
                }
                if self.rng.below(8) == 0 || !self.send(n, number, false, ready) {
                    self.late[at].push(number);
                }
                self.next[at] += 1;
            }
            let pause = self.rng.below(4);
            self.idle(pause, ready);
        }
        for connection in 0..CONNECTIONS {
            let mut late = std::mem::take(&mut self.late[connection as usize]);
            late.sort_unstable();
            // Those that did not fit in the window come again too.
            let expected = self.shape.minus(self.reorder.expected(connection), self.start[connection as usize]);
            late.extend(expected..self.next[connection as usize]);
            for number in late {
                while !self.send(connection, number, false, true) {}
                self.idle(3, true);
            }
        }
        self.idle(3000, true);
    }

    /// All before this number have been received, as the ACK says.
    fn covers(&self, ack: &ack::Ack) -> u64 {
        let before = if ack.kind == 2 { ack.psn } else { ack.psn + 1 };
        self.shape.minus(before, self.start[ack.connection as usize])
    }
}

/// The ACKs of a connection; not replies of UET that have PSNs of their own.
fn cumulative(run: &Run) -> impl Iterator<Item = &(u64, ack::Ack)> {
    run.acks.iter().filter(|(_, ack)| !(run.shape.is_uet() && ack.kind == 2))
}

fn runs() -> impl Iterator<Item = Run> {
    (0..12).map(|n| {
        let shape = if n % 2 == 0 { ROCE } else { UET };
        let mut run = Run::new(shape.ram_latency(1 + n / 2 % 3), 77 + n);
        run.traffic(1200);
        run
    })
}

/// Every packet that was received is followed by an ACK that covers what it told.
#[test]
fn nothing_that_is_owed_is_lost() {
    let mut checked = 0;
    for run in runs() {
        let start = |connection: u64| run.start[connection as usize];
        for &(cycle, connection, expected) in &run.told {
            let covered = cumulative(&run)
                .filter(|(at, ack)| {
                    ack.connection == connection && *at >= cycle + run.shape.effect() + run.shape.output()
                })
                .any(|(_, ack)| run.covers(ack) >= run.shape.minus(expected, start(connection)));
            assert!(covered, "run {}: {connection} {expected:#x} of cycle {cycle}", run.seed);
            checked += 1;
        }
        for connection in 0..CONNECTIONS {
            assert!(!run.stage.owes(connection), "run {}", run.seed);
            let last = cumulative(&run).filter(|(_, ack)| ack.connection == connection).last().unwrap();
            assert_eq!(run.covers(&last.1), run.next[connection as usize], "run {}", run.seed);
        }
    }
    assert!(checked > 8000, "{checked}");
}

/// What ACKs acknowledge never goes back.
#[test]
fn acknowledgements_never_go_back() {
    let mut checked = 0;
    for run in runs() {
        let mut reached = BTreeMap::new();
        for (cycle, ack) in cumulative(&run) {
            let covered = run.covers(ack);
            let before = reached.insert(ack.connection, covered).unwrap_or(0);
            assert!(covered >= before, "run {} cycle {cycle}", run.seed);
            checked += 1;
        }
    }
    assert!(checked > 2000, "{checked}");
}

#[test]
fn msn_is_the_number_of_messages() {
    let mut checked = 0;
    for run in runs().filter(|run| !run.shape.is_uet()) {
        for (cycle, ack) in &run.acks {
            let messages = run.lasts[ack.connection as usize].range(..run.covers(ack)).count() as u64;
            assert_eq!(ack.msn, messages, "run {} cycle {cycle}", run.seed);
            checked += u64::from(messages > 0);
        }
    }
    assert!(checked > 1000, "{checked}");
}

/// A sequence error for each expected PSN at most once, and only without multipath.
#[test]
fn one_nak_per_gap() {
    let mut checked = 0;
    for run in runs().filter(|run| !run.shape.is_uet()) {
        let mut gaps = BTreeSet::new();
        for (cycle, ack) in run.acks.iter().filter(|(_, ack)| ack.syndrome == 0x60) {
            assert!(ack.connection >= 2 && !ack.multipath);
            assert!(gaps.insert((ack.connection, ack.psn)), "run {} cycle {cycle}", run.seed);
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Each reply leaves or is counted; UET: all new bytes are told, and each inferred loss is of a PSN that was missing.
#[test]
fn replies_and_bytes() {
    let mut inferred = 0;
    for mut run in runs() {
        let counters = run.stage.outputs().counters;
        let uet = run.shape.is_uet();
        let reply = |ack: &ack::Ack| if uet { ack.kind == 2 || ack.flags & 8 != 0 } else { ack.flags & 4 != 0 };
        let losses = run.acks.iter().filter(|(_, ack)| uet && ack.code == 0x1A).count() as u64;
        let sent = run.acks.iter().filter(|(_, ack)| reply(ack)).count() as u64 - losses;
        assert_eq!(sent + counters.dropped_replies, run.replies, "run {}", run.seed);
        assert_eq!(counters.acks + counters.naks + counters.probe_answers, run.acks.len() as u64);
        inferred += losses;
        for connection in (0..CONNECTIONS).filter(|_| uet) {
            let last = cumulative(&run).filter(|(_, ack)| ack.connection == connection).last().unwrap().1;
            assert_eq!(last.rcvd_bytes, run.bytes[connection as usize].div_ceil(256), "run {}", run.seed);
        }
        run.idle(1, true);
    }
    assert!(inferred > 20, "{inferred}");
}
