// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fast model: the C of a circuit, compiled when it is first needed.

use crate::device::native::{self, Built, NativeDut, cache};
use crate::device::tool::COMPILER;
use crate::device::{Error, Ports};
use rtl_model::netlist::circuit::Circuit;
use std::path::{Path, PathBuf};
use std::process::Command;

const SHIM: &str = include_str!("shim.c");
/// The `-fno` options stop the compiler from moving computations to the top: words are already where they are needed. The
/// parameters limit how far gcc looks back for stores that concern a load, which finds nothing in a function with the state
/// of a whole NIC, and takes two thirds of its time.
const FLAGS: [&str; 10] = [
    "-std=c11",
    "-march=native",
    "-fPIC",
    "-shared",
    "-fvisibility=hidden",
    "-fno-tree-pre",
    "-fno-gcse",
    "-fno-code-hoisting",
    "--param=sccvn-max-alias-queries-per-access=20",
    "--param=dse-max-alias-queries-per-store=16",
];

/// The settings for the compilation of a model.
#[derive(Clone, Debug)]
pub struct Compiled {
    compiler: PathBuf,
    cache: PathBuf,
    level: Level,
}

/// The effort of the compiler.
#[derive(Clone, Copy, Debug)]
enum Level {
    /// The compilation is short.
    Soon,
    /// Compilation and run are balanced.
    Quick,
    /// The model is fast.
    Fast,
}

/// From this number of clock cycles on, an optimizing compiler saves time. Its additional time and the time that it
/// saves per clock cycle both grow with the circuit, so that the number is the same for all circuits: for a
/// NIC gcc 12 takes 1.7 s longer, and a clock cycle takes 2.4 us less.
const WORTH: u64 = 700_000;

impl Default for Compiled {
    fn default() -> Self {
        let set = std::env::var_os("CC").filter(|x| !x.is_empty());
        Compiled {
            compiler: set.map_or_else(|| "cc".into(), PathBuf::from),
            cache: cache::default_dir(),
            level: Level::Fast,
        }
    }
}

impl Compiled {
    /// Uses the compiler that `CC` names, or `cc` from the path.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses another compiler.
    pub fn compiler(mut self, path: impl Into<PathBuf>) -> Self {
        self.compiler = path.into();
        self
    }

    /// Sets the directory in which compiled models are cached.
    pub fn cache(mut self, dir: impl Into<PathBuf>) -> Self {
        self.cache = dir.into();
        self
    }

    /// Compiles with `-Og`, for models that run about as long as their compilation takes.
    pub fn quick(mut self) -> Self {
        self.level = Level::Quick;
        self
    }

    /// For models that run for about this number of clock cycles: if it is small, the compiler does not optimize.
    pub fn clocks(mut self, clocks: u64) -> Self {
        self.level = if clocks < WORTH { Level::Soon } else { Level::Quick };
        self
    }

    fn flag(&self) -> &'static str {
        match self.level {
            Level::Soon => "-O0",
            Level::Quick => "-Og",
            Level::Fast => "-O2",
        }
    }

    /// Returns the version line of the compiler.
    pub fn version(&self) -> Result<String, Error> {
        Ok(COMPILER.run(Command::new(&self.compiler).arg("--version"))?.trim().to_owned())
    }

    /// Compiles the model of a circuit, or loads it from the cache, and starts it at power-up.
    pub fn build(&self, circuit: &Circuit) -> Result<NativeDut, Error> {
        self.compile(circuit)?.start()
    }

    /// Compiles the model of a circuit, or finds it in the cache.
    pub fn compile(&self, circuit: &Circuit) -> Result<Built, Error> {
        let ports = Ports::of_module(circuit.top());
        let model = c_model::print(circuit, "/* A model. */");
        let unit = format!(
            "#include \"{}.c\"\n#define NAME {}\n#define INPUT_LIMBS {}\n#define OUTPUT_LIMBS {}\n{SHIM}",
            model.name,
            model.name,
            ports.input_limbs(),
            ports.output_limbs()
        );
        let version = self.version()?;
        let mut parts = vec![version.as_str(), self.flag(), &model.header, &model.source, &unit];
        parts.extend(FLAGS);
        let library = native::library(&self.cache, &cache::key(&parts), |dir| {
            let write = |name: String, text: &str| {
                let path = dir.join(name);
                std::fs::write(&path, text).map_err(Error::file(&path))
            };
            write(format!("{}.h", model.name), &model.header)?;
            write(format!("{}.c", model.name), &model.source)?;
            write("dut.c".to_owned(), &unit)?;
            self.shared_library(dir)
        })?;
        Ok(Built { library, ports, probes: Vec::new() })
    }

    fn shared_library(&self, dir: &Path) -> Result<PathBuf, Error> {
        let mut command = Command::new(&self.compiler);
        command.current_dir(dir).args(FLAGS).args([self.flag(), "-o", "dut.so", "dut.c"]);
        COMPILER.run(&mut command)?;
        Ok(dir.join("dut.so"))
    }
}
