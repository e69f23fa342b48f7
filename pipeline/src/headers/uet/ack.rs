// SPDX-License-Identifier: MIT OR Apache-2.0
//! Acknowledgements (uet.md 1.4, 1.5).

use crate::headers::layout::header;

header! {
    /// The first 12 bytes of all three types of ACK.
    pub struct Ack: "uet" {
        /// Type of the packet.
        kind: Bits(5) as "type",
        /// `next_hdr`: which SES header follows (uet.md 1.2).
        next_hdr: Bits(4),
        /// Reserved flag.
        reserved_6: Bits(1) = 0,
        /// 1 if a packet had been marked by ECN.
        m: Bits(1),
        /// 1 if the packet that caused this one was a retransmission.
        retx: Bits(1),
        /// 1 in the answer to a probe.
        p: Bits(1),
        /// Request to the other side: 1 clear, 2 close.
        req: Bits(2),
        /// Reserved flag.
        reserved_0: Bits(1) = 0,
        /// Acknowledged PSN minus `cack_psn`, signed; with `p` the bits that the probe carried.
        ack_psn_offset: Bits(16),
        /// All packets up to this PSN have arrived.
        cack_psn: Bits(32),
        /// Context at the sender of this packet.
        spdcid: Bits(16),
        /// Context at its receiver.
        dpdcid: Bits(16),
    }
}

header! {
    /// Congestion control, after [`Ack`].
    pub struct AckCc: "uet" {
        /// Kind of the state: 0 [`NsccState`], 1 [`CreditState`].
        cc_type: Bits(4),
        /// Reserved.
        cc_flags: Bits(4) = 0,
        /// Range of PSNs that may be in flight, in units of 128.
        mpr: Bits(8),
        /// PSN of bit 0 of the bitmap minus `cack_psn`, signed.
        sack_psn_offset: Bits(16),
        /// Packets that have arrived out of order; bit 0 is the least significant one.
        sack_bitmap: Bits(64),
    }
}

header! {
    /// State of network-signalled congestion control (NSCC), after [`AckCc`].
    pub struct NsccState: "uet" {
        /// Time from arrival to acknowledgement, in units of 128 ns.
        service_time: Bits(16),
        /// `restore_cwnd`: the sender restores the window saved before the penalty (U34).
        rc: Bits(1),
        /// Penalty that the receiver requests.
        rcv_cwnd_pend: Bits(7),
        /// Bytes received, in units of 256.
        rcvd_bytes: Bits(24),
        /// Packets held out of order.
        ooo_count: Bits(16),
    }
}

header! {
    /// State of receiver credit, in the place of [`NsccState`].
    pub struct CreditState: "uet" {
        /// Credit granted to the sender; the unit is not stated by the sources (uet.md 1.5).
        credit: Bits(24),
        /// Reserved.
        reserved_credit: Bits(24) = 0,
        /// Packets held out of order.
        ooo_count: Bits(16),
    }
}

header! {
    /// Congestion control state of an unknown kind.
    pub struct OtherState: "uet" {
        /// The 64 bits as received.
        cc_state: Bits(64),
    }
}

header! {
    /// Extended congestion control, opaque: the sources disagree (uet.md 1.6).
    pub struct AckCcx: "uet" {
        /// The first sixteen bytes.
        ccx_head: Wide(128),
        /// Bytes 16 to 27, opaque.
        ccx_tail: Wide(96),
    }
}
