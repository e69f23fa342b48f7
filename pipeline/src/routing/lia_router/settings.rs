// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings (row LR9). New ones wait for the end of the sweep, so that a sweep has the same ones throughout.

use super::config::LiaRouterConfig;
use super::ports::{BIAS_WIDTH, INTERVAL_WIDTH, LINKS_WIDTH, Settings, WEIGHT_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, name_nets, when};

/// The settings without `valid`.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct InForce<L: Reading> {
    #[reset]
    #[width(WEIGHT_WIDTH)]
    pub weight: Bits<L>,
    #[reset]
    #[shape(config.load())]
    pub limit_1: Bits<L>,
    #[reset]
    #[shape(config.load())]
    pub limit_2: Bits<L>,
    pub biases: Biases<L>,
    #[reset]
    #[shape(config.load())]
    pub link_threshold: Bits<L>,
    #[reset]
    #[width(LINKS_WIDTH)]
    pub saturated_links: Bits<L>,
    #[reset]
    #[shape(config.remote())]
    pub remote_threshold: Bits<L>,
    #[reset]
    #[width(INTERVAL_WIDTH)]
    pub interval: Bits<L>,
    pub hops: Hops<L>,
    #[reset]
    pub corrected: Bits<L>,
}

/// The bias of each level.
#[derive(Bundle)]
#[shape(_config: LiaRouterConfig)]
pub struct Biases<L: Reading> {
    #[reset]
    #[width(BIAS_WIDTH)]
    pub of_0: Bits<L>,
    #[reset]
    #[width(BIAS_WIDTH)]
    pub of_1: Bits<L>,
    #[reset]
    #[width(BIAS_WIDTH)]
    pub of_2: Bits<L>,
}

/// Which local hops are kept.
#[derive(Bundle)]
#[shape(_config: LiaRouterConfig)]
pub struct Hops<L: Reading> {
    #[reset]
    #[width(2)]
    pub first: Bits<L>,
    #[reset]
    #[width(2)]
    pub second: Bits<L>,
}

/// The registers of the settings.
#[name_nets]
pub struct SettingsRegs<L: Logic> {
    next: Reg<InForce<L>>,
    in_force: Reg<InForce<L>>,
}

#[name_nets]
impl<L: Logic> SettingsRegs<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        let (shape, reset) = (InForce::shape(config), config.settings);
        let literal = |shape: Bits<Shape>, value: u64| Bits::lit(shape.bits(), value.min((1 << shape.bits()) - 1));
        let [bias_0, bias_1, bias_2] = reset.biases.map(|bias| literal(shape.biases.of_0, bias));
        let initial = InForce {
            weight: literal(shape.weight, reset.weight),
            limit_1: literal(shape.limit_1, reset.limits[0]),
            limit_2: literal(shape.limit_2, reset.limits[1]),
            biases: Biases { of_0: bias_0, of_1: bias_1, of_2: bias_2 },
            link_threshold: literal(shape.link_threshold, reset.link_threshold),
            saturated_links: literal(shape.saturated_links, reset.saturated_links),
            remote_threshold: literal(shape.remote_threshold, reset.remote_threshold),
            interval: literal(shape.interval, reset.interval),
            hops: Hops {
                first: literal(shape.hops.first, reset.first_hop.code()),
                second: literal(shape.hops.second, reset.second_hop.code()),
            },
            corrected: Bits::lit(1, u64::from(reset.corrected)),
        };
        SettingsRegs { next: Reg::starting_at(&shape, initial), in_force: Reg::starting_at(&shape, initial) }
    }

    /// The settings in force.
    pub fn in_force(&self) -> InForce<L> {
        self.in_force.get()
    }

    /// One clock cycle: new ones, and whether a sweep ends.
    pub fn clock(&self, new: Settings<L>, ends: Bits<L>) {
        when(ends, || self.in_force.set(self.next.get()));
        when(new.valid, || {
            self.next.set(InForce {
                weight: new.weight,
                limit_1: new.limit_1,
                limit_2: new.limit_2,
                biases: Biases { of_0: new.bias_0, of_1: new.bias_1, of_2: new.bias_2 },
                link_threshold: new.link_threshold,
                saturated_links: new.saturated_links,
                remote_threshold: new.remote_threshold,
                interval: new.interval,
                hops: Hops { first: new.first_hop, second: new.second_hop },
                corrected: new.corrected,
            });
        });
    }
}
