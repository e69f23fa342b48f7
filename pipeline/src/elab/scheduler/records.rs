// SPDX-License-Identifier: MIT OR Apache-2.0
//! The updates from the report side to the request side, and the state of requests. Every table has one writer:
//!
//! | record | memory | writer |
//! |---|---|---|
//! | `AccumulatedReport` | `reports` | reports and commands |
//! | `VpEstimate` | `estimates` | updates and commands |
//! | [`VpView`] | `vp_view`, one lane per VP | updates and commands |
//! | UDP source port | `sports` | commands |
//! | [`Sender`] | `senders` | requests |
//! | `Silence`, `SilenceView` | `silences`, `view` | requests |
//! | [`PacketUpdate`] | `packets_view` | requests |

use super::silence::MOST_WIDTH;
use crate::blocks::iwrr::WEIGHT_WIDTH;
use crate::elab::{BURST_ID_WIDTH, BURST_WIDTH, ElabSizes, SPORT_WIDTH};
use rtl_model::{Bits, Bundle, Reading};

/// Width of an exponent in bits.
pub const EXPONENT_WIDTH: u32 = 4;
/// Bit planes of `vp_view`.
pub const PLANES: usize = (WEIGHT_WIDTH + EXPONENT_WIDTH) as usize + 5;

/// Update of `vp_view`: the new view of a VP.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct VpUpdate<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
    #[shape(sizes.vp())]
    pub vp: Bits<L>,
    /// Mantissa of the available bandwidth, or of the bandwidth limit if that is 0 (V5).
    #[width(WEIGHT_WIDTH)]
    pub mantissa: Bits<L>,
    /// Exponent of the same number, a power of two.
    #[width(EXPONENT_WIDTH)]
    pub exponent: Bits<L>,
    /// 1 if the available bandwidth is above 0.
    pub has_available: Bits<L>,
    pub present: Bits<L>,
    pub probe_request: Bits<L>,
    /// The bit of its packets that its last report answered, and whether one since then has denied that any has come.
    pub answered: Bits<L>,
    pub denied: Bits<L>,
    /// 1 if it was dead and has returned.
    #[reset]
    pub returns: Bits<L>,
    /// 1 if the VP is added, with the port `sport`.
    pub adds: Bits<L>,
    #[width(SPORT_WIDTH)]
    pub sport: Bits<L>,
}

/// The VPs of a pair as requests see them: bit `i` of each field belongs to VP `i`.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct VpView<L: Reading> {
    /// Bit planes, least significant first.
    #[shape([sizes.each(); WEIGHT_WIDTH as usize])]
    pub mantissa: [Bits<L>; WEIGHT_WIDTH as usize],
    #[shape([sizes.each(); EXPONENT_WIDTH as usize])]
    pub exponent: [Bits<L>; EXPONENT_WIDTH as usize],
    #[shape(sizes.each())]
    pub has_available: Bits<L>,
    #[shape(sizes.each())]
    pub present: Bits<L>,
    #[shape(sizes.each())]
    pub probe_request: Bits<L>,
    #[shape(sizes.each())]
    pub answered: Bits<L>,
    #[shape(sizes.each())]
    pub denied: Bits<L>,
}

/// What a request sees of the reports of its pair.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Answered<L: Reading> {
    /// For each VP the bit of its packets that its last report answered.
    #[shape(sizes.each())]
    pub each: Bits<L>,
    /// For each VP 1 if a report since then has denied that any packet has come.
    #[shape(sizes.each())]
    pub denied: Bits<L>,
    /// VPs of the pair, at most 16.
    #[width(MOST_WIDTH)]
    pub vps: Bits<L>,
}

/// What reports see of the packets of a VP.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct PacketUpdate<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
    #[shape(sizes.vp())]
    pub vp: Bits<L>,
    /// The bit that packets toggle, whether the VP is dead, and whether one has asked, unless it is answered.
    pub sent: Bits<L>,
    pub dead: Bits<L>,
    pub asks: Bits<L>,
}

/// State of the packets of a pair: round robin, burst and acknowledged probe requests.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Sender<L: Reading> {
    /// The VP that the round robin selected last.
    #[shape(sizes.vp())]
    pub vp: Bits<L>,
    /// The round in which it was selected.
    #[width(WEIGHT_WIDTH)]
    pub round: Bits<L>,
    /// VP of the last burst.
    #[shape(sizes.vp())]
    pub burst_vp: Bits<L>,
    /// Packets of the burst that are left.
    #[width(BURST_WIDTH)]
    pub burst_left: Bits<L>,
    /// Burst_ID of the last burst.
    #[width(BURST_ID_WIDTH)]
    pub burst: Bits<L>,
    /// Acknowledge bits: the probe request of each VP when its last burst began.
    #[shape(sizes.each())]
    pub probe_acknowledge: Bits<L>,
}
