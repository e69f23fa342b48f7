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
pub struct Received<L: Reading> {
    /// Changes when the VP is new: what was reported before is then invalid.
    pub generation: Bits<L>,
    pub sport: Bits<L>,
    /// Packets received, modulo 2^16.
    pub packets: Bits<L>,
    /// Packets received with the mark CE, modulo 2^16.
    pub marked: Bits<L>,
    pub burst: Burst<L>,
}

/// The last burst of a VP.
#[derive(Bundle)]
pub struct Burst<L: Reading> {
    /// Burst_ID.
    pub number: Bits<L>,
    /// Packets of the burst so far, at most 65535.
    pub packets: Bits<L>,
    /// Clock cycle in which the burst began, modulo 2^24.
    pub start_time: Bits<L>,
    /// Clock cycles from the first to the last packet so far.
    pub span: Bits<L>,
    /// 1 if the burst has a result.
    pub done: Bits<L>,
    /// Number of results of the VP so far, modulo 256; tells one result from another.
    pub result_count: Bits<L>,
}

/// Copy of [`Received`] for queries.
#[derive(Bundle)]
pub struct ReceivedView<L: Reading> {
    pub generation: Bits<L>,
    pub sport: Bits<L>,
    pub packets: Bits<L>,
    pub marked: Bits<L>,
    pub burst_packets: Bits<L>,
    pub span: Bits<L>,
    pub done: Bits<L>,
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
pub struct Known<L: Reading> {
    /// One bit per VP.
    pub vps: Bits<L>,
    /// Number of arrivals, modulo a power of two above `pairs`. Neither a command nor the sweep changes it: visits
    /// compare it with what it was at the last visit.
    pub arrived: Bits<L>,
}

/// What visits need of [`Known`].
#[derive(Bundle)]
pub struct PairView<L: Reading> {
    /// Number of VPs that are known.
    pub known: Bits<L>,
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
pub struct LastReported<L: Reading> {
    /// The VP reported last.
    pub vp: Bits<L>,
    /// Number of queries answered with a report; like the number of arrivals in [`Known`].
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
pub struct Reported<L: Reading> {
    pub generation: Bits<L>,
    pub packets: Bits<L>,
    pub marked: Bits<L>,
    pub result_count: Bits<L>,
}

pub(super) fn received() -> Received<Shape> {
    let (count, span) = (bits(COUNT_WIDTH), bits(SPAN_WIDTH));
    let burst = Burst {
        number: bits(BURST_ID_WIDTH),
        packets: bits(BURST_WIDTH),
        start_time: span,
        span,
        done: bits(1),
        result_count: bits(GENERATION_WIDTH),
    };
    Received { generation: bits(GENERATION_WIDTH), sport: bits(SPORT_WIDTH), packets: count, marked: count, burst }
}

pub(super) fn received_view() -> ReceivedView<Shape> {
    let Received { generation, sport, packets, marked, burst } = received();
    let Burst { packets: burst_packets, span, done, result_count, .. } = burst;
    ReceivedView { generation, sport, packets, marked, burst_packets, span, done, result_count }
}

/// Number of queries answered; as many bits have arrivals.
pub(super) fn answered(sizes: ElabSizes) -> Bits<Shape> {
    bits(clog2(sizes.pairs + 1))
}

pub(super) fn known(sizes: ElabSizes) -> Known<Shape> {
    Known { vps: sizes.each(), arrived: answered(sizes) }
}

pub(super) fn pair_view(sizes: ElabSizes) -> PairView<Shape> {
    PairView { known: bits(clog2(sizes.vps + 1)), arrived: answered(sizes) }
}

pub(super) fn last_reported(sizes: ElabSizes) -> LastReported<Shape> {
    LastReported { vp: sizes.vp(), answered: answered(sizes) }
}

pub(super) fn reported() -> Reported<Shape> {
    let count = bits(COUNT_WIDTH);
    Reported { generation: bits(GENERATION_WIDTH), packets: count, marked: count, result_count: bits(GENERATION_WIDTH) }
}

/// A VP of a pair.
#[derive(Bundle)]
pub struct Place<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub pair: Bits<L>,
    pub vp: Bits<L>,
}

pub(super) fn place(sizes: ElabSizes) -> Place<Shape> {
    Place { valid: bits(1), pair: sizes.pair(), vp: sizes.vp() }
}
