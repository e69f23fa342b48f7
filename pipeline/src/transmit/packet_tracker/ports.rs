// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/packet_tracker.md`, defines each field.

use super::config::{EV_WIDTH, PacketTrackerConfig};
use rtl_model::{Bits, Bundle, Reading};

pub use super::codes::*;

/// Width of a time in units of 128 ns.
pub const TIME_WIDTH: u32 = 20;
/// Width of a retransmission time-out: up to 8.5 s.
pub const RTO_WIDTH: u32 = 26;
/// Width of the time of timers: twice the longest time-out.
pub const TIMER_WIDTH: u32 = RTO_WIDTH + 1;
/// Width of a number of time-outs in a row.
pub const RETRIES_WIDTH: u32 = 4;
/// Width of its limit: no number reaches 16.
pub const RETRY_LIMIT_WIDTH: u32 = RETRIES_WIDTH + 1;
/// Width of the limit of backoffs in a row.
pub const BACKOFF_LIMIT_WIDTH: u32 = 5;
/// Width of the time up to a probe of the tail: up to 8.4 ms.
pub const TAIL_PROBE_WIDTH: u32 = 16;
/// Width of a nominal size.
pub const SIZE_WIDTH: u32 = 14;
/// Width of bytes in units of 256.
pub const QUANTA_WIDTH: u32 = 16;
/// Width of a number of packets in an event.
pub const PACKETS_WIDTH: u32 = 16;
/// Width of a sum of sizes.
pub const BYTES_WIDTH: u32 = 28;
/// Width of rcvd_bytes, in units of 256 bytes, and of a credit number.
pub const TOTAL_WIDTH: u32 = 24;
/// Width of an offset of PSNs.
pub const OFFSET_WIDTH: u32 = 16;
/// Width of the SACK bitmap.
pub const SACK_WIDTH: u32 = 64;
/// Width of mpr.
pub const MPR_WIDTH: u32 = 8;
/// Width of the code of a NACK.
pub const REASON_WIDTH: u32 = 8;
/// Width of how often a packet was sent again.
pub const RTX_WIDTH: u32 = 2;
/// Width of a counter.
pub const COUNT_WIDTH: u32 = 32;

/// An ACK, a NACK or credit.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct AckEvent<L: Reading> {
    /// There is one.
    pub valid: Bits<L>,
    /// The number of the PDC.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// The code of the kind: 0 ACK, 1 NACK, 2 credit, 3 backoff.
    #[width(kind::WIDTH)]
    pub kind: Bits<L>,
    /// ACK: cack_psn. NACK, backoff: nack_psn.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// ACK: `ack_trigger_offset` is there; 0 for the answer to a probe.
    pub triggered: Bits<L>,
    /// ACK: ack_psn_offset, signed: the PSN of the packet that made the peer answer, less `ack_psn`.
    #[width(OFFSET_WIDTH)]
    pub trigger_offset: Bits<L>,
    /// ACK: sack_psn_offset, signed: the PSN of bit 0 of the SACK bitmap, less `ack_psn`.
    #[width(OFFSET_WIDTH)]
    pub sack_offset: Bits<L>,
    /// ACK: the SACK bitmap; 0 if there is none.
    #[width(SACK_WIDTH)]
    pub sack: Bits<L>,
    /// ACK: `ack_rcvd_bytes` is there.
    pub counted: Bits<L>,
    /// ACK: rcvd_bytes, in units of 256, cumulative.
    #[width(TOTAL_WIDTH)]
    pub rcvd_bytes: Bits<L>,
    /// ACK: mpr, in units of 128 PSNs; 0 for no statement.
    #[width(MPR_WIDTH)]
    pub mpr: Bits<L>,
    /// The flag m.
    pub marked: Bits<L>,
    /// The flag retx.
    pub retx: Bits<L>,
    /// ACK, NACK: its EV, or the sub-path that it is about.
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    /// The time of arrival, a value of the port `now`.
    #[width(TIME_WIDTH)]
    pub arrived: Bits<L>,
    /// ACK: service_time, in units of 128 ns.
    #[width(16)]
    pub service: Bits<L>,
    /// ACK: rcv_cwnd_pend.
    #[width(7)]
    pub pend: Bits<L>,
    /// ACK: rc.
    pub restore: Bits<L>,
    /// NACK: its code. Backoff: the syndrome of an RNR NAK, or the code of a NACK.
    #[width(REASON_WIDTH)]
    pub reason: Bits<L>,
    /// Credit: its number, in units of credit, cumulative.
    #[width(TOTAL_WIDTH)]
    pub credit: Bits<L>,
}

/// A packet to be sent, or the end of a turn.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct SendEvent<L: Reading> {
    /// There is one.
    pub valid: Bits<L>,
    /// The number of the PDC.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// The code of the operation: 0 end, 1 new, 2 again; 3 is treated as end.
    #[width(send_op::WIDTH)]
    pub op: Bits<L>,
    /// New: the nominal size of the packet.
    #[width(SIZE_WIDTH)]
    pub size: Bits<L>,
    /// New, again: the EV, or the sub-path, that it is sent on.
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    /// New: the packet asks for an ACK.
    pub asks: Bits<L>,
    /// The turn is over.
    pub last: Bits<L>,
}

/// A command on a PDC.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Command<L: Reading> {
    /// There is a command.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close, 3 change, 4 lose, 5 fail.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// The number of the PDC.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// Open: the first PSN. Fail: that of the packet that is refused.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// Open: the number of its CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// Open, change: the most PSNs in its window; 0 and all above *W* stand for *W*.
    #[shape(config.count())]
    pub window: Bits<L>,
    /// Open: the first mpr; 0 for no statement.
    #[width(MPR_WIDTH)]
    pub mpr: Bits<L>,
    /// Lose: the EV or sub-path.
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    /// Lose: whatever the EV.
    pub all: Bits<L>,
    /// Close: also if packets are not acknowledged.
    pub force: Bits<L>,
    /// Lose: a PDC that has failed stays so.
    pub stays_failed: Bits<L>,
    /// Fail: what the peer has said.
    #[width(REASON_WIDTH)]
    pub code: Bits<L>,
    /// Open, change: the PDC has a time-out and limits of its own, in place of those of the settings.
    pub own_timer: Bits<L>,
    /// Open, change: its first time-out, in units of 128 ns; 0 for never.
    #[width(RTO_WIDTH)]
    pub rto: Bits<L>,
    /// Open, change: its time-outs in a row after which it fails with the next one; 16 and above for never.
    #[width(RETRY_LIMIT_WIDTH)]
    pub retries: Bits<L>,
    /// Open, change: its backoffs in a row after which it fails with the next one; 31 for never.
    #[width(BACKOFF_LIMIT_WIDTH)]
    pub backoff_limit: Bits<L>,
    /// Open, change: after this time without an ACK its last packet is sent again, in units of 128 ns; 0 for never.
    #[width(TAIL_PROBE_WIDTH)]
    pub tail_probe: Bits<L>,
}

/// New settings.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Settings<L: Reading> {
    /// The registers take all fields.
    pub valid: Bits<L>,
    /// Units of 128 ns per clock cycle, with 16 fraction bits; the same as that of `ccc_table`.
    #[width(16)]
    pub tick: Bits<L>,
    /// The first retransmission time-out, in units of 128 ns; 0 for never.
    #[width(RTO_WIDTH)]
    pub rto: Bits<L>,
    /// Time-outs in a row after which a PDC fails with the next one; 16 and above for never.
    #[width(RETRY_LIMIT_WIDTH)]
    pub retries: Bits<L>,
    /// A packet so many PSNs behind the highest acknowledged one is not taken for lost.
    #[width(config.slot_bits())]
    pub span: Bits<L>,
    /// The first backoff for a NACK, in units of 128 ns.
    #[width(RTO_WIDTH)]
    pub backoff: Bits<L>,
    /// Backoffs in a row after which a PDC fails with the next one; 31 for never.
    #[width(BACKOFF_LIMIT_WIDTH)]
    pub backoff_limit: Bits<L>,
    /// After this time without an ACK the last packet of a PDC is sent again, in units of 128 ns; 0 for never.
    #[width(TAIL_PROBE_WIDTH)]
    pub tail_probe: Bits<L>,
}

/// What `ccc_table` is to know.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Event<L: Reading> {
    /// There is an event; stays 1 until `event_ready`.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the kind: 0 ACK, 1 NACK, 2 credit, 3 send, 4 loss.
    #[width(event_kind::WIDTH)]
    pub kind: Bits<L>,
    /// The number of the PDC.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// New packets for which the window of the PDC has room now.
    #[shape(config.count())]
    pub room: Bits<L>,
    /// The number of its CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// Bytes that are newly received, in units of 256.
    #[width(QUANTA_WIDTH)]
    pub quanta: Bits<L>,
    /// Packets in flight that are newly acknowledged.
    #[width(PACKETS_WIDTH)]
    pub packets: Bits<L>,
    /// Packets marked for retransmission that are newly acknowledged.
    #[width(PACKETS_WIDTH)]
    pub rtx_packets: Bits<L>,
    /// The sum of their sizes.
    #[width(BYTES_WIDTH)]
    pub rtx_bytes: Bits<L>,
    /// The flag m.
    pub marked: Bits<L>,
    /// The flag retx.
    pub retx: Bits<L>,
    /// An ACK or NACK has been found good: what it says of its path counts.
    pub feedback: Bits<L>,
    /// Its EV, or the sub-path that it is about.
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    /// There is a time of transmission.
    pub timed: Bits<L>,
    /// How often the packet was sent again.
    #[width(RTX_WIDTH)]
    pub rtx_count: Bits<L>,
    /// The time of its latest transmission.
    #[width(TIME_WIDTH)]
    pub stamp: Bits<L>,
    /// The time of arrival.
    #[width(TIME_WIDTH)]
    pub arrived: Bits<L>,
    /// The service time.
    #[width(16)]
    pub service: Bits<L>,
    /// rcv_cwnd_pend.
    #[width(7)]
    pub pend: Bits<L>,
    /// rc.
    pub restore: Bits<L>,
    /// The code of a NACK.
    #[width(REASON_WIDTH)]
    pub reason: Bits<L>,
    /// The nominal size of the packet of a NACK, a send or a loss.
    #[width(SIZE_WIDTH)]
    pub size: Bits<L>,
    /// The credit number.
    #[width(TOTAL_WIDTH)]
    pub credit: Bits<L>,
    /// Send: a packet was sent.
    pub packet: Bits<L>,
    /// Send: it is a retransmission.
    pub retransmission: Bits<L>,
    /// Send: the turn is over.
    pub last: Bits<L>,
}

/// What became of a packet.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Outcome<L: Reading> {
    /// There is an outcome; stays 1 until `outcome_ready`.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the PDC.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// The number of its CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// 0 acknowledged, 1 acknowledged late, 2 NACK, 3 lost, 4 discarded, 5 discarded late, 6 no room: a NACK
    /// says so, or a backoff is over.
    #[width(outcome_kind::WIDTH)]
    pub kind: Bits<L>,
    /// The PSN.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// The EV or sub-path of its latest transmission.
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    /// Its nominal size.
    #[width(SIZE_WIDTH)]
    pub size: Bits<L>,
    /// How often it was sent again; 3 for more often.
    #[width(RTX_WIDTH)]
    pub rtx_count: Bits<L>,
    /// Kinds 0, 1: it is the packet that made the peer answer.
    pub trigger: Bits<L>,
    /// The flag m of the ACK or NACK, if `outcome_trigger` is 1 or the kind is 2.
    pub marked: Bits<L>,
    /// `outcome_age` is a valid measurement.
    pub timed: Bits<L>,
    /// The time from its latest transmission to the arrival, in units of 128 ns.
    #[width(TIME_WIDTH)]
    pub age: Bits<L>,
    /// Kind 3: it is the first PSN that is not cumulatively acknowledged.
    pub at_base: Bits<L>,
}

/// A PDC that has failed.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Failure<L: Reading> {
    /// A PDC has failed; stays 1 until `failure_ready`.
    #[reset]
    pub valid: Bits<L>,
    /// Its number.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// Why: 0 too many time-outs in a row, 1 no path is left, 2 the peer refuses, 3 the peer has had no room too often.
    #[width(failure_reason::WIDTH)]
    pub reason: Bits<L>,
    /// If the reason is that the peer refuses, what it has said: the syndrome of its NAK, or the code of its NACK; otherwise 0.
    #[width(REASON_WIDTH)]
    pub code: Bits<L>,
}

/// The answer to a send.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Sent<L: Reading> {
    /// There is an answer.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the PDC.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// The code of the operation.
    #[width(send_op::WIDTH)]
    pub op: Bits<L>,
    /// The packet is to be sent.
    pub ok: Bits<L>,
    /// Its PSN.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// Its nominal size.
    #[width(SIZE_WIDTH)]
    pub size: Bits<L>,
    /// How often it was sent again, this time included; 3 for more often.
    #[width(RTX_WIDTH)]
    pub rtx_count: Bits<L>,
    /// Packets of the PDC that are still marked for retransmission, and may be sent.
    #[shape(config.count())]
    pub marked: Bits<L>,
    /// The PDC backs off: nothing more may be sent for now.
    pub backs_off: Bits<L>,
    /// New packets for which the window still has room.
    #[shape(config.count())]
    pub room: Bits<L>,
}

/// The answer to a command.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// The number of the PDC.
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// The PDC is open.
    pub open: Bits<L>,
    /// It has failed.
    pub failed: Bits<L>,
    /// The number of its CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// The base: the first PSN that is not cumulatively acknowledged.
    #[shape(config.psn())]
    pub base: Bits<L>,
    /// The PSN of the next new packet.
    #[shape(config.psn())]
    pub next: Bits<L>,
    /// Packets in flight.
    #[shape(config.count())]
    pub in_flight: Bits<L>,
    /// Packets marked for retransmission.
    #[shape(config.count())]
    pub marked: Bits<L>,
    /// Time-outs in a row.
    #[width(RETRIES_WIDTH)]
    pub retries: Bits<L>,
    /// The most PSNs in the window.
    #[shape(config.count())]
    pub window: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct PacketTrackerIn<L: Reading> {
    /// ACKs, NACKs and credit from the peer.
    pub ack: AckEvent<L>,
    /// Packets to be sent, and ends of turns.
    pub send: SendEvent<L>,
    /// Commands on PDCs.
    pub command: Command<L>,
    /// Settings, which are registers.
    pub settings: Settings<L>,
    /// It is taken.
    #[ready(event)]
    pub event_ready: Bits<L>,
    /// It is taken.
    #[ready(outcome)]
    pub outcome_ready: Bits<L>,
    /// It is taken.
    #[ready(failure)]
    pub failure_ready: Bits<L>,
    /// Frames cannot leave: timers stand still.
    pub paused: Bits<L>,
}

/// Counters of `packet_tracker`.
#[derive(Bundle)]
pub struct PacketTrackerCounts<L: Reading> {
    /// Operations of `ack` and `send` for PDCs that are not open, since reset. The counter wraps.
    pub closed_events: Bits<L>,
    /// ACKs that say more than was sent, or are older than a window, since reset. The counter wraps.
    pub outside_acks: Bits<L>,
    /// ACKs with a rcvd_bytes older than what is known, since reset. The counter wraps.
    pub old_totals: Bits<L>,
    /// NACKs without effect, since reset. The counter wraps.
    pub void_nacks: Bits<L>,
    /// ACKs and NACKs with a time of transmission from the future, since reset. The counter wraps.
    pub bad_times: Bits<L>,
    /// Packets that were acknowledged while marked for retransmission, since reset. The counter wraps.
    pub late_acks: Bits<L>,
    /// New packets for which the window had no room, or the PDC backed off, since reset. The counter wraps.
    pub refused_sends: Bits<L>,
    /// Retransmissions asked for with no packet marked that could be sent, since reset. The counter wraps.
    pub empty_sends: Bits<L>,
    /// Packets taken for lost by time, since reset. The counter wraps.
    pub timeouts: Bits<L>,
    /// Packets taken for lost by span, at the end of a window, or behind a backoff, since reset. The counter wraps.
    pub inferred_losses: Bits<L>,
    /// Packets taken for lost by command, since reset. The counter wraps.
    pub declared_losses: Bits<L>,
    /// Backoffs that have begun, since reset. The counter wraps.
    pub backoffs: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct PacketTrackerOut<L: Reading> {
    /// One can be taken.
    #[ready(ack)]
    pub ack_ready: Bits<L>,
    /// One can be taken.
    #[ready(send)]
    pub send_ready: Bits<L>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// What `ccc_table` is to know, in order.
    pub event: Event<L>,
    /// What became of packets, one transfer for each.
    pub outcome: Outcome<L>,
    /// PDCs with too many time-outs in a row.
    pub failure: Failure<L>,
    /// The answers to `send`, but not to *end*.
    pub sent: Sent<L>,
    /// The answers to commands.
    pub response: Response<L>,
    /// The time, in units of 128 ns.
    pub now: Bits<L>,
    /// Nothing waits or is under way, no event and no outcome is open.
    pub quiet: Bits<L>,
    /// An event of `ack` has been accepted and not yet entered.
    pub ack_waiting: Bits<L>,
    /// The tables are being swept after reset.
    pub busy: Bits<L>,
    /// What it has counted.
    #[flatten]
    pub counts: PacketTrackerCounts<L>,
}
