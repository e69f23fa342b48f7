// SPDX-License-Identifier: MIT OR Apache-2.0
//! RoCEv2: requests are checked before the ACK generator hears of them and the host gets them (row RX28). The stage that does it has a
//! part of an arrival; the rest waits here for its verdict. With memories of latency `l`:
//!
//! ```text
//!  cycle n              an arrival enters the reorder stage, in every second clock cycle at most
//!        n + l + 12     its answer to `request_check`, the rest to `rest`
//!        n + 3 l + 18   its verdict to the ACK generator, if no walk is ahead of it
//! ```
//!
//! As many arrivals are open as the stage has room for, from when one enters the reorder stage to its verdict. So no answer of the
//! reorder stage, which cannot be stalled, finds it full.

use super::config::RxConfig;
use super::contexts::Opened;
use super::ports::{Undelivered, UndeliveredFrame};
use crate::blocks::fifo::Fifo;
use crate::blocks::open_count::OpenCount;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::receive::ack_generator::{self, ArrivedPacket};
use crate::receive::reorder;
use crate::receive::request_check::{
    Arrival, Command, Delivery, OPEN_ARRIVALS, OPEN_DELIVERIES, Packet, Request, RequestCheckConfig, RequestCheckIn,
    Status,
};
use rtl_model::{Bits, Child, Logic, Reg, bits, name_nets, select, when};

/// The latency of the memory of what waits, which is small.
const REST_LATENCY: u32 = 1;

/// Transfers of deliveries that may be under way: those that the reorder stage has read, and those that the stage has taken.
const DELIVERIES: u64 = reorder::PLACES + OPEN_DELIVERIES;

/// The check of requests.
#[name_nets]
pub struct Requests<L: Logic> {
    check: Child<L, RequestCheckConfig>,
    rest: Fifo<L, ArrivedPacket<L>>,
    open: OpenCount<L>,
    /// An arrival entered the reorder stage in the clock cycle before.
    entered: Reg<Bits<L>>,
    /// A connection that is to be opened.
    opening: Reg<Command<L>>,
    /// A frame that was refused is offered to the host, and stays.
    offered: Reg<Bits<L>>,
    /// Clock cycles for which a suspected loss has been offered, as many as it takes to know whether its connection is in error.
    loss_known: PipelineRegs<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Requests<L> {
    pub fn new(config: &RxConfig, check: &RequestCheckConfig) -> Self {
        let check = Child::new(check);
        Requests {
            opening: Reg::new(&check.input_shape().command),
            check,
            rest: Fifo::new(OPEN_ARRIVALS, REST_LATENCY, &ArrivedPacket::shape(config.ack)),
            open: OpenCount::new(OPEN_ARRIVALS),
            entered: Reg::new(&bits(1)).with_reset(),
            offered: Reg::new(&bits(1)).with_reset(),
            loss_known: PipelineRegs::new(1..=config.reorder.ram_latency + 1, &bits(1)).with_reset(),
        }
    }

    /// The suspected loss for the ACK generator, of one that the reorder stage offers: none of a connection in error.
    pub fn loss(&self, event: reorder::Event<L>) -> reorder::Event<L> {
        let valid = event.valid & self.loss_known.last() & !self.check.outputs().loss_void;
        reorder::Event { valid, ..event }
    }

    /// The suspected loss is taken from the reorder stage, as the ACK generator is ready, or nothing is to be said of it.
    pub fn loss_ready(&self, ready: Bits<L>) -> Bits<L> {
        self.loss_known.last() & (ready | self.check.outputs().loss_void)
    }

    /// The wait until deliveries have been named that are under way: after so many, or if there is none for so many clock cycles.
    pub fn extent(config: &RxConfig) -> (u64, u64) {
        (DELIVERIES, u64::from(config.reorder.ram_latency) + 4)
    }

    /// An arrival can enter the reorder stage.
    pub fn room(&self) -> Bits<L> {
        !self.entered.get() & !self.open.full()
    }

    /// Arrivals are open.
    pub fn any(&self) -> Bits<L> {
        self.open.any()
    }

    /// A delivery can be taken.
    pub fn delivery_ready(&self) -> Bits<L> {
        self.check.outputs().delivery_ready
    }

    /// Packets for the host.
    pub fn delivery(&self) -> reorder::Delivery<L> {
        let Delivery { valid, packet: Packet { connection, psn, handle } } = self.check.outputs().passed;
        reorder::Delivery { valid: Some(valid), connection, psn, handle: Some(handle) }
    }

    /// The last verdict on an arrival is given.
    pub fn ends(&self) -> Bits<L> {
        let verdict = self.check.outputs().verdict;
        verdict.valid & verdict.last
    }

    /// What the ACK generator gets.
    pub fn arrival(&self) -> ack_generator::Arrival<L> {
        let (verdict, rest) = (self.check.outputs().verdict, self.rest.front());
        ack_generator::Arrival {
            valid: verdict.valid,
            connection: verdict.connection,
            outcome: verdict.outcome,
            psn: verdict.psn,
            expected: verdict.expected,
            packet: ArrivedPacket { unserved: rest.unserved.map(|unserved| unserved | verdict.invalid), ..rest },
        }
    }

    /// The state of the connection that has been asked for.
    pub fn status(&self) -> Status<L> {
        self.check.outputs().status
    }

    /// Counter: requests that were refused.
    pub fn invalid_requests(&self) -> Bits<L> {
        self.check.outputs().invalid_requests
    }

    /// The frame that is named as never delivered: one of those that the reorder stage did not receive, or one that was refused. The
    /// first result is 1 in the second case.
    pub fn undelivered(&self, first: Undelivered<L>) -> (Bits<L>, Undelivered<L>) {
        let refused = self.check.outputs().refused;
        let chosen = refused.valid & (self.offered.get() | !first.valid);
        let Undelivered { frame, .. } = first;
        let cause = refused.packet.behind.extend(reorder::OUTCOME_WIDTH);
        let of_check = UndeliveredFrame { connection: refused.packet.connection, handle: refused.packet.handle, cause };
        (chosen, Undelivered { valid: first.valid | refused.valid, frame: select(chosen, of_check, frame) })
    }

    /// A delivery is under way from the reorder stage, which offers one or not, to the host; one of them is taken, or named.
    pub fn under_way(&self, offered: Bits<L>, ready: Bits<L>, refused: Bits<L>) -> (Bits<L>, Bits<L>) {
        let passed = self.check.outputs().passed.valid;
        (offered | self.check.outputs().deliveries, passed & ready | refused)
    }

    /// One clock cycle: an arrival enters the reorder stage; it answers one, with the rest and the request; it offers a delivery;
    /// *open* names a connection, with its path MTU; the state of a connection is asked for; the host takes a delivery; a frame is
    /// named as never delivered, of those that were refused or not, and that is taken; a suspected loss is offered, and taken or not.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        enters: Bits<L>,
        (answered, request): (ack_generator::Arrival<L>, Request<L>),
        delivery: reorder::Delivery<L>,
        (opened, mtu): (&Opened<L>, Bits<L>),
        asked: Bits<L>,
        delivery_ready: Bits<L>,
        (refused, refused_taken): (Bits<L>, Bits<L>),
        (loss, loss_taken): (reorder::Event<L>, Bits<L>),
    ) {
        let ack_generator::Arrival { valid, connection, outcome, psn, expected, packet } = answered;
        let (ends, opening) = (self.ends(), self.opening.get());
        let reorder::Delivery { valid: offered, connection: of, psn: place, handle } = delivery;
        let names = "packets are named by handles";
        self.offered.set(refused & !refused_taken);
        let (stays, known) = (loss.valid & !loss_taken, self.loss_known.all());
        for (step, before) in (2..).zip(&known[..known.len() - 1]) {
            self.loss_known.set(step, stays & *before);
        }
        self.loss_known.set(1, stays);
        self.rest.clock(valid, || packet, ends);
        self.open.clock(enters, ends, Bits::lit(1, 0));
        self.entered.set(enters);
        // It is opened when no walk goes on, which may take longer than the lookup takes for its key.
        let opens = opening.valid & self.check.outputs().command_ready;
        when(opened.valid, || self.opening.set(Command { valid: opened.valid, connection: opened.connection, mtu }))
            .or_when(opens, || self.opening.set(Command { valid: Bits::lit(1, 0), ..opening }));
        self.check.clock(&RequestCheckIn {
            arrival: Arrival { valid, connection, outcome, psn, expected, request },
            delivery: Delivery {
                valid: offered.expect(names),
                packet: Packet { connection: of, psn: place, handle: handle.expect(names) },
            },
            command: opening,
            status_connection: asked,
            loss_connection: loss.connection,
            passed_ready: delivery_ready,
            refused_ready: refused & refused_taken,
        });
    }
}
