// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic rtl`: Verilog and what tools want besides.

use super::print;
use crate::cli;
use crate::config::Config;
use crate::failure::Outcome;
use crate::output::Files;
use crate::stages::{self, StageName};
use hdl::package::Package;
use std::path::Path;

/// Runs the command.
pub fn run(args: &cli::Rtl, config: &Config) -> Outcome {
    let stage = args.stage.unwrap_or(StageName::DEFAULT);
    let name = args.name.clone().unwrap_or_else(|| stage.module(config));
    if args.out == Path::new("-") {
        let files = stages::verilog(&stage.circuit_called(&name, config)?, &stage.header(config))?;
        let texts: Vec<_> = files.iter().map(|file| file.text.as_str()).collect();
        return print(&texts.join("\n"));
    }
    let mut files = Files::of(config);
    let Added { top, .. } = add(&mut files, "", stage, &name, config)?;
    files.write(&args.out, args.force)?;
    let dir = args.out.display();
    eprintln!("{dir}: {} files, top module {top}", files.names().count());
    let family = stages::family(config);
    if family.synthesis().is_none() {
        eprintln!("{dir}: yosys cannot synthesize for {}; {top}.ys only checks", family.name());
    }
    Ok(())
}

/// What has been added.
pub struct Added {
    /// Name of the top module.
    pub top: String,
    /// Whether there is a testbench.
    pub testbench: bool,
}

/// Adds the files of a stage below the directory `dir`. Its module is called `name`.
pub fn add(files: &mut Files, dir: &str, stage: StageName, name: &str, config: &Config) -> Outcome<Added> {
    let circuit = stage.circuit_called(name, config)?;
    let header = stage.header(config);
    let rtl = stages::verilog(&circuit, &header)?;
    let bench = stage.testbench(&circuit, config)?;
    let (testbench, memories) = bench.map_or_else(Default::default, |bench| (vec![bench.testbench], bench.memories));
    let top = circuit.top().name.clone();
    let package = Package {
        header: &header,
        version: env!("CARGO_PKG_VERSION"),
        top: &top,
        description: &stage.description(),
        family: stages::family(config),
        rtl: &rtl,
        testbench: &testbench,
        memories: &memories,
    };
    for (name, text) in [package.file_list(), package.fusesoc(), package.yosys()] {
        files.add(format!("{dir}{name}"), text);
    }
    for file in rtl.iter().chain(&testbench) {
        files.add(format!("{dir}{}", file.name), file.text.as_str());
    }
    for (name, text) in &memories {
        files.add(format!("{dir}{name}"), text.as_str());
    }
    Ok(Added { top, testbench: !testbench.is_empty() })
}
