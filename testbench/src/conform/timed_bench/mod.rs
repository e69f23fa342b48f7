// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs timed vectors on a device under test: inputs are applied in their cycles, and outputs are compared together
//! with their cycles. For stages whose outputs come in cycles that the contract defines.

mod compare;
mod cycles;
mod lanes;
mod levels;

pub use cycles::cycles;

use crate::conform::CaseResult;
use crate::device::random::Random;
use crate::device::{Dut, Error};
use compare::{counters, outputs};
use golden_vectors::{TimedCase, TimedGroup};
use lanes::{Lane, input, output};
use levels::Levels;
use rtl_model::netlist::interfaces::Direction;

/// Number of cycles with random inputs after a case, so that the next reset finds the device busy.
const WORK: u64 = 12;

/// Runs a case of a group, starting with a reset, and compares all outputs.
///
/// While a stream is not valid, its other ports carry random values.
pub fn run(dut: &mut dyn Dut, group: &TimedGroup, case: &TimedCase) -> Result<CaseResult, Error> {
    let ports = dut.ports().clone();
    let sources = lanes::all(&group.inputs, &ports, Direction::In)?;
    let sinks = lanes::all(&group.outputs, &ports, Direction::Out)?;
    let mut random = Random::new(case.cycles);
    let mut row = vec![0; ports.input_limbs()];
    let mut seen = vec![0; ports.output_limbs()];
    for (port, &value) in &group.settings {
        row[input(&ports, port)?.offset] = value;
    }
    let mut sources: Vec<Source> = sources.into_iter().map(|lane| Source::new(lane, case)).collect();
    let mut levels = Vec::new();
    for (port, spans) in &case.expect.levels {
        levels.push((output(&ports, port)?, Levels::new(spans)));
    }
    let mut changes = Vec::new();
    for (port, values) in &case.settings {
        changes.push((input(&ports, port)?, values));
    }

    let mut problems = Vec::new();
    let mut got = vec![Vec::new(); sinks.len()];
    dut.clock(true, &row);
    for cycle in 0..case.cycles {
        dut.outputs(&mut seen);
        for (sink, rows) in sinks.iter().zip(&mut got) {
            rows.extend(sink.read(cycle, &seen));
        }
        for (port, levels) in &mut levels {
            let value = seen[port.offset];
            if let Some(level) = levels.of(cycle).find(|level| *level != value) {
                problems.push(format!("{} in cycle {cycle}: {value}, expected {level}", port.name));
            }
        }
        for (port, changes) in &changes {
            if let Some((_, value)) = changes.iter().find(|(from, _)| *from == cycle) {
                row[port.offset] = *value;
            }
        }
        for source in &mut sources {
            if let Some(problem) = source.drive(cycle, &seen, &mut row, &mut random) {
                problems.push(problem);
            }
        }
        dut.clock(false, &row);
    }
    dut.outputs(&mut seen);
    for (sink, rows) in sinks.iter().zip(&got) {
        outputs(sink, case.expect.outputs.get(&sink.name).map_or(&[], Vec::as_slice), rows, &mut problems);
    }
    counters(&ports, &case.expect.counters, &seen, &mut problems)?;
    for _ in 0..WORK {
        sources.iter().for_each(|source| source.lane.randomize_idle(true, &mut row, &mut random));
        dut.clock(false, &row);
    }
    match dut.failure() {
        Some(failure) => Err(failure),
        None => Ok(CaseResult { id: case.id.clone(), problems: compare::shortened(problems) }),
    }
}

/// An input stream with the rows that are still to be sent.
struct Source<'a> {
    lane: Lane,
    rows: std::iter::Peekable<std::slice::Iter<'a, Vec<u64>>>,
    unready: &'a [Vec<u64>],
    /// The levels of its ready that the case expects. Where it says nothing, the ready must be 1 when the case sends.
    stated: Levels<'a>,
}

impl<'a> Source<'a> {
    fn new(lane: Lane, case: &'a TimedCase) -> Self {
        let rows = case.inputs.get(&lane.name).map_or(&[][..], Vec::as_slice).iter().peekable();
        let unready = case.unready.get(&lane.name).map_or(&[][..], Vec::as_slice);
        let stated = lane.ready.as_ref().and_then(|ready| case.expect.levels.get(&ready.name));
        let stated = Levels::new(stated.map_or(&[], Vec::as_slice));
        Source { lane, rows, unready, stated }
    }

    /// Writes the ports of the stream. Returns a problem if its `ready` is 0 against the expectation.
    fn drive(&mut self, cycle: u64, seen: &[u64], row: &mut [u64], random: &mut Random) -> Option<String> {
        let sends = self.play(cycle, row, random);
        let is_stated = self.stated.of(cycle).next().is_some();
        let unready = self.lane.ready.as_ref().filter(|ready| seen[ready.offset] == 0);
        if let (true, false, Some(ready)) = (sends, is_stated, unready) {
            return Some(format!("{} in cycle {cycle}: 0, expected 1", ready.name));
        }
        if let (false, Some(_), [_, ..]) = (sends, unready, self.unready) {
            self.lane.write(&self.unready[(cycle % self.unready.len() as u64) as usize], row);
        }
        None
    }

    /// Writes what the case sends in this cycle, or random values that are not valid. Returns whether it sends.
    fn play(&mut self, cycle: u64, row: &mut [u64], random: &mut Random) -> bool {
        let sent = self.rows.next_if(|next| next[0] == cycle);
        match sent {
            Some(sent) => self.lane.write(&sent[1..], row),
            None => self.lane.randomize_idle(false, row, random),
        }
        sent.is_some()
    }
}
