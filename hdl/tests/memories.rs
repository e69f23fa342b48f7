// SPDX-License-Identifier: MIT OR Apache-2.0
//! yosys finds block RAM in printed memories.

mod common;

use common::Build;
use common::tools::{directory, printed, run};
use rtl_model::netlist::circuit::*;

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

/// How many cells of a kind synthesis makes.
fn cells(name: &str, circuit: &Circuit, synth: &str, cell: &str) -> u32 {
    let files = printed(circuit);
    let dir = directory(name, &files);
    let script = format!("read_verilog {}; {synth} -top {name}; tee -q -o stat.txt stat", files[0].name);
    let (good, said) = run(&dir, "yosys", &["-q", "-p", &script]);
    assert!(good, "{said}");
    let stat = std::fs::read_to_string(dir.join("stat.txt")).expect("yosys wrote the statistics");
    let counts = stat.lines().filter_map(|line| line.trim().split_once(' '));
    let found = counts.filter(|(kind, _)| kind.starts_with(cell)).map(|(_, n)| n.trim().parse::<u32>().unwrap_or(0));
    found.sum()
}

#[test]
fn block_ram_is_inferred() {
    for (latency, reads) in [(1, 1), (2, 1), (3, 1), (1, 2)] {
        let name = format!("table_l{latency}r{reads}");
        let circuit = table(&name, latency, reads);
        assert_eq!(cells(&name, &circuit, "synth_ecp5", "DP16KD"), 2 * reads as u32, "ECP5, {name}");
        assert_eq!(cells(&name, &circuit, "synth_ecp5", "TRELLIS_FF"), 32 * (latency - 1), "{name}");
        assert_eq!(cells(&name, &circuit, "synth_xilinx -family xcup", "RAMB36"), reads as u32, "UltraScale+, {name}");
    }
}
