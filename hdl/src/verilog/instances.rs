// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instances of child modules.

use super::expression::Printer;

/// The instance, every port connected by name.
pub fn print(printer: &Printer, index: usize) -> String {
    let instance = &printer.simple.module.instances[index];
    let mut ports = vec![("clk".to_owned(), "clk".to_owned()), ("rst".to_owned(), "rst".to_owned())];
    for (&id, name) in instance.inputs.iter().zip(&printer.children[index]) {
        ports.push((name.clone(), printer.text(id)));
    }
    for ((port, _), net) in instance.outputs.iter().zip(&printer.nets.outputs[index]) {
        ports.push((port.clone(), net.clone()));
    }
    let wide = ports.iter().map(|(port, _)| port.len()).max().unwrap_or(0);
    let list: Vec<String> = ports.iter().map(|(port, net)| format!("    .{port:<wide$} ({net})")).collect();
    format!("{} {} (\n{}\n);\n", instance.module, printer.nets.instances[index], list.join(",\n"))
}
