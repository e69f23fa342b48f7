// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lists of ports in the form that the shims need.

use crate::device::{Port, Ports};
use std::fmt::Write;

/// Makes `INPUTS(X)`, `OUTPUTS(X)` and the limbs of both for a `ports.h`; `member` gives the simulator's name of a
/// port.
pub fn lists(ports: &Ports, member: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    table(&mut text, "INPUT", &ports.inputs, ports.input_limbs(), &member);
    table(&mut text, "OUTPUT", &ports.outputs, ports.output_limbs(), &member);
    text
}

fn table(text: &mut String, direction: &str, ports: &[Port], limbs: usize, member: impl Fn(&str) -> String) {
    let items: String =
        ports.iter().map(|p| format!(" \\\n    X({}, {}, {})", member(&p.name), p.offset, p.width)).collect();
    let _ = write!(text, "#define {direction}_LIMBS {limbs}\n#define {direction}S(X){items}\n");
}
