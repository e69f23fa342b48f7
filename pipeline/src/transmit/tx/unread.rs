// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a transmit path does not read of the record of a received frame. The ports are there so that the record of the
//! receive path can be connected name by name.

use super::config::{Paths, TxConfig};
use crate::headers::record::{HeaderPresence, HeaderRecord};
use rtl_model::{Bits, Logic, name_nets};

/// Words of the transport header that are read of UET: those of an ACK_CC.
const READ_OF_UET: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7];
/// Of RoCEv2: BTH and AETH.
const READ_OF_ROCEV2: &[usize] = &[0, 1, 2, 3];

/// Declares it.
#[name_nets]
pub(super) fn leave<L: Logic>(config: &TxConfig, record: &HeaderRecord<L>) {
    let HeaderPresence { mpeh, deth, xrceth, reth, atomic_eth, aeth, atomic_ack, immdt, ieth, cnp } = record.has;
    let flags = [deth, xrceth, reth, atomic_eth, aeth, atomic_ack, immdt, ieth];
    let HeaderRecord { vlan_count, l3, transport_words, inner_protocol, .. } = *record;
    let HeaderRecord { payload_offset, payload_length, ip_slack, .. } = *record;
    let numbers = [vlan_count, l3, transport_words, inner_protocol, payload_offset, payload_length, ip_slack];
    let read = if config.selector().is_some() { READ_OF_UET } else { READ_OF_ROCEV2 };
    let words = (0..).zip(record.header).filter(|(i, _)| !read.contains(i)).map(|(_, word)| word);
    // UET has no MPEH; the EV of UET is in the UDP header, the sub-path of RoCEv2 in the MPEH.
    let path: Vec<_> = match config.paths {
        Paths::Selector(_) => record.mpeh.into_iter().chain([mpeh, cnp]).collect(),
        Paths::Scheduler(..) => record.udp.into_iter().chain([record.mpeh[1], record.uet_native]).collect(),
    };
    let headers = record.ethernet.into_iter().chain(record.ip).chain(path).chain(words);
    headers.chain(flags).chain(numbers).for_each(Bits::ignore);
}
