// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of `packet_tracker` as those of `ccc_table`, which has a port for each source (`docs/stages/packet_tracker.md`, D26).

use crate::ccc_table::{AckEvent, CccTableOut, LossEvent, SendEvent, kind};
use crate::packet_tracker::{Event, event_kind};
use rtl_model::{Bits, Logic, name_nets, select};

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
            },
            loss: LossEvent { valid: valid & is_loss, ccc: event.ccc, size: event.size },
            ready: may & select(is_send, cccs.send_ready, select(is_loss, cccs.loss_ready, cccs.ack_ready)),
        }
    }
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
