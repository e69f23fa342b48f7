// SPDX-License-Identifier: MIT OR Apache-2.0
//! The commands, one per file. Data goes to standard output, everything else to standard error.

mod apart;
pub mod budget;
pub mod conform;
pub mod dissector;
pub mod fabric;
pub mod link;
pub mod model;
pub mod prototype;
pub mod replay;
pub mod rtl;
pub mod settings;
mod table;
pub mod vectors;

use crate::cli::{Cli, Command};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::settings::losses;
use crate::stages::{StageName, check_settings, check_sizes, warnings};
use std::io::{ErrorKind, Write};

/// Runs the command of the command line.
pub fn run(cli: &Cli) -> Outcome {
    apart::check(cli)?;
    let (config, source) = Config::load_source(cli.config.as_deref())?;
    check_settings(&config, &source)?;
    if cli.print_config {
        return print(&config.print());
    }
    if let Some(given) = cli.command.as_ref().and_then(asked) {
        let chosen = StageName::chosen(given, &config)?;
        check_sizes(given, &config, &source)?;
        let weighs = matches!(cli.command, Some(Command::Budget(_) | Command::Settings(_)));
        let losses = if weighs { losses(&chosen, &config) } else { Vec::new() };
        warnings(given, &config).iter().chain(&losses).for_each(|line| eprintln!("mpnic: warning: {line}"));
    }
    match &cli.command {
        Some(Command::Prototype(args)) => prototype::run(args, &config),
        Some(Command::Rtl(args)) => rtl::run(args, &config),
        Some(Command::Model(args)) => model::run(args, &config),
        Some(Command::Conform(args)) => conform::run(args, &config),
        Some(Command::Vectors(args)) => vectors::run(args, &config),
        Some(Command::Replay(args)) => replay::run(args, &config),
        Some(Command::Budget(args)) => budget::run(args, &config),
        Some(Command::Settings(args)) => settings::run(args, &config),
        Some(Command::Dissector) => dissector::run(),
        Some(Command::Link(args)) => link::run(args, &config),
        Some(Command::Fabric(args)) => fabric::run(args),
        None => Err(Failure::with_help("no command is given", "mpnic --help lists them")),
    }
}

/// The stages that the command line names for a command that makes or weighs hardware.
fn asked(command: &Command) -> Option<&[StageName]> {
    match command {
        Command::Prototype(args) => Some(&args.stage),
        Command::Rtl(args) => Some(&args.stage),
        Command::Model(args) => Some(&args.stage),
        Command::Budget(args) => Some(&args.stage),
        Command::Settings(args) => Some(&args.stage),
        _ => None,
    }
}

/// Writes to standard output. If the reader has closed it, the command ends without a message.
pub fn print(text: &str) -> Outcome {
    print_bytes(text.as_bytes())
}

/// The same for what may be no text.
pub fn print_bytes(bytes: &[u8]) -> Outcome {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::message(format!("standard output: {error}")),
    })
}

/// A value as JSON, with a final newline.
pub fn json(value: &impl serde::Serialize) -> Outcome<String> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(Failure::defect)
}
