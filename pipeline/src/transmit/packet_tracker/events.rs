// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events (rows D9, D17 to D19, D22, D26, D30 and D37). With memories of latency `l`:
//!
//! ```text
//!  2 l + 9    event
//!  2 l + 10   to the queue, in the step of the effect
//!  3 l + 12   on the port
//! ```

use super::config::{OPEN, PacketTrackerConfig};
use super::outputs::Ending;
use super::pass::Load;
use super::ports::{Event, PACKETS_WIDTH, event_kind};
use super::serving::Serving;
use crate::blocks::fifo::Fifo;
use crate::blocks::open_count::OpenCount;
use crate::headers::uet::nack;
use rtl_model::{Bits, Logic, Reg, constant, name_nets, select};

/// The events.
#[name_nets]
pub struct Events<L: Logic> {
    event: Reg<Event<L>>,
    queue: Fifo<L, Event<L>>,
    open: OpenCount<L>,
}

#[name_nets]
impl<L: Logic> Events<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        Events {
            event: Reg::new(&Event::shape(config)),
            queue: Fifo::new(OPEN, config.ram_latency, &Event::shape(config)),
            open: OpenCount::new(OPEN),
        }
    }

    /// The event that is output.
    pub fn event(&self) -> Event<L> {
        Event { valid: self.queue.valid(), ..self.queue.front() }
    }

    /// As many are open as may be; and some are.
    pub fn open(&self) -> (Bits<L>, Bits<L>) {
        (self.open.full(), self.open.any())
    }

    /// One clock cycle: an operation enters; one ends in step 2 `l` + 9, and in step 2 `l` + 10; the event is taken.
    pub fn clock(&self, enters: Bits<L>, ending: &Ending<L>, ended: Bits<L>, ready: Bits<L>) {
        let event = self.event.get();
        self.open.clock(enters, self.queue.valid() & ready, ended & !event.valid);
        // There is room: no more than its rows are open.
        self.queue.clock(event.valid, || event, ready);
        self.event.set(self.of(ending));
    }

    /// The event of a pass in step 2 `l` + 9.
    fn of(&self, ending: &Ending<L>) -> Event<L> {
        let Ending { pass, load, walk, takes, sends, repeats, again, found, timed, results, .. } = *ending;
        let Serving { open: walk_open, .. } = walk;
        let open = ending.owner.open;
        let [in_flight, late] = results.packets;
        let acknowledges = pass.finishes & walk.accepted;
        let discards = pass.finishes & walk.closes & (in_flight.any() | late.any());
        let releases = acknowledges | discards;
        let (nacks, losses) = (takes & pass.nacks, takes & pass.examines);
        let credits = pass.credits & open;
        let packet = sends | repeats;
        let last = select(again, walk.last & walk_open, load.last & open) & (pass.news | pass.ends | again);
        // The PDC may send again: whatever has been refused while the scan was under way.
        let resumes = pass.completes & ending.owner.resumes;
        let is_send = packet | last | resumes;
        let code = |kind: rtl_model::Constant, is: Bits<L>| kind.lit(event_kind::WIDTH).gate(is);
        let kind = code(constant!(event_kind::NACK), nacks)
            | code(constant!(event_kind::CREDIT), credits)
            | code(constant!(event_kind::SEND), is_send)
            | code(constant!(event_kind::LOSS), losses);
        let trigger = results.trigger;
        let ack_timed = acknowledges & trigger.valid & trigger.timed;
        let nack_timed = nacks & timed;
        let Load { marked, retx, reason, number, size_or_ev, .. } = load;
        // A suspected loss answers no packet: the EV is that of the packet that is lost.
        let lost_ev = ending.room.upper.map_or(found.ev, |upper| upper.concat(found.ev));
        let nack_ev = select(reason.equals(constant!(nack::RCVR_INFER_LOSS)), lost_ev, size_or_ev);
        let size = select(sends, load.size(), select(repeats, results.repeated.size, found.size));
        let quanta = select(discards, results.quanta, walk.quanta);
        Event {
            valid: releases | takes | credits | is_send,
            kind,
            pdc: pass.pdc,
            room: ending.room.room,
            ccc: ending.owner.ccc,
            quanta: quanta.gate(releases),
            packets: in_flight.extend(PACKETS_WIDTH).gate(releases),
            rtx_packets: late.extend(PACKETS_WIDTH).gate(releases),
            rtx_bytes: results.late_bytes.gate(releases),
            marked: marked & nacks | walk.marked & acknowledges,
            retx: retx & nacks | walk.retx & acknowledges,
            feedback: nacks | acknowledges,
            ev: nack_ev.gate(nacks) | walk.ev.gate(acknowledges),
            timed: ack_timed | nack_timed,
            rtx_count: trigger.rtx_count.gate(ack_timed) | found.rtx_count.gate(nack_timed),
            stamp: trigger.stamp.gate(ack_timed) | found.stamp.gate(nack_timed),
            arrived: load.arrived().gate(nacks) | walk.arrived.gate(acknowledges),
            service: walk.service.gate(acknowledges),
            pend: walk.pend.gate(acknowledges),
            restore: walk.restore & acknowledges,
            reason: reason.gate(nacks),
            size: size.gate(takes | packet),
            credit: number.gate(credits),
            packet,
            retransmission: repeats,
            last,
        }
    }
}
