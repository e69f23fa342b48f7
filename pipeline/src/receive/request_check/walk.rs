// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is checked next: an event waits in a queue, and an arrival that moves the expected PSN by more than one becomes a walk
//! over the packets that it releases, with a step behind the last one.
//!
//! ```text
//!  released by the arrival of 7    7      8 held  9 held
//!  cycle n                        pass 7   pass 8   pass 9   end: the verdict
//!        n + 1                                                       the next event
//! ```

use super::config::{OPEN_ARRIVALS, OPEN_DELIVERIES, QUEUE_LATENCY, RequestCheckConfig};
use super::ports::Command;
use super::slot::{HIGH_WIDTH, Slot};
use crate::blocks::fifo::Fifo;
use crate::receive::ack_generator::outcome;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, constant, name_nets, select, when};

/// An arrival, or a delivery, that waits for its turn.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct Event<L: Reading> {
    /// It is a delivery.
    pub delivers: Bits<L>,
    #[shape(config.connection())]
    pub connection: Bits<L>,
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// These are of an arrival alone.
    #[width(outcome::WIDTH)]
    pub outcome: Bits<L>,
    #[shape(config.psn())]
    pub expected: Bits<L>,
    /// The expected PSN is behind this one.
    pub single: Bits<L>,
    pub slot: Slot<L>,
    /// High bits of what the packets after it have to bring.
    #[width(HIGH_WIDTH)]
    pub high: Bits<L>,
}

/// A step of the walk.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct Pass<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    /// The connection is opened, and its path MTU is known.
    pub opens: Bits<L>,
    pub sized: Bits<L>,
    /// A packet is delivered, or refused.
    pub delivers: Bits<L>,
    /// The packet with this PSN is checked.
    pub checks: Bits<L>,
    /// The arrival ends: it has its verdict.
    pub ends: Bits<L>,
    /// The packet that is checked has come just now; its slot is here.
    pub comes: Bits<L>,
    /// The event.
    pub event: Event<L>,
    /// The packet.
    #[shape(config.psn())]
    pub psn: Bits<L>,
}

/// Events, one pass per clock cycle.
#[name_nets]
pub struct Walk<L: Logic> {
    events: Fifo<L, Event<L>>,
    walking: Reg<Bits<L>>,
    event: Reg<Event<L>>,
    /// The next packet.
    psn: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Walk<L> {
    pub fn new(config: RequestCheckConfig) -> Self {
        let event = Event::shape(config);
        let rows = (OPEN_ARRIVALS + OPEN_DELIVERIES).next_power_of_two();
        Walk {
            events: Fifo::new(rows, QUEUE_LATENCY, &event),
            walking: Reg::new(&bits(1)).with_reset(),
            event: Reg::new(&event),
            psn: Reg::new(&config.psn()),
        }
    }

    /// A connection can be opened.
    pub fn idle(&self) -> Bits<L> {
        !self.walking.get()
    }

    /// The pass that begins, with this command.
    pub fn pass(&self, command: Command<L>) -> Pass<L> {
        let (walking, walked, psn) = (self.walking.get(), self.event.get(), self.psn.get());
        let (front, waits) = (self.events.front(), self.events.valid());
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));
        let at_end = psn.equals(walked.expected);
        let walks = Pass {
            valid: yes,
            opens: no,
            sized: no,
            delivers: no,
            checks: !at_end,
            ends: at_end,
            comes: no,
            event: walked,
            psn,
        };
        let in_order = !front.delivers & front.outcome.equals(constant!(outcome::IN_ORDER));
        let begins = Pass {
            valid: waits | command.valid,
            opens: command.valid,
            sized: command.mtu.any(),
            delivers: front.delivers & !command.valid,
            checks: in_order & !command.valid,
            ends: !front.delivers & (!in_order | front.single) & !command.valid,
            comes: yes,
            event: Event { connection: select(command.valid, command.connection, front.connection), ..front },
            psn: front.psn,
        };
        select(walking, walks, begins)
    }

    /// One clock cycle: an event enters; this pass begins.
    pub fn clock(&self, (enters, event): (Bits<L>, Event<L>), pass: Pass<L>) {
        let goes_on = pass.valid & pass.checks & !pass.ends;
        let takes = self.idle() & !pass.opens;
        self.walking.set(goes_on);
        when(pass.valid, || {
            self.event.set(pass.event);
            self.psn.set(pass.psn + 1);
        });
        self.events.clock(enters, || event, takes);
    }
}
