// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic model`: the fast model of stages in C, for use in other programs and simulators.

use crate::cli;
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::output::Files;
use crate::stages::StageName;
use crate::vectors;
use c_model::{Stream, Vectors};
use hdl::testbench::{Rows, TestbenchFiles};

pub fn run(args: &cli::Model, config: &Config) -> Outcome {
    let stages = StageName::named(&args.stage, args.name.as_deref(), config)?;
    Files::check(&args.out, args.force)?;
    let mut files = Files::of(config);
    let mut silent = Vec::new();
    for (stage, name) in &stages {
        if !add(&mut files, *stage, name, config)? {
            silent.push(name.as_str());
        }
    }
    files.write(&args.out, args.force)?;
    let names: Vec<_> = stages.iter().map(|(_, name)| name.as_str()).collect();
    let models = if names.len() > 1 { "models" } else { "model" };
    eprintln!("{}: {} files, {models} {}", args.out.display(), files.names().count(), names.join(", "));
    for name in silent {
        eprintln!("{}: {name} has no golden vectors, and so no {name}_main.c", args.out.display());
    }
    Ok(())
}

/// Adds the files of a stage. Its model is called `name`. Returns whether it has golden vectors.
fn add(files: &mut Files, stage: StageName, name: &str, config: &Config) -> Outcome<bool> {
    if !c_model::is_name(name) {
        let help = "C, Python, or the texts themselves use the word; --name gives another";
        return Err(Failure::with_help(format!("a model cannot be called `{name}`"), help));
    }
    let circuit = stage.circuit_called(name, config)?;
    let bench = stage.testbench(&circuit, &vectors::of(stage, config)?, config)?;
    let vectors = bench.as_ref().map(played);
    for (name, text) in c_model::package(&circuit, &stage.header(config).comment(), vectors.as_ref()) {
        files.add(name, text);
    }
    for (name, text) in bench.into_iter().flat_map(|bench| bench.memories) {
        files.add(name, text);
    }
    Ok(vectors.is_some())
}

/// The vectors that the Verilog testbench plays.
fn played(bench: &TestbenchFiles) -> Vectors {
    match &bench.rows {
        Rows::Cycles { file, rows } => Vectors::Cycles { file: file.clone(), rows: *rows },
        Rows::Items(streams) => {
            let stream = |(stream, items, file): &(hdl::testbench::Stream, usize, String)| Stream {
                name: stream.name().to_owned(),
                input: stream.input(),
                valid: stream.valid.port.clone(),
                ready: stream.interface.ready().map(|ready| ready.port.clone()),
                fields: stream.fields().iter().map(|field| (field.name.clone(), field.port.clone())).collect(),
                file: file.clone(),
                items: *items,
            };
            Vectors::Streams(streams.iter().map(stream).collect())
        }
    }
}
