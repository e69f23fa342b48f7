// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage that chooses paths is told of them: by ACKs and NACKs that `packet_tracker` has found good, by its outcomes, and with
//! RoCEv2 by sub-paths that go back (rows TX16, TX28, TX34). One is told in a clock cycle; the others wait.
//!
//! An ACK of RoCEv2 names a packet that has arrived: its outcome says so of its sub-path, with the mark and the round-trip time. If it does not, or names one that was acknowledged before, it still names the
//! sub-path. ACKs are lost, so packets time out with the one that is missing though they may have arrived. Only that one, at the base of the window, says something of its sub-path. A packet for which the peer has
//! no room says nothing: its ACK has.

use super::config::{Paths, TxConfig};
use crate::headers::uet::nack;
use crate::transmit::entropy_selector::{self, EV_WIDTH};
use crate::transmit::feedback;
use crate::transmit::packet_tracker::{Event, Outcome, event_kind, outcome_kind};
use crate::transmit::path_scheduler::{self, ARRIVED, DELAY_WIDTH, MARK, PATH_WIDTH, RETURN};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Signal, constant, name_nets, select};

/// Width of the code, in both stages.
pub const KIND_WIDTH: u32 = entropy_selector::KIND_WIDTH;

/// What is told of a path.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct PathFeedback<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// The EV, or the number of the sub-path.
    #[width(EV_WIDTH)]
    pub path: Bits<L>,
    /// The code, as the stage has it.
    #[width(KIND_WIDTH)]
    pub kind: Bits<L>,
    /// RoCEv2: the round-trip time, 0 for none.
    #[width(config.rocev2(DELAY_WIDTH))]
    pub rtt: Option<Bits<L>>,
}

#[name_nets]
impl<L: Logic> PathFeedback<L> {
    /// What the ACK or NACK of an event says of its path.
    fn of_event(paths: &Paths, event: &Event<L>) -> Self {
        let code = |kind: rtl_model::Constant| kind.lit(KIND_WIDTH);
        let (says, kind) = match paths {
            Paths::Selector(_) => {
                let is_nack = event.kind.equals(constant!(event_kind::NACK));
                let has = |reason: rtl_model::Constant| is_nack & event.reason.equals(reason);
                let unmarked = select(
                    has(constant!(nack::TRIMMED_LASTHOP)),
                    code(constant!(feedback::LAST_HOP)),
                    code(constant!(feedback::GOOD)),
                );
                let by_mark = select(event.marked, code(constant!(feedback::ECN)), unmarked);
                let answers = select(has(constant!(nack::TRIMMED)), code(constant!(feedback::NACK)), by_mark);
                // The receiver infers a loss: the EV is that of the lost packet.
                let is_lost = has(constant!(nack::RCVR_INFER_LOSS));
                (Bits::lit(1, 1), select(is_lost, code(constant!(feedback::TIMEOUT)), answers))
            }
            // A NACK is a loss that another ACK has told of: it names no path.
            Paths::Scheduler(..) => {
                let is_ack = event.kind.equals(constant!(event_kind::ACK));
                // The outcome of the packet says it.
                let is_said = event.timed & !event.rtx_count.any();
                (is_ack & !is_said, select(event.marked, code(constant!(MARK)), code(constant!(ARRIVED))))
            }
        };
        PathFeedback {
            valid: event.valid & event.feedback & says,
            pdc: event.pdc,
            path: event.ev,
            kind,
            rtt: unknown(paths),
        }
    }

    /// A sub-path goes back.
    pub fn of_return(paths: &Paths, valid: Bits<L>, pdc: Bits<L>, path: Bits<L>) -> Self {
        PathFeedback { valid, pdc, path, kind: constant!(RETURN).lit(KIND_WIDTH), rtt: unknown(paths) }
    }

    /// What an outcome says. With UET an acknowledgement has said it already, but for a loss. Its packet may be the one that the
    /// ACK names, and then the ACK is that of the one time that it was sent. It may have been delayed in front of the wire.
    fn of_outcome(paths: &Paths, outcome: &Outcome<L>, was_delayed: Option<Bits<L>>) -> Self {
        let is = |kind: rtl_model::Constant| outcome.kind.equals(kind);
        let code = |kind: rtl_model::Constant| kind.lit(KIND_WIDTH);
        let is_lost = is(constant!(outcome_kind::LOST));
        let lost = code(constant!(feedback::TIMEOUT));
        let (says, kind, rtt) = match paths {
            Paths::Selector(_) => (is_lost, lost, None),
            Paths::Scheduler(..) => {
                let is_good = is(constant!(outcome_kind::ACKNOWLEDGED));
                let is_nack = is(constant!(outcome_kind::NACK));
                let is_discarded = is(constant!(outcome_kind::DISCARDED)) | is(constant!(outcome_kind::NO_ROOM));
                let is_named = outcome.trigger & outcome.timed;
                let is_late = is(constant!(outcome_kind::LATE)) & is_named;
                let marked = is_named & outcome.marked;
                let good = select(marked, code(constant!(feedback::ECN)), code(constant!(feedback::GOOD)));
                // It was counted as lost.
                let late = select(marked, code(constant!(MARK)), code(constant!(ARRIVED)));
                let received = select(is_good, good, select(is_late, late, code(constant!(RETURN))));
                let missing = select(is_nack, code(constant!(feedback::NACK)), lost);
                let says_much = is_nack | is_lost & outcome.at_base;
                let says = is_good | is_late | is_nack | is_lost | is_discarded;
                let most = outcome.age.slice(DELAY_WIDTH, outcome.age.width() - DELAY_WIDTH).any();
                let age = outcome.age.truncate(DELAY_WIDTH) | most.extend_signed(DELAY_WIDTH);
                let was_delayed = was_delayed.expect("the feedback of a sub-path");
                (
                    says,
                    select(says_much, missing, received),
                    Some(age.gate((is_good | is_late) & is_named & !was_delayed)),
                )
            }
        };
        PathFeedback { valid: outcome.valid & says, pdc: outcome.pdc, path: outcome.ev, kind, rtt }
    }

    /// With RoCEv2: it may give a sub-path room again. That a packet has arrived does not.
    pub fn may_free(&self) -> Bits<L> {
        self.valid & self.kind.differs(constant!(ARRIVED))
    }

    /// For `entropy_selector`.
    pub fn for_selector(self) -> entropy_selector::Feedback<L> {
        let PathFeedback { valid, pdc, path, kind, .. } = self;
        entropy_selector::Feedback { valid, ccc: pdc, ev: path, kind }
    }

    /// For `path_scheduler`, like `shape`.
    pub fn for_scheduler(self, shape: &path_scheduler::Feedback<Shape>) -> path_scheduler::Feedback<L> {
        let PathFeedback { valid, pdc, path, kind, rtt } = self;
        let zero = path_scheduler::Feedback::zero(shape);
        let rtt = rtt.expect("the feedback of a sub-path");
        path_scheduler::Feedback { valid, qp: pdc, path: path.truncate(PATH_WIDTH), kind, rtt, ..zero }
    }
}

/// No round-trip time, of the stages that have one.
#[name_nets]
fn unknown<L: Logic>(paths: &Paths) -> Option<Bits<L>> {
    matches!(paths, Paths::Scheduler(..)).then(|| Bits::lit(DELAY_WIDTH, 0))
}

/// What the last ACK or NACK says of its path, which is told a clock cycle after its event.
#[name_nets]
pub struct Heard<L: Logic> {
    config: TxConfig,
    feedback: Reg<PathFeedback<L>>,
}

#[name_nets]
impl<L: Logic> Heard<L> {
    pub fn new(config: TxConfig) -> Self {
        Heard { config, feedback: Reg::new(&PathFeedback::shape(config)) }
    }

    /// An event can be taken. `entropy_selector` takes feedback at once.
    pub fn ready(&self) -> Bits<L> {
        self.config.scheduler().map_or(Bits::lit(1, 1), |_| !self.feedback.get().valid)
    }

    /// What is to be told.
    pub fn feedback(&self) -> PathFeedback<L> {
        self.feedback.get()
    }

    /// One clock cycle: an event is `taken`; the feedback is `told`.
    pub fn clock(&self, event: &Event<L>, taken: Bits<L>, told: Bits<L>) {
        let of_event = PathFeedback::of_event(&self.config.paths, event);
        let (says, last) = (taken & of_event.valid, self.feedback.get());
        self.feedback.set(PathFeedback { valid: says | last.valid & !told, ..select(says, of_event, last) });
    }
}

/// What is told in a clock cycle, and who waits.
pub struct Told<L: Logic> {
    pub feedback: PathFeedback<L>,
    /// The sub-path that goes back is taken.
    pub returned: Bits<L>,
    /// What an ACK or NACK says is taken.
    pub heard: Bits<L>,
    /// The outcome must wait.
    pub outcome_waits: Bits<L>,
}

#[name_nets]
impl<L: Logic> Told<L> {
    /// The stage is ready or not. A sub-path that goes back is first, then an ACK or NACK, then an outcome if it can be counted.
    pub fn of(
        paths: &Paths,
        ready: Bits<L>,
        returned: PathFeedback<L>,
        from_acks: PathFeedback<L>,
        (outcome, counts): (&Outcome<L>, Bits<L>),
        was_delayed: Option<Bits<L>>,
    ) -> Self {
        let from_outcome = PathFeedback::of_outcome(paths, outcome, was_delayed);
        let others = returned.valid | from_acks.valid;
        let feedback = select(returned.valid, returned, select(from_acks.valid, from_acks, from_outcome));
        Told {
            feedback: PathFeedback { valid: others | from_outcome.valid & counts, ..feedback },
            returned: returned.valid & ready,
            heard: from_acks.valid & !returned.valid & ready,
            outcome_waits: from_outcome.valid & (others | !ready),
        }
    }
}
