// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of the tables. Every table has one writer:
//!
//! | record | memory | writer |
//! |---|---|---|
//! | [`Received`] | `received` | arrivals |
//! | [`ReceivedView`] | `received_view` | arrivals |
//! | VPs that are known | `known`, `known_view` | arrivals |
//! | the VP reported last | `turns` | asks |
//! | [`Reported`] | `reported` | asks |

use crate::elab::{BURST_ID_WIDTH, BURST_WIDTH, COUNT_WIDTH, ElabSizes, SPORT_WIDTH};
use crate::rate::SPAN_WIDTH;
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, name_nets};

/// Width of what tells results of bursts, and VPs that took a row over from each other, apart.
const GENERATION_WIDTH: u32 = 8;

/// What has arrived on a VP.
#[derive(Bundle)]
pub struct Received<L: Reading> {
    /// Another one when the VP is new: what was reported before counts for nothing.
    pub generation: Bits<L>,
    pub sport: Bits<L>,
    /// Packets, and those that were marked.
    pub packets: Bits<L>,
    pub marked: Bits<L>,
    pub burst: Burst<L>,
}

/// The last burst of a VP.
#[derive(Bundle)]
pub struct Burst<L: Reading> {
    pub number: Bits<L>,
    pub packets: Bits<L>,
    /// When it began, and how long its packets took so far.
    pub start_time: Bits<L>,
    pub span: Bits<L>,
    /// It has a result: the number of results so far tells it from the others.
    pub done: Bits<L>,
    pub result_count: Bits<L>,
}

/// What asks see of it.
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
    /// What asks see of it.
    pub fn received_view(&self) -> ReceivedView<L> {
        let Received { generation, sport, packets, marked, burst } = *self;
        let Burst { packets: burst_packets, span, done, result_count, .. } = burst;
        ReceivedView { generation, sport, packets, marked, burst_packets, span, done, result_count }
    }
}

/// What was said of a VP last.
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

/// One of a pair's VPs.
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
