// SPDX-License-Identifier: MIT OR Apache-2.0
//! An output directory that is written completely or not at all.
//!
//! The files are written to a temporary directory in the same place, which is renamed at the end. The directory lists
//! its files with their checksums (`sha256sum -c mpnic.sha256`), by which the next run recognizes files that it has not
//! written.

use crate::config::Config;
use crate::failure::{Failure, Outcome};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use testbench::files::listed;

/// The name of the list of files and checksums.
pub const MANIFEST: &str = "mpnic.sha256";

/// Descriptions of files by their paths in a prototype.
pub fn about(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        _ if name.ends_with("_tb.v") => "self-checking testbench",
        _ if name == "report.html" => "all results on one page",
        _ if name == "README.md" => "how to run the testbench; the files",
        _ if name == "summary.json" => "all results, for scripts",
        _ if name == "nic.toml" => "the whole configuration",
        _ if name.starts_with("budget") => "memory, registers, levels, latency, rate",
        _ if name == "conform.json" => "the golden vectors on the model",
        _ if name == "replay/rocev2.jsonl" => "what the pipeline says of each frame of the capture",
        Some("pcap") => "the capture",
        Some("v") => "module",
        Some("f") => "file list",
        Some("core") => "FuseSoC core",
        Some("ys") => "yosys script",
        Some("hex") => "data of the testbench",
        Some("sha256") => "sums of all files",
        _ => "",
    }
}

/// Files by their paths relative to the directory.
#[derive(Debug)]
pub struct Files {
    /// What they are made from: the first line of the manifest.
    origin: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl Files {
    /// Makes an empty set of files for a configuration.
    pub fn of(config: &Config) -> Self {
        let origin =
            format!("# {} {}, configuration {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"), config.hash());
        Self::of_origin(origin)
    }

    /// The same for what is made from something else: this line says what.
    pub fn of_origin(origin: String) -> Self {
        Files { origin, files: BTreeMap::new() }
    }

    /// Adds a file.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// Adds the files of another set.
    pub fn join(&mut self, other: Files) {
        self.files.extend(other.files);
    }

    /// The paths of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The bytes of a file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// The paths of the files and of the manifest.
    pub fn listed(&self) -> impl Iterator<Item = &str> {
        self.names().chain([MANIFEST])
    }

    /// Whether a directory may be written: the error of [`Self::write`], before there is anything to write.
    pub fn check(to: &Path, force: bool) -> Outcome {
        Place::of(to, force).map(|_| ())
    }

    /// Writes all files and the manifest as the directory `to`.
    pub fn write(&self, to: &Path, force: bool) -> Outcome {
        let place = Place::of(to, force)?;
        // The message of `tempfile` would name the temporary path.
        let temporary =
            listed(|| tempfile::Builder::new().prefix(".mpnic-").tempdir_in(&place.parent)).map_err(|error| {
                let message = format!("nothing can be written in {}: {}", place.parent.display(), error.kind());
                Failure::with_help(message, "name a directory elsewhere, such as --out nic")
            })?;
        let mut manifest = format!("{}\n", self.origin);
        for (name, bytes) in &self.files {
            let path = temporary.path().join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(Failure::file(parent))?;
            }
            fs::write(&path, bytes).map_err(Failure::file(&path))?;
            let _ = writeln!(manifest, "{}  {name}", sum(bytes));
        }
        let path = temporary.path().join(MANIFEST);
        fs::write(&path, manifest).map_err(Failure::file(&path))?;
        open_to_others(temporary.path())?;
        // A signal between two renamings would leave neither directory.
        temporary.finish(|temporary| place.swap(temporary))
    }
}

/// The place of the directory.
struct Place {
    target: PathBuf,
    parent: PathBuf,
    /// What is there now.
    old: Old,
}

enum Old {
    /// Nothing, or an empty directory.
    Nothing,
    /// The output of an earlier run.
    Ours,
    /// Anything else, which must be kept.
    Foreign,
}

impl Place {
    fn of(to: &Path, force: bool) -> Outcome<Self> {
        let target = match to.canonicalize() {
            Ok(path) => path,
            Err(_) => std::path::absolute(to).map_err(Failure::file(to))?,
        };
        let here = std::env::current_dir().map_err(Failure::file(Path::new(".")))?;
        let Some(parent) = target.parent().filter(|_| !here.starts_with(&target)) else {
            let help = "name a directory inside it, such as --out nic";
            return Err(Failure::with_help(format!("{} holds the current directory", to.display()), help));
        };
        if let Some(file) = parent.ancestors().find(|path| fs::metadata(path).is_ok_and(|data| !data.is_dir())) {
            let help = "name a directory that is not inside a file";
            return Err(Failure::with_help(format!("{}: {} is a file", to.display(), file.display()), help));
        }
        fs::create_dir_all(parent).map_err(Failure::file(parent))?;
        let old = match fs::metadata(&target) {
            Err(_) if target.is_symlink() => {
                let help = "make the directory that it names, or name another one";
                return Err(Failure::with_help(format!("{} is a symbolic link to nothing", to.display()), help));
            }
            Err(_) => Old::Nothing,
            Ok(data) if !data.is_dir() => {
                let help = "name a directory";
                return Err(Failure::with_help(format!("{} is a file", to.display()), help));
            }
            Ok(_) => match stranger(&target)? {
                None if target.join(MANIFEST).exists() => Old::Ours,
                None => Old::Nothing,
                Some(_) if force => Old::Foreign,
                Some(what) => {
                    let message = format!("{} holds what this command did not write: {what}", to.display());
                    let help = "choose another --out, or use --force, which keeps the old directory under another name";
                    return Err(Failure::with_help(message, help));
                }
            },
        };
        Ok(Place { parent: parent.to_owned(), target, old })
    }

    /// Replaces the old directory by the new one. If that fails, the old one is restored.
    fn swap(self, new: tempfile::TempDir) -> Outcome {
        let aside = match self.old {
            Old::Nothing => None,
            Old::Ours => Some(new.path().with_extension("old")),
            Old::Foreign => Some(free_name(&self.target)),
        };
        if let Some(aside) = &aside {
            fs::rename(&self.target, aside).map_err(Failure::file(&self.target))?;
        }
        if let Err(error) = fs::rename(new.path(), &self.target) {
            if let Some(aside) = &aside {
                let _ = fs::rename(aside, &self.target);
            }
            return Err(Failure::file(&self.target)(error));
        }
        // The directory has been renamed, so its guard must not remove it.
        let _ = new.keep();
        match (self.old, aside) {
            (Old::Ours, Some(aside)) => fs::remove_dir_all(&aside).map_err(Failure::file(&aside)),
            (Old::Foreign, Some(aside)) => {
                eprintln!("the old directory is now {}", aside.display());
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Finds a free name: `DIR.old`, `DIR.old2`, ..
fn free_name(target: &Path) -> PathBuf {
    let named = |end: String| {
        let mut name = target.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    let mut path = named(".old".to_owned());
    let mut number = 2_u32;
    while path.symlink_metadata().is_ok() {
        path = named(format!(".old{number}"));
        number += 1;
    }
    path
}

/// The first file in a directory that its manifest does not list, or that has changed since.
fn stranger(dir: &Path) -> Outcome<Option<String>> {
    let text = fs::read_to_string(dir.join(MANIFEST)).unwrap_or_default();
    let known: BTreeMap<_, _> = text.lines().filter_map(|line| line.split_once("  ")).map(|(s, n)| (n, s)).collect();
    let mut todo = vec![dir.to_owned()];
    while let Some(next) = todo.pop() {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&next).map_err(Failure::file(&next))? {
            entries.push(entry.map_err(Failure::file(&next))?.path());
        }
        entries.sort();
        for path in entries {
            let name = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().into_owned();
            let kind = path.symlink_metadata().map_err(Failure::file(&path))?;
            if kind.is_dir() {
                todo.push(path);
            } else if name != MANIFEST {
                match (known.get(name.as_str()), fs::read(&path)) {
                    (Some(want), Ok(bytes)) if kind.is_file() && sum(&bytes) == **want => {}
                    (Some(_), _) => return Ok(Some(format!("{name} has changed"))),
                    (None, _) => return Ok(Some(name)),
                }
            }
        }
    }
    Ok(None)
}

fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Temporary directories are private, but this one is a result.
#[cfg(unix)]
fn open_to_others(dir: &Path) -> Outcome {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(dir, fs::Permissions::from_mode(0o755)).map_err(Failure::file(dir))
}

#[cfg(not(unix))]
fn open_to_others(_: &Path) -> Outcome {
    Ok(())
}
