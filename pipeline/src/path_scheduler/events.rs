// SPDX-License-Identifier: MIT OR Apache-2.0
//! Feedback, operations and the sweep: one of them every clock, in order. With memories of latency `l`:
//!
//! ```text
//!  step 0      QP to `presences` and `contexts`, sub-path to `sub_paths` and `counted`
//!       l + 1  what is there, and what becomes of it: a loop of one clock for one sub-path
//!       l + 2  written; what requests see of it
//!       l + 3  told; the response
//! ```

use super::PathSchedulerConfig;
use super::operate::{Facts, Place, operate};
use super::ports::{Control, Feedback, Response, Settings};
use super::quality::heard;
use super::records::{Context, NewContext, Presence, SubPath, Told, state};
use crate::row::Row;
use crate::update::{Ask, Update};
use crate::write_first::WriteFirst;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Signal, bits, name_nets, select, when};

/// What happens in a clock.
#[derive(Bundle)]
pub struct Event<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    /// A row is swept.
    pub clears: Bits<L>,
    /// The operation of the desk.
    pub operates: Bits<L>,
    pub qp: Bits<L>,
    pub path: Bits<L>,
    /// Of feedback.
    pub kind: Bits<L>,
    /// There is such a QP, and it has such a sub-path.
    pub inside: Bits<L>,
    pub in_range: Bits<L>,
}

/// An event that has been decided.
#[derive(Bundle)]
struct Decided<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// There is a row of the sub-path.
    writes: Bits<L>,
    operates: Bits<L>,
    qp: Bits<L>,
    path: Bits<L>,
    /// An operation that could be done.
    done: Bits<L>,
    open: Bits<L>,
    mode: Bits<L>,
    /// Packets sent on the sub-path.
    sent: Bits<L>,
}

/// Feedback, operations and the sweep.
#[name_nets]
pub struct Events<L: Logic> {
    config: PathSchedulerConfig,
    /// Which QPs are open, and how many sub-paths each has.
    presences: Update<L, Presence<L>>,
    /// State, weight and feedback of every sub-path.
    sub_paths: Update<L, SubPath<L>>,
    /// Mode, first PSN and entropy of every QP. Port 0 is that of requests.
    contexts: WriteFirst<L, Context<L>>,
    /// Steps 1 to `l`: rows are on their way from the memories.
    arriving: Row<Event<L>>,
    /// Step `l` + 1.
    event: Reg<Event<L>>,
    context: Reg<Context<L>>,
    sent: Reg<Bits<L>>,
    turn: Reg<Bits<L>>,
    /// Step `l` + 2.
    decided: Reg<Decided<L>>,
    decided_context: Reg<NewContext<L>>,
    /// Step `l` + 3.
    new_context: Reg<NewContext<L>>,
    told: Reg<Told<L>>,
    response: Reg<Response<L>>,
    /// An operation has taken effect since reset.
    live: Reg<Bits<L>>,
    closed: Reg<Bits<L>>,
    range: Reg<Bits<L>>,
    absent: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Events<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let (flag, latency) = (bits(1), config.ram_latency);
        let ports = config.input_shape();
        let (qp, path, kind) = (config.qp(), ports.feedback.path, ports.feedback.kind);
        let event = Event { valid: flag, clears: flag, operates: flag, qp, path, kind, inside: flag, in_range: flag };
        let sent = config.sub_path().answered;
        let decided = Decided {
            valid: flag,
            writes: flag,
            operates: flag,
            qp,
            path,
            done: flag,
            open: flag,
            mode: config.context().mode,
            sent,
        };
        let context = NewContext { valid: flag, qp, context: config.context() };
        let counter = || Reg::new(&bits(32)).with_reset();
        Events {
            config,
            presences: Update::new(config.qps, latency, &config.presence()),
            sub_paths: Update::new(config.sub_paths(), latency, &config.sub_path()),
            contexts: WriteFirst::new(config.qps, latency, 2, &config.context()),
            arriving: Row::new(latency as usize, |i| Reg::numbered(i as u32 + 1, &event)),
            event: Reg::new(&event),
            context: Reg::new(&config.context()),
            sent: Reg::new(&sent),
            turn: Reg::new(&flag),
            decided: Reg::new(&decided),
            decided_context: Reg::new(&context),
            new_context: Reg::new(&context),
            told: Reg::new(&config.told()),
            response: Reg::new(&config.response()),
            live: Reg::new(&flag).with_reset(),
            closed: counter(),
            range: counter(),
            absent: counter(),
        }
    }

    /// What becomes of the inputs of this clock: a row swept, an operation, or feedback.
    pub fn event(
        &self,
        feedback: Feedback<L>,
        sweeps: Bits<L>,
        swept: (Bits<L>, Bits<L>),
        operates: Bits<L>,
        operation: Control<L>,
    ) -> Event<L> {
        let qp = select(sweeps, swept.0, select(operates, operation.qp, feedback.qp));
        let path = select(sweeps, swept.1, select(operates, operation.path, feedback.path));
        Event {
            valid: sweeps | operates | feedback.valid,
            clears: sweeps,
            operates,
            qp,
            path,
            kind: feedback.kind,
            inside: self.config.inside(qp),
            in_range: self.config.has(path),
        }
    }

    /// What requests are to see of a sub-path.
    pub fn told(&self) -> Told<L> {
        self.told.get()
    }

    /// The context that a request asked for `l` cycles ago.
    pub fn request_context(&self) -> Context<L> {
        self.contexts.data(0)
    }

    /// QPs may be open. Before the first operation since reset none is, though the tables may not show it yet.
    pub fn live(&self) -> Bits<L> {
        self.live.get()
    }

    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// Feedback for closed QPs, out of range, and for absent sub-paths.
    pub fn refused(&self) -> [Bits<L>; 3] {
        [self.closed.get(), self.range.get(), self.absent.get()]
    }

    /// One cycle: `event` is in step 0, `request` the QP of which a request reads the context; `sent` and `turn` are what
    /// the requests' tables have of the event in step `l`.
    pub fn clock(
        &self,
        event: Event<L>,
        request: Bits<L>,
        sent: Bits<L>,
        turn: Bits<L>,
        operation: &Control<L>,
        settings: &Settings<L>,
    ) {
        let new = self.new_context.get();
        self.answer(operation);
        self.decide(event, operation, settings);

        // l
        let arrived = self.arriving.last();
        self.event.set(arrived);
        // What a row beyond the last reads is nobody's business.
        when(arrived.valid & arrived.inside, || {
            self.sent.set(sent);
            self.turn.set(turn);
            self.context.set(self.contexts.data(1));
        });

        // 0 to l - 1
        self.arriving.shift(event);
        let write = Ask { valid: new.valid, key: new.qp };
        self.contexts.clock(&[request, event.qp], write, new.context);
    }

    /// Step `l` + 2.
    fn answer(&self, operation: &Control<L>) {
        let (decided, row) = (self.decided.get(), self.sub_paths.changed());
        let active = row.is(state::ACTIVE);
        let weight = row.weight.gate(active);
        self.told.set(Told {
            valid: decided.valid & decided.writes,
            qp: decided.qp,
            path: decided.path.truncate(self.config.path_bits()),
            weight,
            congested: row.congested,
            probing: row.is(state::PROBING),
        });
        self.new_context.set(self.decided_context.get());
        let operates = decided.valid & decided.operates;
        self.live.set(self.live.get() | operates);
        let there = decided.open & decided.writes & row.state.any();
        self.response.set(Response {
            valid: operates,
            op: operation.op,
            qp: operation.qp,
            path: operation.path,
            done: decided.done,
            open: decided.open,
            mode: decided.mode.gate(decided.open),
            state: row.shown_state().gate(there),
            weight: weight.gate(there),
            limit: row.limit.gate(there),
            congested: row.congested.gate(there),
            in_flight: (decided.sent - row.answered).gate(there),
        });
    }

    /// Step `l` + 1.
    fn decide(&self, entering: Event<L>, operation: &Control<L>, settings: &Settings<L>) {
        let (event, context, sent) = (self.event.get(), self.context.get(), self.sent.get());
        let place = Place { presence: self.presences.operand(), context, sub_path: self.sub_paths.operand() };
        let yes = Bits::lit(1, 1);
        let asks = entering.valid & entering.inside;
        self.presences.clock(Ask { valid: asks, key: entering.qp }, yes);
        let row = self.config.row(entering.qp, entering.path);
        self.sub_paths.clock(Ask { valid: asks & entering.in_range, key: row }, yes);

        let Event { inside, in_range, .. } = event;
        let open = inside & place.presence.open;
        let idle = sent.equals(place.sub_path.answered).named("nothing_in_flight");
        let known = open & in_range & place.sub_path.state.any() & !idle;
        let hears = (!event.clears & !event.operates & known).named("hears");
        let feeds = event.valid & !event.clears & !event.operates;
        when(feeds & !open, || self.closed.set(self.closed.get() + 1));
        when(feeds & open & !in_range, || self.range.set(self.range.get() + 1));
        when(feeds & open & in_range & !known, || self.absent.set(self.absent.get() + 1));

        let facts = Facts { inside, in_range, idle, turn: !self.turn.get() };
        let (operated, done) = operate(operation, place, facts);
        let told = heard(place.sub_path, event.kind, settings);
        let sub_path = select(event.operates, operated.sub_path, select(hears, told, place.sub_path));
        let presence = select(event.operates, operated.presence, place.presence);
        when(event.valid & inside, || {
            self.presences.change(presence.gate(!event.clears));
        });
        when(event.valid & inside & in_range, || {
            self.sub_paths.change(sub_path.gate(!event.clears));
        });
        let after = operated.context;
        self.decided.set(Decided {
            valid: event.valid,
            writes: inside & in_range,
            operates: event.operates,
            qp: event.qp,
            path: event.path,
            done,
            open: inside & operated.presence.open,
            mode: after.mode,
            sent,
        });
        self.decided_context.set(NewContext {
            valid: event.valid & inside & (event.clears | event.operates & done),
            qp: event.qp,
            context: after.gate(!event.clears),
        });
    }
}

/// The shape of the number of packets sent.
impl PathSchedulerConfig {
    pub(super) fn sent(self) -> Bits<Shape> {
        self.sub_path().answered
    }
}
