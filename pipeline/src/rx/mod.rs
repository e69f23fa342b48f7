// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic_rx`: the receive path. Frames come in as the network delivers them; the packets of each connection are named in
//! their order. Contract: `docs/stages/rx.md`.
//!
//! ```text
//!  s_axis -> parser -> icrc -> gate -------------------------------------> m_axis
//!              |                 ^ |
//!              +---- records ----+ +-> identify ----------------------------> m_record
//!                                        |   ^                +-> reorder -> delivery, event
//!                                     key|   |connection      |
//!                                        +-> lookup           |
//!                                      identify -- arrivals --+
//!  command -> contexts -> reorder, lookup -> response
//! ```

mod config;
mod contexts;
mod identify;
mod packet;
mod ports;

pub use config::{RxConfig, RxTransport};
pub use ports::*;

use crate::blocks::table::latency_suffix;
use crate::context_lookup::{ContextLookupConfig, ContextLookupIn, Lookup, kind};
use crate::frame_gate::{FrameGateConfig, FrameGateIn};
use crate::header_parser::{HeaderParserConfig, HeaderParserIn};
use crate::icrc::{IcrcConfig, IcrcIn};
use crate::reorder::{Arrival, ReorderConfig, ReorderIn};
use contexts::{Contexts, Shown};
use identify::{Identified, Identify};
use rtl_model::stream::Ready;
use rtl_model::{Child, Design, Logic, Shape, Stage, name_nets};

impl RxTransport {
    /// The kind of key by which its packets find their connection.
    const fn kind(self) -> u64 {
        match self {
            RxTransport::Rocev2 => kind::ROCEV2,
            RxTransport::Uet => kind::UET,
        }
    }

    /// Width of its PSNs.
    pub const fn psn_bits(self) -> u32 {
        match self {
            RxTransport::Rocev2 => 24,
            RxTransport::Uet => 32,
        }
    }
}

#[name_nets]
impl Design for RxConfig {
    type Stage<L: Logic> = Rx<L>;

    fn module_name(&self) -> String {
        let transport = match self.transport {
            RxTransport::Rocev2 => "roce",
            RxTransport::Uet => "uet",
        };
        let latency = latency_suffix(self.reorder.ram_latency);
        format!("rx_{transport}_w{}{latency}", self.parser.data_width)
    }

    fn build<L: Logic>(&self) -> Rx<L> {
        Rx {
            config: *self,
            parser: Child::new(&self.parser),
            icrc: self.icrc.as_ref().map(Child::new),
            gate: Child::new(&self.gate),
            lookup: Child::new(&self.lookup),
            reorder: Child::new(&self.reorder),
            identify: Identify::new(*self),
            contexts: Contexts::new(self),
        }
    }
}

/// The receive path.
#[name_nets]
pub struct Rx<L: Logic> {
    config: RxConfig,
    parser: Child<L, HeaderParserConfig>,
    icrc: Option<Child<L, IcrcConfig>>,
    gate: Child<L, FrameGateConfig>,
    lookup: Child<L, ContextLookupConfig>,
    reorder: Child<L, ReorderConfig>,
    /// Finds the connection of each frame.
    identify: Identify<L>,
    /// Opens and closes connections in all stages.
    contexts: Contexts<L>,
}

#[name_nets]
impl<L: Logic> Stage<L> for Rx<L> {
    type In = RxIn<L>;
    type Out = RxOut<L>;

    fn input_shape(&self) -> RxIn<Shape> {
        self.config.input_shape()
    }

    fn outputs(&self) -> RxOut<L> {
        let (parser, gate, reorder) = (self.parser.outputs(), self.gate.outputs(), self.reorder.outputs());
        let busy = reorder.busy | self.lookup.outputs().busy;
        let Identified { record, in_sequence, found, index, number, .. } = self.identify.front();
        RxOut {
            s_axis: parser.s_axis,
            m_axis: gate.m_axis,
            m_record_tvalid: self.identify.record_valid(),
            m_record: record,
            m_record_in_sequence: in_sequence,
            m_record_found: found,
            m_record_connection: index,
            m_record_handle: number,
            command_ready: self.contexts.idle() & !busy,
            response: self.contexts.response(),
            delivery: reorder.delivery,
            event: reorder.event,
            busy,
            parser: parser.count,
            icrc: self.icrc.as_ref().map(|icrc| icrc.outputs().count),
            gate: gate.count,
            unknown_connections: reorder.unknown_connections,
            duplicates: reorder.duplicates,
            below_window: reorder.below_window,
            above_window: reorder.above_window,
            no_buffer: reorder.no_buffer,
        }
    }

    fn clock(&self, input: &RxIn<L>) {
        let RxIn { s_axis, m_axis, m_record, command, settings, delivery_ready, event_ready } = *input;
        let (parser, gate) = (self.parser.outputs(), self.gate.outputs());
        let (lookup, reorder) = (self.lookup.outputs(), self.reorder.outputs());
        let front = self.identify.front();

        // Frames: parser, ICRC, gate.
        let (to_gate, parser_ready) = match &self.icrc {
            Some(icrc) => {
                let checked = icrc.outputs();
                icrc.clock(&IcrcIn { s_axis: parser.m_axis, m_axis: gate.s_axis });
                (checked.m_axis, checked.s_axis)
            }
            None => (parser.m_axis, gate.s_axis),
        };
        let record_ready = gate.s_record.expect("a gate with records");
        self.parser.clock(&HeaderParserIn { s_axis, m_axis: parser_ready, m_record: record_ready });
        let identify_ready = self.identify.ready();
        self.gate.clock(&FrameGateIn {
            s_axis: to_gate,
            s_record_tvalid: Some(parser.m_record_tvalid),
            s_record: Some(parser.m_record),
            m_axis,
            m_record: Some(Ready { tready: identify_ready }),
        });

        // Records: the key to the lookup, the arrival to the reorder stage.
        let (record_valid, record) =
            (gate.m_record_tvalid.expect("a gate with records"), gate.m_record.expect("a gate with records"));
        let taken = self.config.read(&record);
        let arrival = Arrival {
            valid: self.identify.arrival_valid(),
            connection: front.index,
            found: front.found,
            psn: front.packet.psn,
            path: front.packet.path,
            flags: front.packet.flags,
            length: front.packet.length,
            handle: front.number,
        };
        let shown = Shown {
            live: !(reorder.busy | lookup.busy),
            reorder_ready: reorder.command_ready,
            reorder: reorder.response,
            lookup_ready: lookup.command_ready,
            lookup: lookup.response,
            frames: self.identify.progress(),
        };
        let (reorder_command, lookup_command) =
            (self.contexts.for_reorder(), self.contexts.for_lookup(self.config.transport.kind()));
        self.contexts.clock(command, &shown);
        self.identify.clock((record_valid, record), lookup.answer, m_record.tready, reorder.arrival_ready);
        let look_up = Lookup {
            valid: record_valid & identify_ready,
            kind: taken.kind,
            key: taken.key,
            key_1: None,
            key_2: None,
            key_3: None,
        };
        self.lookup.clock(&ContextLookupIn { lookup: look_up, command: lookup_command });
        self.reorder.clock(&ReorderIn { arrival, command: reorder_command, settings, delivery_ready, event_ready });
    }
}
