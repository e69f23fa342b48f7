// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTL compiled by CXXRTL: C++ that yosys writes, in a shared library that is built when it is first needed and
//! then cached.

use crate::device::Error;
use crate::device::native::{self, NativeDut, cache, cpp, ports};
use crate::device::source::Source;
use crate::device::tool::{YOSYS, YOSYS_CONFIG};
use std::path::{Path, PathBuf};
use std::process::Command;

const SHIM: &str = concat!(include_str!("shim.cpp"), include_str!("../native/api.cpp"));
/// No names for debuggers. Without further options the backend flattens the design and uses its highest level of
/// optimization.
const WRITE: &str = "write_cxxrtl -g0 dut.cc";

/// Rows outside of a memory read as 0, as in other simulators; they are no assertion.
const NO_ASSERTIONS: &str = "-DNDEBUG";

/// The settings for building a simulation.
#[derive(Clone, Debug)]
pub struct Cxxrtl {
    executable: PathBuf,
    cache: PathBuf,
    level: &'static str,
}

impl Default for Cxxrtl {
    fn default() -> Self {
        let executable = std::env::var_os("MPNIC_YOSYS").filter(|x| !x.is_empty());
        let executable = executable.map_or_else(|| "yosys".into(), PathBuf::from);
        Cxxrtl { executable, cache: cache::default_dir(), level: "-O3" }
    }
}

impl Cxxrtl {
    /// Uses the yosys that `MPNIC_YOSYS` names, or `yosys` from the path. `yosys-config` in the same directory says
    /// where its headers are.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses another yosys.
    pub fn executable(mut self, path: impl Into<PathBuf>) -> Self {
        self.executable = path.into();
        self
    }

    /// Sets the directory in which compiled designs are cached.
    pub fn cache(mut self, dir: impl Into<PathBuf>) -> Self {
        self.cache = dir.into();
        self
    }

    /// Compiles the C++ with `-O1`, for designs that run for less time than their compilation takes.
    pub fn quick(mut self) -> Self {
        self.level = "-O1";
        self
    }

    /// Returns the version line of the executable.
    pub fn version(&self) -> Result<String, Error> {
        Ok(YOSYS.run(Command::new(&self.executable).arg("-V"))?.trim().to_owned())
    }

    /// Compiles the design, or loads it from the cache, and starts it at power-up.
    pub fn build(&self, source: &Source) -> Result<NativeDut, Error> {
        let version = self.version()?;
        let header = header(source);
        let mut parts = vec![version.as_str(), WRITE, NO_ASSERTIONS, &header, SHIM, self.level];
        parts.extend(cpp::FLAGS);
        parts.extend(source.files.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]));
        let library =
            native::library(&self.cache, &cache::key(&parts), |dir| self.shared_library(source, &header, dir))?;
        NativeDut::load(&library, source.ports.clone(), Vec::new())
    }

    fn shared_library(&self, source: &Source, header: &str, dir: &Path) -> Result<PathBuf, Error> {
        let write = |name: &str, text: &str| {
            let path = dir.join(name);
            std::fs::write(&path, text).map_err(Error::file(&path))?;
            Ok::<_, Error>(path)
        };
        write("ports.h", header)?;
        let unit = write("unit.cpp", SHIM)?;
        let files = source.write_to(dir)?.join(" ");
        let script = format!("read_verilog {files}; hierarchy -top {}; {WRITE}", source.top);
        YOSYS.run(Command::new(&self.executable).current_dir(dir).args(["-q", "-p", &script]))?;
        let headers = self.headers()?;
        let mut build = cpp::build(dir);
        // Later versions have their headers in a separate directory.
        build.include(&headers).include(headers.join("backends/cxxrtl/runtime")).include(dir);
        let objects = cpp::objects(build.file(unit).flag(NO_ASSERTIONS).flag(self.level))?;
        cpp::link(dir, &objects)
    }

    /// Returns the directory of the headers, or the error of a missing tool.
    pub fn headers(&self) -> Result<PathBuf, Error> {
        let config = self.executable.with_file_name("yosys-config");
        let directory = YOSYS_CONFIG.run(Command::new(config).arg("--datdir"))?;
        Ok(Path::new(directory.trim()).join("include"))
    }
}

/// Makes the text of `ports.h`.
fn header(source: &Source) -> String {
    format!("#define TOP cxxrtl_design::{}\n{}", member(&source.top), ports::lists(&source.ports, member))
}

/// The name that the backend gives to a module or a port.
fn member(name: &str) -> String {
    format!("p_{}", name.replace('_', "__"))
}
