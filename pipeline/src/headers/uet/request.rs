// SPDX-License-Identifier: MIT OR Apache-2.0
//! RUD and ROD requests (uet.md 1.3).

use crate::headers::layout::header;

header! {
    /// RUD or ROD request, the first 80 bits; the context at the receiver follows, [`Dpdcid`](super::Dpdcid) or
    /// [`Syn`](super::Syn).
    pub struct Request: "uet" {
        /// Type of the packet.
        kind: Bits(5) as "type",
        /// `next_hdr`: which SES header follows (uet.md 1.2).
        next_hdr: Bits(4),
        /// Reserved flags.
        reserved_65: Bits(2) = 0,
        /// 1 if the packet is a retransmission.
        retx: Bits(1),
        /// 1 if an acknowledgement is requested.
        ar: Bits(1),
        /// 1 while the context is being set up.
        syn: Bits(1),
        /// Reserved flags.
        reserved_10: Bits(2) = 0,
        /// Clear PSN minus `psn`, signed; all packets up to the clear PSN are cleared.
        clear_psn_offset: Bits(16),
        /// Packet sequence number.
        psn: Bits(32),
        /// Context at the sender.
        spdcid: Bits(16),
    }
}

header! {
    /// The last word of a request with congestion control.
    pub struct RequestCc: "uet" {
        /// CCC of the sender, 8 bits; selects the receiver context for credit.
        ccc_id: Bits(8),
        /// Credit that the sender requests.
        credit_target: Bits(24),
    }
}
