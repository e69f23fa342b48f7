// SPDX-License-Identifier: MIT OR Apache-2.0
//! Takes: a reply or a connection that is due leaves its queue and becomes an ACK (rows G16 and G18). With memories of
//! latency `l`:
//!
//! ```text
//!  0      pop
//!  1      connection to the views; its bit to `due`
//!  l + 1  differences, settings
//!  l + 2  limits
//!  l + 3  select  ->  ack
//! ```
//!
//! There is one take at a time, from its pop until its ACK has been transferred.

use super::config::AckGeneratorConfig;
use super::due::DueEntry;
use super::ports::Ack;
use super::replies::Reply;
use super::roce_ack::RoceAck;
use super::settings::InForce;
use super::take::Take;
use super::uet_ack::UetAck;
use super::views::Viewed;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Logic, Pipeline, Reg, Signal, bits, name_nets, select, when};

/// The pipeline of takes.
const TAKE: Pipeline = Pipeline::new("take");

/// Takes, and the ACK.
#[name_nets]
pub struct Takes<L: Logic> {
    config: AckGeneratorConfig,
    /// From the pop until the ACK is transferred.
    taking: Reg<Bits<L>>,
    /// The last take was of a reply.
    prefers_due: Reg<Bits<L>>,
    /// Steps 1 to `l` + 3.
    take: PipelineRegs<Take<L>>,
    /// The reply that was taken last.
    reply: Reg<Reply<L>>,
    roce: Option<RoceAck<L>>,
    uet: Option<UetAck<L>>,
    ack: Reg<Ack<L>>,
}

#[name_nets]
impl<L: Logic> Takes<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let flag = bits(1);
        Takes {
            config,
            taking: Reg::new(&flag).with_reset(),
            prefers_due: Reg::new(&flag).with_reset(),
            take: PipelineRegs::new(1..=config.ram_latency + 3, &Take::shape(config)).checked(TAKE),
            reply: Reg::new(&Reply::shape(config)),
            roce: config.roce(()).map(|()| RoceAck::new(config)),
            uet: config.uet(()).map(|()| UetAck::new(config)),
            ack: Reg::new(&Ack::shape(config)),
        }
    }

    /// The ACK that is output.
    pub fn ack(&self) -> Ack<L> {
        self.ack.get()
    }

    /// Which of the queues is popped in this clock cycle: that of replies, or that of connections that are due.
    pub fn pops(&self, replies: Bits<L>, due: Bits<L>) -> (Bits<L>, Bits<L>) {
        let (idle, prefers_due) = (!self.taking.get(), self.prefers_due.get());
        (idle & replies & !(due & prefers_due), idle & due & !(replies & !prefers_due))
    }

    /// The take in step 1.
    pub fn first(&self) -> Take<L> {
        self.take.at(1)
    }

    /// One clock cycle: the queues that are popped, and what is in front of them; what the take in step `l` + 1 has read.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        (pops_reply, reply): (Bits<L>, Reply<L>),
        (pops_due, due): (Bits<L>, DueEntry<L>),
        viewed: Viewed<L>,
        settings: InForce<L>,
        time: Bits<L>,
        pressure: Option<Bits<L>>,
        ready: Bits<L>,
    ) {
        let (l, ack, reply_taken) = (self.config.ram_latency, self.ack.get(), self.reply.get());
        let transfers = ack.valid & ready;
        let [last, limiting, reading] = [l + 3, l + 2, l + 1].map(|step| self.take.at(step));

        // l + 3
        when(last.valid, || {
            let blank = Ack {
                valid: last.valid,
                reply: last.replies,
                connection: last.entry.connection,
                ..Ack::zero(&Ack::shape(self.config))
            };
            self.ack.set(match (&self.roce, &self.uet) {
                (Some(roce), _) => roce.ack(blank, last.replies, reply_taken),
                (_, Some(uet)) => uet.ack(blank, last.replies, reply_taken),
                _ => unreachable!("one of the protocols"),
            });
        })
        .or_when(transfers, || self.ack.set(Ack { valid: Bits::lit(1, 0), ..ack }));

        // l + 1 and l + 2
        if let Some(roce) = &self.roce {
            roce.clock(reading, viewed, reply_taken, settings);
        }
        if let (Some(uet), Some(pressure)) = (&self.uet, pressure) {
            uet.clock(limiting.valid, reading, viewed, reply_taken, settings, time, pressure);
        }

        // 0
        let pops = pops_reply | pops_due;
        when(pops, || {
            self.taking.set(Bits::lit(1, 1));
            self.prefers_due.set(pops_reply);
        })
        .or_when(transfers, || self.taking.set(Bits::lit(1, 0)));
        when(pops_reply, || self.reply.set(reply));
        let connection = select(pops_reply, reply.connection, due.connection);
        self.take.shift(Take { valid: pops, replies: pops_reply, entry: DueEntry { connection, ..due } });
    }
}
