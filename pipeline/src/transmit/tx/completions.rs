// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts the packets of each message that have been acknowledged, one outcome of `packet_tracker` at a time, and says which
//! messages are complete (rows TX4, TX41). With memories of latency `l`:
//!
//! ```text
//!  cycle n            outcome   taken; the head of the ring of its PDC is read
//!        n + l + 2              the message of its PSN is looked for, from the head on
//!        f                      found; its count and its name are read
//!        f + l + 2    count     one more, and is it complete?
//!        f + l + 3 on retire    complete messages at the head leave the ring, one per clock cycle
//!        then                   a fetch of the message that is under way is waited for (row TX41)
//!        then         offer     `completion`
//! ```
//!
//! With RoCEv2 messages complete in the order of the queue, though their packets are acknowledged one by one: each message that leaves
//! the ring is offered before the next one leaves.
//!
//! ```text
//!  f + l + 3      retire    the message at the head leaves the ring, if it is complete; otherwise that is all
//!  then           name      its name is read, in l + 1 cycles, unless it is the one that was counted
//!  then           fence     a fetch of it that is under way is waited for
//!  then           offer     `completion`; if the next one is complete, `retire` again
//! ```
//!
//! A packet is acknowledged only after `packet_tracker` has said that it is sent, or sent again. So when the last outcome of a message has
//! been counted, none of its packets can follow but the one that `turns` is at. Until that has been fetched the message also keeps its
//! place, in whose row `turns` reads what the packet needs.
//!
//! An outcome that says nothing of a message takes one clock cycle. What an outcome says of its path is in `feedback`.

use super::config::TxConfig;
use super::find::{Direction, Find, Range};
use super::ports::Completion;
use crate::blocks::table::Access;
use crate::transmit::packet_tracker::{Outcome, outcome_kind};
use rtl_model::{Bits, Bundle, Logic, Ram, Reading, Reg, StateReg, States, bits, constant, name_nets, select, when};

/// A row for each PDC.
#[derive(Bundle)]
struct Head<L: Reading> {
    /// The oldest message that is not complete.
    pointer: Bits<L>,
    /// One bit per place: the message there is complete, but one before it is not.
    done: Bits<L>,
}

/// Where the sequence of an outcome is.
#[derive(Clone, Copy, States)]
enum OutcomeStep {
    /// There is none.
    Idle,
    /// The head of the PDC is read.
    Looks,
    /// The search begins.
    Starts,
    /// The message of the packet is searched for.
    Finds,
    /// The count is read.
    Reads,
    /// It is one more.
    Counts,
    /// Messages that are complete leave the head, one in each clock cycle; then no fetch of the message is under way.
    Retires,
    /// RoCEv2: the name of the message that has left is read.
    Names,
    /// RoCEv2: no fetch of it is under way.
    Fences,
    /// The completion is offered.
    Offers,
    /// The rows of a PDC are cleared.
    Clears,
}

/// The messages that are under way.
#[name_nets]
pub struct Completions<L: Logic> {
    config: TxConfig,
    step: StateReg<L, OutcomeStep>,
    /// Bit i is 1 if the step of reading began i + 1 clock cycles ago.
    reads: Reg<Bits<L>>,
    pdc: Reg<Bits<L>>,
    psn: Reg<Bits<L>>,
    /// The oldest message of each PDC: read here and by `messages`.
    heads: Ram<Head<L>>,
    head: Reg<Head<L>>,
    find: Find<L>,
    /// The message of the packet.
    pointer: Reg<Bits<L>>,
    packets: Reg<Bits<L>>,
    /// Its packets that have been acknowledged.
    released: Ram<Bits<L>>,
    count: Reg<Bits<L>>,
    handle: Reg<Bits<L>>,
    /// The place whose count is cleared.
    place: Reg<Bits<L>>,
}

/// What is shown in a clock cycle.
pub struct Shown<L: Logic> {
    pub outcome: Outcome<L>,
    /// The outcome waits until it can be feedback.
    pub waits: Bits<L>,
    /// The PSNs of a message that were read, and its name.
    pub range: Range<L>,
    pub handle: Bits<L>,
    /// The completion is taken.
    pub ready: Bits<L>,
    /// A fetch of the message of [`Completions::row`] may be under way.
    pub fetching: Bits<L>,
    /// The PDC whose messages are forgotten, if there is none under way.
    pub clear: Access<L>,
    /// The PDC whose head `messages` reads.
    pub message_pdc: Bits<L>,
}

#[name_nets]
impl<L: Logic> Completions<L> {
    pub fn new(config: TxConfig) -> Self {
        let (flag, pointer) = (bits(1), config.pointer());
        let head = Head { pointer, done: bits(config.messages as u32) };
        Completions {
            config,
            step: StateReg::new(),
            reads: Reg::new(&bits(config.latency() + 1)).with_reset(),
            pdc: Reg::new(&config.pdc()),
            psn: Reg::new(&config.psn()),
            heads: Ram::new(config.pdc_rows().reads(2), &head),
            head: Reg::new(&head),
            find: Find::new(config, Direction::Forward),
            pointer: Reg::new(&pointer),
            packets: Reg::new(&config.packets()),
            released: Ram::new(config.message_ram(), &config.packets()),
            count: Reg::new(&config.packets()),
            handle: Reg::new(&config.handle()),
            place: Reg::new(&bits(config.place_bits())),
        }
    }

    /// Nothing is under way.
    pub fn idle(&self) -> Bits<L> {
        self.step.is(OutcomeStep::Idle)
    }

    /// An outcome can be taken, unless it waits.
    pub fn ready(&self, clear: Access<L>) -> Bits<L> {
        self.idle() & !clear.valid
    }

    /// The rows of the PDC have been cleared: 1 for one clock cycle.
    pub fn cleared(&self) -> Bits<L> {
        self.step.is(OutcomeStep::Clears) & self.place.get().all()
    }

    /// A message that is complete.
    pub fn completion(&self) -> Completion<L> {
        Completion { valid: self.step.is(OutcomeStep::Offers), pdc: self.pdc.get(), handle: self.handle.get() }
    }

    /// The head of the PDC that `messages` reads, `l` clock cycles later.
    pub fn head(&self) -> Bits<L> {
        self.heads.data_port(1).pointer
    }

    /// The row of the message whose PSNs are read.
    pub fn range_row(&self) -> Bits<L> {
        self.config.message_row(self.pdc.get(), self.find.pointer())
    }

    /// The row of the message that was found.
    pub fn row(&self) -> Bits<L> {
        self.config.message_row(self.pdc.get(), self.pointer.get())
    }

    /// One clock cycle.
    pub fn clock(&self, shown: &Shown<L>) {
        let [starts, finds] = [OutcomeStep::Starts, OutcomeStep::Finds].map(|step| self.step.is(step));
        let [counts, retires, clears] =
            [OutcomeStep::Counts, OutcomeStep::Retires, OutcomeStep::Clears].map(|step| self.step.is(step));
        let (pdc, psn, head, place) = (self.pdc.get(), self.psn.get(), self.head.get(), self.place.get());
        let (waited, row, latency) = (self.reads.get().bit(self.config.latency()), self.row(), self.config.latency());
        let (count, packets, pointer) = (self.count.get(), self.packets.get(), self.pointer.get());
        let outcome = &shown.outcome;
        let (found, places) = (self.find.found(), self.config.messages as u32);

        let takes = outcome.valid & self.ready(shown.clear) & !shown.waits;
        let kinds = [constant!(outcome_kind::ACKNOWLEDGED), constant!(outcome_kind::LATE)];
        let is_ack = outcome.kind.equals(kinds[0]) | outcome.kind.equals(kinds[1]);
        let follows = takes & is_ack;
        let takes_clear = self.idle() & shown.clear.valid;
        let cleared = self.cleared();
        let found_it = finds & found.valid;
        let search_is_over = self.find.idle();
        let more = count + 1;
        let complete = more.equals(packets);
        let bit = |at: Bits<L>| Bits::lit(places, 1) << at.truncate(self.config.place_bits());
        let at_head = bit(head.pointer);
        let retires_one = (head.done & at_head).any();
        let in_order = Bits::lit(1, self.config.scheduler().is_some().into());
        let retired = retires & !retires_one & !shown.fetching & !in_order;
        let is_counted = pointer.equals(head.pointer);
        let names = in_order & retires & retires_one & !is_counted;
        let offered = self.step.is(OutcomeStep::Offers) & shown.ready;
        let fenced = self.step.is(OutcomeStep::Fences) & !shown.fetching;
        let leaves = retired | fenced | in_order & retires & !retires_one;

        self.reads.set(self.reads.get() << 1 | (follows | found_it | names).extend(latency + 1));
        let go = |step| self.step.go(step);
        self.step.cases(|step| match step {
            OutcomeStep::Idle => {
                when(follows, || {
                    self.pdc.set(outcome.pdc);
                    self.psn.set(outcome.psn);
                    go(OutcomeStep::Looks);
                })
                .or_when(takes_clear, || {
                    self.pdc.set(shown.clear.index);
                    self.place.set(Bits::lit(place.width(), 0));
                    go(OutcomeStep::Clears);
                });
            }
            OutcomeStep::Looks => {
                when(waited, || {
                    self.head.set(self.heads.data());
                    go(OutcomeStep::Starts);
                });
            }
            OutcomeStep::Starts => go(OutcomeStep::Finds),
            OutcomeStep::Finds => {
                when(found.valid, || {
                    self.pointer.set(found.pointer);
                    self.packets.set(found.packets);
                    go(OutcomeStep::Reads);
                })
                .or_when(search_is_over, || go(OutcomeStep::Idle));
            }
            OutcomeStep::Reads => {
                when(waited, || {
                    self.count.set(self.released.data());
                    self.handle.set(shown.handle);
                    go(OutcomeStep::Counts);
                });
            }
            OutcomeStep::Counts => {
                when(complete, || {
                    self.head.set(Head { done: head.done | bit(pointer), ..head });
                    go(OutcomeStep::Retires);
                })
                .otherwise(|| go(OutcomeStep::Idle));
            }
            OutcomeStep::Retires => {
                when(retires_one, || {
                    self.head.set(Head { pointer: head.pointer + 1, done: head.done & !at_head });
                    when(in_order, || {
                        self.pointer.set(head.pointer);
                        go(OutcomeStep::Fences);
                    });
                    when(names, || go(OutcomeStep::Names));
                })
                .or_when(in_order, || go(OutcomeStep::Idle))
                .or_when(retired, || go(OutcomeStep::Offers));
            }
            OutcomeStep::Names => {
                when(waited, || {
                    self.handle.set(shown.handle);
                    go(OutcomeStep::Fences);
                });
            }
            OutcomeStep::Fences => {
                when(fenced, || go(OutcomeStep::Offers));
            }
            OutcomeStep::Offers => {
                when(shown.ready, || go(OutcomeStep::Idle));
                when(offered & in_order & retires_one, || go(OutcomeStep::Retires));
            }
            OutcomeStep::Clears => {
                self.place.set(place + 1);
                when(cleared, || go(OutcomeStep::Idle));
            }
        });

        // The count begins with 0 for the next message in this place.
        let cleared_row = self.config.message_row(pdc, place.extend(pointer.width()));
        when(counts | clears, || {
            self.released.write(select(clears, cleared_row, row), more.gate(counts & !complete));
        });
        self.released.read(row);
        self.released.clock();
        when(leaves | clears, || {
            let Head { pointer, done } = head;
            self.heads.write(pdc, Head { pointer: pointer.gate(!clears), done: done.gate(!clears) });
        });
        self.heads.read(pdc);
        self.heads.read_port(1, shown.message_pdc);
        self.heads.clock();
        self.find.clock(starts, (psn, head.pointer), shown.range);
    }
}
