// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets for which the pool of frames has no place though the host takes what it is offered (row RX27): frames that wait behind a
//! gap use it up. They are lost, and their sender learns of it when the gap is closed and there is a place again, by an event as that
//! of a gap. With memories of latency `l`:
//!
//! ```text
//!  0      answer of the reorder stage: lost, or in order; its connection to `rows`
//!  l + 1  row: the highest PSN that is lost. Event, if nothing is missing but what is lost
//!  l + 2  on the event port of the ACK generator, before those of the reorder stage
//! ```
//!
//! An event waits for the ACK generator. If another one is due meanwhile, the row stays as it is, and the next packet in order has the
//! event made.

use super::config::RxConfig;
use super::contexts::Opened;
use super::host_lag::HostLag;
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable};
use crate::receive::reorder::{self, Answer, PayloadConfig, ReorderConfig, outcome};
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, constant, name_nets, select, when};

/// The pipeline of answers.
const ANSWER: Pipeline = Pipeline::new("pool losses");

/// What is lost of a connection.
#[derive(Bundle)]
#[shape(config: RxConfig)]
struct Row<L: Reading> {
    /// PSNs up to this one are lost, if they are missing when nothing is held.
    waits: Bits<L>,
    #[width(config.reorder.psn_bits)]
    top: Bits<L>,
}

/// What an answer says, or that a connection is opened.
#[derive(Bundle)]
#[shape(config: RxConfig)]
struct Said<L: Reading> {
    #[reset]
    valid: Bits<L>,
    opens: Bits<L>,
    lost: Bits<L>,
    /// It is lost, and it is the expected packet.
    expected_lost: Bits<L>,
    /// It is in order, and nothing is held behind it.
    closes: Bits<L>,
    #[shape(config.connection())]
    connection: Bits<L>,
    #[width(config.reorder.psn_bits)]
    psn: Bits<L>,
    #[width(config.reorder.psn_bits)]
    expected: Bits<L>,
}

/// PSNs that are lost: an event for the ACK generator.
#[derive(Bundle)]
#[shape(config: RxConfig)]
pub struct Losses<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.connection())]
    pub connection: Bits<L>,
    #[width(config.reorder.psn_bits)]
    pub first: Bits<L>,
    #[width(config.reorder.psn_bits)]
    pub last: Bits<L>,
    /// The packet may have been lost before.
    pub repeated: Bits<L>,
}

/// A connection that has been opened.
#[derive(Bundle)]
#[shape(config: RxConfig)]
struct Opening<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(config.connection())]
    connection: Bits<L>,
}

/// What the pool has lost.
#[name_nets]
pub struct PoolLosses<L: Logic> {
    host: HostLag<L>,
    count: Counter<L>,
    rows: RmwTable<L, Row<L>>,
    /// Steps 1 to `l` + 1.
    said: PipelineRegs<Said<L>>,
    /// It waits for a clock cycle without an answer.
    opening: Reg<Opening<L>>,
    event: Reg<Losses<L>>,
}

#[name_nets]
impl<L: Logic> PoolLosses<L> {
    pub fn new(config: RxConfig, pool: PayloadConfig) -> Self {
        let ReorderConfig { connections, ram_latency: l, .. } = config.reorder;
        PoolLosses {
            host: HostLag::new(pool),
            count: Counter::new(32),
            rows: RmwTable::new(connections, l, &Row::shape(config)).compared_early(),
            said: PipelineRegs::new(1..=l + 1, &Said::shape(config)).checked(ANSWER),
            opening: Reg::new(&Opening::shape(config)),
            event: Reg::new(&Losses::shape(config)),
        }
    }

    /// The packet of this answer is lost.
    pub fn takes(&self, answer: &Answer<L>) -> Bits<L> {
        answer.outcome.equals(constant!(outcome::NO_BUFFER)) & !self.host.lags()
    }

    /// Packets that have been lost.
    pub fn count(&self) -> Bits<L> {
        self.count.get()
    }

    /// What is to be said of them.
    pub fn event(&self) -> Losses<L> {
        self.event.get()
    }

    /// One clock cycle: an answer of the reorder stage, a connection that is opened; there is a beat for the host, and it is ready; the
    /// ACK generator takes events.
    pub fn clock(
        &self,
        answer: &Answer<L>,
        opened: &Opened<L>,
        (offers, ready): (Bits<L>, Bits<L>),
        event_ready: Bits<L>,
    ) {
        let lost = self.takes(answer) & answer.valid;
        self.count.count(lost);
        self.host.clock(offers, ready);

        // l + 1
        let (said, row, event) = (self.said.last(), self.rows.operand(), self.event.get());
        let is_before = |psn: Bits<L>, other: Bits<L>| (psn - other).bit(psn.width() - 1);
        let names = said.closes & row.waits & !is_before(row.top, said.expected);
        let says = (said.valid & (names | said.expected_lost) & !event.valid).named("says");
        let top_stays = row.waits & !is_before(row.top, said.psn);
        let next = Row {
            waits: !said.opens & (said.lost & !says | row.waits & !(said.closes & (says | !names))),
            top: select(said.lost & !top_stays, said.psn, row.top),
        };
        when(event.valid & event_ready, || self.event.set(Losses { valid: Bits::lit(1, 0), ..event }));
        when(says, || {
            self.event.set(Losses {
                valid: Bits::lit(1, 1),
                connection: said.connection,
                first: said.expected,
                last: select(said.expected_lost, said.expected, row.top),
                repeated: said.expected_lost,
            });
        });

        // 0
        let opening = self.opening.get();
        let opens = (opening.valid & !answer.valid).named("opens");
        let connection = select(answer.valid, answer.connection, opening.connection);
        let valid = answer.valid | opens;
        self.rows.clock(Access { valid, index: connection }, Bits::lit(1, 1));
        when(said.valid, || self.rows.modify(next));
        self.said.shift(Said {
            valid,
            opens,
            lost,
            expected_lost: lost & answer.psn.equals(answer.expected),
            closes: answer.valid & answer.outcome.equals(constant!(outcome::IN_ORDER)) & !answer.held.any(),
            connection,
            psn: answer.psn,
            expected: answer.expected,
        });
        when(opened.valid, || {
            self.opening.set(Opening { valid: Bits::lit(1, 1), connection: opened.connection });
        })
        .or_when(opens, || self.opening.set(Opening { valid: Bits::lit(1, 0), ..opening }));
    }
}

/// The event that the ACK generator is offered: what the pool has lost goes first.
#[name_nets]
pub fn first_event<L: Logic>(losses: Option<Losses<L>>, event: reorder::Event<L>) -> Losses<L> {
    let reorder::Event { valid, connection, first, last, .. } = event;
    let gap = Losses { valid, connection, first, last, repeated: event.repeated() };
    losses.map_or(gap, |losses| select(losses.valid, losses, gap))
}
