// SPDX-License-Identifier: MIT OR Apache-2.0
//! The base transport header of InfiniBand, as RoCEv2 carries it (requirements.md C).

use crate::headers::layout::header;

header! {
    /// The header.
    pub struct Bth: "bth" {
        /// Transport in the upper three bits, operation in the lower five.
        opcode: Bits(8),
        /// Solicited event.
        se: Bits(1),
        /// Migration request.
        migreq: Bits(1),
        /// Bytes that fill up the payload.
        pad: Bits(2),
        /// Version of the transport.
        tver: Bits(4) = 0,
        /// Partition key.
        pkey: Bits(16),
        /// Forward congestion notification.
        fecn: Bits(1),
        /// Backward congestion notification.
        becn: Bits(1),
        /// Reserved.
        reserved1: Bits(6) = 0,
        /// Destination queue pair.
        dqpn: Bits(24),
        /// An acknowledgement is asked for.
        ackreq: Bits(1),
        /// An MPEH follows (M13; a choice of this project).
        mpeh: Bits(1),
        /// Reserved.
        reserved2: Bits(6) = 0,
        /// Packet sequence number.
        psn: Bits(24),
    }
}
