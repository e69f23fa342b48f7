// SPDX-License-Identifier: MIT OR Apache-2.0
//! The streams among the interfaces of a module.

use rtl_model::netlist::circuit::Module;
use rtl_model::netlist::interfaces::{Direction, Interface, Pin};

/// An interface with a valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The interface itself. Without a ready every item is accepted at once.
    pub interface: Interface,
    /// The port that marks an item.
    pub valid: Pin,
}

impl Stream {
    /// The name of the interface.
    pub fn name(&self) -> &str {
        &self.interface.name
    }

    /// Whether it leads into the module.
    pub fn input(&self) -> bool {
        self.interface.direction == Direction::In
    }

    /// The payload, in the order of the ports.
    pub fn fields(&self) -> &[Pin] {
        &self.interface.fields
    }
}

/// The streams of a module, inputs first.
pub fn streams(module: &Module) -> Vec<Stream> {
    let stream = |interface: Interface| Some(Stream { valid: interface.valid()?.clone(), interface });
    let mut all: Vec<_> = module.interfaces().into_iter().filter_map(stream).collect();
    all.sort_by_key(|stream| stream.interface.direction);
    all
}
