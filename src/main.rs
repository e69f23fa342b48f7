// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic`. Its functions are in the library of the same name.

use clap::Parser;
use mpnic::cli::Cli;
use mpnic::failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Err(failure) = mpnic::run(&Cli::parse()) else { return ExitCode::SUCCESS };
    if matches!(failure, Failure::Usage(_) | Failure::Defect(_)) {
        anstream::eprintln!("{failure}");
    }
    ExitCode::from(failure.status())
}
