// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a packet is for the MAC address of this device (row RX26). One that is not has neither a key nor a place in an order, so
//! nothing is done for it. The address is compared while the record enters the memory of the gate, beside what is read in it.

use super::config::RxConfig;
use super::packet::Packet;
use crate::blocks::counter::Counter;
use crate::headers::Ethernet;
use crate::headers::record::HeaderRecord;
use rtl_model::{Bits, Logic, name_nets};

/// The check, and what has been refused.
#[name_nets]
pub struct Station<L: Logic> {
    /// Absent if MAC addresses are not compared.
    refused: Option<Counter<L>>,
}

#[name_nets]
impl<L: Logic> Station<L> {
    pub fn new(config: &RxConfig) -> Self {
        Station { refused: config.check_mac.then(|| Counter::new(32)) }
    }

    /// Counter: packets for other MAC addresses.
    pub fn refused(&self) -> Option<Bits<L>> {
        self.refused.as_ref().map(Counter::get)
    }

    /// One clock cycle: a record is shown, and what it says of its packet. What is left of that: nothing to do if it is for another
    /// address.
    pub fn clock(
        &self,
        shown: Bits<L>,
        packet: Packet<L>,
        record: &HeaderRecord<L>,
        address: Option<Bits<L>>,
    ) -> Packet<L> {
        let Some((refused, address)) = self.refused.as_ref().zip(address) else { return packet };
        let Ethernet { dst_mac, .. } = Ethernet::read(|i| record.ethernet[i as usize]);
        let is_here = dst_mac.equals(address).named("is_here");
        let Packet { in_sequence, has_key, .. } = packet;
        refused.count(shown & (in_sequence | has_key) & !is_here);
        Packet { in_sequence: in_sequence & is_here, has_key: has_key & is_here, ..packet }
    }
}
