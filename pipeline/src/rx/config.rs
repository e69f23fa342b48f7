// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of the receive path: that of its stages.

use crate::context_lookup::ContextLookupConfig;
use crate::frame_gate::FrameGateConfig;
use crate::header_parser::HeaderParserConfig;
use crate::icrc::IcrcConfig;
use crate::reorder::ReorderConfig;

/// The transport whose packets are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RxTransport {
    /// RoCEv2, with and without MPEH.
    Rocev2,
    /// Ultra Ethernet.
    Uet,
}

/// Configuration of `mpnic_rx`. Bus width and side band of all stages are the same, and so are the numbers of contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RxConfig {
    /// The transport whose packets are put in order.
    pub transport: RxTransport,
    /// Reads the headers.
    pub parser: HeaderParserConfig,
    /// Checks the ICRC; absent without RoCEv2.
    pub icrc: Option<IcrcConfig>,
    /// Drops frames whose verdict is drop.
    pub gate: FrameGateConfig,
    /// Finds contexts.
    pub lookup: ContextLookupConfig,
    /// Puts packets in order.
    pub reorder: ReorderConfig,
}
