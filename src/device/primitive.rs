// SPDX-License-Identifier: MIT OR Apache-2.0
//! What memories are made of on an FPGA: primitives, and the ways in which synthesis arranges them.

/// A kind of memory cell.
#[derive(Debug, PartialEq)]
pub struct Primitive {
    /// What the vendor calls it.
    pub name: &'static str,
    /// What of the device it takes.
    pub pool: Pool,
    /// Of its pool's unit, a block or a table, how much it takes: this many units ..
    pub units: u64,
    /// .. shared by this many of it.
    pub shared_by: u64,
    /// Bits it has.
    pub bits: u64,
    /// What its rows hold at power-up.
    pub initial: Initial,
}

/// What a device has a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pool {
    /// Block memories.
    Block,
    /// Look-up tables, or what else distributed memory is made of.
    Distributed,
    /// Large block memories.
    Ultra,
}

/// What the rows of a primitive can hold at power-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Anything.
    Any,
    /// Zeros and nothing else.
    Zero,
}

/// Rows and bits of a row of one primitive.
pub type Arrangement = (u64, u32);

/// A way to use a primitive with one write and one read port.
#[derive(Debug)]
pub struct Mode {
    /// The primitive.
    pub primitive: &'static Primitive,
    /// Its arrangements, narrow first.
    pub arrangements: &'static [Arrangement],
    /// Bits under one write enable: parts of several rows may share a primitive, each starting at such a boundary. None:
    /// a primitive belongs to one row.
    pub byte: Option<u32>,
    /// What one costs in the eyes of synthesis, where a bit of memory in flip-flops is 1.
    pub cost: f64,
    /// Whether a primitive that is used in part costs but that part.
    pub scales: bool,
    /// Whether a read of the row being written can give the row as it was; else that is made of logic.
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
/// UltraScale+.
pub const RAMB36E2: Primitive = block("RAMB36E2", 1, 36_864);
/// UltraScale+. Takes no initial contents: it is all zeros after configuration.
pub const URAM288: Primitive =
    Primitive { name: "URAM288", pool: Pool::Ultra, units: 1, shared_by: 1, bits: 294_912, initial: Initial::Zero };
/// Eight tables of 32 x 2, of which one takes the write address: 32 x 14.
pub const RAM32M16: Primitive = tables("RAM32M16", 8, 512);
/// Eight tables of 64 x 1, of which one takes the write address: 64 x 7.
pub const RAM64M8: Primitive = tables("RAM64M8", 8, 512);
/// ECP5, an EBR. With one port that writes and one that reads (PDPW16KD) it has 36 bits a row.
pub const DP16KD: Primitive = block("DP16KD", 1, 18_432);
/// ECP5.
pub const TRELLIS_DPR16X4: Primitive = tables("TRELLIS_DPR16X4", 1, 64);
/// Intel.
pub const M20K: Primitive = block("M20K", 1, 20_480);
/// Intel: ten ALMs as memory.
pub const MLAB: Primitive = tables("MLAB", 1, 640);

/// The one arrangement of UltraScale+.
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

/// UltraScale+ as yosys knows it (`synth_xilinx -family xcup`), in its order: of two that cost the same it takes the
/// first. Its other distributed memories have more read ports and cost more; UltraRAM it takes on demand only.
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

/// ECP5 as yosys knows it (`synth_ecp5`). The second is the block as PDPW16KD, whose write port is 36 bits with four
/// enables: a row narrower than 9 bits cannot be written alone. (yosys instantiates it as a DP16KD as well.)
pub const ECP5: &[Mode] = &[
    distributed(&TRELLIS_DPR16X4, &[(16, 4)], 4.0),
    blocks(&DP16KD, &[(16_384, 1), (8_192, 2), (4_096, 4), (2_048, 9), (1_024, 18)], 128.0, false),
    blocks(&DP16KD, &[(2_048, 9), (1_024, 18), (512, 36)], 128.0, false),
];

/// Agilex, simple dual port; yosys does not know it, so the fewest primitives are taken.
pub const AGILEX: &[Mode] =
    &[distributed(&MLAB, &[(32, 20)], 0.0), blocks(&M20K, &[(2_048, 10), (1_024, 20), (512, 40)], 0.0, true)];
