// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilog with the ports of its top module: what the RTL backends take.

use crate::{Error, Ports};
use std::path::Path;

/// A design as Verilog text.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name of the top module.
    pub top: String,
    /// File names and texts.
    pub files: Vec<(String, String)>,
    /// Ports of the top module, without `clk` and `rst`.
    pub ports: Ports,
}

impl Source {
    /// Writes the files into a directory and returns their names.
    pub fn write_to(&self, dir: &Path) -> Result<Vec<String>, Error> {
        for (name, text) in &self.files {
            let path = dir.join(name);
            std::fs::write(&path, text).map_err(Error::file(path))?;
        }
        Ok(self.files.iter().map(|(name, _)| name.clone()).collect())
    }
}
