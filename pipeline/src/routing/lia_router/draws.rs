// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random numbers (row LR6): xorshift of 32 bits (Marsaglia, 2003), and what a request draws with one of them:
//!
//! ```text
//!  1    the number: upper half x a, upper half x h, middle x t, lower half x a
//!  2    fraction of the first x h: the link of that switch
//!  3    all drawn
//! ```

use super::config::LiaRouterConfig;
use super::links::{Link, scaled};
use super::ports::RANDOM_WIDTH;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, index_width, name_nets, when};

/// Bits that a draw takes.
const DRAW_WIDTH: u32 = 16;

/// What is drawn in step 2: the fraction of the switch is not multiplied yet.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Half<L: Reading> {
    #[shape(config.switch())]
    switch: Bits<L>,
    #[width(DRAW_WIDTH)]
    fraction: Bits<L>,
    #[shape(bits(index_width(config.global_ports)))]
    own: Bits<L>,
    #[shape(config.switch())]
    via: Bits<L>,
}

/// What is drawn.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Draw<L: Reading> {
    /// One of all links.
    pub link: Link<L>,
    /// One of the own links.
    #[shape(bits(index_width(config.global_ports)))]
    pub own: Bits<L>,
    /// The intermediate switch.
    #[shape(config.switch())]
    pub via: Bits<L>,
}

/// The generator, and the draws of the requests.
#[name_nets]
pub struct Draws<L: Logic> {
    config: LiaRouterConfig,
    generator: Reg<Bits<L>>,
    /// Step 1.
    number: Reg<Bits<L>>,
    /// Step 2.
    half: Reg<Half<L>>,
    /// Steps 3 to `l` + 6.
    draws: PipelineRegs<Draw<L>>,
    /// Steps 2 to `l` + 10: one of the links between two groups, if there are several.
    trunks: Option<PipelineRegs<Bits<L>>>,
}

#[name_nets]
impl<L: Logic> Draws<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        let routed = config.routed();
        let trunk = bits(index_width(config.trunks));
        let several = config.trunks > 1;
        Draws {
            config,
            generator: Reg::starting_at(&bits(RANDOM_WIDTH), Bits::lit(RANDOM_WIDTH, 1)).with_reset(),
            number: Reg::new(&bits(RANDOM_WIDTH)),
            half: Reg::new(&Half::shape(config)),
            draws: PipelineRegs::new(3..=routed + 4, &Draw::shape(config)),
            trunks: several.then(|| PipelineRegs::new(2..=routed + 8, &trunk)),
        }
    }

    /// What was drawn for the request in this step.
    pub fn draw(&self, step: u32) -> Draw<L> {
        self.draws.at(step)
    }

    /// The link between two groups that was drawn for the request in this step.
    pub fn trunk(&self, step: u32) -> Bits<L> {
        self.trunks.as_ref().map_or(Bits::lit(1, 0), |trunks| trunks.at(step))
    }

    /// One clock cycle: a request takes a number; the generator begins with this seed.
    pub fn clock(&self, takes: Bits<L>, seeds: Bits<L>, seed: Bits<L>) {
        let config = self.config;
        let (number, half, generator) = (self.number.get(), self.half.get(), self.generator.get());
        // 2
        let (port, _) = scaled(half.fraction, config.global_ports);
        let shape = Link::shape(config);
        let link = Link { switch: half.switch.extend(shape.switch.bits()), port };
        self.draws.shift(Draw { link, own: half.own, via: half.via });
        // 1
        let part = |low: u32| number.slice(low, DRAW_WIDTH);
        let (switch, fraction) = scaled(part(16), config.switches);
        let (own, _) = scaled(part(16), config.global_ports);
        let (via, _) = scaled(part(0), config.switches);
        self.half.set(Half { switch, fraction, own, via });
        if let Some(trunks) = &self.trunks {
            trunks.shift(scaled(part(8), config.trunks).0);
        }
        // 0
        self.number.set(generator);
        let first = generator ^ generator << 13;
        let second = first ^ first >> 17;
        let next = second ^ second << 5;
        when(takes, || self.generator.set(next));
        when(seeds, || self.generator.set(seed));
    }
}
