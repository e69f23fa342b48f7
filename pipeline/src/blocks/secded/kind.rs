// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a memory is built: its latency, and what it does about flipped bits.

/// What a memory does about flipped bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protection {
    /// Nothing.
    #[default]
    None,
    /// Check bits: one flipped bit per word of 64 is corrected, two are detected.
    Secded,
}

impl Protection {
    /// All of them, with their names in a configuration.
    pub const ALL: [(&str, Protection); 2] = [("none", Protection::None), ("secded", Protection::Secded)];
}

/// How the memory of a table is built; a number alone is the latency of a memory without protection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RamKind {
    /// Clock cycles from address to row, 1 to 3.
    pub latency: u32,
    /// What it does about flipped bits.
    pub protection: Protection,
}

impl RamKind {
    /// The same with another latency.
    pub const fn latency(self, latency: u32) -> Self {
        RamKind { latency, ..self }
    }
}

impl From<u32> for RamKind {
    fn from(latency: u32) -> Self {
        RamKind { latency, protection: Protection::None }
    }
}
