// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a transmit path does not read of the record of a received frame. The ports are there so that the record of the
//! receive path can be connected name by name.

use crate::headers::record::{HeaderPresence, HeaderRecord};
use rtl_model::{Bits, Logic, name_nets};

/// Words of the transport header that are read: those of an ACK_CC, without the PDC identifiers.
const READ: [usize; 7] = [0, 1, 3, 4, 5, 6, 7];

/// Declares it.
#[name_nets]
pub(super) fn leave<L: Logic>(record: &HeaderRecord<L>) {
    let HeaderPresence { mpeh, deth, xrceth, reth, atomic_eth, aeth, atomic_ack, immdt, ieth, cnp } = record.has;
    let flags = [mpeh, deth, xrceth, reth, atomic_eth, aeth, atomic_ack, immdt, ieth, cnp];
    let HeaderRecord { vlan_count, l3, transport_words, inner_protocol, .. } = *record;
    let HeaderRecord { payload_offset, payload_length, ip_slack, .. } = *record;
    let numbers = [vlan_count, l3, transport_words, inner_protocol, payload_offset, payload_length, ip_slack];
    let words = (0..).zip(record.header).filter(|(i, _)| !READ.contains(i)).map(|(_, word)| word);
    let headers = record.ethernet.into_iter().chain(record.ip).chain(record.mpeh).chain(words);
    headers.chain(flags).chain(numbers).for_each(Bits::ignore);
}
