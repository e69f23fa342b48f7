// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C++ compiler for simulators that generate C++.

use crate::device::Error;
use crate::device::tool::COMPILER;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Unique symbols would be shared between the libraries of different designs, so they are turned off.
pub const FLAGS: [&str; 4] = ["-std=c++17", "-march=native", "-fvisibility=hidden", "-fno-gnu-unique"];

/// Makes a build with the output directory `out`. It sets everything that `cc` otherwise takes from the environment of
/// a build script.
pub fn build(out: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build.cpp(true).target(&target()).host(&target()).opt_level(1).debug(false).out_dir(out);
    build.cargo_metadata(false).cargo_warnings(false).cargo_output(false).inherit_rustflags(false);
    build.warnings(false).pic(true).flag("-pthread").flags(FLAGS);
    build
}

/// Compiles the files of the build.
pub fn objects(build: &cc::Build) -> Result<Vec<PathBuf>, Error> {
    let tool = build.try_get_compiler().map_err(|e| broken("c++", &e))?;
    COMPILER.run(Command::new(tool.path()).arg("--version"))?;
    build.try_compile_intermediates().map_err(|e| broken(&tool.path().to_string_lossy(), &e))
}

/// Compiles a header beside itself. A compiler that does not find it in the form that it wants reads the text.
pub fn header(build: &cc::Build, header: &Path) -> Result<(), Error> {
    let tool = build.try_get_compiler().map_err(|e| broken("c++", &e))?;
    let mut compile = tool.to_command();
    compile.args(["-x", "c++-header", "-o"]).arg(header.with_extension("h.gch")).arg(header);
    COMPILER.run(&mut compile)?;
    Ok(())
}

/// Links `dut.so` in a directory.
pub fn link(dir: &Path, objects: &[PathBuf]) -> Result<PathBuf, Error> {
    let library = dir.join("dut.so");
    let tool = build(dir).try_get_compiler().map_err(|e| broken("c++", &e))?;
    let mut link = Command::new(tool.path());
    link.args(["-shared", "-pthread", "-Wl,-z,defs", "-o"]).arg(&library).args(objects);
    COMPILER.run(&mut link)?;
    Ok(library)
}

fn target() -> String {
    let system = if cfg!(target_os = "macos") { "apple-darwin" } else { "unknown-linux-gnu" };
    format!("{}-{system}", std::env::consts::ARCH)
}

fn broken(tool: &str, error: &cc::Error) -> Error {
    Error::Tool { tool: tool.to_owned(), output: error.to_string() }
}
