// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that accompany a model: queues at its interfaces, a program that plays golden vectors, a module for simulators, and a
//! module for Python.
//!
//! Their texts are files in this directory, with `@place@` for everything that depends on the circuit.

mod bench;
mod dpi;
mod golden;
mod python;

pub use golden::{Stream, Vectors};

use crate::print::{TAKEN, field};
use rtl_model::netlist::circuit::Circuit;

/// All files of a model, by name. `comment` is put at the top of each; its lines begin with `//`. The golden vectors
/// are in files of their own, which the program only reads; without vectors there is no such program.
pub fn package(circuit: &Circuit, comment: &str, vectors: Option<&Vectors>) -> Vec<(String, String)> {
    let model = crate::print(circuit, comment);
    let ports = Ports::of(circuit);
    let name = &model.name;
    let head = |template: String| format!("{comment}\n{template}");
    let mut files = vec![(format!("{name}.h"), model.header), (format!("{name}.c"), model.source)];
    let interfaces = bench::interfaces(circuit);
    if !interfaces.is_empty() {
        let [header, source] = bench::files(name, &interfaces).map(head);
        files.push((format!("{name}_bench.h"), header));
        files.push((format!("{name}_bench.c"), source));
    }
    if let Some(vectors) = vectors {
        files.push((format!("{name}_main.c"), head(golden::main(name, &ports, vectors))));
    }
    files.push((format!("{name}_dpi.c"), head(dpi::glue(name))));
    files.push((format!("{name}_dpi.sv"), head(dpi::module(name, &ports))));
    let python = comment.lines().map(|line| format!("{}\n", line.replacen("//", "#", 1))).collect::<String>();
    files.push((format!("{name}.py"), format!("{python}\n{}", python::module(name, &ports, &interfaces))));
    files
}

/// Whether a model may have this name: it must not be a word of C or Python, a module of Python's library, the package
/// of SystemVerilog, or a name of the texts around it. In addition, it must be allowed in Verilog.
pub fn is_name(name: &str) -> bool {
    let texts = [bench::TEXTS.concat(), golden::TEXTS.concat(), dpi::TEXTS.concat(), python::TEXT.to_owned()];
    let word = |text: &String| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name);
    let taken = TAKEN.contains(&name) || python::RESERVED.contains(&name) || python::is_module(name);
    !taken && !["edge", "std"].contains(&name) && !texts.iter().any(word)
}

/// A port.
struct Port {
    name: String,
    width: u32,
}

impl Port {
    /// Number of its limbs in the struct.
    fn limbs(&self) -> u32 {
        self.width.div_ceil(64)
    }

    /// Its name in the struct.
    fn field(&self) -> String {
        field(&self.name)
    }
}

/// The ports of a module, except clock and reset.
struct Ports {
    inputs: Vec<Port>,
    outputs: Vec<Port>,
}

impl Ports {
    fn of(circuit: &Circuit) -> Self {
        let port = |name: &String, width| Port { name: name.clone(), width };
        let top = circuit.top();
        Ports {
            inputs: top.inputs.iter().map(|input| port(&input.name, input.width)).collect(),
            outputs: top.outputs.iter().map(|output| port(&output.name, output.width)).collect(),
        }
    }
}

/// Fills in the places of a text.
fn fill(template: &str, places: &[(&str, &str)]) -> String {
    let fill = |text: String, (place, value): &(&str, &str)| text.replace(&format!("@{place}@"), value);
    places.iter().fold(template.to_owned(), fill)
}
