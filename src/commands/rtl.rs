// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic rtl`: Verilog, and the files that other tools need for it.

use super::print;
use crate::cli;
use crate::config::Config;
use crate::failure::Outcome;
use crate::field_map;
use crate::output::Files;
use crate::stages::{self, StageName};
use crate::vectors;
use golden_vectors::Vectors;
use hdl::package::Package;
use std::path::Path;

/// The file list of all stages, if there are several.
const LIST: &str = "pipeline.f";

pub fn run(args: &cli::Rtl, config: &Config) -> Outcome {
    let chosen = StageName::named(&args.stage, args.name.as_deref(), config)?;
    if args.out == Path::new("-") {
        let mut texts = Vec::new();
        for (stage, name) in chosen {
            let files = stages::verilog(&stage.circuit_called(&name, config)?, &stage.header(config))?;
            texts.extend(files.into_iter().map(|file| file.text));
        }
        return print(&texts.join("\n"));
    }
    Files::check(&args.out, args.force)?;
    let mut files = Files::of(config);
    let (mut tops, mut modules) = (Vec::new(), Vec::new());
    for (stage, name) in chosen {
        let added = add(&mut files, "", (stage, &name), &vectors::of(stage, config)?, config)?;
        tops.push(added.top);
        modules.extend(added.modules);
    }
    if tops.len() > 1 {
        let list = modules.iter().fold(stages::origin(config).comment(), |list, name| list + name + "\n");
        files.add(LIST, list);
    }
    files.write(&args.out, args.force)?;
    let names = if tops.len() > 1 { "modules" } else { "module" };
    eprintln!("{}: {} files, top {names} {}", args.out.display(), files.names().count(), tops.join(", "));
    let family = stages::family(config);
    if family.synthesis().is_none() {
        eprintln!("{}: yosys cannot synthesize for {}; its scripts only check", args.out.display(), family.name());
    }
    Ok(())
}

/// The files that were added for a stage.
pub struct Added {
    /// Name of the top module.
    pub top: String,
    /// Whether there is a testbench.
    pub testbench: bool,
    /// Files of its modules, children before parents.
    pub modules: Vec<String>,
}

/// Adds the files of a stage and its golden vectors to the directory `dir`. Its module is called `name`.
pub fn add(
    files: &mut Files,
    dir: &str,
    (stage, name): (StageName, &str),
    vectors: &[Vectors],
    config: &Config,
) -> Outcome<Added> {
    let circuit = stage.circuit_called(name, config)?;
    let header = stage.header(config);
    let rtl = stages::verilog(&circuit, &header)?;
    let bench = stage.testbench(&circuit, vectors, config)?;
    let (testbench, memories) = bench.map_or_else(Default::default, |bench| (vec![bench.testbench], bench.memories));
    let top = circuit.top().name.clone();
    let package = Package {
        header: &header,
        version: env!("CARGO_PKG_VERSION"),
        top: &top,
        description: stage.description(),
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
    if stage.spec().header_records {
        for (name, text) in [field_map::verilog(config), field_map::json(config)] {
            files.add(format!("{dir}{name}"), text);
        }
    }
    for (name, text) in &memories {
        files.add(format!("{dir}{name}"), text.as_str());
    }
    let modules = rtl.iter().map(|file| file.name.clone()).collect();
    Ok(Added { top, testbench: !testbench.is_empty(), modules })
}
