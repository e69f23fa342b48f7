// SPDX-License-Identifier: MIT OR Apache-2.0
//! `request_check`: checks the requests of RoCEv2 in the order of their PSNs, before they are acknowledged and delivered. Contract:
//! `docs/stages/request_check.md` (rows RQ1 to RQ15). With memories of latency `l`:
//!
//! ```text
//!  arrival  ->  mtus  l   sizes  l + 1  ->  events  ->  walk      0 pass     connection and PSN to their memories
//!  delivery ------------------------------->                verdicts  l + 1 judge  may the packet follow?
//!  command  ->  mtus, walk                                            l + 2        verdict
//!                                                                                  delivery to `passed` or `refused`
//! ```
//!
//! With nothing ahead of it an arrival in order has its verdict 2 `l` + 6 clock cycles after it was taken, and a delivery passes after
//! `l` + 8.
//!
//! Arrivals and deliveries are in one queue, so a delivery is judged when all arrivals before it have been. It enters the queue at once,
//! `l` + 1 clock cycles sooner than an arrival: that of its packet has to be so much earlier (RQ11). An arrival is taken in
//! every second clock cycle at most: the other one is for a delivery. The host stalls deliveries alone: one enters the queue only
//! if there is room for it behind the check.

mod config;
mod message;
mod ports;
mod slot;
mod verdicts;
mod walk;

pub use config::{OPEN_ARRIVALS, OPEN_DELIVERIES, RequestCheckConfig};
pub use ports::*;

use crate::blocks::fifo::Fifo;
use crate::blocks::open_count::OpenCount;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::latency_suffix;
use config::QUEUE_LATENCY;
use rtl_model::{Bits, Design, Logic, Pipeline, Ram, RamShape, Reg, Shape, Stage, bits, name_nets, select, when};
use slot::Slot;
use verdicts::{Judged, Verdicts};
use walk::{Event, Walk};

/// The pipeline of arrivals in front of the queue.
const ARRIVAL: Pipeline = Pipeline::new("arrival");

#[name_nets]
impl Design for RequestCheckConfig {
    type Stage<L: Logic> = RequestCheck<L>;

    fn module_name(&self) -> String {
        let RequestCheckConfig { connections, window, handle_bits, ram_latency } = *self;
        format!("request_check_c{connections}w{window}h{handle_bits}{}", latency_suffix(ram_latency))
    }

    fn build<L: Logic>(&self) -> RequestCheck<L> {
        let l = self.ram_latency;
        let (flag, mtu) = (bits(1), bits(MTU_WIDTH));
        RequestCheck {
            config: *self,
            taken: Reg::new(&flag).with_reset(),
            arrivals: PipelineRegs::new(1..=l + 1, &Arrival::shape(*self)).checked(ARRIVAL),
            mtus: Ram::new(RamShape::new(self.connections).latency(l), &mtu),
            mtu: Reg::new(&mtu),
            open_arrivals: OpenCount::new(OPEN_ARRIVALS),
            open_deliveries: OpenCount::new(OPEN_DELIVERIES),
            handles: Fifo::new(OPEN_DELIVERIES, QUEUE_LATENCY, &bits(self.handle_bits)),
            walk: Walk::new(*self),
            verdicts: Verdicts::new(*self),
            passed: Fifo::new(OPEN_DELIVERIES, QUEUE_LATENCY, &Packet::shape(*self)),
            refused: Fifo::new(OPEN_DELIVERIES, QUEUE_LATENCY, &RefusedPacket::shape(*self)),
        }
    }
}

/// The stage.
#[name_nets]
pub struct RequestCheck<L: Logic> {
    config: RequestCheckConfig,
    /// An arrival was taken in the clock cycle before.
    taken: Reg<Bits<L>>,
    /// Steps 1 to `l` + 1.
    arrivals: PipelineRegs<Arrival<L>>,
    /// Path MTUs of connections.
    mtus: Ram<Bits<L>>,
    /// Step `l` + 1.
    mtu: Reg<Bits<L>>,
    open_arrivals: OpenCount<L>,
    open_deliveries: OpenCount<L>,
    /// Handles of deliveries that wait to be judged.
    handles: Fifo<L, Bits<L>>,
    walk: Walk<L>,
    verdicts: Verdicts<L>,
    passed: Fifo<L, Packet<L>>,
    refused: Fifo<L, RefusedPacket<L>>,
}

#[name_nets]
impl<L: Logic> RequestCheck<L> {
    fn arrival_ready(&self) -> Bits<L> {
        !self.taken.get() & !self.open_arrivals.full()
    }

    /// An arrival enters the queue in this clock cycle.
    fn arrives(&self) -> Bits<L> {
        self.arrivals.last().valid
    }

    fn delivery_ready(&self) -> Bits<L> {
        !self.arrives() & !self.open_deliveries.full()
    }

    /// The event that enters the queue: an arrival, or a delivery.
    fn event(&self, delivery: Delivery<L>) -> Event<L> {
        let Arrival { valid, connection, outcome, psn, expected, request } = self.arrivals.last();
        let (slot, high) = Slot::of(request, self.mtu.get());
        Event {
            delivers: !valid,
            connection: select(valid, connection, delivery.packet.connection),
            psn: select(valid, psn, delivery.packet.psn),
            outcome,
            expected,
            single: (expected - psn).equals(1),
            slot,
            high,
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for RequestCheck<L> {
    type In = RequestCheckIn<L>;
    type Out = RequestCheckOut<L>;

    fn input_shape(&self) -> RequestCheckIn<Shape> {
        RequestCheckIn::shape(self.config)
    }

    fn outputs(&self) -> RequestCheckOut<L> {
        RequestCheckOut {
            arrival_ready: self.arrival_ready(),
            delivery_ready: self.delivery_ready(),
            command_ready: self.walk.idle(),
            deliveries: self.open_deliveries.any(),
            verdict: self.verdicts.verdict(),
            passed: Delivery { valid: self.passed.valid(), packet: self.passed.front() },
            refused: Refused { valid: self.refused.valid(), packet: self.refused.front() },
            status: self.verdicts.status(),
            loss_void: self.verdicts.loss_void(),
            invalid_requests: self.verdicts.invalid_requests(),
        }
    }

    fn clock(&self, input: &RequestCheckIn<L>) {
        let RequestCheckIn {
            arrival,
            delivery,
            command,
            status_connection,
            loss_connection,
            passed_ready,
            refused_ready,
        } = *input;
        let takes = arrival.valid & self.arrival_ready();
        let delivers = delivery.valid & self.delivery_ready();
        let opens = command.valid & self.walk.idle();
        let verdict = self.verdicts.verdict();
        let Judged { valid, connection, psn, refused, behind } = self.verdicts.judged();
        let handle = self.handles.front();

        // Deliveries that have been judged.
        let [passed_goes, refused_goes] = [self.passed.valid() & passed_ready, self.refused.valid() & refused_ready];
        self.passed.clock(valid & !refused, || Packet { connection, psn, handle }, passed_ready);
        self.refused.clock(valid & refused, || RefusedPacket { connection, handle, behind }, refused_ready);
        self.handles.clock(delivers, || delivery.packet.handle, valid);
        self.open_deliveries.clock(delivers, passed_goes, refused_goes);
        self.open_arrivals.clock(takes, verdict.valid & verdict.last, Bits::lit(1, 0));

        // The walk.
        let pass = self.walk.pass(Command { valid: opens, ..command });
        self.verdicts.clock(pass, [status_connection, loss_connection]);
        self.walk.clock((self.arrives() | delivers, self.event(delivery)), pass);

        // Arrivals in front of the queue.
        self.mtu.set(self.mtus.data());
        self.mtus.read(arrival.connection);
        // From when it is offered: the walk may go on for longer than the first packet takes.
        when(command.valid, || self.mtus.write(command.connection, command.mtu));
        self.mtus.clock();
        self.arrivals.shift(Arrival { valid: takes, ..arrival });
        self.taken.set(takes);
    }
}
