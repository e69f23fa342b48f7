// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic_nic`: a NIC of UET. The receive path and the transmit path, with one wire to the MAC and one command for both.
//! Contract: `docs/stages/nic.md` (rows NI1 to NI8).
//!
//! ```text
//!                  +----+ ------ frames, delivery ----------------------------> host
//!  s_axis_rx ----->| rx | --- records ---> records ---------------------------> host
//!                  +----+                     |
//!                   ^  | answers              v
//!                   |  +-> mux <--- data --- +----+ <--- request, bytes ------- host
//!                   |       |                | tx | ---- fetch, completion ---> host
//!                   |       v                +----+
//!                   |   m_axis_tx              ^
//!                   +------ contexts ----------+ <------ command
//! ```
//!
//! Nothing of this module takes a clock cycle: a record and a beat pass in the one in which they are offered.

mod config;
mod contexts;
pub mod frame_mux;
mod ports;
pub mod records;

pub use config::NicConfig;
pub use ports::{NicIn, NicOut, Response};

use crate::blocks::table::latency_suffix;
use crate::headers::record::HeaderRecord;
use crate::rx::{RxConfig, RxIn};
use crate::tx::{TxConfig, TxIn};
use contexts::{Contexts, Shown};
use frame_mux::FrameMux;
use ports::Command;
use records::RecordFork;
use rtl_model::stream::Ready;
use rtl_model::{Child, Design, Logic, Shape, Stage, name_nets};

#[name_nets]
impl Design for NicConfig {
    type Stage<L: Logic> = Nic<L>;

    fn module_name(&self) -> String {
        let (width, pdcs) = (self.tx.builder.data_width, self.tx.packet_tracker.pdcs);
        format!("nic_w{width}p{pdcs}{}", latency_suffix(self.tx.packet_tracker.ram_latency))
    }

    fn build<L: Logic>(&self) -> Nic<L> {
        self.check();
        let (rx, tx) = (Child::named("rx", &self.rx), Child::named("tx", &self.tx));
        let of_rx = rx.input_shape().command;
        let command = Command { tx: tx.input_shape().command, expected: of_rx.psn, path: of_rx.path };
        let response = NicConfig::response(&self.rx.response(), &self.tx.response());
        let contexts = Contexts::new(&command, response, self.rx.lookup.kinds.key_width());
        Nic { rx, tx, mux: FrameMux::new(), records: RecordFork::new(), contexts }
    }
}

/// A NIC.
#[name_nets]
pub struct Nic<L: Logic> {
    rx: Child<L, RxConfig>,
    tx: Child<L, TxConfig>,
    /// Joins answers and data.
    mux: FrameMux<L>,
    /// Gives records to the host and to the transmit path.
    records: RecordFork<L>,
    /// Opens and closes PDCs in both paths.
    contexts: Contexts<L>,
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
            request: tx.request,
            fetch_ready: tx.fetch_ready,
            s_axis_tx: tx.s_axis,
            m_axis_tx: tx.m_axis,
            completion_ready: tx.completion_ready,
            command: tx.command,
            command_expected: rx.command.psn,
            command_path: rx.command.path,
            reorder_settings: rx.reorder_settings,
            ack_generator_settings: rx.ack_generator_settings,
            packet_tracker_settings: tx.packet_tracker_settings,
            ccc_table_settings: tx.ccc_table_settings,
            entropy_selector_settings: tx.entropy_selector_settings,
            pressure: rx.pressure,
            pipeline: tx.pipeline,
            failure_ready: tx.failure_ready,
        }
    }

    fn outputs(&self) -> NicOut<L> {
        let (rx, tx) = (self.rx.outputs(), self.tx.outputs());
        let busy = rx.busy | tx.busy;
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
            request_ready: tx.request_ready,
            accepted: tx.accepted,
            fetch: tx.fetch,
            s_axis_tx: tx.s_axis,
            m_axis_tx: self.mux.joined(rx.m_answer, tx.m_axis),
            completion: tx.completion,
            command_ready: self.contexts.idle() & !busy,
            response: self.contexts.response(),
            failure: tx.failure,
            busy,
            parser: rx.parser,
            icrc: rx.icrc,
            gate: rx.gate,
            unknown_connections: rx.unknown_connections,
            duplicates: rx.duplicates,
            below_window: rx.below_window,
            above_window: rx.above_window,
            no_buffer: rx.no_buffer,
            acks: rx.acks,
            naks: rx.naks,
            probe_answers: rx.probe_answers,
            dropped_replies: rx.dropped_replies,
            lost_answers: rx.lost_answers,
            free_cells: rx.free_cells,
            low_water: rx.low_water,
            no_cells: rx.no_cells,
            over_quota: rx.over_quota,
            below_reserve: rx.below_reserve,
            sram: rx.sram,
            refused_requests: tx.refused_requests,
            credit_requests: tx.credit_requests,
            packet_tracker: tx.packet_tracker,
            ccc_table: tx.ccc_table,
            entropy_selector: tx.entropy_selector,
            header_builder: tx.header_builder,
        }
    }

    fn clock(&self, input: &NicIn<L>) {
        let (rx, tx) = (self.rx.outputs(), self.tx.outputs());
        let takers = [input.m_record.tready, tx.s_record.tready];
        let [_, record_for_tx] = self.records.valid(rx.m_record_tvalid);
        let [answer_ready, data_ready] = self.mux.ready(&rx.m_answer, &tx.m_axis, input.m_axis_tx);
        let (to_rx, to_tx) = (self.contexts.for_rx(), self.contexts.for_tx());

        self.rx.clock(&RxIn {
            s_axis: input.s_axis_rx,
            m_axis: input.m_axis_rx,
            m_record: Ready { tready: self.records.ready(takers) },
            command: to_rx,
            reorder_settings: input.reorder_settings,
            ack_generator_settings: input.ack_generator_settings,
            pressure: input.pressure,
            delivery_ready: input.delivery_ready,
            m_delivery: input.m_delivery,
            m_answer: answer_ready,
        });
        self.tx.clock(&TxIn {
            request: input.request,
            fetch_ready: input.fetch_ready,
            s_axis: input.s_axis_tx,
            m_axis: data_ready,
            s_record_tvalid: record_for_tx,
            // It has no use for the side band.
            s_record: HeaderRecord { tid: None, tdest: None, tuser: None, ..rx.m_record },
            s_record_found: rx.m_record_found,
            s_record_connection: rx.m_record_connection,
            completion_ready: input.completion_ready,
            command: to_tx,
            packet_tracker_settings: input.packet_tracker_settings,
            ccc_table_settings: input.ccc_table_settings,
            entropy_selector_settings: input.entropy_selector_settings,
            pipeline: input.pipeline,
            failure_ready: input.failure_ready,
        });
        self.contexts.clock(
            Command { tx: input.command, expected: input.command_expected, path: input.command_path },
            &Shown {
                live: !(rx.busy | tx.busy),
                rx_ready: rx.command_ready,
                rx: rx.response,
                tx_ready: tx.command_ready,
                tx: tx.response,
                settled: tx.s_record.tready,
            },
        );
        self.records.clock(rx.m_record_tvalid, takers);
        self.mux.clock(rx.m_answer, tx.m_axis, input.m_axis_tx);
    }
}
