// SPDX-License-Identifier: MIT OR Apache-2.0
//! yosys finds block RAM in printed memories.

use crate::common::Build;
use crate::common::tools::{directory, printed, run};
use rtl_model::netlist::circuit::*;
use tier::pick;

fn table(name: &str, latency: u32, reads: usize) -> Circuit {
    let mut b = Build::new(name);
    let write = (b.input("write_enable", 1), b.input("write_row", 10), b.input("write_data", 32));
    let ports: Vec<(NodeId, NodeId)> =
        (0..reads).map(|i| (b.input(&format!("read_{i}"), 1), b.input(&format!("row_{i}"), 10))).collect();
    for (i, data) in b.memory("table", (1024, 32, latency), Collision::Hold, write, &ports).into_iter().enumerate() {
        b.output(&format!("data_{i}"), data);
    }
    Circuit { modules: vec![b.0] }
}

/// How many cells of each kind synthesis makes.
fn cells<const N: usize>(name: &str, circuit: &Circuit, synth: &str, kinds: [&str; N]) -> [u32; N] {
    let files = printed(circuit);
    let dir = directory(name, &files);
    let script = format!("read_verilog {}; {synth} -top {name}; tee -q -o stat.txt stat", files[0].name);
    let (good, said) = run(&dir, "yosys", &["-q", "-p", &script]);
    assert!(good, "{said}");
    let stat = std::fs::read_to_string(dir.join("stat.txt")).expect("yosys wrote the statistics");
    let counts = || stat.lines().filter_map(|line| line.trim().split_once(' '));
    let of = |cell: &str| {
        counts().filter(|(kind, _)| kind.starts_with(cell)).map(|(_, n)| n.trim().parse().unwrap_or(0)).sum()
    };
    kinds.map(of)
}

#[test]
fn block_ram_is_inferred() {
    for (latency, reads) in pick([(1, 2), (1, 1), (3, 1), (2, 1)], 2) {
        let name = format!("table_l{latency}r{reads}");
        let circuit = table(&name, latency, reads);
        let [blocks, registers] = cells(&name, &circuit, "synth_ecp5", ["DP16KD", "TRELLIS_FF"]);
        assert_eq!((blocks, registers), (2 * reads as u32, 32 * (latency - 1)), "ECP5, {name}");
        let [blocks] = cells(&name, &circuit, "synth_xilinx -family xcup", ["RAMB36"]);
        assert_eq!(blocks, reads as u32, "UltraScale+, {name}");
    }
}
