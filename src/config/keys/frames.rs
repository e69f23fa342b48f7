// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of the stages of frames.

use super::Kind::{OneOf, Whole};
use pipeline::frame::frame_gate::DropMode;
use pipeline::frame::header_builder::UdpChecksum;
use pipeline::headers::side_band::SideBand;

keys! {
    SideBand: side_band {
        /// Width of `tid`, which every stage passes on with the frames; with 0 there are no such ports.
        tid_width = tid: u32, Whole(0, SideBand::MAX_ID_WIDTH as u64);
        /// Width of `tdest`, in the same way.
        tdest_width = tdest: u32, Whole(0, SideBand::MAX_ID_WIDTH as u64);
        /// Width of the user's part of `tuser`, above the bits of the stages: 96 for Corundum's time stamp of a received frame.
        tuser_width = tuser: u32, Whole(0, SideBand::MAX_USER_WIDTH as u64);
    }
}

words!(DropMode = DropMode::ALL);

section! {
    /// Size and mode of the stage `frame_gate`.
    FrameGate: frame_gate {
        /// Bytes of frames that the stage `frame_gate` holds, rounded up to a power of two beats; by default three jumbo frames.
        depth: u64 = 32_768, Whole(256, 1 << 22);
        /// Number of frames whose header records it holds.
        frames: u64 = 512, OneOf(&[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]);
        /// Treatment of frames whose verdict is drop: they are dropped, or pass with their mark.
        drop: DropMode = DropMode::Drop;
        /// Whether header records pass with the frames; without records it can be used after other parsers.
        records: bool = true;
    }
}

words!(UdpChecksum = [("zero", UdpChecksum::Zero), ("recorded", UdpChecksum::Recorded)]);

section! {
    /// The UDP checksum of frames that `header_builder` makes.
    HeaderBuilder: header_builder {
        /// UDP checksum of frames that are built: 0, which means none, or that of the header record.
        udp_checksum: UdpChecksum = UdpChecksum::default();
    }
}
