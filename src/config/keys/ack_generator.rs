// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[ack_generator]`.

use super::Kind::OneOf;
use pipeline::receive::ack_generator::AckProtocol;

words!(AckProtocol = [("roce", AckProtocol::Roce), ("uet", AckProtocol::Uet)]);

section! {
    /// Protocol and size of the stage `ack_generator`.
    AckGenerator: ack_generator {
        /// What the receiver answers if the pipeline has both: "roce", with and without multipath, or "uet".
        protocol: AckProtocol = AckProtocol::Roce;
        /// Number of connections of the stage `ack_generator`, per pipeline; that of `reorder`.
        connections: u64 = 1024, OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]);
        /// PSNs in the window of a connection; that of `reorder`.
        window: u64 = 256, OneOf(&[64, 128, 256, 512, 1024]);
        /// Answers to single packets that can wait, such as NACKs; above that an ACK is sent in their place.
        replies: u64 = 64, OneOf(&[4, 8, 16, 32, 64, 128, 256, 512, 1024]);
        /// UET: bits that come with a packet and are given back with its reply.
        handle_bits: u64 = 16, OneOf(&[1, 2, 4, 8, 16, 32, 64]);
    }
}
