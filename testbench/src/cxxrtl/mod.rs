// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTL as a compiled simulation of another kind: CXXRTL, the C++ that yosys writes, in a shared library that is built when
//! it is first needed and kept in a cache.

use crate::Error;
use crate::native::{self, NativeDut, cache, cpp, ports};
use crate::source::Source;
use crate::tool::{YOSYS, YOSYS_CONFIG};
use std::path::{Path, PathBuf};
use std::process::Command;

const SHIM: &str = concat!(include_str!("shim.cpp"), include_str!("../native/api.cpp"));
/// Without names for debuggers. By itself the backend flattens the design and takes its highest level of optimization.
const WRITE: &str = "write_cxxrtl -g0 dut.cc";

/// Rows beyond a memory are 0, as in other simulators, and no assertion.
const NO_ASSERTIONS: &str = "-DNDEBUG";

/// How to build a simulation.
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
    /// The yosys named by `MPNIC_YOSYS`, or `yosys` from the path. `yosys-config` beside it says where its headers are.
    pub fn new() -> Self {
        Self::default()
    }

    /// Another yosys.
    pub fn executable(mut self, path: impl Into<PathBuf>) -> Self {
        self.executable = path.into();
        self
    }

    /// Where compiled designs are kept.
    pub fn cache(mut self, dir: impl Into<PathBuf>) -> Self {
        self.cache = dir.into();
        self
    }

    /// Compiles the C++ with `-O1`: for designs that run less long than they compile.
    pub fn quick(mut self) -> Self {
        self.level = "-O1";
        self
    }

    /// What the executable says of itself.
    pub fn version(&self) -> Result<String, Error> {
        Ok(YOSYS.run(Command::new(&self.executable).arg("-V"))?.trim().to_owned())
    }

    /// Compiles the design, or takes it from the cache, and starts it at power-up.
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
        // Later versions have their headers in a directory of their own.
        build.include(&headers).include(headers.join("backends/cxxrtl/runtime")).include(dir);
        let objects = cpp::objects(build.file(unit).flag(NO_ASSERTIONS).flag(self.level))?;
        cpp::link(dir, &objects)
    }

    /// The directory of the headers; the error is the one of a tool if there is none that knows.
    pub fn headers(&self) -> Result<PathBuf, Error> {
        let config = self.executable.with_file_name("yosys-config");
        let directory = YOSYS_CONFIG.run(Command::new(config).arg("--datdir"))?;
        Ok(Path::new(directory.trim()).join("include"))
    }
}

/// The text of `ports.h`.
fn header(source: &Source) -> String {
    format!("#define TOP cxxrtl_design::{}\n{}", member(&source.top), ports::lists(&source.ports, member))
}

/// What the backend calls a module, or a port.
fn member(name: &str) -> String {
    format!("p_{}", name.replace('_', "__"))
}
