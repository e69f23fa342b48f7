// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fast model: the C of a circuit, compiled when it is first needed.

use crate::native::{self, NativeDut, cache};
use crate::tool::COMPILER;
use crate::{Error, Ports};
use rtl_model::netlist::circuit::Circuit;
use std::path::{Path, PathBuf};
use std::process::Command;

const SHIM: &str = include_str!("shim.c");
/// The last three undo what a compiler gathers at the top: words stand where they are needed.
const FLAGS: [&str; 8] = [
    "-std=c11",
    "-march=native",
    "-fPIC",
    "-shared",
    "-fvisibility=hidden",
    "-fno-tree-pre",
    "-fno-gcse",
    "-fno-code-hoisting",
];

/// How to compile a model.
#[derive(Clone, Debug)]
pub struct Compiled {
    compiler: PathBuf,
    cache: PathBuf,
    level: Level,
}

/// How hard the compiler tries.
#[derive(Clone, Copy, Debug)]
enum Level {
    /// The model is compiled soon.
    Soon,
    /// It is not slow.
    Quick,
    /// It is fast.
    Fast,
}

/// So many clocks are worth a compiler that tries. The time that it then takes more and the time that a clock then takes less
/// both grow with the circuit, so that the number is the same for all: of the largest stage gcc 12 takes 0.6 s more, and a
/// clock 2 us less.
const WORTH: u64 = 300_000;

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
    /// The compiler named by `CC`, or `cc` from the path.
    pub fn new() -> Self {
        Self::default()
    }

    /// Another compiler.
    pub fn compiler(mut self, path: impl Into<PathBuf>) -> Self {
        self.compiler = path.into();
        self
    }

    /// Where compiled models are kept.
    pub fn cache(mut self, dir: impl Into<PathBuf>) -> Self {
        self.cache = dir.into();
        self
    }

    /// Compiles with `-O1`: for models that run about as long as they compile.
    pub fn quick(mut self) -> Self {
        self.level = Level::Quick;
        self
    }

    /// For models that run for about so many clocks: if these are few the compiler does not try.
    pub fn clocks(mut self, clocks: u64) -> Self {
        self.level = if clocks < WORTH { Level::Soon } else { Level::Quick };
        self
    }

    fn flag(&self) -> &'static str {
        match self.level {
            Level::Soon => "-O0",
            Level::Quick => "-O1",
            Level::Fast => "-O2",
        }
    }

    /// What the compiler says of itself.
    pub fn version(&self) -> Result<String, Error> {
        Ok(COMPILER.run(Command::new(&self.compiler).arg("--version"))?.trim().to_owned())
    }

    /// Compiles the model of a circuit, or takes it from the cache, and starts it at power-up.
    pub fn build(&self, circuit: &Circuit) -> Result<NativeDut, Error> {
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
            self.compile(dir)
        })?;
        NativeDut::load(&library, ports, Vec::new())
    }

    fn compile(&self, dir: &Path) -> Result<PathBuf, Error> {
        let mut command = Command::new(&self.compiler);
        command.current_dir(dir).args(FLAGS).args([self.flag(), "-o", "dut.so", "dut.c"]);
        COMPILER.run(&mut command)?;
        Ok(dir.join("dut.so"))
    }
}
