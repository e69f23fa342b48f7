// SPDX-License-Identifier: MIT OR Apache-2.0
//! `NAME_dpi.sv` and `NAME_dpi.c`: the model as a module of SystemVerilog, connected by DPI-C.
//!
//! All inputs are passed as one vector, and so are all outputs, in the layout of the C structs.

use super::{Port, Ports, fill};

const GLUE: &str = include_str!("dpi.c");
const MODULE: &str = include_str!("dpi.sv");
/// The part of the texts that does not depend on a circuit.
pub const TEXTS: [&str; 2] = [GLUE, MODULE];

/// Makes the C between the model and the simulator.
pub fn glue(name: &str) -> String {
    fill(GLUE, &[("name", name)])
}

/// Makes the module.
pub fn module(name: &str, ports: &Ports) -> String {
    let inputs: Vec<_> = ports.inputs.iter().rev().map(padded).collect();
    let inputs = if inputs.is_empty() { "64'd0".to_owned() } else { inputs.join(",\n        ") };
    let mut low = 0;
    let output = |port: &Port| {
        let line = format!("assign {} = dpi_outputs[{low} +: {}];\n", port.name, port.width);
        low += 64 * port.limbs();
        line
    };
    let outputs: String = ports.outputs.iter().map(output).collect();
    let high = |ports: &[Port]| (64 * ports.iter().map(Port::limbs).sum::<u32>().max(1) - 1).to_string();
    fill(
        MODULE,
        &[
            ("name", name),
            ("ports", &declared(ports)),
            ("inputs", &format!("        {inputs}")),
            ("outputs", &outputs),
            ("in_high", &high(&ports.inputs)),
            ("out_high", &high(&ports.outputs)),
        ],
    )
}

/// Pads a signal with zeros to a multiple of 64 bits.
fn padded(port: &Port) -> String {
    match 64 * port.limbs() - port.width {
        0 => port.name.clone(),
        zeros => format!("{zeros}'d0, {}", port.name),
    }
}

/// Makes the list of ports, which is that of the Verilog.
fn declared(ports: &Ports) -> String {
    let range = |width: u32| if width == 1 { String::new() } else { format!("[{}:0]", width - 1) };
    let wide = ports.inputs.iter().chain(&ports.outputs).map(|port| range(port.width).len()).max().unwrap_or(0);
    let line = |direction: &str, name: &str, width| format!("    {direction} wire {:<wide$} {name}", range(width));
    let mut lines = vec![line("input ", "clk", 1), line("input ", "rst", 1)];
    lines.extend(ports.inputs.iter().map(|port| line("input ", &port.name, port.width)));
    lines.extend(ports.outputs.iter().map(|port| line("output", &port.name, port.width)));
    lines.join(",\n")
}
