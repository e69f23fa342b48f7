// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic_tx`: the transmit path of UET, or of multipath RoCEv2. Requests to send messages come in, frames go out, and the records
//! of ACKs and NACKs come back. Contract: `docs/stages/tx.md` (rows TX1 to TX54).
//!
//! ```text
//!  request -> messages ----data----> cccs ---grant---> turns ---packet----> records ---> builder -> m_axis
//!               | ^ ends, rows        ^  ^             |  ^ ^ |                             ^
//!               +-|-------------------|--|-------------+  | | +--> fetch                    | s_axis
//!           heads |                   |  |             EV | | sent, ranges
//!               | |                   |  event            v v send
//!  completion <- completions <-outcome+--+------ tracker, selector
//!                                                  ^ ack     ^ feedback
//!                                   s_record -> acks   event -> heard
//!
//!  command -> contexts -> messages, turns, completions, tracker, selector, cccs, records -> response
//!            cccs -> credit_requests --+
//!                            credit ---+-> control_packets --packet--> records, with RCCC
//! ```
//!
//! With RoCEv2 there is `path_scheduler` in place of the selector. Behind the builder `icrc_insert` puts in the ICRC, or the CRC of
//! UET for which the builder has made room. The end of a turn in which
//! nothing could be sent goes from turns to cccs directly; with RoCEv2 `unblocks` tells cccs when that may have changed (row TX37).
//!
//! Each part is a sequence of its own, for one request, turn, outcome, record or command at a time, and each table has one
//! writer:
//!
//! ```text
//!  table          row for each   writer        other readers
//!  ends           PDC            messages      turns
//!  rows, handles  message        messages      turns; completions
//!  nexts          PDC            turns
//!  ranges         message        turns         completions
//!  heads          PDC            completions   messages
//!  released       message        completions
//!  destinations   PDC            contexts      records
//!  dscps          PDC            contexts      records
//!  stood          PDC            credit_requests
//!  left           PDC            rtt_probe
//! ```
//!
//! *Open* gives all of them their first values, so none but `ends` is swept after reset. With memories of latency `l`, and
//! nothing that stalls:
//!
//! ```text
//!  cycle 0              request
//!        l + 3          its bytes to `ccc_table`, which grants a turn 3 `l` + 29 later
//!        4 l + 20 more  PSN
//!        1 more         on `fetch`; its packet to `records`
//!        l + 6 more     its record to the header builder, whose frame waits for the bytes
//! ```

mod acks;
mod backlog;
mod completions;
mod config;
mod contexts;
mod control_packets;
mod credit_requests;
mod dead_paths;
mod destination;
mod events;
mod feedback;
mod find;
mod messages;
mod notifications;
mod own_command;
mod paths;
mod pause;
mod ports;
mod probes;
mod records;
mod refusals;
mod route;
mod rtt_probe;
mod turns;
mod unblocks;
mod unread;

pub use config::{ADDRESS_WIDTH, LENGTH_WIDTH, LONGEST, PAYLOAD_WIDTH, Paths, TxConfig};
pub use ports::*;
pub use probes::{ProbeDefaults, ProbeSettings};

use crate::blocks::drained::Drained;
use crate::blocks::skid_buffer;
use crate::blocks::table::{Access, latency_suffix};
use crate::frame::Progress;
use crate::frame::header_builder::{HeaderBuilderConfig, HeaderBuilderIn, entropy_target};
use crate::frame::icrc::{IcrcConfig, IcrcIn};
use crate::transmit::ccc_table::{CccTableConfig, CccTableIn};
use crate::transmit::entropy_selector::EntropySelectorConfig;
use crate::transmit::packet_tracker::{PacketTrackerConfig, PacketTrackerIn};
use crate::transmit::path_scheduler::{self, PathSchedulerConfig};
use acks::{Acks, Received};
use backlog::Backlog;
use completions::Completions;
use contexts::Contexts;
use control_packets::ControlPackets;
use credit_requests::CreditRequests;
use dead_paths::DeadPaths;
use events::{CccEvents, Sends};
use feedback::{Heard, PathFeedback, Told};
use messages::{MessageReads, Messages};
use notifications::Notifications;
use own_command::OwnCommand;
use pause::Pause;
use probes::Probes;
use records::Records;
use refusals::Refusals;
use rtl_model::stream::Ready;
use rtl_model::{Bits, Child, Design, Logic, Reg, Shape, Stage, name_nets, select};
use rtt_probe::{Good, RttProbe};
use turns::Turns;
use unblocks::{Unblocked, Unblocks};

#[name_nets]
impl Design for TxConfig {
    type Stage<L: Logic> = Tx<L>;

    fn module_name(&self) -> String {
        let TxConfig { messages, segment_log, header_bytes, handle_bits, .. } = *self;
        let sizes = format!("m{messages}s{segment_log}b{header_bytes}h{handle_bits}");
        let (pdcs, width) = (self.packet_tracker.pdcs, self.builder.data_width);
        let packets = match self.paths {
            Paths::Selector(_) if self.asks_credit() => format!("cc{}d{}", self.visit_interval(), self.control_dscp),
            Paths::Selector(_) if self.has_nscc() => format!("rudd{}", self.control_dscp),
            Paths::Selector(_) => "rud".to_owned(),
            Paths::Scheduler(scheduler) => format!("roce{}", scheduler.paths),
        };
        format!("tx_{packets}_w{width}p{pdcs}{sizes}{}", latency_suffix(self.latency()))
    }

    fn build<L: Logic>(&self) -> Tx<L> {
        self.check();
        let config = *self;
        let tracker = Child::named("tracker", &self.packet_tracker);
        let cccs = Child::named("cccs", &self.ccc_table);
        let selector = self.selector().map(|selector| Child::named("selector", selector));
        Tx {
            config,
            builder: Child::new(&self.builder),
            scheduler: self.scheduler().map(|scheduler| Child::named("scheduler", scheduler)),
            icrc_insert: self.icrc_insert.as_ref().map(Child::new),
            messages: Messages::new(config),
            turns: Turns::new(config),
            records: Records::new(config),
            frames: Progress::new(),
            pause: Pause::new(),
            backlog: config.rocev2(()).map(|()| Backlog::new()),
            completions: Completions::new(config),
            acks: Acks::new(config),
            ack_fence: Drained::new(acks::EVENTS + skid_buffer::PLACES, 1),
            heard: Heard::new(config),
            unblocks: config.rocev2(()).map(|()| Unblocks::new(config)),
            dead_paths: config.scheduler().map(|scheduler| DeadPaths::new(config, *scheduler)),
            refusals: Refusals::new(config),
            notifications: config.scheduler().map(|scheduler| Notifications::new(config, *scheduler)),
            probes: Probes::new(config),
            contexts: Contexts::new(config),
            credit_requests: CreditRequests::new(config),
            good: Reg::new(&Good::shape(config)),
            rtt_probe: RttProbe::new(config),
            control_packets: ControlPackets::new(config),
            tracker,
            cccs,
            selector,
        }
    }
}

/// The transmit path.
#[name_nets]
pub struct Tx<L: Logic> {
    config: TxConfig,
    tracker: Child<L, PacketTrackerConfig>,
    cccs: Child<L, CccTableConfig>,
    selector: Option<Child<L, EntropySelectorConfig>>,
    scheduler: Option<Child<L, PathSchedulerConfig>>,
    builder: Child<L, HeaderBuilderConfig>,
    icrc_insert: Option<Child<L, IcrcConfig>>,
    /// Takes requests.
    messages: Messages<L>,
    /// Serves the grants of `ccc_table`.
    turns: Turns<L>,
    /// Makes the header records of frames.
    records: Records<L>,
    /// Counts frames.
    frames: Progress<L>,
    /// Whether the MAC takes no frames.
    pause: Pause<L>,
    /// RoCEv2.
    backlog: Option<Backlog<L>>,
    /// Says which messages are complete.
    completions: Completions<L>,
    /// Reads the records of ACKs and NACKs.
    acks: Acks<L>,
    /// Waits until the records that were taken have been judged.
    ack_fence: Drained<L>,
    /// Says what they say of paths.
    heard: Heard<L>,
    /// RoCEv2: says whose sub-paths may have room again.
    unblocks: Option<Unblocks<L>>,
    /// RoCEv2: has sent again what was in flight on dead sub-paths.
    dead_paths: Option<DeadPaths<L>>,
    /// The peer of a PDC refuses.
    refusals: Refusals<L>,
    /// RoCEv2: slows QPs down.
    notifications: Option<Notifications<L>>,
    /// RoCEv2: finds out round-trip times and bandwidths of sub-paths.
    probes: Option<Probes<L>>,
    /// Opens and closes PDCs in all stages.
    contexts: Contexts<L>,
    /// Asks for credit for PDCs that stand still.
    credit_requests: Option<CreditRequests<L>>,
    /// UET: the ACK or NACK that was found good last.
    good: Reg<Good<L>>,
    /// NSCC: finds out the RTTs of PDCs without queues.
    rtt_probe: Option<RttProbe<L>>,
    /// Gives credit requests, credit and PROBEs to `records`.
    control_packets: Option<ControlPackets<L>>,
}

#[name_nets]
impl<L: Logic> Tx<L> {
    /// Tables are being swept.
    fn busy(&self) -> Bits<L> {
        let selector = self.selector.as_ref().map(|stage| stage.outputs().busy);
        let paths = selector.or_else(|| self.scheduler.as_ref().map(|stage| stage.outputs().busy));
        let stages = self.tracker.outputs().busy | self.cccs.outputs().busy | self.messages.busy();
        paths.map_or(stages, |paths| stages | paths)
    }

    /// A command of `path_scheduler` may be taken.
    fn takes_path_command(&self) -> Bits<L> {
        self.unblocks.as_ref().map_or(Bits::lit(1, 1), Unblocks::takes_command)
    }

    /// The *fail* of a PDC that its peer refuses, or else the *lose* of a dead sub-path, or else the *probe* of one.
    fn own_command(&self) -> OwnCommand<L> {
        let fail = self.refusals.fail();
        let Some((paths, probes)) = self.dead_paths.as_ref().zip(self.probes.as_ref()) else { return fail };
        let (lose, probe) = (paths.lose(), probes.visits.probe());
        select(fail.valid, fail, select(lose.valid, lose, probe))
    }

    /// Records can be taken, as all sub-paths of a QP have been told of a CNP.
    fn hears(&self) -> Bits<L> {
        self.notifications.as_ref().map_or(Bits::lit(1, 1), Notifications::idle)
    }

    /// A beat of the host may come in.
    fn takes_bytes(&self) -> Bits<L> {
        let Some(probes) = &self.probes else { return Bits::lit(1, 1) };
        !probes.payload.is_complete(self.frames.get().0) & !probes.train.payload().0
    }

    /// No request for credit and no PROBE is under way, so a command can be accepted (rows TX24, TX50).
    fn unvisited(&self) -> Bits<L> {
        let yes = Bits::lit(1, 1);
        let unasked = self.credit_requests.as_ref().map_or(yes, CreditRequests::idle);
        unasked & self.rtt_probe.as_ref().map_or(yes, RttProbe::idle)
    }

    /// No control packet goes before credit that is taken on `credit`.
    fn takes_credit(&self, requests: &CreditRequests<L>) -> Bits<L> {
        let probe = self.rtt_probe.as_ref().map(|probe| probe.packet(self.contexts.idle()).valid);
        self.records.takes_control() & !requests.request().valid & !probe.unwrap_or(Bits::lit(1, 0))
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for Tx<L> {
    type In = TxIn<L>;
    type Out = TxOut<L>;

    fn input_shape(&self) -> TxIn<Shape> {
        TxIn::shape(self.config)
    }

    fn outputs(&self) -> TxOut<L> {
        let (tracker, cccs) = (self.tracker.outputs(), self.cccs.outputs());
        let selector = self.selector.as_ref().map(Child::outputs);
        let scheduler = self.scheduler.as_ref().map(Child::outputs);
        let builder = self.builder.outputs();
        let busy = self.busy();
        let trains = self.probes.as_ref().map(|probes| probes.train.counts());
        let probes = trains.or_else(|| self.rtt_probe.as_ref().map(RttProbe::counts));
        TxOut {
            request_ready: self.messages.ready(!busy, self.contexts.job()),
            accepted: self.messages.accepted(),
            fetch: self.turns.fetch(self.records.room()),
            s_axis: Ready { tready: builder.s_axis.tready & self.takes_bytes() },
            m_axis: self.icrc_insert.as_ref().map_or(builder.m_axis, |icrc| icrc.outputs().m_axis),
            s_record: Ready { tready: self.acks.ready(!busy & self.hears()) },
            ack_fence_passed: self.ack_fence.over(),
            completion: self.completions.completion(),
            // A request goes first.
            credit_ready: self.credit_requests.as_ref().map(|requests| self.takes_credit(requests)),
            closing: self.credit_requests.as_ref().map(|_| self.contexts.closing()),
            command_ready: self.contexts.idle() & !self.own_command().valid & !busy & self.unvisited(),
            response: self.contexts.response(),
            failure: tracker.failure,
            path_scheduler_command_ready: scheduler
                .as_ref()
                .zip(self.probes.as_ref())
                .map(|(stage, probes)| stage.command_ready & self.takes_path_command() & !probes.visits.commands()),
            path_scheduler_response: scheduler.as_ref().zip(self.probes.as_ref()).map(|(stage, probes)| {
                let valid = stage.response.valid & !probes.visits.owns_response();
                path_scheduler::Response { valid, ..stage.response }
            }),
            probe_answer: self.probes.as_ref().map(|probes| probes.train.answer()),
            path_scheduler_event: scheduler.as_ref().map(|stage| stage.event),
            busy,
            counts: TxCounts {
                refused_requests: self.messages.refused(),
                credit_requests: self.credit_requests.as_ref().map(CreditRequests::count),
                probes: probes.map(|counts| counts[0]),
                lost_probes: probes.map(|counts| counts[1]),
                packet_tracker: tracker.counts,
                ccc_table: cccs.counts,
                entropy_selector: selector.as_ref().map(|stage| stage.counts),
                path_scheduler: scheduler.as_ref().map(|stage| stage.counts),
                header_builder: builder.count,
                icrc_insert: self.icrc_insert.as_ref().map(|icrc| icrc.outputs().count),
            },
        }
    }

    fn clock(&self, input: &TxIn<L>) {
        let (tracker, cccs) = (self.tracker.outputs(), self.cccs.outputs());
        let builder = self.builder.outputs();
        let live = !self.busy();
        let hears = live & self.hears();
        unread::leave(&self.config, &input.s_record);
        let frame = self.icrc_insert.as_ref().map_or(builder.m_axis, |icrc| icrc.outputs().m_axis);
        let frame_ends = frame.tvalid & frame.tlast & input.m_axis.tready;

        // What goes from part to part.
        let judging = self.acks.event().valid | !self.hears();
        self.ack_fence.clock(
            input.ack_fence,
            judging | tracker.ack_waiting,
            self.acks.event().valid & tracker.ack_ready,
        );
        let (job, empties, clears) = (self.contexts.job(), self.contexts.empties(), self.contexts.clears());
        let (choice, paths_ready, selector) = self.chosen();
        let may_tell = self.unblocks.as_ref().map_or(Bits::lit(1, 1), Unblocks::takes_feedback);
        let paths_ready = paths_ready & may_tell;
        let returned = PathFeedback::of_return(
            &self.config.paths,
            self.turns.returns(),
            self.turns.pdc(),
            self.turns.route().number,
        );
        let counts = (&tracker.outcome, self.completions.ready(clears));
        let was_delayed = self.backlog.as_ref().map(|backlog| backlog.has_delayed(tracker.outcome.age, tracker.now));
        let told = Told::of(&self.config.paths, paths_ready, returned, self.heard.feedback(), counts, was_delayed);
        let feedback = PathFeedback { valid: told.feedback.valid & may_tell, ..told.feedback };
        let frees = Unblocked { valid: feedback.may_free() & paths_ready & !told.returned, pdc: feedback.pdc };
        let outcome_ready = counts.1 & !told.outcome_waits;
        let grant_ready = self.turns.ready(empties);
        let event = CccEvents::of(&tracker.event, &cccs, self.heard.ready());
        let event_taken = tracker.event.valid & event.ready;
        let (ack, rtt_told) = events::acks(event.ack, self.rtt_probe.as_ref().map(RttProbe::event), cccs.ack_ready);
        let unblocked = self.unblocks.as_ref().map(Unblocks::unblocked);
        let ends = (self.turns.blocks(), self.turns.pdc());
        let sends = Sends::of(event.send, unblocked, ends, cccs.send_ready);
        let room = self.records.room();
        let fetches = self.turns.fetch(room).valid & input.fetch_ready;
        let (packet, destination) = (self.turns.packet(), self.contexts.destination());
        let (idle, unvisited) = (self.contexts.idle(), self.unvisited());
        let for_cccs = self.contexts.for_cccs();
        let for_cccs = self.credit_requests.as_ref().map_or(for_cccs, |requests| requests.for_cccs(for_cccs, idle));
        let requests = self.credit_requests.as_ref().map(CreditRequests::request);
        let rtt_probe = self.rtt_probe.as_ref().map(|probe| probe.packet(idle));
        let opaque = self.rtt_probe.as_ref().map(RttProbe::opaque);
        let requested = requests.as_ref().map_or(Bits::lit(1, 0), |request| request.valid);
        let of_uet =
            self.control_packets.as_ref().map(|packets| packets.offer(requests, rtt_probe, input.credit.as_ref()));
        let control = of_uet.or_else(|| self.probes.as_ref().map(|probes| probes.train.packet()));
        let takes_control = self.records.takes_control();
        let offered = self.records.offered();
        let data = self.messages.data();
        let (message_pdc, end, head) = (self.messages.pdc(), self.messages.end(), self.completions.head());
        let reads = MessageReads {
            turn_pdc: self.turns.pdc(),
            turn_row: self.turns.row(),
            completion_row: self.completions.row(),
        };

        let takes_path_command = self.takes_path_command();
        let path_response = self.scheduler.as_ref().map(|stage| stage.outputs().response);
        let lost_paths = self.scheduler.as_ref().map(|stage| stage.outputs().lost);
        let own_command = self.own_command();

        let received = Received {
            valid: input.s_record_tvalid,
            record: input.s_record,
            found: input.s_record_found,
            connection: input.s_record_connection,
        };
        let train = self.shown_to_train(frame_ends, hears, &received, feedback.valid);
        let told_train = self.probes.as_ref().zip(train.as_ref()).map(|(probes, shown)| probes.train.told(shown));
        let visit =
            self.shown_to_visit(own_command.probes.map(|probes| probes & idle & live & unvisited), hears, &received);
        let sends_probes = self.probes.as_ref().map(|probes| probes.train.payload());
        let holds = self.probes.as_ref().map_or(Bits::lit(1, 0), |probes| probes.train.holds_data());
        let in_force = self.probes.as_ref().map(|probes| probes.settings.get());

        let tells_train = self.probes.as_ref().map_or(Bits::lit(1, 0), |probes| probes.train.tells());
        let takes_feedback = self.scheduler.as_ref().map_or(Bits::lit(1, 0), |stage| stage.outputs().feedback_ready);
        let notified = takes_feedback & !(hears | feedback.valid | tells_train);

        // Stages.
        self.choose(input, feedback, tracker.outcome.ccc, takes_path_command);
        self.tracker.clock(&PacketTrackerIn {
            ack: self.acks.event(),
            send: self.turns.send(),
            command: self.contexts.for_tracker(),
            settings: input.packet_tracker_settings,
            event_ready: event.ready,
            outcome_ready,
            failure_ready: input.failure_ready,
            paused: self.pause.paused(),
        });
        self.cccs.clock(&CccTableIn {
            ack,
            send: sends.send,
            loss: event.loss,
            data,
            command: for_cccs,
            settings: input.ccc_table_settings,
            grant_ready,
        });
        let builder_ready = match &self.icrc_insert {
            Some(icrc) => {
                let inserted = icrc.outputs();
                icrc.clock(&IcrcIn { s_axis: builder.m_axis, m_axis: input.m_axis });
                inserted.s_axis
            }
            None => input.m_axis,
        };
        let bytes = self
            .probes
            .as_ref()
            .zip(sends_probes)
            .map_or(input.s_axis, |(probes, sends)| probes.payload.offer(input.s_axis, self.frames.get().0, sends));
        self.builder.clock(&HeaderBuilderIn {
            s_record_tvalid: offered.valid,
            s_record: offered.record,
            s_record_entropy: Bits::lit(20, 0),
            // The EV is in its place.
            s_record_entropy_target: Bits::lit(2, entropy_target::RECORDED),
            s_record_has_payload: offered.has_payload,
            s_axis: bytes,
            m_axis: builder_ready,
        });

        // Parts.
        let good = self.good.get();
        if let Some(probe) = &self.rtt_probe {
            probe.clock(&rtt_probe::Shown {
                acknowledged: self.acks.acknowledged(hears, &received),
                good,
                now: tracker.now,
                taken: takes_control & !requested,
                told: rtt_told,
                changes: self.contexts.changes(),
                opens: Access { valid: destination.valid, index: destination.pdc },
            });
        }
        self.contexts.clock(
            (input.command, own_command),
            in_force,
            &contexts::Shown {
                live: live & unvisited,
                job: self.messages.job_answer(),
                emptied: self.turns.clears(empties),
                cleared: self.completions.cleared(),
                tracker_ready: tracker.command_ready,
                tracker: tracker.response,
                selector,
                cccs_ready: cccs.command_ready,
                cccs: cccs.response,
                grants: (cccs.grant.valid | !self.turns.idle(), cccs.grant.valid & grant_ready),
                packets: self.records.progress(),
                has_control: self.records.has_control(),
                frames: self.frames.get(),
                outcomes: (tracker.outcome.valid | !self.completions.idle(), tracker.outcome.valid & outcome_ready),
                events: (tracker.event.valid | self.heard.feedback().valid, event_taken),
                entering: (cccs.event_waiting, cccs.event_entering),
                train: told_train,
            },
        );
        let (range, handle, message) = (self.turns.range(), self.messages.handle(), self.messages.row());
        let completion_row = self.completions.range_row();
        let fetching = self.turns.may_fetch(self.completions.row());
        let refusal = self.acks.refusal(hears, &received);
        if let Some(notifications) = &self.notifications {
            notifications.clock(self.acks.notification(hears, &received), notified);
        }
        self.acks.clock(hears, &received, (tracker.ack_ready, tracker.now));
        self.heard.clock(&tracker.event, event_taken, told.heard);
        self.good.set(Good::of(&tracker.event, event_taken));
        if let Some((unblocks, response)) = self.unblocks.as_ref().zip(path_response) {
            let starts = self.probes.as_ref().map_or(Bits::lit(1, 1), |probes| probes.visits.may_free());
            let response = Unblocked { valid: response.valid & starts, pdc: response.qp };
            unblocks.clock(sends.unblocked, frees, response);
        }
        if let Some((dead_paths, lost)) = self.dead_paths.as_ref().zip(lost_paths) {
            dead_paths.clock(lost, idle & live & unvisited & !own_command.refused);
        }
        self.refusals.clock(refusal, (&good, tracker.now), idle & live & unvisited);
        if let (Some(probes), Some(train), Some(visit), Some(settings)) =
            (&self.probes, &train, &visit, input.probe_settings)
        {
            probes.payload.clock(builder.s_axis.tready & bytes.tvalid, bytes.tlast, probes.train.payload().0);
            probes.visits.clock(visit);
            probes.train.clock(train, &probes.settings.get());
            probes.settings.clock(settings);
        }
        self.completions.clock(&completions::Shown {
            outcome: tracker.outcome,
            waits: told.outcome_waits,
            range,
            handle,
            ready: input.completion_ready,
            fetching,
            clear: clears,
            message_pdc,
        });
        self.turns.clock(&turns::Shown {
            grant: cccs.grant,
            choice,
            returned: told.returned,
            send_ready: tracker.send_ready,
            blocked: sends.blocked,
            sent: tracker.sent,
            end,
            message,
            room,
            fetch_ready: input.fetch_ready,
            clear: empties,
            completion_row,
        });
        if let Some(requests) = &self.credit_requests {
            requests.clock(&credit_requests::Shown {
                live,
                idle,
                cccs_ready: cccs.command_ready,
                cccs: cccs.response,
                opens: (destination.valid, destination.pdc),
                taken: takes_control,
            });
        }
        if let Some((packets, control)) = self.control_packets.as_ref().zip(control.as_ref()) {
            packets.clock(control, takes_control);
        }
        if let Some(backlog) = &self.backlog {
            let (taken, left) = self.records.progress();
            backlog.clock(tracker.now, taken - left, self.pause.paused());
        }
        self.pause.clock(frame.tvalid & !input.m_axis.tready);
        self.frames.clock(offered.valid & builder.s_record.tready, frame_ends);
        self.records.clock((fetches, || packet), (control, opaque, holds), destination, builder.s_record.tready);
        let data = (cccs.data_ready, cccs.data_waiting, cccs.data_entering);
        self.messages.clock(live, (input.request, job), head, data, reads);
    }
}
