// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a stage has done with its state so far: which variables it has read, what it has assigned and clocked.

use super::circuit::{NodeId, Site};

/// The method of the stage that is being run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Build,
    Outputs,
    Clock,
}

/// A branch taken: which `if` or `case`, and which arm of it.
pub(super) type Path = Vec<(u32, u32)>;

/// The uses of everything that a module holds, each list as long as that of the module.
#[derive(Default)]
pub(super) struct Uses {
    pub registers: Vec<Assigned>,
    /// One per variable of the language.
    pub variables: Vec<VariableState>,
    pub memories: Vec<MemoryUse>,
    pub children: Vec<Assigned>,
}

/// The assignments made so far to state that must be read before.
#[derive(Default)]
pub(super) struct Assigned(Vec<(Path, Site)>);

/// A variable of the language; each reassignment after a read makes a new variable of the netlist.
pub(super) struct VariableState {
    pub name: String,
    pub made: Site,
    pub in_state: bool,
    pub version: usize,
    pub versions: u32,
    pub read: bool,
    pub early_read: Option<(NodeId, Site)>,
    pub assigned: Option<Site>,
}

#[derive(Default)]
pub(super) struct MemoryUse {
    pub writes: Option<PortUse>,
    pub reads: Vec<Option<PortUse>>,
    pub clocked: Assigned,
}

/// The nets of a memory port: after the first request, its address and data are the request's; from the second on
/// they are variables.
#[derive(Clone)]
pub(super) struct PortUse {
    pub enable: usize,
    pub values: Vec<NodeId>,
    pub variables: Vec<Option<usize>>,
}

impl Assigned {
    pub fn add(&mut self, path: &Path, site: Site) {
        self.0.push((path.clone(), site));
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn first(&self) -> Option<Site> {
        self.0.first().map(|(_, site)| *site)
    }

    /// An assignment that a read on `path` follows in some run: not one in another arm of a common branch.
    pub fn before(&self, path: &Path) -> Option<Site> {
        let excluded = |other: &Path| {
            let fork = path.iter().zip(other).find(|(a, b)| a != b);
            fork.is_some_and(|(a, b)| a.0 == b.0 && a.1 != b.1)
        };
        self.0.iter().find(|(other, _)| !excluded(other)).map(|(_, site)| *site)
    }
}
