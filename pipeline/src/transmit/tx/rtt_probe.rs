// SPDX-License-Identifier: MIT OR Apache-2.0
//! PROBE control packets of UET (rows TX50 to TX52). NSCC measures delays from the shortest RTT that it has seen. A PDC whose packets always find a
//! queue never sees that of the path alone; PROBEs go with the DSCP of control packets, past the queues of data (uet.md 2.7). Each may wait
//! for a frame that has begun, here and in each switch, so there are eight, and `ccc_table` takes the shortest.
//!
//! ```text
//!  cycle n            an ACK or NACK of a PDC is taken, and no PROBE is under way
//!        n + 1        looks    how many PROBEs the PDC is to have is read, and `packet_tracker` judges the ACK
//!        then         asks     it is good, and there is one left: the packet is offered to `records` when no command is under way,
//!                              and none is accepted meanwhile
//!        m            awaits   it has been taken; for its answer, or until the time-out
//!        then         tells    the RTT is offered to `ccc_table`, when no event of `packet_tracker` is for its port of ACKs
//! ```
//!
//! There is one PROBE at a time; ACKs meanwhile begin none. One that is lost is made again with a later ACK of its PDC. What is offered waits as long as it is
//! stalled. A command for the PDC ends its PROBE in any step, and an answer that comes then is that of no PROBE.

use super::config::TxConfig;
use super::control_packets::Probe;
use crate::blocks::counter::Counter;
use crate::blocks::table::Access;
use crate::transmit::ccc_table::{self, AckEvent, TIME_WIDTH};
use crate::transmit::entropy_selector::EV_WIDTH;
use crate::transmit::packet_tracker::{Event, event_kind};
use rtl_model::{
    Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Signal, StateReg, States, bits, clog2, name_nets, select, when,
};

/// Width of the counters.
const COUNT_WIDTH: u32 = 32;
/// Width of the name that the answer to a PROBE returns.
const OPAQUE_WIDTH: u32 = 16;
/// The bit of a time that is set when an answer has not come: after 2^13 units of 128 ns, 1.05 ms.
const TIMEOUT_BIT: u32 = 13;
/// That of one that is not judged good: after 2^5 units, 4 us.
const JUDGED_BIT: u32 = 5;

/// PROBEs of a PDC.
const PROBES: u64 = 8;

/// Where the PROBE is.
#[derive(Clone, Copy, States)]
enum ProbeStep {
    /// There is none.
    Idle,
    /// How many are left is read, and the ACK is judged.
    Looks,
    /// Its packet is offered.
    Asks,
    /// Its answer is awaited.
    Awaits,
    /// `ccc_table` is told of the RTT.
    Tells,
}

/// What a record says: an ACK or NACK of a PDC.
pub struct Acknowledged<L: Logic> {
    pub valid: Bits<L>,
    pub pdc: Bits<L>,
    /// The highest PSN up to which all have arrived.
    pub psn: Bits<L>,
    pub ev: Bits<L>,
    /// It answers the PROBE of this name.
    pub answers: Bits<L>,
    pub opaque: Bits<L>,
}

/// An ACK or NACK that `packet_tracker` has found good, a clock cycle after its event: that is taken late in its clock cycle.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Good<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    /// It is an ACK.
    pub is_ack: Bits<L>,
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    #[width(TIME_WIDTH)]
    pub arrived: Bits<L>,
}

#[name_nets]
impl<L: Logic> Good<L> {
    /// What an event says that is taken in this clock cycle.
    pub fn of(event: &Event<L>, taken: Bits<L>) -> Self {
        let (is_ack, is_nack) = (event.kind.equals(event_kind::ACK), event.kind.equals(event_kind::NACK));
        let valid = taken & event.feedback & (is_ack | is_nack);
        Good { valid, is_ack, pdc: event.pdc, ev: event.ev, arrived: event.arrived }
    }
}

/// What the other parts show in a clock cycle.
pub struct Shown<L: Logic> {
    pub acknowledged: Acknowledged<L>,
    /// An ACK or NACK is good, so its PDC is open.
    pub good: Good<L>,
    /// The time of `packet_tracker`.
    pub now: Bits<L>,
    /// The packet is taken.
    pub taken: Bits<L>,
    /// `ccc_table` has taken the RTT.
    pub told: Bits<L>,
    /// The PDC of a command that is under way and may change it.
    pub changes: Access<L>,
    /// *Open* makes this PDC another one.
    pub opens: Access<L>,
}

/// The PROBE that is under way.
#[name_nets]
pub struct RttProbe<L: Logic> {
    config: TxConfig,
    step: StateReg<L, ProbeStep>,
    pdc: Reg<Bits<L>>,
    psn: Reg<Bits<L>>,
    /// Its name.
    opaque: Reg<Bits<L>>,
    /// Bit i is 1 if the PDC was chosen i + 2 or more clock cycles ago.
    reads: Reg<Bits<L>>,
    /// When it was taken, and when its answer came; before that, when the PDC was chosen.
    sent: Reg<Bits<L>>,
    arrived: Reg<Bits<L>>,
    /// The EV of the ACK.
    ev: Reg<Bits<L>>,
    /// How many each PDC is still to have.
    left: Ram<Bits<L>>,
    probes: Counter<L>,
    lost: Counter<L>,
}

#[name_nets]
impl<L: Logic> RttProbe<L> {
    /// The part, with NSCC.
    pub fn new(config: TxConfig) -> Option<Self> {
        config.has_nscc().then(|| Self::of(config))
    }

    fn of(config: TxConfig) -> Self {
        let rows = RamShape::new(config.packet_tracker.pdcs).latency(config.latency()).read_first();
        RttProbe {
            config,
            step: StateReg::new(),
            pdc: Reg::new(&config.pdc()),
            psn: Reg::new(&config.psn()),
            opaque: Reg::new(&bits(OPAQUE_WIDTH)).with_reset(),
            reads: Reg::new(&bits(config.latency())),
            sent: Reg::new(&bits(TIME_WIDTH)),
            arrived: Reg::new(&bits(TIME_WIDTH)),
            ev: Reg::new(&bits(EV_WIDTH)),
            left: Ram::new(rows, &bits(clog2(PROBES) + 1)),
            probes: Counter::new(COUNT_WIDTH),
            lost: Counter::new(COUNT_WIDTH),
        }
    }

    /// No packet is offered, so a command can be accepted.
    pub fn idle(&self) -> Bits<L> {
        !self.step.is(ProbeStep::Asks)
    }

    /// The packet that is offered, if no command is under way.
    pub fn packet(&self, idle: Bits<L>) -> Probe<L> {
        Probe {
            valid: self.step.is(ProbeStep::Asks) & idle,
            pdc: self.pdc.get(),
            psn: self.psn.get(),
            ev: self.ev.get(),
        }
    }

    /// The name of the PROBE.
    pub fn opaque(&self) -> Bits<L> {
        self.opaque.get()
    }

    /// Packets, and those that were lost.
    pub fn counts(&self) -> [Bits<L>; 2] {
        [self.probes.get(), self.lost.get()]
    }

    /// What `ccc_table` is told: of an ACK of nothing, with an RTT (C12 to C14). A NACK would be of a packet.
    pub fn event(&self) -> AckEvent<L> {
        let (yes, kind) = (Bits::lit(1, 1), Bits::lit(ccc_table::kind::WIDTH, ccc_table::kind::ACK));
        AckEvent {
            valid: self.step.is(ProbeStep::Tells),
            ccc: self.pdc.get(),
            kind,
            timed: yes,
            stamp: self.sent.get(),
            arrived: self.arrived.get(),
            ..AckEvent::zero(&AckEvent::shape(self.config.ccc_table))
        }
    }

    /// One clock cycle.
    pub fn clock(&self, shown: &Shown<L>) {
        let Shown { acknowledged, good, taken, told, changes, opens, .. } = shown;
        let (pdc, latency) = (self.pdc.get(), self.config.latency());
        let now = shown.now.truncate(TIME_WIDTH);
        let (reads, left) = (self.reads.get(), self.left.data());
        let begins = self.step.is(ProbeStep::Idle) & acknowledged.valid;
        // It is this one, as far as its event says.
        let is_good =
            good.valid & good.pdc.equals(pdc) & good.ev.equals(self.ev.get()) & good.arrived.equals(self.sent.get());
        let looked = reads.bit(latency - 1) & is_good;
        let gives_up = changes.valid & changes.index.equals(pdc);
        let waits = now - self.sent.get();
        let (waited, is_bad) = (waits.bit(TIMEOUT_BIT), waits.bit(JUDGED_BIT));
        let is_answer =
            acknowledged.answers & acknowledged.pdc.equals(pdc) & acknowledged.opaque.equals(self.opaque.get());
        let answered = self.step.is(ProbeStep::Awaits) & acknowledged.valid & is_answer;
        let lost = self.step.is(ProbeStep::Awaits) & !answered & !gives_up & waited;
        let sent = self.step.is(ProbeStep::Asks) & *taken;
        let is_told = self.step.is(ProbeStep::Tells) & *told;

        let go = |step| self.step.go(step);
        self.step.cases(|step| match step {
            ProbeStep::Idle => {
                when(begins, || {
                    self.pdc.set(acknowledged.pdc);
                    self.psn.set(acknowledged.psn);
                    self.ev.set(acknowledged.ev);
                    self.sent.set(now);
                    go(ProbeStep::Looks);
                });
            }
            ProbeStep::Looks => {
                when(gives_up | is_bad, || go(ProbeStep::Idle)).or_when(looked, || {
                    when(left.any(), || go(ProbeStep::Asks)).otherwise(|| go(ProbeStep::Idle));
                });
            }
            ProbeStep::Asks => {
                when(gives_up, || go(ProbeStep::Idle)).or_when(sent, || {
                    self.sent.set(now);
                    go(ProbeStep::Awaits);
                });
            }
            ProbeStep::Awaits => {
                when(gives_up | lost, || go(ProbeStep::Idle)).or_when(answered, || {
                    self.arrived.set(now);
                    go(ProbeStep::Tells);
                });
            }
            ProbeStep::Tells => {
                when(gives_up | is_told, || go(ProbeStep::Idle));
            }
        });
        when(begins, || self.opaque.set(self.opaque.get() + 1));
        self.reads.set((reads << 1 | Bits::lit(latency, 1)).gate(!begins));
        // *Open* goes first: then this PDC has another one later.
        when(is_told | opens.valid, || {
            let all = Bits::lit(left.width(), PROBES);
            self.left.write(select(opens.valid, opens.index, pdc), select(opens.valid, all, left - 1));
        });
        self.left.read(select(begins, acknowledged.pdc, pdc));
        self.left.clock();
        self.probes.count(sent);
        self.lost.count(lost);
    }
}
