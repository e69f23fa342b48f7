// SPDX-License-Identifier: MIT OR Apache-2.0
//! FPGAs: their resources, and how memories are built on them.

mod mapping;
mod primitive;
mod shift;
mod table;

use hdl::package::Family;
pub use mapping::{Mapping, ultra};
pub use primitive::{Initial, Mode, Pool, URAM288};
pub use shift::{SRL, Shift};
pub use table::DEVICES;

use std::collections::BTreeMap;

/// An FPGA.
#[derive(Debug)]
pub struct Device {
    /// The name in the configuration.
    pub name: &'static str,
    /// A description with the boards that carry it.
    pub title: &'static str,
    /// Names of boards, which are accepted as well.
    pub aliases: &'static [&'static str],
    /// Number of flip-flops.
    pub registers: u64,
    /// The look-up tables or equivalent logic cells.
    pub luts: u64,
    /// The kind of these cells.
    pub lut: &'static str,
    /// The block memories.
    pub blocks: Supply,
    /// The distributed memory.
    pub distributed: Supply,
    /// The large block memories.
    pub ultra: Option<Supply>,
    /// The ways to build memories.
    pub modes: &'static [Mode],
    /// Number of bits of a block, if deep memories are printed in slices of this size because blocks do not cascade.
    pub sliced: Option<u64>,
    /// The family for synthesis. If yosys supports it, it chooses among the modes.
    pub family: Family,
    /// The clock in MHz above which a block memory should use its output register.
    pub unregistered_mhz: f64,
}

/// A resource and its number.
#[derive(Debug)]
pub struct Supply {
    /// The name of the resource.
    pub name: &'static str,
    /// The number of units.
    pub count: u64,
}

impl Device {
    /// Finds a device by its name or that of a board.
    pub fn find(name: &str) -> Option<&'static Device> {
        DEVICES.iter().find(|device| device.name == name || device.aliases.contains(&name))
    }

    /// The name of its family in the table of measured figures, which is that of yosys if yosys knows it.
    pub fn family(&self) -> &'static str {
        match self.family {
            Family::Ecp5 => "ecp5",
            Family::UltraScalePlus => "xcup",
            Family::Agilex => "agilex",
        }
    }

    /// Replaces chains of flip-flops by shift registers in look-up tables, if the device has them.
    pub fn shift(&self, delays: &BTreeMap<u32, u64>) -> Option<Shift> {
        (self.family() == "xcup").then(|| Shift::of(delays))
    }

    /// The latency of a block memory, in clock cycles, that suits a clock.
    pub fn ram_latency(&self, clock_mhz: f64) -> u32 {
        if clock_mhz > self.unregistered_mhz { 2 } else { 1 }
    }
}
