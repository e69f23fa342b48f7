// SPDX-License-Identifier: MIT OR Apache-2.0
//! FPGAs: what they have, and how memories are built of it.

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
    /// As in the configuration.
    pub name: &'static str,
    /// What it is called, and boards that carry it.
    pub title: &'static str,
    /// Boards, by which it is found as well.
    pub aliases: &'static [&'static str],
    /// Flip-flops.
    pub registers: u64,
    /// Look-up tables or what else logic is made of.
    pub luts: u64,
    /// What they are.
    pub lut: &'static str,
    /// Block memories.
    pub blocks: Supply,
    /// Distributed memory.
    pub distributed: Supply,
    /// Large block memories.
    pub ultra: Option<Supply>,
    /// How memories are built.
    pub modes: &'static [Mode],
    /// Bits of a block, if deep memories are printed in slices for it: where blocks do not cascade by themselves.
    pub sliced: Option<u64>,
    /// What it is synthesized like. Where yosys does that, it chooses among the modes.
    pub family: Family,
    /// Clock above which a block memory wants its output register.
    pub unregistered_mhz: f64,
}

/// How many there are of something.
#[derive(Debug)]
pub struct Supply {
    /// Of what.
    pub name: &'static str,
    /// The number.
    pub count: u64,
}

impl Device {
    /// The device of a name or of a board.
    pub fn find(name: &str) -> Option<&'static Device> {
        DEVICES.iter().find(|device| device.name == name || device.aliases.contains(&name))
    }

    /// What it and its like are called in the table of measured figures; what yosys calls it, if it knows it.
    pub fn family(&self) -> &'static str {
        match self.family {
            Family::Ecp5 => "ecp5",
            Family::UltraScalePlus => "xcup",
            Family::Agilex => "agilex",
        }
    }

    /// What shift registers in look-up tables make of chains of flip-flops; nothing where there are none.
    pub fn shift(&self, delays: &BTreeMap<u32, u64>) -> Option<Shift> {
        (self.family() == "xcup").then(|| Shift::of(delays))
    }

    /// Clocks from address to data that suit a block memory at a clock.
    pub fn ram_latency(&self, clock_mhz: f64) -> u32 {
        if clock_mhz > self.unregistered_mhz { 2 } else { 1 }
    }
}
