// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fast model: the C of a circuit, compiled when it is first needed.

use crate::device::native::{self, Built, NativeDut, cache};
use crate::device::tool::COMPILER;
use crate::device::{Error, Ports};
use rtl_model::netlist::circuit::Circuit;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const SHIM: &str = include_str!("shim.c");
/// The options of every compiler.
const COMMON: [&str; 2] = ["-std=c11", "-shared"];
/// Those of gcc and clang. The `-fno` options stop the compiler from moving computations to the top: words are already where they are needed. The
/// parameters limit how far gcc looks back for stores that concern a load, which finds nothing in a function with the state
/// of a whole NIC, and takes two thirds of its time.
const FLAGS: [&str; 8] = [
    "-march=native",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-tree-pre",
    "-fno-gcse",
    "-fno-code-hoisting",
    "--param=sccvn-max-alias-queries-per-access=20",
    "--param=dse-max-alias-queries-per-store=16",
];

/// Compiles a NIC in 0.2 s, where gcc takes 2 s without optimization and 6 s with `-Og`.
const TINY_C: &str = "tcc";

/// The settings for the compilation of a model.
#[derive(Clone, Debug)]
pub struct Compiled {
    compiler: PathBuf,
    /// The compiler has been chosen by the user.
    chosen: bool,
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
/// saves per clock cycle both grow with the circuit, so that the number is the same for all circuits: for a NIC gcc 12
/// with `-Og` takes 5.4 s longer than tcc, and a clock cycle takes 5 us in place of 12.
const WORTH: u64 = 700_000;

impl Default for Compiled {
    fn default() -> Self {
        let set = std::env::var_os("CC").filter(|x| !x.is_empty());
        Compiled {
            chosen: set.is_some(),
            compiler: set.map_or_else(|| "cc".into(), PathBuf::from),
            cache: cache::default_dir(),
            level: Level::Fast,
        }
    }
}

impl Compiled {
    /// Uses the compiler that `CC` names, or `cc` from the path; for short runs `tcc`, if it is there and `CC` is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses another compiler.
    pub fn compiler(mut self, path: impl Into<PathBuf>) -> Self {
        (self.compiler, self.chosen) = (path.into(), true);
        self
    }

    /// Sets the directory in which compiled models are cached.
    pub fn cache(mut self, dir: impl Into<PathBuf>) -> Self {
        self.cache = dir.into();
        self
    }

    /// Compiles as soon as can be, for models that run for some clock cycles.
    pub fn soon(mut self) -> Self {
        self.level = Level::Soon;
        self
    }

    /// Compiles with `-Og`, for models that run about as long as their compilation takes.
    pub fn quick(mut self) -> Self {
        self.level = Level::Quick;
        self
    }

    /// For models that run for about this number of clock cycles: if it is small, the compiler does not optimize.
    pub fn clocks(self, clocks: u64) -> Self {
        if clocks < WORTH { self.soon() } else { self.quick() }
    }

    /// The compiler, what it says of itself, and its options.
    fn job(&self) -> Result<Job, Error> {
        static TINY: OnceLock<Option<String>> = OnceLock::new();
        let tiny = || TINY.get_or_init(|| version(Path::new(TINY_C)).ok());
        if let (Level::Soon, false, Some(version)) = (self.level, self.chosen, tiny()) {
            return Ok(Job { compiler: TINY_C.into(), version: version.clone(), options: COMMON.to_vec() });
        }
        let level = match self.level {
            Level::Soon => "-O0",
            Level::Quick => "-Og",
            Level::Fast => "-O2",
        };
        let options = [COMMON.as_slice(), &FLAGS, &[level]].concat();
        Ok(Job { compiler: self.compiler.clone(), version: version(&self.compiler)?, options })
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
        let job = self.job()?;
        let mut parts = vec![job.version.as_str(), &model.header, &model.source, &unit];
        parts.extend(&job.options);
        let library = native::library(&self.cache, &cache::key(&parts), |dir| {
            let write = |name: String, text: &str| {
                let path = dir.join(name);
                std::fs::write(&path, text).map_err(Error::file(&path))
            };
            write(format!("{}.h", model.name), &model.header)?;
            write(format!("{}.c", model.name), &model.source)?;
            write("dut.c".to_owned(), &unit)?;
            job.shared_library(dir)
        })?;
        Ok(Built { library, ports, probes: Vec::new() })
    }
}

/// A compiler with its options.
struct Job {
    compiler: PathBuf,
    version: String,
    options: Vec<&'static str>,
}

impl Job {
    fn shared_library(&self, dir: &Path) -> Result<PathBuf, Error> {
        let mut command = Command::new(&self.compiler);
        command.current_dir(dir).args(&self.options).args(["-o", "dut.so", "dut.c"]);
        COMPILER.run(&mut command)?;
        Ok(dir.join("dut.so"))
    }
}

fn version(compiler: &Path) -> Result<String, Error> {
    Ok(COMPILER.run(Command::new(compiler).arg("--version"))?.trim().to_owned())
}
