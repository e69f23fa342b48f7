// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports by interface: the ports of one field of the stage's inputs or outputs are together, `ready` beside its
//! `valid`, each with the comment of the source.

use crate::adapter::Port;
use rtl_model::netlist::circuit::Module;
use rtl_model::netlist::interfaces::{Direction, Interface, Pin};

/// All ports in the order in which they are printed.
pub fn ports(module: &Module) -> Vec<Port> {
    let mut list =
        vec![fixed("clk", "Everything happens at its rising edge."), fixed("rst", "Synchronous, active high.")];
    let mut alone = true;
    for interface in module.interfaces() {
        let mut ports: Vec<Port> = interface.pins().map(|(pin, direction)| port(pin, direction)).collect();
        let single = ports.len() == 1;
        if !single {
            ports[0].heading = Some(heading(&interface));
        } else if !alone {
            // An empty line ends the previous group of ports.
            ports[0].heading = Some(String::new());
        }
        alone = single;
        list.extend(ports);
    }
    list
}

fn fixed(name: &str, doc: &str) -> Port {
    Port { name: name.into(), width: 1, output: false, doc: doc.into(), heading: None }
}

fn port(pin: &Pin, direction: Direction) -> Port {
    let output = direction == Direction::Out;
    Port { name: pin.port.clone(), width: pin.width, output, doc: sentence(&pin.doc), heading: None }
}

fn heading(Interface { name, doc, .. }: &Interface) -> String {
    if doc.is_empty() { name.clone() } else { format!("{name}: {doc}") }
}

/// The first sentence.
fn sentence(text: &str) -> String {
    text.split_once(". ").map_or(text.to_owned(), |(first, _)| format!("{first}."))
}
