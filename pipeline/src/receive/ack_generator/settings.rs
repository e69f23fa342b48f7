// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings: registers that start at values of the configuration. Counts are kept less one, so that the subtraction is
//! not in the path of the comparison.

use super::config::AckGeneratorConfig;
use super::ports::{RNR_CODE_WIDTH, STAMP_WIDTH, Settings, TIME_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, name_nets, select, when};

/// The settings in force.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct InForce<L: Reading> {
    #[reset]
    #[width(16)]
    pub tick: Bits<L>,
    /// Packets less one.
    #[reset]
    #[width(config.roce(8))]
    pub count_less_one: Option<Bits<L>>,
    #[reset]
    #[width(config.roce(8))]
    pub count_multipath_less_one: Option<Bits<L>>,
    #[reset]
    #[width(config.uet(16))]
    pub trigger: Option<Bits<L>>,
    #[reset]
    #[width(config.uet(12))]
    pub min: Option<Bits<L>>,
    #[reset]
    #[width(TIME_WIDTH)]
    pub time: Bits<L>,
    /// It is not 0: connections expire.
    #[reset]
    pub expires: Bits<L>,
    #[reset]
    #[width(config.uet(1))]
    pub per_packet: Option<Bits<L>>,
    #[reset]
    pub on_ecn: Bits<L>,
    #[reset]
    #[width(config.uet(1))]
    pub on_retx: Option<Bits<L>>,
    #[reset]
    #[width(config.roce(RNR_CODE_WIDTH))]
    pub rnr: Option<Bits<L>>,
    #[reset]
    #[width(config.uet(TIME_WIDTH))]
    pub no_buffer_time: Option<Bits<L>>,
    #[reset]
    #[width(config.roce(5))]
    pub credits: Option<Bits<L>>,
    #[reset]
    #[width(config.roce(STAMP_WIDTH))]
    pub offset: Option<Bits<L>>,
    #[reset]
    #[width(config.uet(1))]
    pub cc: Option<Bits<L>>,
    #[reset]
    #[width(config.uet(8))]
    pub mpr: Option<Bits<L>>,
    #[reset]
    #[width(config.uet(8))]
    pub added: Option<Bits<L>>,
    #[reset]
    #[width(config.uet(1))]
    pub restore: Option<Bits<L>>,
}

/// A count less one; 0 counts as 1.
#[name_nets]
fn less_one<L: Logic>(count: Bits<L>) -> Bits<L> {
    select(count.any(), count - 1, count)
}

/// The registers of the settings.
#[name_nets]
pub struct SettingsRegs<L: Logic> {
    in_force: Reg<InForce<L>>,
}

#[name_nets]
impl<L: Logic> SettingsRegs<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let (shape, reset) = (InForce::shape(config), config.settings);
        // What does not fit is the largest value.
        let literal = |shape: Bits<Shape>, value: u64| Bits::lit(shape.bits(), value.min((1 << shape.bits()) - 1));
        let option = |shape: Option<Bits<Shape>>, value: u64| shape.map(|shape| literal(shape, value));
        let count = |shape: Option<Bits<Shape>>, value: u64| {
            shape.map(|shape| literal(shape, value.min((1 << shape.bits()) - 1).saturating_sub(1)))
        };
        let initial = InForce {
            tick: literal(shape.tick, reset.tick),
            count_less_one: count(shape.count_less_one, reset.count),
            count_multipath_less_one: count(shape.count_multipath_less_one, reset.count_multipath),
            trigger: option(shape.trigger, reset.trigger),
            min: option(shape.min, reset.min),
            time: literal(shape.time, reset.time),
            expires: Bits::lit(1, (reset.time > 0).into()),
            per_packet: option(shape.per_packet, reset.per_packet),
            on_ecn: literal(shape.on_ecn, reset.on_ecn),
            on_retx: option(shape.on_retx, reset.on_retx),
            rnr: option(shape.rnr, reset.rnr),
            no_buffer_time: option(shape.no_buffer_time, reset.no_buffer_time),
            credits: option(shape.credits, reset.credits),
            offset: option(shape.offset, reset.offset),
            cc: option(shape.cc, reset.cc),
            mpr: option(shape.mpr, reset.mpr),
            added: option(shape.added, reset.added),
            restore: option(shape.restore, reset.restore),
        };
        SettingsRegs { in_force: Reg::starting_at(&shape, initial) }
    }

    /// The settings in force.
    pub fn in_force(&self) -> InForce<L> {
        self.in_force.get()
    }

    /// One clock cycle.
    pub fn clock(&self, settings: Settings<L>) {
        when(settings.valid, || {
            self.in_force.set(InForce {
                tick: settings.tick,
                count_less_one: settings.count.map(less_one),
                count_multipath_less_one: settings.count_multipath.map(less_one),
                trigger: settings.trigger,
                min: settings.min,
                time: settings.time,
                expires: settings.time.any(),
                per_packet: settings.per_packet,
                on_ecn: settings.on_ecn,
                on_retx: settings.on_retx,
                rnr: settings.rnr,
                no_buffer_time: settings.no_buffer_time,
                credits: settings.credits,
                offset: settings.offset,
                cc: settings.cc,
                mpr: settings.mpr,
                added: settings.added,
                restore: settings.restore,
            });
        });
    }
}
