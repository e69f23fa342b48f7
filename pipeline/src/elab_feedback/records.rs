// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of the tables. Every table has one writer:
//!
//! | record | memory | writer |
//! |---|---|---|
//! | [`Received`] | `received` | arrivals |
//! | [`ReceivedView`] | `received_view` | arrivals |
//! | VPs that are known | `known`, `known_view` | arrivals |
//! | the VP reported last | `last_reported` | queries |
//! | [`Reported`] | `reported` | queries |

use crate::elab::rate::SPAN_WIDTH;
use crate::elab::{BURST_ID_WIDTH, BURST_WIDTH, COUNT_WIDTH, ElabSizes, SPORT_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, name_nets};

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
