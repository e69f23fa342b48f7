// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outcomes, one arrival per clock cycle.

use super::bench::{Bench, Packet, Random};
use pipeline::receive::reorder::{ReorderConfig, outcome};
use tier::is_all;

fn configs() -> impl Iterator<Item = ReorderConfig> {
    let sizes = [(64, 24, 1), (64, 24, 2), (128, 32, 3), (1024, 24, 2)];
    sizes.into_iter().map(|(window, psn_bits, ram_latency)| ReorderConfig {
        psn_bits,
        ram_latency,
        ..ReorderConfig::new(4, window)
    })
}

/// All orders of the numbers below `n`.
fn permutations(n: u64) -> Vec<Vec<u64>> {
    match n {
        0 => vec![vec![]],
        _ => permutations(n - 1)
            .into_iter()
            .flat_map(|order| {
                (0..=order.len()).map(move |at| {
                    let mut order = order.clone();
                    order.insert(at, n - 1);
                    order
                })
            })
            .collect(),
    }
}

/// Every order of six packets, one after the other without a pause, across the wrap of the PSN.
#[test]
fn every_order_of_six_packets() {
    for config in configs() {
        let mut bench = Bench::new(config);
        let start = (1 << config.psn_bits) - 1003;
        bench.open(1, start);
        let orders = permutations(6);
        for (round, order) in orders.iter().enumerate() {
            for at in order {
                bench.send(Packet { connection: 1, psn: start + 6 * round as u64 + at, ..Packet::default() }, false);
            }
        }
        bench.drain();
        assert_eq!(bench.seen.delivered.len(), 6 * orders.len());
        assert!(bench.all_delivered());
    }
}

/// Every order of four packets with one of them lost, or one of them twice at every place; it comes again at the end.
#[test]
fn every_single_loss_and_duplicate() {
    for config in configs() {
        let mut bench = Bench::new(config);
        let start = (1 << config.psn_bits) - 77;
        bench.open(3, start);
        let mut round = 0;
        let mut send = |bench: &mut Bench, order: &[u64]| {
            for at in order {
                bench.send(Packet { connection: 3, psn: start + round + at, ..Packet::default() }, false);
            }
            round += 4;
        };
        for order in permutations(4) {
            for packet in 0..4 {
                let mut late = order.clone();
                late.retain(|&at| at != packet);
                late.push(packet);
                send(&mut bench, &late);
                for at in 0..=4 {
                    let mut twice = order.clone();
                    twice.insert(at, packet);
                    send(&mut bench, &twice);
                }
            }
        }
        bench.drain();
        assert!(bench.all_delivered());
        assert!(bench.seen.outcomes[outcome::DUPLICATE as usize] > 100);
        assert!(bench.seen.outcomes[outcome::BELOW as usize] > 100);
    }
}

/// Packets of several connections that overtake each other by up to the window, with losses, duplicates, packets far
/// from the window, probes, unknown connections and stalls.
#[test]
fn random_packets_of_several_connections() {
    for config in configs() {
        let mut random = Random(config.window + u64::from(config.ram_latency));
        let mut bench = Bench::new(config);
        let modulus = 1 << config.psn_bits;
        for connection in 0..3 {
            bench.open(connection, modulus - 300 + connection);
        }
        for burst in 0..if is_all() { 160 } else { 80 } {
            let (reach, connections) = (1 + random.below(config.window + config.window / 8), 1 + burst % 4);
            let (stall, gaps) = (random.below(3), random.below(4) == 0);
            for _ in 0..100 {
                let connection = random.below(connections);
                let expected = bench.expected(connection);
                let psn = match random.below(64) {
                    0 => random.below(modulus),
                    1 => expected + modulus - random.below(100),
                    2..24 => expected,
                    _ => expected + random.below(reach),
                };
                let flags = if random.below(40) == 0 { 4 } else { random.below(4) };
                let unknown = random.below(50) == 0;
                let packet = Packet { connection, psn: psn % modulus, path: random.below(9), flags, unknown };
                if gaps && random.below(3) == 0 {
                    bench.idle(random.below(20));
                }
                let stalled = stall == 2 && random.below(8) > 0;
                bench.send(packet, stalled);
            }
            if burst % 20 == 0 {
                bench.drain();
            }
        }
        // What is missing comes, too.
        for connection in 0..3 {
            for _ in 0..3 * config.window {
                let psn = bench.expected(connection);
                bench.send(Packet { connection, psn, ..Packet::default() }, false);
                bench.idle(20);
                if bench.all_delivered() {
                    break;
                }
            }
        }
        bench.drain();
        // Only a small window is ever full of packets that are to be delivered.
        let enough = |code: usize| if code as u64 != outcome::NO_BUFFER { 20 } else { 64 / config.window };
        let seen = bench.seen.outcomes.iter().enumerate().all(|(code, &count)| count >= enough(code));
        assert!(seen, "{:?}", bench.seen.outcomes);
        let received: u64 = bench.seen.outcomes[..2].iter().sum();
        assert_eq!(bench.seen.delivered.len() as u64, received);
    }
}
