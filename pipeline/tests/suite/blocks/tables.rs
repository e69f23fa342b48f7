// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables that stages are built from, against plain ones, with memories of every latency.

use pipeline::blocks::table::WriteFirstRam;
use pipeline::blocks::table::{Access, RmwTable};
use rtl_model::model::Instance;
use rtl_model::{Bits, Model, bits};
use std::collections::VecDeque;

const ROWS: u64 = 4;
const WIDTH: u32 = 12;
const CLOCKS: u64 = 50_000;

/// A plain generator of random bits.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

fn ask(operation: Option<u64>) -> Access<Model> {
    Access { valid: Bits::lit(1, operation.is_some().into()), index: Bits::lit(2, operation.unwrap_or(0)) }
}

/// An operation adds something to its row, or does not stay.
#[derive(Clone, Copy)]
struct Operation {
    row: u64,
    stays: bool,
    amount: u64,
}

#[test]
fn update_changes_rows_one_operation_a_clock() {
    (1..=3).for_each(changes_rows);
}

fn changes_rows(latency: u32) {
    let table = RmwTable::<Model, Bits<Model>>::new(ROWS, latency, &bits(WIDTH));
    let mut random = Random(latency.into());
    let mut rows = [0; ROWS as usize];
    // The operations in each step, the newest first.
    let mut steps: VecDeque<Option<Operation>> = VecDeque::new();
    let (mut changes, mut ended) = (0, 0);
    let mut changed = None;
    for clock in 0..CLOCKS {
        // Bursts on few rows, and pauses.
        let rows_used = 1 + clock / 64 % ROWS;
        let operation = (random.below(8) > clock / 512 % 4).then(|| Operation {
            row: random.below(rows_used),
            stays: random.below(4) > 0,
            amount: random.below(1 << WIDTH),
        });
        steps.push_front(operation);
        let at = |step: u32| steps.get(step as usize).copied().flatten();
        let stays = at(latency).is_some_and(|operation| operation.stays);
        ended += u64::from(at(latency).is_some() && !stays);
        let operand = table.operand();
        if let Some(row) = changed.take() {
            assert_eq!(table.modified().value(), row, "latency {latency}, clock {clock}");
        }
        table.clock(ask(operation.map(|operation| operation.row)), Bits::lit(1, stays.into()));
        if let Some(operation) = at(latency + 1).filter(|operation| operation.stays) {
            let row = &mut rows[operation.row as usize];
            assert_eq!(operand.value(), *row, "latency {latency}, clock {clock}");
            *row = (*row + operation.amount) & ((1 << WIDTH) - 1);
            table.modify(operand + Bits::lit(WIDTH, operation.amount));
            changed = Some(*row);
            changes += 1;
        }
        steps.truncate(latency as usize + 2);
    }
    assert!(changes > CLOCKS / 2 && ended > CLOCKS / 10, "{changes} {ended}");
}

#[test]
fn write_first_gives_what_is_written_in_the_clock_of_the_read() {
    (1..=3).for_each(gives_what_is_written);
}

fn gives_what_is_written(latency: u32) {
    let table = WriteFirstRam::<Model, Bits<Model>>::new(ROWS, latency, 2, &bits(WIDTH));
    let mut random = Random(latency.into());
    let mut rows = [0; ROWS as usize];
    let mut read: VecDeque<[u64; 2]> = VecDeque::new();
    let mut met = 0;
    for clock in 0..CLOCKS {
        if let Some(expected) = read.get(latency as usize - 1) {
            assert_eq!([0, 1].map(|port| table.data(port).value()), *expected, "latency {latency}, clock {clock}");
        }
        let keys = [random.below(ROWS), random.below(ROWS)];
        let write = (random.below(4) > clock / 512 % 4).then(|| random.below(ROWS));
        let value = random.below(1 << WIDTH);
        table.clock(&keys.map(|key| Bits::lit(2, key)), ask(write), Bits::lit(WIDTH, value));
        if let Some(key) = write {
            rows[key as usize] = value;
            met += u64::from(keys.contains(&key));
        }
        read.push_front(keys.map(|key| rows[key as usize]));
        read.truncate(latency as usize);
    }
    assert!(met > CLOCKS / 10, "{met}");
}

#[test]
fn a_reset_ends_what_update_has_under_way() {
    (1..=3).for_each(ends_what_is_under_way);
}

fn ends_what_is_under_way(latency: u32) {
    // Up to the step in which the row would be written.
    for step in 1..=latency + 2 {
        let table = Instance::new(|| RmwTable::<Model, Bits<Model>>::new(ROWS, latency, &bits(WIDTH)));
        let clock = |row| {
            table.clock(ask(row), Bits::lit(1, 1));
            table.modify(Bits::lit(WIDTH, 5));
        };
        clock(Some(1));
        (1..step).for_each(|_| clock(None));
        table.reset();
        (0..8).for_each(|_| clock(None));
        clock(Some(1));
        (0..latency).for_each(|_| table.clock(ask(None), Bits::lit(1, 1)));
        assert_eq!(table.operand().value(), 0, "latency {latency}, step {step}");
    }
}
