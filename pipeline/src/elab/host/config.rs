// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of the ELAB layer of a host: that of its stages.

use crate::elab::ElabSizes;
use crate::elab::feedback::ElabFeedbackConfig;
use crate::elab::scheduler::ElabSchedulerConfig;
use crate::frame::frame_gate::FrameGateConfig;
use crate::frame::header_builder::HeaderBuilderConfig;
use crate::frame::header_parser::HeaderParserConfig;
use crate::receive::context_lookup::ContextLookupConfig;
use rtl_model::{Bits, Shape, bits, clog2};

/// Width of the length of a packet, in bits.
pub const LENGTH_WIDTH: u32 = 16;

/// Configuration of `mpnic_elab_host`. Both halves of ELAB have the same size, and the lookup has an entry for each pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElabHostConfig {
    /// Reads the headers of what arrives.
    pub parser: HeaderParserConfig,
    /// Drops frames whose verdict is drop.
    pub gate: FrameGateConfig,
    /// Finds the pair of hosts by its addresses.
    pub lookup: ContextLookupConfig,
    /// Counts what arrives, and reports.
    pub feedback: ElabFeedbackConfig,
    /// Chooses virtual paths.
    pub scheduler: ElabSchedulerConfig,
    /// Makes frames.
    pub builder: HeaderBuilderConfig,
    /// The DSCP of packets that carry a report alone.
    pub report_dscp: u64,
}

impl ElabHostConfig {
    /// The size of both halves.
    pub const fn sizes(&self) -> ElabSizes {
        self.feedback.sizes
    }

    /// Clock cycles from a query to its report (row W4), in which the grant of the same packet comes too (row V1).
    pub(super) const fn report_latency(&self) -> u32 {
        2 * self.sizes().ram_latency + 11
    }

    /// Clock cycles from a grant to the report of the same packet.
    pub(super) const fn grant_leads(&self) -> u32 {
        3
    }

    /// Shape of the numbers by which frames are counted, in and out. There are more of them than frames: those that the gate
    /// holds, and two that wait for the two halves.
    pub(super) const fn place(&self) -> Bits<Shape> {
        bits(clog2(self.gate.frames) + 2)
    }
}
