// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shapes of the ports.

use super::config::CccTableConfig;
use super::ports::*;
use rtl_model::{Shape, bits};

impl CccTableConfig {
    fn ack(self) -> AckEvent<Shape> {
        let (flag, packets, time) = (bits(1), bits(PACKETS_WIDTH), bits(TIME_WIDTH));
        AckEvent {
            valid: flag,
            ccc: self.ccc(),
            kind: bits(kind::WIDTH),
            quanta: bits(QUANTA_WIDTH),
            packets,
            rtx_packets: packets,
            rtx_bytes: bits(WINDOW_WIDTH),
            marked: flag,
            retx: flag,
            timed: flag,
            rtx_count: bits(2),
            stamp: time,
            arrived: time,
            service: bits(WAIT_WIDTH),
            pend: bits(7),
            restore: flag,
            reason: bits(8),
            size: bits(SIZE_WIDTH),
            credit: bits(CREDIT_WIDTH),
        }
    }

    fn command(self) -> Command<Shape> {
        let flag = bits(1);
        Command {
            valid: flag,
            op: bits(op::WIDTH),
            ccc: self.ccc(),
            nscc: flag,
            rccc: flag,
            class: bits(2),
            weight: bits(4),
            force: flag,
        }
    }

    fn settings(self) -> Settings<Shape> {
        let wait = bits(WAIT_WIDTH);
        Settings {
            valid: bits(1),
            tick: bits(16),
            mtu: bits(SIZE_WIDTH),
            config_base_rtt: wait,
            rtt_floor: wait,
            wnd_rate: bits(RATE_WIDTH),
            config_wnd: bits(WINDOW_WIDTH),
            target: wait,
            small_delay: wait,
            alpha: bits(26),
            fi: bits(24),
            fi_scale: bits(16),
            eta: bits(20),
            gamma: bits(8),
            max_cut: bits(8),
            qa_enable: bits(1),
            qa_gate: bits(4),
            qa_threshold: wait,
            adjust_bytes: bits(24),
            adjust_period: wait,
            ack_trigger: bits(24),
        }
    }

    pub(super) fn input_shape(self) -> CccTableIn<Shape> {
        let (flag, ccc, size) = (bits(1), self.ccc(), bits(SIZE_WIDTH));
        CccTableIn {
            ack: self.ack(),
            send: SendEvent { valid: flag, ccc, size, packet: flag, retransmission: flag, last: flag, blocked: flag },
            loss: LossEvent { valid: flag, ccc, size },
            data: DataEvent { valid: flag, ccc, bytes: bits(BACKLOG_WIDTH) },
            command: self.command(),
            settings: self.settings(),
            grant_ready: flag,
        }
    }

    pub(super) fn response(self) -> Response<Shape> {
        let (flag, window) = (bits(1), bits(WINDOW_WIDTH));
        Response {
            valid: flag,
            op: bits(op::WIDTH),
            ccc: self.ccc(),
            done: flag,
            open: flag,
            state: bits(2),
            granted: flag,
            nscc: flag,
            rccc: flag,
            class: bits(2),
            weight: bits(4),
            backlog: bits(BACKLOG_WIDTH),
            rtx_backlog: window,
            waiting_rtx: bits(PACKETS_WIDTH),
            inflight_pkts: bits(PACKETS_WIDTH),
            inflight: bits(WINDOW_WIDTH + 1),
            cwnd: window,
            max_wnd: window,
            base_rtt: bits(WAIT_WIDTH),
            delay: bits(WAIT_WIDTH),
            credit: bits(WINDOW_WIDTH + 1),
            credit_target: bits(CREDIT_WIDTH),
        }
    }
}
