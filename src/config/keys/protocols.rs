// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[protocols]`. `pipeline` has the structure, with its defaults.

use super::Kind::Whole;
use pipeline::headers::protocols::{MpehIndicator, Protocols, Reserved};

words!(MpehIndicator = [("bit", MpehIndicator::Bit), ("opcode", MpehIndicator::OpCode)]);
words!(Reserved = [("ignore", Reserved::Ignore), ("count", Reserved::Count), ("refuse", Reserved::Refuse)]);

keys! {
    Protocols: protocols {
        /// Whether the pipeline supports RoCEv2 with the multipath extension header (MPEH).
        rocev2: bool;
        /// Whether the pipeline supports Ultra Ethernet (UET), over UDP and directly on IP.
        uet: bool;
        /// Whether the pipeline supports ELAB.
        elab: bool;
        /// UDP destination port of RoCEv2. If ports are equal, RoCEv2 comes before UET, and UET before ELAB.
        rocev2_port: u16;
        /// UDP destination port of Ultra Ethernet.
        uet_port: u16;
        /// IP protocol of Ultra Ethernet without UDP; 17 turns it off.
        uet_protocol: u8;
        /// Whether packets of Ultra Ethernet that are not encrypted end with a CRC. It is checked in those that are received, and put
        /// into those that are sent; all hosts of the network have to agree.
        uet_crc: bool;
        /// UDP destination port of the ELAB tunnel.
        elab_port: u16;
        /// IP protocol of the packets that the ELAB tunnel carries.
        elab_inner: u8;
        /// How an MPEH is announced: by mask 0x40 in byte 8 of the BTH, or by an OpCode of 0xC0 plus the operation.
        mpeh: MpehIndicator;
        /// Treatment of frames whose reserved bits are not 0: they are ignored, counted, or dropped.
        reserved: Reserved;
        /// Whether switches trim packets: what is left of one, as its DSCP says, is then judged by what is there, and reported as a
        /// loss. Data with these DSCPs must be trimmed packets and nothing else.
        trimming: bool;
        // The DSCPs are those of the example of uet.md 1.12.
        /// DSCP of a trimmed packet.
        trimmed_dscp: u8, Whole(0, 63);
        /// DSCP of a packet that was trimmed at the last hop.
        trimmed_last_hop_dscp: u8, Whole(0, 63);
    }
}
