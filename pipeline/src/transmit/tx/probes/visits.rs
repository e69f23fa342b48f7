// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits of all sub-paths, one after the other: one that is new, or has failed and has nothing in flight, is probed, and started with the first
//! answer (row TX49). It happens aside: [`INTERVAL`] clock cycles between two visits, each with a command of
//! `path_scheduler` or two, and one train at a time. Between two visits of the round the
//! sub-paths of a QP that has called ([`Calls`]) are visited.
//!
//! ```text
//!  Rests    so many clock cycles, and while visits are off
//!  Reads    its state   absent, active, draining  -> next
//!           probed -> Starts; probing -> Probes; failed and nothing in flight -> Retries
//!  Retries  it becomes a probing one
//!  Probes   a train is offered to `contexts`      refused -> next
//!  Awaits   its answer                            none -> next
//!  Starts   it becomes active
//! ```
//!
//! The path of a QP that has only one is not probed, as its peer does not know probes: it is started by force, with all of its weight.

use super::super::config::TxConfig;
use super::super::own_command::OwnCommand;
use super::super::ports::ProbeAnswer;
use super::calls::Calls;
use crate::blocks::table::Access;
use crate::transmit::packet_tracker::EV_WIDTH;
use crate::transmit::path_scheduler::{self, Command, PathSchedulerConfig, granularity, op, path_state};
use rtl_model::{Bits, Logic, Reg, Shape, Signal, StateReg, States, bits, clog2, constant, name_nets, select, when};

/// Clock cycles between two visits, at least.
const INTERVAL: u64 = 16;

/// Where a visit is.
#[derive(Clone, Copy, States)]
enum VisitStep {
    Rests,
    Reads,
    Retries,
    Probes,
    Awaits,
    Starts,
}

/// The visits.
#[name_nets]
pub struct Visits<L: Logic> {
    config: TxConfig,
    /// The number of the last sub-path of a QP.
    last_path: u64,
    visit_step: StateReg<L, VisitStep>,
    /// The command has been taken, and its response is awaited.
    asked: Reg<Bits<L>>,
    /// The QP has one path only, and the most weight that this may have.
    single: Reg<Bits<L>>,
    limit: Reg<Bits<L>>,
    /// Clock cycles until the next visit.
    rest: Reg<Bits<L>>,
    /// The next sub-path of the round, or that which is visited.
    qp: Reg<Bits<L>>,
    path: Reg<Bits<L>>,
    calls: Calls<L>,
    /// A QP that has called is visited, and which of its sub-paths.
    is_called: Reg<Bits<L>>,
    called_qp: Reg<Bits<L>>,
    called_path: Reg<Bits<L>>,
    /// A visit of the round is before the next QP that has called.
    round_is_due: Reg<Bits<L>>,
}

/// What a visit sees in a clock cycle.
pub struct Shown<L: Logic> {
    pub enabled: Bits<L>,
    /// A command of `path_scheduler` is taken, if one is offered; its response.
    pub command_ready: Bits<L>,
    pub response: path_scheduler::Response<L>,
    /// The train that is offered is taken; it is refused.
    pub train_taken: Bits<L>,
    pub train_refused: Bits<L>,
    pub answer: ProbeAnswer<L>,
    /// QPs that are to be visited next: one that has been opened, has got a sub-path, or has a probe of its peer.
    pub calls: [Access<L>; 3],
}

#[name_nets]
impl<L: Logic> Visits<L> {
    pub fn new(config: TxConfig, scheduler: PathSchedulerConfig) -> Self {
        Visits {
            config,
            last_path: scheduler.paths - 1,
            visit_step: StateReg::new(),
            asked: Reg::new(&bits(1)).with_reset(),
            single: Reg::new(&bits(1)),
            limit: Reg::new(&bits(scheduler.weight_bits)),
            rest: Reg::new(&bits(clog2(INTERVAL))).with_reset(),
            qp: Reg::new(&config.pdc()).with_reset(),
            path: Reg::new(&bits(path_scheduler::PATH_WIDTH)).with_reset(),
            calls: Calls::new(config),
            is_called: Reg::new(&bits(1)).with_reset(),
            called_qp: Reg::new(&config.pdc()),
            called_path: Reg::new(&bits(path_scheduler::PATH_WIDTH)).with_reset(),
            round_is_due: Reg::new(&bits(1)).with_reset(),
        }
    }

    /// The sub-path that is visited.
    fn visited(&self) -> (Bits<L>, Bits<L>) {
        let called = self.is_called.get();
        (select(called, self.called_qp.get(), self.qp.get()), select(called, self.called_path.get(), self.path.get()))
    }

    /// The command of `path_scheduler` that is offered; it goes before those of the host.
    pub fn command(&self, shape: &Command<Shape>) -> Command<L> {
        let [retries, starts] = [VisitStep::Retries, VisitStep::Starts].map(|step| self.visit_step.is(step));
        let lit = |code| Bits::lit(shape.op.bits(), code);
        let code = select(starts, lit(op::START), select(retries, lit(op::RETRY), lit(op::READ)));
        let (qp, path) = self.visited();
        let (force, weight) = (self.single.get(), self.limit.get());
        Command { valid: self.commands(), op: code, qp, path, force, weight, ..Command::zero(shape) }
    }

    /// A command of `path_scheduler` is offered.
    pub fn commands(&self) -> Bits<L> {
        let [reads, retries, starts] =
            [VisitStep::Reads, VisitStep::Retries, VisitStep::Starts].map(|step| self.visit_step.is(step));
        (reads | retries | starts) & !self.asked.get()
    }

    /// The response that comes is not that of a command of the host.
    pub fn owns_response(&self) -> Bits<L> {
        self.asked.get()
    }

    /// With the response that comes a sub-path may have room: it is that of the host, or of *start*.
    pub fn may_free(&self) -> Bits<L> {
        !self.asked.get() | self.visit_step.is(VisitStep::Starts)
    }

    /// The train that is offered to `contexts`.
    pub fn probe(&self) -> OwnCommand<L> {
        let valid = self.visit_step.is(VisitStep::Probes);
        let (pdc, path) = self.visited();
        let path = path.extend(EV_WIDTH);
        OwnCommand { valid, pdc, probes: Some(valid), path, ..OwnCommand::zero(&OwnCommand::shape(self.config)) }
    }

    /// One clock cycle.
    pub fn clock(&self, shown: &Shown<L>) {
        let [reads, retries, starts] =
            [VisitStep::Reads, VisitStep::Retries, VisitStep::Starts].map(|step| self.visit_step.is(step));
        let (asked, rest, answer) = (self.asked.get(), self.rest.get(), &shown.answer);
        let (commands, resting) = (reads | retries | starts, self.visit_step.is(VisitStep::Rests));
        let responds = asked & shown.response.valid;
        let has_state = |state: rtl_model::Constant| shown.response.state.equals(state);
        let (qp, path) = self.visited();
        let is_own = answer.valid & answer.pdc.equals(qp) & answer.path.equals(path);
        let (called, first) = (self.is_called.get(), self.calls.first());
        let begins = resting & !rest.any() & shown.enabled;
        let takes = begins & first.valid & !called & !self.round_is_due.get();
        let single = shown.response.granularity.equals(constant!(granularity::SINGLE));
        let is_probing = has_state(constant!(path_state::PROBING));
        let is_failed = has_state(constant!(path_state::FAILED)) & !shown.response.in_flight.any();

        let go = |step| self.visit_step.go(step);
        self.visit_step.cases(|step| match step {
            VisitStep::Rests => {
                when(begins, || go(VisitStep::Reads));
                when(takes, || {
                    self.is_called.set(takes);
                    self.called_qp.set(first.index);
                });
            }
            VisitStep::Reads => {
                when(responds, || {
                    self.single.set(single);
                    self.limit.set(shown.response.limit);
                    when(has_state(constant!(path_state::PROBED)) | is_probing & single, || go(VisitStep::Starts))
                        .or_when(is_probing, || go(VisitStep::Probes))
                        .or_when(is_failed, || go(VisitStep::Retries))
                        .otherwise(|| self.next());
                });
            }
            VisitStep::Retries => {
                when(responds & self.single.get(), || go(VisitStep::Starts))
                    .or_when(responds, || go(VisitStep::Probes));
            }
            VisitStep::Probes => {
                when(shown.train_taken, || go(VisitStep::Awaits));
            }
            VisitStep::Awaits => {
                when(is_own & answer.answered, || go(VisitStep::Starts))
                    .or_when(is_own | shown.train_refused, || self.next());
            }
            VisitStep::Starts => {
                when(responds, || self.next());
            }
        });
        self.asked.set(commands & (asked & !responds | !asked & shown.command_ready));
        let full = Bits::lit(rest.width(), INTERVAL - 1);
        self.rest.set(select(resting, rest - rest.any().extend(rest.width()), full));
        self.calls.clock(shown.calls, takes);
    }

    /// The visit is over; the next sub-path, or the first one of the next QP. The number of QPs is a power of two.
    fn next(&self) {
        let (called, qp) = (self.is_called.get(), self.qp.get());
        let (_, path) = self.visited();
        let is_last = path.equals(self.last_path);
        let next = (path + 1).gate(!is_last);
        when(called, || {
            self.called_path.set(next);
            self.is_called.set(!is_last);
        })
        .otherwise(|| {
            self.path.set(next);
            self.qp.set(qp + is_last.extend(qp.width()));
        });
        self.round_is_due.set(called);
        self.visit_step.go(VisitStep::Rests);
    }
}
