// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/path_scheduler.md`, defines each field.

use super::config::PathSchedulerConfig;
use rtl_model::{Bits, Bundle, Reading};

/// Width of the number of a sub-path in bits, as in the MPEH.
pub const PATH_WIDTH: u32 = 8;
/// Width of a PSN in bits.
pub const PSN_WIDTH: u32 = 24;
/// Width of an entropy in bits: that of an IPv6 flow label, whose low 16 bits serve as UDP source port.
pub const ENTROPY_WIDTH: u32 = 20;
/// Width of the number of a flowlet in bits.
pub const FLOWLET_WIDTH: u32 = 16;
/// Width of the state of a sub-path in bits.
pub const STATE_WIDTH: u32 = 3;
/// Width of a command code in bits.
pub const OP_WIDTH: u32 = 4;
/// Width of `settings_raise`.
pub const RAISE_WIDTH: u32 = 6;
/// Width of `settings_fail`.
pub const FAIL_WIDTH: u32 = 3;
/// Width of `settings_migrate`.
pub const MIGRATE_WIDTH: u32 = 3;
/// Width of a flowlet time, in units of 64 clock cycles.
pub const FLOWLET_TIME_WIDTH: u32 = 16;
/// Width of `settings_rtt`: half of the deadlines that it makes.
pub const RTT_WIDTH: u32 = 15;
/// Width of a measured round-trip time and of `settings_delay`.
pub const DELAY_WIDTH: u32 = 16;

/// Codes of requests.
pub mod kind {
    /// A packet with the next PSN.
    pub const DATA: u64 = 0;
    /// A retransmission; the PSN counter does not advance.
    pub const RETRANSMISSION: u64 = 1;
    /// A packet on a named sub-path that asks for its quality.
    pub const PROBE: u64 = 2;
}

/// A request for a sub-path for one packet.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Request<L: Reading> {
    /// There is a request; it is always taken.
    pub valid: Bits<L>,
    /// The number of the QP that sends.
    #[shape(config.qp())]
    pub qp: Bits<L>,
    /// The code of the packet: 0 data, 1 retransmission, 2 probe.
    #[width(2)]
    pub kind: Bits<L>,
    /// Probe: the sub-path that it goes over.
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
}

/// Feedback on one packet, or on its sub-path.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Feedback<L: Reading> {
    /// There is feedback; it is taken while `feedback_ready` is 1.
    pub valid: Bits<L>,
    /// The number of the QP of the packet.
    #[shape(config.qp())]
    pub qp: Bits<L>,
    /// The sub-path of the packet.
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// The code of what became of it: 0 GOOD, 1 ECN, 2 NACK, 3 TIMEOUT, 4 PROBE_ANSWER, 5 MARK, 6 RETURN, 7
    /// ARRIVED.
    #[width(3)]
    pub kind: Bits<L>,
    /// Its round-trip time in units of 128 ns, at most 65535; 0 for none.
    #[width(DELAY_WIDTH)]
    pub rtt: Bits<L>,
    /// Probe answer: the available bandwidth in units of a weight. MARK: not 0 for a notification.
    #[shape(config.weight())]
    pub bandwidth: Bits<L>,
}

/// The code of the answer to a probe, beside those of [`crate::transmit::feedback`].
pub const PROBE_ANSWER: u64 = 4;
/// The code of a mark on the sub-path of a packet that is not named.
pub const MARK: u64 = 5;
/// The code of a packet that was not sent, or was discarded with its connection.
pub const RETURN: u64 = 6;
/// The code of a packet that has arrived over the sub-path, and is not named.
pub const ARRIVED: u64 = 7;

/// Codes of commands.
pub mod op {
    /// Reads the state of a QP and of a sub-path.
    pub const READ: u64 = 0;
    /// Opens a QP.
    pub const OPEN: u64 = 1;
    /// Closes it.
    pub const CLOSE: u64 = 2;
    /// Changes its granularity.
    pub const SET_GRANULARITY: u64 = 3;
    /// Adds a sub-path in state probing.
    pub const ADD: u64 = 4;
    /// Makes a probing sub-path active, so that it carries packets.
    pub const START: u64 = 5;
    /// Sets the largest weight of a sub-path.
    pub const LIMIT: u64 = 6;
    /// Stops new packets on a sub-path.
    pub const DRAIN: u64 = 7;
    /// Stops new packets on a sub-path that has failed.
    pub const FAIL: u64 = 8;
    /// Removes it.
    pub const REMOVE: u64 = 9;
    /// Changes the flowlet time of a QP.
    pub const SET_FLOWLET: u64 = 10;
    /// Changes the entropy of a sub-path.
    pub const SET_ENTROPY: u64 = 11;
    /// Makes a failed sub-path a probing one.
    pub const RETRY: u64 = 12;
}

/// Codes of granularities.
pub mod granularity {
    /// One sub-path as long as it is active.
    pub const FLOW: u64 = 0;
    /// One sub-path for packets with gaps up to the flowlet time.
    pub const FLOWLET: u64 = 1;
    /// A newly selected sub-path for every packet.
    pub const PACKET: u64 = 2;
    /// Sub-path 0 alone.
    pub const SINGLE: u64 = 3;
}

/// A command.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command. Commands are 0 read, 1 open, 2 close, 3 set_granularity, 4 add, 5 start, 6 limit, 7
    /// drain, 8 fail, 9 remove, 10 set_flowlet, 11 set_entropy, 12 retry.
    #[width(OP_WIDTH)]
    pub op: Bits<L>,
    /// The number of the QP that it works on.
    #[shape(config.qp())]
    pub qp: Bits<L>,
    /// The sub-path that it works on.
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// Open: the first PSN.
    #[width(PSN_WIDTH)]
    pub psn: Bits<L>,
    /// Add, set_entropy: the entropy of the sub-path. With `entropy` = xor, open: that of sub-path 0.
    #[width(ENTROPY_WIDTH)]
    pub entropy: Bits<L>,
    /// Open, set_granularity: the code of the granularity: 0 flow, 1 flowlet, 2 packet; open: 3 single, one path for all of its life.
    #[width(2)]
    pub granularity: Bits<L>,
    /// Open, set_flowlet: the shortest time between two flowlets in units of 64 clock cycles; 0 for that of the settings.
    #[width(FLOWLET_TIME_WIDTH)]
    pub flowlet: Bits<L>,
    /// Add, limit: the most weight that the sub-path may have. Start with force: its weight.
    #[shape(config.weight())]
    pub weight: Bits<L>,
    /// Start: without a probe's answer.
    pub force: Bits<L>,
}

/// Settings, all of which are written together.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Settings<L: Reading> {
    /// The registers take all fields.
    pub valid: Bits<L>,
    /// The shortest time between two flowlets of a QP that was opened without one of its own. The unit is 64 clock cycles.
    #[width(FLOWLET_TIME_WIDTH)]
    pub flowlet: Bits<L>,
    /// The number of GOOD feedbacks that raises a weight; 0 for never.
    #[width(RAISE_WIDTH)]
    pub raise: Bits<L>,
    /// The number of losses in a row, NACKs and TIMEOUTs, that fail a sub-path; 0 for never.
    #[width(FAIL_WIDTH)]
    pub fail: Bits<L>,
    /// The shortest time from the first of these losses to a NACK that fails the sub-path, in units of 64 clock cycles; 0 for no
    /// NACK fails it.
    #[width(RTT_WIDTH)]
    pub fail_time: Bits<L>,
    /// A QP whose sub-paths have all failed waits for one of them, in place of failing itself.
    pub wait: Bits<L>,
    /// The number of steps down in a row after which a sub-path is avoided; 0 for never.
    #[width(MIGRATE_WIDTH)]
    pub migrate: Bits<L>,
    /// The most packets in flight on a sub-path.
    #[width(config.in_flight_bits - 1)]
    pub window: Bits<L>,
    /// The window of a sub-path when it starts, in packets; then it follows marks. 0 for windows that are all `settings_window`.
    #[width(config.initial_bits())]
    pub initial: Bits<L>,
    /// The time between two steps down of a sub-path, in units of 64 clock cycles; 0 for none.
    #[width(RTT_WIDTH)]
    pub rtt: Bits<L>,
    /// The round-trip time above which a GOOD counts as ECN, in units of 128 ns; 0 for never.
    #[width(DELAY_WIDTH)]
    pub delay: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct PathSchedulerIn<L: Reading> {
    /// Requests: each asks for the sub-path of a packet.
    pub request: Request<L>,
    /// Feedback: what became of a packet.
    pub feedback: Feedback<L>,
    /// Commands on a QP and its sub-paths.
    pub command: Command<L>,
    /// Settings, which are registers.
    pub settings: Settings<L>,
    /// It is taken.
    #[ready(event)]
    pub event_ready: Bits<L>,
    /// They are taken.
    #[ready(lost)]
    pub lost_ready: Bits<L>,
}

/// The grant for a request: fields for BTH, MPEH and UDP or IPv6.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Grant<L: Reading> {
    /// There is a grant.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the QP of the request.
    #[shape(config.qp())]
    pub qp: Bits<L>,
    /// The packet may be sent; all that follows is 0 otherwise.
    pub ok: Bits<L>,
    /// The path ID of the MPEH: the number of the sub-path.
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// The entropy of the sub-path. It is for the IPv6 flow label; its low 16 bits are for the UDP source port.
    #[width(ENTROPY_WIDTH)]
    pub entropy: Bits<L>,
    /// The PSN of the packet.
    #[width(PSN_WIDTH)]
    pub psn: Bits<L>,
    /// The flags of the MPEH: F, S, P, C from bit 0 on.
    #[width(8)]
    pub flags: Bits<L>,
    /// The flowlet sequence of the MPEH.
    #[width(FLOWLET_WIDTH)]
    pub flowlet: Bits<L>,
    /// The scheduling tag of the MPEH.
    #[width(16)]
    pub tag: Bits<L>,
}

/// The response to a command.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(OP_WIDTH)]
    pub op: Bits<L>,
    /// The number of its QP.
    #[shape(config.qp())]
    pub qp: Bits<L>,
    /// The number of its sub-path.
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// The command could be done.
    pub done: Bits<L>,
    /// The QP is open now.
    pub open: Bits<L>,
    /// The code of its granularity: 0 flow, 1 flowlet, 2 packet, 3 single.
    #[width(2)]
    pub granularity: Bits<L>,
    /// The state of the sub-path, a code. States are 0 absent, 1 probing, 2 active, 3 draining, 4 failed, 5
    /// probed.
    #[width(STATE_WIDTH)]
    pub state: Bits<L>,
    /// The weight of the sub-path; 0 if it is neither active nor probed.
    #[shape(config.weight())]
    pub weight: Bits<L>,
    /// The most weight that it may have.
    #[shape(config.weight())]
    pub limit: Bits<L>,
    /// The sub-path is congested (T13).
    pub congested: Bits<L>,
    /// The sub-path is avoided (T22).
    pub avoided: Bits<L>,
    /// The sub-path is full (T20).
    pub full: Bits<L>,
    /// The number of its packets in flight.
    #[shape(config.packets())]
    pub in_flight: Bits<L>,
    /// Its window that follows marks, in packets (T31).
    #[width(config.initial_bits())]
    pub window: Bits<L>,
}

/// What software should know of the sub-paths of a QP.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct EventOut<L: Reading> {
    /// There is an event.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the QP.
    #[shape(config.qp())]
    pub qp: Bits<L>,
    /// The sub-path of the first cause.
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// There was also a cause of another sub-path.
    pub more: Bits<L>,
    /// A sub-path has failed.
    pub failed: Bits<L>,
    /// The QP had no active sub-path left then.
    pub all_failed: Bits<L>,
    /// A sub-path is avoided, because it stayed congested.
    pub congested: Bits<L>,
    /// A sub-path has reached its window.
    pub saturated: Bits<L>,
}

/// Sub-paths of a QP that have failed: the packets in flight on them are lost.
#[derive(Bundle)]
#[shape(config: PathSchedulerConfig)]
pub struct LostPaths<L: Reading> {
    /// There are some.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the QP.
    #[shape(config.qp())]
    pub qp: Bits<L>,
    /// The sub-paths, a bit for each.
    #[shape(config.each())]
    pub paths: Bits<L>,
    /// The QP had no active sub-path left then, and `settings_wait` was 0.
    pub all_failed: Bits<L>,
}

/// Counters of `path_scheduler`.
#[derive(Bundle)]
pub struct PathSchedulerCounts<L: Reading> {
    /// Requests for a QP that is not open, since reset. The counter wraps.
    pub refused_requests: Bits<L>,
    /// Requests without a sub-path that can take them, since reset. The counter wraps.
    pub no_path_requests: Bits<L>,
    /// Requests for a QP whose active sub-paths are all full, since reset. The counter wraps.
    pub full_requests: Bits<L>,
    /// Feedback for a QP that is not open, since reset. The counter wraps.
    pub feedback_closed: Bits<L>,
    /// Feedback for a sub-path that no QP has, since reset. The counter wraps.
    pub feedback_range: Bits<L>,
    /// Feedback for a sub-path that is absent or has nothing in flight, since reset. The counter wraps.
    pub feedback_absent: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct PathSchedulerOut<L: Reading> {
    /// The tables are being swept after reset.
    pub busy: Bits<L>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// Feedback can be taken.
    #[ready(feedback)]
    pub feedback_ready: Bits<L>,
    /// The answers to requests (T1): fields of BTH, MPEH and UDP or IPv6.
    pub grant: Grant<L>,
    /// The answers to commands, each `l` + 4 clock cycles after its command.
    pub response: Response<L>,
    /// What software should know of the sub-paths of a QP.
    pub event: EventOut<L>,
    /// Sub-paths that have failed: the packets in flight on them are lost.
    pub lost: LostPaths<L>,
    /// What it has counted.
    #[flatten]
    pub counts: PathSchedulerCounts<L>,
}
