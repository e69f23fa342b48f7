// SPDX-License-Identifier: MIT OR Apache-2.0
//! Feedback, commands and the sweep: one event per clock cycle, in order. With memories of latency `l`:
//!
//! ```text
//!  step 0      QP to `qp_states` and `modes`, sub-path to `sub_paths` and `sent_view`
//!       l + 1  decide: the new rows; a loop of one clock cycle for one sub-path
//!       l + 2  rows written; update for requests
//!       l + 3  update in `path_view`; response
//! ```

use super::apply_command::{CommandConditions, CommandRows, Operation, apply_command, operation};
use super::comparisons::{Compared, comparisons};
use super::config::PathSchedulerConfig;
use super::news::{Causes, Post};
use super::ports::{Command, Feedback, PathSchedulerIn, Response, granularity, op};
use super::quality::{FeedbackConditions, Quality, apply_feedback, quality};
use super::records::{
    Context, DEADLINE_WIDTH, NewContext, Opening, PathUpdate, QpMode, QpState, SentCount, SubPath, state,
};
use super::sent::CompletedUpdate;
use super::settings_registers::InForce;
use super::weight::{Offer, changed_weight};
use super::window::{InFlight, QUARTERS_LOG};
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use rtl_model::{
    Bits, Bundle, Constant, Logic, Pipeline, Ram, RamShape, Reading, Reg, Signal, bits, constant, name_nets, select,
    when,
};

/// The pipeline of events.
const EVENT: Pipeline = Pipeline::new("event");

/// The event of a clock cycle: feedback, a command or the sweep of a row.
#[derive(Bundle)]
pub struct Event<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    /// 1 if a row is swept.
    pub is_sweep: Bits<L>,
    /// 1 if the event is the command of the command port.
    pub is_command: Bits<L>,
    /// 1 if it is feedback for a QP and a sub-path that exist, open or not.
    #[reset]
    pub is_feedback: Bits<L>,
    pub qp: Bits<L>,
    pub path: Bits<L>,
    /// What feedback says; not used by other events.
    pub quality: Quality<L>,
    pub offer: Offer<L>,
    /// 1 if the QP exists.
    pub index_valid: Bits<L>,
    /// 1 if the number of the sub-path is below `paths`.
    pub in_range: Bits<L>,
}

/// An event in step `l` + 2, after the decision.
#[derive(Bundle)]
struct Decided<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// 1 if the sub-path has a row, so that its view is updated.
    writes: Bits<L>,
    is_sweep: Bits<L>,
    is_command: Bits<L>,
    qp: Bits<L>,
    path: Bits<L>,
    /// 1 if the command was done.
    done: Bits<L>,
    open: Bits<L>,
    granularity: Bits<L>,
    /// Packets sent on the sub-path.
    sent: SentCount<L>,
    /// What software should know of it.
    causes: Causes<L>,
    /// The sub-path has failed: by itself, or by command.
    fails: Bits<L>,
    /// It was the last active one, and the QP does not wait for one.
    all_failed: Bits<L>,
}

/// The event pipeline: applies feedback, commands and the sweep.
#[name_nets]
pub struct Events<L: Logic> {
    config: PathSchedulerConfig,
    /// Open flag and number of sub-paths of every QP.
    qp_states: RmwTable<L, QpState<L>>,
    /// State, weight and feedback counts of every sub-path.
    sub_paths: RmwTable<L, SubPath<L>>,
    /// Open flag, granularity and flowlet time of every QP. Read port 0 is that of requests.
    modes: WriteFirstRam<L, QpMode<L>>,
    /// What *open* has given every QP. It is written before `modes` says that the QP is open.
    openings: Ram<Opening<L>>,
    /// Steps 1 to `l` + 1, in which the rows are there.
    event: PipelineRegs<Event<L>>,
    mode: Reg<QpMode<L>>,
    sent: Reg<SentCount<L>>,
    /// What is compared with the window of the sub-path.
    in_flight: Reg<InFlight<L>>,
    generation: Reg<Bits<L>>,
    /// The operation of the command, one clock cycle after the command.
    operation: Reg<Operation<L>>,
    /// The event in step `l` + 2, decided.
    decided: Reg<Decided<L>>,
    decided_context: Reg<NewContext<L>>,
    /// Context to be written in step `l` + 3.
    new_context: Reg<NewContext<L>>,
    /// The generation of the last command, if it opens a QP.
    opened_generation: Reg<Bits<L>>,
    path_update: Reg<PathUpdate<L>>,
    response: Reg<Response<L>>,
    /// An entropy is written in this clock cycle, that of the command.
    writes_entropy: Option<Reg<Bits<L>>>,
    post: Reg<Post<L>>,
    /// 1 if a command has taken effect since reset.
    initialised: Reg<Bits<L>>,
    closed: Counter<L>,
    range: Counter<L>,
    absent: Counter<L>,
}

#[name_nets]
impl<L: Logic> Events<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let (flag, latency) = (bits(1), config.ram_latency);
        let ports = PathSchedulerIn::shape(config);
        let (qp, path) = (config.qp(), ports.feedback.path);
        let quality = Quality::shape();
        let event = Event {
            valid: flag,
            is_sweep: flag,
            is_command: flag,
            is_feedback: flag,
            qp,
            path,
            quality,
            offer: Offer { weight: config.weight(), is_limit: flag },
            index_valid: flag,
            in_range: flag,
        };
        let sent = SentCount::shape(config);
        let causes = Causes::shape();
        let decided = Decided {
            valid: flag,
            writes: flag,
            is_sweep: flag,
            is_command: flag,
            qp,
            path,
            done: flag,
            open: flag,
            granularity: QpMode::shape().granularity,
            sent,
            causes,
            fails: flag,
            all_failed: flag,
        };
        let context = NewContext::shape(config);
        let openings = RamShape::new(config.qps).latency(latency).unused_on_collision();
        Events {
            config,
            qp_states: RmwTable::new(config.qps, latency, &QpState::shape(config)),
            sub_paths: RmwTable::new(config.sub_paths(), latency, &SubPath::shape(config)),
            modes: WriteFirstRam::new(config.qps, latency, 2, &QpMode::shape()),
            openings: Ram::new(openings, &Opening::shape(config)),
            event: PipelineRegs::new(1..=latency + 1, &event).checked(EVENT),
            mode: Reg::new(&QpMode::shape()),
            sent: Reg::new(&sent),
            in_flight: Reg::new(&InFlight::shape(config)),
            generation: Reg::new(&flag),
            operation: Reg::new(&Operation::shape(config.entropy_table())),
            decided: Reg::new(&decided),
            decided_context: Reg::new(&context),
            new_context: Reg::new(&context),
            opened_generation: Reg::new(&flag),
            path_update: Reg::new(&PathUpdate::shape(config)),
            response: Reg::new(&Response::shape(config)),
            writes_entropy: config.entropy_table().then(|| Reg::new(&flag).with_reset()),
            post: Reg::new(&Post::shape(config)),
            initialised: Reg::new(&flag).with_reset(),
            closed: Counter::new(32),
            range: Counter::new(32),
            absent: Counter::new(32),
        }
    }

    /// The event of this clock cycle: the sweep of a row, a command, or feedback.
    pub fn event(
        &self,
        feedback: Feedback<L>,
        sweeps: Bits<L>,
        swept: (Bits<L>, Bits<L>),
        is_command: Bits<L>,
        command: Command<L>,
        delay: Bits<L>,
    ) -> Event<L> {
        let qp = select(sweeps, swept.0, select(is_command, command.qp, feedback.qp));
        let path = select(sweeps, swept.1, select(is_command, command.path, feedback.path));
        let (quality, offered) = quality(feedback, delay);
        let sets_limit = command.op.equals(constant!(op::ADD)) | command.op.equals(constant!(op::LIMIT));
        let (index_valid, in_range) = (self.config.index_valid(qp), self.config.path_valid(path));
        Event {
            valid: sweeps | is_command | feedback.valid,
            is_sweep: sweeps,
            is_command,
            is_feedback: feedback.valid & !sweeps & !is_command & index_valid & in_range,
            qp,
            path,
            quality,
            offer: Offer { weight: select(is_command, command.weight, offered), is_limit: is_command & sets_limit },
            index_valid,
            in_range,
        }
    }

    /// The update of `path_view` with a changed sub-path.
    pub fn path_update(&self) -> PathUpdate<L> {
        self.path_update.get()
    }

    /// The change of the packets completed on a sub-path.
    pub fn completed_update(&self) -> CompletedUpdate<L> {
        let decided = self.decided.get();
        CompletedUpdate {
            valid: decided.valid & decided.writes,
            row: self.config.row(decided.qp, decided.path),
            completed: self.sub_paths.modified().completed,
        }
    }

    /// What software should know of a sub-path.
    pub fn post(&self) -> Post<L> {
        self.post.get()
    }

    /// 1 if the entropy of the command is written.
    pub fn writes_entropy(&self) -> Option<Bits<L>> {
        self.writes_entropy.as_ref().map(Reg::get)
    }

    /// The context that a request read `l` clock cycles ago.
    pub fn request_context(&self) -> Context<L> {
        let (QpMode { open, granularity, flowlet }, Opening { generation, psn, entropy }) =
            (self.modes.data(0), self.openings.data());
        Context { open, generation, granularity, flowlet, psn, entropy }
    }

    /// 1 if QPs may be open. Before the first command since reset none is, although the tables may not be swept yet.
    pub fn initialised(&self) -> Bits<L> {
        self.initialised.get()
    }

    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// Counters of feedback for closed QPs, for sub-paths out of range, and for absent sub-paths.
    pub fn refused(&self) -> [Bits<L>; 3] {
        [self.closed.get(), self.range.get(), self.absent.get()]
    }

    /// One clock cycle: `event` is in step 0; `request` is the QP whose context a request reads; `sent` and
    /// `generation` are the values that the tables of the request side hold for the event in step `l`.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        event: Event<L>,
        request: Bits<L>,
        sent: SentCount<L>,
        generation: Bits<L>,
        command: &Command<L>,
        settings: &InForce<L>,
        time: Bits<L>,
    ) {
        let (new, decided) = (self.new_context.get(), self.decided_context.get());
        when(decided.opens, || {
            let generation = self.opened_generation.get();
            let entropy = (!self.config.entropy_table()).then_some(command.entropy);
            self.openings.write(decided.qp, Opening { generation, psn: command.psn, entropy });
        });
        self.answer(command);
        self.decide(event, command, settings, time);
        self.operation.set(operation(command, self.config.entropy_table()));

        // l
        let arrived = self.event.at(self.config.ram_latency);
        // An index beyond the last row reads undefined data, which is not used.
        when(arrived.valid & arrived.index_valid, || {
            self.sent.set(sent);
            self.in_flight.set(InFlight::of(sent.count, settings));
            self.generation.set(generation);
            self.mode.set(self.modes.data(1));
        });

        // 0 to l
        self.event.shift(event);
        let write = Access { valid: new.writes_mode, index: new.qp };
        self.modes.clock(&[request, event.qp], write, new.mode);
        self.openings.read(request);
        self.openings.clock();
    }

    /// Step `l` + 2: the update for requests, and the response to a command.
    fn answer(&self, command: &Command<L>) {
        let (decided, row) = (self.decided.get(), self.sub_paths.modified());
        let active = row.is(constant!(state::ACTIVE));
        let probed = row.is(constant!(state::PROBED));
        let weight = row.weight.gate(active);
        self.path_update.set(PathUpdate {
            valid: decided.valid & decided.writes,
            qp: decided.qp,
            path: decided.path.truncate(self.config.path_bits()),
            weight,
            congested: row.congested,
            probing: row.is(constant!(state::PROBING)) | probed,
            avoided: row.avoided,
            losing: row.loss_count.any(),
            released: row.completed.released,
        });
        self.post.set(Post {
            valid: decided.valid,
            clears: decided.is_sweep,
            qp: decided.qp,
            path: decided.path.truncate(self.config.path_bits()),
            causes: decided.causes,
            fails: decided.fails,
            all_failed: decided.all_failed,
        });
        self.new_context.set(self.decided_context.get());
        let is_command = decided.valid & decided.is_command;
        if let Some(writes_entropy) = &self.writes_entropy {
            let gives = command.op.equals(constant!(op::ADD)) | command.op.equals(constant!(op::SET_ENTROPY));
            writes_entropy.set(is_command & decided.done & gives);
        }
        self.initialised.set(self.initialised.get() | is_command);
        // An OR, not an inverted AND: the reset of flip-flops is active high.
        let hidden = !decided.open | !decided.writes | row.is(constant!(state::ABSENT));
        let (valid, op, qp, path, done, open) =
            (is_command, command.op, command.qp, command.path, decided.done, decided.open);
        let shown = Response {
            valid,
            op,
            qp,
            path,
            done,
            open,
            granularity: decided.granularity,
            state: row.shown_state(),
            weight: row.weight,
            limit: row.limit,
            congested: row.congested,
            avoided: row.avoided,
            full: decided.sent.filled ^ row.completed.released,
            in_flight: decided.sent.count - row.completed.count,
            window: row.completed.window.slice(QUARTERS_LOG, self.config.initial_bits()),
        };
        let zero = Response::zero(&shown.shape());
        let of_path = select(hidden, zero, shown);
        self.response.set(Response {
            valid,
            op,
            qp,
            path,
            done,
            open,
            granularity: shown.granularity.gate(open),
            weight: select(hidden | !active & !probed, zero, shown).weight,
            ..of_path
        });
    }

    /// Step `l` + 1: new rows of the QP and of the sub-path.
    fn decide(&self, entering: Event<L>, command: &Command<L>, settings: &InForce<L>, time: Bits<L>) {
        let (event, mode, sent) = (self.event.last(), self.mode.get(), self.sent.get());
        let rows = CommandRows { qp_state: self.qp_states.operand(), mode, sub_path: self.sub_paths.operand() };
        let time = time.truncate(DEADLINE_WIDTH);
        let offer = self.event.last().offer;
        let compared = Compared { time, offer, in_flight: self.in_flight.get(), most: settings.most };
        let comparisons = self.sub_paths.of_operand(|row| comparisons(row, &compared));
        let yes = Bits::lit(1, 1);
        let asks = entering.valid & entering.index_valid;
        self.qp_states.clock(Access { valid: asks, index: entering.qp }, yes);
        let row = self.config.row(entering.qp, entering.path);
        self.sub_paths.clock(Access { valid: asks & entering.in_range, index: row }, yes);

        let Event { index_valid, in_range, .. } = event;
        let idle = sent.count.equals(rows.sub_path.completed.count).named("nothing_in_flight");
        let open = index_valid & rows.qp_state.open;
        let is = |code: Constant| rows.sub_path.is(code);
        let probes = (is(constant!(state::PROBING)) | is(constant!(state::PROBED))) & !event.quality.is_mark;
        let without_packet =
            is(constant!(state::ACTIVE)) | probes | event.quality.is_arrival & rows.sub_path.state.any();
        let expected = select(event.quality.no_packet, without_packet, rows.sub_path.state.any() & !idle);
        // Not ANDed with `open`: in a closed QP all sub-paths are absent.
        let feedback_applies = (event.is_feedback & expected).named("feedback_applies");
        let is_feedback = event.valid & !event.is_sweep & !event.is_command;
        self.closed.count(is_feedback & !open);
        self.range.count(is_feedback & open & !in_range);
        // A notification names no sub-path, so it is given to all of a QP.
        let is_notification = event.quality.is_mark & event.quality.halves;
        self.absent.count(event.is_feedback & open & !expected & !is_notification);

        let conditions = CommandConditions { index_valid, in_range, idle };
        let operation = self.operation.get();
        let (operated, commanded, done) = apply_command(command, operation, rows, conditions, settings);
        let single = mode.granularity.equals(constant!(granularity::SINGLE));
        let conditions = FeedbackConditions { filled: sent.filled, single, time, comparisons };
        let (after_feedback, change, causes) = apply_feedback(rows.sub_path, event.quality, conditions, settings);
        // Feedback comes last: all that depends on counts and times is late.
        let operated_row = select(event.is_command, operated.sub_path, rows.sub_path);
        let change = select(event.is_command, commanded, change.gate(feedback_applies));
        let Quality { mark, halves, .. } = event.quality;
        let sub_path = SubPath {
            weight: changed_weight(rows.sub_path, change, comparisons.weight, offer.weight, mark, halves),
            ..select(feedback_applies, after_feedback, operated_row)
        };
        let active_count = rows.qp_state.active_count;
        let fails = feedback_applies & causes.failed;
        let left = QpState { active_count: select(fails, active_count - 1, active_count), ..rows.qp_state };
        let qp_state = select(event.is_command, operated.qp_state, left);
        let all_failed = causes.all_failed & active_count.equals(1);
        // Without an enable, so that the sweep is the reset of the flip-flops.
        self.qp_states.modify(qp_state.gate(!event.is_sweep));
        self.sub_paths.modify(sub_path.gate(!event.is_sweep));
        let after = operated.mode;
        self.decided.set(Decided {
            valid: event.valid,
            writes: index_valid & in_range,
            is_sweep: event.is_sweep,
            is_command: event.is_command,
            qp: event.qp,
            path: event.path,
            done,
            open: index_valid & operated.qp_state.open,
            granularity: after.granularity,
            sent,
            causes: Causes { all_failed, ..causes }.gate(feedback_applies),
            fails: fails | event.is_command & done & operation.fails,
            all_failed: fails & all_failed & !settings.wait,
        });
        let commanded = event.valid & event.is_command & done;
        self.decided_context.set(NewContext {
            writes_mode: event.valid & index_valid & event.is_sweep | commanded,
            opens: commanded & command.op.equals(constant!(op::OPEN)),
            qp: event.qp,
            mode: QpMode { open: after.open & !event.is_sweep, ..after },
        });
        when(event.valid & event.is_command, || {
            // *Open* takes the generation that the sender row does not have, so the old row becomes stale.
            self.opened_generation.set(!self.generation.get());
        });
    }
}
