// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memories of a stage and the primitives that they are made of.

use crate::device::{Device, Initial, Mapping, Pool, URAM288, ultra};
use rtl_model::netlist::MemoryMeasure;
use serde::Serialize;

/// One memory.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryBudget {
    /// The name of the memory.
    pub name: String,
    /// Number of rows.
    pub rows: u64,
    /// Number of bits per row.
    pub width: u32,
    /// Number of bits stored.
    pub bits: u64,
    /// Number of block memories; two memories that each take half a block count as one.
    pub blocks: u64,
    /// Number of read ports.
    pub read_ports: usize,
    /// Clock cycles from address to data.
    pub latency: u32,
    /// Number of equal parts of a row that can be written separately; each is an array of its own.
    pub lanes: u32,
    /// The primitive that it is made of; `flip-flops` if those are cheaper.
    pub primitive: &'static str,
    /// Number of primitives.
    pub primitives: u64,
    /// Rows and bits per row of one primitive.
    pub arrangement: (u64, u32),
    /// Number of bits of all primitives.
    pub allocated_bits: u64,
    /// Share of these bits that store rows, in per cent; copies of a row count once.
    pub efficiency_percent: f64,
    /// Number of flip-flops in addition to primitives or instead of them.
    pub flip_flops: u64,
    /// Its cost if it is put into large blocks on request, and is not there already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ultra: Option<UltraBudget>,
    /// The parts of the device that it takes.
    #[serde(skip)]
    pub taken: Taken,
}

/// A memory in large blocks. Synthesis uses them on request only.
#[derive(Clone, Debug, Serialize)]
pub struct UltraBudget {
    /// The name of the primitive.
    pub primitive: &'static str,
    /// Number of primitives.
    pub primitives: u64,
    /// Number of bits of all primitives.
    pub allocated_bits: u64,
    /// Whether their rows can have other values than 0 at power-up.
    pub initial_contents: bool,
}

/// Parts of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    /// Number of half block memories.
    pub half_blocks: u64,
    /// Number of units of distributed memory.
    pub distributed: u64,
    /// Number of large blocks.
    pub ultra: u64,
}

impl Taken {
    /// Number of whole blocks: two halves share one, also of different memories.
    pub fn blocks(self) -> u64 {
        self.half_blocks.div_ceil(2)
    }

    /// The parts of this number of copies.
    pub fn times(self, n: u64) -> Self {
        Taken { half_blocks: self.half_blocks * n, distributed: self.distributed * n, ultra: self.ultra * n }
    }
}

impl std::iter::Sum for Taken {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Taken::default(), |sum, next| Taken {
            half_blocks: sum.half_blocks + next.half_blocks,
            distributed: sum.distributed + next.distributed,
            ultra: sum.ultra + next.ultra,
        })
    }
}

impl MemoryBudget {
    /// The budget of a memory on a device.
    pub fn of(memory: &MemoryMeasure, device: &Device) -> Self {
        let mapping = Mapping::of(memory, device);
        let mut taken = Taken::default();
        if let Some(primitive) = mapping.primitive {
            let units = mapping.count * primitive.units;
            match primitive.pool {
                Pool::Block => taken.half_blocks = 2 * units / primitive.shared_by,
                Pool::Distributed => taken.distributed = units,
                Pool::Ultra => taken.ultra = units,
            }
        }
        let ultra = (device.ultra.is_some() && !memory.large).then(|| {
            let primitives = ultra(memory);
            UltraBudget {
                primitive: URAM288.name,
                primitives,
                allocated_bits: primitives * URAM288.bits,
                initial_contents: URAM288.initial == Initial::Any,
            }
        });
        MemoryBudget {
            name: memory.name.clone(),
            rows: memory.depth,
            width: memory.width,
            bits: memory.bits(),
            blocks: taken.blocks(),
            read_ports: memory.reads,
            latency: memory.latency,
            lanes: memory.lanes,
            primitive: mapping.primitive.map_or("flip-flops", |primitive| primitive.name),
            primitives: mapping.count,
            arrangement: mapping.arrangement,
            allocated_bits: mapping.allocated_bits,
            efficiency_percent: percent(memory.bits(), mapping.allocated_bits),
            flip_flops: mapping.flip_flops,
            ultra,
            taken,
        }
    }
}

/// The share in per cent; 100 if both numbers are 0.
pub fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * part as f64 / whole as f64 }
}
