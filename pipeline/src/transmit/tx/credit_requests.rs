// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests for credit (rows TX22 to TX24). A PDC without credit and with nothing in flight sends no packet, and so nothing that
//! asks for credit. So one PDC after the other is looked at. With memories of latency `l`, and nothing that makes it wait:
//!
//! ```text
//!  cycle n            due     *read* to `ccc_table`; no command of the host is accepted from here on
//!        n + 1        waits   is read whether the PDC stood still when it was looked at last
//!        n + l + 23           the answer: does it stand still? Both times: the target is held; if not, all is over
//!        n + l + 24   asks    its packet is offered to `records`
//!        n + V        due     the next PDC
//! ```
//!
//! What may interfere waits, one for the other. A visit begins when no command of the host is under way, and a command is accepted
//! when no visit is. So the command port of `ccc_table` and its answers belong to one of the two, and a PDC that is visited is
//! neither opened nor closed before its packet is among those whose frames *close* waits for. The visit that is due goes first, so
//! a host with many commands does not keep it from being made.

use super::config::TxConfig;
use super::control_packets::Request;
use crate::blocks::counter::Counter;
use crate::transmit::ccc_table::{self, CREDIT_WIDTH, Command, state};
use rtl_model::{Bits, Logic, Ram, Reg, StateReg, States, bits, clog2, name_nets, select, when};

/// Width of the counter.
pub const COUNT_WIDTH: u32 = 32;

/// Where the visit of a PDC is.
#[derive(Clone, Copy, States)]
enum VisitStep {
    /// There is none.
    Idle,
    /// *Read* is offered to `ccc_table`, or waits for a command of the host.
    Due,
    /// Its answer is awaited.
    Waits,
    /// A packet is offered.
    Asks,
}

/// The visits.
#[name_nets]
pub struct CreditRequests<L: Logic> {
    config: TxConfig,
    step: StateReg<L, VisitStep>,
    /// Clock cycles until the next visit may be due.
    rest: Reg<Bits<L>>,
    /// The PDC of the visit, or of the next one.
    pdc: Reg<Bits<L>>,
    /// Whether each PDC stood still when it was looked at last.
    stood: Ram<Bits<L>>,
    target: Reg<Bits<L>>,
    count: Counter<L>,
}

/// What the stages show in a clock cycle.
pub struct Shown<L: Logic> {
    /// All tables can be used.
    pub live: Bits<L>,
    /// No command of the host is under way.
    pub idle: Bits<L>,
    pub cccs_ready: Bits<L>,
    pub cccs: ccc_table::Response<L>,
    /// *Open* makes this PDC another one.
    pub opens: (Bits<L>, Bits<L>),
    /// The packet that is offered is taken.
    pub taken: Bits<L>,
}

#[name_nets]
impl<L: Logic> CreditRequests<L> {
    /// The part, if packets ask for credit.
    pub fn new(config: TxConfig) -> Option<Self> {
        let step = bits(1);
        config.asks_credit().then(|| CreditRequests {
            config,
            step: StateReg::new(),
            rest: Reg::new(&bits(clog2(config.visit_interval()))).with_reset(),
            pdc: Reg::new(&config.pdc()).with_reset(),
            stood: Ram::new(config.pdc_rows(), &bits(1)),
            target: Reg::new(&bits(CREDIT_WIDTH)),
            count: Counter::new(COUNT_WIDTH),
        })
    }

    /// No visit is due or under way: a command of the host can be accepted.
    pub fn idle(&self) -> Bits<L> {
        self.step.is(VisitStep::Idle)
    }

    /// How many were sent.
    pub fn count(&self) -> Bits<L> {
        self.count.get()
    }

    /// The command for `ccc_table`: that of the host, unless a visit is due and no command is under way.
    pub fn for_cccs(&self, host: Command<L>, idle: Bits<L>) -> Command<L> {
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));
        let read = Command {
            valid: yes,
            op: Bits::lit(ccc_table::op::WIDTH, ccc_table::op::READ),
            ccc: self.pdc.get(),
            nscc: no,
            rccc: no,
            class: host.class,
            weight: host.weight,
            force: no,
        };
        select(self.step.is(VisitStep::Due) & idle, read, host)
    }

    /// The packet that is offered.
    pub fn request(&self) -> Request<L> {
        Request { valid: self.step.is(VisitStep::Asks), pdc: self.pdc.get(), target: self.target.get() }
    }

    /// One clock cycle.
    pub fn clock(&self, shown: &Shown<L>) {
        let [due, waits, asks] = [VisitStep::Due, VisitStep::Waits, VisitStep::Asks].map(|step| self.step.is(step));
        let (rest, pdc) = (self.rest.get(), self.pdc.get());
        let (cccs, (opens, opened)) = (shown.cccs, shown.opens);
        let begins = self.idle() & !rest.any() & shown.live;
        let taken = due & shown.idle & shown.cccs_ready;
        let answered = waits & cccs.valid;
        let sent = asks & shown.taken;

        // The response of a PDC that is closed says nothing of RCCC.
        let has_credit = !cccs.credit.bit(cccs.credit.width() - 1) & cccs.credit.any();
        let is_active = cccs.state.equals(state::ACTIVE);
        let stands = cccs.open & cccs.rccc & is_active & !has_credit & !cccs.inflight_pkts.any();
        let again = (stands & self.stood.data()).named("stands_again");

        let go = |step| self.step.go(step);
        self.step.cases(|step| match step {
            VisitStep::Idle => {
                when(begins, || go(VisitStep::Due));
            }
            VisitStep::Due => {
                when(taken, || go(VisitStep::Waits));
            }
            VisitStep::Waits => {
                when(answered, || {
                    self.target.set(cccs.credit_target);
                    when(again, || go(VisitStep::Asks)).otherwise(|| go(VisitStep::Idle));
                });
            }
            VisitStep::Asks => {
                when(sent, || go(VisitStep::Idle));
            }
        });
        // The number of PDCs is a power of two.
        when(answered & !again | sent, || self.pdc.set(pdc + 1));
        let full = Bits::lit(rest.width(), self.config.visit_interval() - 1);
        let less = rest - rest.any().extend(rest.width());
        self.rest.set(select(begins, full, less));

        // *Open* is a command, so never in the same clock cycle as a visit.
        when(answered | opens, || self.stood.write(select(opens, opened, pdc), stands & !opens));
        self.stood.read(pdc);
        self.stood.clock();
        self.count.count(sent);
    }
}
