// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replies, which answer one packet each (rows G13 to G15). An arrival decides one in step `l` + 6; an event of UET decides
//! one per PSN of its gap in clock cycles in which no arrival does. What is decided is pushed one cycle later, and which of the
//! two it is, is chosen then.

use super::config::AckGeneratorConfig;
use super::events::Events;
use super::ports::{EV_WIDTH, PATH_WIDTH, STAMP_WIDTH, TIME_WIDTH};
use crate::blocks::fifo::Fifo;
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

/// What a reply of RoCEv2 keeps of its packet.
#[derive(Bundle)]
#[shape]
pub struct RoceReply<L: Reading> {
    #[width(PATH_WIDTH)]
    pub path: Bits<L>,
    /// It is trimmed, and asked for again.
    pub trimmed: Bits<L>,
    /// Its delay; if it is trimmed, the low bits of its PSN.
    #[width(STAMP_WIDTH)]
    pub tag: Bits<L>,
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

/// The NACKs of an event.
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
    /// UET: the reply that is pushed is that of an arrival; otherwise the NACK of this PSN.
    of_arrival: Option<Reg<Bits<L>>>,
    nack_psn: Option<Reg<Bits<L>>>,
    inferring: Option<Reg<Inferring<L>>>,
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
            of_arrival: config.uet(()).map(|()| Reg::named("of_arrival", &flag)),
            nack_psn: config.uet(()).map(|()| Reg::named("nack_psn", &config.psn())),
            inferring: config.uet(()).map(|()| Reg::named("inferring", &Inferring::shape(config))),
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

    /// One clock cycle: a pass decides a `reply` if `decides`; it begins the NACKs of an event if `infers`, at this PSN, if it
    /// `reports` the event; the front is taken. The result is 1 if the last NACK of the event is decided.
    pub fn clock(
        &self,
        (decides, reply): (Bits<L>, Reply<L>),
        (reports, infers, expected): (Bits<L>, Bits<L>, Bits<L>),
        events: &Events<L>,
        takes: Bits<L>,
    ) -> Bits<L> {
        let (room, pushed, event) = (self.room.get(), self.pushed.get(), events.event());
        let pushed = match (&self.of_arrival, &self.nack_psn) {
            // The event stays for one clock cycle after its last NACK is decided.
            (Some(of_arrival), Some(psn)) => {
                select(of_arrival.get(), pushed, inferred_nack(event.connection, psn.get(), pushed))
            }
            _ => pushed,
        };
        self.queue.clock(self.pushes.get(), || pushed, takes);
        self.pushed.set(reply);
        let (Some(inferring), Some(of_arrival), Some(nack_psn)) = (&self.inferring, &self.of_arrival, &self.nack_psn)
        else {
            self.count(decides & room, takes);
            return Bits::lit(1, 0);
        };
        let (slot_bits, Inferring { valid, psn }) = (self.config.slot_bits(), inferring.get());
        let is_last = psn.truncate(slot_bits).equals(event.last.truncate(slot_bits));
        let inferred = valid & room & !decides;
        let last = inferred & is_last;
        let goes_on = infers | valid & !last;
        inferring.set(Inferring { valid: goes_on, psn });
        // The PSN of an event that begins no NACKs is not used.
        let next = Inferring { valid: goes_on, psn: select(reports, expected, psn + 1) };
        when(reports | inferred, || inferring.set(next));
        self.count(room & (decides | valid), takes);
        of_arrival.set(decides);
        nack_psn.set(psn);
        last
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

/// The NACK of an event; `reply` gives the fields that it does not have.
#[name_nets]
fn inferred_nack<L: Logic>(connection: Bits<L>, psn: Bits<L>, reply: Reply<L>) -> Reply<L> {
    let blank = Reply::zero(&reply.shape());
    let code = constant!(nack::RCVR_INFER_LOSS).lit(nack::WIDTH);
    Reply { connection, uet: blank.uet.map(|blank| UetReply { psn, code, ..blank }), ..blank }
}
