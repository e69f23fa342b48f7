// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic_rx`: the receive path. Frames come in as the network delivers them; the packets of each connection are named in
//! their order. Contract: `docs/stages/rx.md`.
//!
//! ```text
//!  s_axis -> parser -> icrc -> gate ----------------------------------------------------> m_axis
//!              |                 ^ | records
//!              +---- records ----+ +-> identify -----------------------------------------> m_record
//!                                     key|   ^connection
//!                                        v   |      arrivals     +-------------------------> delivery
//!                                       lookup   identify -> reorder -> answers, events -> acks
//!                                                    |         +--> undelivered                |
//!                                                    +-> addresses -------------------> answers
//!                                                                                           |
//!  command -> contexts -> reorder, acks, lookup -> response       m_answer <- icrc_insert <- builder
//! ```
//!
//! With memories of latency `l`, and nothing that stalls:
//!
//! ```text
//!  cycle 0            record of a frame that passes enters its memory in the gate; its key to the lookup
//!        2 l + 5      on m_record
//!        2 l + 6      its arrival to the reorder stage, its details to a delay line
//!        3 l + 18     answer of the reorder stage and details to the ACK generator
//!        3 l + 13 more, if an ACK is due at once: to `answers`
//!        l + 1 more   its record to the header builder
//!        4 l + 20     its number on `undelivered`, if it is never delivered
//! ```
//!
//! If the reorder stage holds frames, `steer` stands behind the gate: frames of connections go to that stage, and leave on
//! `m_delivery` in order; `m_axis` has the others. A frame of one beat leaves 7 `l` + 65 cycles after
//! it came, at 512 bits, and each further beat adds two: one into the pool and one out of it.
//!
//! A consumer that stalls `m_record`, or a reorder stage that takes no arrival, stalls `identify`: frames wait in the gate, which
//! drops what it has no room for: the network is never stalled. A stalled `m_answer` stalls `answers`, and the ACK
//! generator merges what it cannot send. Damaged frames end in the gate; packets of no connection are counted by the reorder
//! stage, and answered with UET.

mod addresses;
mod answered;
mod answers;
mod check_waits;
mod config;
mod contexts;
mod identify;
mod lost_packet;
mod notices;
mod packet;
mod ports;
mod pressure;
mod requests;
mod speakers;
mod station;
mod steer;
mod stranger_rate;
mod undelivered;

pub use config::RxConfig;
pub use ports::*;
pub use speakers::{Ends, Refusal, RefusedCounts};
pub use stranger_rate::{AnswerSettings, INTERVAL_WIDTH};

use crate::blocks::table::latency_suffix;
use crate::frame::Progress;
use crate::frame::frame_gate::{FrameGateConfig, FrameGateIn};
use crate::frame::header_builder::HeaderBuilderConfig;
use crate::frame::header_parser::{HeaderParserConfig, HeaderParserIn};
use crate::frame::icrc::{IcrcConfig, IcrcIn};
use crate::receive::ack_generator::{self, AckGeneratorConfig, AckGeneratorIn, AckProtocol, ArrivedPacket};
use crate::receive::context_lookup::{ContextLookupConfig, ContextLookupIn, Lookup, kind};
use crate::receive::reorder::outcome;
use crate::receive::reorder::{self, Arrival, Hold, ReorderConfig, ReorderIn};
use answered::Answering;
use answers::Answers;
use check_waits::Checking;
use contexts::{Contexts, Shown};
use identify::{Identified, Identify};
use notices::Notices;
use packet::Details;
use pressure::PoolPressure;
use requests::Requests;
use rtl_model::stream::Ready;
use rtl_model::{Bits, Child, Delay, Design, Logic, Shape, Stage, name_nets};
use station::Station;
use undelivered::UndeliveredFrames;

/// Why a port of the gate exists.
const WITH_RECORDS: &str = "a gate with records that shows what it keeps";

#[name_nets]
impl Design for RxConfig {
    type Stage<L: Logic> = Rx<L>;

    fn module_name(&self) -> String {
        let protocol = match self.protocol() {
            AckProtocol::Roce => "roce",
            AckProtocol::Uet => "uet",
        };
        let latency = latency_suffix(self.reorder.ram_latency);
        format!("rx_{protocol}_w{}c{}{latency}", self.parser.data_width, self.reorder.connections)
    }

    fn build<L: Logic>(&self) -> Rx<L> {
        Rx {
            config: *self,
            // The gate takes each record at once: records are ahead of their frames by less than it has room for (row F5).
            parser: Child::new(&HeaderParserConfig { record_buffer: false, ..self.parser }),
            icrc: self.icrc.as_ref().map(Child::new),
            gate: Child::new(&FrameGateConfig { shows_kept: true, ..self.gate }),
            lookup: Child::new(&self.lookup),
            reorder: Child::new(&self.reorder),
            acks: Child::new(&self.ack),
            builder: Child::new(&self.builder),
            icrc_insert: self.icrc_insert.as_ref().map(Child::new),
            station: Station::new(self),
            identify: Identify::new(*self),
            details: Delay::new(&Details::shape(*self), self.reorder.answer_latency() as usize),
            strangers: self.stranger().map(|number| Delay::new(&number, self.reorder.answer_latency() as usize)),
            answers: Answers::new(*self),
            notices: self.roce(()).map(|()| Notices::new(*self)),
            answer_frames: Progress::new(),
            contexts: Contexts::new(self),
            pool_pressure: self.pool_cells().map(PoolPressure::new),
            undelivered: (!self.holds_frames()).then(|| UndeliveredFrames::new(*self)),
            requests: self.request_check().map(|check| Requests::new(self, &check)),
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
    acks: Child<L, AckGeneratorConfig>,
    builder: Child<L, HeaderBuilderConfig>,
    icrc_insert: Option<Child<L, IcrcConfig>>,
    /// Says whether a packet is for this device.
    station: Station<L>,
    /// Finds the connection of each frame.
    identify: Identify<L>,
    /// What the ACK generator is told of a packet, until the reorder stage has answered.
    details: Delay<Details<L>>,
    /// UET: its number, if it is of no connection.
    strangers: Option<Delay<Bits<L>>>,
    /// Makes the records of the frames that answer.
    answers: Answers<L>,
    /// RoCEv2: says whose peers are told that their packets are marked.
    notices: Option<Notices<L>>,
    /// Counts them.
    answer_frames: Progress<L>,
    /// Opens and closes connections in all stages.
    contexts: Contexts<L>,
    /// UET, if the reorder stage holds frames.
    pool_pressure: Option<PoolPressure<L>>,
    /// Frames that are never delivered, if the reorder stage names frames.
    undelivered: Option<UndeliveredFrames<L>>,
    /// RoCEv2: checks requests.
    requests: Option<Requests<L>>,
}

impl RxConfig {
    /// The kind of key by which packets find their connection.
    const fn key_kind(&self) -> u64 {
        match self.protocol() {
            AckProtocol::Roce => kind::ROCEV2,
            AckProtocol::Uet => kind::UET,
        }
    }

    /// The cells of the pool by whose filling senders slow down: UET only.
    const fn pool_cells(&self) -> Option<u64> {
        match (self.protocol(), self.reorder.hold) {
            (AckProtocol::Uet, Hold::Payload(pool)) => Some(pool.cells),
            _ => None,
        }
    }
}

#[name_nets]
impl<L: Logic> Rx<L> {
    /// What the ACK generator gets: an answer of the reorder stage, with the details of its packet.
    fn arrival(&self, answer: reorder::Answer<L>) -> ack_generator::Arrival<L> {
        let details = self.details.get();
        let uet = |field: Bits<L>| (self.config.protocol() == AckProtocol::Uet).then_some(field);
        let roce = |field: Bits<L>| (self.config.protocol() == AckProtocol::Roce).then_some(field);
        ack_generator::Arrival {
            valid: answer.valid,
            connection: answer.connection,
            outcome: answer.outcome,
            psn: answer.psn,
            expected: answer.expected,
            packet: ArrivedPacket {
                highest: roce(answer.highest),
                held: answer.held,
                suspected: roce(answer.suspected),
                late: roce(answer.late),
                path: roce(answer.path),
                flowlet: details.flowlet,
                sack_base: uet(answer.sack_base),
                sack: uet(answer.sack),
                length: details.nominal,
                ack_request: details.ack_request,
                last: details.last,
                syn: details.syn,
                retx: details.retx,
                ecn: details.ecn,
                unserved: details.unserved,
                stamped: details.stamped,
                stamp: details.stamp,
                trimmed: details.trimmed.unwrap_or(Bits::lit(1, 0)),
                no_room: details.no_room,
                last_hop: details.last_hop,
                ev: details.ev,
                opaque: details.opaque,
                handle: self.strangers.as_ref().map(Delay::get),
            },
        }
    }

    /// The frame that is named as never delivered, and 1 if it is one whose request was refused.
    fn undelivered(&self) -> Option<(Bits<L>, Undelivered<L>)> {
        let first = self.undelivered.as_ref()?.undelivered();
        Some(self.requests.as_ref().map_or((Bits::lit(1, 0), first), |requests| requests.undelivered(first)))
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for Rx<L> {
    type In = RxIn<L>;
    type Out = RxOut<L>;

    fn input_shape(&self) -> RxIn<Shape> {
        RxIn::shape(self.config)
    }

    fn outputs(&self) -> RxOut<L> {
        let (parser, gate) = (self.parser.outputs(), self.gate.outputs());
        let (reorder, acks) = (self.reorder.outputs(), self.acks.outputs());
        let busy = reorder.busy | self.lookup.outputs().busy | acks.busy;
        let Identified { record, arrival: named } = self.identify.front(gate.m_record.expect(WITH_RECORDS));
        let names_frames = |field: Bits<L>| (!self.config.holds_frames()).then_some(field);
        let builder = self.builder.outputs().m_axis;
        RxOut {
            s_axis: parser.s_axis,
            m_axis: self.steer(gate.m_axis).passed,
            m_record_tvalid: self.identify.record_valid(),
            m_record: record,
            m_record_in_sequence: names_frames(named.in_sequence),
            m_record_found: named.found,
            m_record_connection: named.index,
            m_record_handle: names_frames(named.number),
            command_ready: self.contexts.idle() & !busy,
            response: self.contexts.response(),
            m_delivery: reorder.m_axis,
            delivery: self.requests.as_ref().map_or(reorder.delivery, Requests::delivery),
            undelivered: self.undelivered().map(|(_, frame)| frame),
            m_answer: self.icrc_insert.as_ref().map_or(builder, |icrc| icrc.outputs().m_axis),
            refusal: self.identify.speakers.refusal(),
            busy,
            counts: RxCounts {
                parser: parser.count,
                icrc: self.icrc.as_ref().map(|icrc| icrc.outputs().count),
                gate: gate.count,
                unknown_keys: self.identify.unknown(),
                refused_mac: self.station.refused(),
                refused: self.identify.speakers.counts(),
                reorder: reorder.counts,
                ack_generator: acks.counts,
                invalid_requests: self.requests.as_ref().map(Requests::invalid_requests),
                lost_answers: self.answers.lost(),
            },
        }
    }

    fn clock(&self, input: &RxIn<L>) {
        let RxIn { s_axis, m_axis, m_record, command, m_answer, .. } = *input;
        let (parser, gate) = (self.parser.outputs(), self.gate.outputs());
        let (lookup, reorder) = (self.lookup.outputs(), self.reorder.outputs());
        let (acks, builder) = (self.acks.outputs(), self.builder.outputs());
        let front = self.identify.front(gate.m_record.expect(WITH_RECORDS));
        let (arrival, lost_valid) = (self.identify.arrival(), self.identify.lost_valid());

        // Frames: parser, ICRC, gate.
        let (to_gate, parser_ready) = match &self.icrc {
            Some(icrc) => {
                let checked = icrc.outputs();
                icrc.clock(&IcrcIn { s_axis: parser.m_axis, m_axis: gate.s_axis });
                (checked.m_axis, checked.s_axis)
            }
            None => (parser.m_axis, gate.s_axis),
        };
        let record_ready = gate.s_record.expect(WITH_RECORDS);
        self.parser.clock(&HeaderParserIn { s_axis, m_axis: parser_ready, m_record: record_ready });
        let steered = self.steer(gate.m_axis);
        self.gate.clock(&FrameGateIn {
            s_axis: to_gate,
            s_record_tvalid: Some(parser.m_record_tvalid),
            s_record: Some(parser.m_record),
            m_axis: steered.ready(m_axis, reorder.s_axis),
            m_record: Some(Ready { tready: self.identify.leaves(m_record.tready) }),
        });

        // Commands.
        let names_refused = self.undelivered().map_or(Bits::lit(1, 0), |(refused, _)| refused);
        let refused_taken = input.undelivered_ready.map_or(Bits::lit(1, 0), |ready| names_refused & ready);
        // A congestion notification goes first: there are few.
        let notice = self.notices.as_ref().map(Notices::first);
        let notifies = notice.map_or(Bits::lit(1, 0), |notice| notice.valid);
        let notified = self.answers.ready() & notifies;
        let answers_ready = self.answers.ready() & !notifies;
        let shown = Shown {
            live: !(reorder.busy | lookup.busy | acks.busy),
            reorder_ready: reorder.command_ready,
            reorder: reorder.response,
            acks_ready: acks.command_ready,
            acks: acks.response,
            lookup_ready: lookup.command_ready,
            lookup: lookup.response,
            frames: self.identify.progress(),
            lost_idle: self.identify.lost.idle(),
            answers: Answering {
                event: reorder.event,
                event_ready: acks.event_ready,
                ack: acks.ack,
                taken: answers_ready,
            },
            notices: notice.map(|notice| (notice.valid, notified)),
            answer_frames: self.answer_frames.get(),
            undelivered: self.undelivered.as_ref().zip(input.undelivered_ready).map(|(frames, ready)| {
                let valid = frames.undelivered().valid;
                (valid, valid & ready & !names_refused)
            }),
            check: self.requests.as_ref().zip(input.delivery_ready).map(|(requests, ready)| {
                let offered = reorder.delivery.valid.expect("packets are named");
                Checking {
                    arrivals: (requests.any(), requests.ends()),
                    deliveries: requests.under_way(offered, ready, refused_taken),
                    status: requests.status(),
                }
            }),
        };
        let to_reorder = self.contexts.for_reorder();
        let (to_acks, to_lookup) = (self.contexts.for_acks(), self.contexts.for_lookup(self.config.key_kind()));
        let (opened, asked) = (self.contexts.opened(), self.contexts.connection());
        self.contexts.clock(command, &shown);

        // Answers: from what the ACK generator says to frames.
        let answer = self.icrc_insert.as_ref().map_or(builder.m_axis, |icrc| icrc.outputs().m_axis);
        let builder_ready = match &self.icrc_insert {
            Some(icrc) => {
                let inserted = icrc.outputs();
                icrc.clock(&IcrcIn { s_axis: builder.m_axis, m_axis: m_answer });
                inserted.s_axis
            }
            None => m_answer,
        };
        // What may be said of an arrival has room before it enters.
        let undelivered_room = self.undelivered.as_ref().map_or(Bits::lit(1, 1), UndeliveredFrames::room);
        let room = undelivered_room & self.requests.as_ref().map_or(Bits::lit(1, 1), Requests::room);
        let stage_ready = reorder.arrival_ready.unwrap_or_else(|| steered.ends(m_axis, reorder.s_axis));
        let arrival_ready = stage_ready & room;
        let leaves = (self.identify.leaves(m_record.tready) & front.arrival.in_sequence).named("sequenced_leaves");
        self.builder.clock(&self.answers.to_builder(builder_ready));
        let taken = [builder.s_record.tready, builder.s_axis.tready];
        self.answer_frames.clock(self.answers.begins(taken[0]), answer.tvalid & answer.tlast & m_answer.tready);
        let lost = self.identify.lost.addresses();
        let offered = (acks.ack, notice);
        self.answers.clock(offered, leaves, &front, lost, &opened, taken, input.answer_settings);
        let answered = self.arrival(reorder.answer);
        if let Some((notices, multipath)) = self.notices.as_ref().zip(opened.multipath) {
            let known = answered.outcome.differs(outcome::UNKNOWN);
            let arrives = (answered.valid & known, answered.packet.ecn, answered.connection);
            notices.clock(arrives, (opened.valid, opened.connection, multipath), notified, input.answer_settings);
        }
        let checked = self.requests.as_ref().map_or(answered, Requests::arrival);
        let request = self.details.get().request;
        let loss = self.requests.as_ref().map_or(reorder.event, |requests| requests.loss(reorder.event));
        let loss_ready = self.requests.as_ref().map_or(acks.event_ready, |it| it.loss_ready(acks.event_ready));
        self.acks.clock(&AckGeneratorIn {
            arrival: checked,
            event: ack_generator::Event {
                valid: loss.valid,
                connection: loss.connection,
                first: loss.first,
                last: loss.last,
                repeated: self.acks.input_shape().event.repeated.map(|_| loss.repeated()),
            },
            command: to_acks,
            settings: input.ack_generator_settings,
            pressure: match &self.pool_pressure {
                Some(pool) => input.pressure.map(|host| pool.with(host)),
                None => input.pressure,
            },
            ack_ready: answers_ready,
        });

        if let Some((pool, free)) = self.pool_pressure.as_ref().zip(reorder.counts.free_cells) {
            pool.clock(free);
        }

        // Records: the key to the lookup, the arrival to the reorder stage, its details to the ACK generator.
        let kept = gate.kept_valid.expect(WITH_RECORDS);
        let record = gate.kept.expect(WITH_RECORDS);
        let (said, claim) = (self.config.read(&record), self.config.claim(&record));
        let packet = self.station.clock(kept, said, &record, input.station_address);
        let names_frames = |field: Bits<L>| (!self.config.holds_frames()).then_some(field);
        let arrives = self.identify.arrival_valid() & arrival.in_sequence & room;
        let lost_arrives = lost_valid & room;
        let to_reorder_stage = Arrival {
            valid: names_frames(arrives | lost_arrives),
            connection: arrival.index,
            found: arrival.found,
            psn: arrival.psn,
            path: arrival.path,
            flags: arrival.flags,
            length: arrival.length,
            handle: names_frames(arrival.number),
        };
        if let Some((frames, ready)) = self.undelivered.as_ref().zip(input.undelivered_ready) {
            let enters = (arrives | lost_arrives) & stage_ready;
            frames.clock((enters, arrival.number, lost_arrives), &reorder.answer, ready & !names_refused);
        }
        let mut delivery_ready = input.delivery_ready;
        if let Some((requests, request)) = self.requests.as_ref().zip(request) {
            let enters = (arrives | lost_arrives) & stage_ready;
            let (host_ready, mtu) = (input.delivery_ready.expect("packets are named"), opened.mtu.expect("a path MTU"));
            delivery_ready = Some(requests.delivery_ready());
            let refused = (names_refused, refused_taken);
            let lost = (reorder.event, reorder.event.valid & loss_ready);
            let opens = (&opened, mtu);
            requests.clock(enters, (answered, request), reorder.delivery, opens, asked, host_ready, refused, lost);
        }
        self.details.shift(arrival.details);
        if let Some((strangers, number)) = self.strangers.as_ref().zip(arrival.stranger) {
            strangers.shift(number);
        }
        let reorder_ready = reorder.arrival_ready.or(reorder.s_axis.map(|held| held.tready)).expect("one of them");
        let lost_taken = reorder_ready & room;
        let arrival_leaves =
            arrival_ready | if self.config.holds_frames() { Bits::lit(1, 0) } else { !arrival.in_sequence };
        let (shown, refuses) = ((kept, gate.kept_lost.expect(WITH_RECORDS), &record), (&opened, input.refusal_ready));
        let ready = (arrival_leaves, lost_taken);
        self.identify.clock(shown, (&packet, claim), lookup.answer, front.arrival, m_record.tready, ready, refuses);
        let look_up = Lookup { valid: kept, kind: packet.kind, key: packet.key, key_1: None, key_2: None, key_3: None };
        self.lookup.clock(&ContextLookupIn { lookup: look_up, command: to_lookup });
        self.reorder.clock(&ReorderIn {
            s_axis: steered.held,
            arrival: to_reorder_stage,
            command: to_reorder,
            settings: input.reorder_settings,
            delivery_ready,
            m_axis: input.m_delivery,
            event_ready: loss_ready,
        });
    }
}
