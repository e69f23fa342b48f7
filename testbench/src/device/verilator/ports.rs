// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lists of ports and registers in the form that the shim needs.

use crate::device::native::ports::lists;
use crate::device::source::Source;
use std::fmt::Write;

/// Makes the text of `ports.h`.
pub fn header(source: &Source, watch: bool) -> String {
    let mut text = lists(&source.ports, cpp_name);
    let _ = writeln!(text, "#define WATCHED {}\n#define SCOPE \"TOP.{}\"", watch as u8, source.top);
    text.push_str("#define PROBES(X)");
    // Verilator calls the scope around the top module TOP.
    let registers = source.registers.iter().zip(source.probes()).filter(|_| watch);
    for (register, probe) in registers {
        let scope: Vec<_> = ["TOP", &source.top].into_iter().chain(register.path.iter().map(String::as_str)).collect();
        let (scope, net, offset) = (scope.join("."), &register.net, probe.signal.offset);
        let _ = write!(text, " \\\n    X(\"{scope}\", \"{net}\", {offset}, {})", register.width);
    }
    text + "\n"
}

/// Verilator writes the second of two underscores in hexadecimal, because C++ reserves names with two underscores.
fn cpp_name(name: &str) -> String {
    name.replace("__", "___05F")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Ports;

    #[test]
    fn ports_become_a_table() {
        let ports = Ports::new([("step", 100), ("a__b", 1)], [("total", 130)]);
        let expected = "#define INPUT_LIMBS 3\n#define INPUTS(X) \\\n    X(step, 0, 100) \\\n    X(a___05Fb, 2, 1)\n\
                        #define OUTPUT_LIMBS 3\n#define OUTPUTS(X) \\\n    X(total, 0, 130)\n";
        assert_eq!(lists(&ports, cpp_name), expected);
    }
}
