// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waits until what the receive path has to say of a connection has left: first a suspected loss that the reorder stage holds
//! or the ACK generator has in progress, then the replies that wait there, those of others among them (row RX9).
//!
//! ```text
//!  begin ... no suspected loss (r) ... r + n  ... D D     two ACKs that were due, one behind the other: no reply waits
//!                                  R D R D ...            or so many transfers that all replies are among them
//!                                  - - - - -              or nothing for so long that nothing waits
//! ```

use crate::blocks::drained::Drained;
use crate::receive::ack_generator::{self, AckGeneratorConfig};
use crate::receive::reorder;
use rtl_model::{Bits, Logic, Reg, bits, clog2, name_nets, when};

/// What the stages show of it in a clock cycle.
pub struct Answering<L: Logic> {
    /// The suspected loss that the reorder stage offers.
    pub event: reorder::Event<L>,
    /// The ACK generator has none in progress.
    pub event_ready: Bits<L>,
    /// What it has to send, and that it is taken.
    pub ack: ack_generator::Ack<L>,
    pub taken: Bits<L>,
}

/// The wait.
#[name_nets]
pub struct Answered<L: Logic> {
    cycles: u64,
    /// It has begun.
    waits: Reg<Bits<L>>,
    /// Replies leave: there is no suspected loss of the connection any more.
    reported: Reg<Bits<L>>,
    replies: Drained<L>,
    /// Clock cycles until all replies of the connection wait in the queue.
    queuing: Reg<Bits<L>>,
    /// Since then: the last transfer was one that was due; so was the one before.
    was_due: Reg<Bits<L>>,
    none_waits: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Answered<L> {
    pub fn new(config: &AckGeneratorConfig) -> Self {
        let cycles = config.reply_cycles();
        let flag = || Reg::new(&bits(1)).with_reset();
        Answered {
            cycles,
            waits: flag(),
            reported: flag(),
            replies: Drained::new(config.reply_transfers(), cycles),
            queuing: Reg::new(&bits(clog2(cycles + 1))),
            was_due: Reg::new(&bits(1)),
            none_waits: Reg::new(&bits(1)),
        }
    }

    /// All has left.
    pub fn over(&self) -> Bits<L> {
        self.reported.get() & (self.replies.over() | self.none_waits.get())
    }

    /// One clock cycle: the wait begins, for this connection.
    pub fn clock(&self, begins: Bits<L>, connection: Bits<L>, shown: &Answering<L>) {
        let Answering { event, event_ready, ack, taken } = shown;
        let (yes, no, queuing) = (Bits::lit(1, 1), Bits::lit(1, 0), self.queuing.get());
        let of_connection = event.valid & event.connection.equals(connection);
        let reports = self.waits.get() & *event_ready & !of_connection;
        when(begins, || {
            self.waits.set(yes);
            self.reported.set(no);
        })
        .or_when(reports, || {
            self.waits.set(no);
            self.reported.set(yes);
        });
        let transfers = ack.valid & *taken;
        self.replies.clock(reports, ack.valid, transfers);

        when(reports, || {
            self.queuing.set(Bits::lit(queuing.width(), self.cycles));
            self.was_due.set(no);
            self.none_waits.set(no);
        })
        .or_when(queuing.any(), || self.queuing.set(queuing - 1))
        .or_when(transfers, || {
            let due = !ack.reply;
            self.none_waits.set(self.none_waits.get() | due & self.was_due.get());
            self.was_due.set(due);
        });
    }
}
