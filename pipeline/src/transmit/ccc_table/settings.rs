// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings: registers that start at values of the configuration, and the settings pause (row C33).
//!
//! ```text
//!  cycle t                 settings_valid
//!        t + 1 .. t + 160  neither events nor commands enter
//!        t + 161           the fields are in force
//! ```

use super::config::{CccTableConfig, PAUSE};
use super::ports::{RATE_WIDTH, SIZE_WIDTH, Settings, WAIT_WIDTH, WINDOW_WIDTH};
use crate::blocks::bounds::at_least_1;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// The settings in force.
#[derive(Bundle)]
#[shape]
pub struct InForce<L: Reading> {
    #[reset]
    #[width(16)]
    pub tick: Bits<L>,
    #[reset]
    #[width(SIZE_WIDTH)]
    pub mtu: Bits<L>,
    #[reset]
    #[width(WAIT_WIDTH)]
    pub config_base_rtt: Bits<L>,
    #[reset]
    #[width(WAIT_WIDTH)]
    pub rtt_floor: Bits<L>,
    #[reset]
    #[width(RATE_WIDTH)]
    pub wnd_rate: Bits<L>,
    #[reset]
    #[width(WINDOW_WIDTH)]
    pub config_wnd: Bits<L>,
    #[reset]
    #[width(WAIT_WIDTH)]
    pub target: Bits<L>,
    #[reset]
    #[width(WAIT_WIDTH)]
    pub small_delay: Bits<L>,
    #[reset]
    #[width(26)]
    pub alpha: Bits<L>,
    #[reset]
    #[width(24)]
    pub fi: Bits<L>,
    #[reset]
    #[width(16)]
    pub fi_scale: Bits<L>,
    #[reset]
    #[width(20)]
    pub eta: Bits<L>,
    #[reset]
    #[width(8)]
    pub gamma: Bits<L>,
    #[reset]
    #[width(8)]
    pub max_cut: Bits<L>,
    #[reset]
    pub qa_enable: Bits<L>,
    #[reset]
    #[width(4)]
    pub qa_gate: Bits<L>,
    #[reset]
    #[width(WAIT_WIDTH)]
    pub qa_threshold: Bits<L>,
    #[reset]
    #[width(24)]
    pub adjust_bytes: Bits<L>,
    #[reset]
    #[width(WAIT_WIDTH)]
    pub adjust_period: Bits<L>,
    #[reset]
    #[width(24)]
    pub ack_trigger: Bits<L>,
}

#[name_nets]
impl<L: Logic> InForce<L> {
    /// What a transfer sets; the first window may still be below the MTU.
    fn of(settings: Settings<L>) -> Self {
        InForce {
            tick: settings.tick,
            mtu: at_least_1(settings.mtu),
            config_base_rtt: at_least_1(settings.config_base_rtt),
            rtt_floor: at_least_1(settings.rtt_floor),
            wnd_rate: settings.wnd_rate,
            config_wnd: settings.config_wnd,
            target: settings.target,
            small_delay: settings.small_delay,
            alpha: settings.alpha,
            fi: settings.fi,
            fi_scale: settings.fi_scale,
            eta: settings.eta,
            gamma: settings.gamma,
            max_cut: settings.max_cut,
            qa_enable: settings.qa_enable,
            qa_gate: settings.qa_gate,
            qa_threshold: settings.qa_threshold,
            adjust_bytes: settings.adjust_bytes,
            adjust_period: settings.adjust_period,
            ack_trigger: settings.ack_trigger,
        }
    }

    /// The same with a first window of at least the MTU.
    fn bounded(self) -> Self {
        let mtu = self.mtu.extend(self.config_wnd.width());
        InForce { config_wnd: select(self.config_wnd.less(mtu), mtu, self.config_wnd), ..self }
    }
}

/// The registers of the settings.
#[name_nets]
pub struct SettingsRegs<L: Logic> {
    in_force: Reg<InForce<L>>,
    /// What the last transfer has set.
    next: Reg<InForce<L>>,
    pausing: Reg<Bits<L>>,
    /// Clock cycles of the pause after this one.
    left: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> SettingsRegs<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let (shape, reset) = (InForce::shape(), config.settings);
        // What does not fit is the largest value.
        let literal = |shape: Bits<Shape>, value: u64| Bits::lit(shape.bits(), value.min((1 << shape.bits()) - 1));
        let initial = InForce {
            tick: literal(shape.tick, reset.tick),
            mtu: literal(shape.mtu, reset.mtu.max(1)),
            config_base_rtt: literal(shape.config_base_rtt, reset.config_base_rtt.max(1)),
            rtt_floor: literal(shape.rtt_floor, reset.rtt_floor.max(1)),
            wnd_rate: literal(shape.wnd_rate, reset.wnd_rate),
            config_wnd: literal(shape.config_wnd, reset.config_wnd.max(reset.mtu.clamp(1, 0x3FFF))),
            target: literal(shape.target, reset.target),
            small_delay: literal(shape.small_delay, reset.small_delay),
            alpha: literal(shape.alpha, reset.alpha),
            fi: literal(shape.fi, reset.fi),
            fi_scale: literal(shape.fi_scale, reset.fi_scale),
            eta: literal(shape.eta, reset.eta),
            gamma: literal(shape.gamma, reset.gamma),
            max_cut: literal(shape.max_cut, reset.max_cut),
            qa_enable: literal(shape.qa_enable, reset.qa_enable),
            qa_gate: literal(shape.qa_gate, reset.qa_gate),
            qa_threshold: literal(shape.qa_threshold, reset.qa_threshold),
            adjust_bytes: literal(shape.adjust_bytes, reset.adjust_bytes),
            adjust_period: literal(shape.adjust_period, reset.adjust_period),
            ack_trigger: literal(shape.ack_trigger, reset.ack_trigger),
        };
        SettingsRegs {
            in_force: Reg::starting_at(&shape, initial),
            next: Reg::new(&shape).without_reset(),
            pausing: Reg::new(&bits(1)).with_reset(),
            left: Reg::new(&bits(8)),
        }
    }

    /// The settings in force.
    pub fn in_force(&self) -> InForce<L> {
        self.in_force.get()
    }

    /// Neither events nor commands enter in this clock cycle.
    pub fn pausing(&self) -> Bits<L> {
        self.pausing.get()
    }

    /// One clock cycle.
    pub fn clock(&self, settings: Settings<L>) {
        let (next, pausing, left) = (self.next.get(), self.pausing.get(), self.left.get());
        let over = pausing & !left.any();
        self.left.set(left - 1);
        when(over & !settings.valid, || {
            self.in_force.set(next.bounded());
            self.pausing.set(Bits::lit(1, 0));
        });
        when(settings.valid, || {
            self.next.set(InForce::of(settings));
            self.pausing.set(Bits::lit(1, 1));
            self.left.set(Bits::lit(left.width(), PAUSE - 1));
        });
    }
}
