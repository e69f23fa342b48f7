// SPDX-License-Identifier: MIT OR Apache-2.0
//! Designs as shared libraries: built when they are first needed, cached, and loaded.

mod built;
pub mod cache;
pub mod cpp;
mod dut;
mod library;
pub mod ports;

pub use built::Built;
pub use dut::NativeDut;
use library::Instance;

use crate::device::Error;
use crate::files::listed;
use std::path::{Path, PathBuf};

/// Returns the library `key` of a cache; if it is missing, `build` makes it in a new directory.
pub fn library(cache: &Path, key: &str, build: impl FnOnce(&Path) -> Result<PathBuf, Error>) -> Result<PathBuf, Error> {
    let library = cache.join(format!("{key}.so"));
    if !library.exists() {
        std::fs::create_dir_all(cache).map_err(Error::file(cache))?;
        let work =
            listed(|| tempfile::Builder::new().prefix("build-").tempdir_in(cache)).map_err(Error::file(cache))?;
        let built = build(work.path())?;
        // Another process may have been first; the libraries are the same.
        std::fs::rename(&built, &library).map_err(Error::file(&library))?;
    }
    Ok(library)
}
