// SPDX-License-Identifier: MIT OR Apache-2.0
//! Order: random traffic, every order of a few packets, streams, latencies, jumbo and minimum frames.

use super::bench::{Bench, FULL, Pace};
use super::{WRAP, end, pool, wide_pool};
use pipeline::receive::reorder::PayloadConfig;
use tier::pick;

/// One packet of random traffic: mostly one that is missing, now and then one that is not wanted.
fn offer(bench: &mut Bench, spread: u64, most_beats: u64) {
    let connections = bench.config.connections;
    let connection = bench.random.below(connections);
    let missing = bench.check.missing(connection, spread);
    let expected = bench.check.expected(connection);
    let psn = match bench.random.below(16) {
        0 => expected.wrapping_sub(1 + bench.random.below(3)),
        1 => expected + bench.random.below(spread),
        2 if bench.random.below(8) == 0 => expected + 64 + bench.random.below(20),
        3..7 => missing[0],
        _ => missing[bench.random.below(missing.len() as u64) as usize],
    };
    let beats = match bench.random.below(4) {
        0 => 1,
        1 => bench.random.between(1, 9),
        _ => bench.random.between(1, most_beats),
    };
    let mut frame = bench.frame(connection, psn, beats);
    frame.found = bench.random.below(60) != 0;
    frame.flags = if bench.random.below(40) == 0 { 4 } else { bench.random.bits() & 0xFB };
    bench.queue.push_back(frame);
}

/// Offers what is missing until nothing is held. Without limits held packets may use all cells; then a connection is closed.
pub fn complete(bench: &mut Bench) {
    bench.pace = FULL;
    for _ in 0..400 {
        bench.settle();
        let holding: Vec<_> = (0..bench.config.connections).filter(|it| !bench.check.held(*it).is_empty()).collect();
        if holding.is_empty() {
            return;
        }
        for connection in holding {
            let psn = bench.check.expected(connection);
            if bench.one("free_cells") == 0 {
                bench.run_command(2, connection, 0);
                bench.settle();
                bench.run_command(1, connection, psn & 0xFF_FFFF);
            } else {
                bench.send(connection, psn, 2);
            }
        }
    }
    panic!("packets stay held");
}

fn random(pool: PayloadConfig, ram_latency: u32, frames: u64, seed: u64) {
    let mut bench = Bench::new(pool, 4, ram_latency, WRAP, seed);
    for n in 0..frames {
        if n % 60 == 0 {
            // Without limits the pool may be full of held packets.
            let fullest = (0..4).max_by_key(|connection| bench.check.held(*connection).len()).unwrap_or(0);
            if bench.one("free_cells") < 3 && bench.command.is_none() {
                bench.command = Some((2, fullest, 0));
            }
            let pick = |bench: &mut Bench, from: &[f64]| from[bench.random.below(from.len() as u64) as usize];
            let (offered, taken) = (pick(&mut bench, &[1.0, 1.0, 0.6]), pick(&mut bench, &[1.0, 1.0, 0.7, 0.2]));
            bench.pace = Pace { offered, taken };
            let (quota, reserve) = (bench.random.below(pool.cells + 2), bench.random.below(pool.cells / 2));
            let off = bench.random.below(3) == 0;
            bench.limits = Some(if off { (pool.cells, 0) } else { (quota, reserve) });
        }
        let spread = [1, 4, 20, 63][bench.random.below(4) as usize];
        offer(&mut bench, spread, 40);
        while bench.queue.len() > 2 {
            bench.step();
        }
        if bench.random.below(400) == 0 {
            bench.command = Some((bench.random.below(3), bench.random.below(4), bench.random.below(1 << 24)));
        }
        if bench.random.below(50) == 0 {
            let connection = bench.random.below(4);
            let (op, psn) = (if bench.check.is_open(connection) { 0 } else { 1 }, bench.random.below(1 << 24));
            bench.command = Some((op, connection, psn));
        }
    }
    bench.limits = Some((pool.cells, 0));
    complete(&mut bench);
    assert_eq!(bench.one("free_cells"), pool.cells, "R36");
    let counts = end(bench, "random");
    assert!(counts.frames > frames / 8, "few frames: {counts:?}");
    for outcome in [0, 1, 2, 3, 4, 5, 6, 7] {
        assert!(counts.answers[outcome] > 0, "outcome {outcome}: {counts:?}");
    }
    let seen = [counts.stalls, counts.cut, counts.over_quota, counts.below_reserve, counts.exempt];
    assert!(seen.iter().all(|count| *count > 0), "{counts:?}");
    let seen = [counts.refused_cells, counts.delivered_cells, counts.empty, counts.at_once];
    assert!(seen.iter().all(|count| *count > 0), "{counts:?}");
}

#[test]
fn random_traffic() {
    for (seed, l) in pick([1, 2, 3].into_iter().enumerate(), 1) {
        random(pool(64), l, 3_000, seed as u64);
        random(wide_pool(32), l, 3_000, seed as u64 + 10);
    }
}

pub fn permutations(of: &[u64]) -> Vec<Vec<u64>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, first) in of.iter().enumerate() {
        let rest: Vec<_> = of.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, psn)| *psn).collect();
        all.extend(permutations(&rest).into_iter().map(|mut order| {
            order.insert(0, *first);
            order
        }));
    }
    all
}

/// Every order of up to five packets, each also with one of them twice; frames of 1 to 12 beats.
#[test]
fn every_order_of_up_to_five_packets() {
    for l in pick([2, 1, 3], 1) {
        let mut bench = Bench::new(pool(256), 2, l, WRAP, l.into());
        let mut orders = 0;
        for count in 1..=5 {
            let numbers: Vec<_> = (0..count).collect();
            for order in permutations(&numbers) {
                let start = bench.check.expected(0);
                let twice = order[bench.random.below(count) as usize];
                for number in order.iter().chain([&twice]) {
                    let beats = bench.random.between(1, 12);
                    bench.send(0, start + number, beats);
                }
                bench.drain();
                bench.run(u64::from(l) + 14);
                assert_eq!(bench.check.expected(0), start + count);
                orders += 1;
            }
        }
        assert_eq!(orders, 1 + 2 + 6 + 24 + 120);
        let counts = end(bench, "orders");
        assert_eq!(counts.frames, 1 + 2 * 2 + 6 * 3 + 24 * 4 + 120 * 5);
    }
}

/// R34: the first beat of a frame in order, if there is nothing else.
#[test]
fn the_latency_of_an_idle_stage() {
    for l in pick([2, 1, 3], 1) {
        let mut bench = Bench::new(pool(64), 2, l, 0, 1);
        for n in 0..20 {
            bench.send(n % 2, (1 << 40) + n / 2, 1 + n);
            bench.settle();
        }
        let accepted: Vec<_> = bench.check.outcomes.iter().map(|outcome| outcome.0).collect();
        let left: Vec<_> = bench.check.left.iter().map(|left| left.0).collect();
        assert_eq!(accepted.len(), 20);
        let late: Vec<_> = accepted.iter().zip(left).map(|(a, left)| left - a).collect();
        assert_eq!(late, [5 * u64::from(l) + 26; 20]);
        assert_eq!(bench.config.frame_latency(), 5 * l + 26);
        end(bench, "latency");
    }
}

/// R34: frames of one beat, one in every clock cycle, leave in every clock cycle.
#[test]
fn streams_of_minimum_frames() {
    for l in pick([2, 1, 3], 1) {
        for connections in [2, 4] {
            let mut bench = Bench::new(pool(256), connections, l, WRAP, 3);
            let base = bench.check.expected(0);
            for n in 0..600 {
                let (connection, psn) = if connections == 2 { (0, n) } else { (n % 4, n / 4) };
                bench.send(connection, base + psn, 1);
            }
            bench.drain();
            bench.settle();
            let left: Vec<_> = bench.check.left.iter().map(|left| left.0).collect();
            assert_eq!(left.len(), 600);
            let pauses = left.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
            assert!(left[599] - left[0] < 600 + 2 * u64::from(l) + 4, "{pauses} pauses");
            assert!(left[100..].windows(2).all(|pair| pair[1] == pair[0] + 1), "{pauses} pauses");
            end(bench, "minimum");
        }
    }
}

/// Longer frames follow each other without a pause as well: one cell is taken and one returned in each cycle of a cell.
#[test]
fn streams_of_longer_frames() {
    for l in pick([2, 1, 3], 1) {
        for beats in [2, 3, 4, 5, 8, 9, 17] {
            let mut bench = Bench::new(wide_pool(256), 2, l, WRAP, 3);
            let base = bench.check.expected(0);
            (0..120).for_each(|n| bench.send(0, base + n, beats));
            bench.drain();
            bench.settle();
            let left: Vec<_> = bench.check.left.iter().map(|left| left.0).collect();
            assert!(left[60..].windows(2).all(|pair| pair[1] == pair[0] + beats), "{beats} beats: {left:?}");
            end(bench, "longer");
        }
    }
}

/// Jumbo frames pass; one that is longer than 16,384 bytes is cut, and so is one for which cells do not last.
#[test]
fn jumbo_frames() {
    for l in pick([2, 1, 3], 1) {
        let pool = PayloadConfig { quota: 512, reserve: 0, ..PayloadConfig::new(256, 512) };
        let mut bench = Bench::new(pool, 2, l, WRAP, 4);
        let base = bench.check.expected(0);
        let mut expected = Vec::new();
        // Bytes by beats of 32: 9,216 and 16,384, one more beat, and much more.
        for (beats, passes) in [(288, true), (512, true), (513, false), (2_000, false), (1, true), (512, true)] {
            let psn = base + expected.iter().filter(|passes| **passes).count() as u64;
            bench.send(0, psn, beats);
            bench.settle();
            expected.push(passes);
        }
        let outcomes: Vec<_> = bench.check.outcomes.iter().map(|outcome| outcome.3 == 0).collect();
        assert_eq!(outcomes, expected);
        // Eight of the longest frames fill the pool; the rest finds no cell.
        let next = bench.check.expected(0) + 1;
        (0..10).for_each(|n| bench.send(0, next + n, 512));
        bench.settle();
        assert_eq!(bench.check.held(0).len(), 8);
        assert_eq!(bench.one("free_cells"), 0);
        let first = bench.check.held(0)[0];
        bench.run_command(2, 0, 0);
        bench.settle();
        assert_eq!((bench.one("free_cells"), first), (512, next));
        let counts = end(bench, "jumbo");
        assert_eq!((counts.cut, counts.cleared_cells), (4, 512));
    }
}
