// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/elab_scheduler.md`, defines each field.

use crate::elab::{
    BURST_ID_WIDTH, BURST_WIDTH, COUNT_WIDTH, ElabSizes, RATE_WIDTH, REPORTED_RATE_WIDTH, SPORT_WIDTH, TIME_WIDTH,
    VP_WIDTH,
};
use rtl_model::{Bits, Bundle, Reading};

/// Width of `settings_alpha` in bits; the setting is in 1/256.
pub const ALPHA_WIDTH: u32 = 8;

/// Width of `settings_silence` in bits: 1.5 RTT of 33 ms are below that in units of 1 us.
pub const SILENCE_WIDTH: u32 = 16;

/// A request for a VP for one packet.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Request<L: Reading> {
    /// There is a request; it is always taken.
    pub valid: Bits<L>,
    /// The pair of hosts that the packet is for.
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
    /// The packet has no bytes: the other host does not report it, so its silence says nothing.
    pub empty: Bits<L>,
}

/// A report of the receiver about one VP: fields of the ELAB header.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Report<L: Reading> {
    /// There is a report; it is taken while `report_ready` is 1.
    pub valid: Bits<L>,
    /// The pair of hosts: the report came from the other one.
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
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

/// Codes of commands.
pub mod op {
    /// Reads the state of a VP.
    pub const READ: u64 = 0;
    /// Adds one.
    pub const ADD: u64 = 1;
    /// Removes it.
    pub const REMOVE: u64 = 2;
}

/// A command.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 add, 2 remove.
    #[width(2)]
    pub op: Bits<L>,
    /// The pair of hosts that it works on.
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
    /// The UDP source port of the VP that it works on.
    #[width(SPORT_WIDTH)]
    pub sport: Bits<L>,
    /// Add: the bandwidth of the VP. It is in packets per unit of time, with 16 fraction bits.
    #[width(RATE_WIDTH)]
    pub bandwidth: Bits<L>,
}

/// A transfer of settings; it may come at any time.
#[derive(Bundle)]
#[shape]
pub struct Settings<L: Reading> {
    /// The settings are those of the other fields from the next clock cycle on.
    pub valid: Bits<L>,
    /// The weight of a new rate in the average, in parts of 256.
    #[width(ALPHA_WIDTH)]
    pub alpha: Bits<L>,
    /// The least time between two updates of a VP, in units of time.
    #[width(TIME_WIDTH)]
    pub window: Bits<L>,
    /// The units of time without a mark until a VP is explored (T_explore).
    #[width(TIME_WIDTH)]
    pub explore: Bits<L>,
    /// The number of packets of a burst (C_burst); 0 for no bursts.
    #[width(BURST_WIDTH)]
    pub burst: Bits<L>,
    /// The units of time without an answer after which a VP is dead; 0 for never.
    #[width(SILENCE_WIDTH)]
    pub silence: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct ElabSchedulerIn<L: Reading> {
    /// Requests: each asks for the VP of a packet.
    pub request: Request<L>,
    /// Reports: what the receiver says of a VP, fields of the ELAB header.
    pub report: Report<L>,
    /// Commands: each reads, adds or removes a VP.
    pub command: Command<L>,
    /// Settings: registers that keep their values until the next transfer, and have those of the configuration after reset.
    pub settings: Settings<L>,
}

/// The grant for a request.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Grant<L: Reading> {
    /// There is a grant.
    #[reset]
    pub valid: Bits<L>,
    /// The pair of hosts of the request.
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
    /// The packet may be sent; all that follows is 0 otherwise.
    pub ok: Bits<L>,
    /// The number of the VP in its pair.
    #[width(VP_WIDTH)]
    pub vp: Bits<L>,
    /// The UDP source port of the VP.
    #[width(SPORT_WIDTH)]
    pub sport: Bits<L>,
    /// The Burst_ID of the packet; 0 outside of bursts.
    #[width(BURST_ID_WIDTH)]
    pub burst: Bits<L>,
}

/// The response to a command.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(2)]
    pub op: Bits<L>,
    /// The pair of hosts of the command.
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
    /// The UDP source port of the command.
    #[width(SPORT_WIDTH)]
    pub sport: Bits<L>,
    /// The command could be done.
    pub done: Bits<L>,
    /// There is a VP of this number now; all that follows is 0 otherwise.
    pub present: Bits<L>,
    /// The UDP source port of that VP.
    #[width(SPORT_WIDTH)]
    pub port: Bits<L>,
    /// Its bandwidth (B). It is in packets per unit of time, with 16 fraction bits.
    #[width(RATE_WIDTH)]
    pub bandwidth: Bits<L>,
    /// Its rate (R). It is in packets per unit of time, with 16 fraction bits.
    #[width(RATE_WIDTH)]
    pub rate: Bits<L>,
    /// It waits to be explored.
    pub probe_armed: Bits<L>,
    /// It is dead.
    pub dead: Bits<L>,
}

/// What has become of a VP.
#[derive(Bundle)]
#[shape(sizes: ElabSizes)]
pub struct VpNotice<L: Reading> {
    /// There is such a VP, in this clock cycle alone.
    #[reset]
    pub valid: Bits<L>,
    /// The pair of hosts.
    #[shape(sizes.pair())]
    pub pair: Bits<L>,
    /// The UDP source port of the VP.
    #[width(SPORT_WIDTH)]
    pub sport: Bits<L>,
}

/// Counters of `elab_scheduler`.
#[derive(Bundle)]
pub struct ElabSchedulerCounts<L: Reading> {
    /// Requests for a pair that is none, or in the sweep, since reset. The counter wraps.
    pub refused_requests: Bits<L>,
    /// Requests for a pair without a VP, since reset. The counter wraps.
    pub no_vp_requests: Bits<L>,
    /// Reports for a pair that is none, since reset. The counter wraps.
    pub refused_reports: Bits<L>,
    /// Reports of a VP that is not present, since reset. The counter wraps.
    pub absent_reports: Bits<L>,
    /// Bursts that have begun, since reset. The counter wraps.
    pub bursts: Bits<L>,
    /// VPs that were found dead, since reset. The counter wraps.
    pub deaths: Bits<L>,
    /// Dead VPs that have returned, since reset. The counter wraps.
    pub returns: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct ElabSchedulerOut<L: Reading> {
    /// The tables are being swept after reset.
    pub busy: Bits<L>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// A report can be taken.
    #[ready(report)]
    pub report_ready: Bits<L>,
    /// The answers to requests, each 2 `l` + 8 clock cycles after its request.
    pub grant: Grant<L>,
    /// The answers to commands, each `l` + 14 clock cycles after its command.
    pub response: Response<L>,
    /// VPs found dead, each 2 `l` + 9 clock cycles after the request of the packet that found it.
    pub dead: VpNotice<L>,
    /// Dead VPs that have returned, each `l` + 14 clock cycles after its report.
    pub returned: VpNotice<L>,
    /// What it has counted.
    #[flatten]
    pub counts: ElabSchedulerCounts<L>,
}
