// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of the receive path: that of its stages.

use crate::frame::frame_gate::FrameGateConfig;
use crate::frame::header_builder::HeaderBuilderConfig;
use crate::frame::header_parser::HeaderParserConfig;
use crate::frame::icrc::IcrcConfig;
use crate::receive::ack_generator::{AckGeneratorConfig, AckProtocol};
use crate::receive::context_lookup::ContextLookupConfig;
use crate::receive::reorder::{Hold, ReorderConfig};
use crate::receive::request_check::RequestCheckConfig;
use rtl_model::{Bits, Shape, bits, index_width};

/// Configuration of `mpnic_rx`. Bus width and protocols of all stages are the same, and so are the numbers of contexts and the
/// window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RxConfig {
    /// Reads the headers.
    pub parser: HeaderParserConfig,
    /// Checks ICRC and CRC; absent if no frame has one.
    pub icrc: Option<IcrcConfig>,
    /// Drops frames whose verdict is drop.
    pub gate: FrameGateConfig,
    /// Finds contexts. Connections of UET may have two keys.
    pub lookup: ContextLookupConfig,
    /// Puts packets in order.
    pub reorder: ReorderConfig,
    /// Says what to answer; its protocol is the one whose packets are put in order.
    pub ack: AckGeneratorConfig,
    /// Makes the frames that answer.
    pub builder: HeaderBuilderConfig,
    /// Puts in their ICRC or CRC; absent with UET that has none.
    pub icrc_insert: Option<IcrcConfig>,
    /// RoCEv2: the Scheduling Tag of a data packet is the time when it was sent, in units of 128 ns (M23, M32).
    pub tag_is_time: bool,
    /// The DSCP of answers; that of the packet if it is not given.
    pub ack_dscp: Option<u64>,
    /// Clock cycles until there may be another answer of a kind, until there is another setting. UET: to a packet of no connection.
    /// RoCEv2: a congestion notification packet of the same connection; 0 for none.
    pub answer_interval: u64,
    /// Packets have to be for the MAC address of this device.
    pub check_mac: bool,
    /// RoCEv2: requests are checked in the order of their PSNs, unless the reorder stage holds frames.
    pub request_check: bool,
}

impl RxConfig {
    /// The protocol whose packets are put in order and answered.
    pub const fn protocol(&self) -> AckProtocol {
        self.ack.protocol
    }

    /// The value, with RoCEv2.
    pub(super) fn roce<T>(&self, value: T) -> Option<T> {
        (self.protocol() == AckProtocol::Roce).then_some(value)
    }

    /// The value, with UET.
    pub(super) fn uet<T>(&self, value: T) -> Option<T> {
        (self.protocol() == AckProtocol::Uet).then_some(value)
    }

    /// The check of requests, if there is one.
    pub fn request_check(&self) -> Option<RequestCheckConfig> {
        let ReorderConfig { connections, window, handle_bits, ram_latency, .. } = self.reorder;
        let checks = self.request_check && self.protocol() == AckProtocol::Roce && !self.holds_frames();
        checks.then_some(RequestCheckConfig { connections, window, handle_bits, ram_latency })
    }

    /// The value, with the check of requests.
    pub(super) fn checked<T>(&self, value: T) -> Option<T> {
        self.request_check().map(|_| value)
    }

    /// Shape of the number of a connection. The lookup may have more entries than there are connections.
    pub(super) const fn connection(&self) -> Bits<Shape> {
        bits(index_width(self.reorder.connections))
    }

    /// The reorder stage holds the frames themselves.
    pub const fn holds_frames(&self) -> bool {
        matches!(self.reorder.hold, Hold::Payload(_))
    }
}
