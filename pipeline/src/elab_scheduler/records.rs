// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one half of the stage tells the other, and what requests keep. Every table has one writer:
//!
//! | record | memory | writer |
//! |---|---|---|
//! | `AccumulatedReport` | `gathered` | reports and operations |
//! | `VpEstimate` | `rates` | updates and operations |
//! | [`VpView`] | `vp_view`, a lane for each VP | updates and operations |
//! | UDP source port | `sports` | operations |
//! | [`Sender`] | `senders` | requests |

use crate::elab::{BURST_ID_WIDTH, BURST_WIDTH, ElabSizes, SPORT_WIDTH};
use crate::iwrr::WEIGHT_WIDTH;
use rtl_model::{Bits, Bundle, Reading, Shape, bits};

/// Width of an exponent.
pub const EXPONENT_WIDTH: u32 = 4;
/// Planes of the sight.
pub const PLANES: usize = (WEIGHT_WIDTH + EXPONENT_WIDTH) as usize + 3;

/// A VP as requests are to see it.
#[derive(Bundle)]
pub struct VpUpdate<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub pair: Bits<L>,
    pub vp: Bits<L>,
    /// What is left of it, or all of it: `mantissa` * 2^`exponent`.
    pub mantissa: Bits<L>,
    pub exponent: Bits<L>,
    /// 1 if the available bandwidth is above 0.
    pub has_available: Bits<L>,
    pub present: Bits<L>,
    pub probe_request: Bits<L>,
    /// It has a new port.
    pub adds: Bits<L>,
    pub sport: Bits<L>,
}

/// The VPs of a pair as requests see them: bit `i` of each is of VP `i`.
#[derive(Bundle)]
pub struct VpView<L: Reading> {
    /// Bit by bit, the lowest first.
    pub mantissa: [Bits<L>; WEIGHT_WIDTH as usize],
    pub exponent: [Bits<L>; EXPONENT_WIDTH as usize],
    pub has_available: Bits<L>,
    pub present: Bits<L>,
    pub probe_request: Bits<L>,
}

/// Where the packets of a pair have come to.
#[derive(Bundle)]
pub struct Sender<L: Reading> {
    /// The VP that was drawn last, and in which round.
    pub vp: Bits<L>,
    pub round: Bits<L>,
    /// The burst: its VP, its packets that are left, its number.
    pub burst_vp: Bits<L>,
    pub burst_left: Bits<L>,
    pub burst: Bits<L>,
    /// The call of each VP as it was heard.
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
