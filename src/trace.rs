// SPDX-License-Identifier: MIT OR Apache-2.0
//! The option `--trace`: runs with a waveform.

use crate::failure::{Failure, Outcome};
use std::path::Path;
use testbench::Dut;
use testbench::waveform::{Format, TraceFile, Traced};

/// Opens the waveform file, if one is requested. Problems with it are reported before the run.
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

/// Runs a device and writes a waveform if one is requested. The waveform of a failed run is kept, because it shows the
/// cause.
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
