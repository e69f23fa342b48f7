// SPDX-License-Identifier: MIT OR Apache-2.0
//! The window of a sub-path that follows its marks (row T31), and what is compared with it. It is in the loop of the row, from one
//! feedback to the next of the same sub-path, in one clock cycle: comparisons are made for both rows that it may be, sums of three
//! numbers at once.

use super::config::PathSchedulerConfig;
use super::quality::Quality;
use super::records::SubPath;
use super::settings_registers::InForce;
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// Quarters of a packet in a window, as a power of two.
pub const QUARTERS_LOG: u32 = 2;
/// A window of one packet.
const LEAST: u64 = 1 << QUARTERS_LOG;

/// What is compared with the window of a row.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct InFlight<L: Reading> {
    /// Windows follow marks.
    pub adapts: Bits<L>,
    /// Packets sent, less the window if it is that of the settings.
    #[shape(config.packets())]
    pub release_at: Bits<L>,
    /// Twice the packets sent, and 3.
    #[width(config.in_flight_bits + 1)]
    pub twice: Bits<L>,
}

#[name_nets]
impl<L: Logic> InFlight<L> {
    /// So many packets have been sent.
    pub fn of(sent: Bits<L>, settings: &InForce<L>) -> Self {
        let (width, adapts) = (sent.width(), settings.adapts);
        InFlight {
            adapts,
            release_at: sent + (!settings.window_less_one.extend(width)).gate(!adapts),
            twice: sent.extend(width + 1) + sent.extend(width + 1) + 3,
        }
    }
}

/// What comparisons say of the window of a row.
#[derive(Bundle)]
pub struct WindowOrder<L: Reading> {
    /// With a packet less, those in flight are fewer than the window.
    pub has_room: Bits<L>,
    /// Half of the window is in flight.
    pub is_used: Bits<L>,
    /// No mark has come for so long that it grows with each packet; or it grows by one.
    pub ramps: Bits<L>,
    pub grows: Bits<L>,
    /// It may grow.
    pub is_bounded: Bits<L>,
}

/// Compares the window of a row.
#[name_nets]
pub fn window_order<L: Logic>(row: SubPath<L>, in_flight: InFlight<L>, most: Bits<L>) -> WindowOrder<L> {
    let InFlight { adapts, release_at, twice } = in_flight;
    let (count, quarters) = (row.completed.count, row.completed.window);
    let (width, packets) = (count.width(), quarters >> u64::from(QUARTERS_LOG));
    let left = sum(count, packets.extend(width).gate(adapts), !release_at, 1);
    let half = sum(twice, (!count).extend(width + 1) << 1, !packets.extend(width + 1), 0);
    WindowOrder {
        has_room: !left.bit(width - 1),
        is_used: !half.bit(width),
        // Eight windows of packets, and two.
        ramps: row.calm.at_least(quarters.concat(Bits::lit(1, 0))),
        grows: row.growth.at_least(quarters >> 1),
        is_bounded: quarters.at_most(most),
    }
}

/// The sum of three numbers and a carry.
#[name_nets]
fn sum<L: Logic>(a: Bits<L>, b: Bits<L>, c: Bits<L>, carry: u64) -> Bits<L> {
    let ones = a ^ b ^ c;
    let carries = ((a & b) | (a & c) | (b & c)) << 1;
    ones + carries + carry
}

/// The window, the count of calm feedback and that of growth after feedback for an active sub-path.
#[name_nets]
pub fn followed<L: Logic>(row: SubPath<L>, order: WindowOrder<L>, quality: Quality<L>, step: Bits<L>) -> [Bits<L>; 3] {
    let (window, calm, growth) = (row.completed.window, row.calm, row.growth);
    let Quality { is_good, is_marked, nack, halves, timeout, .. } = quality;
    let width = window.width();
    let least = Bits::lit(width, LEAST);
    let calms = is_good & order.is_used;
    let rises = calms & order.is_bounded & (order.ramps | order.grows);
    let is_small = !window.slice(QUARTERS_LOG + 1, width - QUARTERS_LOG - 1).any();
    let half = select(is_small, least, window >> 1);
    let is_least = is_small & !window.slice(0, QUARTERS_LOG).any();
    let lower = window - (!is_least).extend(width);
    let higher = window + LEAST;
    let lowered = select(halves & step, half, select(is_marked, lower, select(rises, higher, window)));
    let counted = select(calm.all(), calm, calm + 1);
    let grown = (growth + 1).gate(!order.grows);
    [
        select(timeout, least, lowered),
        select(calms, counted, calm).gate(!(is_marked | nack | timeout)),
        select(calms & !order.ramps, grown, growth),
    ]
}

impl PathSchedulerConfig {
    /// Width of a window in quarters of a packet. It is less than half of what can be in flight.
    pub(super) const fn window_bits(self) -> u32 {
        self.initial_bits() + QUARTERS_LOG
    }

    /// Width of a window in packets.
    pub(super) const fn initial_bits(self) -> u32 {
        if self.in_flight_bits < 12 { self.in_flight_bits - 2 } else { 10 }
    }
}
