// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic fabric report`: one page with plots of what a run or a sweep has shown.

use super::sweep;
use crate::cli;
use crate::commands::print;
use crate::failure::{Failure, Outcome};
use ::fabric::result::{Report, SCHEMA};

pub fn run(args: &cli::FabricReport) -> Outcome {
    let path = args.directory.join("result.json");
    let help = "name the --out of mpnic fabric run or sweep";
    let text =
        std::fs::read(&path).map_err(|error| Failure::with_help(format!("{}: {error}", path.display()), help))?;
    let report: Report = serde_json::from_slice(&text)
        .map_err(|error| Failure::with_help(format!("{}: {error}", path.display()), "run it again"))?;
    if report.schema != SCHEMA {
        let message = format!("{} is of the schema {}, not {SCHEMA}", path.display(), report.schema);
        return Err(Failure::with_help(message, "run it again with this version"));
    }
    let page = ::fabric::report::page(&report).map_err(Failure::defect)?;
    let out = args.directory.join("report.html");
    sweep::write(&out, page.as_bytes())?;
    print(&format!("{}\n", out.display()))
}
