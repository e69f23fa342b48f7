// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/rx.md`, defines each field.

use super::config::RxConfig;
use super::speakers::{Ends, Refusal, RefusedCounts};
use super::stranger_rate::AnswerSettings;
use crate::frame::frame_gate::GateCounts;
use crate::frame::header_parser;
use crate::frame::icrc::IcrcCounts;
use crate::headers::record::HeaderRecord;
use crate::receive::ack_generator::{self, AckGeneratorCounts};
use crate::receive::reorder::{self, Delivery, ReorderCounts};
use crate::receive::request_check::{self, Status};
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// Codes of commands.
pub mod op {
    /// Reads the state of a connection and of a sub-path.
    pub const READ: u64 = 0;
    /// Opens a connection in all stages.
    pub const OPEN: u64 = 1;
    /// Closes it in all stages.
    pub const CLOSE: u64 = 2;
    /// Changes its tolerance and its RNR code.
    pub const CHANGE: u64 = 3;
}

/// Bits of `tuser` on `s_axis` below those of the side band: the mark of the MAC.
pub(super) const USER_IN: u32 = 1;

/// A command on a connection.
#[derive(Bundle)]
#[shape(config: RxConfig)]
pub struct Command<L: Reading> {
    /// There is a command; it is taken while `command_ready` is 1.
    pub valid: Bits<L>,
    /// The code of the command: 0 read, 1 open, 2 close, 3 change.
    #[width(reorder::OP_WIDTH)]
    pub op: Bits<L>,
    /// The number of the connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// Open: the key by which packets find it, a destination QP, or a PDC identifier with its direction.
    #[width(config.lookup.kinds.key_width())]
    pub key: Bits<L>,
    /// UET, open: packets of both directions find it, by the PDC identifier in bits 15:0 of the key.
    #[width(config.uet(1))]
    pub bidirectional: Option<Bits<L>>,
    /// The number of the sub-path whose state is read.
    #[width(reorder::PATH_WIDTH)]
    pub path: Bits<L>,
    /// Open: the first PSN.
    #[width(config.reorder.psn_bits)]
    pub psn: Bits<L>,
    /// RoCEv2, open: multipath is on, so that ACKs have an MPEH.
    #[width(config.roce(1))]
    pub multipath: Option<Bits<L>>,
    /// RoCEv2, open: the QP of the peer, to which answers go.
    #[width(config.roce(24))]
    pub peer: Option<Bits<L>>,
    /// Open, change: the connection has a tolerance of its own, in place of that of the settings.
    pub own_tolerance: Bits<L>,
    /// Open, change: the largest span of a gap that is not reported, if it has its own.
    #[shape(reorder::Command::shape(config.reorder).span)]
    pub tolerance_span: Bits<L>,
    /// Open, change: the largest age, in units of 64 clock cycles, likewise.
    #[width(reorder::TIME_WIDTH)]
    pub tolerance_time: Bits<L>,
    /// RoCEv2, open, change: RNR NAKs of the connection have a timer code of its own, in place of that of the settings.
    #[width(config.roce(1))]
    pub own_rnr_code: Option<Bits<L>>,
    /// RoCEv2, open, change: that code, if it has its own.
    #[width(config.roce(ack_generator::RNR_CODE_WIDTH))]
    pub rnr_code: Option<Bits<L>>,
    /// RoCEv2, open: the path MTU in bytes, by which requests are checked; 0 if it is not known.
    #[width(config.checked(request_check::MTU_WIDTH))]
    pub mtu: Option<Bits<L>>,
    /// Open: who may speak to it.
    #[flatten]
    #[shape(Ends::shape(config))]
    pub ends: Ends<L>,
}

/// The state of a connection and of one of its sub-paths.
#[derive(Bundle)]
#[shape(config: RxConfig)]
pub struct ConnectionState<L: Reading> {
    /// What the reorder stage knows.
    #[flatten]
    #[shape(reorder::ConnectionState::shape(config.reorder))]
    pub reorder: reorder::ConnectionState<L>,
    /// The connection owes an ACK.
    pub owes: Bits<L>,
    /// RoCEv2: the number of messages received, as ACKs have it.
    #[width(config.roce(ack_generator::MSN_WIDTH))]
    pub msn: Option<Bits<L>>,
    /// UET: the bytes received.
    #[width(config.uet(ack_generator::TOTAL_WIDTH))]
    pub bytes: Option<Bits<L>>,
    /// RoCEv2: why a request was refused, so that the connection is in error: 0 none was, 1 order, 2 size, 3 length of a WRITE.
    #[width(config.checked(request_check::CAUSE_WIDTH))]
    pub refused_cause: Option<Bits<L>>,
    /// RoCEv2: the PSN of that request; 0 if there is none.
    #[width(config.checked(config.reorder.psn_bits))]
    pub refused_psn: Option<Bits<L>>,
}

/// The answer to a command.
#[derive(Bundle)]
#[shape(config: RxConfig)]
pub struct Response<L: Reading> {
    /// There is a response.
    pub valid: Bits<L>,
    /// The code of the command.
    #[width(reorder::OP_WIDTH)]
    pub op: Bits<L>,
    /// The number of the connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// Open: the key has a connection already, or there is no room for it.
    pub key_refused: Bits<L>,
    /// The connection is open.
    pub open: Bits<L>,
    /// The state.
    #[flatten]
    pub state: ConnectionState<L>,
}

#[name_nets]
impl<L: Logic> Response<L> {
    /// From the response of the reorder stage; the other fields are 0.
    pub(super) fn of(command: Command<L>, stage: reorder::Response<L>, acks: ack_generator::Response<L>) -> Self {
        let reorder::Response { valid, done, open, state, .. } = stage;
        let (op, connection, no) = (command.op, command.connection, Bits::lit(1, 0));
        let zero = |bits: Option<Bits<L>>| bits.map(|bits| Bits::lit(bits.width(), 0));
        let state = ConnectionState {
            reorder: state,
            owes: no,
            msn: zero(acks.msn),
            bytes: zero(acks.bytes),
            refused_cause: None,
            refused_psn: None,
        };
        Response { valid, op, connection, done, key_refused: no, open, state }
    }

    /// The same with what is wrong with the connection: nothing with one that is being opened, or is not open.
    pub(super) fn with_status(self, status: Option<Status<L>>) -> Self {
        let Response { op, done, open, .. } = self;
        let known = (open | op.equals(op::CLOSE) & done) & op.differs(op::OPEN);
        let refused_cause = status.map(|status| status.cause.gate(known));
        let refused_psn = status.map(|status| status.psn.gate(known & status.cause.any()));
        Response { state: ConnectionState { refused_cause, refused_psn, ..self.state }, ..self }
    }

    /// The same with what the ACK generator says.
    pub(super) fn with_acks(self, acks: ack_generator::Response<L>) -> Self {
        let state = ConnectionState { owes: acks.draining, msn: acks.msn, bytes: acks.bytes, ..self.state };
        Response { state, ..self }
    }
}

/// A frame in sequence that is never delivered.
#[derive(Bundle)]
#[shape(config: RxConfig)]
pub struct UndeliveredFrame<L: Reading> {
    /// The number of its connection; 0 if there is none.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The number of the frame.
    #[width(config.reorder.handle_bits)]
    pub handle: Bits<L>,
    /// Why: 0 it is the request that was refused, 1 it is behind that one, 2 it has come already and waits, 3 it has come already, or is before the window, 4 it is behind the window, 5 there was no
    /// room, 6 it is of no connection, 7 it is not to be received.
    #[width(reorder::OUTCOME_WIDTH)]
    pub cause: Bits<L>,
}

/// The same as an output.
#[derive(Bundle)]
pub struct Undelivered<L: Reading> {
    /// There is one; it stays until `undelivered_ready` is 1.
    pub valid: Bits<L>,
    /// The frame.
    #[flatten]
    pub frame: UndeliveredFrame<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: RxConfig)]
pub struct RxIn<L: Reading> {
    /// Frames from the MAC, without FCS. On the last beat `tuser` bit 0 is 1 if the MAC found the frame bad; above it is the
    /// side band.
    #[shape(Axis::shape(config.parser.data_width, USER_IN, config.parser.side_band.shape()))]
    pub s_axis: Axis<L>,
    /// The receiver of the frames is ready.
    pub m_axis: Ready<L>,
    /// The receiver of the records is ready.
    pub m_record: Ready<L>,
    /// Commands on connections.
    pub command: Command<L>,
    /// Settings of the reorder stage, which are registers.
    #[shape(reorder::Settings::shape(config.reorder))]
    pub reorder_settings: reorder::Settings<L>,
    /// Settings of the ACK generator, which are registers.
    #[shape(ack_generator::Settings::shape(config.ack))]
    pub ack_generator_settings: ack_generator::Settings<L>,
    /// Settings of answers, which are registers.
    pub answer_settings: AnswerSettings<L>,
    /// UET: how much senders are to slow down, 0 not at all, 127 to one packet per RTT.
    #[width(config.uet(ack_generator::PRESSURE_WIDTH))]
    pub pressure: Option<Bits<L>>,
    /// The MAC address of this device, its first byte in the high bits. It does not change while there is traffic.
    #[width(config.check_mac.then_some(48))]
    pub station_address: Option<Bits<L>>,
    /// The receiver of packets in order is ready.
    #[ready(delivery)]
    #[width((!config.holds_frames()).then_some(1))]
    pub delivery_ready: Option<Bits<L>>,
    /// The receiver of frames in order is ready.
    #[shape(config.holds_frames().then(Ready::shape))]
    pub m_delivery: Option<Ready<L>>,
    /// It is taken.
    #[ready(undelivered)]
    #[width((!config.holds_frames()).then_some(1))]
    pub undelivered_ready: Option<Bits<L>>,
    /// The receiver of answering frames is ready.
    pub m_answer: Ready<L>,
    /// It is taken.
    #[ready(refusal)]
    pub refusal_ready: Bits<L>,
}

/// Counters of the receive path, since reset. They wrap.
#[derive(Bundle)]
pub struct RxCounts<L: Reading> {
    /// Frames since reset, one counter for each reason of the parser. They wrap.
    pub parser: header_parser::Counts<L>,
    /// Frames since reset by their ICRC or CRC. The counters wrap.
    pub icrc: Option<IcrcCounts<L>>,
    /// Frames since reset, by what became of them in the gate. The counters wrap.
    pub gate: GateCounts<L>,
    /// Packets with a key that is that of no connection, in sequence or not, since reset. The counter wraps.
    pub unknown_keys: Bits<L>,
    /// Packets of RoCEv2, or UET, that have no effect, as they are for another MAC address than that of this device, since reset. The
    /// counter wraps.
    pub refused_mac: Option<Bits<L>>,
    /// Frames that have no effect, as they are not from the peer of the connection, since reset. The counters wrap.
    pub refused: RefusedCounts<L>,
    /// Those of the reorder stage.
    #[flatten]
    pub reorder: ReorderCounts<L>,
    /// Those of the ACK generator.
    #[flatten]
    pub ack_generator: AckGeneratorCounts<L>,
    /// RoCEv2: requests that were refused, each of which put its connection in error, since reset. The counter wraps.
    pub invalid_requests: Option<Bits<L>>,
    /// UET: answers to packets of no connection that were not sent since reset: their headers were not kept, there were too many,
    /// or an address of theirs is that of a group. The counter wraps.
    pub lost_answers: Option<Bits<L>>,
}

/// Outputs.
#[derive(Bundle)]
pub struct RxOut<L: Reading> {
    /// A beat can be taken.
    pub s_axis: Ready<L>,
    /// Good frames, in the order of arrival; with `hold` = `payload` those that have no place in the order of a connection.
    pub m_axis: Axis<L>,
    /// There is a record; it stays until `m_record_tready` is 1.
    #[valid(m_record)]
    pub m_record_tvalid: Bits<L>,
    /// The header records: one for each frame on `m_axis`, in their order.
    pub m_record: HeaderRecord<L>,
    /// The packet has its place in the order of a connection: the frame is one of those that `delivery` or `undelivered` names.
    #[with(m_record)]
    pub m_record_in_sequence: Option<Bits<L>>,
    /// There is a connection with its key.
    #[with(m_record)]
    pub m_record_found: Bits<L>,
    /// The number of that connection; 0 if there is none.
    #[with(m_record)]
    pub m_record_connection: Bits<L>,
    /// The number of the frame, by which `delivery` or `undelivered` names it.
    #[with(m_record)]
    pub m_record_handle: Option<Bits<L>>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// The answers to commands.
    pub response: Response<L>,
    /// The frames, each connection in the order of PSNs.
    pub m_delivery: Option<Axis<L>>,
    /// The packets, each connection in the order of PSNs; `delivery_handle` is the number of the frame.
    #[with(m_delivery)]
    pub delivery: Delivery<L>,
    /// The frames in sequence that are never delivered, in the order of arrival.
    pub undelivered: Option<Undelivered<L>>,
    /// Frames that answer: ACKs, NAKs, NACKs, answers to probes. On the last beat `tuser` is 0.
    pub m_answer: Axis<L>,
    /// The first frame that was refused since the last one was taken.
    pub refusal: Refusal<L>,
    /// Tables are being swept after reset.
    pub busy: Bits<L>,
    /// What it has counted.
    #[flatten]
    pub counts: RxCounts<L>,
}
