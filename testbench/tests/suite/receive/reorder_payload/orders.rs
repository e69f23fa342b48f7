// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every order of a few packets with frames in cells, each also with each one lost and with each one twice in every place
//! (R30 to R36): frames follow each other without pauses, on connections in turn, and every beat that leaves is compared.

use super::bench::Bench;
use super::traffic::permutations;
use super::{WRAP, end, wide_pool};
use tier::is_all;

const CONNECTIONS: u64 = 4;

/// The latencies of memories, with the most packets under way.
const MOST: [(u32, u64); 3] = [(1, 6), (2, 7), (3, 6)];

fn bench(ram_latency: u32, seed: u64) -> Bench {
    Bench::new(wide_pool(256), CONNECTIONS, ram_latency, WRAP, seed)
}

/// Offers a frame of one or two cells.
fn send(bench: &mut Bench, connection: u64, psn: u64) {
    let beats = if bench.random.below(2) == 0 { 1 } else { bench.random.between(2, 6) };
    bench.send(connection, psn, beats);
    while bench.queue.len() > 16 {
        bench.step();
    }
}

const fn factorial(n: u64) -> u64 {
    if n == 0 { 1 } else { n * factorial(n - 1) }
}

/// An order alone, and with one of its packets once more in each place behind its first one.
fn with_each_twice(order: &[u64]) -> Vec<Vec<u64>> {
    let mut all = vec![order.to_vec()];
    for (first, packet) in order.iter().enumerate() {
        for at in first + 1..=order.len() {
            let mut twice = order.to_vec();
            twice.insert(at, *packet);
            all.push(twice);
        }
    }
    all
}

fn each_twice(ram_latency: u32, most: u64) {
    let mut bench = bench(ram_latency, 1);
    let mut base: Vec<_> = (0..CONNECTIONS).map(|connection| bench.check.expected(connection)).collect();
    let (mut orders, mut sent, mut wanted) = (0, 0, 0);
    for count in 1..=most {
        for order in permutations(&(0..count).collect::<Vec<_>>()) {
            for order in with_each_twice(&order) {
                let connection = orders % CONNECTIONS;
                let start = base[connection as usize];
                order.iter().for_each(|number| send(&mut bench, connection, start + number));
                base[connection as usize] += count;
                orders += 1;
                wanted += count;
                sent += order.len() as u64;
            }
        }
    }
    bench.settle();
    for (connection, base) in (0..).zip(base) {
        assert_eq!(bench.check.expected(connection), base);
    }
    let counts = end(bench, "orders");
    // In n! orders a packet comes again in n (n + 1) / 2 places.
    assert_eq!(orders, (1..=most).map(|n| factorial(n) * (1 + n * (n + 1) / 2)).sum::<u64>());
    let [_, held, duplicates, below, ..] = counts.answers;
    assert_eq!((counts.frames, duplicates + below), (wanted, sent - wanted));
    assert!(held > orders && duplicates > orders / 10 && below > orders / 10, "{counts:?}");
    assert_eq!((counts.answers[5], counts.cut), (0, 0), "nothing is refused for want of room");
    println!("{orders} orders, {sent} frames, {} cycles", counts.cycles);
}

/// Each packet lost in every order of the others. It is sent again when all others have come to rest, or its connection is closed with those behind it.
fn each_lost(ram_latency: u32, most: u64) {
    let mut bench = bench(ram_latency, 2);
    let (mut orders, mut wanted, mut discarded) = (0, 0, 0);
    for count in 1..=most {
        let cases: Vec<_> = (0..count)
            .flat_map(|lost| {
                let others: Vec<_> = (0..count).filter(|number| *number != lost).collect();
                permutations(&others).into_iter().map(move |order| (lost, order))
            })
            .collect();
        for cases in cases.chunks(CONNECTIONS as usize) {
            let base: Vec<_> = (0..CONNECTIONS).map(|connection| bench.check.expected(connection)).collect();
            for (connection, (_, order)) in (0..).zip(cases) {
                order.iter().for_each(|number| send(&mut bench, connection, base[connection as usize] + number));
            }
            bench.settle();
            for (connection, (lost, _)) in (0..).zip(cases) {
                let start = base[connection as usize];
                assert_eq!(bench.check.expected(connection), start + lost);
                let held: Vec<_> = (lost + 1..count).map(|number| start + number).collect();
                assert_eq!(bench.check.held(connection), held);
                orders += 1;
                if orders % 2 == 0 {
                    send(&mut bench, connection, start + lost);
                    wanted += count;
                } else {
                    bench.run_command(2, connection, 0);
                    wanted += lost;
                    discarded += held.len() as u64;
                    bench.settle();
                    bench.run_command(1, connection, (start + count) & 0xFF_FFFF);
                }
            }
            bench.settle();
            assert_eq!(bench.one("free_cells"), 256, "R36");
        }
    }
    let counts = end(bench, "lost");
    assert_eq!(orders, (1..=most).map(factorial).sum::<u64>());
    assert_eq!(counts.frames, wanted);
    assert!(discarded > orders / 2 && counts.cleared_cells >= discarded, "{discarded}: {counts:?}");
    println!("{orders} orders with a loss, {} cycles", counts.cycles);
}

/// Up to five packets in `./test`.
fn some(most: u64) -> u64 {
    if is_all() { most } else { most.min(5) }
}

#[test]
fn every_order_and_each_packet_twice_in_every_place() {
    MOST.into_iter().for_each(|(ram_latency, most)| each_twice(ram_latency, some(most)));
}

#[test]
fn every_order_with_each_packet_lost() {
    MOST.into_iter().for_each(|(ram_latency, most)| each_lost(ram_latency, some(most)));
}
