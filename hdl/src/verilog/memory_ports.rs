// SPDX-License-Identifier: MIT OR Apache-2.0
//! The nets that drive the ports of memories, which are named after the memory.

use super::expression::Printer;
use rtl_model::netlist::circuit::{NodeId, Origin};

/// Names the nets that drive the ports.
pub fn name(printer: &mut Printer) {
    let module = &printer.simple.module;
    for (i, memory) in module.memories.iter().enumerate() {
        if !printer.simple.live.reads[i].contains(&true) {
            continue;
        }
        let stem = printer.nets.memories[i].clone();
        own_as(printer, memory.write.enable, &format!("{stem}_write_enable"));
        own_as(printer, memory.write.address, &format!("{stem}_write_address"));
        own_as(printer, memory.write.data, &format!("{stem}_write_data"));
        if let Some(lane) = memory.write.lane {
            own_as(printer, lane, &format!("{stem}_write_lane"));
        }
        for (port, read) in memory.reads.iter().enumerate() {
            if printer.simple.live.reads[i][port] {
                let suffix = if memory.reads.len() == 1 { String::new() } else { format!("_{port}") };
                own_as(printer, read.enable, &format!("{stem}_read_enable{suffix}"));
                own_as(printer, read.address, &format!("{stem}_read_address{suffix}"));
            }
        }
    }
}

/// Gives a node a wire called `name`, unless it is a net or a constant.
fn own_as(printer: &mut Printer, id: NodeId, name: &str) {
    let node = printer.simple.module.node(id);
    if !node.op.is_source() && printer.nets.wires[id.0 as usize].is_none() {
        printer.nets.give(id, None, name, Origin::Target);
    }
}
