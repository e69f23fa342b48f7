// SPDX-License-Identifier: MIT OR Apache-2.0
//! The known devices. Numbers are those of the vendors' product tables. For look-up tables that can be memory, AMD
//! gives megabits, rounded to a tenth, with 64 bits per table; Agilex has MLABs in every other LAB of ten ALMs; ECP5
//! has one TRELLIS_DPR16X4 per 8 look-up tables.

use super::primitive::{AGILEX, DP16KD, ECP5, M20K, MLAB, Primitive, RAMB36E2, TRELLIS_DPR16X4, URAM288, XCUP};
use super::{Device, Supply};
use hdl::package::Family;

/// Above this clock, in MHz, a block RAM should use its output register. Our rules of thumb: without it data come about
/// 4.1 ns after the clock edge on ECP5 and more than 1 ns on the others, and a multiplexer and its wires follow.
const UNREGISTERED_MHZ: f64 = 300.0;
const ECP5_UNREGISTERED_MHZ: f64 = 120.0;

struct UltraScale(&'static str, &'static str, &'static [&'static str]);

const fn xcup(of: UltraScale, luts: u64, tenths_of_a_megabit: u64, blocks: u64, ultra: u64) -> Device {
    let UltraScale(name, title, aliases) = of;
    Device {
        name,
        title,
        aliases,
        registers: 2 * luts,
        luts,
        lut: "LUT6",
        blocks: supply(&RAMB36E2, blocks),
        distributed: Supply { name: "LUT RAM", count: (tenths_of_a_megabit << 20) / 640 },
        ultra: Some(supply(&URAM288, ultra)),
        modes: XCUP,
        sliced: None,
        family: Family::UltraScalePlus,
        unregistered_mhz: UNREGISTERED_MHZ,
    }
}

const fn agilex(name: &'static str, title: &'static str, alms: u64, blocks: u64) -> Device {
    Device {
        name,
        title,
        aliases: &[],
        registers: 4 * alms,
        luts: alms,
        lut: "ALM",
        blocks: supply(&M20K, blocks),
        distributed: supply(&MLAB, alms / 20),
        ultra: None,
        modes: AGILEX,
        sliced: None,
        family: Family::Agilex,
        unregistered_mhz: UNREGISTERED_MHZ,
    }
}

const fn supply(primitive: &'static Primitive, count: u64) -> Supply {
    Supply { name: primitive.name, count }
}

/// All known devices.
pub const DEVICES: &[Device] = &[
    xcup(UltraScale("xcvu9p", "XCVU9P (VCU118, U200)", &["vcu118", "u200"]), 1_182_240, 361, 2_160, 960),
    xcup(UltraScale("xcvu13p", "XCVU13P (U250)", &["u250"]), 1_728_000, 483, 2_688, 1_280),
    xcup(UltraScale("xcvu35p", "XCVU35P (U50)", &["u50"]), 871_680, 246, 1_344, 640),
    xcup(UltraScale("xcvu37p", "XCVU37P (U280)", &["u280"]), 1_303_680, 367, 2_016, 960),
    xcup(UltraScale("xcvu47p", "XCVU47P (U55C)", &["u55c"]), 1_303_680, 367, 2_016, 960),
    xcup(UltraScale("xczu19eg", "XCZU19EG", &[]), 522_720, 98, 984, 128),
    xcup(UltraScale("xck26", "XCK26 (KR260, KV260)", &["kr260", "kv260"]), 117_120, 35, 144, 64),
    agilex("agf014", "AGF 014 (DE10-Agilex)", 487_200, 7_110),
    agilex("agi027", "AGI 027", 912_800, 13_272),
    Device {
        name: "lfe5u-85f",
        title: "LFE5U-85F (ECP5)",
        aliases: &["ecp5-85"],
        registers: 83_640,
        luts: 83_640,
        lut: "LUT4",
        blocks: supply(&DP16KD, 208),
        distributed: supply(&TRELLIS_DPR16X4, 10_455),
        ultra: None,
        modes: ECP5,
        sliced: Some(16_384),
        family: Family::Ecp5,
        unregistered_mhz: ECP5_UNREGISTERED_MHZ,
    },
];
