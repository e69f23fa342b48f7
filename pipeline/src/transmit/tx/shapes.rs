// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shapes of the ports, where they are not those of a stage.

use super::config::{ADDRESS_WIDTH, LENGTH_WIDTH, RKEY_WIDTH, TxConfig};
use super::ports::*;
use crate::headers::destination::Destination;
use crate::transmit::ccc_table::{self, CREDIT_WIDTH};
use crate::transmit::entropy_selector::{self, EV_WIDTH};
use rtl_model::{Shape, bits, clog2};

impl TxConfig {
    pub(super) fn request(&self) -> Request<Shape> {
        Request {
            valid: bits(1),
            pdc: self.pdc(),
            handle: self.handle(),
            address: bits(ADDRESS_WIDTH),
            length: bits(LENGTH_WIDTH),
            write: self.rocev2(bits(1)),
            remote_address: self.rocev2(bits(ADDRESS_WIDTH)),
            rkey: self.rocev2(bits(RKEY_WIDTH)),
        }
    }

    /// Credit for a peer, with RCCC.
    pub(super) fn credit(&self) -> Option<Credit<Shape>> {
        self.asks_credit().then_some(Credit { valid: bits(1), pdc: self.pdc(), number: bits(CREDIT_WIDTH) })
    }

    /// A command, with the fields that go to `ccc_table`, and with UET to `entropy_selector`.
    pub(super) fn command(
        &self,
        ccc_table: ccc_table::Command<Shape>,
        selector: Option<entropy_selector::Command<Shape>>,
    ) -> Command<Shape> {
        let ccc_table::Command { class, weight, nscc, rccc, .. } = ccc_table;
        let (flag, mac, ip) = (bits(1), bits(48), [bits(32); 4]);
        let Destination { remote_qp, pkey, local_pdcid, remote_pdcid, .. } = self.destination();
        Command {
            valid: flag,
            op: bits(op::WIDTH),
            pdc: self.pdc(),
            ev: bits(EV_WIDTH),
            all: flag,
            force: flag,
            psn: self.psn(),
            window: bits(clog2(self.packet_tracker.window) + 1),
            class,
            weight,
            nscc,
            rccc,
            start: selector.map(|command| command.start),
            fixed: selector.map(|command| command.fixed),
            stride: selector.map(|command| command.stride),
            mode: selector.map(|command| command.mode),
            rod: selector.map(|command| command.rod),
            space: selector.map(|command| command.space),
            rtt_class: selector.map(|command| command.rtt_class),
            destination_mac: mac,
            source_mac: mac,
            tagged: flag,
            tag: bits(16),
            ipv6: flag,
            destination_ip: ip,
            source_ip: ip,
            remote_qp,
            pkey,
            local_pdcid,
            remote_pdcid,
        }
    }

    pub(crate) fn response(&self) -> Response<Shape> {
        let flag = bits(1);
        let packets = bits(clog2(self.packet_tracker.window) + 1);
        Response {
            valid: flag,
            op: bits(op::WIDTH),
            pdc: self.pdc(),
            done: flag,
            open: flag,
            state: bits(2),
            cwnd: bits(ccc_table::WINDOW_WIDTH),
            inflight: bits(ccc_table::WINDOW_WIDTH + 1),
            failed: flag,
            base: self.psn(),
            next: self.psn(),
            in_flight: packets,
            marked: packets,
            messages: self.pointer(),
        }
    }
}
