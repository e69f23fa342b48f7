// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/elab_feedback.md`, defines each field.

use crate::elab::{BURST_ID_WIDTH, BURST_WIDTH, COUNT_WIDTH, ElabSizes, REPORTED_RATE_WIDTH, SPORT_WIDTH};
use rtl_model::{Bits, Bundle, Reading, Shape, bits};

/// A packet that has arrived.
#[derive(Bundle)]
pub struct Arrival<L: Reading> {
    /// There is one; taken while `arrival_ready`.
    pub valid: Bits<L>,
    /// From the other host of this pair.
    pub pair: Bits<L>,
    /// Its UDP source port, which is its VP.
    pub sport: Bits<L>,
    /// It is marked (CE).
    pub ecn: Bits<L>,
    /// Burst_ID; 0 outside of bursts.
    pub burst: Bits<L>,
}

/// A query for a report, for a packet back to the sender.
#[derive(Bundle)]
pub struct Query<L: Reading> {
    /// There is a packet.
    pub valid: Bits<L>,
    /// To the other host of this pair.
    pub pair: Bits<L>,
}

/// The command *clear*: no VP of a pair is known any more.
#[derive(Bundle)]
pub struct Control<L: Reading> {
    /// It is asked for; taken while `control_ready`.
    pub valid: Bits<L>,
    /// The pair.
    pub pair: Bits<L>,
}

/// Settings that software writes; they may change at any time.
#[derive(Bundle)]
pub struct Settings<L: Reading> {
    /// Packets of a burst (C_burst), as the other host sends them.
    pub burst: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
pub struct ElabFeedbackIn<L: Reading> {
    /// Taken while `arrival_ready`.
    pub arrival: Arrival<L>,
    /// Taken in every cycle.
    pub query: Query<L>,
    /// Taken while `control_ready`.
    pub control: Control<L>,
    /// Registers.
    pub settings: Settings<L>,
}

/// A report about one VP: fields of the ELAB header.
#[derive(Bundle)]
pub struct Report<L: Reading> {
    /// There is one.
    #[reset]
    pub valid: Bits<L>,
    /// The pair that was asked for.
    pub pair: Bits<L>,
    /// It has a VP; all that follows is 0 otherwise.
    pub ok: Bits<L>,
    /// VP_ID: the UDP source port.
    pub vp: Bits<L>,
    /// VP_RCnt.
    pub count: Bits<L>,
    /// E.
    pub ecn: Bits<L>,
    /// B.
    pub probed: Bits<L>,
    /// VP_RBurst_Rate, in packets a unit with 16 bits behind the point.
    pub rate: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct ElabFeedbackOut<L: Reading> {
    /// The tables are swept after reset.
    pub busy: Bits<L>,
    /// A pair can be forgotten.
    #[ready(control)]
    pub control_ready: Bits<L>,
    /// An arrival can be taken.
    #[ready(arrival)]
    pub arrival_ready: Bits<L>,
    /// 2 `l` + 10 cycles behind each ask.
    pub report: Report<L>,
    /// Arrivals of a pair that is none.
    pub refused_arrivals: Bits<L>,
    /// Asks for a pair that is none, or in the sweep.
    pub refused_queries: Bits<L>,
    /// Asks for a pair of which no VP is known.
    pub empty_queries: Bits<L>,
}

pub(super) fn input_shape(sizes: ElabSizes) -> ElabFeedbackIn<Shape> {
    let (flag, pair) = (bits(1), sizes.pair());
    ElabFeedbackIn {
        arrival: Arrival { valid: flag, pair, sport: bits(SPORT_WIDTH), ecn: flag, burst: bits(BURST_ID_WIDTH) },
        query: Query { valid: flag, pair },
        control: Control { valid: flag, pair },
        settings: Settings { burst: bits(BURST_WIDTH) },
    }
}

pub(super) fn report(sizes: ElabSizes) -> Report<Shape> {
    Report {
        valid: bits(1),
        pair: sizes.pair(),
        ok: bits(1),
        vp: bits(SPORT_WIDTH),
        count: bits(COUNT_WIDTH),
        ecn: bits(1),
        probed: bits(1),
        rate: bits(REPORTED_RATE_WIDTH),
    }
}
