// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage, and the widths derived from it.

use crate::receive::ack_generator::AckProtocol;
use rtl_model::{Bits, Shape, bits, clog2, index_width};

/// Arrivals that may be open: taken, and not yet checked.
pub const OPEN_ARRIVALS: u64 = 64;
/// Deliveries that may be open: taken, and not yet by the host.
pub const OPEN_DELIVERIES: u64 = 16;
/// Latency of the memories of queues, which are small.
pub(super) const QUEUE_LATENCY: u32 = 1;

/// Size of the stage `request_check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestCheckConfig {
    /// Number of connections, 2 to 4096, a power of two.
    pub connections: u64,
    /// PSNs in the window of `reorder`, a power of two.
    pub window: u64,
    /// Width of the handles of packets, 1 to 64.
    pub handle_bits: u32,
    /// Latency of the memories in clock cycles, 1 to 3.
    pub ram_latency: u32,
}

impl RequestCheckConfig {
    /// Shape of the number of a connection.
    pub(super) const fn connection(self) -> Bits<Shape> {
        bits(index_width(self.connections))
    }

    /// Shape of a PSN.
    pub(super) const fn psn(self) -> Bits<Shape> {
        bits(AckProtocol::Roce.psn_bits())
    }

    /// Width of the number of a slot, the low bits of a PSN.
    pub(super) const fn slot_bits(self) -> u32 {
        clog2(self.window)
    }

    /// The step of the walk in which a packet is judged.
    pub(super) const fn judges(self) -> u32 {
        self.ram_latency + 1
    }
}
