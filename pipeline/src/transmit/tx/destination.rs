// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a PDC sends to, as *open* gave it (row TX11).

use super::config::TxConfig;
use super::ports::Command;
use crate::headers::destination::Destination;
use rtl_model::{Bits, Logic, Shape, bits, name_nets};

impl TxConfig {
    /// Shape of a row; there is one for each PDC.
    pub(super) fn destination(&self) -> Destination<Shape> {
        let (flag, mac, ip, pdcid) = (bits(1), bits(48), [bits(32); 4], self.uet(bits(16)));
        Destination {
            destination_mac: mac,
            source_mac: mac,
            tagged: flag,
            tag: bits(16),
            ipv6: flag,
            destination_ip: ip,
            source_ip: ip,
            remote_qp: self.rocev2(bits(24)),
            pkey: self.rocev2(bits(16)),
            local_pdcid: pdcid,
            remote_pdcid: pdcid,
        }
    }
}

/// The write of a row by *open*.
pub struct DestinationWrite<L: Logic> {
    pub valid: Bits<L>,
    pub pdc: Bits<L>,
    pub destination: Destination<L>,
}

#[name_nets]
impl<L: Logic> Destination<L> {
    /// That of *open*.
    pub fn of(command: &Command<L>) -> Self {
        let Command { destination_mac, source_mac, tagged, tag, ipv6, .. } = *command;
        let Command { destination_ip, source_ip, remote_qp, pkey, local_pdcid, remote_pdcid, .. } = *command;
        Destination {
            destination_mac,
            source_mac,
            tagged,
            tag,
            ipv6,
            destination_ip,
            source_ip,
            remote_qp,
            pkey,
            local_pdcid,
            remote_pdcid,
        }
    }
}
