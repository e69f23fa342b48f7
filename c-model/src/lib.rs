// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fast model: a circuit as one C file, for any number of instances.
//!
//! ```text
//! circuit --lower--> program --live--> what is seen --window--> delays for nothing --group--> choices together --order--> readers ahead of writers
//!         --place--> each word where it is needed --print--> C11
//! ```
//!
//! Each arrow is a file with its idea at the head. The C has no globals: what an instance keeps is a struct.

mod group;
mod live;
mod lower;
mod order;
mod package;
mod place;
mod print;
mod program;
#[cfg(test)]
mod tests;
mod window;
mod words;

pub use package::{Stream, Vectors, is_name, package};

use live::Purpose;
use rtl_model::netlist::circuit::Circuit;

/// A model in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CModel {
    /// Name of its types, the prefix of its functions, and that of both files.
    pub name: String,
    /// Text of `NAME.h`.
    pub header: String,
    /// Text of `NAME.c`.
    pub source: String,
}

/// Prints a circuit that has been checked. `comment` is put at the head of both files, as it is.
pub fn print(circuit: &Circuit, comment: &str) -> CModel {
    let name = circuit.top().name.clone();
    let mut edge = lower::lower(circuit);
    let mut outputs = edge.clone();
    live::keep(&mut edge, Purpose::Edge);
    live::keep(&mut outputs, Purpose::Outputs);
    let window = window::slide(&mut edge);
    group::group(&mut edge);
    order::sort(&mut edge, &window);
    order::sort(&mut outputs, &window);
    let (edge, outputs) = (place::place(edge, &window), place::place(outputs, &window));
    let (header, source) = print::print(&name, comment, &edge, &outputs, &window);
    CModel { name, header, source }
}
