// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic`: multipath NIC pipelines from one configuration.

mod backend;
mod budget;
mod capture;
mod cli;
mod commands;
mod config;
mod device;
mod failure;
mod interfaces;
mod latency;
mod measured;
mod output;
mod progress;
mod rates;
mod report;
mod stages;
mod summary;
mod trace;
mod vectors;

use clap::Parser;
use cli::{Cli, Command};
use config::Config;
use failure::{Failure, Outcome};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) | Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(Failure::Check) => ExitCode::from(1),
        Err(Failure::Usage(what)) => {
            anstream::eprintln!("{what}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> Outcome {
    let config = Config::load(cli.config.as_deref())?;
    if cli.print_config {
        return commands::print(&config.print());
    }
    match &cli.command {
        Some(Command::Prototype(args)) => commands::prototype::run(args, &config),
        Some(Command::Rtl(args)) => commands::rtl::run(args, &config),
        Some(Command::Model(args)) => commands::model::run(args, &config),
        Some(Command::Conform(args)) => commands::conform::run(args, &config),
        Some(Command::Replay(args)) => commands::replay::run(args, &config),
        Some(Command::Budget(args)) => commands::budget::run(args, &config),
        Some(Command::Dissector) => commands::dissector::run(),
        None => Err(Failure::with_help("no command is given", "mpnic --help lists them")),
    }
}
