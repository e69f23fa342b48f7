// SPDX-License-Identifier: MIT OR Apache-2.0
//! D34 under random operations: what the outputs say adds up to the state.

use super::bench::{Bench, put};
use pipeline::transmit::packet_tracker::{
    PacketTrackerConfig, PacketTrackerSettings, event_kind, kind, op, outcome_kind, send_op,
};
use std::collections::BTreeMap;
use tier::pick;

/// A small generator: the tests need no more.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

const PDCS: u64 = 4;

/// What the outputs of a PDC have said since it was opened.
#[derive(Default)]
struct Told {
    flying: i64,
    marks: i64,
    marked_bytes: i64,
    /// Packets without a last outcome: how often they were marked, less how often they were sent again.
    packets: BTreeMap<u64, i64>,
}

struct Sums {
    told: Vec<Told>,
    seen: [usize; 3],
}

impl Sums {
    /// Takes over what has come out.
    fn take(&mut self, bench: &Bench) {
        for (_, sent) in &bench.sent[self.seen[0]..] {
            if sent.ok.value() == 0 {
                continue;
            }
            let packets = &mut self.told[sent.pdc.value() as usize].packets;
            let psn = sent.psn.value();
            if sent.op.value() == send_op::NEW {
                assert_eq!(packets.insert(psn, 0), None, "a PSN is sent twice: {psn}");
            } else {
                *packets.get_mut(&psn).expect("it was sent") -= 1;
            }
        }
        for (_, outcome) in &bench.outcomes[self.seen[1]..] {
            let packets = &mut self.told[outcome.pdc.value() as usize].packets;
            let (kind, psn) = (outcome.kind.value(), outcome.psn.value());
            assert_eq!(outcome.size.value(), psn % 5000, "the size of its packet");
            if [outcome_kind::NACK, outcome_kind::LOST].contains(&kind) {
                *packets.get_mut(&psn).expect("it was sent") += 1;
                continue;
            }
            let marked = packets.remove(&psn).unwrap_or_else(|| panic!("a second last outcome of {psn}"));
            let late = [outcome_kind::LATE, outcome_kind::DISCARDED_LATE].contains(&kind);
            assert_eq!(marked, i64::from(late), "{psn}, kind {kind}");
        }
        for (_, event) in &bench.events[self.seen[2]..] {
            let told = &mut self.told[event.pdc.value() as usize];
            let size = event.size.value() as i64;
            match event.kind.value() {
                event_kind::ACK => {
                    told.flying -= event.packets.value() as i64;
                    told.marks -= event.rtx_packets.value() as i64;
                    told.marked_bytes -= event.rtx_bytes.value() as i64;
                }
                event_kind::NACK | event_kind::LOSS => {
                    told.flying -= 1;
                    told.marks += 1;
                    told.marked_bytes += size;
                }
                event_kind::SEND if event.packet.value() == 1 => {
                    told.flying += 1;
                    if event.retransmission.value() == 1 {
                        told.marks -= 1;
                        told.marked_bytes -= size;
                    }
                }
                _ => {}
            }
        }
        self.seen = [bench.sent.len(), bench.outcomes.len(), bench.events.len()];
    }
}

/// Sets when packets are taken for lost.
fn set(bench: &mut Bench, rto: u64, span: u64) {
    let PacketTrackerSettings { tick, retries, .. } = bench.config.settings;
    bench.clock(|input| {
        put(&mut input.settings.valid, 1);
        put(&mut input.settings.tick, tick);
        put(&mut input.settings.rto, rto);
        put(&mut input.settings.retries, retries);
        put(&mut input.settings.span, span);
    });
}

/// Drives random operations, and checks the sums each time that nothing is under way.
fn run(config: PacketTrackerConfig, seed: u64, stalls: bool) -> [u64; 8] {
    let mut random = Random(seed);
    let mut bench = Bench::new(config);
    let mut sums = Sums { told: (0..PDCS).map(|_| Told::default()).collect(), seen: [0; 3] };
    let mut checks = 0;
    let starts: Vec<u64> = (0..PDCS).map(|_| 0x00FF_FFC0 + random.below(64)).collect();
    for (pdc, &psn) in starts.iter().enumerate() {
        bench.open(pdc as u64, pdc as u64, psn);
    }
    // Base and next PSN as of the last check, and new packets offered since.
    let mut windows: Vec<[u64; 3]> = starts.iter().map(|&psn| [psn, psn, 0]).collect();
    let mask = (1 << config.psn_bits) - 1;
    for _ in 0..60 {
        let load = random.below(4);
        for _ in 0..random.below(200) {
            bench.stall = stalls && random.below(8) != 0;
            let (pdc, other) = (random.below(PDCS), random.below(PDCS));
            let [base, next, _] = windows[other as usize];
            let ahead = next.wrapping_sub(base) & mask;
            // Half of the ACKs repeat the base as it was, with bits anywhere behind it.
            let (repeats, bit) = (random.below(2) == 1, random.below(64));
            let psn = base + if repeats { 0 } else { random.below(ahead + 4) };
            let (kind, bitmap) = (random.below(4).saturating_sub(1), 1 << bit | random.0 & random.0 >> 9);
            let (op, last) = (1 + random.below(2) * random.below(2), random.below(2));
            let [sends, acks] = [random.below(4) >= load, random.below(6) <= load];
            let room = bench.outputs().send_ready.value() == 1;
            // The size says which PSN it is, if no new packet is refused.
            let [own_base, own_next, own_offered] = windows[pdc as usize];
            let fits = (own_next.wrapping_sub(own_base) & mask) + own_offered < config.window;
            let size = ((own_next + own_offered) & mask) % 5000;
            let new = sends && op == send_op::NEW && fits;
            if new && room {
                windows[pdc as usize][2] += 1;
            }
            let (offset, trigger) = (random.below(if repeats { ahead + 1 } else { 80 }), random.below(64));
            let offset = if repeats { offset + 1 } else { offset.wrapping_sub(40) };
            bench.clock(|input| {
                put(&mut input.send.valid, (new || sends && op == send_op::AGAIN).into());
                put(&mut input.send.op, op);
                put(&mut input.send.pdc, pdc);
                put(&mut input.send.size, size);
                put(&mut input.send.ev, 0x5A00 | pdc);
                put(&mut input.send.asks, bit % 2);
                put(&mut input.send.last, last);
                put(&mut input.ack.valid, acks.into());
                put(&mut input.ack.kind, kind);
                put(&mut input.ack.pdc, other);
                put(&mut input.ack.psn, psn.wrapping_sub(u64::from(kind == kind::ACK)));
                put(&mut input.ack.sack_offset, offset);
                put(&mut input.ack.sack, if bit % 3 == 0 { bitmap & 0xFF } else { 0 });
                put(&mut input.ack.triggered, 1);
                put(&mut input.ack.trigger_offset, 0_u64.wrapping_sub(trigger));
                put(&mut input.ack.counted, bit % 2);
                put(&mut input.ack.rcvd_bytes, bit << 4);
            });
        }
        bench.stall = false;
        let closes = random.below(8) == 0;
        let pdc = random.below(PDCS);
        if random.below(4) == 0 {
            bench.command(op::LOSE, pdc, |input| put(&mut input.command.ev, pdc));
        }
        // No scans while it is compared.
        set(&mut bench, 0, u64::MAX);
        bench.idle(100);
        for pdc in 0..PDCS {
            bench.settle();
            let response = bench.read(pdc);
            bench.settle();
            sums.take(&bench);
            let told = &sums.told[pdc as usize];
            let [flying, marks] = [response.in_flight, response.marked].map(|count| count.value() as i64);
            assert_eq!((told.flying, told.marks), (flying, marks), "{config:?}, seed {seed}, PDC {pdc}");
            let marked: Vec<_> = told.packets.iter().filter(|(_, marks)| **marks == 1).map(|(psn, _)| *psn).collect();
            assert!(told.packets.values().all(|marks| (0..=1).contains(marks)), "{:?}", told.packets);
            assert_eq!((told.packets.len() as i64, marked.len() as i64), (flying + marks, marks));
            assert_eq!(told.marked_bytes, marked.iter().map(|psn| (psn % 5000) as i64).sum::<i64>());
            let window = &mut windows[pdc as usize];
            let offered = (window[1] + window[2]) & mask;
            *window = [response.base.value(), response.next.value(), 0];
            assert_eq!(window[1], offered, "no new packet is refused");
            checks += 1;
        }
        let PacketTrackerSettings { rto, span, .. } = config.settings;
        set(&mut bench, rto, span);
        if closes {
            let response = bench.command(op::CLOSE, pdc, |input| put(&mut input.command.force, 1));
            assert_eq!((response.done.value(), response.open.value()), (1, 0));
            bench.settle();
            sums.take(&bench);
            let told = &mut sums.told[pdc as usize];
            assert!(told.packets.is_empty(), "{:?}", told.packets);
            assert_eq!((told.flying, told.marks, told.marked_bytes), (0, 0, 0));
            let psn = random.below(1 << config.psn_bits);
            let response = bench.open(pdc, pdc, psn);
            assert_eq!((response.done.value(), response.base.value()), (1, psn));
            windows[pdc as usize] = [psn, psn, 0];
        }
    }
    assert!(checks > 100, "{checks}");
    let out = bench.outputs();
    [
        out.counts.outside_acks,
        out.counts.void_nacks,
        out.counts.late_acks,
        out.counts.empty_sends,
        out.counts.timeouts,
        out.counts.inferred_losses,
        out.counts.declared_losses,
        out.counts.old_totals,
    ]
    .map(|count| count.value())
}

#[test]
fn outputs_add_up_to_the_state() {
    let mut counted = [0; 8];
    let sizes = (1..=3).flat_map(|ram_latency| [64, 128].map(|window| (ram_latency, window)));
    for ((ram_latency, window), seed) in pick(sizes, 1).into_iter().flat_map(|size| [(size, 1), (size, 2)]) {
        let mut config = PacketTrackerConfig { ram_latency, psn_bits: 24, ..PacketTrackerConfig::new(PDCS, window) };
        config.settings.tick = 60_000;
        // Time-outs often come first.
        config.settings.rto = if seed == 1 { 400 } else { 20_000 };
        config.settings.retries = 3;
        config.settings.span = 5;
        let seed = seed * 1000 + u64::from(ram_latency) * 10 + window;
        for (sum, count) in counted.iter_mut().zip(run(config, seed, window == 64)) {
            *sum += count;
        }
    }
    // A *lose* with force ends time-outs and inferred losses until the base moves.
    assert!(counted.iter().all(|count| *count > 3), "{counted:?}");
}
