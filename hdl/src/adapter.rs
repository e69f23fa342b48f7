// SPDX-License-Identifier: MIT OR Apache-2.0
//! The only file that uses rust-hdl-core.
//!
//! Each module is a rust-hdl `Block` and `Logic` whose ports are `Atom`s with run-time widths. It is visited as a root
//! of its own into a `ModuleDefines`, so that module names stay flat. rust-hdl contributes the module as such: its
//! name, the list, directions and ranges of its ports, the place of the body, the end. The body is our text, passed as
//! `Verilog::Custom`, because rust-hdl's expressions have no brackets, no concatenation and no conditional. [`module`]
//! parses the printed module and formats it again: ports in ANSI style and in columns with their comments, the body
//! without rust-hdl's indent and comments. `generate_verilog` panics on a failed check and is not used.

use crate::comment;
use crate::error::PrintError;
use rust_hdl_core::ast::{Verilog, VerilogLiteral};
use rust_hdl_core::atom::{Atom, AtomKind};
use rust_hdl_core::block::Block;
use rust_hdl_core::constraint::PinConstraint;
use rust_hdl_core::logic::Logic;
use rust_hdl_core::module_defines::ModuleDefines;
use rust_hdl_core::probe::Probe;
use rust_hdl_core::synth::VCDValue;
use rust_hdl_core::type_descriptor::{TypeDescriptor, TypeKind};

/// A port of a module.
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// It is an output of the module.
    pub output: bool,
    /// A comment on it, or nothing.
    pub doc: String,
    /// Comment above it and the ports after it.
    pub heading: Option<String>,
}

impl Atom for Port {
    fn bits(&self) -> usize {
        self.width as usize
    }
    fn connected(&self) -> bool {
        true
    }
    fn changed(&self) -> bool {
        false
    }
    fn kind(&self) -> AtomKind {
        // A passthrough prints as a net; an `OutputParameter` would be a variable, which no `assign` may drive.
        if self.output { AtomKind::OutputPassthrough } else { AtomKind::InputParameter }
    }
    fn descriptor(&self) -> TypeDescriptor {
        TypeDescriptor { name: format!("Bits::<{}>", self.width), kind: TypeKind::Bits(self.width as usize) }
    }
    fn vcd(&self) -> VCDValue {
        VCDValue::Composite(Vec::new())
    }
    fn id(&self) -> usize {
        0
    }
    fn verilog(&self) -> VerilogLiteral {
        VerilogLiteral::from(false)
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        Vec::new()
    }
}

struct Shell<'a> {
    ports: &'a [Port],
    body: &'a str,
}

impl Logic for Shell<'_> {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Custom(self.body.to_owned())
    }
}

impl Block for Shell<'_> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        for port in self.ports {
            probe.visit_atom(&port.name, port);
        }
        probe.visit_end_scope(name, self);
    }
}

const BODY: &str = "// Update code (custom)";
const INDENT: &str = "    ";
/// Comments on ports are in a column, except those on ports with longer names.
const NAME: usize = 32;

/// The text of module `name`, from `module` to `endmodule`.
pub fn module(name: &str, ports: &[Port], body: &str) -> Result<String, PrintError> {
    let mut defines = ModuleDefines::default();
    Shell { ports, body }.accept(name, &mut defines);
    reshape(name, ports, &defines.defines())
        .ok_or_else(|| PrintError::RustHdl { module: name.to_owned(), what: "a part of the module is missing".into() })
}

fn reshape(name: &str, all: &[Port], printed: &str) -> Option<String> {
    let mut lines = printed.lines().skip_while(|line| !line.starts_with("module ")).skip(1);
    let mut ports = Vec::new();
    for line in lines.by_ref() {
        let line = line.trim();
        if line == BODY {
            break;
        }
        if line.starts_with("input wire") || line.starts_with("output wire") {
            ports.push(port(line)?);
        }
    }
    let end = format!("endmodule // {name}");
    let mut body = Vec::new();
    let mut ended = false;
    for line in lines {
        ended = line == end;
        if ended {
            break;
        }
        body.push(line.strip_prefix(INDENT).unwrap_or(line).trim_end());
    }
    if !ended {
        return None;
    }
    let range = ports.iter().map(|(_, range, _)| range.len() + 1).filter(|&n| n > 1).max().unwrap_or(0);
    let names = ports.iter().map(|(_, _, name)| name.len() + 1).filter(|&n| n <= NAME).max().unwrap_or(0);
    let mut text = format!("module {name} (\n");
    for (i, (direction, bits, name)) in ports.iter().enumerate() {
        let Port { doc, heading, .. } = all.iter().find(|port| port.name == *name)?;
        if let Some(heading) = heading {
            text += &format!("\n{}", comment::lines(INDENT, heading));
        }
        let comma = if i + 1 < ports.len() { "," } else { "" };
        let port = format!("{direction:<6} wire {bits:<range$}{:<names$}", format!("{name}{comma}"));
        let comment = if doc.is_empty() { String::new() } else { format!("  // {doc}") };
        text += &format!("{INDENT}{}\n", format!("{port}{comment}").trim_end());
    }
    text += ");\n";
    for line in body {
        text.push_str(line);
        text.push('\n');
    }
    text.push_str("\nendmodule\n");
    Some(text)
}

/// `output wire  [7:0] foo;` as (`output`, `[7:0]`, `foo`).
fn port(line: &str) -> Option<(&str, &str, &str)> {
    let words: Vec<&str> = line.trim_end_matches(';').split_whitespace().collect();
    match words[..] {
        [direction, "wire", range, name] => Some((direction, range, name)),
        [direction, "wire", name] => Some((direction, "", name)),
        _ => None,
    }
}
