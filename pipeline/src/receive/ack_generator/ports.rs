// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/ack_generator.md`, defines each field. A field that one protocol alone has is an
//! option.

use super::config::AckGeneratorConfig;
use crate::headers::uet::nack;
use rtl_model::{Bits, Bundle, Reading};

pub use super::codes::{kind, op, outcome};

/// Width of a time in units of 128 ns.
pub const TIME_WIDTH: u32 = 20;
/// Width of the timer code of an RNR NAK.
pub const RNR_CODE_WIDTH: u32 = 5;
/// Width of a time stamp and of a delay.
pub const STAMP_WIDTH: u32 = 16;
/// Width of the number of a path, as in the MPEH.
pub const PATH_WIDTH: u32 = 8;
/// Width of a flowlet sequence.
pub const FLOWLET_WIDTH: u32 = 16;
/// Width of an MSN.
pub const MSN_WIDTH: u32 = 24;
/// Width of an EV.
pub const EV_WIDTH: u32 = 16;
/// Width of the length of a packet in bytes.
pub const LENGTH_WIDTH: u32 = 16;
/// PSNs in a SACK word.
pub const SACK_WIDTH: u32 = 64;
/// Width of `pressure`, and of rcv_cwnd_pend that says it (uet.md 1.5).
pub const PRESSURE_WIDTH: u32 = 7;
/// Width of the bytes received.
pub const TOTAL_WIDTH: u32 = 32;
/// Width of a counter.
pub const COUNT_WIDTH: u32 = 32;

/// An answer of `reorder`, with fields of its packet.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Arrival<L: Reading> {
    /// There is an arrival; it is always taken.
    pub valid: Bits<L>,
    /// The number of its connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The code of the outcome: 0 in order, 1 held, 2 duplicate, 3 below, 4 above, 5 no buffer, 6 unknown, 7 probe.
    #[width(outcome::WIDTH)]
    pub outcome: Bits<L>,
    /// The PSN.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// The expected PSN after the arrival.
    #[shape(config.psn())]
    pub expected: Bits<L>,
    /// What else is known of the packet and its connection.
    #[flatten]
    pub packet: ArrivedPacket<L>,
}

/// The rest of an arrival.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct ArrivedPacket<L: Reading> {
    /// The highest PSN received.
    #[shape(config.roce(config.psn()))]
    pub highest: Option<Bits<L>>,
    /// The number of packets received behind the expected PSN.
    #[shape(config.held())]
    pub held: Bits<L>,
    /// The expected PSN is in a gap that has been reported.
    #[width(config.roce(1))]
    pub suspected: Option<Bits<L>>,
    /// It has arrived after a packet with a higher PSN.
    #[width(config.roce(1))]
    pub late: Option<Bits<L>>,
    /// The path ID of the MPEH.
    #[width(config.roce(PATH_WIDTH))]
    pub path: Option<Bits<L>>,
    /// The flowlet sequence of the MPEH.
    #[width(config.roce(FLOWLET_WIDTH))]
    pub flowlet: Option<Bits<L>>,
    /// PSN of bit 0 of the SACK word.
    #[shape(config.uet(config.psn()))]
    pub sack_base: Option<Bits<L>>,
    /// The SACK word.
    #[width(config.uet(SACK_WIDTH))]
    pub sack: Option<Bits<L>>,
    /// The nominal packet size in bytes.
    #[width(config.uet(LENGTH_WIDTH))]
    pub length: Option<Bits<L>>,
    /// AckReq: an ACK is asked for.
    pub ack_request: Bits<L>,
    /// The packet is the last or only one of a message.
    #[width(config.roce(1))]
    pub last: Option<Bits<L>>,
    /// The flag *syn*.
    #[width(config.uet(1))]
    pub syn: Option<Bits<L>>,
    /// The flag *retx*.
    #[width(config.uet(1))]
    pub retx: Option<Bits<L>>,
    /// The packet is marked (CE).
    pub ecn: Bits<L>,
    /// A request of an operation that is not served; it matters with outcome 7.
    #[width(config.roce(1))]
    pub unserved: Option<Bits<L>>,
    /// There is a time stamp of the sender.
    #[width(config.roce(1))]
    pub stamped: Option<Bits<L>>,
    /// The time stamp, in units of 128 ns.
    #[width(config.roce(STAMP_WIDTH))]
    pub stamp: Option<Bits<L>>,
    /// The packet has been trimmed; RoCE: it matters with outcome 7.
    pub trimmed: Bits<L>,
    /// The packet is lost, as there was no room for it in front of the reorder stage; it matters with outcome 7.
    pub no_room: Bits<L>,
    /// It has been trimmed at the last hop.
    #[width(config.uet(1))]
    pub last_hop: Option<Bits<L>>,
    /// The EV of the packet.
    #[width(config.uet(EV_WIDTH))]
    pub ev: Option<Bits<L>>,
    /// Probe: the probe opaque.
    #[width(config.uet(16))]
    pub opaque: Option<Bits<L>>,
    /// What is given back with a reply.
    #[width(config.uet(config.handle_bits))]
    pub handle: Option<Bits<L>>,
}

/// A suspected loss: an event of `reorder`.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Event<L: Reading> {
    /// There is an event; it is taken while `event_ready` is 1.
    pub valid: Bits<L>,
    /// The number of the connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The first PSN of the gap.
    #[shape(config.psn())]
    pub first: Bits<L>,
    /// The last PSN of the gap.
    #[shape(config.psn())]
    pub last: Bits<L>,
    /// RoCEv2: the gap has been reported before.
    #[width(config.roce(1))]
    pub repeated: Option<Bits<L>>,
}

/// A command on a connection.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close, 3 change.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// The number of the connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// Open: the first PSN.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// Open: multipath is on.
    #[width(config.roce(1))]
    pub multipath: Option<Bits<L>>,
    /// Open, change: RNR NAKs of the connection have a timer code of its own, in place of that of the settings.
    #[width(config.roce(1))]
    pub own_rnr_code: Option<Bits<L>>,
    /// Open, change: that code, if it has its own.
    #[width(config.roce(RNR_CODE_WIDTH))]
    pub rnr_code: Option<Bits<L>>,
}

/// Settings.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Settings<L: Reading> {
    /// The registers take all fields.
    pub valid: Bits<L>,
    /// Units of 128 ns per clock cycle, with 16 fraction bits.
    #[width(16)]
    pub tick: Bits<L>,
    /// The number of packets per ACK, multipath off; 0 counts as 1.
    #[width(config.roce(8))]
    pub count: Option<Bits<L>>,
    /// The number of packets per ACK, multipath on; 0 counts as 1.
    #[width(config.roce(8))]
    pub count_multipath: Option<Bits<L>>,
    /// The number of bytes per ACK.
    #[width(config.uet(16))]
    pub trigger: Option<Bits<L>>,
    /// The number of bytes that a packet counts at least.
    #[width(config.uet(12))]
    pub min: Option<Bits<L>>,
    /// The time after which a packet is acknowledged, in units of 128 ns; 0 for never.
    #[width(TIME_WIDTH)]
    pub time: Bits<L>,
    /// Every packet is acknowledged at once.
    #[width(config.uet(1))]
    pub per_packet: Option<Bits<L>>,
    /// A marked packet is acknowledged at once.
    pub on_ecn: Bits<L>,
    /// A retransmission is acknowledged at once.
    #[width(config.uet(1))]
    pub on_retx: Option<Bits<L>>,
    /// The timer code of an RNR NAK of a connection that has none of its own.
    #[width(config.roce(RNR_CODE_WIDTH))]
    pub rnr: Option<Bits<L>>,
    /// The time after a NACK for want of a buffer in which its connection has no other one, in units of 128 ns; 0 for none.
    #[width(config.uet(TIME_WIDTH))]
    pub no_buffer_time: Option<Bits<L>>,
    /// The credit count of an ACK.
    #[width(config.roce(5))]
    pub credits: Option<Bits<L>>,
    /// What is added to the time of arrival for the one-way delay, in units of 128 ns.
    #[width(config.roce(STAMP_WIDTH))]
    pub offset: Option<Bits<L>>,
    /// Every ACK is an ACK_CC.
    #[width(config.uet(1))]
    pub cc: Option<Bits<L>>,
    /// The MPR that is announced, in units of 128 PSNs; 0 for none.
    #[width(config.uet(8))]
    pub mpr: Option<Bits<L>>,
    /// What is added to the service time, in units of 128 ns.
    #[width(config.uet(8))]
    pub added: Option<Bits<L>>,
    /// The flag *rc*.
    #[width(config.uet(1))]
    pub restore: Option<Bits<L>>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct AckGeneratorIn<L: Reading> {
    /// Arrivals: answers of `reorder`, with fields of the packets.
    pub arrival: Arrival<L>,
    /// Suspected losses: the events of `reorder`.
    pub event: Event<L>,
    /// Commands on connections.
    pub command: Command<L>,
    /// Settings, which are registers.
    pub settings: Settings<L>,
    /// How much senders are to slow down: 0 not at all, 127 to one packet per RTT.
    #[width(config.uet(PRESSURE_WIDTH))]
    pub pressure: Option<Bits<L>>,
    /// The receiver is ready.
    #[ready(ack)]
    pub ack_ready: Bits<L>,
}

/// What is to be sent.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Ack<L: Reading> {
    /// There is something to send; stays 1 until `ack_ready`.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the kind: 0 ACK, 1 ACK_CC, 2 NAK or NACK.
    #[width(kind::WIDTH)]
    pub kind: Bits<L>,
    /// It is a reply: it answers one packet, or names a suspected loss, and nothing was merged into it.
    pub reply: Bits<L>,
    /// The number of the connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The packet has an MPEH.
    #[width(config.roce(1))]
    pub multipath: Option<Bits<L>>,
    /// NACK: the reason.
    #[width(config.uet(nack::WIDTH))]
    pub code: Option<Bits<L>>,
    /// The PSN of the BTH, or cack_psn or nack_psn.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// BECN of the BTH.
    #[width(config.roce(1))]
    pub ecn: Option<Bits<L>>,
    /// The syndrome of the AETH.
    #[width(config.roce(8))]
    pub syndrome: Option<Bits<L>>,
    /// The MSN of the AETH.
    #[width(config.roce(MSN_WIDTH))]
    pub msn: Option<Bits<L>>,
    /// The path ID of the MPEH.
    #[width(config.roce(PATH_WIDTH))]
    pub path: Option<Bits<L>>,
    /// The flags of the MPEH: R, L, P from bit 0 on; or of the PDS prologue: m 0x20, retx 0x10, p 0x08.
    #[width(if config.roce(()).is_some() { 8 } else { 7 })]
    pub flags: Bits<L>,
    /// The flowlet sequence of the MPEH.
    #[width(config.roce(FLOWLET_WIDTH))]
    pub flowlet: Option<Bits<L>>,
    /// The Scheduling Tag of the MPEH: which packet has arrived, what is missing, or a time (G18).
    #[width(config.roce(STAMP_WIDTH))]
    pub tag: Option<Bits<L>>,
    /// ack_psn_offset, or with p the probe opaque.
    #[width(config.uet(16))]
    pub psn_offset: Option<Bits<L>>,
    /// The EV that is given back.
    #[width(config.uet(EV_WIDTH))]
    pub ev: Option<Bits<L>>,
    /// The handle of the packet of a reply.
    #[width(config.uet(config.handle_bits))]
    pub handle: Option<Bits<L>>,
    /// ACK_CC: mpr.
    #[width(config.uet(8))]
    pub mpr: Option<Bits<L>>,
    /// ACK_CC: sack_psn_offset.
    #[width(config.uet(16))]
    pub sack_offset: Option<Bits<L>>,
    /// ACK_CC: sack_bitmap, bit 0 for the base.
    #[width(config.uet(SACK_WIDTH))]
    pub sack: Option<Bits<L>>,
    /// ACK_CC: service_time, in units of 128 ns.
    #[width(config.uet(16))]
    pub service_time: Option<Bits<L>>,
    /// ACK_CC: rc.
    #[width(config.uet(1))]
    pub restore: Option<Bits<L>>,
    /// ACK_CC: rcv_cwnd_pend.
    #[width(config.uet(PRESSURE_WIDTH))]
    pub pend: Option<Bits<L>>,
    /// ACK_CC: rcvd_bytes, in units of 256 bytes.
    #[width(config.uet(24))]
    pub rcvd_bytes: Option<Bits<L>>,
    /// ACK_CC: ooo_count.
    #[width(config.uet(16))]
    pub ooo_count: Option<Bits<L>>,
}

/// The answer to a command.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(op::WIDTH)]
    pub op: Bits<L>,
    /// The number of the connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// The connection is open.
    pub open: Bits<L>,
    /// The connection owes an ACK.
    pub draining: Bits<L>,
    /// The expected PSN.
    #[shape(config.psn())]
    pub expected: Bits<L>,
    /// The MSN.
    #[width(config.roce(MSN_WIDTH))]
    pub msn: Option<Bits<L>>,
    /// The bytes received.
    #[width(config.uet(TOTAL_WIDTH))]
    pub bytes: Option<Bits<L>>,
}

/// Counters of `ack_generator`.
#[derive(Bundle)]
pub struct AckGeneratorCounts<L: Reading> {
    /// ACKs sent, answers to probes not counted, since reset. The counter wraps.
    pub acks: Bits<L>,
    /// NAKs or NACKs sent, since reset. The counter wraps.
    pub naks: Bits<L>,
    /// Answers to probes sent, since reset. The counter wraps.
    pub probe_answers: Bits<L>,
    /// Arrivals and events that joined an ACK that was due already, since reset. The counter wraps.
    pub merged_causes: Bits<L>,
    /// ACKs that became due by time, since reset. The counter wraps.
    pub expired: Bits<L>,
    /// Replies for which there was no room, since reset. The counter wraps.
    pub dropped_replies: Bits<L>,
    /// Arrivals that are not answered, since reset. The counter wraps.
    pub refused_arrivals: Option<Bits<L>>,
    /// Arrivals in the sweep, since reset. The counter wraps.
    pub busy_arrivals: Bits<L>,
    /// Events without effect, since reset. The counter wraps.
    pub void_events: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct AckGeneratorOut<L: Reading> {
    /// An event can be taken.
    #[ready(event)]
    pub event_ready: Bits<L>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// The table is being swept after reset.
    pub busy: Bits<L>,
    /// What is to be sent.
    pub ack: Ack<L>,
    /// The answers to commands.
    pub response: Response<L>,
    /// What it has counted.
    #[flatten]
    pub counts: AckGeneratorCounts<L>,
}
