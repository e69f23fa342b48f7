// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the sections of a configuration hold.

use crate::device::Device;
use pipeline::blocks::arbiter::Policy;
use pipeline::blocks::secded::Protection;
use pipeline::frame::frame_gate::DropMode;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::transmit::ccc_table::CccAlgorithms;
use pipeline::transmit::entropy_selector::Modes;
use pipeline::transmit::path_scheduler::EntropyRule;

/// The device, the clock and the link.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The name of the device, as the key `device` has it.
    pub device: String,
    /// The clock of the pipeline, in MHz.
    pub clock_mhz: f64,
    /// The line rate, in Gb/s.
    pub link_gbps: f64,
    /// Number of pipelines that share the link.
    pub pipelines: u64,
    /// Clock cycles from address to data of a block memory; `None` if device and clock decide.
    pub ram_latency: Option<u64>,
    /// Number of bits from which on a memory is to be made of UltraRAM; 0 for none.
    pub ultra_ram_bits: u64,
    /// The prefix of the names of all modules.
    pub prefix: String,
}

impl Target {
    /// What to do where UltraRAM is asked for on a device that has none.
    pub const WITHOUT_ULTRA_RAM: &'static str =
        "leave `target.ultra_ram_bits` out, or choose a device of UltraScale+ with UltraRAM";

    /// UltraRAM is asked for on a device that has none.
    pub fn lacks_ultra_ram(&self) -> bool {
        self.ultra_ram_bits > 0 && Device::find(&self.device).is_some_and(|device| device.ultra.is_none())
    }
}

/// Size and mode of the stage `frame_gate`.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameGate {
    /// Number of bytes of the memory for frames.
    pub depth: u64,
    /// Number of frames whose record is held.
    pub frames: u64,
    /// What happens to frames whose verdict is drop.
    pub drop: DropMode,
    /// Whether there are streams of records.
    pub records: bool,
}

/// Size of the stage `context_lookup`.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextLookup {
    /// Number of contexts.
    pub entries: u64,
}

/// Size of the stage `reorder`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reorder {
    /// Number of connections.
    pub connections: u64,
    /// PSNs in the window of a connection.
    pub window: u64,
    /// Number of sub-paths per connection.
    pub paths: u64,
    /// Width of a PSN in bits.
    pub psn_bits: u64,
    /// Width of the handle of a packet in bits.
    pub handle_bits: u64,
    /// What its memories do about flipped bits.
    pub sram_protection: Protection,
    /// What is held for a packet.
    pub hold: HoldMode,
    /// Number of cells of the pool.
    pub cells: u64,
    /// Bytes of a cell; `None` if the width of the streams decides.
    pub cell_bytes: Option<u64>,
    /// Most cells of a connection; `None` for a part of `cells`.
    pub quota: Option<u64>,
    /// Cells that are kept free; `None` for a part of `cells`.
    pub reserve: Option<u64>,
}

/// What the stage `reorder` holds for a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldMode {
    /// A handle.
    Descriptor,
    /// Its frame.
    Payload,
}

impl HoldMode {
    /// All, with their names in the configuration.
    pub const ALL: [(&'static str, Self); 2] = [("descriptor", HoldMode::Descriptor), ("payload", HoldMode::Payload)];
}

/// Protocol and size of the stage `ack_generator`.
#[derive(Clone, Debug, PartialEq)]
pub struct AckGenerator {
    /// What it answers.
    pub protocol: AckProtocol,
    /// Number of connections.
    pub connections: u64,
    /// PSNs in the window of a connection.
    pub window: u64,
    /// Number of replies that can wait.
    pub replies: u64,
    /// Width of the handle of a packet in bits.
    pub handle_bits: u64,
}

/// Size and algorithms of the stage `ccc_table`.
#[derive(Clone, Debug, PartialEq)]
pub struct CccTable {
    /// Number of CCCs.
    pub cccs: u64,
    /// The algorithms that it includes.
    pub algorithms: CccAlgorithms,
    /// Number of classes.
    pub classes: u64,
    /// The weight of a delay sample.
    pub delay_shift: u64,
    /// RCCC: bytes of a unit of credit on the wire.
    pub credit_unit: u64,
}

/// Messages and packets of the transmit path `tx`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tx {
    /// The protocol of its packets, if the pipeline has both.
    pub protocol: AckProtocol,
    /// Messages of a PDC that can wait or be under way.
    pub messages: u64,
    /// Payload bytes of a packet.
    pub segment: u64,
    /// Bytes in front of the payload.
    pub header_bytes: u64,
    /// Width of the name of a message.
    pub handle_bits: u64,
    /// The DSCP of data packets.
    pub dscp: u64,
    /// The DSCP of control packets.
    pub control_dscp: u64,
    /// The time in which each PDC is polled once, to see whether it stands still.
    pub credit_request_us: u64,
}

/// Size of the stage `packet_tracker`.
#[derive(Clone, Debug, PartialEq)]
pub struct PacketTracker {
    /// Number of PDCs.
    pub pdcs: u64,
    /// PSNs in the window of a PDC.
    pub window: u64,
    /// Width of a PSN.
    pub psn_bits: u64,
    /// Bits of the EV that are kept for each packet.
    pub ev_bits: u64,
}

/// Size of the stage `credit_pacer`.
#[derive(Clone, Debug, PartialEq)]
pub struct CreditPacer {
    /// Number of sources.
    pub sources: u64,
}

/// What the receive path is told of packets.
#[derive(Clone, Debug, PartialEq)]
pub struct Rx {
    /// Whether the Scheduling Tag of data is the time of sending.
    pub tag_is_time: bool,
    /// The DSCP of a trimmed packet.
    pub trimmed_dscp: u64,
    /// The DSCP of a packet that was trimmed at the last hop.
    pub trimmed_last_hop_dscp: u64,
    /// The DSCP of ACKs and NACKs.
    pub ack_dscp: u64,
}

/// Size and modes of the stage `entropy_selector`.
#[derive(Clone, Debug, PartialEq)]
pub struct EntropySelector {
    /// Number of congestion control contexts.
    pub cccs: u64,
    /// Number of entropy values per context.
    pub evs: u64,
    /// The modes that a context can use. The bitmap is always included.
    pub modes: Modes,
    /// Number of egress ports to which the entropy values are distributed.
    pub ports: u64,
    /// Lowest entropy value on the wire.
    pub wire_base: u64,
    /// Number of entropy values on the wire.
    pub wire_range: u64,
}

/// Size of the stage `path_scheduler`.
#[derive(Clone, Debug, PartialEq)]
pub struct PathScheduler {
    /// Number of queue pairs.
    pub qps: u64,
    /// Number of sub-paths per queue pair.
    pub paths: u64,
    /// Width of a weight in bits.
    pub weight_bits: u64,
    /// Width of the number of packets in flight on a sub-path.
    pub in_flight_bits: u64,
    /// Where the entropy of a sub-path comes from.
    pub entropy: EntropyRule,
}

/// Size of both ELAB stages.
#[derive(Clone, Debug, PartialEq)]
pub struct Elab {
    /// Number of pairs of hosts.
    pub pairs: u64,
    /// Number of virtual paths per pair.
    pub vps: u64,
    /// Clock cycles per unit of time.
    pub unit: u64,
    /// The DSCP of packets that are sent for their report alone.
    pub report_dscp: u64,
}

/// Size of the stage `mark_monitor`.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkMonitor {
    /// Number of paths.
    pub paths: u64,
    /// Number of rows of the FIFO for alarms.
    pub alarms: u64,
}

/// Size of the example stage `tally`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// Number of rows of the table.
    pub rows: u64,
    /// Number of bits per counter.
    pub width: u64,
    /// Number of bits of an amount.
    pub amount_width: u64,
}

/// Size of the block `fifo`.
#[derive(Clone, Debug, PartialEq)]
pub struct Fifo {
    /// Number of rows of the memory.
    pub depth: u64,
    /// Number of bits per item.
    pub width: u64,
}

/// Size of the block `skid_buffer`.
#[derive(Clone, Debug, PartialEq)]
pub struct SkidBuffer {
    /// Number of bits per item.
    pub width: u64,
}

/// Size and policy of the block `arbiter`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arbiter {
    /// Number of requests.
    pub requests: u64,
    /// The rule by which a request is granted.
    pub policy: Policy,
}

/// Settings of the conformance test.
#[derive(Clone, Debug, PartialEq)]
pub struct Conform {
    /// The seed of all random choices.
    pub seed: u64,
    /// The percentage of clock cycles in which a stream pauses.
    pub stall_percent: u64,
}
