// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of the transmit path: that of its stages, and the sizes that are its own.

use super::probes::ProbeDefaults;
use crate::frame::header_builder::HeaderBuilderConfig;
use crate::frame::icrc::IcrcConfig;
use crate::headers::uet;
use crate::transmit::ccc_table::{CccAlgorithms, CccTableConfig};
use crate::transmit::entropy_selector::{EntropySelectorConfig, EntropySelectorIn};
use crate::transmit::packet_tracker::PacketTrackerConfig;
use crate::transmit::path_scheduler::{PathSchedulerConfig, PathSchedulerIn};
use rtl_model::{Bits, Shape, bits, clog2, index_width};

/// Width of the address of a message.
pub const ADDRESS_WIDTH: u32 = 64;
/// Width of the length of a message, and of an offset in it.
pub const LENGTH_WIDTH: u32 = 32;
/// Bytes of the longest message.
pub const LONGEST: u64 = 1 << 31;
/// Width of the key of remote memory.
pub(super) const RKEY_WIDTH: u32 = 32;
/// Width of the payload bytes of a packet.
pub const PAYLOAD_WIDTH: u32 = 14;
/// Packets that may wait between `fetch` and their frames (row TX10).
pub(super) const PACKETS: u64 = 32;

/// Shortest time from one look at a PDC to that at the next one, less the latency of the memories (row TX22).
const SHORTEST_VISIT: u64 = 40;
/// What a nominal size counts besides the headers (U21).
const NOMINAL_EXTRA: u64 = 40;
/// Bytes of a UDP header.
const UDP_BYTES: u64 = 8;
/// Bytes of BTH, MPEH and ICRC. The RETH of a first packet is not counted.
const ROCEV2_BYTES: u64 = 12 + 8 + 4;

/// Bytes of the CRC of UET.
const UET_CRC_BYTES: u64 = 4;

/// The transport, by the stage that chooses the path of each packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// UET: each packet has an EV.
    Selector(EntropySelectorConfig),
    /// Multipath RoCEv2: each packet has a sub-path.
    Scheduler(PathSchedulerConfig),
}

/// Configuration of `mpnic_tx`. The numbers of PDCs and CCCs, and the latencies of the memories, are the same in all stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TxConfig {
    /// Keeps the packets that are not acknowledged. Its PDCs are those of the module.
    pub packet_tracker: PacketTrackerConfig,
    /// Says which PDC may send.
    pub ccc_table: CccTableConfig,
    /// Chooses the path of each packet.
    pub paths: Paths,
    /// Makes the frames.
    pub builder: HeaderBuilderConfig,
    /// Puts in their ICRC or CRC; absent with UET that has none.
    pub icrc_insert: Option<IcrcConfig>,
    /// Messages of a PDC that can wait or be under way: 2, 4, 8, 16, 32, 64.
    pub messages: u64,
    /// log2 of the payload bytes of a packet, 8 to 13.
    pub segment_log: u32,
    /// Bytes in front of the payload of each packet, the SES header: 0 to 252.
    pub header_bytes: u64,
    /// Width of the name of a message, 1 to 32.
    pub handle_bits: u32,
    /// RoCEv2: the Scheduling Tag of an ACK is a time; otherwise it is the PSN of a packet that has arrived (row TX33).
    pub tag_is_time: bool,
    /// RoCEv2: settings of probes after reset.
    pub probes: ProbeDefaults,
    /// UET: DSCP of control packets.
    pub control_dscp: u64,
    /// RCCC: clock cycles in which each PDC is polled once, to see whether it stands still.
    pub credit_request_clocks: u64,
}

impl TxConfig {
    /// Checks that the stages fit each other, and that packets are not too large for a nominal size.
    pub(super) fn check(&self) {
        let TxConfig { packet_tracker, ccc_table, paths, messages, segment_log, .. } = *self;
        let (contexts, paths_latency, numbers, psn_bits) = match paths {
            Paths::Selector(selector) => (selector.cccs, selector.ram_latency, selector.evs, 32),
            Paths::Scheduler(scheduler) => {
                let algorithms = ccc_table.algorithms;
                assert!(algorithms == CccAlgorithms::None, "the windows of RoCEv2 are those of its sub-paths");
                let countable = 1 << (scheduler.in_flight_bits - 1);
                assert!(packet_tracker.window < countable, "a window is more than a sub-path can have in flight");
                assert!(self.header_bytes == 0, "packets of RoCEv2 have no header that the host brings");
                (scheduler.qps, scheduler.ram_latency, scheduler.paths, 24)
            }
        };
        let cccs = [packet_tracker.cccs, ccc_table.cccs, contexts];
        assert!(cccs == [packet_tracker.pdcs; 3], "each PDC has a CCC of its own, but there are {cccs:?} CCCs");
        let latencies = [ccc_table.ram_latency, paths_latency];
        assert!(latencies == [packet_tracker.ram_latency; 2], "the memories have one latency");
        assert!(packet_tracker.psn_bits == psn_bits, "a PSN of the transport has {psn_bits} bits");
        let appends = self.icrc_insert.is_some() && !self.is_rocev2();
        assert!(self.builder.appends_crc == appends, "the builder makes the place that the CRC is put into");
        assert!(self.icrc_insert.is_some() || !self.is_rocev2(), "packets of RoCEv2 have an ICRC");
        assert!(1 << packet_tracker.ev_bits >= numbers, "an EV of a PDC, or a sub-path, is kept for each packet");
        assert!([2, 4, 8, 16, 32, 64].contains(&messages), "a PDC has 2, 4, 8, 16, 32 or 64 messages, not {messages}");
        assert!((8..=13).contains(&segment_log), "a packet has 256 to 8192 bytes");
        assert!(self.header_bytes <= 252, "a packet has at most 252 bytes of header");
        assert!((1..=32).contains(&self.handle_bits), "a handle has 1 to 32 bits");
        assert!((1 << segment_log) + self.overhead() < 1 << 14, "a packet is larger than a nominal size can say");
    }

    /// Clock cycles from one packet of a turn to the next one, with stages that do not stall.
    pub const fn packet_clocks(&self) -> u64 {
        let latency = self.latency() as u64;
        match &self.paths {
            Paths::Selector(_) => 3 * latency + 20,
            Paths::Scheduler(scheduler) => 2 * latency + 14 + scheduler.grant_latency() as u64,
        }
    }

    /// Clock cycles from one look at a PDC to that at the next one (row TX22).
    pub const fn visit_interval(&self) -> u64 {
        let (share, shortest) =
            (self.credit_request_clocks / self.packet_tracker.pdcs, self.latency() as u64 + SHORTEST_VISIT);
        if share > shortest { share } else { shortest }
    }

    /// Latency of the memories.
    pub(super) const fn latency(&self) -> u32 {
        self.packet_tracker.ram_latency
    }

    /// Packets are of RoCEv2.
    pub const fn is_rocev2(&self) -> bool {
        matches!(self.paths, Paths::Scheduler(..))
    }

    /// The stage that chooses EVs, with UET.
    pub(super) const fn selector(&self) -> Option<&EntropySelectorConfig> {
        match &self.paths {
            Paths::Selector(selector) => Some(selector),
            Paths::Scheduler(..) => None,
        }
    }

    /// The stage that chooses sub-paths, with RoCEv2.
    pub(super) const fn scheduler(&self) -> Option<&PathSchedulerConfig> {
        match &self.paths {
            Paths::Selector(_) => None,
            Paths::Scheduler(scheduler) => Some(scheduler),
        }
    }

    /// The value, with UET.
    pub(super) fn uet<T>(&self, value: T) -> Option<T> {
        self.selector().map(|_| value)
    }

    /// The value, with RoCEv2.
    pub(super) fn rocev2<T>(&self, value: T) -> Option<T> {
        self.scheduler().map(|_| value)
    }

    /// The shape of an input of the stage that chooses EVs, with UET.
    pub(super) fn of_selector<T>(&self, input: impl Fn(EntropySelectorIn<Shape>) -> T) -> Option<T> {
        self.selector().map(|selector| input(EntropySelectorIn::shape(*selector)))
    }

    /// The shape of an input of the stage that chooses sub-paths, with RoCEv2.
    pub(super) fn of_scheduler<T>(&self, input: impl Fn(PathSchedulerIn<Shape>) -> T) -> Option<T> {
        self.scheduler().map(|scheduler| input(PathSchedulerIn::shape(*scheduler)))
    }

    /// Packets are RUD_CC_REQ, which ask for credit.
    pub(super) const fn asks_credit(&self) -> bool {
        self.ccc_table.algorithms.has_rccc()
    }

    /// PDCs of UET learn RTTs from PROBEs.
    pub(super) const fn has_nscc(&self) -> bool {
        self.ccc_table.algorithms.has_nscc()
    }

    /// There are control packets of UET.
    pub(super) const fn has_control(&self) -> bool {
        self.asks_credit() || self.has_nscc()
    }

    /// There are packets beside those of messages.
    pub(super) const fn has_others(&self) -> bool {
        self.has_control() || self.is_rocev2()
    }

    /// Type of the packets.
    pub(super) const fn packet_type(&self) -> u64 {
        if self.asks_credit() { uet::RUD_CC_REQ } else { uet::RUD_REQ }
    }

    /// What the nominal size of a packet counts besides its payload.
    pub const fn overhead(&self) -> u64 {
        let crc = if self.builder.appends_crc { UET_CRC_BYTES } else { 0 };
        let headers = match (&self.paths, self.asks_credit()) {
            (Paths::Scheduler(..), _) => ROCEV2_BYTES,
            (_, true) => 16 + crc,
            (_, false) => 12 + crc,
        };
        NOMINAL_EXTRA + UDP_BYTES + headers + self.header_bytes
    }

    /// Payload bytes of a packet that is not the last one of its message.
    pub(super) const fn segment(&self) -> u64 {
        1 << self.segment_log
    }

    /// `next_hdr`: the SES header, by its length (uet.md 1.2).
    pub(super) const fn next_header(&self) -> u64 {
        match self.header_bytes {
            20 => 1,
            32 => 2,
            44 => 3,
            _ => 0,
        }
    }

    /// Shape of the number of a PDC, which is that of its CCC.
    pub(super) const fn pdc(&self) -> Bits<Shape> {
        bits(index_width(self.packet_tracker.pdcs))
    }

    /// Shape of a PSN.
    pub(super) const fn psn(&self) -> Bits<Shape> {
        bits(self.packet_tracker.psn_bits)
    }

    /// Shape of the name of a message.
    pub(super) const fn handle(&self) -> Bits<Shape> {
        bits(self.handle_bits)
    }

    /// Width of the place of a message among those of its PDC.
    pub(super) const fn place_bits(&self) -> u32 {
        clog2(self.messages)
    }

    /// Shape of a number of messages, and of a pointer into the ring of messages, which has one bit more than a place so that
    /// a full ring differs from an empty one.
    pub(super) const fn pointer(&self) -> Bits<Shape> {
        bits(self.place_bits() + 1)
    }

    /// Shape of a number of packets of a message: the longest one has 2^31 bytes.
    pub(super) const fn packets(&self) -> Bits<Shape> {
        bits(LENGTH_WIDTH - self.segment_log)
    }

    /// Rows of a table with a row for each message.
    pub(super) const fn message_rows(&self) -> u64 {
        self.packet_tracker.pdcs * self.messages
    }
}
