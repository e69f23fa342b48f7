// SPDX-License-Identifier: MIT OR Apache-2.0
//! RoCEv2.

use super::bench::{Bench, In, put, put_option};
use pipeline::receive::ack_generator::{Ack, AckGeneratorConfig, AckProtocol, kind, op, outcome};
use rtl_model::Model;

fn configs() -> impl Iterator<Item = AckGeneratorConfig> {
    let config = AckGeneratorConfig::new(AckProtocol::Roce, 4, 64);
    (1..=3).map(move |ram_latency| AckGeneratorConfig { ram_latency, ..config })
}

/// Kind, PSN, syndrome and MSN of all that was sent.
fn sent(bench: &Bench) -> Vec<[u64; 4]> {
    let fields = |ack: &Ack<Model>| {
        [ack.kind, ack.psn, ack.syndrome.expect("RoCE"), ack.msn.expect("RoCE")].map(rtl_model::Bits::value)
    };
    bench.acks.iter().map(|(_, ack)| fields(ack)).collect()
}

fn settings(input: &mut In, count: u64, time: u64) {
    put(&mut input.settings.valid, 1);
    put(&mut input.settings.tick, 1 << 15);
    put_option(&mut input.settings.count, count);
    put_option(&mut input.settings.count_multipath, count);
    put(&mut input.settings.time, time);
    put_option(&mut input.settings.credits, 31);
    put_option(&mut input.settings.rnr, 5);
}

fn ask(input: &mut In) {
    put(&mut input.arrival.packet.ack_request, 1);
}

/// The drawing of the contract.
#[test]
fn packets_are_acknowledged_by_count_request_and_gap() {
    for config in configs() {
        let mut bench = Bench::new(config);
        assert_eq!(bench.command(op::OPEN, 1, 10, false).done.value(), 1);
        bench.clock(|input| settings(input, 4, 0));
        let last = |input: &mut In| put_option(&mut input.arrival.packet.last, 1);
        for psn in 10..14 {
            bench.arrive([1, outcome::IN_ORDER, psn, psn + 1], last);
        }
        bench.idle(40);
        bench.arrive([1, outcome::IN_ORDER, 14, 15], |_| ());
        bench.arrive([1, outcome::IN_ORDER, 15, 16], ask);
        bench.idle(40);
        let held = |input: &mut In| put(&mut input.arrival.packet.held, 1);
        bench.arrive([1, outcome::HELD, 17, 16], held);
        bench.arrive([1, outcome::HELD, 18, 16], held);
        bench.idle(40);
        bench.arrive([1, outcome::IN_ORDER, 16, 19], |_| ());
        bench.idle(40);
        let response = bench.command(op::CLOSE, 1, 0, false);
        assert_eq!([response.done, response.open, response.draining].map(rtl_model::Bits::value), [1, 0, 1]);
        bench.idle(40);
        let seen = sent(&bench);
        let expected = [[0, 13, 31, 4], [0, 15, 31, 4], [kind::NAK, 16, 0x60, 4], [0, 18, 31, 4]];
        assert_eq!(seen, expected);
        let counts = bench.outputs();
        assert_eq!(
            [counts.counts.acks, counts.counts.naks, counts.counts.merged_causes].map(rtl_model::Bits::value),
            [3, 1, 1]
        );
    }
}

/// G18: the latency of a lone cause, and the distance of takes.
#[test]
fn a_lone_cause_takes_3_l_and_13_cycles() {
    for config in configs() {
        let l = u64::from(config.ram_latency);
        let mut bench = Bench::new(config);
        for connection in 0..2 {
            bench.command(op::OPEN, connection, 0, true);
        }
        let start = bench.cycle;
        bench.arrive([0, outcome::IN_ORDER, 0, 1], |_| ());
        bench.arrive([1, outcome::IN_ORDER, 0, 1], |_| ());
        bench.idle(60);
        let cycles: Vec<_> = bench.acks.iter().map(|(cycle, _)| cycle - start).collect();
        assert_eq!(cycles, [3 * l + 13, 4 * l + 18]);
    }
}

/// G7, G17: while the output is stalled, all merges.
#[test]
fn a_stalled_output_merges() {
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.command(op::OPEN, 2, 0xFF_FFF0, true);
        bench.stall = true;
        let psn = |i: u64| (0xFF_FFF0 + i) & 0xFF_FFFF;
        for i in 0..100 {
            bench.arrive([2, outcome::IN_ORDER, psn(i), psn(i + 1)], |input| {
                put_option(&mut input.arrival.packet.path, i);
                put(&mut input.arrival.packet.ecn, (i == 70).into());
            });
        }
        bench.idle(20);
        bench.stall = false;
        bench.idle(60);
        let seen: Vec<_> = bench
            .acks
            .iter()
            .map(|(_, ack)| [ack.psn.value(), ack.path.expect("RoCE").value(), ack.ecn.expect("RoCE").value()])
            .collect();
        assert_eq!(seen.len(), 2);
        assert_eq!(seen[1], [psn(99), 70, 1], "G6: the marked one is the trigger");
        let merged = bench.outputs().counts.merged_causes.value();
        assert_eq!(merged, 98);
    }
}

/// G8: messages are counted over jumps of the expected PSN, across the wrap of the window.
#[test]
fn messages_are_counted_when_gaps_are_filled() {
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.command(op::OPEN, 3, 1000, true);
        let last = |input: &mut In| put_option(&mut input.arrival.packet.last, 1);
        let mut messages = 0;
        for (start, end) in [(1000, 1010), (1010, 1060), (1060, 1124)] {
            for psn in start + 1..end {
                bench.arrive([3, outcome::HELD, psn, start], |input| {
                    put_option(&mut input.arrival.packet.last, u64::from(psn % 3 == 0));
                    put(&mut input.arrival.packet.held, psn - start);
                });
                messages += u64::from(psn % 3 == 0);
            }
            bench.arrive([3, outcome::IN_ORDER, start, end], last);
            messages += 1;
            let response = bench.command(op::READ, 3, 0, false);
            assert_eq!(response.msn.expect("RoCE").value(), messages, "to {end}");
        }
    }
}

/// G14, G15: a probe on each path has its answer, and one without room an ACK.
#[test]
fn replies_without_room_become_an_ack() {
    for config in configs() {
        let config = AckGeneratorConfig { replies: 4, ..config };
        let mut bench = Bench::new(config);
        bench.command(op::OPEN, 0, 7, true);
        bench.stall = true;
        for path in 0..12 {
            bench.arrive([0, outcome::PROBE, 99, 7], |input| put_option(&mut input.arrival.packet.path, path));
        }
        bench.idle(30);
        bench.stall = false;
        bench.idle(200);
        let is_probe = |ack: &&(u64, Ack<Model>)| ack.1.flags.value() & 4 != 0;
        let probes = bench.acks.iter().filter(is_probe).count();
        let counts = bench.outputs();
        assert_eq!(counts.counts.dropped_replies.value() + probes as u64, 12);
        assert_eq!((bench.acks.len() - probes, counts.counts.probe_answers.value()), (1, probes as u64));
        assert!(bench.acks.iter().all(|(_, ack)| ack.psn.value() == 6));
    }
}

/// G19, G20: time passes.
#[test]
fn a_packet_is_acknowledged_by_time() {
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.command(op::OPEN, 1, 0, false);
        bench.clock(|input| settings(input, 100, 50));
        let start = bench.cycle;
        bench.arrive([1, outcome::IN_ORDER, 0, 1], |_| ());
        bench.idle(200);
        assert_eq!((bench.acks.len(), bench.outputs().counts.expired.value()), (1, 1));
        let after = bench.acks[0].0 - start;
        assert!((100..150).contains(&after), "{after}");
    }
}

/// G12, G13: an event makes an ACK with L that names the four PSNs of its gap, unless the gap is filled.
#[test]
fn an_event_is_void_when_its_gap_is_filled() {
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.command(op::OPEN, 1, 0xFF_FFFE, true);
        bench.event(1, 0xFF_FFFE, 1);
        bench.idle(60);
        assert_eq!(bench.acks.len(), 1);
        let ack = bench.acks[0].1;
        assert_eq!([ack.flags, ack.psn, ack.tag.expect("RoCE")].map(rtl_model::Bits::value), [2, 0xFF_FFFD, 3 << 12]);
        bench.arrive([1, outcome::IN_ORDER, 0xFF_FFFE, 2], |_| ());
        bench.event(1, 0xFF_FFFE, 1);
        bench.idle(60);
        assert_eq!((bench.acks.len(), bench.outputs().counts.void_events.value()), (2, 1));
        assert_eq!(bench.acks[1].1.flags.value(), 0);
    }
}

/// G10: the one-way delay.
#[test]
fn the_delay_is_that_of_the_trigger() {
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.command(op::OPEN, 1, 0, true);
        bench.clock(|input| {
            settings(input, 1, 0);
            put(&mut input.settings.tick, 0);
            put_option(&mut input.settings.offset, 100);
        });
        for stamp in [0, 40, 5000] {
            bench.arrive([1, outcome::BELOW, 0, 0], |input| {
                put_option(&mut input.arrival.packet.stamped, 1);
                put_option(&mut input.arrival.packet.stamp, stamp);
            });
            bench.idle(40);
        }
        let tags: Vec<_> = bench.acks.iter().map(|(_, ack)| ack.tag.expect("RoCE").value()).collect();
        assert_eq!(tags.len(), 3);
        assert_eq!([(tags[0] - tags[1]) & 0xFFFF, (tags[0].wrapping_sub(tags[2])) & 0xFFFF], [40, 5000]);
    }
}
