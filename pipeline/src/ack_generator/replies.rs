// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replies, which answer one packet each (rows G13 to G15). An arrival decides one in step `l` + 6; an event of UET decides
//! one per PSN of its gap in clock cycles in which no arrival does. What is decided is pushed one cycle later.

use super::config::AckGeneratorConfig;
use super::events::Events;
use super::ports::{EV_WIDTH, PATH_WIDTH, STAMP_WIDTH, TIME_WIDTH, nack};
use crate::blocks::fifo::Fifo;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Signal, bits, clog2, constant, name_nets, select, when};

/// A reply.
#[derive(Bundle)]
pub struct Reply<L: Reading> {
    pub connection: Bits<L>,
    /// Its packet is marked.
    pub ecn: Bits<L>,
    pub roce: Option<RoceReply<L>>,
    pub uet: Option<UetReply<L>>,
}

/// What a reply of RoCEv2 keeps of its packet.
#[derive(Bundle)]
pub struct RoceReply<L: Reading> {
    pub path: Bits<L>,
    pub delay: Bits<L>,
}

/// What a reply of UET keeps of its packet.
#[derive(Bundle)]
pub struct UetReply<L: Reading> {
    pub psn: Bits<L>,
    /// It is an ACK with p; otherwise a NACK.
    pub probe: Bits<L>,
    pub code: Bits<L>,
    pub ev: Bits<L>,
    pub retx: Bits<L>,
    pub opaque: Bits<L>,
    pub handle: Bits<L>,
    pub arrived: Bits<L>,
}

/// The NACKs of an event.
#[derive(Bundle)]
struct Inferring<L: Reading> {
    #[reset]
    valid: Bits<L>,
    psn: Bits<L>,
}

/// The queue of replies.
#[name_nets]
pub struct Replies<L: Logic> {
    config: AckGeneratorConfig,
    queue: Fifo<L, Reply<L>>,
    /// Replies that wait.
    level: Reg<Bits<L>>,
    /// A reply is pushed.
    pushes: Reg<Bits<L>>,
    pushed: Reg<Reply<L>>,
    inferring: Option<Reg<Inferring<L>>>,
}

#[name_nets]
impl<L: Logic> Replies<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let (flag, shape) = (bits(1), config.reply());
        Replies {
            config,
            queue: Fifo::new(config.replies, config.ram_latency, &shape),
            level: Reg::new(&bits(clog2(config.replies) + 1)).with_reset(),
            pushes: Reg::new(&flag).with_reset(),
            pushed: Reg::new(&shape),
            inferring: config.uet(()).map(|()| Reg::named("inferring", &Inferring { valid: flag, psn: config.psn() })),
        }
    }

    /// There is room. A register.
    pub fn room(&self) -> Bits<L> {
        !self.level.get().bit(clog2(self.config.replies))
    }

    /// There is a reply.
    pub fn valid(&self) -> Bits<L> {
        self.queue.valid()
    }

    /// The first one.
    pub fn front(&self) -> Reply<L> {
        self.queue.front()
    }

    /// One clock cycle: a pass decides a `reply` if `decides`; it begins the NACKs of an event at this PSN if `infers`; the front
    /// is taken. The result is 1 if the last NACK of the event is decided.
    pub fn clock(
        &self,
        (decides, reply): (Bits<L>, Reply<L>),
        (infers, expected): (Bits<L>, Bits<L>),
        events: &Events<L>,
        takes: Bits<L>,
    ) -> Bits<L> {
        let (room, level) = (self.room(), self.level.get());
        let one = |bit: Bits<L>| bit.extend(level.width());
        self.queue.clock(self.pushes.get(), || self.pushed.get(), takes);
        let accepted = decides & room;
        let Some(inferring) = &self.inferring else {
            self.level.set(level + one(accepted) - one(takes));
            self.pushes.set(accepted);
            self.pushed.set(reply);
            return Bits::lit(1, 0);
        };
        let (slot_bits, Inferring { valid, psn }) = (self.config.slot_bits(), inferring.get());
        let event = events.event();
        let inferred = valid & !decides & room;
        let last = inferred & psn.truncate(slot_bits).equals(event.last.truncate(slot_bits));
        when(inferred, || inferring.set(Inferring { valid: !last, psn: psn + 1 }));
        when(infers, || inferring.set(Inferring { valid: Bits::lit(1, 1), psn: expected }));
        self.level.set(level + one(accepted | inferred) - one(takes));
        self.pushes.set(accepted | inferred);
        let nack = Reply {
            connection: event.connection,
            uet: reply.uet.map(|reply| {
                let code = constant!(nack::RCVR_INFER_LOSS).lit(nack::WIDTH);
                UetReply { psn, code, ..UetReply::zero(&reply.shape()) }
            }),
            ..Reply::zero(&reply.shape())
        };
        self.pushed.set(select(decides, reply, nack));
        last
    }
}

impl AckGeneratorConfig {
    pub(super) fn reply(self) -> Reply<Shape> {
        let flag = bits(1);
        Reply {
            connection: self.connection(),
            ecn: flag,
            roce: self.roce(RoceReply { path: bits(PATH_WIDTH), delay: bits(STAMP_WIDTH) }),
            uet: self.uet(UetReply {
                psn: self.psn(),
                probe: flag,
                code: bits(nack::WIDTH),
                ev: bits(EV_WIDTH),
                retx: flag,
                opaque: bits(16),
                handle: bits(self.handle_bits),
                arrived: bits(TIME_WIDTH),
            }),
        }
    }
}
