// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles Verilator's C++ to a shared library.

use crate::device::Error;
use crate::device::native::{cache, cpp};
use crate::files::listed;
use std::fs;
use std::path::{Path, PathBuf};

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

    let mut objects = compile(job, &[fast], job.dir, job.level)?;
    objects.extend(compile(job, &[slow], job.dir, "-O0")?);
    objects.extend(runtime(job, &lists)?);
    cpp::link(job.dir, &objects)
}

/// Returns the classes after `name +=`, on lines that end in a backslash.
fn list<'a>(lists: &'a str, name: &str) -> Vec<&'a str> {
    let lines = lists.lines().skip_while(|line| !line.starts_with(name)).skip(1);
    lines.map_while(|line| line.strip_suffix('\\')).map(str::trim).filter(|class| !class.is_empty()).collect()
}

/// Compiles Verilator's runtime. It is the same for all designs, and its compilation takes longer than that of most
/// designs.
fn runtime(job: &Job, lists: &str) -> Result<Vec<PathBuf>, Error> {
    let names: Vec<_> = ["VM_GLOBAL_FAST", "VM_GLOBAL_SLOW"].iter().flat_map(|kind| list(lists, kind)).collect();
    let root = job.root.to_string_lossy();
    let mut parts = vec![job.version, &root];
    parts.extend(flags());
    parts.extend(&names);
    let kept = job.cache.join(format!("runtime-{}", cache::key(&parts)));
    if !kept.exists() {
        let made = listed(|| tempfile::Builder::new().prefix("build-").tempdir_in(job.cache));
        let made = made.map_err(Error::file(job.cache))?;
        let sources: Vec<_> = names.iter().map(|name| job.root.join(format!("{name}.cpp"))).collect();
        compile(job, &sources, made.path(), "-O3")?;
        let renamed = fs::rename(made.path(), &kept);
        if !kept.exists() {
            renamed.map_err(Error::file(&kept))?;
        }
    }
    let entries = fs::read_dir(&kept).map_err(Error::file(&kept))?;
    let mut objects: Vec<_> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    objects.retain(|path| path.extension().is_some_and(|x| x == "o"));
    objects.sort();
    Ok(objects)
}

fn compile(job: &Job, files: &[PathBuf], out: &Path, level: &str) -> Result<Vec<PathBuf>, Error> {
    let mut build = cpp::build(out);
    build.include(job.dir.join("cpp")).include(job.root).include(job.root.join("vltstd"));
    let traces = ["VM_TRACE", "VM_TRACE_VCD", "VM_TRACE_FST", "VM_TRACE_SAIF"];
    for name in ["VM_COVERAGE", "VM_SC", "VM_TIMING"].into_iter().chain(traces) {
        build.define(name, "0");
    }
    cpp::objects(build.files(files).flag(TIME).flag(level))
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
