// SPDX-License-Identifier: MIT OR Apache-2.0
//! `NAME.py`: the model as a Python module, by means of `ctypes`.

use super::{Port, Ports, fill};

/// The part of the text that does not depend on a circuit.
pub const TEXT: &str = include_str!("model.py");

/// Reserved words of Python that are allowed in Verilog and C.
pub const RESERVED: [&str; 19] = [
    "False", "None", "True", "async", "await", "def", "del", "elif", "except", "from", "global", "in", "is", "lambda",
    "nonlocal", "pass", "raise", "yield", "as",
];

/// Makes the module.
pub fn module(name: &str, ports: &Ports) -> String {
    let list = |ports: &[Port]| ports.iter().map(|port| format!("    \"{}\": {},\n", port.name, port.width)).collect();
    let (inputs, outputs): (String, String) = (list(&ports.inputs), list(&ports.outputs));
    fill(TEXT, &[("name", name), ("inputs", &inputs), ("outputs", &outputs)])
}
