// SPDX-License-Identifier: MIT OR Apache-2.0
//! R8 to R12: what is delivered, in which order, and when.

use super::help::{Bench, NEVER, SHAPE, packet};
use golden_vectors::receive::reorder::oracle::{Arrival, Command, Inputs, Oracle, Pace, op};
use golden_vectors::rng::SplitMix64;
use std::collections::BTreeMap;

#[test]
fn r8_packets_stay_until_they_are_taken() {
    let mut bench = Bench::opened(SHAPE, 7);
    bench.inputs.delivery_ready = false;
    let cycle = bench.send(0, 7);
    bench.idle(27);
    assert_eq!(bench.oracle.outputs().delivery, None);
    for _ in 0..50 {
        bench.idle(1);
        let delivery = bench.oracle.outputs().delivery.unwrap();
        assert_eq!((delivery.connection, delivery.psn, delivery.handle), (0, 7, 7));
    }
    bench.inputs.delivery_ready = true;
    bench.idle(2);
    assert_eq!(bench.delivered.len(), 1);
    assert_eq!(bench.delivered[0].0, cycle + 29 + 49);
}

/// At every pace, 16 packets are read when delivery is stalled: the 17th slot is free, the 18th is not.
#[test]
fn r9_sixteen_are_read_ahead() {
    for pace in Pace::ALL {
        let mut bench = Bench { oracle: Oracle::new(SHAPE, pace), ..Bench::from_reset(SHAPE) };
        bench.idle(SHAPE.sweep());
        bench.command(op::OPEN, 0, 0, 0);
        bench.inputs.delivery_ready = false;
        bench.send_all(0, 0..30);
        bench.idle(80);
        bench.send_all(0, [80, 79]);
        bench.idle(20);
        let outcomes: Vec<u64> = bench.answers[30..].iter().map(|(_, answer)| answer.outcome as u64).collect();
        assert_eq!(outcomes, [5, 1], "{pace:?}");
    }
}

/// A turn has up to 16 packets of a connection; none waits for more than 2 k - 1 turns of others.
#[test]
fn r10_turns() {
    for pace in Pace::ALL {
        let mut bench = Bench { oracle: Oracle::new(SHAPE, pace), ..Bench::from_reset(SHAPE) };
        bench.set(NEVER);
        bench.idle(SHAPE.sweep());
        (0..4).for_each(|connection| {
            bench.command(op::OPEN, connection, 0, 0);
        });
        for connection in 0..4 {
            bench.send_all(connection, 1..50);
        }
        for connection in 0..4 {
            bench.send(connection, 0);
        }
        bench.idle(300);
        assert_eq!(bench.delivered.len(), 200, "{pace:?}");
        let mut turns: Vec<(u64, u64)> = Vec::new();
        for (_, packet) in &bench.delivered {
            match turns.last_mut() {
                Some((connection, count)) if *connection == packet.connection && *count < 16 => *count += 1,
                _ => turns.push((packet.connection, 1)),
            }
        }
        let of = |number: u64| turns.iter().filter(move |(connection, _)| *connection == number);
        for connection in 0..4 {
            assert_eq!(of(connection).map(|&(_, count)| count).collect::<Vec<_>>(), [16, 16, 16, 2], "{pace:?}");
            let first = turns.iter().position(|&(other, _)| other == connection).unwrap() as u64;
            assert!(first <= 2 * connection + 1, "{pace:?}: {turns:?}");
        }
    }
}

#[test]
fn r11_one_packet_per_cycle() {
    for count in [1, 16, 17, 64] {
        let mut bench = Bench::opened(SHAPE, 0);
        bench.send_all(0, 1..count);
        let cycle = bench.send(0, 0);
        bench.idle(120);
        let expected: Vec<(u64, u64)> = (0..count).map(|n| (cycle + 29 + n, n)).collect();
        let delivered: Vec<(u64, u64)> = bench.delivered.iter().map(|&(cycle, packet)| (cycle, packet.psn)).collect();
        assert_eq!(delivered, expected);
    }
}

/// Random traffic: every packet that was in order or held is delivered once, with the handle that came first.
#[test]
fn r12_everything_is_delivered_once() {
    let mut random = SplitMix64::new(12);
    for pace in Pace::ALL {
        let mut oracle = Oracle::new(SHAPE, pace);
        let mut inputs = Inputs::idle(None);
        (0..SHAPE.sweep()).for_each(|_| {
            oracle.step(&inputs);
        });
        let mut first: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        let mut next = [0; 4];
        for connection in 0..4 {
            inputs.command = Some(Command { op: op::OPEN, connection, ..Command::default() });
            oracle.step(&inputs);
            inputs.next();
            (0..40).for_each(|_| {
                oracle.step(&inputs);
            });
        }
        let (mut handle, mut delivered) = (0, 0);
        for cycle in 0..6000 {
            inputs.next();
            inputs.delivery_ready = random.below(4) != 0;
            if cycle < 5500 && random.below(5) != 0 {
                let connection = random.below(4);
                let psn = (oracle.expected(connection) + random.below(12)).wrapping_sub(2) % (1 << 24);
                handle = (handle + 1) % (1 << 16);
                inputs.arrival = Some(Arrival { handle, ..packet(connection, psn) });
            }
            let out = oracle.step(&inputs);
            if let Some(answer) = out.answer.filter(|answer| (answer.outcome as u64) < 2) {
                let arrival = answer.arrival;
                assert_eq!(first.insert((arrival.connection, arrival.psn), arrival.handle), None);
            }
            if let Some(packet) = out.delivery.filter(|_| inputs.delivery_ready) {
                assert_eq!(packet.psn, next[packet.connection as usize], "{pace:?}");
                assert_eq!(first.get(&(packet.connection, packet.psn)), Some(&packet.handle), "{pace:?}");
                next[packet.connection as usize] += 1;
                delivered += 1;
            }
        }
        for connection in 0..4 {
            assert_eq!(next[connection as usize], oracle.expected(connection), "{pace:?}");
        }
        assert!(delivered > 500, "{delivered}");
    }
}
