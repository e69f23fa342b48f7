// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of devices under test and of the programs that run them.

use super::mismatch::Mismatch;
use std::path::PathBuf;

/// An error of this crate. Every variant reads as one line unless a tool's own output follows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A tool is not installed.
    #[error("`{tool}` cannot be started ({cause}): install the Debian package `{package}`{hint}")]
    MissingTool {
        /// The program as it was called.
        tool: String,
        /// The Debian package that provides it.
        package: &'static str,
        /// The error of the operating system.
        cause: String,
        /// Another way to install it.
        hint: &'static str,
    },
    /// A tool ran and failed.
    #[error("`{tool}` failed:\n{output}")]
    Tool {
        /// The name of the tool.
        tool: String,
        /// The output of the tool.
        output: String,
    },
    /// A compiled design cannot be loaded.
    #[error("cannot load {}: {cause}", path.display())]
    Load {
        /// The path of the shared library.
        path: PathBuf,
        /// The error of the loader.
        cause: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The design cannot be elaborated or printed.
    #[error("{0}")]
    Design(String),
    /// The device has no port of this name.
    #[error("the device has no port `{0}`")]
    NoPort(String),
    /// The device has no interface of this name with the required direction and handshake.
    #[error("the device has no stream `{0}`")]
    NoStream(String),
    /// A stream broke a rule, or a device did not answer.
    #[error("{0}")]
    Protocol(String),
    /// The outputs of two devices differ.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

impl Error {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        |source| Error::File { path, source }
    }
}
