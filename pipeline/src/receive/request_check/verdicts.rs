// SPDX-License-Identifier: MIT OR Apache-2.0
//! Judges the pass that has its connection's state, and says what becomes of arrivals (rows RQ7 to RQ10) and deliveries (RQ11). With
//! memories of latency `l`:
//!
//! ```text
//!  0       pass     connection to `messages`, PSN to `slots`
//!  l + 1   judge    may the packet follow? the new state
//!  l + 2   verdict  to the ACK generator; a delivery to its queue; a refusal to `refusals`
//! ```

use super::config::RequestCheckConfig;
use super::message::Message;
use super::ports::{CAUSE_WIDTH, Status, Verdict};
use super::slot::{HIGH_WIDTH, Slot};
use super::walk::Pass;
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable};
use crate::receive::ack_generator::outcome;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Ram, RamShape, Reading, Reg, bits, constant, name_nets, select, when};

/// The pipeline of the check.
const CHECK: Pipeline = Pipeline::new("check");

/// A delivery that has been judged.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct Judged<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.connection())]
    pub connection: Bits<L>,
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// It is not delivered.
    pub refused: Bits<L>,
    /// It is behind the packet that was refused.
    pub behind: Bits<L>,
}

/// A state that is told to the host.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
struct Told<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(config.connection())]
    connection: Bits<L>,
    #[shape(Status::shape(config))]
    status: Status<L>,
}

/// The check.
#[name_nets]
pub struct Verdicts<L: Logic> {
    config: RequestCheckConfig,
    /// Steps 1 to `l` + 1.
    passes: PipelineRegs<Pass<L>>,
    messages: RmwTable<L, Message<L>>,
    slots: Ram<Slot<L>>,
    highs: Ram<Bits<L>>,
    /// Step `l` + 1: what was in the slot, and in that of the pair.
    slot: Reg<Slot<L>>,
    high: Reg<Bits<L>>,
    /// A packet of the walk that goes on was refused.
    refused: Reg<Bits<L>>,
    verdict: Reg<Verdict<L>>,
    judged: Reg<Judged<L>>,
    told: Reg<Told<L>>,
    /// The states that the host sees.
    refusals: Ram<Status<L>>,
    invalid_requests: Counter<L>,
}

#[name_nets]
impl<L: Logic> Verdicts<L> {
    pub fn new(config: RequestCheckConfig) -> Self {
        let l = config.ram_latency;
        let packets = config.connections * config.window;
        let [slots, highs] = [packets, packets / 2].map(|rows| RamShape::new(rows).latency(l).unused_on_collision());
        let refusals = RamShape::new(config.connections).latency(l).read_first().reads(2);
        Verdicts {
            config,
            passes: PipelineRegs::new(1..=config.judges(), &Pass::shape(config)).checked(CHECK),
            messages: RmwTable::new(config.connections, l, &Message::shape(config)),
            slots: Ram::new(slots, &Slot::shape()),
            highs: Ram::new(highs, &bits(HIGH_WIDTH)),
            slot: Reg::new(&Slot::shape()),
            high: Reg::new(&bits(HIGH_WIDTH)),
            refused: Reg::new(&bits(1)).with_reset(),
            verdict: Reg::new(&Verdict::shape(config)),
            judged: Reg::new(&Judged::shape(config)),
            told: Reg::new(&Told::shape(config)),
            refusals: Ram::new(refusals, &Status::shape(config)),
            invalid_requests: Counter::new(32),
        }
    }

    /// The verdict on an arrival.
    pub fn verdict(&self) -> Verdict<L> {
        self.verdict.get()
    }

    /// A delivery that has been judged.
    pub fn judged(&self) -> Judged<L> {
        self.judged.get()
    }

    /// What is wrong with the connection that was asked for.
    pub fn status(&self) -> Status<L> {
        self.refusals.data_port(0)
    }

    /// The connection of the suspected loss is in error.
    pub fn loss_void(&self) -> Bits<L> {
        self.refusals.data_port(1).cause.any()
    }

    /// Counter: packets that were refused.
    pub fn invalid_requests(&self) -> Bits<L> {
        self.invalid_requests.get()
    }

    /// One clock cycle: a pass begins; the state of two connections is asked for.
    pub fn clock(&self, pass: Pass<L>, asked: [Bits<L>; 2]) {
        let last = self.passes.last();
        let message = self.messages.operand();
        let packet = select(last.comes, last.event.slot, self.slot.get());
        let bytes = packet.bytes(select(last.comes, last.event.high, self.high.get()));
        let cause = message.judge(packet, bytes);
        let in_error = message.in_error();
        let fresh = last.checks & !in_error;
        let refuses = (last.valid & fresh & cause.any()).named("refuses");

        // l + 2
        let Told { valid, connection, status } = self.told.get();
        when(valid, || self.refusals.write(connection, status));
        self.refusals.read_port(0, asked[0]);
        self.refusals.read_port(1, asked[1]);
        self.refusals.clock();

        // l + 1
        self.told.set(Told {
            valid: refuses | last.valid & last.opens,
            connection: last.event.connection,
            status: Status { cause: cause.gate(!last.opens), psn: last.psn },
        });
        self.invalid_requests.count(refuses);
        self.judge_delivery(last, message);
        self.judge_arrival(last, message, refuses);

        // 0 to l
        let used = pass.opens | pass.delivers | pass.event.outcome.differs(constant!(outcome::UNKNOWN));
        let access = Access { valid: pass.valid & used, index: pass.event.connection };
        self.messages.clock(access, Bits::lit(1, 1));
        let no_cause = Bits::lit(CAUSE_WIDTH, 0);
        let no = Bits::lit(1, 0);
        let opened = Message { open: no, sized: last.sized, cause: no_cause, reached: no, ..message };
        let [refuses_delivery, _] = message.refuses(last.psn);
        let delivered = Message { reached: message.reached | refuses_delivery, ..message };
        let idle = select(last.delivers, delivered, message);
        // If it is refused, nothing but cause and PSN matters any more.
        let checked = Message { cause, psn: last.psn, ..message.after(packet, bytes) };
        when(last.valid, || {
            self.messages.modify(select(last.opens, opened, select(fresh, checked, idle)));
        });
        self.slot.set(self.slots.data());
        self.high.set(self.highs.data());
        let slot_of = |psn: Bits<L>| pass.event.connection.concat(psn.truncate(self.config.slot_bits()));
        let received = [outcome::IN_ORDER, outcome::HELD]
            .map(|code| pass.event.outcome.equals(code))
            .into_iter()
            .reduce(|a, b| a | b);
        let stores = pass.valid & pass.comes & !pass.opens & !pass.delivers & received.expect("two outcomes");
        self.slots.read(slot_of(pass.psn));
        when(stores, || self.slots.write(slot_of(pass.psn), pass.event.slot));
        self.slots.clock();
        let pair_of = |psn: Bits<L>| slot_of(psn).slice(1, slot_of(psn).width() - 1);
        self.highs.read(pair_of(pass.psn));
        when(stores & pass.event.slot.announces(), || self.highs.write(pair_of(pass.psn), pass.event.high));
        self.highs.clock();
        self.passes.shift(pass);
    }

    /// A packet of a connection in error is not delivered, unless it is before the one that was refused.
    fn judge_delivery(&self, pass: Pass<L>, message: Message<L>) {
        let [refused, behind] = message.refuses(pass.psn);
        self.judged.set(Judged {
            valid: pass.valid & pass.delivers,
            connection: pass.event.connection,
            psn: pass.psn,
            refused,
            behind,
        });
    }

    /// The verdict on an arrival that ends, or whose packets have passed up to one that is refused.
    fn judge_arrival(&self, pass: Pass<L>, message: Message<L>, refuses: Bits<L>) {
        let Pass { event, .. } = pass;
        let is = |code: u64| event.outcome.equals(code);
        let in_error = message.in_error();
        // The walk that goes on, or ends, has met a packet that is refused.
        let here = refuses | self.refused.get();
        let again = is(outcome::DUPLICATE) | is(outcome::BELOW) | is(outcome::NO_BUFFER);
        let invalid = pass.ends & (here | in_error & again);
        let silent = in_error & !here & !again;
        let code = |value| Bits::lit(outcome::WIDTH, value);
        let refused_psn = select(refuses, pass.psn, message.psn);
        let (outcome, expected) = (select(silent, code(outcome::UNKNOWN), event.outcome), event.expected);
        let cut = refuses & !pass.ends & !pass.comes;
        when(refuses & !pass.ends, || self.refused.set(Bits::lit(1, 1)))
            .or_when(pass.valid & pass.ends, || self.refused.set(Bits::lit(1, 0)));
        self.verdict.set(Verdict {
            valid: pass.valid & (pass.ends | cut),
            last: pass.ends,
            connection: event.connection,
            outcome: select(invalid, code(outcome::PROBE), outcome),
            psn: select(invalid, refused_psn, event.psn),
            expected: select(invalid | cut, refused_psn, expected),
            invalid,
        });
    }
}
