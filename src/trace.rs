// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--trace`: a run with a waveform of it.

use crate::failure::{Failure, Outcome};
use std::path::Path;
use testbench::Dut;
use testbench::waveform::{Format, TraceFile, Traced};

/// The place of the waveform, if one is asked for. Whatever is wrong with it is said before the run.
pub fn open(path: Option<&Path>) -> Outcome<Option<TraceFile>> {
    let Some(path) = path else { return Ok(None) };
    let Some(format) = Format::of(path) else {
        let message = format!("--trace {}: the form of a waveform is that of its name", path.display());
        return Err(Failure::with_help(message, "name it F.vcd or F.fst"));
    };
    let file = TraceFile::create(path, format)
        .map_err(|error| Failure::with_help(error, "name a file in a directory that is there and can be written"))?;
    Ok(Some(file))
}

/// Runs a device, with a waveform if there is a place for one. The waveform of a run that ends badly is kept: it shows
/// how it came to that.
pub fn run<T>(
    file: Option<TraceFile>,
    scope: &str,
    mut dut: Box<dyn Dut>,
    run: impl FnOnce(&mut dyn Dut) -> Outcome<T>,
) -> Outcome<T> {
    let Some(file) = file else { return run(&mut *dut) };
    let mut traced = Traced::new(dut, scope, file)?;
    let result = run(&mut traced);
    let finished = traced.finish();
    let result = result?;
    finished?;
    Ok(result)
}
