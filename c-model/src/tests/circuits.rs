// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits for comparisons: random modules, which have all operations, and stages, which have memories and instances.

use super::machine::{Edge, Ports, Stimulus, play, stimulus};
use super::{Build, interpreted, module, reference};
use crate::program::Program;
use crate::window::Window;
use pipeline::examples::tally::TallyConfig;
use pipeline::frame::frame_gate::FrameGateConfig;
use pipeline::transmit::path_scheduler::PathSchedulerConfig;
use rtl_model::netlist::circuit::{Circuit, Collision, Module};
use rtl_model::{Design, elaborate};
use std::sync::LazyLock;

const MODULES: u64 = 60;
const CLOCKS: usize = 60;
/// The number of clock cycles: a sweep of the tables after a reset takes some of them, and a window is copied back
/// once.
const STAGE_CLOCKS: usize = 600;

/// A circuit with its program, inputs and expected outputs.
pub struct Case {
    pub name: String,
    pub program: Program,
    pub stimulus: Stimulus,
    pub expected: Vec<Ports>,
}

/// The circuits, which are the same for all tests.
pub fn cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let stages = [(1, 12), (2, 43), (3, 64)].map(|(ram_latency, width)| {
            stage(&TallyConfig { rows: 5, width, amount_width: 7, ram_latency }, ram_latency.into())
        });
        let others = [stage(&FrameGateConfig::new(128, 128 * 16, 4), 4), stage(&PathSchedulerConfig::new(4, 2), 5)];
        (1..=MODULES).map(random).chain(stages).chain(others).chain([by_hand()]).collect()
    });
    &CASES
}

fn random(seed: u64) -> Case {
    let module = registered(module(seed));
    let program = crate::lower::lower(&Circuit { modules: vec![module.clone()] });
    let stimulus = stimulus(&program.inputs, CLOCKS, seed);
    Case { name: module.name.clone(), expected: interpreted(&module, &stimulus), program, stimulus }
}

/// Features that the other circuits lack: lanes of a memory, and a chain of registers of which only the last one is
/// read.
fn by_hand() -> Case {
    let mut build = Build::new("by_hand");
    let ports = [("r", 1), ("w", 1), ("from", 3), ("to", 3), ("lane", 4), ("x", 9)];
    let [r, w, from, to, lane, x] = ports.map(|(name, width)| build.input(name, width));
    let part = build.slice(x, 0, 8);
    for (i, collision) in [Collision::Hold, Collision::ReadFirst].into_iter().enumerate() {
        let name = format!("rows{i}");
        let data = build.memory(&name, (6, 72, 1 + i as u32), collision, (w, to, part), &[(r, from)]);
        let memory = &mut build.0.memories[i];
        (memory.lanes, memory.write.lane, memory.slice) = (9, Some(lane), 8);
        build.output(&format!("data{i}"), data[0]);
    }
    let mut value = x;
    for i in 0..4 {
        let (register, was) = build.register(&format!("step{i}"), 9, i, false);
        build.0.body.push(build.set(register, value));
        value = was;
    }
    build.output("last", value);
    let program = crate::lower::lower(&Circuit { modules: vec![build.0] });
    let stimulus = stimulus(&program.inputs, STAGE_CLOCKS, 8);
    let expected = play(Edge::AtOnce(&program), &Window::default(), &stimulus);
    Case { name: "by_hand".into(), program, stimulus, expected }
}

/// Outputs depend on state alone, so each gets a register.
fn registered(module: Module) -> Module {
    let mut build = Build(module);
    for i in 0..build.0.outputs.len() {
        let value = build.0.outputs[i].value;
        let (register, output) = build.register(&format!("kept{i}"), build.width(value), 0, false);
        build.0.body.push(build.set(register, value));
        build.0.outputs[i].value = output;
    }
    build.0
}

fn stage<D: Design>(design: &D, seed: u64) -> Case {
    let circuit = elaborate(design).unwrap_or_else(|report| panic!("{report}"));
    let program = crate::lower::lower(&circuit);
    let stimulus = stimulus(&program.inputs, STAGE_CLOCKS, seed);
    let widths: Vec<_> = circuit.top().outputs.iter().map(|port| port.width).collect();
    Case { name: circuit.top().name.clone(), expected: reference(design, &widths, &stimulus), program, stimulus }
}
