// SPDX-License-Identifier: MIT OR Apache-2.0
//! What of a netlist is live: what reaches an output.

use rtl_model::netlist::{Extent, Live};
use rtl_model::*;

#[derive(Bundle)]
pub struct In<L: Reading> {
    row: Bits<L>,
    other: Bits<L>,
    data: Bits<L>,
}

#[derive(Bundle)]
pub struct Out<L: Reading> {
    q: Bits<L>,
}

/// A memory of which one read port has no reader, and a register without one.
struct Memory;

pub struct Rows<L: Logic> {
    rows: Ram<Bits<L>>,
    unread: Reg<Bits<L>>,
}

impl Design for Memory {
    type Stage<L: Logic> = Rows<L>;
    fn module_name(&self) -> String {
        "memory".to_owned()
    }
    fn build<L: Logic>(&self) -> Rows<L> {
        Rows { rows: Ram::named("rows", RamShape::new(4).reads(2), &bits(8)), unread: Reg::named("unread", &bits(8)) }
    }
}

impl<L: Logic> Stage<L> for Rows<L> {
    type In = In<L>;
    type Out = Out<L>;
    fn input_shape(&self) -> In<Shape> {
        In { row: bits(2), other: bits(2), data: bits(8) }
    }
    fn outputs(&self) -> Out<L> {
        Out { q: self.rows.data_port(0) }
    }
    fn clock(&self, input: &In<L>) {
        self.unread.set(self.rows.data_port(1) + input.data);
        self.rows.read_port(0, input.row);
        self.rows.read_port(1, input.other);
        self.rows.write(input.row, input.data);
        self.rows.clock();
    }
}

#[test]
fn a_memory_is_live_by_port_or_as_a_whole() {
    let circuit = elaborate(&Memory).unwrap_or_else(|report| panic!("{report}"));
    let module = circuit.top();
    let [port, whole] = [Extent::Port, Extent::Memory].map(|extent| Live::of(module, extent));
    assert_eq!((port.reads, whole.reads), (vec![vec![true, false]], vec![vec![true, true]]));
    // The address of the other port is all that depends on its input.
    let count = |nodes: &[bool]| nodes.iter().filter(|live| **live).count();
    assert!(count(&port.nodes) < count(&whole.nodes));
}

#[test]
fn what_nothing_observes_is_removed() {
    let circuit = elaborate(&Memory).unwrap_or_else(|report| panic!("{report}"));
    let module = circuit.top();
    assert!(module.registers.is_empty(), "{:?}", module.registers);
    assert_eq!(module.memories.len(), 1);
    assert!(Live::of(module, Extent::Memory).nodes.iter().all(|live| *live));
}
