// SPDX-License-Identifier: MIT OR Apache-2.0
//! Control packets (uet.md 1.7).

use crate::headers::layout::header;

header! {
    /// Control packet, the first 80 bits; the context at the receiver follows, [`Dpdcid`](super::Dpdcid) or
    /// [`Syn`](super::Syn).
    pub struct Control: "uet" {
        /// Type of the packet.
        kind: Bits(5) as "type",
        /// `ctl_type`: which control packet this is, 0 NOOP to 9 NEGOTIATION.
        ctl_type: Bits(4),
        /// Reserved flag.
        reserved_6: Bits(1) = 0,
        /// 1 if the context that it opens is ordered (ROD).
        isrod: Bits(1),
        /// 1 if the packet is a retransmission.
        retx: Bits(1),
        /// 1 if an acknowledgement is requested.
        ar: Bits(1),
        /// 1 while the context is being set up.
        syn: Bits(1),
        /// Reserved flags.
        reserved_10: Bits(2) = 0,
        /// Bits that the answer to a probe returns.
        probe_opaque: Bits(16),
        /// Packet sequence number.
        psn: Bits(32),
        /// Context at the sender.
        spdcid: Bits(16),
    }
}

header! {
    /// The payload word of a control packet, 4 bytes.
    pub struct ControlPayload: "uet" {
        /// Payload, 32 bits; its meaning depends on `ctl_type` (uet.md 1.7).
        payload: Bits(32),
    }
}
