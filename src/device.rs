// SPDX-License-Identifier: MIT OR Apache-2.0
//! FPGAs and what they have, and how many of their block memories a memory takes.

use rtl_model::netlist::MemoryMeasure;

/// An FPGA.
#[derive(Debug)]
pub struct Device {
    /// As in the configuration.
    pub name: &'static str,
    /// What it is called, and boards that carry it.
    pub title: &'static str,
    /// Flip-flops.
    pub registers: u64,
    /// Block memories.
    pub blocks: u64,
    /// Their kind.
    pub block: Block,
}

/// A kind of block memory with one read and one write port.
#[derive(Debug)]
pub struct Block {
    /// What the vendor calls it.
    pub name: &'static str,
    /// Depth and width of each arrangement.
    pub shapes: &'static [(u64, u64)],
}

const RAMB36: Block = Block {
    name: "RAMB36",
    shapes: &[(32_768, 1), (16_384, 2), (8_192, 4), (4_096, 9), (2_048, 18), (1_024, 36), (512, 72)],
};

const M20K: Block = Block { name: "M20K", shapes: &[(2_048, 10), (1_024, 20), (512, 40)] };

const EBR: Block =
    Block { name: "DP16KD", shapes: &[(16_384, 1), (8_192, 2), (4_096, 4), (2_048, 9), (1_024, 18), (512, 36)] };

/// The known ones.
pub const DEVICES: &[Device] = &[
    Device { name: "xcvu9p", title: "XCVU9P (VCU118, U200)", registers: 2_364_480, blocks: 2_160, block: RAMB36 },
    Device { name: "xcvu13p", title: "XCVU13P (U250)", registers: 3_456_000, blocks: 2_688, block: RAMB36 },
    Device { name: "xcvu35p", title: "XCVU35P (U50)", registers: 1_743_360, blocks: 1_344, block: RAMB36 },
    Device { name: "xcvu37p", title: "XCVU37P (U280)", registers: 2_607_360, blocks: 2_016, block: RAMB36 },
    Device { name: "xczu19eg", title: "XCZU19EG", registers: 1_045_440, blocks: 984, block: RAMB36 },
    Device { name: "xck26", title: "XCK26 (KR260, KV260)", registers: 234_240, blocks: 144, block: RAMB36 },
    Device { name: "agf014", title: "AGF 014 (DE10-Agilex)", registers: 1_948_800, blocks: 7_110, block: M20K },
    Device { name: "agi027", title: "AGI 027", registers: 3_651_200, blocks: 13_272, block: M20K },
    Device { name: "lfe5u-85f", title: "LFE5U-85F (ECP5)", registers: 83_640, blocks: 208, block: EBR },
];

impl Device {
    /// The device of a name.
    pub fn find(name: &str) -> Option<&'static Device> {
        DEVICES.iter().find(|device| device.name == name)
    }
}

impl Block {
    /// Blocks that a memory takes: the best arrangement, once per read port.
    pub fn count(&self, memory: &MemoryMeasure) -> u64 {
        let tiles =
            |&(depth, width): &(u64, u64)| memory.depth.div_ceil(depth) * u64::from(memory.width).div_ceil(width);
        let one = self.shapes.iter().map(tiles).min().unwrap_or(0);
        one * memory.reads.max(1) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_by_shape() {
        let memory =
            |depth, width, reads| MemoryMeasure { name: "m".to_owned(), depth, width, reads, latency: 2, lanes: 1 };
        assert_eq!(EBR.count(&memory(1024, 32, 1)), 2);
        assert_eq!(EBR.count(&memory(512, 577, 1)), 17);
        assert_eq!(RAMB36.count(&memory(1024, 160, 2)), 10);
        assert_eq!(M20K.count(&memory(1, 1, 1)), 1);
    }
}
