// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[target]`.

use super::Kind::{self, AutoOr, Name, Number, Whole};
use crate::device::Device;

section! {
    /// The device, the clock and the link.
    Target: target {
        /// The FPGA for the results of `budget`; the names of boards are accepted as well: u50, u55c, u200, u250, u280, kr260 ..
        device: String = "xcvu37p".to_owned(), Kind::Device => own_name;
        /// Clock of the pipeline in MHz: a cycle is at most one unit of time stamps.
        clock_mhz: f64 = 322.265625, Number(8.0, 2000.0);
        /// Line rate of the link in Gb/s, including preamble and inter-packet gap.
        link_gbps: f64 = 100.0, Number(0.01, 3200.0);
        /// Number of equal pipelines that share the frames of the link; the Verilog is that of one pipeline.
        pipelines: u64 = 1, Whole(1, 64);
        /// Clock cycles from address to data of a block memory: 2 uses its output register, 3 adds another register after that.
        /// "auto" chooses by device and clock.
        ram_latency: Option<u64> = None, AutoOr(&[1, 2, 3]);
        /// Memories of so many bits or more are to be UltraRAM of UltraScale+: their arrays get ram_style = "ultra". 0 asks for none.
        ultra_ram_bits: u64 = 0, Whole(0, 1 << 32);
        /// Prefix of the names of all modules: PREFIX_header_parser and so on.
        prefix: String = "mpnic".to_owned(), Name;
    }
}

/// A board becomes the name of its device, so that one device has one hash.
fn own_name(name: String) -> String {
    Device::find(&name).map_or(name, |device| device.name.to_owned())
}

impl Target {
    /// What to do where UltraRAM is asked for on a device that has none.
    pub const WITHOUT_ULTRA_RAM: &'static str =
        "leave `target.ultra_ram_bits` out, or choose a device of UltraScale+ with UltraRAM";

    /// UltraRAM is asked for on a device that has none.
    pub fn lacks_ultra_ram(&self) -> bool {
        self.ultra_ram_bits > 0 && Device::find(&self.device).is_some_and(|device| device.ultra.is_none())
    }
}
