// SPDX-License-Identifier: MIT OR Apache-2.0
//! Other people's programs: run, or say in one line what to install.

use crate::Error;
use std::process::Command;

/// A program and how to get it.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Debian package.
    pub package: &'static str,
    /// Another way, as a continuation of the error line.
    pub hint: &'static str,
}

/// Verilator.
pub const VERILATOR: Tool = Tool { package: "verilator", hint: ", or point MPNIC_VERILATOR at another verilator" };
/// The C++ compiler behind Verilator and CXXRTL.
pub const COMPILER: Tool = Tool { package: "g++", hint: ", or set CXX" };
/// yosys, which makes C++ of Verilog too.
pub const YOSYS: Tool = Tool { package: "yosys", hint: ", or point MPNIC_YOSYS at another yosys" };
/// What says where the headers of that C++ are.
pub const YOSYS_CONFIG: Tool =
    Tool { package: "yosys-dev", hint: ", or point MPNIC_YOSYS at a yosys that has one beside it" };
/// Icarus Verilog.
pub const ICARUS: Tool = Tool { package: "iverilog", hint: "" };

impl Tool {
    /// The error for a program that does not start.
    pub fn missing(self, command: &Command, cause: &std::io::Error) -> Error {
        Error::MissingTool {
            tool: command.get_program().to_string_lossy().into_owned(),
            package: self.package,
            cause: cause.to_string(),
            hint: self.hint,
        }
    }

    /// Runs to the end; standard output if the program succeeds.
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
