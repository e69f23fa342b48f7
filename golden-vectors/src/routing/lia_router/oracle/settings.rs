// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings (L13, L17 to L19, L21). None of their values is published; the defaults were found by simulation.

use super::Shape;

/// Whether a local hop of the path to the intermediate switch is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hop {
    /// By its rule.
    #[default]
    Rule,
    /// Always.
    Kept,
    /// Never.
    Dropped,
}

impl Hop {
    /// Its code at the port.
    #[must_use]
    pub const fn code(self) -> u64 {
        match self {
            Hop::Rule => 0,
            Hop::Kept => 1,
            Hop::Dropped => 2,
        }
    }
}

/// The settings. Loads are in flits per interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// *w*, in 1/16 (L12).
    pub weight: u64,
    /// Loads above which the level is 1, and 2 (L19).
    pub limits: [u64; 2],
    /// *T* of the three levels (L11, L19), of 16 bits. The least makes the path never minimal, the largest always.
    pub biases: [i64; 3],
    /// GPSTh: the load above which an own link counts as saturated (L17).
    pub link_threshold: u64,
    /// SGC: L1 is kept if more own links are saturated (L17).
    pub saturated_links: u64,
    /// *h* RCTh: L2 is kept if *h* RC is above (L18).
    pub remote_threshold: u64,
    /// Sweeps of an interval; 0 counts as 1.
    pub interval: u64,
    /// L1: kept, so that all links of the group are drawn from, or dropped, so that only the own ones are.
    pub first_hop: Hop,
    /// L2.
    pub second_hop: Hop,
    /// Flits in flight are not part of the occupancy of a port.
    pub corrected: bool,
}

impl Settings {
    /// The defaults for an interval of so many sweeps and so many clock cycles, in each of which a link carries one flit:
    /// loads are rounded to the nearest number, and at most the largest.
    #[must_use]
    pub const fn found(shape: Shape, interval: u64, cycles: u64) -> Self {
        let Shape { global_ports: h, switches: a, .. } = shape;
        let most = (1 << shape.counter_bits) - 1;
        Settings {
            weight: 16,
            limits: [least((3 * cycles + a) / (2 * a), most), least((6 * cycles + a) / (2 * a), most)],
            biases: [6, 0, i16::MIN as i64],
            link_threshold: least((8 * cycles + 5 * a) / (10 * a), most),
            saturated_links: h / 2,
            remote_threshold: least((7 * h * cycles + 5) / 10, (1 << shape.remote_bits()) - 1),
            interval,
            first_hop: Hop::Rule,
            second_hop: Hop::Rule,
            corrected: true,
        }
    }

    /// Whether all fit in their ports.
    #[must_use]
    pub fn fit(&self, shape: Shape) -> bool {
        let load = 1 << shape.counter_bits;
        let loads = [self.limits[0], self.limits[1], self.link_threshold].iter().all(|limit| *limit < load);
        let biases = self.biases.iter().all(|bias| i16::try_from(*bias).is_ok());
        let sizes = self.weight < 1 << 8 && self.saturated_links < 1 << 5 && self.interval < 1 << 16;
        loads && biases && sizes && self.remote_threshold < 1 << shape.remote_bits()
    }
}

/// The less of two.
const fn least(value: u64, most: u64) -> u64 {
    if value < most { value } else { most }
}
