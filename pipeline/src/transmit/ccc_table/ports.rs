// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/ccc_table.md`, defines each field.

use super::config::CccTableConfig;
use rtl_model::{Bits, Bundle, Reading};

/// Width of a time in units of 128 ns.
pub const TIME_WIDTH: u32 = 20;
/// Width of an RTT, a delay or a period.
pub const WAIT_WIDTH: u32 = 16;
/// Width of a nominal size.
pub const SIZE_WIDTH: u32 = 14;
/// Width of bytes in units of 256.
pub const QUANTA_WIDTH: u32 = 16;
/// Width of a number of packets.
pub const PACKETS_WIDTH: u32 = 16;
/// Width of a window and of other numbers of bytes.
pub const WINDOW_WIDTH: u32 = 28;
/// Width of *wnd_rate*: that of 3200 Gb/s and more.
pub const RATE_WIDTH: u32 = 21;
/// Width of *backlog*.
pub const BACKLOG_WIDTH: u32 = 40;
/// Width of a credit number.
pub const CREDIT_WIDTH: u32 = 24;
/// Width of a counter.
pub const COUNT_WIDTH: u32 = 32;

/// Codes of commands.
pub mod op {
    /// Width of the code.
    pub const WIDTH: u32 = 3;
    /// Reads the state.
    pub const READ: u64 = 0;
    /// Opens a CCC.
    pub const OPEN: u64 = 1;
    /// Closes a CCC.
    pub const CLOSE: u64 = 2;
    /// Changes class and weight.
    pub const CHANGE: u64 = 3;
}

/// Kinds of the events of `ack`.
pub mod kind {
    /// Width of the code.
    pub const WIDTH: u32 = 2;
    /// An ACK.
    pub const ACK: u64 = 0;
    /// A NACK.
    pub const NACK: u64 = 1;
    /// Credit of RCCC.
    pub const CREDIT: u64 = 2;
    /// No kind.
    pub const NONE: u64 = 3;
}

/// States of a CCC.
pub mod state {
    /// Nothing waits, and nothing is in flight.
    pub const IDLE: u64 = 0;
    /// Nothing waits, and packets are in flight.
    pub const PENDING: u64 = 1;
    /// Packets wait, and may not be sent.
    pub const ACTIVE: u64 = 2;
    /// Packets wait, and may be sent.
    pub const READY: u64 = 3;
}

/// An ACK, a NACK or credit.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct AckEvent<L: Reading> {
    /// There is an event.
    pub valid: Bits<L>,
    /// The number of the CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// The code of the kind: 0 ACK, 1 NACK, 2 credit.
    #[width(kind::WIDTH)]
    pub kind: Bits<L>,
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
    #[width(WINDOW_WIDTH)]
    pub rtx_bytes: Bits<L>,
    /// The packet was marked.
    pub marked: Bits<L>,
    /// The acknowledged packet was a retransmission.
    pub retx: Bits<L>,
    /// There is a time of transmission.
    pub timed: Bits<L>,
    /// How often the packet was sent again: 2 and 3 for more often than once.
    #[width(2)]
    pub rtx_count: Bits<L>,
    /// The time of the latest transmission, in units of 128 ns.
    #[width(TIME_WIDTH)]
    pub stamp: Bits<L>,
    /// The time of arrival.
    #[width(TIME_WIDTH)]
    pub arrived: Bits<L>,
    /// The service time, in units of 128 ns; 65535 for more.
    #[width(WAIT_WIDTH)]
    pub service: Bits<L>,
    /// The flag rcv_cwnd_pend: how much the receiver wants to be sent less, in 1 / 128.
    #[width(7)]
    pub pend: Bits<L>,
    /// The flag rc: the window before rcv_cwnd_pend is to be restored.
    pub restore: Bits<L>,
    /// The code of a NACK.
    #[width(8)]
    pub reason: Bits<L>,
    /// The nominal size of the packet of a NACK.
    #[width(SIZE_WIDTH)]
    pub size: Bits<L>,
    /// The credit number, in units of credit, cumulative.
    #[width(CREDIT_WIDTH)]
    pub credit: Bits<L>,
}

/// A packet that was sent, or the end of a turn.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct SendEvent<L: Reading> {
    /// There is an event.
    pub valid: Bits<L>,
    /// The number of the CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// The nominal size of the packet.
    #[width(SIZE_WIDTH)]
    pub size: Bits<L>,
    /// A packet was sent.
    pub packet: Bits<L>,
    /// It is a retransmission.
    pub retransmission: Bits<L>,
    /// The turn is over.
    pub last: Bits<L>,
    /// Without a packet: 1 if nothing could be sent in the turn, 0 if the CCC may be able to send.
    pub blocked: Bits<L>,
}

/// A packet that is taken for lost.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct LossEvent<L: Reading> {
    /// There is an event.
    pub valid: Bits<L>,
    /// The number of the CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// The nominal size of the packet.
    #[width(SIZE_WIDTH)]
    pub size: Bits<L>,
}

/// New data to send.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct DataEvent<L: Reading> {
    /// There is an event.
    pub valid: Bits<L>,
    /// The number of the CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// The nominal sizes of its packets.
    #[width(BACKLOG_WIDTH)]
    pub bytes: Bits<L>,
}

/// A command on a CCC.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Command<L: Reading> {
    /// There is a command.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close, 3 change.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// The number of the CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// Open: the CCC has NSCC.
    pub nscc: Bits<L>,
    /// Open: the CCC has RCCC.
    pub rccc: Bits<L>,
    /// Open and change: the class.
    #[width(2)]
    pub class: Bits<L>,
    /// Open and change: the packets of a turn.
    #[width(4)]
    pub weight: Bits<L>,
    /// Close: also if it is not idle.
    pub force: Bits<L>,
}

/// Settings.
#[derive(Bundle)]
#[shape]
pub struct Settings<L: Reading> {
    /// The fields are to be in force.
    pub valid: Bits<L>,
    /// The units of 128 ns per clock cycle, with 16 fraction bits.
    #[width(16)]
    pub tick: Bits<L>,
    /// The nominal size of the largest packet.
    #[width(SIZE_WIDTH)]
    pub mtu: Bits<L>,
    /// The RTT without queues, in units of 128 ns.
    #[width(WAIT_WIDTH)]
    pub config_base_rtt: Bits<L>,
    /// The smallest RTT that is believed, in units of 128 ns.
    #[width(WAIT_WIDTH)]
    pub rtt_floor: Bits<L>,
    /// The growth of the maximum window with the RTT, in 1 / 16 byte per 128 ns.
    #[width(RATE_WIDTH)]
    pub wnd_rate: Bits<L>,
    /// The first window, in bytes.
    #[width(WINDOW_WIDTH)]
    pub config_wnd: Bits<L>,
    /// The target delay, in units of 128 ns.
    #[width(WAIT_WIDTH)]
    pub target: Bits<L>,
    /// A delay below it counts as none, in units of 128 ns.
    #[width(WAIT_WIDTH)]
    pub small_delay: Bits<L>,
    /// The factor of proportional increase, in 1 / 256 byte per unit of 128 ns.
    #[width(26)]
    pub alpha: Bits<L>,
    /// The factor of fair increase, in bytes.
    #[width(24)]
    pub fi: Bits<L>,
    /// The factor of fast increase, with 8 fraction bits.
    #[width(16)]
    pub fi_scale: Bits<L>,
    /// What an adjustment on time adds, in bytes.
    #[width(20)]
    pub eta: Bits<L>,
    /// The factor of multiplicative decrease, with 8 fraction bits.
    #[width(8)]
    pub gamma: Bits<L>,
    /// The largest part that a decrease takes, with 8 fraction bits.
    #[width(8)]
    pub max_cut: Bits<L>,
    /// Quick adapt is on.
    pub qa_enable: Bits<L>,
    /// Quick adapt needs less than this part of the maximum window, as a power of two.
    #[width(4)]
    pub qa_gate: Bits<L>,
    /// Quick adapt needs a delay above this one, in units of 128 ns.
    #[width(WAIT_WIDTH)]
    pub qa_threshold: Bits<L>,
    /// An adjustment is made after so many bytes.
    #[width(24)]
    pub adjust_bytes: Bits<L>,
    /// An adjustment is made after this time, in units of 128 ns.
    #[width(WAIT_WIDTH)]
    pub adjust_period: Bits<L>,
    /// With a window below this one packets ask for an ACK, in bytes.
    #[width(24)]
    pub ack_trigger: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct CccTableIn<L: Reading> {
    /// ACKs, NACKs and credit.
    pub ack: AckEvent<L>,
    /// Packets that were sent, ends of turns, and that a CCC may be able to send again.
    pub send: SendEvent<L>,
    /// Packets that are taken for lost.
    pub loss: LossEvent<L>,
    /// New data.
    pub data: DataEvent<L>,
    /// Commands on CCCs.
    pub command: Command<L>,
    /// Settings, which are registers.
    pub settings: Settings<L>,
    /// The receiver of grants is ready.
    #[ready(grant)]
    pub grant_ready: Bits<L>,
}

/// A CCC may send.
#[derive(Bundle)]
pub struct Grant<L: Reading> {
    /// There is a grant; stays 1 until `grant_ready`.
    #[reset]
    pub valid: Bits<L>,
    /// The number of the CCC.
    pub ccc: Bits<L>,
    /// A packet may be sent if the sizes of those sent in the turn sum up to at most this.
    pub limit: Bits<L>,
    /// The packets of the turn.
    pub packets: Bits<L>,
    /// Packets wait for retransmission.
    pub retransmission: Bits<L>,
    /// The packets ask for an ACK.
    pub ack_request: Bits<L>,
    /// The credit target, in units of credit.
    pub credit_target: Bits<L>,
}

/// The answer to a command.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// The number of the CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// The CCC is open.
    pub open: Bits<L>,
    /// The code of the state: 0 idle, 1 pending, 2 active, 3 ready.
    #[width(2)]
    pub state: Bits<L>,
    /// The CCC is in turn.
    pub granted: Bits<L>,
    /// It has NSCC.
    pub nscc: Bits<L>,
    /// It has RCCC.
    pub rccc: Bits<L>,
    /// Its class.
    #[width(2)]
    pub class: Bits<L>,
    /// The packets of a turn.
    #[width(4)]
    pub weight: Bits<L>,
    /// Bytes that wait to be sent for the first time.
    #[width(BACKLOG_WIDTH)]
    pub backlog: Bits<L>,
    /// Bytes that wait to be sent again.
    #[width(WINDOW_WIDTH)]
    pub rtx_backlog: Bits<L>,
    /// Packets that wait to be sent again.
    #[width(PACKETS_WIDTH)]
    pub waiting_rtx: Bits<L>,
    /// Packets in flight.
    #[width(PACKETS_WIDTH)]
    pub inflight_pkts: Bits<L>,
    /// Bytes in flight, signed.
    #[width(WINDOW_WIDTH + 1)]
    pub inflight: Bits<L>,
    /// The window.
    #[width(WINDOW_WIDTH)]
    pub cwnd: Bits<L>,
    /// The maximum window.
    #[width(WINDOW_WIDTH)]
    pub max_wnd: Bits<L>,
    /// The RTT without queues, in units of 128 ns.
    #[width(WAIT_WIDTH)]
    pub base_rtt: Bits<L>,
    /// The filtered delay, in units of 128 ns.
    #[width(WAIT_WIDTH)]
    pub delay: Bits<L>,
    /// The credit in bytes, signed.
    #[width(WINDOW_WIDTH + 1)]
    pub credit: Bits<L>,
    /// The credit target, in units of credit.
    #[width(CREDIT_WIDTH)]
    pub credit_target: Bits<L>,
}

/// Counters of `ccc_table`.
#[derive(Bundle)]
pub struct CccTableCounts<L: Reading> {
    /// Events for CCCs that are not open, since reset. The counter wraps.
    pub closed_events: Bits<L>,
    /// ACKs, NACKs and losses of more than is in flight, since reset. The counter wraps.
    pub excess_acks: Bits<L>,
    /// Packets sent beyond what the counts can hold, since reset. The counter wraps.
    pub excess_sends: Bits<L>,
    /// Packets sent that did not wait, since reset. The counter wraps.
    pub short_backlogs: Bits<L>,
    /// New data beyond what the count can hold, since reset. The counter wraps.
    pub refused_data: Bits<L>,
    /// Credit older than what is known, since reset. The counter wraps.
    pub stale_credits: Bits<L>,
    /// Time stamps from the future, since reset. The counter wraps.
    pub bad_times: Bits<L>,
    /// Adjustments of a window, since reset. The counter wraps.
    pub adjustments: Bits<L>,
    /// Adjustments without effect, since reset. The counter wraps.
    pub void_adjustments: Bits<L>,
    /// Windows set by quick adapt, since reset. The counter wraps.
    pub quick_adapts: Bits<L>,
    /// Takes without a grant, since reset. The counter wraps.
    pub unready_turns: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct CccTableOut<L: Reading> {
    /// An event of `ack` can be taken.
    #[ready(ack)]
    pub ack_ready: Bits<L>,
    /// An event of `send` can be taken.
    #[ready(send)]
    pub send_ready: Bits<L>,
    /// An event of `loss` can be taken.
    #[ready(loss)]
    pub loss_ready: Bits<L>,
    /// An event of `data` can be taken.
    #[ready(data)]
    pub data_ready: Bits<L>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// An event of `ack`, `send` or `loss` has been accepted and has not entered.
    pub event_waiting: Bits<L>,
    /// One of them enters in this clock cycle.
    pub event_entering: Bits<L>,
    /// An event of `data` has been accepted and has not entered.
    pub data_waiting: Bits<L>,
    /// One of them enters in this clock cycle.
    pub data_entering: Bits<L>,
    /// The tables are being swept after reset.
    pub busy: Bits<L>,
    /// Turns.
    pub grant: Grant<L>,
    /// The answers to commands.
    pub response: Response<L>,
    /// What it has counted.
    #[flatten]
    pub counts: CccTableCounts<L>,
}
