// SPDX-License-Identifier: MIT OR Apache-2.0
//! The streams among the interfaces of a module.

use rtl_model::netlist::circuit::Module;
use rtl_model::netlist::interfaces::{Direction, Interface, Pin};

/// It is an input of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// There is a `_tready`. Without one every item is accepted at once.
    pub interface: Interface,
    /// The payload, in the order of the ports.
    pub valid: Pin,
}

impl Stream {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.interface.name
    }

    /// It leads into the module.
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
