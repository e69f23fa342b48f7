// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hash of a stage's Verilog, by which a figure is known to be of the design of today.

use crate::config::Config;
use crate::failure::Outcome;
use crate::stages::{StageName, verilog};
use hdl::Header;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The hash of the Verilog of a stage, with its default module name.
pub fn hash(stage: StageName, config: &Config) -> Outcome<String> {
    // With such a parameter, whatever its value.
    let header = Header { config_hash: "0".to_owned(), ..Header::default() };
    let files = verilog(&stage.circuit(config)?, &header)?;
    Ok(of(files.iter().map(|file| file.text.as_str())))
}

/// The hash of texts: 16 digits of the SHA-256 of all that is neither comment nor space, without the parameter with the hash of
/// the configuration. `scripts/qor` has the same.
pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut sha = Sha256::new();
    let lines = texts.into_iter().flat_map(str::lines).filter(|line| !line.contains(" CONFIGURATION = "));
    for line in lines.map(|line| line.split("//").next().unwrap_or_default()) {
        for word in line.split_whitespace() {
            sha.update(word);
        }
    }
    sha.finalize().iter().take(8).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
