// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[tx]`, the transmit path.

use super::Kind::{OneOf, Whole};
use pipeline::receive::ack_generator::AckProtocol;

section! {
    /// Messages and packets of the transmit path `tx`.
    Tx: tx {
        /// What the transmit path `tx` sends if the pipeline has both: "roce", with multipath, or "uet".
        protocol: AckProtocol = AckProtocol::Uet;
        /// Messages of a PDC that can wait or be under way in the transmit path `tx`.
        messages: u64 = 8, OneOf(&[2, 4, 8, 16, 32, 64]);
        /// Payload bytes of a packet; the last one of a message has what is left.
        segment: u64 = 4096, OneOf(&[256, 512, 1024, 2048, 4096, 8192]);
        /// UET: bytes in front of the payload of each packet, the SES header.
        header_bytes: u64 = 44, Whole(0, 252);
        /// Width of the name that the host gives to a message.
        handle_bits: u64 = 16, Whole(1, 32);
        /// UET: the DSCP of control packets, CREDIT, CREDIT_REQUEST and PROBE.
        control_dscp: u64 = 46, Whole(0, 63);
        /// RCCC: the time in microseconds in which each PDC is polled once, to see whether it stands still without credit.
        credit_request_us: u64 = 100, Whole(1, 10_000);
    }
}
