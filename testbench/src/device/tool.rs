// SPDX-License-Identifier: MIT OR Apache-2.0
//! External programs: runs them, or reports in one line which package to install.

use crate::device::Error;
use std::process::Command;

/// An external program and the package that provides it.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// The Debian package.
    pub package: &'static str,
    /// Another way to install it, written as a continuation of the error line.
    pub hint: &'static str,
}

/// The program `verilator`.
pub const VERILATOR: Tool = Tool { package: "verilator", hint: ", or point MPNIC_VERILATOR at another verilator" };
/// The C++ compiler that compiles the output of Verilator and CXXRTL.
pub const COMPILER: Tool = Tool { package: "g++", hint: ", or set CXX" };
/// The program `yosys`, which also translates Verilog to C++.
pub const YOSYS: Tool = Tool { package: "yosys", hint: ", or point MPNIC_YOSYS at another yosys" };
/// The program that prints where the headers of that C++ are.
pub const YOSYS_CONFIG: Tool =
    Tool { package: "yosys-dev", hint: ", or point MPNIC_YOSYS at a yosys that has one beside it" };
/// The compiler of Icarus Verilog.
pub const ICARUS: Tool = Tool { package: "iverilog", hint: "" };

impl Tool {
    /// Makes the error for a program that cannot be started.
    pub fn missing(self, command: &Command, cause: &std::io::Error) -> Error {
        Error::MissingTool {
            tool: command.get_program().to_string_lossy().into_owned(),
            package: self.package,
            cause: cause.to_string(),
            hint: self.hint,
        }
    }

    /// Runs a command and returns its standard output if it succeeds.
    pub fn run(self, command: &mut Command) -> Result<String, Error> {
        let output = command.output().map_err(|cause| self.missing(command, &cause))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        Err(Error::Tool {
            tool: command.get_program().to_string_lossy().into_owned(),
            output: format!("{text}{}", String::from_utf8_lossy(&output.stderr)),
        })
    }
}
