// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shapes of the ports.

use super::config::{EV_WIDTH, PacketTrackerConfig};
use super::ports::*;
use rtl_model::{Shape, bits};

impl PacketTrackerConfig {
    fn ack(self) -> AckEvent<Shape> {
        let (flag, offset) = (bits(1), bits(OFFSET_WIDTH));
        AckEvent {
            valid: flag,
            pdc: self.pdc(),
            kind: bits(kind::WIDTH),
            psn: self.psn(),
            triggered: flag,
            trigger_offset: offset,
            sack_offset: offset,
            sack: bits(SACK_WIDTH),
            counted: flag,
            rcvd_bytes: bits(TOTAL_WIDTH),
            mpr: bits(MPR_WIDTH),
            marked: flag,
            retx: flag,
            ev: bits(EV_WIDTH),
            arrived: bits(TIME_WIDTH),
            service: bits(16),
            pend: bits(7),
            restore: flag,
            reason: bits(REASON_WIDTH),
            credit: bits(TOTAL_WIDTH),
        }
    }

    fn command(self) -> Command<Shape> {
        let flag = bits(1);
        Command {
            valid: flag,
            op: bits(op::WIDTH),
            pdc: self.pdc(),
            psn: self.psn(),
            ccc: self.ccc(),
            window: self.count(),
            mpr: bits(MPR_WIDTH),
            ev: bits(EV_WIDTH),
            all: flag,
            force: flag,
        }
    }

    pub(super) fn input_shape(self) -> PacketTrackerIn<Shape> {
        let flag = bits(1);
        PacketTrackerIn {
            ack: self.ack(),
            send: SendEvent {
                valid: flag,
                pdc: self.pdc(),
                op: bits(send_op::WIDTH),
                size: bits(SIZE_WIDTH),
                ev: bits(EV_WIDTH),
                last: flag,
            },
            command: self.command(),
            settings: Settings {
                valid: flag,
                tick: bits(16),
                rto: bits(RTO_WIDTH),
                retries: bits(RETRIES_WIDTH),
                span: bits(self.slot_bits()),
            },
            event_ready: flag,
            outcome_ready: flag,
            failure_ready: flag,
        }
    }

    pub(super) fn event(self) -> Event<Shape> {
        let (flag, packets, time) = (bits(1), bits(PACKETS_WIDTH), bits(TIME_WIDTH));
        let ack = self.ack();
        Event {
            valid: flag,
            kind: bits(event_kind::WIDTH),
            pdc: self.pdc(),
            room: self.count(),
            ccc: self.ccc(),
            quanta: bits(QUANTA_WIDTH),
            packets,
            rtx_packets: packets,
            rtx_bytes: bits(BYTES_WIDTH),
            marked: flag,
            retx: flag,
            feedback: flag,
            ev: ack.ev,
            timed: flag,
            rtx_count: bits(RTX_WIDTH),
            stamp: time,
            arrived: time,
            service: ack.service,
            pend: ack.pend,
            restore: flag,
            reason: ack.reason,
            size: bits(SIZE_WIDTH),
            credit: ack.credit,
            packet: flag,
            retransmission: flag,
            last: flag,
        }
    }

    pub(super) fn outcome(self) -> Outcome<Shape> {
        let flag = bits(1);
        Outcome {
            valid: flag,
            pdc: self.pdc(),
            ccc: self.ccc(),
            kind: bits(outcome_kind::WIDTH),
            psn: self.psn(),
            ev: bits(EV_WIDTH),
            size: bits(SIZE_WIDTH),
            rtx_count: bits(RTX_WIDTH),
            trigger: flag,
            marked: flag,
            timed: flag,
            age: bits(TIME_WIDTH),
            at_base: flag,
        }
    }

    pub(super) fn sent(self) -> Sent<Shape> {
        let flag = bits(1);
        Sent {
            valid: flag,
            pdc: self.pdc(),
            op: bits(send_op::WIDTH),
            ok: flag,
            psn: self.psn(),
            size: bits(SIZE_WIDTH),
            rtx_count: bits(RTX_WIDTH),
            marked: self.count(),
            room: self.count(),
        }
    }

    pub(super) fn response(self) -> Response<Shape> {
        let (flag, count) = (bits(1), self.count());
        Response {
            valid: flag,
            op: bits(op::WIDTH),
            pdc: self.pdc(),
            done: flag,
            open: flag,
            failed: flag,
            ccc: self.ccc(),
            base: self.psn(),
            next: self.psn(),
            in_flight: count,
            marked: count,
            retries: bits(RETRIES_WIDTH),
            window: count,
        }
    }
}
