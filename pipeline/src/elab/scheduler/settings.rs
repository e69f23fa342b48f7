// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings in force: registers with the values of the configuration after reset (row V20).

use super::ports::{ALPHA_WIDTH, SILENCE_WIDTH, Settings};
use crate::elab::{BURST_WIDTH, DEFAULT_BURST, TIME_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, name_nets, select, when};

/// The shortest window in units: updates of a VP are more than a unit apart (V10).
const SHORTEST: u64 = 2;
/// The weights of the old and of the new rate add up to this.
const WHOLE: u64 = 256;

/// Values of the settings after reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElabSchedulerSettings {
    /// The weight of a new rate in the average, in parts of 256; 8 bits.
    pub alpha: u64,
    /// The least time between two updates of a VP, in units; 24 bits.
    pub window: u64,
    /// T_explore in units; 24 bits.
    pub explore: u64,
    /// C_burst in packets, 0 for no bursts; 16 bits.
    pub burst: u64,
    /// The time after which a VP without an answer is dead, in units, 0 for never; 16 bits.
    pub silence: u64,
}

impl Default for ElabSchedulerSettings {
    /// Those of the paper for units of 1 us, 100 Gb/s and an RTT of 160 us.
    fn default() -> Self {
        ElabSchedulerSettings {
            // E16: 0.3.
            alpha: 77,
            // E12: an eighth of an RTT.
            window: 20,
            // E16: 200 RTT.
            explore: 32_000,
            burst: DEFAULT_BURST,
            // 1.5 RTT.
            silence: 240,
        }
    }
}

/// The settings in force, as the steps that use them need them.
#[derive(Bundle)]
#[shape]
pub struct InForce<L: Reading> {
    #[reset]
    #[width(ALPHA_WIDTH)]
    pub alpha: Bits<L>,
    /// 256 minus `alpha`.
    #[reset]
    #[width(ALPHA_WIDTH + 1)]
    pub alpha_rest: Bits<L>,
    /// At least [`SHORTEST`].
    #[reset]
    #[width(TIME_WIDTH)]
    pub window: Bits<L>,
    #[reset]
    #[width(TIME_WIDTH)]
    pub explore: Bits<L>,
    #[reset]
    #[width(BURST_WIDTH)]
    pub burst: Bits<L>,
    /// 1 if VPs are found dead.
    #[reset]
    pub finds_dead: Bits<L>,
    /// The units of a period but one: a quarter of the silence after which a VP is dead has at least one unit.
    #[reset]
    #[width(SILENCE_WIDTH - 2)]
    pub period_rest: Bits<L>,
}

/// The registers of the settings.
#[name_nets]
pub struct SettingsRegisters<L: Logic> {
    in_force: Reg<InForce<L>>,
}

#[name_nets]
impl<L: Logic> SettingsRegisters<L> {
    pub fn new(reset: ElabSchedulerSettings) -> Self {
        let shape = InForce::shape();
        let initial = InForce {
            alpha: Bits::lit(ALPHA_WIDTH, reset.alpha),
            alpha_rest: Bits::lit(ALPHA_WIDTH + 1, WHOLE - reset.alpha),
            window: Bits::lit(TIME_WIDTH, reset.window.max(SHORTEST)),
            explore: Bits::lit(TIME_WIDTH, reset.explore),
            burst: Bits::lit(BURST_WIDTH, reset.burst),
            finds_dead: Bits::lit(1, u64::from(reset.silence > 0)),
            period_rest: Bits::lit(SILENCE_WIDTH - 2, (reset.silence / 4).saturating_sub(1)),
        };
        SettingsRegisters { in_force: Reg::starting_at(&shape, initial) }
    }

    pub fn get(&self) -> InForce<L> {
        self.in_force.get()
    }

    pub fn clock(&self, written: Settings<L>) {
        let Settings { valid, alpha, window, explore, burst, silence } = written;
        let alpha_rest = Bits::lit(ALPHA_WIDTH + 1, WHOLE) - alpha.extend(ALPHA_WIDTH + 1);
        let least = Bits::lit(TIME_WIDTH, SHORTEST);
        let window = select(window.less(least), least, window);
        let quarter = silence.slice(2, SILENCE_WIDTH - 2);
        let period_rest = quarter - quarter.any().extend(quarter.width());
        let finds_dead = silence.any();
        when(valid, || {
            self.in_force.set(InForce { alpha, alpha_rest, window, explore, burst, finds_dead, period_rest });
        });
    }
}
