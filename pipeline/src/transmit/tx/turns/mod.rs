// SPDX-License-Identifier: MIT OR Apache-2.0
//! Serves grants of `ccc_table`, one turn after the other, one packet at a time (rows TX3, TX5 to TX8, TX28, TX37). With memories of
//! latency `l`, and stages that do not stall:
//!
//! ```text
//!  cycle n            grant    taken; the rows of the PDC are read
//!        d = n + l + 2         is there a packet to be sent? An EV is asked for; the row of the next message is read
//!        d + l + 7    send     the EV is there: again or new to `packet_tracker`
//!        d + 3 l + 18 sent     PSN; the first PSN of a message and what is next are written
//!        d + 3 l + 19 fetch    and the packet to `records`
//!        d + 3 l + 20          the next packet is decided on, or the end of the turn sent
//! ```
//!
//! With RoCEv2 `path_scheduler` gives a sub-path in place of the EV, `l` later if it has a table of entropies. One for which there is
//! then no packet goes back before the end of the turn is sent (row TX28).
//!
//! The end of a turn in which nothing could be sent goes to `ccc_table` itself (row TX37).
//!
//! A retransmission is a PSN: its message is found, and then its bytes, which takes 2 `l` + 8 clock cycles more, and another
//! one for each message between it and the newest one.

pub(super) mod part;
mod steps;

use super::config::TxConfig;
use super::find::{Direction, Find, Range};
use super::messages::Message;
use super::ports::Fetch;
use super::records::{Packet, Rdma};
use super::route::{Choice, OWED_WIDTH, Route};
use crate::blocks::table::Access;
use crate::transmit::ccc_table::{CREDIT_WIDTH, Grant, WINDOW_WIDTH};
use crate::transmit::packet_tracker::{SIZE_WIDTH, SendEvent, Sent, send_op};
use part::Parts;
use rtl_model::{Bits, Bundle, Logic, Ram, Reading, Reg, Shape, Signal, bits, name_nets, select, when};
use steps::Steps;

/// Why a field is there.
const OF_ROCEV2: &str = "a field of RoCEv2";
/// Width of the sum of the nominal sizes of a turn, of 15 packets at most.
const SUM_WIDTH: u32 = SIZE_WIDTH + 4;

/// What is to be sent next of the messages of a PDC.
#[derive(Bundle)]
pub struct Next<L: Reading> {
    /// The message.
    pub pointer: Bits<L>,
    /// The number of its packets that have been sent.
    pub index: Bits<L>,
}

/// A row for each PDC.
#[derive(Bundle)]
struct Row<L: Reading> {
    next: Next<L>,
    /// RoCEv2: flags of packets that were not sent.
    owed: Option<Bits<L>>,
}

impl TxConfig {
    /// Shape of a grant.
    fn grant(&self) -> Grant<Shape> {
        let flag = bits(1);
        Grant {
            valid: flag,
            ccc: self.pdc(),
            limit: bits(WINDOW_WIDTH),
            packets: bits(4),
            retransmission: flag,
            ack_request: flag,
            credit_target: bits(CREDIT_WIDTH),
        }
    }
}

/// The turns.
#[name_nets]
pub struct Turns<L: Logic> {
    config: TxConfig,
    steps: Reg<Steps<L>>,
    /// Bit i is 1 if the step of reading began i + 1 clock cycles ago.
    reads: Reg<Bits<L>>,
    grant: Reg<Grant<L>>,
    /// Packets sent in the turn, and the sum of their sizes.
    count: Reg<Bits<L>>,
    sum: Reg<Bits<L>>,
    /// The next packet is asked for by *again*.
    again: Reg<Bits<L>>,
    /// Packets of the PDC are marked for retransmission, as the last answer says; its window has no room any more.
    marked: Reg<Bits<L>>,
    full: Reg<Bits<L>>,
    /// There was a packet of the messages to be sent when the packet was decided on.
    has_new: Reg<Bits<L>>,
    /// What is to be sent next, for each PDC.
    nexts: Ram<Row<L>>,
    next: Reg<Next<L>>,
    owed: Option<Reg<Bits<L>>>,
    /// RoCEv2: the sub-path goes back.
    returns: Option<Reg<Bits<L>>>,
    /// Nothing could be sent in the turn (row TX37).
    blocked: Reg<Bits<L>>,
    /// The end of the ring of the PDC.
    end: Reg<Bits<L>>,
    /// The message of the packet, and the number of the packet in it.
    packet: Reg<Next<L>>,
    parts: Parts<L>,
    route: Reg<Route<L>>,
    psn: Reg<Bits<L>>,
    /// Which PSNs each message has: read here and by `completions`.
    ranges: Ram<Range<L>>,
    find: Find<L>,
}

/// What the stages show in a clock cycle.
pub struct Shown<L: Logic> {
    pub grant: Grant<L>,
    pub choice: Choice<L>,
    /// A sub-path that goes back is taken.
    pub returned: Bits<L>,
    pub send_ready: Bits<L>,
    pub sent: Sent<L>,
    /// `ccc_table` has taken the end of a turn in which nothing could be sent.
    pub blocked: Bits<L>,
    /// The end of the ring that was read, and the message.
    pub end: Bits<L>,
    pub message: Message<L>,
    /// A packet can be taken by `records`, and `fetch` is taken.
    pub room: Bits<L>,
    pub fetch_ready: Bits<L>,
    /// The PDC whose messages are forgotten, if there is none under way.
    pub clear: Access<L>,
    /// The row of ranges that `completions` reads.
    pub completion_row: Bits<L>,
}

#[name_nets]
impl<L: Logic> Turns<L> {
    pub fn new(config: TxConfig) -> Self {
        let flag = bits(1);
        let next = Next { pointer: config.pointer(), index: config.packets() };
        Turns {
            config,
            steps: Reg::new(&Steps::shape()),
            reads: Reg::new(&bits(config.latency() + 3)).with_reset(),
            // Between turns it holds the last one.
            grant: Reg::new(&config.grant()).without_reset(),
            count: Reg::new(&bits(4)),
            sum: Reg::new(&bits(SUM_WIDTH)),
            again: Reg::new(&flag),
            marked: Reg::new(&flag),
            full: Reg::new(&flag),
            has_new: Reg::new(&flag),
            nexts: Ram::new(config.pdc_rows(), &Row { next, owed: config.rocev2(bits(OWED_WIDTH)) }),
            next: Reg::new(&next),
            owed: config.rocev2(()).map(|()| Reg::new(&bits(OWED_WIDTH))),
            returns: config.rocev2(()).map(|()| Reg::new(&flag).with_reset()),
            blocked: Reg::new(&flag),
            end: Reg::new(&config.pointer()),
            packet: Reg::new(&next),
            parts: Parts::new(config),
            route: Reg::new(&Route::shape(config)),
            psn: Reg::new(&config.psn()),
            ranges: Ram::new(config.message_ram().reads(2), &Range::shape(config)),
            find: Find::new(config, Direction::Backward),
        }
    }

    /// No turn is under way.
    pub fn idle(&self) -> Bits<L> {
        !self.steps.get().any()
    }

    /// A grant can be taken.
    pub fn ready(&self, clear: Access<L>) -> Bits<L> {
        self.idle() & !clear.valid
    }

    /// The messages of a PDC are forgotten in this clock cycle.
    pub fn clears(&self, clear: Access<L>) -> Bits<L> {
        self.idle() & clear.valid
    }

    /// The PDC of the turn.
    pub fn pdc(&self) -> Bits<L> {
        self.grant.get().ccc
    }

    /// The row of the message of the packet.
    pub fn row(&self) -> Bits<L> {
        self.config.message_row(self.pdc(), self.packet.get().pointer)
    }

    /// The PSNs of the message that `completions` reads.
    pub fn range(&self) -> Range<L> {
        self.ranges.data_port(1)
    }

    /// A packet that is to be fetched may be one of this message: `packet_tracker` has said that it is sent, and `fetch` has not
    /// taken it (row TX41).
    pub fn may_fetch(&self, message_row: Bits<L>) -> Bits<L> {
        let Steps { finds, plans, fetches, .. } = self.steps.get();
        let of_pdc = self.pdc().equals(message_row.slice(self.config.place_bits(), self.pdc().width()));
        // While the message of a retransmission is looked for, it may be any one of its PDC.
        finds & of_pdc | (plans | fetches) & self.row().equals(message_row)
    }

    /// There is a packet to be sent (row TX5), and one of the messages.
    fn more(&self) -> (Bits<L>, Bits<L>) {
        let Grant { packets, limit, .. } = self.grant.get();
        let has_new = self.next.get().pointer.differs(self.end.get());
        let may = self.count.get().less(packets) & self.sum.get().extend(limit.width()).at_most(limit);
        (may & (self.again.get() | has_new), has_new)
    }

    /// An EV or a sub-path is asked for.
    pub fn request(&self) -> Bits<L> {
        self.steps.get().decides & self.more().0
    }

    /// The packet is asked for by *again*.
    pub fn again(&self) -> Bits<L> {
        self.again.get()
    }

    /// The sub-path goes back, if there is one that does.
    pub fn returns(&self) -> Bits<L> {
        self.returns.as_ref().map_or(Bits::lit(1, 0), Reg::get)
    }

    /// The way of the packet.
    pub fn route(&self) -> Route<L> {
        self.route.get()
    }

    /// The turn ends, as nothing could be sent, and `ccc_table` is told so.
    pub fn blocks(&self) -> Bits<L> {
        self.steps.get().ends & self.blocked.get() & !self.returns()
    }

    /// A packet is to be sent, or the end of the turn.
    pub fn send(&self) -> SendEvent<L> {
        let Steps { sends, ends, .. } = self.steps.get();
        let lit = |value| Bits::lit(send_op::WIDTH, value);
        let packet = select(self.again.get(), lit(send_op::AGAIN), lit(send_op::NEW));
        SendEvent {
            valid: sends | ends & !self.blocked.get() & !self.returns(),
            pdc: self.pdc(),
            op: select(ends, lit(send_op::END), packet),
            size: self.parts.size(),
            ev: self.route.get().number,
            asks: self.makes_peer_answer(),
            last: ends,
        }
    }

    /// A new packet has an ACK of its own, so its tail is probed (D38). With multipath RoCEv2 each has. With UET that which fills the window of
    /// congestion control asks for one, too, but behind a gap its PDC would then be taken for a tail that is lost.
    fn makes_peer_answer(&self) -> Bits<L> {
        let last = self.parts.part().last | self.grant.get().ack_request;
        if self.config.is_rocev2() { Bits::lit(1, 1) } else { last }
    }

    /// The bytes that the packet needs.
    pub fn fetch(&self, room: Bits<L>) -> Fetch<L> {
        let part = self.parts.part();
        Fetch {
            valid: self.steps.get().fetches & room,
            pdc: self.pdc(),
            handle: self.parts.message().handle,
            address: self.parts.address(),
            offset: part.offset,
            length: part.length,
            first: part.first,
            last: part.last,
            psn: self.psn.get(),
            retransmission: self.again.get(),
        }
    }

    /// The packet that waits for its bytes (row TX12).
    pub fn packet(&self) -> Packet<L> {
        let Grant { ack_request, limit, credit_target, .. } = self.grant.get();
        let (again, part, message) = (self.again.get(), self.parts.part(), self.parts.message());
        let is_full = self.sum.get().extend(limit.width()).greater(limit);
        Packet {
            pdc: self.pdc(),
            psn: self.psn.get(),
            route: self.route.get(),
            length: part.length,
            retransmission: again,
            // With a full window nothing else would make the peer answer.
            ack_request: part.last | again | ack_request | is_full | self.full.get(),
            credit: self.config.asks_credit().then_some(credit_target),
            rdma: Rdma::of(&message, &part),
        }
    }

    /// One clock cycle.
    pub fn clock(&self, shown: &Shown<L>) {
        let Steps { looks, decides, asks, sends, waits, finds, plans, fetches, ends } = self.steps.get();
        let (next, again, packet) = (self.next.get(), self.again.get(), self.packet.get());
        let (reads, sent, found, latency) = (self.reads.get(), shown.sent, self.find.found(), self.config.latency());
        let (yes, held) = (Bits::lit(1, 1), self.route.get().owed());
        let (more, has_new) = self.more();
        let (pdc, row, clears) = (self.pdc(), self.row(), self.clears(shown.clear));

        let takes = self.ready(shown.clear) & shown.grant.valid;
        let looked = looks & reads.bit(latency);
        let planned = plans & reads.bit(latency + 2);
        let asked = asks & shown.choice.valid;
        let answered = waits & sent.valid;
        let is_sent = answered & sent.ok;
        let is_new = is_sent & !again;
        // With RoCEv2 a sub-path for a packet that is sent again is not one for a new packet.
        let tries_new = again & self.has_new.get() & Bits::lit(1, self.config.selector().is_some().into());
        let found_it = finds & found.valid;
        let lost_it = finds & !found.valid & self.find.idle();
        let fetched = fetches & shown.room & shown.fetch_ready;
        // No sub-path has room, or the window of `packet_tracker` has none.
        let none_sent = !self.count.get().any();
        let has_scheduler = Bits::lit(1, self.config.scheduler().is_some().into());
        let ended = select(self.blocked.get(), shown.blocked, shown.send_ready & !self.returns());

        when(takes, || {
            self.grant.set(shown.grant);
            self.again.set(shown.grant.retransmission);
            self.count.set(Bits::lit(4, 0));
            self.sum.set(Bits::lit(SUM_WIDTH, 0));
            self.blocked.set(Bits::lit(1, 0));
            self.steps.set(Steps { looks: yes, ..Steps::none() });
        })
        .or_when(looked, || {
            self.next.set(self.nexts.data().next);
            self.steps.set(Steps { decides: yes, ..Steps::none() });
        })
        .or_when(decides, || {
            self.has_new.set(has_new);
            self.packet.set(next);
            self.steps.set(Steps { asks: more, ends: !more, ..Steps::none() });
        })
        .or_when(asked, || {
            self.route.set(shown.choice.route.owing(self.owed.as_ref().map(Reg::get)));
            self.blocked.set(none_sent & !shown.choice.ok & has_scheduler);
            self.steps.set(Steps { sends: shown.choice.ok, ends: !shown.choice.ok, ..Steps::none() });
        })
        .or_when(sends & shown.send_ready, || self.steps.set(Steps { waits: yes, ..Steps::none() }))
        .or_when(is_sent, || {
            self.psn.set(sent.psn);
            self.marked.set(sent.marked.any());
            self.full.set(!sent.room.any());
            self.count.set(self.count.get() + 1);
            self.sum.set(self.sum.get() + sent.size.extend(SUM_WIDTH));
            self.steps.set(Steps { finds: again, fetches: !again, ..Steps::none() });
        })
        .or_when(answered, || {
            self.again.set(Bits::lit(1, 0));
            // One that backs off is told when it may send again.
            self.blocked.set(none_sent & (!again | sent.backs_off));
            self.steps.set(Steps { sends: tries_new, ends: !tries_new, ..Steps::none() });
        })
        .or_when(found_it, || {
            self.packet.set(Next { pointer: found.pointer, index: found.index });
            self.steps.set(Steps { plans: yes, ..Steps::none() });
        })
        .or_when(lost_it, || self.steps.set(Steps { ends: yes, ..Steps::none() }))
        .or_when(planned, || self.steps.set(Steps { fetches: yes, ..Steps::none() }))
        .or_when(fetched, || {
            // The next packet is asked for by *again* if this one has left others that are marked.
            self.again.set(self.marked.get());
            self.steps.set(Steps { decides: yes, ..Steps::none() });
        })
        .or_when(ends & ended, || self.steps.set(Steps::none()));
        self.reads.set(reads << 1 | (takes | found_it).extend(latency + 3));

        // What is next: behind the packet, or behind its message.
        let ends_message = self.parts.part().last;
        let after = Next {
            pointer: select(ends_message, next.pointer + 1, next.pointer),
            index: (next.index + 1).gate(!ends_message),
        };
        when(is_new, || self.next.set(after));
        let after = select(is_new, after, next).gate(!clears);
        // A sub-path without a packet goes back, and the next packet has its flags.
        let goes_back = answered & !sent.ok & !tries_new;
        let owed = held.map(|flags| flags.gate(goes_back));
        let changes = match (&self.owed, &self.returns) {
            (Some(register), Some(returns)) => {
                when(looked, || register.set(self.nexts.data().owed.expect(OF_ROCEV2)));
                when(goes_back, || returns.set(yes)).or_when(shown.returned, || returns.set(Bits::lit(1, 0)));
                let flags = owed.expect(OF_ROCEV2);
                when(is_sent | goes_back, || register.set(flags));
                is_sent | goes_back
            }
            _ => is_new,
        };
        when(changes | clears, || {
            let of = select(clears, shown.clear.index, pdc);
            self.nexts.write(of, Row { next: after, owed });
        });
        self.nexts.read(pdc);
        self.nexts.clock();
        self.end.set(shown.end);

        // The PSNs of a message, when its first packet is sent.
        let begins = is_new & self.parts.part().first;
        when(begins, || {
            let packets = self.parts.message().packets;
            self.ranges.write(row, Range { first: sent.psn, packets });
        });
        self.ranges.read(self.config.message_row(pdc, self.find.pointer()));
        self.ranges.read_port(1, shown.completion_row);
        // The newest message is the one that is under way, or the one before what is next.
        let newest = select(next.index.any(), next.pointer, next.pointer - 1);
        self.find.clock(is_sent & again, (sent.psn, newest), self.ranges.data());
        self.ranges.clock();
        self.parts.clock(fetches, shown.message, packet.index);
    }
}
