// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tools say of Verilog.

use rtl_model::Design;
use std::fmt::Debug;
use std::process::Command;
use testbench::device::source::Source;
use tier::pick;

/// Verilator with all warnings and yosys read the Verilog of configurations and say nothing of it: of three, in the tier all of
/// each.
pub fn take_the_verilog<T: Design + Debug>(configs: impl Iterator<Item = T>) {
    let configs = pick(configs, 3);
    assert!(configs.len() >= 3);
    for config in configs {
        let source = Source::of_design(&config).expect("it is printed");
        let dir = tempfile::tempdir().expect("a directory");
        for (name, text) in &source.files {
            std::fs::write(dir.path().join(name), text).expect("a file");
        }
        let names = source.files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" ");
        let top = &source.top;
        let checks = "proc; check -assert; select -assert-none t:$dlatch t:$_DLATCH_*";
        let line = format!(
            "verilator --lint-only -Wall --top-module {top} {names} && \
             yosys -q -p 'read_verilog {names}; hierarchy -check -top {top}; {checks}'"
        );
        let output = Command::new("sh").args(["-c", &line]).current_dir(dir.path()).output().expect("a shell");
        let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
        assert!(output.status.success() && said.trim().is_empty(), "{config:?}:\n{said}");
    }
}
