// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reduction that reads what nothing else reads, so that lint tools see that it is intended.

use super::expression::Printer;
use super::{assigned_always, live, memory};
use rtl_model::netlist::circuit::{NodeId, Op, Target};

/// `wire _unused_ok = &{1'b0, ..};`, or nothing.
pub fn print(printer: &Printer, wires: &[NodeId], parameter: Option<&str>) -> String {
    let (m, nets) = (&printer.simple.module, &printer.nets);
    let live_ = &printer.simple.live;
    let mut unread = Vec::new();
    unread.extend(parameter.and_then(|parameter| parameter.split(' ').nth(1)).map(str::to_owned));
    let stateful = live_.registers.contains(&true) || live_.reads.iter().flatten().any(|&live| live);
    if !stateful && m.instances.is_empty() {
        unread.push("clk".to_owned());
    }
    if !live(&live_.registers).any(|i| m.registers[i].reset) && m.instances.is_empty() {
        unread.push("rst".to_owned());
    }
    for input in &m.inputs {
        unread.extend(nets.unread(&input.name, input.width));
    }
    // A register with a default reads itself there.
    let always = assigned_always(printer.simple);
    for i in live(&live_.registers).filter(|&i| always.contains(&Target::Register(i))) {
        unread.extend(nets.unread(&format!("{}_reg", nets.registers[i]), m.registers[i].width));
    }
    for i in live(&live_.variables) {
        unread.extend(nets.unread(&nets.variables[i], m.variables[i].width));
    }
    for i in 0..m.memories.len() {
        for (port, name) in nets.data[i].iter().enumerate() {
            // A register that nothing reads does not exist.
            if live_.reads[i][port] && memory::registers(printer, i).iter().any(|(_, reg)| reg == name) {
                unread.extend(nets.unread(name, m.memories[i].width));
            }
        }
    }
    for (instance, names) in m.instances.iter().zip(&nets.outputs) {
        for ((_, width), name) in instance.outputs.iter().zip(names) {
            if !nets.is_port(printer.simple, name) {
                unread.extend(nets.unread(name, *width));
            }
        }
    }
    for &id in wires {
        let node = m.node(id);
        if let (false, Some(name)) = (matches!(node.op, Op::Constant(_)), nets.wire(id))
            && !nets.is_port(printer.simple, name)
        {
            unread.extend(nets.unread(name, node.width));
        }
    }
    if unread.is_empty() {
        return String::new();
    }
    let line = format!("wire _unused_ok = &{{1'b0, {}}};\n", unread.join(", "));
    if line.len() <= 110 {
        return line;
    }
    format!("wire _unused_ok = &{{1'b0,\n    {}\n}};\n", unread.join(",\n    "))
}
