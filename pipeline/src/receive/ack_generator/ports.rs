// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/ack_generator.md`, defines each field. A field that one protocol alone has is an
//! option.

use super::config::AckGeneratorConfig;
use crate::headers::uet::nack;
use rtl_model::{Bits, Bundle, Reading, Shape, bits};

pub use super::codes::{kind, op, outcome};

/// Width of a time in units of 128 ns.
pub const TIME_WIDTH: u32 = 20;
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
/// Width of the bytes received.
pub const TOTAL_WIDTH: u32 = 32;
/// Width of a counter.
pub const COUNT_WIDTH: u32 = 32;

/// An answer of `reorder`, with fields of its packet.
#[derive(Bundle)]
pub struct Arrival<L: Reading> {
    /// There is an arrival; it is always taken.
    pub valid: Bits<L>,
    /// The number of its connection.
    pub connection: Bits<L>,
    /// The code of the outcome: 0 in order, 1 held, 2 duplicate, 3 below, 4 above, 5 no buffer, 6 unknown, 7 probe.
    pub outcome: Bits<L>,
    /// The PSN.
    pub psn: Bits<L>,
    /// The expected PSN after the arrival.
    pub expected: Bits<L>,
    /// The highest PSN received.
    pub highest: Option<Bits<L>>,
    /// The number of packets received behind the expected PSN.
    pub held: Bits<L>,
    /// The expected PSN is in a gap that has been reported.
    pub suspected: Option<Bits<L>>,
    /// The path ID of the MPEH.
    pub path: Option<Bits<L>>,
    /// The flowlet sequence of the MPEH.
    pub flowlet: Option<Bits<L>>,
    /// PSN of bit 0 of the SACK word.
    pub sack_base: Option<Bits<L>>,
    /// The SACK word.
    pub sack: Option<Bits<L>>,
    /// The nominal packet size in bytes.
    pub length: Option<Bits<L>>,
    /// AckReq: an ACK is asked for.
    pub ack_request: Bits<L>,
    /// The packet is the last or only one of a message.
    pub last: Option<Bits<L>>,
    /// The flag *syn*.
    pub syn: Option<Bits<L>>,
    /// The flag *retx*.
    pub retx: Option<Bits<L>>,
    /// The packet is marked (CE).
    pub ecn: Bits<L>,
    /// A request of an operation that is not served; it matters with outcome 7.
    pub unserved: Option<Bits<L>>,
    /// There is a time stamp of the sender.
    pub stamped: Option<Bits<L>>,
    /// The time stamp, in units of 128 ns.
    pub stamp: Option<Bits<L>>,
    /// The packet has been trimmed.
    pub trimmed: Option<Bits<L>>,
    /// It has been trimmed at the last hop.
    pub last_hop: Option<Bits<L>>,
    /// The EV of the packet.
    pub ev: Option<Bits<L>>,
    /// Probe: the probe opaque.
    pub opaque: Option<Bits<L>>,
    /// What is given back with a reply.
    pub handle: Option<Bits<L>>,
}

/// A suspected loss: an event of `reorder`.
#[derive(Bundle)]
pub struct Event<L: Reading> {
    /// There is an event; it is taken while `event_ready` is 1.
    pub valid: Bits<L>,
    /// The number of the connection.
    pub connection: Bits<L>,
    /// The first PSN of the gap.
    pub first: Bits<L>,
    /// The last PSN of the gap.
    pub last: Bits<L>,
}

/// A command on a connection.
#[derive(Bundle)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close.
    pub op: Bits<L>,
    /// The number of the connection.
    pub connection: Bits<L>,
    /// Open: the first PSN.
    pub psn: Bits<L>,
    /// Open: multipath is on.
    pub multipath: Option<Bits<L>>,
}

/// Settings.
#[derive(Bundle)]
pub struct Settings<L: Reading> {
    /// The registers take all fields.
    pub valid: Bits<L>,
    /// Units of 128 ns per clock cycle, with 16 fraction bits.
    pub tick: Bits<L>,
    /// The number of packets per ACK, multipath off; 0 counts as 1.
    pub count: Option<Bits<L>>,
    /// The number of packets per ACK, multipath on; 0 counts as 1.
    pub count_multipath: Option<Bits<L>>,
    /// The number of bytes per ACK.
    pub trigger: Option<Bits<L>>,
    /// The number of bytes that a packet counts at least.
    pub min: Option<Bits<L>>,
    /// The time after which a packet is acknowledged, in units of 128 ns; 0 for never.
    pub time: Bits<L>,
    /// Every packet is acknowledged at once.
    pub per_packet: Option<Bits<L>>,
    /// A marked packet is acknowledged at once.
    pub on_ecn: Bits<L>,
    /// A retransmission is acknowledged at once.
    pub on_retx: Option<Bits<L>>,
    /// The timer code of an RNR NAK.
    pub rnr: Option<Bits<L>>,
    /// The credit count of an ACK.
    pub credits: Option<Bits<L>>,
    /// What is added to the time of arrival for the one-way delay, in units of 128 ns.
    pub offset: Option<Bits<L>>,
    /// Every ACK is an ACK_CC.
    pub cc: Option<Bits<L>>,
    /// The MPR that is announced, in units of 128 PSNs; 0 for none.
    pub mpr: Option<Bits<L>>,
    /// What is added to the service time, in units of 128 ns.
    pub added: Option<Bits<L>>,
    /// The flag *rc*.
    pub restore: Option<Bits<L>>,
}

/// Inputs.
#[derive(Bundle)]
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
    pub pressure: Option<Bits<L>>,
    /// The receiver is ready.
    #[ready(ack)]
    pub ack_ready: Bits<L>,
}

/// What is to be sent.
#[derive(Bundle)]
pub struct Ack<L: Reading> {
    /// There is something to send; stays 1 until `ack_ready`.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the kind: 0 ACK, 1 ACK_CC, 2 NAK or NACK.
    pub kind: Bits<L>,
    /// The number of the connection.
    pub connection: Bits<L>,
    /// The packet has an MPEH.
    pub multipath: Option<Bits<L>>,
    /// NACK: the reason.
    pub code: Option<Bits<L>>,
    /// The PSN of the BTH, or cack_psn or nack_psn.
    pub psn: Bits<L>,
    /// BECN of the BTH.
    pub ecn: Option<Bits<L>>,
    /// The syndrome of the AETH.
    pub syndrome: Option<Bits<L>>,
    /// The MSN of the AETH.
    pub msn: Option<Bits<L>>,
    /// The path ID of the MPEH.
    pub path: Option<Bits<L>>,
    /// The flags of the MPEH: R, L, P from bit 0 on; or of the PDS prologue: m 0x20, retx 0x10, p 0x08.
    pub flags: Bits<L>,
    /// The flowlet sequence of the MPEH.
    pub flowlet: Option<Bits<L>>,
    /// The Scheduling Tag of the MPEH: the one-way delay in units of 128 ns, 0 for none.
    pub tag: Option<Bits<L>>,
    /// ack_psn_offset, or with p the probe opaque.
    pub psn_offset: Option<Bits<L>>,
    /// The EV that is given back.
    pub ev: Option<Bits<L>>,
    /// The handle of the packet of a reply.
    pub handle: Option<Bits<L>>,
    /// ACK_CC: mpr.
    pub mpr: Option<Bits<L>>,
    /// ACK_CC: sack_psn_offset.
    pub sack_offset: Option<Bits<L>>,
    /// ACK_CC: sack_bitmap, bit 0 for the base.
    pub sack: Option<Bits<L>>,
    /// ACK_CC: service_time, in units of 128 ns.
    pub service_time: Option<Bits<L>>,
    /// ACK_CC: rc.
    pub restore: Option<Bits<L>>,
    /// ACK_CC: rcv_cwnd_pend.
    pub pend: Option<Bits<L>>,
    /// ACK_CC: rcvd_bytes, in units of 256 bytes.
    pub rcvd_bytes: Option<Bits<L>>,
    /// ACK_CC: ooo_count.
    pub ooo_count: Option<Bits<L>>,
}

/// The answer to a command.
#[derive(Bundle)]
pub struct Response<L: Reading> {
    /// There is a response.
    #[reset]
    pub valid: Bits<L>,
    /// The code of the command.
    pub op: Bits<L>,
    /// The number of the connection.
    pub connection: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// The connection is open.
    pub open: Bits<L>,
    /// The connection owes an ACK.
    pub draining: Bits<L>,
    /// The expected PSN.
    pub expected: Bits<L>,
    /// The MSN.
    pub msn: Option<Bits<L>>,
    /// The bytes received.
    pub bytes: Option<Bits<L>>,
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

impl AckGeneratorConfig {
    fn arrival(self) -> Arrival<Shape> {
        let (flag, psn) = (bits(1), self.psn());
        let (roce, uet) = (|width| self.roce(bits(width)), |width| self.uet(bits(width)));
        Arrival {
            valid: flag,
            connection: self.connection(),
            outcome: bits(outcome::WIDTH),
            psn,
            expected: psn,
            highest: self.roce(psn),
            held: self.held(),
            suspected: roce(1),
            path: roce(PATH_WIDTH),
            flowlet: roce(FLOWLET_WIDTH),
            sack_base: self.uet(psn),
            sack: uet(SACK_WIDTH),
            length: uet(LENGTH_WIDTH),
            ack_request: flag,
            last: roce(1),
            syn: uet(1),
            retx: uet(1),
            ecn: flag,
            unserved: roce(1),
            stamped: roce(1),
            stamp: roce(STAMP_WIDTH),
            trimmed: uet(1),
            last_hop: uet(1),
            ev: uet(EV_WIDTH),
            opaque: uet(16),
            handle: uet(self.handle_bits),
        }
    }

    pub(crate) fn input_shape(self) -> AckGeneratorIn<Shape> {
        let (flag, connection, psn) = (bits(1), self.connection(), self.psn());
        let (roce, uet) = (|width| self.roce(bits(width)), |width| self.uet(bits(width)));
        AckGeneratorIn {
            arrival: self.arrival(),
            event: Event { valid: flag, connection, first: psn, last: psn },
            command: Command { valid: flag, op: bits(op::WIDTH), connection, psn, multipath: roce(1) },
            settings: Settings {
                valid: flag,
                tick: bits(16),
                count: roce(8),
                count_multipath: roce(8),
                trigger: uet(16),
                min: uet(12),
                time: bits(TIME_WIDTH),
                per_packet: uet(1),
                on_ecn: flag,
                on_retx: uet(1),
                rnr: roce(5),
                credits: roce(5),
                offset: roce(STAMP_WIDTH),
                cc: uet(1),
                mpr: uet(8),
                added: uet(8),
                restore: uet(1),
            },
            pressure: uet(7),
            ack_ready: flag,
        }
    }

    pub(crate) fn ack(self) -> Ack<Shape> {
        let (roce, uet) = (|width| self.roce(bits(width)), |width| self.uet(bits(width)));
        Ack {
            valid: bits(1),
            kind: bits(kind::WIDTH),
            connection: self.connection(),
            multipath: roce(1),
            code: uet(nack::WIDTH),
            psn: self.psn(),
            ecn: roce(1),
            syndrome: roce(8),
            msn: roce(MSN_WIDTH),
            path: roce(PATH_WIDTH),
            flags: bits(if self.roce(()).is_some() { 8 } else { 7 }),
            flowlet: roce(FLOWLET_WIDTH),
            tag: roce(STAMP_WIDTH),
            psn_offset: uet(16),
            ev: uet(EV_WIDTH),
            handle: uet(self.handle_bits),
            mpr: uet(8),
            sack_offset: uet(16),
            sack: uet(SACK_WIDTH),
            service_time: uet(16),
            restore: uet(1),
            pend: uet(7),
            rcvd_bytes: uet(24),
            ooo_count: uet(16),
        }
    }

    pub(crate) fn response(self) -> Response<Shape> {
        let flag = bits(1);
        Response {
            valid: flag,
            op: bits(op::WIDTH),
            connection: self.connection(),
            done: flag,
            open: flag,
            draining: flag,
            expected: self.psn(),
            msn: self.roce(bits(MSN_WIDTH)),
            bytes: self.uet(bits(TOTAL_WIDTH)),
        }
    }
}
