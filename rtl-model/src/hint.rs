// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names that the Rust source suggests for nets.

/// A name for a net that nobody has named.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// Name from the Rust source.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Depth of the call in which it was found.
    pub depth: u32,
}

impl Hint {
    /// The hint that a node with two hints keeps: the one of the better origin, then of the outer call, then the first.
    pub fn better(old: Option<Hint>, new: Option<Hint>) -> Option<Hint> {
        match (old, new) {
            (Some(old), Some(new)) if (new.origin, new.depth) < (old.origin, old.depth) => Some(new),
            (None, new) => new,
            (old, _) => old,
        }
    }
}

/// Where the name of a net comes from, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// A port, a register, a variable, a memory, an instance, or `.named(..)`.
    Given,
    /// A Rust binding that holds the value.
    Binding,
    /// The function that returns it.
    Result,
    /// A parameter of a function that it is passed to.
    Parameter,
    /// The register that takes it over, or the memory port that it drives.
    Target,
    /// Made by the tool: named after its user, or after what it computes.
    Made,
}
