// SPDX-License-Identifier: MIT OR Apache-2.0
//! The arrays of a memory in Verilog: one, or one per lane, or one per slice of either.

use rtl_model::netlist::circuit::Memory;

/// One of the arrays of a copy.
pub struct Array {
    /// Suffix of the name of the copy.
    pub suffix: String,
    pub lane: u32,
    /// Its lowest bit in the lane, and its number of bits.
    pub from: u32,
    pub width: u32,
}

/// The arrays of a copy, in the order of their bits.
pub fn arrays(memory: &Memory) -> Vec<Array> {
    let width = memory.width / memory.lanes;
    let array = |lane: u32, from: u32| {
        let part = if memory.lanes > 1 { format!("_lane_{lane}") } else { String::new() };
        let slice = if memory.slice < width { format!("_slice_{}", from / memory.slice) } else { String::new() };
        Array { suffix: part + &slice, lane, from, width: memory.slice.min(width - from) }
    };
    let slices = |lane: u32| (0..width).step_by(memory.slice as usize).map(move |from| array(lane, from));
    (0..memory.lanes).flat_map(slices).collect()
}
