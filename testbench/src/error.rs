// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong around a device under test.

use std::path::PathBuf;

/// An error of this crate. Every variant reads as one line unless a tool's own output follows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A tool is not installed.
    #[error("`{tool}` cannot be started ({cause}): install the Debian package `{package}`{hint}")]
    MissingTool {
        /// As called.
        tool: String,
        /// Where it comes from.
        package: &'static str,
        /// What the system said.
        cause: String,
        /// Another way to provide it.
        hint: &'static str,
    },
    /// A tool ran and failed.
    #[error("`{tool}` failed:\n{output}")]
    Tool {
        /// Its name.
        tool: String,
        /// What it printed.
        output: String,
    },
    /// A compiled design cannot be loaded.
    #[error("cannot load {}: {cause}", path.display())]
    Load {
        /// The shared library.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The design cannot be printed.
    #[error("{0}")]
    Design(String),
    /// The device has no such port.
    #[error("the device has no port `{0}`")]
    NoPort(String),
    /// The device has no interface of this name with the direction and the handshake that are needed.
    #[error("the device has no stream `{0}`")]
    NoStream(String),
    /// A stream broke a rule, or a device did not answer.
    #[error("{0}")]
    Protocol(String),
    /// Two devices differ.
    #[error(transparent)]
    Mismatch(#[from] crate::lockstep::Mismatch),
}

impl Error {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        |source| Error::File { path, source }
    }
}
