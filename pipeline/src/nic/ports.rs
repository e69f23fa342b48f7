// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/nic.md`, defines each field; most are those of the two paths.

use super::config::NicConfig;
use crate::headers::record::HeaderRecord;
use crate::receive::ack_generator;
use crate::receive::credit_pacer::{self, CreditPacerCounts};
use crate::receive::reorder::{self, Delivery};
use crate::receive::rx::{self, Refusal, RxCounts, Undelivered};
use crate::transmit::ccc_table;
use crate::transmit::entropy_selector;
use crate::transmit::packet_tracker::{self, Failure};
use crate::transmit::path_scheduler;
use crate::transmit::tx::{self, Accepted, Completion, Fetch, ProbeAnswer, ProbeSettings, Request, TxCounts};
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// A command on a PDC, as it is kept.
#[derive(Bundle)]
pub(super) struct Command<L: Reading> {
    /// For the transmit path.
    pub tx: tx::Command<L>,
    /// Open: the first PSN that the peer sends.
    pub expected: Bits<L>,
    /// The number of the sub-path whose state is read.
    pub path: Bits<L>,
    /// RoCEv2, open: the number of the QP here.
    pub local_qp: Option<Bits<L>>,
    /// Open, resize: its own tolerance of gaps.
    pub own_tolerance: Bits<L>,
    pub tolerance_span: Bits<L>,
    pub tolerance_time: Bits<L>,
    /// RoCEv2, open, resize: its own timer code of RNR NAKs.
    pub own_rnr_code: Option<Bits<L>>,
    pub rnr_code: Option<Bits<L>>,
    /// RoCEv2, open: the path MTU of the peer.
    pub mtu: Option<Bits<L>>,
    /// Open: anyone who has the key is the peer.
    pub any_peer: Bits<L>,
}

/// The answer to a command.
#[derive(Bundle)]
#[shape(config: NicConfig)]
pub struct Response<L: Reading> {
    /// That of the transmit path.
    #[flatten]
    #[shape(tx::Response::shape(config.tx))]
    pub tx: tx::Response<L>,
    /// Open: a key has a PDC already, or there is no room for it.
    pub key_refused: Bits<L>,
    /// The state in the receive path.
    #[flatten]
    #[shape(rx::ConnectionState::shape(config.rx))]
    pub rx: rx::ConnectionState<L>,
}

#[name_nets]
impl<L: Logic> Response<L> {
    /// The same with what the transmit path says.
    pub(super) fn with_tx(self, path: &tx::Response<L>) -> Self {
        let tx::Response { valid, op, pdc, .. } = self.tx;
        Response { tx: tx::Response { valid, op, pdc, ..*path }, ..self }
    }

    /// The same with what the receive path says. What the transmit path has done it does not undo.
    pub(super) fn with_rx(self, path: &rx::Response<L>) -> Self {
        let rx::Response { key_refused, open, state, .. } = *path;
        Response { tx: tx::Response { open, ..self.tx }, key_refused, rx: state }
    }
}

/// Inputs.
#[derive(Bundle)]
pub struct NicIn<L: Reading> {
    /// Frames from the MAC, without FCS. On the last beat `tuser` bit 0 is 1 if the MAC found the frame bad; above it is the
    /// side band.
    pub s_axis_rx: Axis<L>,
    /// The receiver of received frames is ready.
    pub m_axis_rx: Ready<L>,
    /// The receiver of the records is ready.
    pub m_record: Ready<L>,
    /// The receiver of packets in order is ready.
    #[ready(delivery)]
    pub delivery_ready: Option<Bits<L>>,
    /// The receiver of frames in order is ready.
    pub m_delivery: Option<Ready<L>>,
    /// It is taken.
    #[ready(undelivered)]
    pub undelivered_ready: Option<Bits<L>>,
    /// Requests to send messages.
    pub request: Request<L>,
    /// It is taken.
    #[ready(fetch)]
    pub fetch_ready: Bits<L>,
    /// The bytes of packets, one packet for each fetch with bytes: the SES header, then the payload. On the last beat `tuser`
    /// is 1 if the source found them bad.
    pub s_axis_tx: Axis<L>,
    /// The MAC is ready.
    pub m_axis_tx: Ready<L>,
    /// It is taken.
    #[ready(completion)]
    pub completion_ready: Bits<L>,
    /// Commands on PDCs.
    pub command: tx::Command<L>,
    /// Open: the first PSN that the peer sends.
    #[with(command)]
    pub command_expected: Bits<L>,
    /// The number of the sub-path whose state is read.
    #[with(command)]
    pub command_path: Bits<L>,
    /// RoCEv2, open: the number of the QP here, to which the peer sends.
    #[with(command)]
    pub command_local_qp: Option<Bits<L>>,
    /// Open, resize: the connection has a tolerance of gaps of its own, in place of that of `reorder_settings`.
    #[with(command)]
    pub command_own_tolerance: Bits<L>,
    /// Open, resize: the largest span of a gap that is not reported, if it has its own.
    #[with(command)]
    pub command_tolerance_span: Bits<L>,
    /// Open, resize: the largest age, in units of 64 clock cycles, likewise.
    #[with(command)]
    pub command_tolerance_time: Bits<L>,
    /// RoCEv2, open, resize: RNR NAKs of the connection have a timer code of its own, in place of that of
    /// `ack_generator_settings`.
    #[with(command)]
    pub command_own_rnr_code: Option<Bits<L>>,
    /// RoCEv2, open, resize: that code, if it has its own.
    #[with(command)]
    pub command_rnr_code: Option<Bits<L>>,
    /// RoCEv2, open: the path MTU of the peer in bytes, by which its requests are checked; 0 if it is not known.
    #[with(command)]
    pub command_mtu: Option<Bits<L>>,
    /// Open: anyone who sends to the PDC, or QP, is the peer, whatever the addresses, the P_Key and the SPDCID.
    #[with(command)]
    pub command_any_peer: Bits<L>,
    /// Settings of the reorder stage, which are registers.
    pub reorder_settings: reorder::Settings<L>,
    /// Settings of the ACK generator, which are registers.
    pub ack_generator_settings: ack_generator::Settings<L>,
    /// Settings of answers, which are registers.
    pub answer_settings: rx::AnswerSettings<L>,
    /// Settings of `packet_tracker`, which are registers.
    pub packet_tracker_settings: packet_tracker::Settings<L>,
    /// Settings of `ccc_table`, which are registers.
    pub ccc_table_settings: ccc_table::Settings<L>,
    /// UET: settings of `entropy_selector`, which are registers.
    pub entropy_selector_settings: Option<entropy_selector::Settings<L>>,
    /// RoCEv2: commands on QPs and sub-paths of `path_scheduler`.
    pub path_scheduler_command: Option<path_scheduler::Command<L>>,
    /// RoCEv2: settings of `path_scheduler`, which are registers.
    pub path_scheduler_settings: Option<path_scheduler::Settings<L>>,
    /// RoCEv2: settings of probes, which are registers.
    pub probe_settings: Option<ProbeSettings<L>>,
    /// It is taken.
    #[ready(path_scheduler_event)]
    pub path_scheduler_event_ready: Option<Bits<L>>,
    /// RCCC: settings of `credit_pacer`, which are registers.
    pub credit_pacer_settings: Option<credit_pacer::Settings<L>>,
    /// How much senders are to slow down, 0 not at all, 127 to one packet per RTT.
    pub pressure: Option<Bits<L>>,
    /// The MAC address of this device, its first byte in the high bits. It does not change while there is traffic.
    pub station_address: Option<Bits<L>>,
    /// UET: the number of this pipeline in its device. It holds still.
    pub pipeline: Option<Bits<L>>,
    /// It is taken.
    #[ready(failure)]
    pub failure_ready: Bits<L>,
    /// It is taken.
    #[ready(refusal)]
    pub refusal_ready: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct NicOut<L: Reading> {
    /// A beat can be taken.
    pub s_axis_rx: Ready<L>,
    /// Good frames, in the order of arrival; with `hold` = `payload` those that have no place in the order of a connection.
    pub m_axis_rx: Axis<L>,
    /// There is a record; it stays until `m_record_tready` is 1.
    #[valid(m_record)]
    pub m_record_tvalid: Bits<L>,
    /// The header records: one for each frame on `m_axis_rx`, in their order.
    pub m_record: HeaderRecord<L>,
    /// The packet has its place in the order of a connection: the frame is one of those that `delivery` or `undelivered` names.
    #[with(m_record)]
    pub m_record_in_sequence: Option<Bits<L>>,
    /// There is a PDC with its key.
    #[with(m_record)]
    pub m_record_found: Bits<L>,
    /// The number of that PDC; 0 if there is none.
    #[with(m_record)]
    pub m_record_connection: Bits<L>,
    /// The number of the frame, by which `delivery` or `undelivered` names it.
    #[with(m_record)]
    pub m_record_handle: Option<Bits<L>>,
    /// The frames, each PDC in the order of PSNs.
    pub m_delivery: Option<Axis<L>>,
    /// The packets, each PDC in the order of PSNs; `delivery_handle` is the number of the frame.
    #[with(m_delivery)]
    pub delivery: Delivery<L>,
    /// The frames in sequence that are never delivered, in the order of arrival.
    pub undelivered: Option<Undelivered<L>>,
    /// A request can be taken.
    #[ready(request)]
    pub request_ready: Bits<L>,
    /// The answers to requests.
    pub accepted: Accepted<L>,
    /// Which bytes are needed, one transfer for each packet that is sent.
    pub fetch: Fetch<L>,
    /// A beat can be taken.
    pub s_axis_tx: Ready<L>,
    /// Frames to the MAC: answers and data. On the last beat `tuser` bit 0 is the verdict (1 drop) and bits 4:1 are the reason: bad
    /// bytes.
    pub m_axis_tx: Axis<L>,
    /// The messages that are complete.
    pub completion: Completion<L>,
    /// A command can be taken.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// The answers to commands.
    pub response: Response<L>,
    /// PDCs with too many time-outs in a row.
    pub failure: Failure<L>,
    /// The first frame that was refused since the last one was taken.
    pub refusal: Refusal<L>,
    /// It can be taken.
    #[ready(path_scheduler_command)]
    pub path_scheduler_command_ready: Option<Bits<L>>,
    /// RoCEv2: the answers to commands of `path_scheduler`.
    pub path_scheduler_response: Option<path_scheduler::Response<L>>,
    /// RoCEv2: what software should know of the sub-paths of a QP.
    pub path_scheduler_event: Option<path_scheduler::EventOut<L>>,
    /// RoCEv2: what has become of trains of probes.
    pub probe_answer: Option<ProbeAnswer<L>>,
    /// The tables are being swept after reset.
    pub busy: Bits<L>,
    /// What the receive path has counted.
    #[flatten]
    pub rx_counts: RxCounts<L>,
    /// What the transmit path has counted.
    #[flatten]
    pub tx_counts: TxCounts<L>,
    /// RCCC: what `credit_pacer` has counted since reset. The counters wrap.
    pub credit_pacer: Option<CreditPacerCounts<L>>,
}
