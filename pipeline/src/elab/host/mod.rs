// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic_elab_host`: the ELAB layer of a host. Packets that are sent get a virtual path (VP) and the report that the other host
//! waits for; what arrives is counted, and its report heeded. Contract: `docs/stages/elab_host.md` (rows EH1 to EH12; E01 to
//! E07, E11).
//!
//! ```text
//!  s_axis -> parser -> gate ----------------------------------------------> m_axis
//!              |        ^ | records
//!              +records-+ +-> arrivals -----------------------------------> m_record
//!                           addresses|  ^pair  |arrival          |report
//!                                    v  |      v                 v
//!                                   lookup   feedback         scheduler
//!                                               |due  ^query     ^request
//!                                               |     |report    |grant
//!  packet ---------------------------------> departures --records--> builder -> m_axis_packet
//!  s_axis_packet -----------------------------------------bytes------->
//!
//!  command -> pairs -> lookup, departures, feedback -> response
//! ```
//!
//! With memories of latency `l`, and nothing that stalls: a record is on `m_record` 2 `l` + 5 clock cycles after it entered its memory
//! in the gate, and its arrival and report reach both halves in the next one. A packet is offered to the header builder
//! 2 `l` + 14 cycles after it was taken, one per clock cycle.
//!
//! A consumer that stalls `m_record` or `m_axis`, and a command of a half in the clock cycle in which it takes effect, keep frames in
//! the gate, which drops what it has no room for; the network is never stalled. A stalled `m_axis_packet` stalls `packet` when 32
//! packets are under way. Damaged frames end in the gate; packets of no open pair are counted, and so are those without a VP.

mod arrivals;
mod config;
mod departures;
mod pairs;
mod ports;

pub use config::{ElabHostConfig, LENGTH_WIDTH};
pub use ports::*;

use crate::blocks::table::latency_suffix;
use crate::elab::feedback::{ElabFeedbackConfig, ElabFeedbackIn};
use crate::elab::scheduler::{ElabSchedulerConfig, ElabSchedulerIn};
use crate::frame::frame_gate::{FrameGateConfig, FrameGateIn};
use crate::frame::header_builder::HeaderBuilderConfig;
use crate::frame::header_parser::{HeaderParserConfig, HeaderParserIn};
use crate::receive::context_lookup::{ContextLookupConfig, ContextLookupIn};
use arrivals::Arrivals;
use departures::{Departures, Offers};
use pairs::{Pairs, Shown};
use rtl_model::stream::Ready;
use rtl_model::{Bits, Child, Design, Logic, Shape, Stage, name_nets};

/// Why a port of the gate exists.
const WITH_RECORDS: &str = "a gate with records that shows what it keeps";

#[name_nets]
impl Design for ElabHostConfig {
    type Stage<L: Logic> = ElabHost<L>;

    fn module_name(&self) -> String {
        let sizes = self.sizes();
        let (width, latency) = (self.parser.data_width, latency_suffix(sizes.ram_latency));
        format!("elab_host_w{width}h{}v{}u{}d{}{latency}", sizes.pairs, sizes.vps, sizes.unit, self.report_dscp)
    }

    fn build<L: Logic>(&self) -> ElabHost<L> {
        ElabHost {
            config: *self,
            // The gate takes each record at once: records are ahead of their frames by less than it has room for (row F5).
            parser: Child::new(&HeaderParserConfig { record_buffer: false, ..self.parser }),
            gate: Child::new(&FrameGateConfig { shows_kept: true, ..self.gate }),
            lookup: Child::new(&self.lookup),
            feedback: Child::new(&self.feedback),
            scheduler: Child::new(&self.scheduler),
            builder: Child::new(&self.builder),
            arrivals: Arrivals::new(*self),
            departures: Departures::new(*self),
            pairs: Pairs::new(*self),
        }
    }
}

/// The ELAB layer of a host.
#[name_nets]
pub struct ElabHost<L: Logic> {
    config: ElabHostConfig,
    parser: Child<L, HeaderParserConfig>,
    gate: Child<L, FrameGateConfig>,
    lookup: Child<L, ContextLookupConfig>,
    feedback: Child<L, ElabFeedbackConfig>,
    scheduler: Child<L, ElabSchedulerConfig>,
    builder: Child<L, HeaderBuilderConfig>,
    /// Finds the pair of each frame that comes.
    arrivals: Arrivals<L>,
    /// Makes the records of packets that are sent.
    departures: Departures<L>,
    /// Opens and closes pairs.
    pairs: Pairs<L>,
}

#[name_nets]
impl<L: Logic> ElabHost<L> {
    /// Tables are being swept.
    fn busy(&self) -> Bits<L> {
        self.lookup.outputs().busy | busy(&self.feedback.outputs(), &self.scheduler.outputs())
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for ElabHost<L> {
    type In = ElabHostIn<L>;
    type Out = ElabHostOut<L>;

    fn input_shape(&self) -> ElabHostIn<Shape> {
        ElabHostIn::shape(self.config)
    }

    fn outputs(&self) -> ElabHostOut<L> {
        let (parser, gate, builder) = (self.parser.outputs(), self.gate.outputs(), self.builder.outputs());
        let (feedback, scheduler) = (self.feedback.outputs(), self.scheduler.outputs());
        let (busy, front) = (self.busy(), self.arrivals.front());
        let (own_reports, unsent) = self.departures.counts();
        ElabHostOut {
            s_axis: parser.s_axis,
            m_axis: gate.m_axis,
            m_record_tvalid: self.arrivals.record_valid(),
            m_record: gate.m_record.expect(WITH_RECORDS),
            m_record_found: front.found,
            m_record_pair: front.pair,
            packet_ready: self.departures.packet_ready(!busy, feedback.due),
            s_axis_packet: self.departures.bytes_ready(builder.s_axis),
            m_axis_packet: builder.m_axis,
            command_ready: self.pairs.idle() & !busy,
            response: self.pairs.response(),
            elab_scheduler_command_ready: scheduler.command_ready,
            elab_scheduler_response: scheduler.response,
            elab_scheduler_dead: scheduler.dead,
            elab_scheduler_returned: scheduler.returned,
            busy,
            parser: parser.count,
            gate: gate.count,
            unknown_pairs: self.lookup.outputs().unknown_elab.expect("a lookup of ELAB keys"),
            elab_scheduler: scheduler.counts,
            own_reports,
            unsent,
            header_builder: builder.count,
        }
    }

    fn clock(&self, input: &ElabHostIn<L>) {
        let (parser, gate, builder) = (self.parser.outputs(), self.gate.outputs(), self.builder.outputs());
        let (lookup, feedback, scheduler) = (self.lookup.outputs(), self.feedback.outputs(), self.scheduler.outputs());
        let live = !self.busy();

        // What arrives.
        let record = gate.m_record.expect(WITH_RECORDS);
        let kept = gate.kept_valid.expect(WITH_RECORDS) & !gate.kept_lost.expect(WITH_RECORDS);
        let kept_record = gate.kept.expect(WITH_RECORDS);
        let look_up = self.arrivals.look_up(kept, &kept_record);
        let arrival = self.arrivals.arrival(scheduler.report_ready);
        let report = self.arrivals.report(feedback.arrival_ready);
        let record_leaves = self.arrivals.record_valid() & input.m_record.tready;
        self.parser.clock(&HeaderParserIn {
            s_axis: input.s_axis,
            m_axis: gate.s_axis,
            m_record: gate.s_record.expect(WITH_RECORDS),
        });
        self.gate.clock(&FrameGateIn {
            s_axis: parser.m_axis,
            s_record_tvalid: Some(parser.m_record_tvalid),
            s_record: Some(parser.m_record),
            m_axis: input.m_axis,
            m_record: Some(Ready { tready: record_leaves }),
        });

        // Pairs.
        let shown = Shown {
            live,
            lookup_ready: lookup.command_ready,
            lookup: lookup.response,
            feedback_ready: feedback.command_ready,
            frames: self.arrivals.progress(),
        };
        let (to_lookup, clear) = (self.pairs.for_lookup(self.config.lookup.index()), self.pairs.for_feedback());
        let write = self.pairs.write(&shown);
        self.pairs.clock(input.command, &shown, &write);
        let halves_ready = feedback.arrival_ready & scheduler.report_ready;
        self.arrivals.clock(kept, lookup.answer, &record, input.m_record.tready, halves_ready);

        // What is sent.
        let offers = Offers {
            live,
            packet: input.packet,
            due: feedback.due,
            grant: scheduler.grant,
            report: feedback.report,
            bytes: input.s_axis_packet,
        };
        let due_ready = self.departures.due_ready(live);
        let (request, query) = self.departures.asks(&offers);
        self.builder.clock(&self.departures.to_builder(input.s_axis_packet, input.m_axis_packet));
        self.departures.clock(&offers, write, (builder.s_record.tready, builder.s_axis));

        self.lookup.clock(&ContextLookupIn { lookup: look_up, command: to_lookup });
        self.feedback.clock(&ElabFeedbackIn {
            arrival,
            query,
            command: clear,
            settings: input.elab_feedback_settings,
            due_ready,
        });
        self.scheduler.clock(&ElabSchedulerIn {
            request,
            report,
            command: input.elab_scheduler_command,
            settings: input.elab_scheduler_settings,
        });
    }
}
