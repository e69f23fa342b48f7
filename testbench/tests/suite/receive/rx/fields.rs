// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ACKs of RoCEv2 with multipath say, field by field, against a reading of the traffic that knows nothing of stages: PSN,
//! number of messages, and of the MPEH path, flags, flowlet and tag (M26 to M32; rows G4 to G12 of `ack_generator`, R13 to
//! R15 of `reorder`). One packet at a time, so that each has its ACK.

use super::alone::{Alone, marked, multipath, request};
use super::tag::{rocev2, timed};
use super::{config, model, peer};
use golden_vectors::headers::Mpeh;
use golden_vectors::headers::codec::Record;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::receive::reorder::{ReorderConfig, ReorderSettings};
use pipeline::receive::rx::RxConfig;
use std::collections::BTreeMap;
use testbench::Dut;
use testbench::device::random::Random;
use tier::pick;

const WINDOW: u64 = 64;
/// PSNs by which a gap may be behind.
const SPAN: u64 = 6;
/// R, L and P.
const REORDERED: u8 = 1;
const LOSS: u8 = 2;
const PROBE: u8 = 4;

/// A path with `SPAN`, and without a limit of time.
pub fn narrow(config: RxConfig) -> RxConfig {
    let settings = ReorderSettings { span: SPAN, time: (1 << 20) - 1 };
    RxConfig { reorder: ReorderConfig { settings, ..config.reorder }, ..timed(config) }
}

/// What an ACK says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Said {
    peer: u64,
    psn: u64,
    syndrome: u8,
    messages: u64,
    marked: bool,
    path: u8,
    flags: u8,
    flowlet: u16,
    tag: u64,
}

impl Said {
    fn of(record: &Record) -> Self {
        let headers = rocev2(record);
        let (bth, aeth, mpeh) = (headers.bth, headers.aeth.expect("an AETH"), headers.mpeh.expect("an MPEH"));
        assert_eq!((bth.opcode(), mpeh.reserved(), bth.fecn(), bth.ackreq()), (0x11, 0, false, false));
        Said {
            peer: bth.dqpn().into(),
            psn: bth.psn().into(),
            syndrome: aeth.syndrome(),
            messages: aeth.msn().into(),
            marked: bth.becn(),
            path: mpeh.path_id(),
            flags: mpeh.flags(),
            flowlet: mpeh.flowlet_seq(),
            tag: mpeh.sched_tag().into(),
        }
    }
}

/// A packet as it is sent; its number counts from the first PSN.
#[derive(Clone, Copy, Debug)]
struct Packet {
    number: u64,
    path: u8,
    probe: bool,
    flowlet: u16,
    marked: bool,
    /// It ends a message.
    last: bool,
    /// Its delay; 0 if it has no MPEH.
    delay: u64,
}

/// What a connection has received.
#[derive(Default)]
struct Connection {
    number: u64,
    first: u64,
    /// All before this number.
    expected: u64,
    /// Numbers, and whether they end messages.
    received: BTreeMap<u64, bool>,
    messages: u64,
    /// The flowlet of the packet with the highest number, and that of the last one acknowledged.
    top: u16,
    flowlet: u16,
    /// The first number behind the gap that has been reported.
    reported: u64,
    /// The path of the last ACK that was for a packet.
    path: u8,
    /// The number after the highest one, and whether the last packet that was received had a lower one.
    end: u64,
    is_late: bool,
}

impl Connection {
    fn says(&self, packet: &Packet, flags: u8) -> Said {
        // With L the tag of an ACK says what is missing, so only a report has it, and the answer to a probe.
        let suspected = packet.probe && !self.received.is_empty() && self.expected < self.reported;
        let is_reordered = !self.received.is_empty() || self.is_late;
        let reordered = if is_reordered && !packet.probe || !self.received.is_empty() { REORDERED } else { 0 };
        let named = (self.first + packet.number) & 0xFFFF;
        Said {
            peer: peer(self.number),
            psn: (self.first + self.expected).wrapping_sub(1) & 0xFF_FFFF,
            syndrome: 31,
            messages: self.messages,
            marked: packet.marked,
            path: packet.path,
            flags: flags | reordered | if suspected { LOSS } else { 0 },
            flowlet: self.flowlet,
            tag: if packet.delay == 0 { named } else { packet.delay },
        }
    }

    /// A packet: the ACKs that it brings, in their order, and what it was.
    fn arrives(&mut self, packet: &Packet) -> (Vec<Said>, &'static str) {
        let number = packet.number;
        self.is_late = false;
        if packet.probe {
            return (vec![self.says(packet, PROBE)], "probe");
        }
        if number >= self.expected + WINDOW {
            return (Vec::new(), "above");
        }
        let what = match number {
            _ if number < self.expected => "below",
            _ if self.received.contains_key(&number) => "duplicate",
            _ if number == self.expected => "in order",
            _ => "held",
        };
        if ["in order", "held"].contains(&what) {
            self.is_late = number + 1 < self.end;
            self.end = self.end.max(number + 1);
            self.received.insert(number, packet.last);
            if self.received.last_key_value().is_some_and(|(highest, _)| *highest == number) {
                self.top = packet.flowlet;
            }
            while let Some(last) = self.received.remove(&self.expected) {
                self.expected += 1;
                self.messages += u64::from(last);
            }
            if what == "in order" {
                self.flowlet = if self.received.is_empty() { self.top } else { packet.flowlet };
            }
        }
        self.path = packet.path;
        let mut said = vec![self.says(packet, 0)];
        // Each gap with more than SPAN from its first PSN to the highest one is reported, once.
        self.reported = self.reported.max(self.expected);
        while let Some((highest, _)) = self.received.last_key_value()
            && highest - self.reported > SPAN
        {
            let first = (self.reported..).find(|it| !self.received.contains_key(it)).expect("they have no end");
            let behind = self.received.range(first..).next().map(|(behind, _)| *behind);
            self.reported = first;
            let Some(behind) = behind.filter(|_| highest - first > SPAN) else { break };
            self.reported = behind;
            self.is_late = false;
            let event = self.says(&Packet { path: self.path, marked: false, delay: 0, ..*packet }, LOSS);
            let tag = (behind - first - 1) << 12 | (first - self.expected);
            said.push(Said { tag, ..event });
        }
        (said, what)
    }

    /// A packet of the sender: mostly one that is missing, now and then another.
    fn next(&self, random: &mut Random) -> Packet {
        let missing: Vec<_> =
            (self.expected..self.expected + 12).filter(|it| !self.received.contains_key(it)).collect();
        let number = match random.below(12) {
            0 => self.expected.saturating_sub(1 + random.below(3)),
            1 => self.expected + random.below(6),
            2 if random.chance(0.3) => self.expected + WINDOW + random.below(9),
            3..7 => self.expected,
            _ => missing[random.below(missing.len() as u64) as usize],
        };
        let (path, flowlet) = (random.below(256) as u8, random.below(1 << 16) as u16);
        let (probe, marked, last) = (random.chance(0.1), random.chance(0.2), random.chance(0.4));
        let delay = if random.chance(0.1) { 0 } else { random.between(1, 0xFFFF) };
        if delay == 0 {
            return Packet { number, path: 0, probe: false, flowlet: 0, marked, last, delay };
        }
        Packet { number, path, probe, flowlet, marked, last, delay }
    }
}

/// Packets of four connections; each must be answered as the reading of the traffic says.
pub fn says_what_has_come(dut: &mut dyn Dut, config: &RxConfig, packets: u64, seed: u64) {
    let (mut alone, mut random) = (Alone::new(dut, config), Random::new(seed));
    let mut connections = [1, 4, 6, 7].map(|number| {
        let first = if number == 4 { 0xFF_FFF0 } else { random.below(1 << 24) };
        alone.does(multipath(config, number, 0x500 + number, first));
        Connection { number, first, ..Connection::default() }
    });
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for _ in 0..packets {
        let it = &mut connections[random.below(4) as usize];
        let packet = it.next(&mut random);
        let frame = request(0x500 + it.number, it.first + packet.number, random.below(100) as usize);
        let opcode = if packet.last { [2, 4] } else { [0, 1] }[random.below(2) as usize];
        let mut frame = frame.with_bth(|bth| bth.set_opcode(opcode));
        if packet.marked {
            frame = marked(frame);
        }
        if packet.delay > 0 {
            let flags = random.below(16) as u8 & !PROBE | if packet.probe { PROBE } else { 0 };
            let mpeh = Mpeh::new().with_path_id(packet.path).with_flags(flags).with_flowlet_seq(packet.flowlet);
            frame = frame.with_mpeh(mpeh);
            let sent = alone.time_of(alone.end_of(frame.bytes().len())).wrapping_sub(packet.delay);
            frame = frame.with_mpeh(mpeh.with_sched_tag(sent as u16));
        }
        let (wanted, what) = it.arrives(&packet);
        let said: Vec<_> = alone.answers_to(&frame).iter().map(Said::of).collect();
        assert_eq!(said, wanted, "{what}: {packet:?}");
        *seen.entry(what).or_default() += 1;
        for one in said {
            for (flag, name) in [(REORDERED, "R"), (LOSS, "L"), (PROBE, "P")] {
                *seen.entry(name).or_default() += u64::from(one.flags & flag != 0);
            }
            *seen.entry("marked").or_default() += u64::from(one.marked);
            *seen.entry("answers").or_default() += 1;
        }
        *seen.entry("reports").or_default() += u64::from(wanted.len() == 2);
    }
    println!("{seen:?}");
    for what in ["in order", "held", "duplicate", "below", "above", "probe", "R", "L", "P", "marked", "reports"] {
        assert!(seen.get(what).is_some_and(|count| *count > 3), "{what}: {seen:?}");
    }
    let of = |name: &str| seen.get(name).copied().unwrap_or(0);
    assert_eq!(alone.count("probe_answers"), of("P"));
    assert_eq!(alone.count("acks"), of("answers") - of("P"));
    assert_eq!((alone.count("naks"), alone.count("dropped_replies")), (0, 0));
}

#[test]
fn acks_say_what_has_come_field_by_field() {
    for ram_latency in pick([2, 1, 3], 1) {
        let config = narrow(config(AckProtocol::Roce, 512, ram_latency));
        says_what_has_come(&mut *model(&config), &config, 500, ram_latency.into());
    }
}
