// SPDX-License-Identifier: MIT OR Apache-2.0
//! The need for reorder SRAM is what the model takes: not one cell less, and not one more.

use super::*;
use crate::config::READY;
use pipeline::receive::reorder::{Hold, ReorderConfig, ReorderSettings};
use std::collections::VecDeque;
use testbench::device::model::model_of;
use testbench::{Dut, Port};

const BUS: u32 = 64;
const LATER: u64 = 1;

/// A stage with two connections that are open, of which the first one carries the traffic.
struct Run {
    dut: Box<dyn Dut>,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    row: Vec<u64>,
    seen: Vec<u64>,
}

impl Run {
    fn new(traffic: Traffic, window: u64, cells: u64) -> Self {
        let cell_bytes = traffic.cell_beats * u64::from(BUS) / 8;
        let pool = PayloadConfig { cell_bytes, quota: cells, reserve: 0, ..PayloadConfig::new(BUS, cells) };
        let settings = ReorderSettings { span: window - 1, time: (1 << 20) - 1 };
        let ram_latency = traffic.ram_latency.try_into().expect("a small number");
        let config =
            ReorderConfig { hold: Hold::Payload(pool), ram_latency, settings, ..ReorderConfig::new(2, window) };
        let dut = model_of(&config).expect("it elaborates");
        let (inputs, outputs) = (dut.ports().inputs.clone(), dut.ports().outputs.clone());
        let (row, seen) = (vec![0; dut.ports().input_limbs()], vec![0; dut.ports().output_limbs()]);
        let mut run = Run { dut, inputs, outputs, row, seen };
        run.dut.clock(true, &run.row);
        while {
            run.dut.outputs(&mut run.seen);
            run.get("busy") == 1
        } {
            run.clock();
        }
        for connection in [0, LATER] {
            run.put(&[("command_valid", 1), ("command_op", 1), ("command_connection", connection), ("command_psn", 0)]);
            run.clock();
            run.put(&[("command_valid", 0)]);
            (0..40).for_each(|_| run.clock());
        }
        run
    }

    fn put(&mut self, values: &[(&str, u64)]) {
        for (name, value) in values {
            let port = self.inputs.iter().find(|port| port.name == *name).unwrap_or_else(|| panic!("no input {name}"));
            port.of_mut(&mut self.row)[0] = *value;
        }
    }

    fn get(&self, name: &str) -> u64 {
        let port = self.outputs.iter().find(|port| port.name == name).unwrap_or_else(|| panic!("no output {name}"));
        port.of(&self.seen)[0]
    }

    fn clock(&mut self) {
        self.put(&[("m_axis_tready", 1), ("event_ready", 1)]);
        self.dut.clock(false, &self.row);
        self.dut.outputs(&mut self.seen);
    }

    /// One packet in a slot of clock cycles, or none.
    fn slot(&mut self, connection: u64, psn: Option<u64>, beats: u64, cycles: u64) {
        for cycle in 0..cycles {
            let valid = psn.is_some() && cycle < beats;
            assert!(!valid || self.get("s_axis_tready") == 1, "a beat has to wait");
            let beat = [("s_axis_tvalid", valid.into()), ("s_axis_tlast", (cycle + 1 == beats).into())];
            self.put(&beat);
            let fields = [("connection", connection), ("found", 1), ("psn", psn.unwrap_or(0))];
            fields.iter().for_each(|(name, value)| self.put(&[(&format!("arrival_{name}"), *value)]));
            self.clock();
        }
        self.put(&[("s_axis_tvalid", 0)]);
    }

    /// Takes so many cells for good: packets of one beat behind one that never comes.
    fn block(&mut self, cells: u64) {
        (1..=cells).for_each(|psn| self.slot(LATER, Some(psn), 1, 1));
        (0..100).for_each(|_| self.clock());
    }

    /// Sends the traffic for so many turns, the first path late; gives the packets for which there was no cell.
    fn send(&mut self, traffic: Traffic, turns: u64) -> u64 {
        let Traffic { paths, beats, slot, late, .. } = traffic;
        let mut slow = VecDeque::new();
        for number in 0..turns * paths {
            let psn = if number % paths > 0 {
                Some(number)
            } else {
                slow.push_back(number);
                slow.pop_front_if(|first| *first + late <= number)
            };
            self.slot(0, psn, beats, slot);
        }
        let without = self.get("no_cells");
        // Behind a packet that found no cell the window fills.
        assert!(without > 0 || self.get("above_window") == 0, "{traffic:?}: the window is too small");
        without
    }
}

/// Different numbers of paths, packets of a part of a cell to several cells, gaps between packets, and latencies.
#[test]
fn the_cells_are_those_that_the_model_takes() {
    let traffics = [
        (8, 1, 1, 8, 2),
        (4, 8, 8, 16, 2),
        (4, 9, 9, 16, 1),
        (8, 20, 20, 8, 2),
        (8, 20, 33, 16, 3),
        (3, 7, 50, 9, 2),
        // Paths that do not differ.
        (8, 20, 33, 0, 2),
    ];
    let mut checked = 0;
    for (paths, beats, slot, late, ram_latency) in traffics {
        let traffic = Traffic { paths, beats, cell_beats: 8, slot, late, ram_latency };
        let (window, needed) = (traffic.window().max(64).next_power_of_two(), traffic.cells());
        let cells = needed.next_power_of_two();
        for (missing, expected) in [(0, false), (1, true)] {
            let mut run = Run::new(traffic, window, cells);
            let blocked = cells - needed + missing;
            assert!(blocked < window, "{traffic:?}: {blocked} cells do not go into a window");
            run.block(blocked);
            let without = run.send(traffic, 4 + (3 * late + 200 / slot) / paths);
            assert_eq!(
                without > 0,
                expected,
                "{traffic:?}: {needed} cells less {missing}, {without} packets found none"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 2 * traffics.len());
}

/// Packets of one beat on two paths: a connection has its turns further apart than its packets are (R11).
#[test]
fn short_turns_take_no_more() {
    let traffic = Traffic { paths: 2, beats: 1, cell_beats: 8, slot: 1, late: 8, ram_latency: 2 };
    let mut run = Run::new(traffic, 64, 64);
    assert_eq!(run.send(traffic, 200), 0);
    let taken = 64 - run.get("low_water");
    assert!(taken > 40 && taken <= traffic.cells(), "{taken} of {}", traffic.cells());
}

#[test]
fn the_shipped_settings_fit_their_windows() {
    // Nothing is put in order for ELAB.
    let shipped = READY.iter().filter(|(name, _)| *name != "elab-100g");
    for config in shipped.map(|(name, _)| Config::load(Some(name)).expect("it is shipped")) {
        let budget = ReorderBudget::of(&config).expect("it elaborates");
        assert!(budget.problems().is_empty(), "{budget:?}");
        assert!(budget.cells_needed > 0 && budget.smallest.is_some(), "{budget:?}");
    }
}

/// What frames would need is said of a bus with which the cells are too small, too.
#[test]
fn cells_of_no_frames_may_be_too_small() {
    let mut config = Config { data_width: 512, ..Config::default() };
    config.reorder.cell_bytes = Some(64);
    let budget = ReorderBudget::of(&config).expect("it elaborates");
    assert!(budget.cell_bytes > 64 && budget.smallest.is_some(), "{budget:?}");
}
