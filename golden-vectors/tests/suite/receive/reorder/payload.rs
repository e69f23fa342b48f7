// SPDX-License-Identifier: MIT OR Apache-2.0
//! R30 to R39 by example: numbers of the page, for memories of latency 2.

use golden_vectors::receive::reorder::oracle::{
    Arrival, Beat, Command, Inputs, Limits, Oracle, Outputs, Pace, PoolShape, Settings, Shape, op,
};

/// Cells of four beats.
const SHAPE: Shape = Shape::new(4, 64).pool(PoolShape::new(128, 16, 64));

struct Bench {
    oracle: Oracle,
    inputs: Inputs,
    all: Vec<Outputs>,
}

impl Bench {
    /// Connection 0 expects PSN 0, and there are no limits.
    fn new() -> Self {
        let mut bench = Bench { oracle: Oracle::new(SHAPE, Pace::LATE), inputs: Inputs::idle(None), all: Vec::new() };
        bench.limit(16, 0);
        // R37: 16 sub-paths and 16 cells.
        while bench.oracle.outputs().busy {
            bench.idle(1);
        }
        assert_eq!(bench.all.len(), 16 + 2 + 12);
        bench.command(op::OPEN, 0);
        bench.idle(40);
        bench
    }

    fn idle(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.all.push(self.oracle.step(&self.inputs));
            self.inputs.next();
            self.inputs.settings = None;
        }
    }

    fn limit(&mut self, quota: u64, reserve: u64) {
        self.inputs.settings = Some(Settings { span: 63, time: (1 << 20) - 1 });
        self.inputs.limits = Limits { quota, reserve };
        self.idle(1);
    }

    /// The cycle in which the command is accepted.
    fn command(&mut self, op: u64, connection: u64) -> u64 {
        assert!(self.oracle.outputs().command_ready);
        self.inputs.command = Some(Command { op, connection, ..Command::default() });
        self.idle(1);
        self.oracle.cycle() - 1
    }

    /// The cycle in which its last beat is accepted.
    fn send(&mut self, psn: u64, beats: u64) -> u64 {
        for beat in 0..beats {
            self.inputs.beat = Some(Beat { data: psn * 1000 + beat, keep: 0, user: 1, last: beat + 1 == beats });
            self.inputs.arrival =
                Some(Arrival { connection: 0, found: true, psn, path: 0, flags: 0, length: 0, handle: 0 });
            assert!(self.oracle.outputs().arrival_ready);
            self.idle(1);
        }
        self.oracle.cycle() - 1
    }

    fn free(&self, cycle: u64) -> u64 {
        self.all[cycle as usize].pool.unwrap().free
    }

    /// The outcome of the arrival of a cycle.
    fn outcome(&self, cycle: u64) -> u64 {
        self.all[cycle as usize + 14].answer.unwrap().outcome as u64
    }
}

#[test]
fn r31_r34_a_frame_of_two_cells() {
    let mut bench = Bench::new();
    let a = bench.send(0, 5);
    bench.idle(60);
    let free = |cycles: std::ops::Range<u64>| cycles.map(|cycle| bench.free(cycle)).collect::<Vec<_>>();
    // The first beat in a - 4 and the last one take a cell each.
    assert_eq!(free(a - 4..a + 3), [16, 15, 15, 15, 15, 14, 14]);
    let beats = bench.all.iter().enumerate().filter_map(|(cycle, out)| Some((cycle as u64, out.pool?.beat?.data)));
    assert_eq!(beats.collect::<Vec<_>>(), [(a + 36, 0), (a + 37, 1), (a + 38, 2), (a + 39, 3), (a + 40, 4)]);
    // Returned in a + 39 and a + 40, free eight cycles later.
    assert_eq!(free(a + 45..a + 50), [14, 14, 15, 16, 16]);
    // R39
    let low: Vec<_> = (a - 3..a + 5).map(|cycle| bench.all[cycle as usize].pool.unwrap().low_water).collect();
    assert_eq!(low, [16, 16, 15, 15, 15, 15, 14, 14]);
}

#[test]
fn r31_a_frame_is_cut_at_the_cell_that_it_does_not_get() {
    let mut bench = Bench::new();
    let held = bench.send(2, 15 * 4);
    let cut = bench.send(0, 9);
    let passes = bench.send(0, 4);
    bench.idle(40);
    assert_eq!([held, cut].map(|a| bench.outcome(a)), [1, 5]);
    // The cell of the frame that was cut is not free yet.
    assert_eq!(bench.outcome(passes), 5);
    assert_eq!(bench.free(held + 2), 0);
    let passes = bench.send(0, 4);
    bench.idle(80);
    assert_eq!(bench.outcome(passes), 0);
    assert_eq!(bench.oracle.outputs().counters.causes, [2, 0, 0]);
}

#[test]
fn r32_from_when_cells_count() {
    for (apart, refused) in [(9, false), (10, true), (11, true)] {
        let mut bench = Bench::new();
        bench.limit(1, 0);
        let first = bench.send(2, 1);
        bench.idle(apart - 1);
        let second = bench.send(3, 1);
        assert_eq!(second - first, apart);
        bench.idle(20);
        assert_eq!(bench.outcome(second) == 5, refused, "{apart}");
        assert_eq!(bench.oracle.outputs().counters.causes[1], u64::from(refused));
    }
    // The quota is that of cycle a + 3.
    for (later, refused) in [(1, true), (2, true), (3, false)] {
        let mut bench = Bench::new();
        let a = bench.send(2, 1);
        bench.idle(later - 1);
        // In force from the cycle behind it on.
        bench.limit(0, 0);
        bench.idle(20);
        assert_eq!(bench.outcome(a) == 5, refused, "{later}");
    }
}

#[test]
fn r32_the_reserve_is_looked_at_in_the_next_cycle() {
    for (reserve, refused) in [(15, false), (16, true)] {
        let mut bench = Bench::new();
        bench.limit(16, reserve);
        let (behind, base) = (bench.send(1, 1), bench.send(0, 1));
        bench.idle(20);
        assert_eq!([behind, base].map(|a| bench.outcome(a)), [if refused { 5 } else { 1 }, 0]);
        assert_eq!(bench.oracle.outputs().counters.causes, [0, 0, u64::from(refused)]);
    }
}

#[test]
fn r33_the_walk() {
    let mut bench = Bench::new();
    // Refused: two cells, then one cell in each cycle.
    let a = bench.send(1 << 23, 8);
    for _ in 0..3 {
        bench.send(1 << 23, 1);
    }
    bench.idle(60);
    assert_eq!(bench.free(a + 4), 11);
    // Visited in a + 14, + 15, + 16 (which could be + 15), + 17, + 18; free eight cycles later.
    let free: Vec<_> = (21..28).map(|later| bench.free(a + later)).collect();
    assert_eq!(free, [11, 12, 13, 14, 15, 16, 16]);
}

#[test]
fn r35_cells_of_a_closed_connection() {
    let mut bench = Bench::new();
    bench.send(2, 1);
    bench.send(1, 5);
    bench.idle(60);
    let closed = bench.command(op::CLOSE, 0);
    let effect = closed + 14;
    bench.idle(80);
    let changes = bench.all.windows(2).enumerate().skip(effect as usize).filter_map(|(cycle, pair)| {
        let [before, after] = [0, 1].map(|at: usize| pair[at].pool.unwrap().free);
        (after != before).then_some((cycle as u64 + 1 - effect, after))
    });
    assert_eq!(changes.collect::<Vec<_>>(), [(32, 14), (40, 15), (48, 16)]);
    let response = bench.all[closed as usize + 29].response.unwrap();
    assert!(response.done && response.draining && response.held == 2);
}
