// SPDX-License-Identifier: MIT OR Apache-2.0
//! What enters the pipeline (rows C1 and C2): each stream has two places. `ack`, `send` and `loss` keep their order,
//! and alternate as one with `data`.

use super::adjustment::Due;
use super::config::CccTableConfig;
use super::order::Order;
use super::pass::{Load, Pass};
use super::ports::{AckEvent, CccTableIn, DataEvent, LossEvent, SendEvent, kind};
use crate::blocks::arbiter::{Arbiter, Grant, Policy};
use crate::blocks::skid_buffer::SkidBuffer;
use rtl_model::{Bits, Logic, constant, name_nets, select};

/// The streams of events.
#[name_nets]
pub struct Enter<L: Logic> {
    acks: SkidBuffer<AckEvent<L>>,
    sends: SkidBuffer<SendEvent<L>>,
    losses: SkidBuffer<LossEvent<L>>,
    data: SkidBuffer<DataEvent<L>>,
    /// Which of `ack`, `send` and `loss` is next.
    order: Order<L>,
    /// Between these three and `data`.
    arbiter: Arbiter<L>,
}

/// What comes before events in a clock cycle.
pub struct Before<L: Logic> {
    /// A row of the sweep.
    pub sweep: (Bits<L>, Bits<L>),
    /// An adjustment that is due.
    pub due: Due<L>,
    /// A command that waits, and its CCC.
    pub command: (Bits<L>, Bits<L>),
    /// There is a settings pause.
    pub pausing: Bits<L>,
}

/// What enters.
pub struct Entering<L: Logic> {
    pub pass: Pass<L>,
    pub load: Load<L>,
    /// Which stream it comes from, one bit each.
    pub from: Bits<L>,
    /// An event or a command does not enter.
    pub held: Bits<L>,
}

#[name_nets]
impl<L: Logic> Enter<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let input = CccTableIn::shape(config);
        Enter {
            acks: SkidBuffer::new(&input.ack),
            sends: SkidBuffer::new(&input.send),
            losses: SkidBuffer::new(&input.loss),
            data: SkidBuffer::new(&input.data),
            order: Order::new(),
            arbiter: Arbiter::new(Policy::RoundRobin, 2),
        }
    }

    /// There is room in the streams `ack`, `send`, `loss` and `data`.
    pub fn ready(&self) -> [Bits<L>; 4] {
        [self.acks.ready(), self.sends.ready(), self.losses.ready(), self.data.ready()]
    }

    /// An event of the three in order waits, and one of `data`.
    pub fn waiting(&self) -> [Bits<L>; 2] {
        [self.order.first().any(), self.data.valid()]
    }

    /// Which side is next: bit 0 for the three in order, bit 1 for `data`.
    fn sides(&self) -> Grant<L> {
        let [event, data] = self.waiting();
        self.arbiter.grant(data.concat(event))
    }

    /// The pass that enters in this clock cycle.
    pub fn entering(&self, before: &Before<L>) -> Entering<L> {
        let Before { sweep: (sweeps, swept), due, command: (commands, of_command), pausing } = before;
        let (sweeps, swept, due, commands, pausing) = (*sweeps, *swept, *due, *commands, *pausing);
        let (ack, send, loss, data) = (self.acks.front(), self.sends.front(), self.losses.front(), self.data.front());
        let sides = self.sides().one_hot;
        let first = sides.bit(1).concat(self.order.first().gate(sides.bit(0)));
        let held = sweeps | due.valid | pausing;
        let from = first.gate(!(held | commands));
        let [is_ack, sends, loses, feeds] = [0, 1, 2, 3].map(|stream| from.bit(stream));
        let of_kind = |code| is_ack & ack.kind.equals(code);
        let event = ack.ccc.gate(first.bit(0)) | send.ccc.gate(first.bit(1));
        let event = event | loss.ccc.gate(first.bit(2)) | data.ccc.gate(first.bit(3));
        let other = select(due.valid, due.ccc, select(commands, *of_command, event));
        let pass = Pass {
            acks: of_kind(constant!(kind::ACK)),
            nacks: of_kind(constant!(kind::NACK)),
            credits: of_kind(constant!(kind::CREDIT)),
            odd: of_kind(constant!(kind::NONE)),
            sends,
            loses,
            feeds,
            commands: commands & !held,
            adjusts: due.valid & !sweeps,
            sweeps,
            ccc: select(sweeps, swept, other),
        };
        let size = ack.size.gate(first.bit(0)) | send.size.gate(first.bit(1)) | loss.size.gate(first.bit(2));
        Entering { pass, load: Load { ack, send, size, bytes: data.bytes }, from, held }
    }

    /// One clock cycle: an event of this stream enters; events are offered unless `busy`.
    pub fn clock(&self, input: &CccTableIn<L>, from: Bits<L>, busy: Bits<L>) {
        self.arbiter.clock(self.sides(), from.any());
        let [ack_ready, send_ready, loss_ready, _] = self.ready();
        let accepted = [input.ack.valid & ack_ready, input.send.valid & send_ready, input.loss.valid & loss_ready];
        self.order.clock(accepted.map(|accepted| accepted & !busy), from.truncate(3).any());
        self.acks.clock(input.ack.valid & !busy, || input.ack, from.bit(0));
        self.sends.clock(input.send.valid & !busy, || input.send, from.bit(1));
        self.losses.clock(input.loss.valid & !busy, || input.loss, from.bit(2));
        self.data.clock(input.data.valid & !busy, || input.data, from.bit(3));
    }
}
