// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command as it is used: arguments in; output, exit status and files out.

mod answers;
mod browser;
mod budget;
mod captures;
mod config;
mod configured;
mod conform;
mod dissector;
mod docs;
mod fabric;
mod field_map;
mod link;
mod model;
mod names;
mod output;
mod pictures;
mod prototype;
mod random_configs;
mod report;
mod scheduler_pictures;
mod settings;
mod sources;
mod usage;
mod waveforms;

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A directory of a test's own, with the committed capture in it.
pub struct Place(TempDir);

/// What a run printed, and how it ended.
pub struct Ran {
    /// Exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Place {
    /// A new one.
    pub fn fresh() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        std::fs::copy(root().join("golden-vectors/captures/rocev2.pcap"), dir.path().join("in.pcap")).expect("copied");
        Place(dir)
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("written");
        path
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect(name)
    }

    /// Names in the directory, sorted.
    pub fn names(&self, dir: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(dir)).expect(dir);
        let mut names: Vec<_> = entries.map(|e| e.expect(dir).file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs `mpnic` here.
    pub fn run(&self, arguments: &str) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mpnic"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace());
        ran(&mut command)
    }
}

impl Ran {
    /// Ended well; what it printed.
    pub fn good(self) -> String {
        assert_eq!(self.status, 0, "{}{}", self.out, self.err);
        self.out
    }

    /// Ended with a status; what it said of it.
    pub fn bad(self, status: i32) -> String {
        assert_eq!(self.status, status, "{}{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self.err
    }
}

/// Runs a command to its end.
pub fn ran(command: &mut Command) -> Ran {
    let output = command.env_remove("RUST_BACKTRACE").env("NO_COLOR", "1").output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { status: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
}

/// The workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
