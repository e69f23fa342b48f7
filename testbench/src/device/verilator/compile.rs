// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles Verilator's C++ to a shared library.

use crate::device::Error;
use crate::device::native::{cache, cpp};
use crate::files::listed;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What all designs include. Without optimization, reading it takes longer than all else of most designs.
const PRELUDE: &str =
    "#include \"verilated.h\"\n#include <cstdint>\n#include <cstring>\n#include <memory>\n#include <vector>\n";

/// The context of each simulation keeps the time.
const TIME: &str = "-DVL_TIME_CONTEXT";

/// Options of the C++ compiler.
pub fn flags() -> [&'static str; 5] {
    let [standard, machine, hidden, unique] = cpp::FLAGS;
    [standard, machine, hidden, unique, TIME]
}

/// The parts of a build.
pub struct Job<'a> {
    /// The directory `cpp` in it has Verilator's output; all other results are written here too.
    pub dir: &'a Path,
    /// The directory of Verilator's own sources.
    pub root: &'a Path,
    /// The text of `ports.h`.
    pub header: &'a str,
    /// The text of the shim.
    pub shim: &'a str,
    /// The optimization of code that runs in every cycle.
    pub level: &'a str,
    /// The directory in which the compiled runtime is cached.
    pub cache: &'a Path,
    /// The version of Verilator.
    pub version: &'a str,
}

/// Compiles and links the library.
pub fn shared_library(job: &Job) -> Result<PathBuf, Error> {
    let cpp = job.dir.join("cpp");
    let lists = cpp.join("Vdut_classes.mk");
    let lists = fs::read_to_string(&lists).map_err(Error::file(&lists))?;
    let unit = |name: &str, kinds: [&str; 2], more: &str| {
        let classes = kinds.iter().flat_map(|kind| list(&lists, kind));
        let text: String = classes.map(|class| format!("#include \"{class}.cpp\"\n")).collect();
        let path = cpp.join(name);
        fs::write(&path, text + more).map_err(Error::file(&path))?;
        Ok::<_, Error>(path)
    };
    let ports = cpp.join("ports.h");
    fs::write(&ports, job.header).map_err(Error::file(&ports))?;
    // All code that runs in every cycle is one unit, so that the compiler sees it as a whole; the rest is a second
    // unit.
    let fast = unit("fast.cpp", ["VM_CLASSES_FAST", "VM_SUPPORT_FAST"], job.shim)?;
    let slow = unit("slow.cpp", ["VM_CLASSES_SLOW", "VM_SUPPORT_SLOW"], "")?;
    let runtime = runtime(job, &lists)?;

    let mut plain = build(job, job.dir);
    plain.flag("-include").flag(runtime.join("prelude.h")).flag("-O0");
    let mut objects = match job.level {
        "-O0" => cpp::objects(plain.files([fast, slow]))?,
        level => {
            // Side by side: who waits for the library leaves a core idle.
            let (fast, slow) = std::thread::scope(|scope| {
                let slow = scope.spawn(|| cpp::objects(plain.file(slow)));
                (cpp::objects(build(job, job.dir).file(fast).flag(level)), slow.join())
            });
            let mut objects = fast?;
            objects.extend(slow.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            objects
        }
    };
    objects.extend(files_of(&runtime)?.into_iter().filter(|path| path.extension().is_some_and(|x| x == "o")));
    cpp::link(job.dir, &objects)
}

/// Returns the classes after `name +=`, on lines that end in a backslash.
fn list<'a>(lists: &'a str, name: &str) -> Vec<&'a str> {
    let lines = lists.lines().skip_while(|line| !line.starts_with(name)).skip(1);
    lines.map_while(|line| line.strip_suffix('\\')).map(str::trim).filter(|class| !class.is_empty()).collect()
}

/// The directory with Verilator's runtime and its headers, compiled. They are the same for all designs, and their compilation
/// takes longer than that of most designs.
fn runtime(job: &Job, lists: &str) -> Result<PathBuf, Error> {
    let names: Vec<_> = ["VM_GLOBAL_FAST", "VM_GLOBAL_SLOW"].iter().flat_map(|kind| list(lists, kind)).collect();
    let root = job.root.to_string_lossy();
    let mut parts = vec![job.version, &root, PRELUDE];
    parts.extend(flags());
    parts.extend(&names);
    let kept = job.cache.join(format!("runtime-{}", cache::key(&parts)));
    // Who is not the first one waits.
    static ONE: Mutex<()> = Mutex::new(());
    let _held = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !kept.exists() {
        let made = listed(|| tempfile::Builder::new().prefix("build-").tempdir_in(job.cache));
        let made = made.map_err(Error::file(job.cache))?;
        let sources = names.iter().map(|name| job.root.join(format!("{name}.cpp")));
        cpp::objects(build(job, made.path()).files(sources).flag("-O3"))?;
        let prelude = made.path().join("prelude.h");
        fs::write(&prelude, PRELUDE).map_err(Error::file(&prelude))?;
        cpp::header(build(job, made.path()).flag("-O0"), &prelude)?;
        let renamed = fs::rename(made.path(), &kept);
        if !kept.exists() {
            renamed.map_err(Error::file(&kept))?;
        }
    }
    Ok(kept)
}

fn files_of(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(dir).map_err(Error::file(dir))?;
    let mut files: Vec<_> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    files.sort();
    Ok(files)
}

fn build(job: &Job, out: &Path) -> cc::Build {
    let mut build = cpp::build(out);
    build.include(job.dir.join("cpp")).include(job.root).include(job.root.join("vltstd")).flag(TIME);
    let traces = ["VM_TRACE", "VM_TRACE_VCD", "VM_TRACE_FST", "VM_TRACE_SAIF"];
    for name in ["VM_COVERAGE", "VM_SC", "VM_TIMING"].into_iter().chain(traces) {
        build.define(name, "0");
    }
    build
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn class_lists_of_both_layouts_are_read() {
        let text = "VM_A += \\\n\tVdut \\\n\tVdut__1 \\\n\n# next\nVM_B += \\\n\nVM_C += \\\n  Vdut__Slow \\\n\n";
        assert_eq!(list(text, "VM_A"), ["Vdut", "Vdut__1"]);
        assert!(list(text, "VM_B").is_empty());
        assert_eq!(list(text, "VM_C"), ["Vdut__Slow"]);
    }
}
