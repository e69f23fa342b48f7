// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings: registers that start at values of the configuration.

use super::config::PathSchedulerConfig;
use super::ports::{
    DELAY_WIDTH, FAIL_WIDTH, FLOWLET_TIME_WIDTH, MIGRATE_WIDTH, PathSchedulerIn, RAISE_WIDTH, RTT_WIDTH, Settings,
};
use super::settings::SchedulerSettings;
use super::window::QUARTERS_LOG;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// A window this close to half of what can be counted is reduced by as much: packets in the pipeline come on top of it.
const WINDOW_MARGIN_BITS: u32 = 5;

/// A setting that counts are compared with; 0 means never. The subtraction is not in the path of the comparison.
#[derive(Bundle)]
pub struct Threshold<L: Reading> {
    #[reset]
    pub is_set: Bits<L>,
    #[reset]
    pub less_one: Bits<L>,
}

#[name_nets]
impl<L: Logic> Threshold<L> {
    fn of(setting: Bits<L>) -> Self {
        Threshold { is_set: setting.any(), less_one: setting - 1 }
    }

    /// 1 if the setting is reached by one more than this.
    pub fn reached_by(self, count: Bits<L>) -> Bits<L> {
        self.is_set & count.at_least(self.less_one)
    }
}

/// The settings in force.
#[derive(Bundle)]
pub struct InForce<L: Reading> {
    #[reset]
    pub flowlet: Bits<L>,
    pub raise: Threshold<L>,
    pub fail: Threshold<L>,
    #[reset]
    pub fail_time: Bits<L>,
    #[reset]
    pub wait: Bits<L>,
    pub migrate: Threshold<L>,
    /// The window less 1 (row T20): what it is compared with.
    #[reset]
    pub window_less_one: Bits<L>,
    /// Windows follow marks (row T31): in quarters of a packet when a sub-path starts, and the largest one that may grow.
    #[reset]
    pub adapts: Bits<L>,
    #[reset]
    pub initial: Bits<L>,
    #[reset]
    pub most: Bits<L>,
    #[reset]
    pub rtt: Bits<L>,
    #[reset]
    pub delay: Bits<L>,
}

/// The window that a value of the port or of the configuration stands for (row T20).
#[name_nets]
fn window_less_one<L: Logic>(window: Bits<L>) -> Bits<L> {
    let high = window.width() - WINDOW_MARGIN_BITS;
    let too_large = window.slice(WINDOW_MARGIN_BITS, high).all();
    let margin = Bits::lit(window.width(), 1 << WINDOW_MARGIN_BITS);
    let window = window & !margin.gate(too_large);
    select(window.any(), window - 1, window)
}

/// The window in quarters of a packet when a sub-path starts, at least a packet.
#[name_nets]
fn initial_quarters<L: Logic>(initial: Bits<L>) -> Bits<L> {
    let packets = initial | (!initial.any()).extend(initial.width());
    packets.concat(Bits::lit(QUARTERS_LOG, 0))
}

/// The largest window in quarters of a packet that a packet more does not make larger than this one, plus one, or than can be counted.
#[name_nets]
fn largest<L: Logic>(window_less_one: Bits<L>, bits: u32) -> Bits<L> {
    let countable = (1 << bits) - 2;
    let is_large = window_less_one.greater(countable);
    select(is_large, Bits::lit(bits, countable), window_less_one.truncate(bits)).concat(Bits::lit(QUARTERS_LOG, 0))
}

/// The registers of the settings.
#[name_nets]
pub struct SettingsRegs<L: Logic> {
    in_force: Reg<InForce<L>>,
}

#[name_nets]
impl<L: Logic> SettingsRegs<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let SchedulerSettings { flowlet, raise, fail, fail_time, wait, migrate, window, initial, rtt, delay } =
            config.settings;
        let width = config.in_flight_bits - 1;
        // What does not fit is the largest value (row T20 has a smaller one for the window).
        let literal = |width: u32, value: u64| Bits::lit(width, value.min((1 << width) - 1));
        let threshold = |width: u32, value: u64| Threshold {
            is_set: Bits::lit(1, value.min(1)),
            less_one: literal(width, value.checked_sub(1).unwrap_or(u64::MAX)),
        };
        let window = window.min((1 << width) - 1);
        let margin = 1 << WINDOW_MARGIN_BITS;
        let window = if window >= (1 << width) - margin { window - margin } else { window };
        let initial = InForce {
            flowlet: literal(FLOWLET_TIME_WIDTH, flowlet),
            raise: threshold(RAISE_WIDTH, raise),
            fail: threshold(FAIL_WIDTH, fail),
            fail_time: literal(RTT_WIDTH, fail_time),
            wait: Bits::lit(1, wait.into()),
            migrate: threshold(MIGRATE_WIDTH, migrate),
            window_less_one: literal(width, window.saturating_sub(1)),
            adapts: Bits::lit(1, initial.min(1)),
            initial: Bits::lit(
                config.window_bits(),
                initial.clamp(1, (1 << config.initial_bits()) - 1) << QUARTERS_LOG,
            ),
            most: Bits::lit(
                config.window_bits(),
                window.saturating_sub(1).min((1 << config.initial_bits()) - 2) << QUARTERS_LOG,
            ),
            rtt: literal(RTT_WIDTH, rtt),
            delay: literal(DELAY_WIDTH, delay),
        };
        SettingsRegs { in_force: Reg::starting_at(&config.in_force(), initial) }
    }

    /// The settings in force.
    pub fn in_force(&self) -> InForce<L> {
        self.in_force.get()
    }

    /// One clock cycle.
    pub fn clock(&self, settings: Settings<L>) {
        let Settings { valid, flowlet, raise, fail, fail_time, wait, migrate, window, initial, rtt, delay } = settings;
        when(valid, || {
            let window_less_one = window_less_one(window);
            let [raise, fail, migrate] = [raise, fail, migrate].map(Threshold::of);
            let (adapts, most) = (initial.any(), largest(window_less_one, initial.width()));
            let initial = initial_quarters(initial);
            self.in_force.set(InForce {
                flowlet,
                raise,
                fail,
                fail_time,
                wait,
                migrate,
                window_less_one,
                adapts,
                initial,
                most,
                rtt,
                delay,
            });
        });
    }
}

impl PathSchedulerConfig {
    fn in_force(self) -> InForce<Shape> {
        let Settings { flowlet, raise, fail, fail_time, wait, migrate, window, rtt, delay, .. } =
            PathSchedulerIn::shape(self).settings;
        let [raise, fail, migrate] = [raise, fail, migrate].map(|less_one| Threshold { is_set: bits(1), less_one });
        let (adapts, initial) = (bits(1), bits(self.window_bits()));
        let (window_less_one, most) = (window, initial);
        InForce { flowlet, raise, fail, fail_time, wait, migrate, window_less_one, adapts, initial, most, rtt, delay }
    }
}
