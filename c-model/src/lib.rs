// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fast model: a circuit as one C file, which supports any number of instances.
//!
//! ```text
//! circuit --lower--> program --live--> what is seen --window--> delays for nothing --group--> choices together --order--> readers ahead of writers
//!         --place--> each word where it is needed --print--> C11
//! ```
//!
//! Each arrow is a file that explains its idea at the top. The C has no globals; the state of an instance is a struct.

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
    /// The prefix of its types and functions, and the name of both files.
    pub name: String,
    /// The text of `NAME.h`.
    pub header: String,
    /// The text of `NAME.c`.
    pub source: String,
}

/// Prints a circuit that has been checked. `comment` is put at the top of both files without changes.
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
