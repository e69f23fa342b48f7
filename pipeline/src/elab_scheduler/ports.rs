// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/elab_scheduler.md`, defines each field.

use crate::elab::{
    BURST_ID_WIDTH, BURST_WIDTH, COUNT_WIDTH, ElabSizes, RATE_WIDTH, REPORTED_RATE_WIDTH, SPORT_WIDTH, TIME_WIDTH,
    VP_WIDTH,
};
use rtl_model::{Bits, Bundle, Reading, Shape, bits};

/// Width of `settings_alpha` in bits; the setting is in 1/256.
pub const ALPHA_WIDTH: u32 = 8;

/// A request for a VP for one packet.
#[derive(Bundle)]
pub struct Request<L: Reading> {
    /// There is a request.
    pub valid: Bits<L>,
    /// For this pair of hosts.
    pub pair: Bits<L>,
}

/// A report of the receiver about one VP: fields of the ELAB header.
#[derive(Bundle)]
pub struct Report<L: Reading> {
    /// There is a report; taken while `report_ready`.
    pub valid: Bits<L>,
    /// From the other host of this pair.
    pub pair: Bits<L>,
    /// VP_ID: the UDP source port.
    pub vp: Bits<L>,
    /// VP_RCnt.
    pub count: Bits<L>,
    /// E: a packet was marked.
    pub ecn: Bits<L>,
    /// B: there is the rate of a burst.
    pub probed: Bits<L>,
    /// VP_RBurst_Rate, in packets a unit with 16 bits behind the point.
    pub rate: Bits<L>,
}

/// Codes of operations.
pub mod op {
    /// Reads the state of a VP.
    pub const READ: u64 = 0;
    /// Adds one.
    pub const ADD: u64 = 1;
    /// Removes it.
    pub const REMOVE: u64 = 2;
}

/// An operation.
#[derive(Bundle)]
pub struct Control<L: Reading> {
    /// There is an operation; taken while `control_ready`.
    pub valid: Bits<L>,
    /// One of [`op`].
    pub op: Bits<L>,
    /// On this pair.
    pub pair: Bits<L>,
    /// On the VP of this UDP source port.
    pub sport: Bits<L>,
    /// Add: its bandwidth, in packets a unit with 16 bits behind the point.
    pub bandwidth: Bits<L>,
}

/// Settings that software writes; they may change at any time.
#[derive(Bundle)]
pub struct Settings<L: Reading> {
    /// What a new rate counts for in the average, in parts of 256.
    pub alpha: Bits<L>,
    /// The least units between two updates of a VP.
    pub window: Bits<L>,
    /// Units without a mark until a VP is explored (T_explore).
    pub explore: Bits<L>,
    /// Packets of a burst (C_burst); 0 for no bursts.
    pub burst: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
pub struct ElabSchedulerIn<L: Reading> {
    /// Taken in every cycle.
    pub request: Request<L>,
    /// Taken while `report_ready`.
    pub report: Report<L>,
    /// Taken while `control_ready`.
    pub control: Control<L>,
    /// Registers.
    pub settings: Settings<L>,
}

/// The grant for a request.
#[derive(Bundle)]
pub struct Grant<L: Reading> {
    /// There is one.
    #[reset]
    pub valid: Bits<L>,
    /// The pair of the request.
    pub pair: Bits<L>,
    /// It may be sent; all that follows is 0 otherwise.
    pub ok: Bits<L>,
    /// Number of the VP in its pair.
    pub vp: Bits<L>,
    /// Its UDP source port.
    pub sport: Bits<L>,
    /// Burst_ID; 0 outside of bursts.
    pub burst: Bits<L>,
}

/// The response to a command.
#[derive(Bundle)]
pub struct Response<L: Reading> {
    /// There is one.
    #[reset]
    pub valid: Bits<L>,
    /// The operation.
    pub op: Bits<L>,
    /// Its pair.
    pub pair: Bits<L>,
    /// Its port.
    pub sport: Bits<L>,
    /// It could be done.
    pub done: Bits<L>,
    /// There is a VP of this number now; all that follows is 0 otherwise.
    pub present: Bits<L>,
    /// Its port.
    pub port: Bits<L>,
    /// Its bandwidth (B).
    pub bandwidth: Bits<L>,
    /// Its rate (R).
    pub rate: Bits<L>,
    /// It waits to be explored.
    pub probe_armed: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct ElabSchedulerOut<L: Reading> {
    /// The tables are swept after reset.
    pub busy: Bits<L>,
    /// An operation can be taken.
    #[ready(control)]
    pub control_ready: Bits<L>,
    /// A report can be taken.
    #[ready(report)]
    pub report_ready: Bits<L>,
    /// 2 `l` + 8 cycles behind each request.
    pub grant: Grant<L>,
    /// `l` + 14 cycles behind each operation.
    pub response: Response<L>,
    /// Requests for a pair that is none, or in the sweep.
    pub refused_requests: Bits<L>,
    /// Requests for a pair without a VP.
    pub no_vp_requests: Bits<L>,
    /// Reports for a pair that is none.
    pub refused_reports: Bits<L>,
    /// Reports of a VP that is not present.
    pub absent_reports: Bits<L>,
    /// Bursts that have begun.
    pub bursts: Bits<L>,
}

pub(super) fn input_shape(sizes: ElabSizes) -> ElabSchedulerIn<Shape> {
    let (flag, pair, sport) = (bits(1), sizes.pair(), bits(SPORT_WIDTH));
    ElabSchedulerIn {
        request: Request { valid: flag, pair },
        report: Report {
            valid: flag,
            pair,
            vp: sport,
            count: bits(COUNT_WIDTH),
            ecn: flag,
            probed: flag,
            rate: bits(REPORTED_RATE_WIDTH),
        },
        control: Control { valid: flag, op: bits(2), pair, sport, bandwidth: bits(RATE_WIDTH) },
        settings: Settings {
            alpha: bits(ALPHA_WIDTH),
            window: bits(TIME_WIDTH),
            explore: bits(TIME_WIDTH),
            burst: bits(BURST_WIDTH),
        },
    }
}

pub(super) fn grant(sizes: ElabSizes) -> Grant<Shape> {
    Grant {
        valid: bits(1),
        pair: sizes.pair(),
        ok: bits(1),
        vp: bits(VP_WIDTH),
        sport: bits(SPORT_WIDTH),
        burst: bits(BURST_ID_WIDTH),
    }
}

pub(super) fn response(sizes: ElabSizes) -> Response<Shape> {
    let (flag, sport, rate) = (bits(1), bits(SPORT_WIDTH), bits(RATE_WIDTH));
    Response {
        valid: flag,
        op: bits(2),
        pair: sizes.pair(),
        sport,
        done: flag,
        present: flag,
        port: sport,
        bandwidth: rate,
        rate,
        probe_armed: flag,
    }
}
