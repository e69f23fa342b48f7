// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings, and how they follow from physical units.

/// The settings as they stand on the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// Units of 128 ns per clock cycle, with 16 fraction bits.
    pub tick: u64,
    /// MTU in bytes.
    pub mtu: u64,
    /// config_base_rtt in units.
    pub config_base_rtt: u64,
    /// The lowest base_rtt that is learned.
    pub rtt_floor: u64,
    /// max_wnd per unit of base_rtt, in 1 / 16 byte.
    pub wnd_rate: u64,
    /// The window of a new CCC.
    pub config_wnd: u64,
    /// target_qdelay.
    pub target: u64,
    /// Below it, the delay is about zero.
    pub small_delay: u64,
    /// Proportional increase, in 1 / 256 byte per unit.
    pub alpha: u64,
    /// Fair increase.
    pub fi: u64,
    /// Fast increase, in 1 / 256.
    pub fi_scale: u64,
    /// What is added at each adjustment period.
    pub eta: u64,
    /// Slope of the decrease, in 1 / 256.
    pub gamma: u64,
    /// The largest decrease, in 1 / 256.
    pub max_cut: u64,
    /// Quick adapt is on.
    pub qa_enable: bool,
    /// Shift of max_wnd with which *achieved* is compared.
    pub qa_gate: u64,
    /// The delay that fires quick adapt.
    pub qa_threshold: u64,
    /// Received bytes per adjustment.
    pub adjust_bytes: u64,
    /// Time per adjustment.
    pub adjust_period: u64,
    /// Below it every packet asks for an ACK.
    pub ack_trigger: u64,
}

/// Names and widths of the settings, in the order of the ports.
pub const FIELDS: [(&str, u32); 20] = [
    ("tick", 16),
    ("mtu", 14),
    ("config_base_rtt", 16),
    ("rtt_floor", 16),
    ("wnd_rate", 21),
    ("config_wnd", 28),
    ("target", 16),
    ("small_delay", 16),
    ("alpha", 26),
    ("fi", 24),
    ("fi_scale", 16),
    ("eta", 20),
    ("gamma", 8),
    ("max_cut", 8),
    ("qa_enable", 1),
    ("qa_gate", 4),
    ("qa_threshold", 16),
    ("adjust_bytes", 24),
    ("adjust_period", 16),
    ("ack_trigger", 24),
];

/// A link, in the units of the section `[settings]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Clock in MHz.
    pub mhz: f64,
    /// `link_gbps`.
    pub gbps: f64,
    /// `rtt_us`.
    pub rtt_us: f64,
    /// MTU in bytes.
    pub mtu: f64,
    /// Switches trim.
    pub trim: bool,
}

impl Default for Settings {
    /// Those of 100 Gb/s, 12 us, an MTU of 4096 and switches that trim.
    fn default() -> Self {
        Settings::RESET
    }
}

impl Settings {
    /// The defaults.
    pub const RESET: Self = Settings {
        tick: 1589,
        mtu: 4096,
        config_base_rtt: 94,
        rtt_floor: 1,
        wnd_rate: 38_400,
        config_wnd: 225_000,
        target: 70,
        small_delay: 8,
        alpha: 44_739,
        fi: 20_480,
        fi_scale: 64,
        eta: 614,
        gamma: 205,
        max_cut: 128,
        qa_enable: true,
        qa_gate: 3,
        qa_threshold: 65_535,
        adjust_bytes: 32_768,
        adjust_period: 94,
        ack_trigger: 16_384,
    };

    /// Those of a link, rounded to the nearest integer.
    #[must_use]
    pub fn of(link: Link) -> Self {
        let Link { mhz, gbps, rtt_us, mtu, trim } = link;
        let round = |value: f64| value.round() as u64;
        let units = |us: f64| us * 1000.0 / 128.0;
        // Gb/s x us is 125 bytes.
        let bdp = gbps * rtt_us * 125.0;
        let a = bdp / 150_000.0;
        let target = round(units(if trim { 0.75 * rtt_us } else { rtt_us }));
        Settings {
            tick: round(65_536.0 * 1000.0 / (128.0 * mhz)),
            mtu: round(mtu),
            config_base_rtt: round(units(rtt_us)),
            rtt_floor: 1,
            wnd_rate: round(1.5 * gbps / 8.0 * 128.0 * 16.0),
            config_wnd: round(1.5 * bdp),
            target,
            small_delay: round(units(1.0)),
            alpha: round(256.0 * 4.0 * a * mtu / units(12.0)),
            fi: round(5.0 * mtu * a),
            fi_scale: round(256.0 * 0.25 * a),
            eta: round(0.15 * mtu * a),
            gamma: round(256.0 * 0.8),
            max_cut: round(256.0 * (1.0 - 0.5)),
            qa_enable: true,
            qa_gate: 3,
            qa_threshold: if trim { 65_535 } else { 4 * target },
            adjust_bytes: round(8.0 * mtu),
            adjust_period: round(units(rtt_us)),
            ack_trigger: 16_384,
        }
    }

    /// What they count as: a zero where none may be is 1, and the window has at least one MTU.
    #[must_use]
    pub fn effective(self) -> Self {
        let mtu = self.mtu.max(1);
        Settings {
            mtu,
            config_base_rtt: self.config_base_rtt.max(1),
            rtt_floor: self.rtt_floor.max(1),
            config_wnd: self.config_wnd.max(mtu),
            ..self
        }
    }

    /// The values in the order of the ports.
    #[must_use]
    pub const fn values(&self) -> [u64; 20] {
        [
            self.tick,
            self.mtu,
            self.config_base_rtt,
            self.rtt_floor,
            self.wnd_rate,
            self.config_wnd,
            self.target,
            self.small_delay,
            self.alpha,
            self.fi,
            self.fi_scale,
            self.eta,
            self.gamma,
            self.max_cut,
            self.qa_enable as u64,
            self.qa_gate,
            self.qa_threshold,
            self.adjust_bytes,
            self.adjust_period,
            self.ack_trigger,
        ]
    }

    /// The settings with these values.
    #[must_use]
    pub const fn of_values(values: [u64; 20]) -> Self {
        let [
            tick,
            mtu,
            config_base_rtt,
            rtt_floor,
            wnd_rate,
            config_wnd,
            target,
            small_delay,
            alpha,
            fi,
            fi_scale,
            eta,
            gamma,
            max_cut,
            qa_enable,
            qa_gate,
            qa_threshold,
            adjust_bytes,
            adjust_period,
            ack_trigger,
        ] = values;
        Settings {
            tick,
            mtu,
            config_base_rtt,
            rtt_floor,
            wnd_rate,
            config_wnd,
            target,
            small_delay,
            alpha,
            fi,
            fi_scale,
            eta,
            gamma,
            max_cut,
            qa_enable: qa_enable != 0,
            qa_gate,
            qa_threshold,
            adjust_bytes,
            adjust_period,
            ack_trigger,
        }
    }

    /// max_wnd with this base_rtt (C13).
    #[must_use]
    pub fn max_wnd(&self, base_rtt: u64) -> u64 {
        self.mtu.max(sat28(self.wnd_rate * base_rtt / 16))
    }
}

/// *sat28*: at most 2^28 - 1.
#[must_use]
pub fn sat28(value: u64) -> u64 {
    value.min((1 << 28) - 1)
}
