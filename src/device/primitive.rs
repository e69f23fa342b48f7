// SPDX-License-Identifier: MIT OR Apache-2.0
//! The primitives of memories on an FPGA, and the arrangements that synthesis uses.

/// A kind of memory cell.
#[derive(Debug, PartialEq)]
pub struct Primitive {
    /// The vendor's name.
    pub name: &'static str,
    /// The resource of the device that it takes.
    pub pool: Pool,
    /// Number of units of the resource, blocks or tables, ..
    pub units: u64,
    /// .. that this number of primitives share.
    pub shared_by: u64,
    /// Number of bits.
    pub bits: u64,
    /// The possible values of its rows at power-up.
    pub initial: Initial,
}

/// A countable resource of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pool {
    /// Block memories.
    Block,
    /// Look-up tables, or other cells for distributed memory.
    Distributed,
    /// Large block memories.
    Ultra,
}

/// What the rows of a primitive can hold at power-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Any values.
    Any,
    /// Zeros only.
    Zero,
}

/// Rows and bits of a row of one primitive.
pub type Arrangement = (u64, u32);

/// A way to use a primitive with one write and one read port.
#[derive(Debug)]
pub struct Mode {
    /// The primitive that is used.
    pub primitive: &'static Primitive,
    /// Its arrangements, the narrowest first.
    pub arrangements: &'static [Arrangement],
    /// Number of bits under one write enable: parts of several rows may share a primitive, each starting at such a
    /// boundary. `None` if a primitive belongs to one row.
    pub byte: Option<u32>,
    /// The price of one primitive for synthesis, where a bit of memory in flip-flops costs 1.
    pub cost: f64,
    /// Whether a primitive that is partly used costs only that part.
    pub scales: bool,
    /// Whether a read of the row that is being written can give the old row; otherwise logic does that.
    pub reads_old: bool,
}

const fn block(name: &'static str, shared_by: u64, bits: u64) -> Primitive {
    Primitive { name, pool: Pool::Block, units: 1, shared_by, bits, initial: Initial::Any }
}

const fn tables(name: &'static str, units: u64, bits: u64) -> Primitive {
    Primitive { name, pool: Pool::Distributed, units, shared_by: 1, bits, initial: Initial::Any }
}

/// Half of a RAMB36E2.
pub const RAMB18E2: Primitive = block("RAMB18E2", 2, 18_432);
/// A block memory of UltraScale+.
pub const RAMB36E2: Primitive = block("RAMB36E2", 1, 36_864);
/// A large block memory of UltraScale+. It has no initial contents: it is all zeros after configuration.
pub const URAM288: Primitive =
    Primitive { name: "URAM288", pool: Pool::Ultra, units: 1, shared_by: 1, bits: 294_912, initial: Initial::Zero };
/// Eight tables of 32 x 2, one of which has the write address: 32 x 14.
pub const RAM32M16: Primitive = tables("RAM32M16", 8, 512);
/// Eight tables of 64 x 1, one of which has the write address: 64 x 7.
pub const RAM64M8: Primitive = tables("RAM64M8", 8, 512);
/// A block memory (EBR) of ECP5. With one write port and one read port (PDPW16KD) it has 36 bits per row.
pub const DP16KD: Primitive = block("DP16KD", 1, 18_432);
/// Distributed memory of ECP5.
pub const TRELLIS_DPR16X4: Primitive = tables("TRELLIS_DPR16X4", 1, 64);
/// A block memory of Agilex.
pub const M20K: Primitive = block("M20K", 1, 20_480);
/// Distributed memory of Agilex: ten ALMs.
pub const MLAB: Primitive = tables("MLAB", 1, 640);

/// The only arrangement of URAM288.
pub const ULTRA: Arrangement = (4_096, 72);

const BYTE: Option<u32> = Some(9);

const fn distributed(primitive: &'static Primitive, arrangements: &'static [Arrangement], cost: f64) -> Mode {
    Mode { primitive, arrangements, byte: None, cost, scales: cost == 16.0, reads_old: true }
}

const fn blocks(
    primitive: &'static Primitive,
    arrangements: &'static [Arrangement],
    cost: f64,
    reads_old: bool,
) -> Mode {
    Mode { primitive, arrangements, byte: BYTE, cost, scales: false, reads_old }
}

/// UltraScale+ in yosys (`synth_xilinx -family xcup`), in its order: of two with the same price it takes the first. Its
/// other distributed memories have more read ports and cost more; it uses UltraRAM on request only.
pub const XCUP: &[Mode] = &[
    distributed(&RAM32M16, &[(32, 14)], 16.0),
    distributed(&RAM64M8, &[(64, 7)], 16.0),
    blocks(&RAMB18E2, &[(16_384, 1), (8_192, 2), (4_096, 4), (2_048, 9), (1_024, 18)], 129.0, true),
    blocks(&RAMB36E2, &[(32_768, 1), (16_384, 2), (8_192, 4), (4_096, 9), (2_048, 18), (1_024, 36)], 257.0, true),
    blocks(&RAMB18E2, &[(16_384, 1), (8_192, 2), (4_096, 4), (2_048, 9), (1_024, 18), (512, 36)], 129.0, true),
    blocks(
        &RAMB36E2,
        &[(32_768, 1), (16_384, 2), (8_192, 4), (4_096, 9), (2_048, 18), (1_024, 36), (512, 72)],
        257.0,
        true,
    ),
];

/// ECP5 in yosys (`synth_ecp5`). The second block mode is PDPW16KD, whose write port has 36 bits with four enables: a
/// row narrower than 9 bits cannot be written alone. (yosys instantiates it as a DP16KD as well.)
pub const ECP5: &[Mode] = &[
    distributed(&TRELLIS_DPR16X4, &[(16, 4)], 4.0),
    blocks(&DP16KD, &[(16_384, 1), (8_192, 2), (4_096, 4), (2_048, 9), (1_024, 18)], 128.0, false),
    blocks(&DP16KD, &[(2_048, 9), (1_024, 18), (512, 36)], 128.0, false),
];

/// Agilex, simple dual port. yosys does not support it, so the fewest primitives are taken.
pub const AGILEX: &[Mode] =
    &[distributed(&MLAB, &[(32, 20)], 0.0), blocks(&M20K, &[(2_048, 10), (1_024, 20), (512, 40)], 0.0, true)];
