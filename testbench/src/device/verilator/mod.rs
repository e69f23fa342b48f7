// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTL compiled by Verilator: its C++ in a shared library that is built when it is first needed and then cached.

mod compile;
mod ports;

use crate::device::Error;
use crate::device::native::{self, Built, NativeDut, cache};
use crate::device::source::Source;
use crate::device::tool::VERILATOR;
use std::path::{Path, PathBuf};
use std::process::Command;

const SHIM: &str = concat!(include_str!("shim.cpp"), include_str!("../native/api.cpp"));
const FLAGS: [&str; 6] = ["-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert"];

/// From this number of clock cycles on, optimized C++ saves time. Its additional compilation and the time that it saves per
/// clock cycle both grow with the design, so that the number is the same for all: for a NIC g++ 12 takes 11 s longer, and a
/// clock cycle takes 11 us in place of 70.
const WORTH: u64 = 200_000;

/// As fast as `-O1`, and compiled in half the time.
const SOON: &str = "-Og";

/// The settings for building a simulation.
#[derive(Clone, Debug)]
pub struct Verilator {
    executable: PathBuf,
    cache: PathBuf,
    watch: bool,
    level: &'static str,
}

impl Default for Verilator {
    fn default() -> Self {
        let executable = std::env::var_os("MPNIC_VERILATOR").filter(|x| !x.is_empty());
        Verilator {
            executable: executable.map_or_else(|| "verilator".into(), PathBuf::from),
            cache: cache::default_dir(),
            watch: false,
            level: "-O0",
        }
    }
}

impl Verilator {
    /// Uses the executable that `MPNIC_VERILATOR` names, or `verilator` from the path, and a C++ compiler that does not optimize.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses another executable.
    pub fn executable(mut self, path: impl Into<PathBuf>) -> Self {
        self.executable = path.into();
        self
    }

    /// Sets the directory in which compiled designs are cached.
    pub fn cache(mut self, dir: impl Into<PathBuf>) -> Self {
        self.cache = dir.into();
        self
    }

    /// Makes the registers of the source visible as probes. This is slower, so it is off by default.
    pub fn watch(mut self, on: bool) -> Self {
        self.watch = on;
        self
    }

    /// For designs that run for about this number of clock cycles: if it is large, the C++ is optimized.
    pub fn clocks(mut self, clocks: u64) -> Self {
        self.level = if clocks < WORTH { "-O0" } else { SOON };
        self
    }

    /// Compiles the C++ with `-O3`, for designs that run much longer than their compilation takes.
    pub fn fast(mut self) -> Self {
        self.level = "-O3";
        self
    }

    /// Returns the version line of the executable.
    pub fn version(&self) -> Result<String, Error> {
        Ok(VERILATOR.run(Command::new(&self.executable).arg("--version"))?.trim().to_owned())
    }

    /// Compiles the design, or loads it from the cache, and starts it at power-up.
    pub fn build(&self, source: &Source) -> Result<NativeDut, Error> {
        self.compile(source)?.start()
    }

    /// Compiles the design, or finds it in the cache.
    pub fn compile(&self, source: &Source) -> Result<Built, Error> {
        let version = self.version()?;
        let header = ports::header(source, self.watch);
        let library = native::library(&self.cache, &self.key(&version, &header, source), |work| {
            let root = self.verilate(source, work)?;
            compile::shared_library(&compile::Job {
                dir: work,
                root: &root,
                header: &header,
                shim: SHIM,
                level: self.level,
                cache: &self.cache,
                version: &version,
            })
        })?;
        let probes = if self.watch { source.probes() } else { Vec::new() };
        Ok(Built { library, ports: source.ports.clone(), probes })
    }

    fn key(&self, version: &str, header: &str, source: &Source) -> String {
        let mut parts = vec![version, header, SHIM, self.level, &source.top];
        parts.extend(FLAGS);
        parts.extend(compile::flags());
        for (name, text) in &source.files {
            parts.extend([name.as_str(), text.as_str()]);
        }
        cache::key(&parts)
    }

    /// Runs Verilator and returns the directory of its runtime.
    fn verilate(&self, source: &Source, dir: &Path) -> Result<PathBuf, Error> {
        let files = source.write_to(dir)?;
        let mut command = Command::new(&self.executable);
        command.current_dir(dir).args(["--cc", "--Mdir", "cpp", "--prefix", "Vdut", "--top-module", &source.top]);
        command.args(FLAGS).args(self.watch.then_some("--public-flat-rw")).args(files);
        VERILATOR.run(&mut command)?;
        let root = VERILATOR.run(Command::new(&self.executable).args(["--getenv", "VERILATOR_ROOT"]))?;
        Ok(Path::new(root.trim()).join("include"))
    }
}
