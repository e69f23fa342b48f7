// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a module with both of their names: that of the stage and that of the Verilog.

use super::{live, memory, nets::Nets};
use crate::simplify;
use rtl_model::netlist::circuit::{Circuit, Module};

/// A register in the Verilog of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogRegister {
    /// The instances and components that contain it, from the top module down, named as in the stage.
    pub scope: Vec<String>,
    /// Name in the component; data registers of a memory are `MEMORY_data` and those before it: `MEMORY_data_row` from
    /// latency 2 on, then `MEMORY_data_block` at latency 3.
    pub name: String,
    /// The instances that contain it, named as in the Verilog.
    pub path: Vec<String>,
    /// Its name in the Verilog.
    pub net: String,
    /// Width in bits.
    pub width: u32,
}

/// All registers that [`crate::print`] prints for the circuit.
pub fn of_circuit(circuit: &Circuit) -> Vec<VerilogRegister> {
    let mut found = Vec::new();
    walk(circuit, circuit.top(), &mut (Vec::new(), Vec::new()), &mut found);
    found
}

fn walk(circuit: &Circuit, module: &Module, at: &mut (Vec<String>, Vec<String>), found: &mut Vec<VerilogRegister>) {
    let simple = simplify::module(module);
    let nets = Nets::new(&simple);
    let m = &simple.module;
    let mut add = |fields: &[String], name: String, net: String, width: u32| {
        // The last field is the register itself.
        let scope = [at.0.as_slice(), fields.split_last().map_or(fields, |(_, around)| around)].concat();
        found.push(VerilogRegister { scope, name, path: at.1.clone(), net, width });
    };
    for i in live(&simple.live.registers) {
        let register = &m.registers[i];
        add(&register.scope, register.local.clone(), format!("{}_reg", nets.registers[i]), register.width);
    }
    for (i, memory) in m.memories.iter().enumerate() {
        for (port, chain) in memory::data_registers(&simple, &nets, i) {
            let suffix = if memory.reads.len() == 1 { String::new() } else { format!("_{port}") };
            for (step, net) in memory::steps(memory.latency).iter().zip(chain) {
                add(&memory.scope, format!("{}_data{suffix}{step}", memory.local), net, memory.width);
            }
        }
    }
    for (instance, name) in m.instances.iter().zip(&nets.instances) {
        if let Some(child) = circuit.modules.iter().find(|module| module.name == instance.module) {
            let outer = at.0.len();
            at.0.extend_from_slice(&instance.scope);
            at.0.push(instance.local.clone());
            at.1.push(name.clone());
            walk(circuit, child, at, found);
            at.0.truncate(outer);
            at.1.pop();
        }
    }
}
