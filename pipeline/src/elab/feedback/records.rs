// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of the tables. Every table has one writer:
//!
//! | record | memory | writer |
//! |---|---|---|
//! | [`Received`] | `received` | arrivals |
//! | [`ReceivedView`] | `received_view` | arrivals |
//! | [`Known`] | `known` | arrivals |
//! | VPs that are known | `known_view` | arrivals |
//! | [`PairView`] | `pair_view` | arrivals |
//! | [`LastReported`] | `last_reported` | queries |
//! | number of queries answered | `answered_view` | queries |
//! | [`Reported`] | `reported` | queries |

use crate::elab::rate::SPAN_WIDTH;
use crate::elab::{BURST_ID_WIDTH, BURST_WIDTH, COUNT_WIDTH, ElabSizes, SPORT_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, clog2, name_nets};

/// Width in bits of the generation of a VP row and of the count of burst results.
const GENERATION_WIDTH: u32 = 8;

/// Packets, marks and the last burst received on a VP.
#[derive(Bundle)]
#[shape]
pub struct Received<L: Reading> {
    /// Changes when the VP is new: what was reported before is then invalid.
    #[width(GENERATION_WIDTH)]
    pub generation: Bits<L>,
    #[width(SPORT_WIDTH)]
    pub sport: Bits<L>,
    /// Packets received, modulo 2^16.
    #[width(COUNT_WIDTH)]
    pub packets: Bits<L>,
    /// Packets received with the mark CE, modulo 2^16.
    #[width(COUNT_WIDTH)]
    pub marked: Bits<L>,
    pub burst: Burst<L>,
}

/// The last burst of a VP.
#[derive(Bundle)]
#[shape]
pub struct Burst<L: Reading> {
    /// Burst_ID.
    #[width(BURST_ID_WIDTH)]
    pub number: Bits<L>,
    /// Packets of the burst so far, at most 65535.
    #[width(BURST_WIDTH)]
    pub packets: Bits<L>,
    /// Clock cycle in which the burst began, modulo 2^24.
    #[width(SPAN_WIDTH)]
    pub start_time: Bits<L>,
    /// Clock cycles from the first to the last packet so far.
    #[width(SPAN_WIDTH)]
    pub span: Bits<L>,
    /// 1 if the burst has a result.
    pub done: Bits<L>,
    /// Number of results of the VP so far, modulo 256; tells one result from another.
    #[width(GENERATION_WIDTH)]
    pub result_count: Bits<L>,
}

/// Copy of [`Received`] for queries.
#[derive(Bundle)]
#[shape]
pub struct ReceivedView<L: Reading> {
    #[width(GENERATION_WIDTH)]
    pub generation: Bits<L>,
    #[width(SPORT_WIDTH)]
    pub sport: Bits<L>,
    #[width(COUNT_WIDTH)]
    pub packets: Bits<L>,
    #[width(COUNT_WIDTH)]
    pub marked: Bits<L>,
    #[width(BURST_WIDTH)]
    pub burst_packets: Bits<L>,
    #[width(SPAN_WIDTH)]
    pub span: Bits<L>,
    pub done: Bits<L>,
    #[width(GENERATION_WIDTH)]
    pub result_count: Bits<L>,
}

#[name_nets]
impl<L: Logic> Received<L> {
    /// The copy for queries.
    pub fn received_view(&self) -> ReceivedView<L> {
        let Received { generation, sport, packets, marked, burst } = *self;
        let Burst { packets: burst_packets, span, done, result_count, .. } = burst;
        ReceivedView { generation, sport, packets, marked, burst_packets, span, done, result_count }
    }
}

/// The VPs of a pair that are known.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Known<L: Reading> {
    /// One bit per VP.
    #[shape(sizes.each())]
    pub vps: Bits<L>,
    /// Number of arrivals, modulo a power of two above `pairs`. Neither a command nor the sweep changes it: visits
    /// compare it with what it was at the last visit.
    #[shape(answered(sizes))]
    pub arrived: Bits<L>,
}

/// What visits need of [`Known`].
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct PairView<L: Reading> {
    /// Number of VPs that are known.
    #[width(clog2(sizes.vps + 1))]
    pub known: Bits<L>,
    #[shape(answered(sizes))]
    pub arrived: Bits<L>,
}

#[name_nets]
impl<L: Logic> Known<L> {
    /// The copy for visits.
    pub fn pair_view(&self) -> PairView<L> {
        PairView { known: self.vps.count_ones(), arrived: self.arrived }
    }
}

/// What a pair has been told.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct LastReported<L: Reading> {
    /// The VP reported last.
    #[shape(sizes.vp())]
    pub vp: Bits<L>,
    /// 1 if that was the second time in its turn.
    pub twice: Bits<L>,
    /// Number of queries answered with a first report of a turn; like the number of arrivals in [`Known`].
    #[shape(answered(sizes))]
    pub answered: Bits<L>,
}

/// All that visits see of a pair.
#[derive(Bundle)]
pub struct VisitView<L: Reading> {
    pub pair: PairView<L>,
    /// Number of queries answered.
    pub answered: Bits<L>,
}

/// Counts at the last report of a VP.
#[derive(Bundle)]
#[shape]
pub struct Reported<L: Reading> {
    #[width(GENERATION_WIDTH)]
    pub generation: Bits<L>,
    #[width(COUNT_WIDTH)]
    pub packets: Bits<L>,
    #[width(COUNT_WIDTH)]
    pub marked: Bits<L>,
    #[width(GENERATION_WIDTH)]
    pub result_count: Bits<L>,
}

/// Number of queries answered; as many bits have arrivals.
pub(super) fn answered(sizes: ElabSizes) -> Bits<Shape> {
    bits(clog2(sizes.pairs + 1))
}

/// A VP of a pair.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Place<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
    #[shape(sizes.vp())]
    pub vp: Bits<L>,
}
