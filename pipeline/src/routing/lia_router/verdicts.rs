// SPDX-License-Identifier: MIT OR Apache-2.0
//! The results of a sweep that are in force (rows LR4, LR5 and LR9), for requests. They change for all requests that enter
//! from the clock cycle on in which the sweep ends, each in the step in which requests read it. With memories of latency `l`:
//!
//! ```text
//!  2         which half of the rows of `routes`
//!  l + 3     flags, and which local hops are kept
//!  l + 14    biases
//! ```

use super::config::LiaRouterConfig;
use super::ports::LINKS_WIDTH;
use super::settings::{Biases, Hops, InForce};
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, when};

/// What a request reads in step `l` + 3.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Flags<L: Reading> {
    /// For each local link of other groups, whether its load was above the threshold.
    #[shape(bits(config.switches as u32))]
    pub remote: Bits<L>,
    /// Too many own links were saturated.
    #[reset]
    pub saturated: Bits<L>,
    pub hops: Hops<L>,
}

/// The results in force.
#[name_nets]
pub struct Verdicts<L: Logic> {
    config: LiaRouterConfig,
    /// A sweep has ended as many clock cycles ago.
    ended: PipelineRegs<Bits<L>>,
    half: Reg<Bits<L>>,
    /// Too many own links were saturated in the sweep that has just ended.
    found: Reg<Bits<L>>,
    flags: Reg<Flags<L>>,
    biases: Reg<Biases<L>>,
}

#[name_nets]
impl<L: Logic> Verdicts<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        Verdicts {
            config,
            ended: PipelineRegs::new(1..=config.routed() + 11, &bits(1)).with_reset(),
            half: Reg::new(&bits(1)).with_reset(),
            found: Reg::new(&bits(1)).with_reset(),
            flags: Reg::new(&Flags::shape(config)),
            biases: Reg::new(&Biases::shape(config)),
        }
    }

    /// The half of the rows that requests read.
    pub fn half(&self) -> Bits<L> {
        self.half.get()
    }

    /// The flags.
    pub fn flags(&self) -> Flags<L> {
        self.flags.get()
    }

    /// The biases.
    pub fn biases(&self) -> Biases<L> {
        self.biases.get()
    }

    /// One clock cycle: whether a sweep ends; its results, and the settings.
    pub fn clock(&self, ends: Bits<L>, remote: Bits<L>, saturated: Bits<L>, settings: InForce<L>) {
        const { assert!(LINKS_WIDTH >= 5) };
        let at = |step: u32| self.ended.at(step);
        let routed = self.config.routed();
        when(at(routed + 11), || self.biases.set(settings.biases));
        when(at(routed), || self.flags.set(Flags { remote, saturated: self.found.get(), hops: settings.hops }));
        when(at(1), || self.half.set(!self.half.get()));
        when(ends, || self.found.set(saturated.greater(settings.saturated_links)));
        self.ended.shift(ends);
    }
}
