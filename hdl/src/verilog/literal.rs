// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sized constants and ranges.

use rtl_model::netlist::circuit::Value;

/// Up to this value a constant is a count and prints in decimal; above it is a pattern and prints in hexadecimal.
const DECIMAL: u64 = 1024;

/// `8'd3`, `16'h8847`.
pub fn literal(value: &Value) -> String {
    let limbs = value.limbs();
    let width = value.width();
    match limbs.iter().rposition(|&limb| limb != 0) {
        None => format!("{width}'d0"),
        Some(0) if limbs[0] < DECIMAL => format!("{width}'d{}", limbs[0]),
        Some(top) => {
            let mut text = format!("{width}'h{:x}", limbs[top]);
            for limb in limbs[..top].iter().rev() {
                text.push_str(&format!("{limb:016x}"));
            }
            text
        }
    }
}

/// `[7:0]`; nothing for one bit.
pub fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0]", width - 1) }
}

/// Bits `low .. low + width` of the net `name`, which has `of` bits.
pub fn bits(name: &str, of: u32, low: u32, width: u32) -> String {
    if low == 0 && width == of {
        name.to_owned()
    } else if width == 1 {
        format!("{name}[{low}]")
    } else {
        format!("{name}[{}:{low}]", low + width - 1)
    }
}
