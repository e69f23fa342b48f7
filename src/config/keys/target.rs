// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of the top level and of `[target]`.

use super::{Key, Kind, Value};
use crate::device::Device;

pub(super) const KEYS: &[Key] = &[
    key!(
        "",
        "data_width",
        "Bits per beat of the AXI4-Stream at both ends of the pipeline.",
        Kind::OneOf(&[64, 128, 256, 512, 1024]),
        Whole,
        data_width
    ),
    Key {
        section: "target",
        name: "device",
        help: "The FPGA for the results of `budget`; the names of boards are accepted as well: u50, u55c, u200, u250, u280, kr260 ..",
        kind: Kind::Device,
        get: |config| Value::Text(config.target.device.clone()),
        // A board becomes the name of its device, so that one device has one hash.
        set: |config, value| {
            if let Value::Text(name) = value {
                config.target.device = Device::find(&name).map_or(name, |device| device.name.to_owned());
            }
        },
    },
    key!(
        "target",
        "clock_mhz",
        "Clock of the pipeline in MHz: a cycle is at most one unit of time stamps.",
        Kind::Number(8.0, 2000.0),
        Number,
        target.clock_mhz
    ),
    key!(
        "target",
        "link_gbps",
        "Line rate of the link in Gb/s, including preamble and inter-packet gap.",
        Kind::Number(0.01, 3200.0),
        Number,
        target.link_gbps
    ),
    key!(
        "target",
        "pipelines",
        "Number of equal pipelines that share the frames of the link; the Verilog is that of one pipeline.",
        Kind::Whole(1, 64),
        Whole,
        target.pipelines
    ),
    Key {
        section: "target",
        name: "ram_latency",
        help: "Clock cycles from address to data of a block memory: 2 uses its output register, 3 adds another register after that.\n\"auto\" chooses by device and clock.",
        kind: Kind::AutoOr(&[1, 2, 3]),
        get: |config| config.target.ram_latency.map_or(Value::Text("auto".to_owned()), Value::Whole),
        set: |config, value| {
            config.target.ram_latency = match value {
                Value::Whole(clocks) => Some(clocks),
                _ => None,
            }
        },
    },
    key!(
        "target",
        "ultra_ram_bits",
        "Memories of so many bits or more are to be UltraRAM of UltraScale+: their arrays get ram_style = \"ultra\". 0 asks for none.",
        Kind::Whole(0, 1 << 32),
        Whole,
        target.ultra_ram_bits
    ),
    key!(
        "target",
        "prefix",
        "Prefix of the names of all modules: PREFIX_header_parser and so on.",
        Kind::Name,
        Text,
        target.prefix
    ),
];
