// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tools want besides the Verilog: a file list, a FuseSoC core, a yosys script.

use crate::{Header, VerilogFile};
use std::fmt::Write;

/// The files of one design.
#[derive(Clone, Copy, Debug)]
pub struct Package<'a> {
    /// What the comments say.
    pub header: &'a Header,
    /// Version for the FuseSoC name: `0.1.0`.
    pub version: &'a str,
    /// Name of the top module.
    pub top: &'a str,
    /// What is synthesized, children before parents.
    pub rtl: &'a [VerilogFile],
    /// What only simulates; may be empty. The first is the testbench.
    pub testbench: &'a [VerilogFile],
    /// Files the testbench reads when it runs.
    pub memories: &'a [(String, String)],
}

impl Package<'_> {
    fn comment(&self) -> String {
        self.header.comment().replace("// ", "# ")
    }

    /// `TOP.f`: the Verilog files, one a line, relative to where the list stands.
    pub fn file_list(&self) -> (String, String) {
        let mut text = self.header.comment();
        for file in self.rtl {
            writeln!(text, "{}", file.name).ok();
        }
        (format!("{}.f", self.top), text)
    }

    /// `TOP.core`: FuseSoC, CAPI2.
    pub fn fusesoc(&self) -> (String, String) {
        let mut text = format!("CAPI=2:\n{}", self.comment());
        let top = self.top;
        write!(text, "name: mpnic:generated:{top}:{}\n\nfilesets:\n  rtl:\n    files:\n", self.version).ok();
        for file in self.rtl {
            writeln!(text, "      - {}", file.name).ok();
        }
        text.push_str("    file_type: verilogSource\n");
        let bench = self.testbench.first();
        if bench.is_some() {
            text.push_str("  tb:\n    files:\n");
            for file in self.testbench {
                writeln!(text, "      - {}: {{file_type: verilogSource}}", file.name).ok();
            }
            for (name, _) in self.memories {
                writeln!(text, "      - {name}: {{file_type: user, copyto: {name}}}").ok();
            }
        }
        write!(text, "\ntargets:\n  default: &default\n    filesets: [rtl]\n    toplevel: {top}\n").ok();
        text.push_str("  lint:\n    <<: *default\n    default_tool: verilator\n    tools:\n      verilator:\n");
        text.push_str("        mode: lint-only\n        verilator_options: [-Wall]\n");
        if let Some(bench) = bench {
            let module = bench.name.strip_suffix(".v").unwrap_or(&bench.name);
            text.push_str("  sim:\n    <<: *default\n    filesets: [rtl, tb]\n");
            write!(text, "    toplevel: {module}\n    default_tool: icarus\n").ok();
            text.push_str("    tools:\n      icarus:\n        iverilog_options: [-g2001, -Wall]\n");
        }
        text.push_str("  synth:\n    <<: *default\n    default_tool: yosys\n    tools:\n      yosys:\n");
        text.push_str("        arch: ecp5\n");
        (format!("{top}.core"), text)
    }

    /// `TOP.ys`: checks, synthesis for ECP5 and its statistics.
    pub fn yosys(&self) -> (String, String) {
        let top = self.top;
        let mut text = self.comment();
        for file in self.rtl {
            writeln!(text, "read_verilog {}", file.name).ok();
        }
        write!(
            text,
            "hierarchy -check -top {top}\nproc\ncheck -assert\nselect -assert-none t:$dlatch\n\
             synth_ecp5 -top {top} -json {top}.json\nstat\n"
        )
        .ok();
        (format!("{top}.ys"), text)
    }
}
