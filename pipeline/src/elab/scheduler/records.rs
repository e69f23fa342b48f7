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

use crate::blocks::iwrr::WEIGHT_WIDTH;
use crate::elab::{BURST_ID_WIDTH, BURST_WIDTH, ElabSizes, SPORT_WIDTH};
use rtl_model::{Bits, Bundle, Reading, Shape, bits};

/// Width of an exponent in bits.
pub const EXPONENT_WIDTH: u32 = 4;
/// Bit planes of `vp_view`.
pub const PLANES: usize = (WEIGHT_WIDTH + EXPONENT_WIDTH) as usize + 3;

/// Update of `vp_view`: the new view of a VP.
#[derive(Bundle)]
pub struct VpUpdate<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub pair: Bits<L>,
    pub vp: Bits<L>,
    /// Mantissa of the available bandwidth, or of the bandwidth limit if that is 0 (V5).
    pub mantissa: Bits<L>,
    /// Exponent of the same number, a power of two.
    pub exponent: Bits<L>,
    /// 1 if the available bandwidth is above 0.
    pub has_available: Bits<L>,
    pub present: Bits<L>,
    pub probe_request: Bits<L>,
    /// 1 if the VP is added, with the port `sport`.
    pub adds: Bits<L>,
    pub sport: Bits<L>,
}

/// The VPs of a pair as requests see them: bit `i` of each field belongs to VP `i`.
#[derive(Bundle)]
pub struct VpView<L: Reading> {
    /// Bit planes, least significant first.
    pub mantissa: [Bits<L>; WEIGHT_WIDTH as usize],
    pub exponent: [Bits<L>; EXPONENT_WIDTH as usize],
    pub has_available: Bits<L>,
    pub present: Bits<L>,
    pub probe_request: Bits<L>,
}

/// State of the packets of a pair: round robin, burst and acknowledged probe requests.
#[derive(Bundle)]
pub struct Sender<L: Reading> {
    /// The VP that the round robin selected last.
    pub vp: Bits<L>,
    /// The round in which it was selected.
    pub round: Bits<L>,
    /// VP of the last burst.
    pub burst_vp: Bits<L>,
    /// Packets of the burst that are left.
    pub burst_left: Bits<L>,
    /// Burst_ID of the last burst.
    pub burst: Bits<L>,
    /// Acknowledge bits: the probe request of each VP when its last burst began.
    pub probe_acknowledge: Bits<L>,
}

impl ElabSizes {
    pub(super) fn vp_update(self) -> VpUpdate<Shape> {
        let flag = bits(1);
        VpUpdate {
            valid: flag,
            pair: self.pair(),
            vp: self.vp(),
            mantissa: bits(WEIGHT_WIDTH),
            exponent: bits(EXPONENT_WIDTH),
            has_available: flag,
            present: flag,
            probe_request: flag,
            adds: flag,
            sport: bits(SPORT_WIDTH),
        }
    }

    pub(super) fn vp_view(self) -> VpView<Shape> {
        let each = self.each();
        VpView {
            mantissa: [each; WEIGHT_WIDTH as usize],
            exponent: [each; EXPONENT_WIDTH as usize],
            has_available: each,
            present: each,
            probe_request: each,
        }
    }

    pub(super) fn sender(self) -> Sender<Shape> {
        Sender {
            vp: self.vp(),
            round: bits(WEIGHT_WIDTH),
            burst_vp: self.vp(),
            burst_left: bits(BURST_WIDTH),
            burst: bits(BURST_ID_WIDTH),
            probe_acknowledge: self.each(),
        }
    }
}
