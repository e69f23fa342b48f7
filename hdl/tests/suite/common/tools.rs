// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs Verilator, Icarus and yosys on printed files.

use hdl::{Header, VerilogFile, print};
use rtl_model::netlist::circuit::Circuit;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn header() -> Header {
    Header { tool: "mpnic 0.0.0".into(), config_hash: "0123abcd".into(), settings: Vec::new() }
}

pub fn printed(circuit: &Circuit) -> Vec<VerilogFile> {
    print(circuit, &header()).unwrap_or_else(|error| panic!("{error}"))
}

/// A directory of its own below the build directory, with the files in it.
pub fn directory(name: &str, files: &[VerilogFile]) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&dir).expect("temporary directory");
    for file in files {
        std::fs::write(dir.join(&file.name), &file.text).expect("temporary file");
    }
    dir
}

/// Runs a tool and returns whether it succeeded and all it said.
pub fn run(dir: &Path, tool: &str, args: &[&str]) -> (bool, String) {
    let output = match Command::new(tool).args(args).current_dir(dir).output() {
        Ok(output) => output,
        Err(error) => {
            let package = if tool == "vvp" { "iverilog" } else { tool };
            panic!("`{tool}` does not run ({error}); it is in the Debian package `{package}`")
        }
    };
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text.into_owned())
}

/// All three tools accept the files without a word.
pub fn lint(name: &str, circuit: &Circuit) {
    let files = printed(circuit);
    let dir = directory(name, &files);
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let top = &circuit.top().name;
    let mut args = vec!["--lint-only", "-Wall", "--top-module", top];
    args.extend(&names);
    let (good, said) = run(&dir, "verilator", &args);
    assert!(good && said.trim().is_empty(), "verilator on {}:\n{said}", dir.display());
    let mut args = vec!["-Wall", "-g2001", "-o", "out.vvp", "-s", top];
    args.extend(&names);
    let (good, said) = run(&dir, "iverilog", &args);
    assert!(good && said.trim().is_empty(), "iverilog on {}:\n{said}", dir.display());
    let script = format!(
        "read_verilog {}; hierarchy -check -top {top}; proc; check -assert; select -assert-none t:$dlatch t:$_DLATCH_*",
        names.join(" ")
    );
    let (good, said) = run(&dir, "yosys", &["-q", "-p", &script]);
    assert!(good && said.trim().is_empty(), "yosys on {}:\n{said}", dir.display());
}
