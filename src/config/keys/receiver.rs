// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of the stages of the receiver.

use super::Kind::{AutoOr, AutoOrWhole, OneOf, Whole};
use pipeline::blocks::secded::Protection;

section! {
    /// Size of the stage `context_lookup`.
    ContextLookup: context_lookup {
        /// Number of contexts of received frames, per pipeline; memory is used best just below 0.9 times a power of two.
        entries: u64 = 1024, Whole(2, 16_384);
    }
}

/// What the stage `reorder` holds for a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldMode {
    /// A handle.
    Descriptor,
    /// Its frame.
    Payload,
}

words!(HoldMode = [("descriptor", HoldMode::Descriptor), ("payload", HoldMode::Payload)]);
words!(Protection = Protection::ALL);

section! {
    /// Size of the stage `reorder`.
    Reorder: reorder {
        /// Number of connections of the stage `reorder`, per pipeline.
        connections: u64 = 1024, OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]);
        /// PSNs of a connection from the first one that has not been read; covers what paths differ at full rate (M100).
        window: u64 = 256, OneOf(&[64, 128, 256, 512, 1024]);
        /// Number of sub-paths per connection whose packets are counted.
        paths: u64 = 8, OneOf(&[2, 4, 8, 16, 32, 64, 128, 256]);
        /// Bits of a PSN: 24 for RoCEv2, 32 for UET.
        psn_bits: u64 = 24, OneOf(&[24, 32]);
        /// Bits that are held per packet and delivered with it, such as the number of a buffer.
        handle_bits: u64 = 16, OneOf(&[1, 2, 4, 8, 16, 32, 64]);
        /// Check bits in all memories of the stage: "secded" corrects one flipped bit of a word of 64 bits and detects two.
        /// It takes a ram_latency of 2 at least, and "auto" adds 1; 3 keeps the output register of a block RAM.
        sram_protection: Protection = Protection::None;
        /// What the stage `reorder` holds for a packet: "descriptor" a handle, "payload" its frame, in a pool of cells.
        hold: HoldMode = HoldMode::Descriptor;
        /// Cells of the pool, shared by all connections.
        cells: u64 = 4096, OneOf(&[16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]);
        /// Bytes of a cell, four beats at least; "auto" is 256, and 512 if data_width is 1024.
        cell_bytes: Option<u64> = None, AutoOr(&[64, 128, 256, 512, 1024]);
        /// Most cells of a connection, after reset (M101); "auto" is a quarter of cells.
        quota: Option<u64> = None, AutoOrWhole(1, 65_536);
        /// Cells kept free for packets without which a connection cannot go on, after reset; "auto" is a sixteenth of cells.
        reserve: Option<u64> = None, AutoOrWhole(0, 65_536);
    }
}
