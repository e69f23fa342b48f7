// SPDX-License-Identifier: MIT OR Apache-2.0
//! `NAME.py`: the model for Python, by its own `ctypes`.

use super::{Port, Ports, fill};

/// All of it that does not depend on a circuit.
pub const TEXT: &str = include_str!("model.py");

/// Words of the language that are none of Verilog or C.
pub const RESERVED: [&str; 19] = [
    "False", "None", "True", "async", "await", "def", "del", "elif", "except", "from", "global", "in", "is", "lambda",
    "nonlocal", "pass", "raise", "yield", "as",
];

/// The module.
pub fn module(name: &str, ports: &Ports) -> String {
    let list = |ports: &[Port]| ports.iter().map(|port| format!("    \"{}\": {},\n", port.name, port.width)).collect();
    let (inputs, outputs): (String, String) = (list(&ports.inputs), list(&ports.outputs));
    fill(TEXT, &[("name", name), ("inputs", &inputs), ("outputs", &outputs)])
}
