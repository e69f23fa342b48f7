// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memories and what they are made of.

use crate::device::{Device, Initial, Mapping, Pool, URAM288, ultra};
use rtl_model::netlist::MemoryMeasure;
use serde::Serialize;

/// One memory.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryBudget {
    /// Its name.
    pub name: String,
    /// Rows.
    pub rows: u64,
    /// Bits of a row.
    pub width: u32,
    /// Bits stored.
    pub bits: u64,
    /// Block memories; of those that take half a block, two count one.
    pub blocks: u64,
    /// Read ports.
    pub read_ports: usize,
    /// Clocks from address to data.
    pub latency: u32,
    /// Equal parts of a row that are written by themselves, each an array of its own.
    pub lanes: u32,
    /// What it is made of; `flip-flops` where those are cheaper.
    pub primitive: &'static str,
    /// How many.
    pub primitives: u64,
    /// Rows and bits of one.
    pub arrangement: (u64, u32),
    /// Bits that they have.
    pub allocated_bits: u64,
    /// Bits stored, once, of these.
    pub efficiency_percent: f64,
    /// Flip-flops beside or instead of primitives.
    pub flip_flops: u64,
    /// What it takes if it is put into large blocks on demand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ultra: Option<UltraBudget>,
    /// The parts of the device that it takes.
    #[serde(skip)]
    pub taken: Taken,
}

/// A memory in large blocks. Synthesis takes them on demand only.
#[derive(Clone, Debug, Serialize)]
pub struct UltraBudget {
    /// The primitive.
    pub primitive: &'static str,
    /// How many.
    pub primitives: u64,
    /// Bits that they have.
    pub allocated_bits: u64,
    /// Whether their rows can hold anything else than zeros at power-up.
    pub initial_contents: bool,
}

/// Parts of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    /// Halves of blocks.
    pub half_blocks: u64,
    /// Units of distributed memory.
    pub distributed: u64,
}

impl Taken {
    /// Whole blocks: two halves, of whichever memories, share one.
    pub fn blocks(self) -> u64 {
        self.half_blocks.div_ceil(2)
    }

    /// So many times this.
    pub fn times(self, n: u64) -> Self {
        Taken { half_blocks: self.half_blocks * n, distributed: self.distributed * n }
    }
}

impl std::iter::Sum for Taken {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Taken::default(), |sum, next| Taken {
            half_blocks: sum.half_blocks + next.half_blocks,
            distributed: sum.distributed + next.distributed,
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
                Pool::Ultra => {}
            }
        }
        let ultra = device.ultra.is_some().then(|| {
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

/// 100 where there is nothing of nothing.
pub fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * part as f64 / whole as f64 }
}
