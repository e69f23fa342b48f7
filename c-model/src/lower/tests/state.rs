// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers, statements and memories as cells, statements and rows.

use super::program;
use crate::program::Program;
use crate::tests::{Build, Edge, play, show};
use crate::window::Window;
use rtl_model::netlist::circuit::{Collision, NodeId, Statement, Value};

#[test]
fn a_register_is_a_cell_for_each_64_bits() {
    let mut build = Build::new("small");
    build.register("narrow", 64, 5, true);
    let (wide, was) = build.register("wide", 130, 0, false);
    build.0.registers[wide].init = Value::from_limbs(130, &[1, 2, 3]);
    let x = build.input("x", 130);
    build.0.body = vec![build.set(wide, x)];
    build.output("out", was);
    let program = program(build);
    let cells: Vec<_> = program.cells.iter().map(|c| (c.register, c.limb, c.width, c.init, c.reset, c.wide)).collect();
    assert_eq!(
        cells,
        [(0, 0, 64, 5, true, false), (1, 0, 64, 1, false, true), (1, 1, 64, 2, false, true), (1, 2, 2, 3, false, true)]
    );
    assert_eq!(show::all(&program), ["wide.0 := x.0", "wide.1 := x.1", "wide.2 := x.2"]);
}

#[test]
fn a_chain_of_conditions_is_branches_in_branches() {
    let mut build = Build::new("small");
    let inputs = ["a", "b", "x", "y"].map(|name| build.input(name, 1));
    let [a, b, x, y] = inputs;
    let (kept, was) = build.register("kept", 1, 0, false);
    let set = |value| vec![build.set(kept, value)];
    build.0.body = vec![
        Statement::If { arms: vec![(a, set(x)), (b, set(y))], otherwise: set(was) },
        Statement::Case { subject: x, arms: vec![(Value::from_u64(1, 1), set(y))], otherwise: set(x) },
    ];
    build.output("out", was);
    assert_eq!(
        show::all(&program(build)),
        [
            "if a { kept := x } else { if b { kept := y } else { kept := kept } }",
            "case x 1 { kept := y } else { kept := x }"
        ]
    );
}

/// A memory. Inputs are the enables r and w, the addresses from and to, and the data x.
fn memory((depth, width, latency): (u64, u32, u32), collision: Collision, lanes: u32) -> Program {
    let mut build = Build::new("small");
    let bits = rtl_model::index_width(depth);
    let mut input = |name: &str, width| -> NodeId { build.input(name, width) };
    let (r, w) = (input("r", 1), input("w", 1));
    let (from, to, x) = (input("from", bits), input("to", bits), input("x", width / lanes));
    let lane = (lanes > 1).then(|| input("lane", rtl_model::index_width(lanes.into())));
    let data = build.memory("rows", (depth, width, latency), collision, (w, to, x), &[(r, from)]);
    (build.0.memories[0].lanes, build.0.memories[0].write.lane) = (lanes, lane);
    build.output("out", data[0]);
    program(build)
}

#[test]
fn a_read_loads_and_a_write_stores_where_the_address_is_inside() {
    let whole = memory((4, 8, 1), Collision::ReadFirst, 1);
    assert_eq!(show::all(&whole), ["if r { 0 := rows[from] } else {  }", "if w { rows[to] := x } else {  }"]);
    let odd = memory((5, 8, 1), Collision::ReadFirst, 1);
    assert_eq!(
        show::all(&odd),
        ["if (and (lt from 5) r) { 0 := rows[from] } else {  }", "if (and (lt to 5) w) { rows[to] := x } else {  }"]
    );
}

#[test]
fn each_clock_of_latency_beyond_the_first_is_a_copy_last_first() {
    let program = memory((4, 70, 3), Collision::ReadFirst, 1);
    assert_eq!(
        show::all(&program)[..5],
        [
            "rows_data.0 := rows_data_block.0",
            "rows_data.1 := rows_data_block.1",
            "rows_data_block.0 := rows_data_row.0",
            "rows_data_block.1 := rows_data_row.1",
            "if r { 0,1 := rows[from] } else {  }"
        ]
    );
}

#[test]
fn a_read_that_collides_keeps_its_data_or_the_lane_that_is_written() {
    let held = memory((4, 8, 1), Collision::Hold, 1);
    assert_eq!(show::all(&held)[0], "if (and (not (and (eq from to) w)) r) { 0 := rows[from] } else {  }");
    let lanes = memory((4, 128, 1), Collision::Hold, 8);
    assert_eq!(
        show::all(&lanes),
        [
            "if r { 0,1 := rows[from] holding lane if (and (eq from to) w) } else {  }",
            "if w { rows[to] lane lane := x } else {  }"
        ]
    );
}

/// Row 1 is read in the clock cycle in which its third lane is written, and in the next one.
#[test]
fn lanes_are_written_and_held_alone() {
    let program = memory((4, 128, 1), Collision::Hold, 8);
    let row = |r, w, lane, x| (false, [r, w, 1, 1, x, lane].map(|value| vec![value]).to_vec());
    let stimulus =
        [row(0, 1, 0, 0xaaaa), row(0, 1, 5, 0xbbbb), row(1, 1, 2, 0xcccc), row(1, 0, 0, 0), row(0, 0, 0, 0)].to_vec();
    let outputs = play(Edge::AtOnce(&program), &Window::default(), &stimulus).concat();
    assert_eq!(outputs[3], [0xaaaa, 0xbbbb << 16]);
    assert_eq!(outputs[4], [0xaaaa | 0xcccc << 32, 0xbbbb << 16]);
}
