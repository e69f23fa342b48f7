// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/nic.md`, defines each field; most are those of the two paths.

use super::config::NicConfig;
use crate::blocks::secded::SramReport;
use crate::frame::frame_gate::GateCounts;
use crate::frame::header_builder::BuilderCounts;
use crate::frame::header_parser;
use crate::frame::icrc::IcrcCounts;
use crate::headers::record::HeaderRecord;
use crate::receive::ack_generator;
use crate::receive::credit_pacer;
use crate::receive::reorder::{self, Delivery};
use crate::receive::rx;
use crate::transmit::ccc_table;
use crate::transmit::entropy_selector;
use crate::transmit::packet_tracker::{self, Failure};
use crate::transmit::path_scheduler;
use crate::transmit::tx::{
    self, Accepted, CccTableCounts, Completion, EntropySelectorCounts, Fetch, PacketTrackerCounts, PathSchedulerCounts,
    Request,
};
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, name_nets};

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
}

/// The answer to a command.
#[derive(Bundle)]
pub struct Response<L: Reading> {
    /// There is a response.
    pub valid: Bits<L>,
    /// The code of the command.
    pub op: Bits<L>,
    /// The number of the PDC.
    pub pdc: Bits<L>,
    /// The command was done.
    pub done: Bits<L>,
    /// The PDC is open.
    pub open: Bits<L>,
    /// The code of the state in `ccc_table`: 0 idle, 1 pending, 2 active, 3 ready.
    pub state: Bits<L>,
    /// The congestion window.
    pub cwnd: Bits<L>,
    /// Bytes in flight, signed.
    pub inflight: Bits<L>,
    /// The PDC has had too many time-outs in a row.
    pub failed: Bits<L>,
    /// The first PSN that is not cumulatively acknowledged.
    pub base: Bits<L>,
    /// The PSN of the next new packet.
    pub next: Bits<L>,
    /// Packets in flight.
    pub in_flight: Bits<L>,
    /// Packets marked for retransmission.
    pub marked: Bits<L>,
    /// Messages that wait or are under way.
    pub messages: Bits<L>,
    /// Open: a key has a PDC already, or there is no room for it.
    pub key_refused: Bits<L>,
    /// Packets before the expected PSN have not been delivered.
    pub draining: Bits<L>,
    /// The expected PSN.
    pub expected: Bits<L>,
    /// The highest PSN that has been received.
    pub highest: Bits<L>,
    /// The number of packets received behind the expected PSN.
    pub held: Bits<L>,
    /// The number of packets that have been overtaken.
    pub reordered: Bits<L>,
    /// The largest number of packets held.
    pub depth: Bits<L>,
    /// The longest time for which a packet was missing, in units of 64 clock cycles.
    pub duration: Bits<L>,
    /// The number of packets on the sub-path.
    pub path_packets: Bits<L>,
    /// The time of the last one, in units of 64 clock cycles.
    pub path_time: Bits<L>,
    /// The PDC owes an ACK.
    pub owes: Bits<L>,
    /// RoCEv2: the number of messages received.
    pub msn: Option<Bits<L>>,
    /// UET: the bytes received.
    pub bytes: Option<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Response<L> {
    /// The same with what the transmit path says.
    pub(super) fn with_tx(self, path: &tx::Response<L>) -> Self {
        let tx::Response { done, open, state, cwnd, inflight, failed, base, next, in_flight, marked, messages, .. } =
            *path;
        Response { done, open, state, cwnd, inflight, failed, base, next, in_flight, marked, messages, ..self }
    }

    /// The same with what the receive path says. What the transmit path has done it does not undo.
    pub(super) fn with_rx(self, path: &rx::Response<L>) -> Self {
        let rx::Response { key_refused, open, draining, expected, highest, held, reordered, .. } = *path;
        let rx::Response { depth, duration, path_packets, path_time, owes, msn, bytes, .. } = *path;
        let receive = Response { key_refused, open, draining, expected, highest, held, reordered, ..self };
        Response { depth, duration, path_packets, path_time, owes, msn, bytes, ..receive }
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
    /// Settings of the reorder stage, which are registers.
    pub reorder_settings: reorder::Settings<L>,
    /// Settings of the ACK generator, which are registers.
    pub ack_generator_settings: ack_generator::Settings<L>,
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
    /// It is taken.
    #[ready(path_scheduler_event)]
    pub path_scheduler_event_ready: Option<Bits<L>>,
    /// RCCC: settings of `credit_pacer`, which are registers.
    pub credit_pacer_settings: Option<credit_pacer::Settings<L>>,
    /// How much senders are to slow down, 0 not at all, 127 to one packet per RTT.
    pub pressure: Option<Bits<L>>,
    /// UET: the number of this pipeline in its device. It holds still.
    pub pipeline: Option<Bits<L>>,
    /// It is taken.
    #[ready(failure)]
    pub failure_ready: Bits<L>,
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
    /// The packet has its place in the order of a connection: the frame is one of those that `delivery` names.
    #[with(m_record)]
    pub m_record_in_sequence: Option<Bits<L>>,
    /// There is a PDC with its key.
    #[with(m_record)]
    pub m_record_found: Bits<L>,
    /// The number of that PDC; 0 if there is none.
    #[with(m_record)]
    pub m_record_connection: Bits<L>,
    /// The number of the frame, by which `delivery` names it.
    #[with(m_record)]
    pub m_record_handle: Option<Bits<L>>,
    /// The frames, each PDC in the order of PSNs.
    pub m_delivery: Option<Axis<L>>,
    /// The packets, each PDC in the order of PSNs; `delivery_handle` is the number of the frame.
    #[with(m_delivery)]
    pub delivery: Delivery<L>,
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
    /// It can be taken.
    #[ready(path_scheduler_command)]
    pub path_scheduler_command_ready: Option<Bits<L>>,
    /// RoCEv2: the answers to commands of `path_scheduler`.
    pub path_scheduler_response: Option<path_scheduler::Response<L>>,
    /// RoCEv2: what software should know of the sub-paths of a QP.
    pub path_scheduler_event: Option<path_scheduler::EventOut<L>>,
    /// The tables are being swept after reset.
    pub busy: Bits<L>,
    /// Frames since reset, one counter for each reason of the parser. They wrap.
    pub parser: header_parser::Counts<L>,
    /// Frames since reset by their ICRC. The counters wrap.
    pub icrc: Option<IcrcCounts<L>>,
    /// Frames since reset, by what became of them in the gate. The counters wrap.
    pub gate: GateCounts<L>,
    /// Packets with a key that is that of no PDC, in sequence or not, since reset. The counter wraps.
    pub unknown_keys: Bits<L>,
    /// Packets of no open PDC, since reset. The counter wraps.
    pub unknown_connections: Bits<L>,
    /// Arrivals that had been received and waited, since reset. The counter wraps.
    pub duplicates: Bits<L>,
    /// Arrivals before the expected PSN, since reset. The counter wraps.
    pub below_window: Bits<L>,
    /// Arrivals behind the window, since reset. The counter wraps.
    pub above_window: Bits<L>,
    /// Arrivals for which there was no buffer: their slot was occupied, or the pool had no cell for them, since reset. The counter wraps.
    pub no_buffer: Bits<L>,
    /// Arrivals on a sub-path that no PDC has, since reset. The counter wraps.
    pub unknown_paths: Bits<L>,
    /// ACKs sent, answers to probes not counted, since reset. The counter wraps.
    pub acks: Bits<L>,
    /// NAKs or NACKs sent, since reset. The counter wraps.
    pub naks: Bits<L>,
    /// Answers to probes sent, since reset. The counter wraps.
    pub probe_answers: Bits<L>,
    /// Arrivals and reports of gaps that joined an ACK that was due already, since reset. The counter wraps.
    pub merged_causes: Bits<L>,
    /// ACKs that became due by time, since reset. The counter wraps.
    pub expired: Bits<L>,
    /// Reports of gaps without effect, since reset. The counter wraps.
    pub void_events: Bits<L>,
    /// Replies for which there was no room, since reset. The counter wraps.
    pub dropped_replies: Bits<L>,
    /// Answers to packets of no PDC that were not sent, as their headers were not kept, since reset. The counter
    /// wraps.
    pub lost_answers: Option<Bits<L>>,
    /// The number of free cells.
    pub free_cells: Option<Bits<L>>,
    /// The fewest free cells since reset.
    pub low_water: Option<Bits<L>>,
    /// Arrivals without a buffer because a beat found no cell, since reset. The counter wraps.
    pub no_cells: Option<Bits<L>>,
    /// Arrivals without a buffer because of the quota of their PDC, since reset. The counter wraps.
    pub over_quota: Option<Bits<L>>,
    /// Arrivals without a buffer because of the reserve, since reset. The counter wraps.
    pub below_reserve: Option<Bits<L>>,
    /// Flipped bits in the memories of `reorder`, with its `sram_protection` = `secded`.
    pub sram: Option<SramReport<L>>,
    /// Requests that were not accepted, since reset. The counter wraps.
    pub refused_requests: Bits<L>,
    /// CREDIT_REQUESTs since reset. The counter wraps.
    pub credit_requests: Option<Bits<L>>,
    /// What `packet_tracker` has counted since reset. The counters wrap.
    pub packet_tracker: PacketTrackerCounts<L>,
    /// What `ccc_table` has counted since reset. The counters wrap.
    pub ccc_table: CccTableCounts<L>,
    /// UET: what `entropy_selector` has counted since reset. The counters wrap.
    pub entropy_selector: Option<EntropySelectorCounts<L>>,
    /// RoCEv2: what `path_scheduler` has counted since reset. The counters wrap.
    pub path_scheduler: Option<PathSchedulerCounts<L>>,
    /// RoCEv2: frames sent since reset, by their ICRC. The counters wrap.
    pub icrc_insert: Option<IcrcCounts<L>>,
    /// RCCC: what `credit_pacer` has counted since reset. The counters wrap.
    pub credit_pacer: Option<CreditPacerCounts<L>>,
    /// Frames since reset. The counters wrap.
    pub header_builder: BuilderCounts<L>,
}

/// Counters of `credit_pacer`, since reset. They wrap.
#[derive(Bundle)]
pub struct CreditPacerCounts<L: Reading> {
    /// Demands of PDCs without credit, or not open.
    pub closed_demands: Bits<L>,
    /// Demands older than what is known.
    pub stale_demands: Bits<L>,
    /// CREDIT packets, but for those of PDCs that were closed.
    pub credits: Bits<L>,
    /// Takes without a grant.
    pub void_turns: Bits<L>,
}

#[name_nets]
impl<L: Logic> CreditPacerCounts<L> {
    /// Those of the stage.
    pub(super) fn of(pacer: &credit_pacer::CreditPacerOut<L>) -> Self {
        let credit_pacer::CreditPacerOut { closed_demands, stale_demands, credits, void_turns, .. } = *pacer;
        CreditPacerCounts { closed_demands, stale_demands, credits, void_turns }
    }
}

#[name_nets]
impl NicConfig {
    /// Shape of a response, from those of the two paths.
    pub(super) fn response(rx: &rx::Response<Shape>, tx: &tx::Response<Shape>) -> Response<Shape> {
        let tx::Response { valid, op, pdc, done, open, state, cwnd, inflight, failed, base, next, .. } = *tx;
        let tx::Response { in_flight, marked, messages, .. } = *tx;
        let rx::Response { key_refused, draining, expected, highest, held, reordered, .. } = *rx;
        let rx::Response { depth, duration, path_packets, path_time, owes, msn, bytes, .. } = *rx;
        Response {
            valid,
            op,
            pdc,
            done,
            open,
            state,
            cwnd,
            inflight,
            failed,
            base,
            next,
            in_flight,
            marked,
            messages,
            key_refused,
            draining,
            expected,
            highest,
            held,
            reordered,
            depth,
            duration,
            path_packets,
            path_time,
            owes,
            msn,
            bytes,
        }
    }
}
