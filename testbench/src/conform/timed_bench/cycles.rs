// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timed cases as a table with one row per cycle, for the Verilog testbench that plays it.

use super::lanes::{self, Lane, input, output};
use super::levels::Levels;
use super::{Source, WORK};
use crate::device::random::Random;
use crate::device::{Error, Port, Ports};
use golden_vectors::{TimedCase, TimedGroup};
use hdl::testbench::Cycle;
use rtl_model::netlist::interfaces::Direction;
use std::collections::BTreeMap;

/// The rows of a case, starting with a reset, followed by cycles with random inputs, so that the next reset finds the
/// device busy.
///
/// Operations that the case offers only while they are not accepted are left out: the contract does not say in which
/// cycles that is.
pub fn cycles(ports: &Ports, group: &TimedGroup, case: &TimedCase) -> Result<Vec<Cycle>, Error> {
    let sinks = lanes::all(&group.outputs, ports, Direction::Out)?;
    let sources = lanes::all(&group.inputs, ports, Direction::In)?;
    let mut sources: Vec<Source> = sources.into_iter().map(|lane| Source::new(lane, case)).collect();
    let mut random = Random::new(case.cycles);
    let mut row = vec![0; ports.input_limbs()];
    for (port, &value) in &group.settings {
        row[input(ports, port)?.offset] = value;
    }
    let expected = case.expect.outputs.iter().map(|(name, rows)| (name, by_cycle(rows)));
    let expected: BTreeMap<_, _> = expected.collect();
    let mut levels = Vec::new();
    for (port, spans) in &case.expect.levels {
        levels.push((output(ports, port)?, Levels::new(spans)));
    }
    let mut changes = Vec::new();
    for (port, values) in &case.settings {
        changes.push((input(ports, port)?, values));
    }
    let mut table = vec![Row::new(ports).cycle(true, &row)];
    for cycle in 0..case.cycles {
        for (port, changes) in &changes {
            if let Some((_, value)) = changes.iter().find(|(from, _)| *from == cycle) {
                row[port.offset] = *value;
            }
        }
        for source in &mut sources {
            source.play(cycle, &mut row, &mut random);
        }
        let mut seen = Row::new(ports);
        for sink in &sinks {
            let row = expected.get(&sink.name).and_then(|rows| rows.get(&cycle));
            seen.stream(sink, row.map(|row| &row[1..]));
        }
        for (port, levels) in &mut levels {
            if let Some(level) = levels.of(cycle).next() {
                seen.put(port, level);
            }
        }
        table.push(seen.cycle(false, &row));
    }
    for i in 0..WORK {
        let mut seen = Row::new(ports);
        if i == 0 {
            for (name, &count) in &case.expect.counters {
                seen.put(output(ports, name)?, count);
            }
        }
        sources.iter().for_each(|source| source.lane.randomize_idle(true, &mut row, &mut random));
        table.push(seen.cycle(false, &row));
    }
    Ok(table)
}

/// The rows of a stream by their cycles; of two rows of one cycle the first.
fn by_cycle(rows: &[Vec<u64>]) -> BTreeMap<u64, &[u64]> {
    rows.iter().rev().map(|row| (row[0], row.as_slice())).collect()
}

/// The expected outputs in a cycle.
struct Row {
    value: Vec<u64>,
    mask: Vec<u64>,
}

impl Row {
    /// Makes a row that accepts any outputs.
    fn new(ports: &Ports) -> Self {
        let limbs = ports.output_limbs();
        Row { value: vec![0; limbs], mask: vec![0; limbs] }
    }

    fn put(&mut self, port: &Port, value: u64) {
        self.value[port.offset] = value;
        self.mask[port.offset] = port.mask(0);
    }

    /// Expects these values of a stream, or that it is not valid.
    fn stream(&mut self, lane: &Lane, values: Option<&[u64]>) {
        self.put(&lane.valid, values.is_some() as u64);
        for ((_, port), &value) in lane.columns.iter().zip(values.unwrap_or_default()) {
            self.put(port, value);
        }
    }

    fn cycle(self, reset: bool, inputs: &[u64]) -> Cycle {
        Cycle { reset, inputs: inputs.to_vec(), outputs: self.value, masks: self.mask }
    }
}
