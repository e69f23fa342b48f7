// SPDX-License-Identifier: MIT OR Apache-2.0
//! The base transport header of InfiniBand, as RoCEv2 carries it (requirements.md C).

use crate::headers::layout::header;

header! {
    /// Base transport header (BTH), 12 bytes.
    pub struct Bth: "bth" {
        /// Transport in the upper three bits, operation in the lower five.
        opcode: Bits(8),
        /// Solicited event: the responder raises a completion event.
        se: Bits(1),
        /// MigReq: state of path migration.
        migreq: Bits(1),
        /// Pad bytes of the payload.
        pad: Bits(2),
        /// Version of the transport.
        tver: Bits(4) = 0,
        /// Partition key.
        pkey: Bits(16),
        /// FECN, forward explicit congestion notification.
        fecn: Bits(1),
        /// BECN, backward explicit congestion notification; 1 in a CNP.
        becn: Bits(1),
        /// Reserved bits of byte 4; not covered by the ICRC.
        reserved1: Bits(6) = 0,
        /// Number of the destination QP.
        dqpn: Bits(24),
        /// 1 if an acknowledgement is requested.
        ackreq: Bits(1),
        /// An MPEH follows (M13; a choice of this project).
        mpeh: Bits(1),
        /// Reserved bits of byte 8 below the MPEH indicator; covered by the ICRC.
        reserved2: Bits(6) = 0,
        /// Packet sequence number.
        psn: Bits(24),
    }
}
