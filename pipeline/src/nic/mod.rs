// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic_nic`: a NIC of UET, or of multipath RoCEv2. The receive path and the transmit path, with one wire to the MAC and one command for both, and with
//! RCCC the pacer of its receiver. Contract: `docs/stages/nic.md` (rows NI1 to NI11).
//!
//! ```text
//!                  +----+ ------ frames, delivery ----------------------------> host
//!  s_axis_rx ----->| rx | --- records ---> records ---------------------------> host
//!                  +----+                     |
//!                   ^  | answers              v
//!                   |  +-> mux <--- data --- +----+ <--- request, bytes ------- host
//!                   |       |                | tx | ---- fetch, completion ---> host
//!                   |       v                +----+
//!                   |   m_axis_tx            ^   ^
//!                   +------ contexts --------+ <-|------ command
//!                               v                | credit
//!                 records ----> demands -> pacer +
//! ```
//!
//! A record and a beat pass in the clock cycle in which they are offered; a demand goes to the pacer one later.

mod config;
mod contexts;
mod demands;
pub mod frame_mux;
mod ports;
pub mod records;

pub use config::NicConfig;
pub use ports::{NicIn, NicOut, Response};

use crate::blocks::table::latency_suffix;
use crate::headers::record::HeaderRecord;
use crate::receive::credit_pacer::{CreditPacerConfig, CreditPacerIn, CreditPacerOut};
use crate::receive::rx::{RxConfig, RxIn};
use crate::transmit::tx::{Credit, TxConfig, TxIn};
use contexts::{Contexts, Shown};
use demands::Demands;
use frame_mux::FrameMux;
use ports::Command;
use records::RecordFork;
use rtl_model::stream::Ready;
use rtl_model::{Bits, Child, Design, Logic, Shape, Stage, name_nets};

#[name_nets]
impl Design for NicConfig {
    type Stage<L: Logic> = Nic<L>;

    fn module_name(&self) -> String {
        let (width, pdcs) = (self.tx.builder.data_width, self.tx.packet_tracker.pdcs);
        let protocol = if self.tx.is_rocev2() { "_roce" } else { "" };
        format!("nic{protocol}_w{width}p{pdcs}{}", latency_suffix(self.tx.packet_tracker.ram_latency))
    }

    fn build<L: Logic>(&self) -> Nic<L> {
        self.check();
        let (rx, tx) = (Child::named("rx", &self.rx), Child::named("tx", &self.tx));
        let of_rx = rx.input_shape().command;
        let command = Command {
            tx: tx.input_shape().command,
            expected: of_rx.psn,
            path: of_rx.path,
            local_qp: of_rx.peer,
            any_peer: of_rx.ends.any_peer,
            own_tolerance: of_rx.own_tolerance,
            tolerance_span: of_rx.tolerance_span,
            tolerance_time: of_rx.tolerance_time,
            own_rnr_code: of_rx.own_rnr_code,
            rnr_code: of_rx.rnr_code,
            mtu: of_rx.mtu,
        };
        let response = Response::shape(*self);
        let contexts = Contexts::new(&command, response, self.rx.lookup.kinds.key_width(), self.credit());
        let pacer = self.pacer.as_ref().map(|pacer| Child::named("pacer", pacer));
        let demands = pacer.as_ref().map(|pacer| Demands::new(&pacer.input_shape().demand));
        Nic { rx, tx, pacer, demands, mux: FrameMux::new(), records: RecordFork::new(), contexts }
    }
}

/// A NIC.
#[name_nets]
pub struct Nic<L: Logic> {
    rx: Child<L, RxConfig>,
    tx: Child<L, TxConfig>,
    /// Gives credit to the peers of its PDCs.
    pacer: Option<Child<L, CreditPacerConfig>>,
    /// Finds in records who asks for credit.
    demands: Option<Demands<L>>,
    /// Joins answers and data.
    mux: FrameMux<L>,
    /// Gives records to the host and to the transmit path.
    records: RecordFork<L>,
    /// Opens and closes PDCs in both paths.
    contexts: Contexts<L>,
}

#[name_nets]
impl<L: Logic> Nic<L> {
    /// Tables are being swept.
    fn busy(&self) -> Bits<L> {
        let busy = self.rx.outputs().busy | self.tx.outputs().busy;
        self.pacer.as_ref().map_or(busy, |pacer| busy | pacer.outputs().busy)
    }

    /// What the pacer grants: the credit that the transmit path is offered, and whether the grant is dropped.
    fn credit(&self, pacer: &Child<L, CreditPacerConfig>) -> (Credit<L>, Bits<L>) {
        let grant = pacer.outputs().grant;
        let closing = self.tx.outputs().closing.expect("with RCCC there is credit");
        let [waits, drops] = self.contexts.holds_credit(grant.source, closing);
        (Credit { valid: grant.valid & !waits, pdc: grant.source, number: grant.credit }, drops)
    }

    /// A record for the transmit path can be taken by the part that looks for demands, too.
    fn looks(&self) -> Bits<L> {
        self.demands.as_ref().map_or(Bits::lit(1, 1), Demands::ready)
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for Nic<L> {
    type In = NicIn<L>;
    type Out = NicOut<L>;

    fn input_shape(&self) -> NicIn<Shape> {
        let (rx, tx) = (self.rx.input_shape(), self.tx.input_shape());
        NicIn {
            s_axis_rx: rx.s_axis,
            m_axis_rx: rx.m_axis,
            m_record: rx.m_record,
            delivery_ready: rx.delivery_ready,
            m_delivery: rx.m_delivery,
            undelivered_ready: rx.undelivered_ready,
            request: tx.request,
            fetch_ready: tx.fetch_ready,
            s_axis_tx: tx.s_axis,
            m_axis_tx: tx.m_axis,
            completion_ready: tx.completion_ready,
            command: tx.command,
            command_expected: rx.command.psn,
            command_path: rx.command.path,
            command_local_qp: rx.command.peer,
            command_own_tolerance: rx.command.own_tolerance,
            command_tolerance_span: rx.command.tolerance_span,
            command_tolerance_time: rx.command.tolerance_time,
            command_own_rnr_code: rx.command.own_rnr_code,
            command_rnr_code: rx.command.rnr_code,
            command_mtu: rx.command.mtu,
            command_any_peer: rx.command.ends.any_peer,
            reorder_settings: rx.reorder_settings,
            ack_generator_settings: rx.ack_generator_settings,
            packet_tracker_settings: tx.packet_tracker_settings,
            ccc_table_settings: tx.ccc_table_settings,
            entropy_selector_settings: tx.entropy_selector_settings,
            path_scheduler_command: tx.path_scheduler_command,
            path_scheduler_settings: tx.path_scheduler_settings,
            probe_settings: tx.probe_settings,
            path_scheduler_event_ready: tx.path_scheduler_event_ready,
            credit_pacer_settings: self.pacer.as_ref().map(|pacer| pacer.input_shape().settings),
            answer_settings: rx.answer_settings,
            pressure: rx.pressure,
            station_address: rx.station_address,
            pipeline: tx.pipeline,
            failure_ready: tx.failure_ready,
            refusal_ready: rx.refusal_ready,
        }
    }

    fn outputs(&self) -> NicOut<L> {
        let (rx, tx) = (self.rx.outputs(), self.tx.outputs());
        let busy = self.busy();
        NicOut {
            s_axis_rx: rx.s_axis,
            m_axis_rx: rx.m_axis,
            m_record_tvalid: self.records.valid(rx.m_record_tvalid)[0],
            m_record: rx.m_record,
            m_record_in_sequence: rx.m_record_in_sequence,
            m_record_found: rx.m_record_found,
            m_record_connection: rx.m_record_connection,
            m_record_handle: rx.m_record_handle,
            m_delivery: rx.m_delivery,
            delivery: rx.delivery,
            undelivered: rx.undelivered,
            request_ready: tx.request_ready,
            accepted: tx.accepted,
            fetch: tx.fetch,
            s_axis_tx: tx.s_axis,
            m_axis_tx: self.mux.joined(rx.m_answer, tx.m_axis),
            completion: tx.completion,
            command_ready: self.contexts.idle() & !busy,
            response: self.contexts.response(),
            failure: tx.failure,
            refusal: rx.refusal,
            path_scheduler_command_ready: tx.path_scheduler_command_ready,
            path_scheduler_response: tx.path_scheduler_response,
            path_scheduler_event: tx.path_scheduler_event,
            probe_answer: tx.probe_answer,
            busy,
            rx_counts: rx.counts,
            tx_counts: tx.counts,
            credit_pacer: self.pacer.as_ref().map(|pacer| pacer.outputs().counts),
        }
    }

    fn clock(&self, input: &NicIn<L>) {
        let (rx, tx) = (self.rx.outputs(), self.tx.outputs());
        // The transmit path and the part that looks for demands take a record together.
        let looks = self.looks();
        let takers = [input.m_record.tready, tx.s_record.tready & looks];
        let [_, record_for_tx] = self.records.valid(rx.m_record_tvalid);
        let credit = self.pacer.as_ref().map(|pacer| self.credit(pacer));
        let live = !self.busy();
        let of_pacer = self.pacer.as_ref().map(|pacer| {
            let CreditPacerOut { command_ready, response, .. } = pacer.outputs();
            [command_ready, response.valid, response.done]
        });
        let [pacer_ready, pacer_answers, pacer_done] = of_pacer.unwrap_or([Bits::lit(1, 0); 3]);
        let [answer_ready, data_ready] = self.mux.ready(&rx.m_answer, &tx.m_axis, input.m_axis_tx);
        let (to_rx, to_tx) = (self.contexts.for_rx(), self.contexts.for_tx());

        self.rx.clock(&RxIn {
            s_axis: input.s_axis_rx,
            m_axis: input.m_axis_rx,
            m_record: Ready { tready: self.records.ready(takers) },
            command: to_rx,
            reorder_settings: input.reorder_settings,
            ack_generator_settings: input.ack_generator_settings,
            answer_settings: input.answer_settings,
            pressure: input.pressure,
            station_address: input.station_address,
            delivery_ready: input.delivery_ready,
            m_delivery: input.m_delivery,
            undelivered_ready: input.undelivered_ready,
            m_answer: answer_ready,
            refusal_ready: input.refusal_ready,
        });
        self.tx.clock(&TxIn {
            request: input.request,
            fetch_ready: input.fetch_ready,
            s_axis: input.s_axis_tx,
            m_axis: data_ready,
            s_record_tvalid: record_for_tx & looks,
            // It has no use for the side band.
            s_record: HeaderRecord { tid: None, tdest: None, tuser: None, ..rx.m_record },
            s_record_found: rx.m_record_found,
            s_record_connection: rx.m_record_connection,
            ack_fence: self.contexts.ack_fence(&rx.response),
            completion_ready: input.completion_ready,
            credit: credit.map(|(credit, _)| credit),
            command: to_tx,
            packet_tracker_settings: input.packet_tracker_settings,
            ccc_table_settings: input.ccc_table_settings,
            entropy_selector_settings: input.entropy_selector_settings,
            pipeline: input.pipeline,
            path_scheduler_command: input.path_scheduler_command,
            path_scheduler_settings: input.path_scheduler_settings,
            probe_settings: input.probe_settings,
            path_scheduler_event_ready: input.path_scheduler_event_ready,
            failure_ready: input.failure_ready,
        });
        if let Some((pacer, demands)) = self.pacer.as_ref().zip(self.demands.as_ref()) {
            let (paced, drops) = (pacer.outputs(), credit.map_or(Bits::lit(1, 0), |(_, drops)| drops));
            let sent = credit.map_or(Bits::lit(1, 0), |(credit, _)| credit.valid);
            pacer.clock(&CreditPacerIn {
                demand: demands.demand(),
                command: self.contexts.for_pacer(),
                settings: input.credit_pacer_settings.expect("settings of the pacer"),
                grant_ready: sent & tx.credit_ready.expect("with RCCC there is credit") | drops,
            });
            let found = (rx.m_record_found, rx.m_record_connection);
            demands.clock(record_for_tx & tx.s_record.tready, &rx.m_record, found, paced.demand_ready);
        }
        self.contexts.clock(
            Command {
                tx: input.command,
                expected: input.command_expected,
                path: input.command_path,
                local_qp: input.command_local_qp,
                own_tolerance: input.command_own_tolerance,
                tolerance_span: input.command_tolerance_span,
                tolerance_time: input.command_tolerance_time,
                own_rnr_code: input.command_own_rnr_code,
                rnr_code: input.command_rnr_code,
                mtu: input.command_mtu,
                any_peer: input.command_any_peer,
            },
            &Shown {
                live,
                rx_ready: rx.command_ready,
                rx: rx.response,
                tx_ready: tx.command_ready,
                tx: tx.response,
                pacer_ready,
                pacer_answers,
                pacer_done,
                ack_fence_passed: tx.ack_fence_passed,
            },
        );
        self.records.clock(rx.m_record_tvalid, takers);
        self.mux.clock(rx.m_answer, tx.m_axis, input.m_axis_tx);
    }
}
