// SPDX-License-Identifier: MIT OR Apache-2.0
//! What enters the pipeline (rows D2 to D4): `ack` and `send` have two places each, and are served in turn with the
//! scan; commands come first.

use super::config::PacketTrackerConfig;
use super::pass::{Load, Pass};
use super::ports::{AckEvent, PacketTrackerIn, SendEvent, kind, send_op};
use super::scan::Step;
use super::walk::Finish;
use crate::blocks::arbiter::{Arbiter, Grant, Policy};
use crate::blocks::skid_buffer::SkidBuffer;
use rtl_model::{Bits, Logic, constant, name_nets, select};

/// The streams of events, and whose turn it is.
#[name_nets]
pub struct Enter<L: Logic> {
    acks: SkidBuffer<AckEvent<L>>,
    sends: SkidBuffer<SendEvent<L>>,
    arbiter: Arbiter<L>,
}

/// What else may enter in a clock cycle.
#[derive(Clone, Copy)]
pub struct Before<L: Logic> {
    /// A row of the sweep.
    pub sweep: (Bits<L>, Bits<L>),
    /// A walk is under way; its second pass enters.
    pub walking: Bits<L>,
    pub finish: Finish<L>,
    /// As many events or outcomes are open as may be.
    pub full: Bits<L>,
    /// A command that waits, and its PDC.
    pub command: (Bits<L>, Bits<L>),
    /// A step of a scan that waits.
    pub step: Step<L>,
}

/// What enters.
#[derive(Clone, Copy)]
pub struct Entering<L: Logic> {
    pub pass: Pass<L>,
    pub load: Load<L>,
    /// The EV of a packet that is sent.
    pub ev: Bits<L>,
    /// The event in front of `ack`, and of `send`; which of the two, or the step of the scan, enters.
    pub ack: AckEvent<L>,
    pub send: SendEvent<L>,
    pub from: Bits<L>,
    /// An operation enters, whichever it is.
    pub operates: Bits<L>,
    /// It is a walk, and which one.
    pub acks: Bits<L>,
    pub backs_off: Bits<L>,
    pub agains: Bits<L>,
    pub commands: Bits<L>,
}

#[name_nets]
impl<L: Logic> Enter<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let input = PacketTrackerIn::shape(config);
        Enter {
            acks: SkidBuffer::new(&input.ack),
            sends: SkidBuffer::new(&input.send),
            arbiter: Arbiter::new(Policy::RoundRobin, 3),
        }
    }

    /// There is room in `ack`, and in `send`.
    pub fn ready(&self) -> [Bits<L>; 2] {
        [self.acks.ready(), self.sends.ready()]
    }

    /// No event waits.
    pub fn empty(&self) -> Bits<L> {
        !(self.ack_waits() | self.sends.valid())
    }

    /// An event of `ack` waits.
    pub fn ack_waits(&self) -> Bits<L> {
        self.acks.valid()
    }

    fn granted(&self, step: Bits<L>) -> Grant<L> {
        self.arbiter.grant(step.concat(self.sends.valid()).concat(self.acks.valid()))
    }

    /// What enters in this clock cycle.
    pub fn entering(&self, before: &Before<L>) -> Entering<L> {
        let Before { sweep: (sweeps, swept), walking, finish, full, command: (commands, of_command), step } = *before;
        let (ack, send) = (self.acks.front(), self.sends.front());
        let free = !(sweeps | walking | full);
        let granted = self.granted(step.valid());
        let first = granted.one_hot;
        let operates = free & (commands | granted.valid);
        let from = first.gate(free & !commands);
        let [is_ack, is_send, is_step] = [0, 1, 2].map(|stream| from.bit(stream));
        let is = |code: rtl_model::Constant| is_ack & ack.kind.equals(code);
        let (commands, acks, nacks) = (commands & free, is(constant!(kind::ACK)), is(constant!(kind::NACK)));
        let backs_off = is(constant!(kind::BACKOFF));
        let news = is_send & send.op.equals(constant!(send_op::NEW));
        let agains = is_send & send.op.equals(constant!(send_op::AGAIN));
        let event = ack.pdc.gate(first.bit(0)) | send.pdc.gate(first.bit(1)) | step.pdc.gate(first.bit(2));
        let other = select(finish.valid, finish.pdc, select(commands, of_command, event));
        let pass = Pass {
            looks: commands | acks | backs_off | agains,
            finishes: finish.valid,
            nacks,
            credits: is(constant!(kind::CREDIT)),
            ends: is_send & !(news | agains),
            news,
            heads: is_step & step.heads,
            examines: is_step & step.examines,
            completes: is_step & step.completes,
            sweeps,
            pdc: select(sweeps, swept, other),
            psn: select(first.bit(0), ack.psn, step.psn),
        };
        let AckEvent { marked, retx, reason, ev, .. } = ack;
        // A NACK has no credit, and credit no time.
        let number = select(nacks, ack.arrived.extend(ack.credit.width()), ack.credit);
        let size_or_ev = select(nacks, ev, send.size.extend(ev.width()));
        let load = Load { size_or_ev, asks: send.asks, last: send.last, marked, retx, reason, number };
        let ev = select(finish.valid, finish.ev, send.ev);
        Entering { pass, load, ev, ack, send, from, operates, acks, backs_off, agains, commands }
    }

    /// One clock cycle: a step of a scan waits; one of the streams enters; events are offered unless `busy`.
    pub fn clock(&self, input: &PacketTrackerIn<L>, step: Bits<L>, from: Bits<L>, busy: Bits<L>) {
        self.arbiter.clock(self.granted(step), from.any());
        self.acks.clock(input.ack.valid & !busy, || input.ack, from.bit(0));
        self.sends.clock(input.send.valid & !busy, || input.send, from.bit(1));
    }
}
