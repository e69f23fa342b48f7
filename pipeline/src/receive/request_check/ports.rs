// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports. The contract, `docs/stages/request_check.md`, defines each field.

use super::config::RequestCheckConfig;
use crate::receive::ack_generator::outcome;
use rtl_model::{Bits, Bundle, Reading};

/// Width of the length of a packet in bytes.
pub const LENGTH_WIDTH: u32 = 16;
/// Width of a path MTU in bytes.
pub const MTU_WIDTH: u32 = 14;
/// Width of the length of a WRITE in bytes.
pub const DMA_LENGTH_WIDTH: u32 = 32;
/// Width of a cause.
pub const CAUSE_WIDTH: u32 = 2;

/// Why a packet is refused (rows RQ4 to RQ6).
pub mod cause {
    /// It is not refused.
    pub const NONE: u64 = 0;
    /// It may not follow the packet before it.
    pub const ORDER: u64 = 1;
    /// Its length does not fit the path MTU.
    pub const SIZE: u64 = 2;
    /// Its length does not fit what its WRITE has announced.
    pub const LENGTH: u64 = 3;
}

/// What the check wants to know of a request.
#[derive(Bundle)]
#[shape]
pub struct Request<L: Reading> {
    /// The packet begins a message: it is the first or only one.
    pub first: Bits<L>,
    /// The packet ends a message: it is the last or only one.
    pub last: Bits<L>,
    /// It is of a WRITE, not of a SEND.
    pub write: Bits<L>,
    /// Its payload in bytes, without pad.
    #[width(LENGTH_WIDTH)]
    pub length: Bits<L>,
    /// The length in its RETH; it matters with `first` and `write`.
    #[width(DMA_LENGTH_WIDTH)]
    pub dma_length: Bits<L>,
}

/// An answer of `reorder`, with what its packet is.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct Arrival<L: Reading> {
    /// There is an arrival; it is taken while `arrival_ready` is 1.
    #[reset]
    pub valid: Bits<L>,
    /// The number of its connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The code of the outcome: 0 in order, 1 held, 2 duplicate, 3 below, 4 above, 5 no buffer, 6 unknown, 7 probe.
    #[width(outcome::WIDTH)]
    pub outcome: Bits<L>,
    /// The PSN.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// The expected PSN after the arrival.
    #[shape(config.psn())]
    pub expected: Bits<L>,
    /// The request.
    #[flatten]
    pub request: Request<L>,
}

/// A packet that is delivered.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct Packet<L: Reading> {
    /// The number of its connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// Its PSN.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// Its handle.
    #[width(config.handle_bits)]
    pub handle: Bits<L>,
}

/// A packet in the order of its connection.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct Delivery<L: Reading> {
    /// There is a packet; stays 1 until `ready`.
    pub valid: Bits<L>,
    /// The packet.
    #[flatten]
    pub packet: Packet<L>,
}

/// A connection is opened.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct Command<L: Reading> {
    /// A connection is opened, while `command_ready` is 1.
    #[reset]
    pub valid: Bits<L>,
    /// Its number.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// Its path MTU in bytes; 0 if it is not known.
    #[width(MTU_WIDTH)]
    pub mtu: Bits<L>,
}

/// An arrival after the check, for the ACK generator.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct Verdict<L: Reading> {
    /// There is a verdict, for this clock cycle.
    #[reset]
    pub valid: Bits<L>,
    /// It is the last one of its arrival.
    pub last: Bits<L>,
    /// The number of the connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The code of the outcome.
    #[width(outcome::WIDTH)]
    pub outcome: Bits<L>,
    /// The PSN.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// The expected PSN: all before it have been received and checked.
    #[shape(config.psn())]
    pub expected: Bits<L>,
    /// The packet with this PSN is refused: NAK, invalid request.
    pub invalid: Bits<L>,
}

/// A packet that is not delivered.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct RefusedPacket<L: Reading> {
    /// The number of its connection.
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// Its handle.
    #[width(config.handle_bits)]
    pub handle: Bits<L>,
    /// 1 if it is behind the packet that was refused, 0 if it is that packet.
    pub behind: Bits<L>,
}

/// A packet that is not delivered, for the host.
#[derive(Bundle)]
pub struct Refused<L: Reading> {
    /// There is a packet; stays 1 until `refused_ready`.
    pub valid: Bits<L>,
    /// The packet.
    #[flatten]
    pub packet: RefusedPacket<L>,
}

/// What is wrong with a connection.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct Status<L: Reading> {
    /// Why a packet was refused: 0 none was, 1 order, 2 size, 3 length.
    #[width(CAUSE_WIDTH)]
    pub cause: Bits<L>,
    /// The PSN of that packet.
    #[shape(config.psn())]
    pub psn: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct RequestCheckIn<L: Reading> {
    /// Packets as `reorder` answers them.
    pub arrival: Arrival<L>,
    /// Packets in the order of their connections.
    pub delivery: Delivery<L>,
    /// Connections that are opened.
    pub command: Command<L>,
    /// The connection whose state is asked for.
    #[shape(config.connection())]
    pub status_connection: Bits<L>,
    /// The connection of a suspected loss.
    #[shape(config.connection())]
    pub loss_connection: Bits<L>,
    /// The host takes a packet that is delivered.
    #[ready(passed)]
    pub passed_ready: Bits<L>,
    /// The host takes a packet that is not delivered.
    #[ready(refused)]
    pub refused_ready: Bits<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct RequestCheckOut<L: Reading> {
    /// An arrival can be taken.
    #[ready(arrival)]
    pub arrival_ready: Bits<L>,
    /// A delivery can be taken.
    #[ready(delivery)]
    pub delivery_ready: Bits<L>,
    /// A connection can be opened.
    #[ready(command)]
    pub command_ready: Bits<L>,
    /// Deliveries have been taken that the host has not.
    pub deliveries: Bits<L>,
    /// Arrivals that have been checked.
    pub verdict: Verdict<L>,
    /// Packets that are delivered.
    pub passed: Delivery<L>,
    /// Packets that are not.
    pub refused: Refused<L>,
    /// The state of the connection that was asked for as many clock cycles ago as the latency of the memories.
    pub status: Status<L>,
    /// That of the suspected loss was in error then: nothing is to be said of it.
    pub loss_void: Bits<L>,
    /// Packets that were refused, since reset. The counter wraps.
    pub invalid_requests: Bits<L>,
}
