// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entropy of each sub-path, and the output of grants (row T7). With a table of entropies in a memory of latency `l`:
//!
//! ```text
//!  step l + 5      sub-path to `entropies`
//!       2 l + 5    its entropy is there
//!       2 l + 6    grant is output
//! ```
//!
//! Without a table the entropy comes with the grant, which is output in step `l` + 6.

use super::config::{PathSchedulerConfig, REQUEST};
use super::ports::{ENTROPY_WIDTH, FLOWLET_WIDTH, Grant, PATH_WIDTH, PSN_WIDTH};
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, name_nets, select};

/// A grant without its entropy, unless that is known.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Granted<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.qp())]
    pub qp: Bits<L>,
    /// The request is refused.
    pub refused: Bits<L>,
    #[width(config.path_bits())]
    pub path: Bits<L>,
    #[width(PSN_WIDTH)]
    pub psn: Bits<L>,
    #[width(4)]
    pub flags: Bits<L>,
    #[width(FLOWLET_WIDTH)]
    pub flowlet: Bits<L>,
    #[width(config.weight_bits + 2)]
    pub tag: Bits<L>,
}

/// A write of the entropy of a sub-path.
#[derive(Bundle)]
pub struct EntropyWrite<L: Reading> {
    pub valid: Bits<L>,
    pub row: Bits<L>,
    pub entropy: Bits<L>,
}

/// The table of entropies, and the grants that wait for it.
#[name_nets]
struct EntropyTable<L: Logic> {
    entropies: WriteFirstRam<L, Bits<L>>,
    /// Grants in steps `l` + 6 to 2 `l` + 5.
    waiting: PipelineRegs<Granted<L>>,
}

/// Gives grants their entropy.
#[name_nets]
pub struct Grants<L: Logic> {
    config: PathSchedulerConfig,
    table: Option<EntropyTable<L>>,
    grant: Reg<Grant<L>>,
}

#[name_nets]
impl<L: Logic> Grants<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let (l, flag) = (config.ram_latency, bits(1));
        let granted = Granted::shape(config);
        Grants {
            config,
            table: config.entropy_table().then(|| EntropyTable {
                entropies: WriteFirstRam::new(config.sub_paths(), l, 1, &bits(ENTROPY_WIDTH)),
                waiting: PipelineRegs::new(l + 6..=2 * l + 5, &granted).checked(REQUEST),
            }),
            grant: Reg::new(&Grant::shape(config)),
        }
    }

    pub fn grant(&self) -> Grant<L> {
        self.grant.get()
    }

    /// One clock cycle: a request is granted in step `l` + 5. `base` is the entropy of sub-path 0 of its QP, and
    /// `write` that of a command; there is the one or the other.
    pub fn clock(&self, granted: Granted<L>, base: Option<Bits<L>>, write: Option<EntropyWrite<L>>) {
        if let (Some(table), Some(EntropyWrite { valid, row, entropy })) = (&self.table, write) {
            self.output(table.waiting.last(), table.entropies.data(0));
            table.waiting.shift(granted);
            let read = self.config.row(granted.qp, granted.path);
            table.entropies.clock(&[read], Access { valid, index: row }, entropy);
        }
        if let Some(base) = base {
            self.output(granted, base ^ granted.path.extend(ENTROPY_WIDTH));
        }
    }

    /// Whatever is not the QP is 0 in a grant that refuses (row T2).
    fn output(&self, granted: Granted<L>, entropy: Bits<L>) {
        let Granted { valid, qp, refused, path, psn, flags, flowlet, tag } = granted;
        let (path, flags, tag) = (path.extend(PATH_WIDTH), flags.extend(8), tag.extend(16));
        let ok = !refused;
        let granted = Grant { valid, qp, ok, path, entropy, psn, flags, flowlet, tag };
        self.grant.set(Grant { valid, qp, ok, ..select(refused, Grant::zero(&granted.shape()), granted) });
    }
}
