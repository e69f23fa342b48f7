// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size and protocol of the stage, its settings from reset on, and the widths derived from them.

use crate::blocks::command_port::CommandPortShape;
use rtl_model::{Bits, Shape, bits, clog2};

/// What the stage answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckProtocol {
    /// RoCEv2, each connection with or without multipath.
    Roce,
    /// UET; a connection is one direction of a PDC.
    Uet,
}

impl AckProtocol {
    /// Width of a PSN.
    pub const fn psn_bits(self) -> u32 {
        match self {
            AckProtocol::Roce => 24,
            AckProtocol::Uet => 32,
        }
    }
}

/// The settings from reset on, in the units of the ports. What the protocol does not have is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckGeneratorSettings {
    /// Units of 128 ns per clock cycle, with 16 fraction bits.
    pub tick: u64,
    /// RoCE: packets per ACK, multipath off.
    pub count: u64,
    /// RoCE: packets per ACK, multipath on.
    pub count_multipath: u64,
    /// UET: bytes per ACK.
    pub trigger: u64,
    /// UET: bytes that a packet counts at least.
    pub min: u64,
    /// The time after which a packet is acknowledged, in units of 128 ns; 0 for never (row M103).
    pub time: u64,
    /// UET: every packet is acknowledged at once.
    pub per_packet: u64,
    /// A marked packet is acknowledged at once.
    pub on_ecn: u64,
    /// UET: a retransmission is acknowledged at once.
    pub on_retx: u64,
    /// RoCE: the timer code of an RNR NAK of a connection that has none of its own.
    pub rnr: u64,
    /// UET: the time after a NACK for want of a buffer in which its connection has no other one, in units of 128 ns.
    pub no_buffer_time: u64,
    /// RoCE: the credit count of an ACK.
    pub credits: u64,
    /// RoCE: what is added to the time of arrival for the one-way delay.
    pub offset: u64,
    /// UET: every ACK is an ACK_CC.
    pub cc: u64,
    /// UET: the MPR that is announced, in units of 128 PSNs.
    pub mpr: u64,
    /// UET: what is added to the service time, in units of 128 ns.
    pub added: u64,
    /// UET: the flag *rc*.
    pub restore: u64,
}

impl AckGeneratorSettings {
    /// The defaults for a window of this many PSNs at 322.265625 MHz.
    pub const fn new(protocol: AckProtocol, window: u64) -> Self {
        AckGeneratorSettings {
            tick: 1589,
            count: 4,
            count_multipath: 1,
            trigger: 16_384,
            min: 1024,
            time: match protocol {
                AckProtocol::Roce => 16,
                AckProtocol::Uet => 0,
            },
            per_packet: 0,
            on_ecn: 1,
            on_retx: 1,
            rnr: 12,
            no_buffer_time: 94,
            credits: 31,
            offset: 0,
            cc: 1,
            mpr: if window < 128 { 1 } else { window / 128 },
            added: 1,
            restore: 1,
        }
    }
}

/// Size and protocol of the stage `ack_generator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckGeneratorConfig {
    /// What it answers.
    pub protocol: AckProtocol,
    /// Number of connections, a power of two from 2 to 4096.
    pub connections: u64,
    /// PSNs in the window of a connection: 64, 128, 256, 512 or 1024.
    pub window: u64,
    /// Replies that can wait, a power of two from 4 to 1024.
    pub replies: u64,
    /// UET: width of what is given back with a reply, 1 to 64 bits.
    pub handle_bits: u32,
    /// Latency of the memories in clock cycles, 1 to 3.
    pub ram_latency: u32,
    /// The settings from reset on.
    pub settings: AckGeneratorSettings,
}

impl AckGeneratorConfig {
    /// A stage of this protocol, with room for 64 replies, handles of 16 bits, memories of latency 2 and the default
    /// settings.
    pub const fn new(protocol: AckProtocol, connections: u64, window: u64) -> Self {
        AckGeneratorConfig {
            protocol,
            connections,
            window,
            replies: 64,
            handle_bits: 16,
            ram_latency: 2,
            settings: AckGeneratorSettings::new(protocol, window),
        }
    }

    /// The value if the protocol is RoCEv2.
    pub(super) fn roce<T>(self, value: T) -> Option<T> {
        (self.protocol == AckProtocol::Roce).then_some(value)
    }

    /// The value if the protocol is UET.
    pub(super) fn uet<T>(self, value: T) -> Option<T> {
        (self.protocol == AckProtocol::Uet).then_some(value)
    }

    /// So many transfers of `ack` have among them all replies that wait: replies and connections that are due are taken in
    /// turn (row G16).
    pub const fn reply_transfers(self) -> u64 {
        2 * self.replies + 8
    }

    /// Clock cycles from a take to the end of a clock cycle with its ACK (rows G16 and G18).
    pub const fn take_cycles(self) -> u64 {
        self.ram_latency as u64 + 5
    }

    /// Clock cycles from a packet to its reply, and from one reply to the next, are less than this.
    pub const fn reply_cycles(self) -> u64 {
        4 * self.ram_latency as u64 + 40
    }

    /// The step in which a pass takes effect.
    pub(super) const fn effect(self) -> u32 {
        self.ram_latency + 6
    }

    /// Shape of the number of a connection.
    pub(super) const fn connection(self) -> Bits<Shape> {
        bits(clog2(self.connections))
    }

    /// Shape of a PSN.
    pub(super) const fn psn(self) -> Bits<Shape> {
        bits(self.protocol.psn_bits())
    }

    /// Width of the number of a slot.
    pub(super) const fn slot_bits(self) -> u32 {
        clog2(self.window)
    }

    /// Shape of a number of packets from 0 to the window.
    pub(super) const fn held(self) -> Bits<Shape> {
        bits(self.slot_bits() + 1)
    }

    /// The command port: the next command is accepted when this one has been answered (row G23), and `busy` lasts until
    /// the sweep has reached all memories (row G26).
    pub(super) const fn command_port(self) -> CommandPortShape {
        CommandPortShape {
            rows: self.connections,
            low_bits: 0,
            high_bits: clog2(self.connections),
            drain_cycles: self.ram_latency as u64 + 12,
            command_interval: self.ram_latency as u64 + 10,
        }
    }

    /// Part of the module name: protocol and sizes.
    pub(super) fn suffix(self) -> String {
        let AckGeneratorConfig { connections, window, replies, handle_bits, .. } = self;
        match self.protocol {
            AckProtocol::Roce => format!("roce_c{connections}w{window}r{replies}"),
            AckProtocol::Uet => format!("uet_c{connections}w{window}r{replies}h{handle_bits}"),
        }
    }
}
