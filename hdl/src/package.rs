// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that tools need besides the Verilog: a file list, a FuseSoC core, a yosys script.

use crate::{Header, VerilogFile};
use std::fmt::Write;

/// FPGAs that are synthesized alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Lattice ECP5.
    Ecp5,
    /// AMD UltraScale+.
    UltraScalePlus,
    /// Altera Agilex.
    Agilex,
}

impl Family {
    /// The vendor's name of the family.
    pub fn name(self) -> &'static str {
        match self {
            Family::Ecp5 => "ECP5",
            Family::UltraScalePlus => "UltraScale+",
            Family::Agilex => "Agilex",
        }
    }

    /// yosys' command and its options, if yosys synthesizes for the family.
    pub fn synthesis(self) -> Option<Synthesis> {
        match self {
            Family::Ecp5 => Some(Synthesis { arch: "ecp5", options: &[] }),
            // A stage is part of a design: its ports are not pads, and the surrounding design has the clock buffer.
            Family::UltraScalePlus => {
                Some(Synthesis { arch: "xilinx", options: &["-family", "xcup", "-noiopad", "-noclkbuf", "-flatten"] })
            }
            Family::Agilex => None,
        }
    }
}

/// The command `synth_ARCH OPTIONS` of yosys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Synthesis {
    /// The architecture's name in yosys.
    pub arch: &'static str,
    /// Options for a stage that is part of a design.
    pub options: &'static [&'static str],
}

/// The files of one design.
#[derive(Clone, Copy, Debug)]
pub struct Package<'a> {
    /// Header of the comments.
    pub header: &'a Header,
    /// Version for the FuseSoC name: `0.1.0`.
    pub version: &'a str,
    /// Name of the top module.
    pub top: &'a str,
    /// Description in one line without quotes.
    pub description: &'a str,
    /// Family that it is synthesized for.
    pub family: Family,
    /// Files to synthesize, children before parents.
    pub rtl: &'a [VerilogFile],
    /// Files for simulation only; may be empty. The first is the testbench.
    pub testbench: &'a [VerilogFile],
    /// Files the testbench reads when it runs.
    pub memories: &'a [(String, String)],
}

impl Package<'_> {
    fn comment(&self) -> String {
        self.header.comment().replace("// ", "# ")
    }

    /// `TOP.f`: the Verilog files, one per line, relative to the directory of the list.
    pub fn file_list(&self) -> (String, String) {
        let mut text = self.header.comment();
        for file in self.rtl {
            writeln!(text, "{}", file.name).ok();
        }
        (format!("{}.f", self.top), text)
    }

    /// `TOP.core`: FuseSoC, CAPI2, with the flows of FuseSoC 2. There is no target `synth` if yosys cannot synthesize
    /// for the family.
    pub fn fusesoc(&self) -> (String, String) {
        let mut text = format!("CAPI=2:\n{}", self.comment());
        let Package { top, version, description, .. } = self;
        write!(text, "name: mpnic:generated:{top}:{version}\ndescription: \"{description}\"\n\n").ok();
        text.push_str("filesets:\n  rtl:\n    files:\n");
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
        text.push_str("  lint:\n    <<: *default\n    flow: lint\n    flow_options:\n      tool: verilator\n");
        text.push_str("      verilator_options: [-Wall]\n");
        if let Some(bench) = bench {
            let module = bench.name.strip_suffix(".v").unwrap_or(&bench.name);
            write!(text, "  sim:\n    <<: *default\n    filesets: [rtl, tb]\n    toplevel: {module}\n").ok();
            text.push_str("    flow: sim\n    flow_options:\n      tool: icarus\n");
            text.push_str("      iverilog_options: [-g2001, -Wall]\n");
            text.push_str("      # For --tool verilator behind the name of the core.\n");
            text.push_str("      mode: binary\n      verilator_options: [--timing]\n");
        }
        if let Some(Synthesis { arch, options }) = self.family.synthesis() {
            text.push_str("  synth:\n    <<: *default\n    flow: generic\n    flow_options:\n      tool: yosys\n");
            write!(text, "      arch: {arch}\n      output_format: json\n").ok();
            if !options.is_empty() {
                writeln!(text, "      yosys_synth_options: [{}]", options.join(", ")).ok();
            }
        } else {
            writeln!(text, "{}", self.no_synthesis("  ")).ok();
        }
        (format!("{top}.core"), text)
    }

    /// `TOP.ys`: checks, then synthesis and its statistics where yosys synthesizes for the family.
    pub fn yosys(&self) -> (String, String) {
        let top = self.top;
        let mut text = self.comment();
        for file in self.rtl {
            writeln!(text, "read_verilog {}", file.name).ok();
        }
        write!(
            text,
            "hierarchy -check -top {top}\nproc\ncheck -assert\nselect -assert-none t:$dlatch t:$adlatch t:$dlatchsr\n"
        )
        .ok();
        match self.family.synthesis() {
            Some(Synthesis { arch, options }) => {
                let options: String = options.iter().map(|option| format!("{option} ")).collect();
                write!(text, "synth_{arch} {options}-top {top}\nwrite_json {top}.json\nstat\n").ok();
            }
            None => {
                writeln!(text, "{}", self.no_synthesis("")).ok();
            }
        }
        (format!("{top}.ys"), text)
    }

    /// A comment on what is left out.
    fn no_synthesis(&self, indent: &str) -> String {
        format!("{indent}# yosys cannot synthesize for {}; use the vendor's tool.", self.family.name())
    }
}
