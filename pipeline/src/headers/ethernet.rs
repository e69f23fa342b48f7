// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ethernet with at most two tags, from two bytes before it so that the next header begins on a word.

use crate::headers::layout::header;

header! {
    /// Addresses, types and tags; the last type present is that of the network layer.
    pub struct Ethernet: "ethernet" {
        /// Two bytes before the frame.
        ahead: Bits(16),
        /// Destination address.
        dst_mac: Bits(48),
        /// Source address.
        src_mac: Bits(48),
        /// First type.
        type_0: Bits(16),
        /// Control information of the outer tag, if the first type is a tag's.
        tci_0: Bits(16),
        /// Second type.
        type_1: Bits(16),
        /// Control information of the inner tag.
        tci_1: Bits(16),
        /// Third type.
        type_2: Bits(16),
    }
}
