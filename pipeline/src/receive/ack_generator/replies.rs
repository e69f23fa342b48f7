// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replies, which answer one packet or name a gap (rows G13 to G15). An arrival decides one in step `l` + 6; an event decides
//! one per PSN of its gap, or with RoCEv2 per 16 PSNs, in clock cycles in which no arrival does. What is decided is pushed one cycle later, and which of the
//! two it is, is chosen then.

use super::config::AckGeneratorConfig;
use super::events::Events;
use super::ports::{EV_WIDTH, Event, PATH_WIDTH, STAMP_WIDTH, TIME_WIDTH};
use crate::blocks::fifo::Fifo;
use crate::headers::loss_tag::{NAMED, NAMED_WIDTH};
use crate::headers::uet::nack;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, clog2, constant, name_nets, select, when};

/// A reply.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Reply<L: Reading> {
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// Its packet is marked.
    pub ecn: Bits<L>,
    #[shape(config.roce(RoceReply::shape()))]
    pub roce: Option<RoceReply<L>>,
    #[shape(config.uet(UetReply::shape(config)))]
    pub uet: Option<UetReply<L>>,
}

/// What a reply of RoCEv2 keeps of its packet, or of its gap.
#[derive(Bundle)]
#[shape]
pub struct RoceReply<L: Reading> {
    /// It answers a probe, or a trimmed packet; otherwise it names PSNs of a gap: this one, and so many behind it.
    pub probe: Bits<L>,
    #[width(24)]
    pub psn: Bits<L>,
    #[width(NAMED_WIDTH)]
    pub more: Bits<L>,
    /// They have been named before.
    pub repeated: Bits<L>,
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// Its one-way delay, or the time of its arrival.
    #[width(STAMP_WIDTH)]
    pub tag: Bits<L>,
    /// It is trimmed, and asked for again.
    pub trimmed: Bits<L>,
}

/// What a reply of UET keeps of its packet.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct UetReply<L: Reading> {
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// It is an ACK with p; otherwise a NACK.
    pub probe: Bits<L>,
    #[width(nack::WIDTH)]
    pub code: Bits<L>,
    #[width(EV_WIDTH)]
    pub ev: Bits<L>,
    pub retx: Bits<L>,
    #[width(16)]
    pub opaque: Bits<L>,
    #[width(config.handle_bits)]
    pub handle: Bits<L>,
    #[width(TIME_WIDTH)]
    pub arrived: Bits<L>,
}

/// The replies of an event.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
struct Inferring<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(config.psn())]
    psn: Bits<L>,
}

/// The queue of replies.
#[name_nets]
pub struct Replies<L: Logic> {
    config: AckGeneratorConfig,
    queue: Fifo<L, Reply<L>>,
    /// Replies that wait.
    level: Reg<Bits<L>>,
    /// There is room for one more.
    room: Reg<Bits<L>>,
    /// A reply is pushed.
    pushes: Reg<Bits<L>>,
    pushed: Reg<Reply<L>>,
    /// The reply that is pushed is that of an arrival; otherwise it names this PSN, and with RoCEv2 so many behind it.
    of_arrival: Reg<Bits<L>>,
    named_psn: Reg<Bits<L>>,
    named_more: Option<Reg<Bits<L>>>,
    inferring: Reg<Inferring<L>>,
}

#[name_nets]
impl<L: Logic> Replies<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let (flag, shape) = (bits(1), Reply::shape(config));
        Replies {
            config,
            queue: Fifo::new(config.replies, config.ram_latency, &shape),
            level: Reg::new(&bits(clog2(config.replies) + 1)).with_reset(),
            room: Reg::starting_at(&flag, Bits::lit(1, 1)).with_reset(),
            pushes: Reg::new(&flag).with_reset(),
            pushed: Reg::new(&shape),
            of_arrival: Reg::new(&flag),
            named_psn: Reg::new(&config.psn()),
            named_more: config.roce(()).map(|()| Reg::named("named_more", &bits(NAMED_WIDTH))),
            inferring: Reg::new(&Inferring::shape(config)),
        }
    }

    /// There is room. A register.
    pub fn room(&self) -> Bits<L> {
        self.room.get()
    }

    /// There is a reply.
    pub fn valid(&self) -> Bits<L> {
        self.queue.valid()
    }

    /// The first one.
    pub fn front(&self) -> Reply<L> {
        self.queue.front()
    }

    /// One clock cycle: a pass decides a `reply` if `decides`; it begins the replies of an event if `infers`, at this PSN, if it
    /// `reports` the event; the front is taken. The result is 1 if the last reply of the event is decided.
    pub fn clock(
        &self,
        (decides, reply): (Bits<L>, Reply<L>),
        (reports, infers, first): (Bits<L>, Bits<L>, Bits<L>),
        events: &Events<L>,
        takes: Bits<L>,
    ) -> Bits<L> {
        let (room, event) = (self.room.get(), events.event());
        // The event stays for one clock cycle after its last reply is decided.
        let pushed = select(self.of_arrival.get(), self.pushed.get(), self.named(event));
        self.queue.clock(self.pushes.get(), || pushed, takes);
        self.pushed.set(reply);
        let (slot_bits, Inferring { valid, psn }) = (self.config.slot_bits(), self.inferring.get());
        let rest = event.last.truncate(slot_bits) - psn.truncate(slot_bits);
        let (is_last, step) = match &self.named_more {
            Some(more) => {
                let is_last = !rest.slice(NAMED_WIDTH, slot_bits - NAMED_WIDTH).any();
                more.set(rest.truncate(NAMED_WIDTH) | (!is_last).extend_signed(NAMED_WIDTH));
                (is_last, NAMED)
            }
            None => (!rest.any(), 1),
        };
        let inferred = valid & room & !decides;
        let last = inferred & is_last;
        let goes_on = infers | valid & !last;
        self.inferring.set(Inferring { valid: goes_on, psn });
        // The PSN of an event that begins no replies is not used.
        let next = Inferring { valid: goes_on, psn: select(reports, first, psn + step) };
        when(reports | inferred, || self.inferring.set(next));
        self.count(room & (decides | valid), takes);
        self.of_arrival.set(decides);
        self.named_psn.set(psn);
        last
    }

    /// The reply of an event that is pushed.
    fn named(&self, event: Event<L>) -> Reply<L> {
        let blank = Reply::zero(&Reply::shape(self.config));
        let code = constant!(nack::RCVR_INFER_LOSS).lit(nack::WIDTH);
        let psn = self.named_psn.get();
        Reply {
            connection: event.connection,
            roce: blank.roce.zip(self.named_more.as_ref()).map(|(blank, more)| RoceReply {
                psn,
                more: more.get(),
                repeated: event.repeated.expect("an event of RoCEv2"),
                ..blank
            }),
            uet: blank.uet.map(|blank| UetReply { psn, code, ..blank }),
            ..blank
        }
    }

    /// One clock cycle: a reply is decided, only if there is room, and one is taken. Both are found late, so that they choose
    /// among sums.
    fn count(&self, decided: Bits<L>, takes: Bits<L>) {
        let (room, level) = (self.room.get(), self.level.get());
        self.pushes.set(decided);
        let (more, less) = (select(takes, level, level + 1), select(takes, level - 1, level));
        // Not a select: synthesis would make an enable of it.
        self.level.set(more.gate(decided) | less.gate(!decided));
        let fills = level.equals(self.config.replies - 1) & decided;
        self.room.set(takes | room & !fills);
    }
}
