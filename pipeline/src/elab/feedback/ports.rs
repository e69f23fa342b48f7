// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/elab_feedback.md`, defines each field.

use crate::elab::{BURST_ID_WIDTH, BURST_WIDTH, COUNT_WIDTH, ElabSizes, REPORTED_RATE_WIDTH, SPORT_WIDTH, TIME_WIDTH};
use rtl_model::{Bits, Bundle, Reading};

/// A packet that has arrived.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Arrival<L: Reading> {
    /// There is an arrival; it is taken while `arrival_ready` is 1.
    pub valid: Bits<L>,
    /// The pair of hosts: the packet came from the other one.
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
    /// The UDP source port of the packet, which is its VP.
    #[width(SPORT_WIDTH)]
    pub sport: Bits<L>,
    /// The packet is marked (CE).
    pub ecn: Bits<L>,
    /// The Burst_ID of the packet; 0 outside of bursts.
    #[width(BURST_ID_WIDTH)]
    pub burst: Bits<L>,
}

/// A query for a report, for a packet back to the sender.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Query<L: Reading> {
    /// There is a query; it is always taken.
    pub valid: Bits<L>,
    /// The pair of hosts: the packet goes to the other one.
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
}

/// The command *clear*: no VP of a pair is known any more.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The pair of hosts whose VPs are forgotten.
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
}

/// A transfer of settings; it may come at any time.
#[derive(Bundle)]
#[shape]
pub struct Settings<L: Reading> {
    /// The settings are those of the other fields from the next clock cycle on.
    pub valid: Bits<L>,
    /// The number of packets of a burst (C_burst), as the other host sends them.
    #[width(BURST_WIDTH)]
    pub burst: Bits<L>,
    /// The number of clock cycles after which a pair for which nothing goes back is due; 0 for no `due`, at most 2^23.
    #[width(TIME_WIDTH)]
    pub report_time: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct ElabFeedbackIn<L: Reading> {
    /// Packets that have arrived.
    pub arrival: Arrival<L>,
    /// Queries: each asks for a report, for a packet that goes back.
    pub query: Query<L>,
    /// Commands: each makes the stage forget the VPs of a pair.
    pub command: Command<L>,
    /// Settings: registers that keep their values until the next transfer, and have those of the configuration after reset.
    pub settings: Settings<L>,
    /// A pair that is due can be taken.
    #[ready(due)]
    pub due_ready: Bits<L>,
}

/// A report about one VP: fields of the ELAB header.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Report<L: Reading> {
    /// There is a report.
    #[reset]
    pub valid: Bits<L>,
    /// The pair of hosts of the query.
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
    /// The pair has a VP; all that follows is 0 otherwise.
    pub ok: Bits<L>,
    /// VP_ID: the UDP source port of the VP.
    #[width(SPORT_WIDTH)]
    pub vp: Bits<L>,
    /// VP_RCnt: the number of packets since the last report of the VP.
    #[width(COUNT_WIDTH)]
    pub count: Bits<L>,
    /// E: one of these packets was marked.
    pub ecn: Bits<L>,
    /// B: there is the rate of a burst.
    pub probed: Bits<L>,
    /// VP_RBurst_Rate: the rate of the burst. It is in packets per unit of time, with 16 fraction bits.
    #[width(REPORTED_RATE_WIDTH)]
    pub rate: Bits<L>,
}

/// A pair for which a packet is to be sent for the report alone.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Due<L: Reading> {
    /// There is such a pair; stays 1 until `due_ready`.
    #[reset]
    pub valid: Bits<L>,
    /// The pair of hosts: the packet goes to the other one.
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct ElabFeedbackOut<L: Reading> {
    /// The tables are being swept after reset.
    pub busy: Bits<L>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// An arrival can be taken.
    #[ready(arrival)]
    pub arrival_ready: Bits<L>,
    /// Reports, each 2 `l` + 11 clock cycles after its query: fields of the ELAB header.
    pub report: Report<L>,
    /// Pairs that are due: each needs a packet without payload, for which a query is made as for any other.
    pub due: Due<L>,
    /// Arrivals of a pair that is none, since reset. The counter wraps.
    pub refused_arrivals: Bits<L>,
    /// Queries for a pair that is none, or in the sweep, since reset. The counter wraps.
    pub refused_queries: Bits<L>,
    /// Queries for a pair of which no VP is known, since reset. The counter wraps.
    pub empty_queries: Bits<L>,
}
