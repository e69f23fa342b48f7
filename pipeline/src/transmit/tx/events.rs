// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of `packet_tracker` as those of `ccc_table`, which has a port for each source (`docs/stages/packet_tracker.md`, D26).

use super::unblocks::Unblocked;
use crate::transmit::ccc_table::{AckEvent, CccTableOut, LossEvent, SIZE_WIDTH, SendEvent, kind};
use crate::transmit::packet_tracker::{Event, event_kind};
use rtl_model::{Bits, Logic, name_nets, select};

/// What `send` of `ccc_table` is told in a clock cycle.
pub struct Sends<L: Logic> {
    pub send: SendEvent<L>,
    /// That a PDC is not blocked is taken.
    pub unblocked: Bits<L>,
    /// The end of the turn is taken.
    pub blocked: Bits<L>,
}

#[name_nets]
impl<L: Logic> Sends<L> {
    /// First what `packet_tracker` says, then that a PDC is no longer blocked, then that a turn has ended because nothing could be sent
    /// (row TX37). The last two do not go through `packet_tracker`, which holds nothing of the PDC's turn then.
    pub fn of(
        of_event: SendEvent<L>,
        unblocked: Option<Unblocked<L>>,
        blocks: (Bits<L>, Bits<L>),
        ready: Bits<L>,
    ) -> Self {
        let (no, (blocks, pdc)) = (Bits::lit(1, 0), blocks);
        let unblocks = unblocked.map_or(no, |unblocked| unblocked.valid);
        let others = ready & !of_event.valid;
        let end = !unblocks;
        let other = SendEvent {
            valid: unblocks | blocks,
            ccc: unblocked.map_or(pdc, |unblocked| select(unblocks, unblocked.pdc, pdc)),
            size: Bits::lit(SIZE_WIDTH, 0),
            packet: no,
            retransmission: no,
            last: end,
            blocked: end,
        };
        Sends {
            send: select(of_event.valid, of_event, other),
            unblocked: others & unblocks,
            blocked: others & blocks & end,
        }
    }
}

/// An event, on the port that it is for.
pub struct CccEvents<L: Logic> {
    pub ack: AckEvent<L>,
    pub send: SendEvent<L>,
    pub loss: LossEvent<L>,
    /// It is taken.
    pub ready: Bits<L>,
}

#[name_nets]
impl<L: Logic> CccEvents<L> {
    /// Of this event, if it `may` be taken.
    pub fn of(event: &Event<L>, cccs: &CccTableOut<L>, may: Bits<L>) -> Self {
        let valid = event.valid & may;
        let (is_send, is_loss) = (event.kind.equals(event_kind::SEND), event.kind.equals(event_kind::LOSS));
        CccEvents {
            ack: ack(event, valid & !(is_send | is_loss)),
            send: SendEvent {
                valid: valid & is_send,
                ccc: event.ccc,
                size: event.size,
                packet: event.packet,
                retransmission: event.retransmission,
                last: event.last,
                blocked: Bits::lit(1, 0),
            },
            loss: LossEvent { valid: valid & is_loss, ccc: event.ccc, size: event.size },
            ready: may & select(is_send, cccs.send_ready, select(is_loss, cccs.loss_ready, cccs.ack_ready)),
        }
    }
}

/// The event of this port of `packet_tracker`, or else that of a PROBE, which is told if there is none (row TX52).
#[name_nets]
pub fn acks<L: Logic>(
    of_tracker: AckEvent<L>,
    of_probe: Option<AckEvent<L>>,
    ready: Bits<L>,
) -> (AckEvent<L>, Bits<L>) {
    let Some(of_probe) = of_probe else { return (of_tracker, Bits::lit(1, 0)) };
    let told = of_probe.valid & !of_tracker.valid & ready;
    (select(of_tracker.valid, of_tracker, of_probe), told)
}

/// The ACK, NACK or credit of an event.
#[name_nets]
fn ack<L: Logic>(event: &Event<L>, valid: Bits<L>) -> AckEvent<L> {
    let Event { ccc, quanta, packets, rtx_packets, rtx_bytes, marked, retx, timed, .. } = *event;
    let Event { rtx_count, stamp, arrived, service, pend, restore, reason, size, credit, .. } = *event;
    AckEvent {
        valid,
        ccc,
        // The codes of both are the same.
        kind: event.kind.truncate(kind::WIDTH),
        quanta,
        packets,
        rtx_packets,
        rtx_bytes,
        marked,
        retx,
        timed,
        rtx_count,
        stamp,
        arrived,
        service,
        pend,
        restore,
        reason,
        size,
        credit,
    }
}
