// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a PDC sends to, as *open* gave it (row TX11).

use super::ports::Command;
use crate::headers::destination::Destination;
use rtl_model::{Bits, Logic, name_nets};

/// Width of a DSCP.
pub const DSCP_WIDTH: u32 = 6;

/// The write of a row by *open*, and of the DSCP, which *resize* writes as well.
pub struct DestinationWrite<L: Logic> {
    pub valid: Bits<L>,
    pub pdc: Bits<L>,
    pub destination: Destination<L>,
    pub writes_dscp: Bits<L>,
    pub dscp: Bits<L>,
}

#[name_nets]
impl<L: Logic> Destination<L> {
    /// That of *open*.
    pub fn of(command: &Command<L>) -> Self {
        let Command { destination_mac, source_mac, tagged, tag, ipv6, .. } = *command;
        let Command { destination_ip, source_ip, remote_qp, pkey, multipath, local_pdcid, remote_pdcid, .. } = *command;
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
            multipath,
            local_pdcid,
            remote_pdcid,
        }
    }
}
