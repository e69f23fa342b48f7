// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells: quota and reserve, what closes with frames held, reset, and a pool that is full.

use super::bench::{Bench, Pace};
use super::traffic::complete;
use super::{WRAP, end, pool, wide_pool};
use tier::pick;

/// R32: held packets stop at the quota, and the packet with the PSN of *B* passes.
#[test]
fn the_quota_holds() {
    for l in pick([2, 1, 3], 1) {
        let mut bench = Bench::new(pool(64), 2, l, WRAP, 5);
        bench.limits = Some((12, 0));
        let base = bench.check.expected(0);
        // Frames of 16 beats are two cells; they are so far apart that all are counted exactly.
        (1..12).for_each(|n| bench.send(0, base + n, 16));
        bench.settle();
        assert_eq!(bench.check.held(0).len(), 6, "two cells each");
        assert_eq!(bench.one("over_quota"), 5);
        (1..12).for_each(|n| bench.send(1, base + n, 16));
        bench.settle();
        assert_eq!(bench.check.held(1).len(), 6, "a quota of its own");
        bench.send(0, base, 16);
        bench.settle();
        assert_eq!(bench.check.expected(0), base + 7);
        // A quota of 0 leaves the packet with the PSN of the base.
        bench.limits = Some((0, 0));
        bench.send(0, base + 8, 1);
        bench.send(0, base + 7, 1);
        bench.settle();
        assert_eq!(bench.check.expected(0), base + 8);
        bench.limits = Some((64, 0));
        complete(&mut bench);
        let counts = end(bench, "quota");
        assert!(counts.exempt > 0 && counts.over_quota == 11, "{counts:?}");
    }
}

/// R32: held packets leave the reserve alone, in which the packet without which nothing moves finds room.
#[test]
fn the_reserve_holds() {
    for l in pick([2, 1, 3], 1) {
        let mut bench = Bench::new(wide_pool(32), 4, l, WRAP, 6);
        bench.limits = Some((32, 10));
        let base = bench.check.expected(0);
        for n in 1..12 {
            for connection in 0..4 {
                bench.send(connection, base + n, 8);
                bench.run(40);
            }
        }
        bench.settle();
        assert_eq!(bench.one("free_cells"), 10);
        assert!(bench.one("below_reserve") > 0);
        for connection in 0..4 {
            bench.send(connection, base, 8);
            bench.settle();
            assert!(bench.check.expected(connection) > base);
        }
        complete(&mut bench);
        assert_eq!(bench.one("free_cells"), 32);
        end(bench, "reserve");
    }
}

/// R35: *close* returns the cells of held packets, while other connections go on; commands meanwhile.
#[test]
fn closing_with_frames_held() {
    for l in pick([2, 1, 3], 1) {
        let mut bench = Bench::new(pool(256), 4, l, WRAP, 7);
        for round in 0..40 {
            bench.pace = Pace { offered: 1.0, taken: if round % 3 == 0 { 0.3 } else { 1.0 } };
            let base: Vec<_> = (0..4).map(|connection| bench.check.expected(connection)).collect();
            // Gaps of all sizes up to the end of the window.
            let mut at = 1;
            while at < 64 && round % 5 != 4 {
                let beats = bench.random.between(1, 30);
                bench.send(0, base[0] + at, beats);
                at += bench.random.between(1, [1, 4, 30, 62][round % 4]);
            }
            for n in 0..6 {
                let beats = bench.random.between(1, 12);
                bench.send(0, base[0] + 64 * (n % 2), beats);
                bench.send(1, base[1] + n, beats);
                bench.send(2, base[2] + n + 1, beats);
            }
            bench.drain();
            bench.run(bench.random.clone().below(30));
            bench.run_command(2, 0, 0);
            // Others are delivered meanwhile.
            (6..9).for_each(|n| bench.send(1, base[1] + n, 9));
            bench.run_command(2, 2, 0);
            bench.run_command(1, 0, base[0] & 0xFF_FFFF);
            bench.run_command(0, 0, 0);
            bench.settle();
            for connection in [0, 2] {
                let psn = bench.random.below(1 << 24);
                if bench.check.is_open(connection) {
                    bench.run_command(2, connection, 0);
                    bench.settle();
                }
                bench.run_command(1, connection, psn);
            }
            complete(&mut bench);
            assert_eq!(bench.one("free_cells"), 256);
        }
        let counts = end(bench, "closing");
        assert!(counts.cleared_cells > 500 && counts.blocked > 10, "{counts:?}");
    }
}

/// R37: a reset in the middle of a frame, of a delivery, of a walk and of a clearing.
#[test]
fn reset_at_any_time() {
    for l in pick([2, 1, 3], 1) {
        let mut bench = Bench::new(pool(64), 2, l, WRAP, 8);
        for round in 0..60 {
            bench.pace = Pace { offered: 0.9, taken: 0.6 };
            let base = bench.check.expected(0);
            for n in 0..20 {
                let beats = bench.random.between(1, 20);
                bench.send(0, base + (n ^ 1), beats);
                bench.send(1, base + 1 + n, beats);
            }
            bench.run(100 + 7 * round);
            if round % 2 == 0 {
                bench.run_command(2, 1, 0);
                let cycles = bench.random.below(60);
                bench.run(cycles);
            }
            bench.queue.clear();
            bench.reset();
            assert_eq!(bench.one("free_cells"), 64);
            (0..2).for_each(|connection| bench.run_command(1, connection, WRAP));
        }
        bench.send(0, bench.check.expected(0), 3);
        end(bench, "reset");
    }
}

/// A pool that is full: a cell is taken in every clock cycle in which one is free.
#[test]
fn a_full_pool() {
    for l in pick([2, 1, 3], 1) {
        let mut bench = Bench::new(wide_pool(16), 2, l, WRAP, 9);
        bench.pace = Pace { offered: 1.0, taken: 0.5 };
        for n in 0..2_000 {
            let (psn, beats) = (bench.check.expected(0) + n % 3, bench.random.between(1, 6));
            bench.send(0, psn, beats);
            bench.drain();
        }
        bench.pace.taken = 1.0;
        complete(&mut bench);
        let counts = end(bench, "full");
        assert!(counts.empty > 300 && counts.cut > 100 && counts.at_once > 5, "{counts:?}");
    }
}
