// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of the stage, and the clock cycles that the contract states.

use super::{Protocol, Settings};
use crate::collect::ports::named;
use std::collections::BTreeMap;

/// The size of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// The protocol.
    pub protocol: Protocol,
    /// Number of connections.
    pub connections: u64,
    /// PSNs in the window of a connection, *W*.
    pub window: u64,
    /// Number of replies that can wait.
    pub replies: u64,
    /// Width of a handle; UET only.
    pub handle_bits: u32,
    /// Latency *l* of the memories in clock cycles: 1, 2 or 3.
    pub ram_latency: u64,
    /// The settings in force after reset.
    pub reset: Settings,
}

impl Shape {
    /// With 64 replies, handles of 16 bits, memories of latency 2, and the default settings.
    #[must_use]
    pub const fn new(protocol: Protocol, connections: u64, window: u64) -> Self {
        let reset = Settings::reset(protocol, window);
        Shape { protocol, connections, window, replies: 64, handle_bits: 16, ram_latency: 2, reset }
    }

    /// The same size with memories of this latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// The same size with room for so many replies.
    #[must_use]
    pub const fn replies(self, replies: u64) -> Self {
        Shape { replies, ..self }
    }

    /// The same size with handles of this width.
    #[must_use]
    pub const fn handle_bits(self, handle_bits: u32) -> Self {
        Shape { handle_bits, ..self }
    }

    /// The same size with these settings after reset.
    #[must_use]
    pub const fn reset(self, reset: Settings) -> Self {
        Shape { reset, ..self }
    }

    /// The size as the parameters of a group of vectors. A protocol is its index among all protocols.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { protocol, connections, window, replies, handle_bits, ram_latency, .. } = self;
        let size = [("connections", connections), ("window", window), ("replies", replies)];
        let other = [("protocol", protocol as u64), ("handle_bits", handle_bits.into()), ("ram_latency", ram_latency)];
        named(size.into_iter().chain(other))
    }

    /// Whether the protocol is UET.
    #[must_use]
    pub const fn is_uet(self) -> bool {
        matches!(self.protocol, Protocol::Uet)
    }

    /// Width *n* of a PSN.
    #[must_use]
    pub const fn psn_bits(self) -> u32 {
        if self.is_uet() { 32 } else { 24 }
    }

    /// Number of PSNs, 2 to the *n*.
    #[must_use]
    pub const fn psns(self) -> u64 {
        1 << self.psn_bits()
    }

    /// A difference of PSNs.
    #[must_use]
    pub const fn minus(self, psn: u64, other: u64) -> u64 {
        psn.wrapping_sub(other) % self.psns()
    }

    /// The first cycle after the sweep (G26).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.connections + self.ram_latency + 12
    }

    /// Cycles from a pass to its effect, *x* - *p*.
    #[must_use]
    pub const fn effect(self) -> u64 {
        self.ram_latency + 6
    }

    /// Cycles from the time of a pass to its effect (G3).
    #[must_use]
    pub const fn after_time(self) -> u64 {
        self.effect() - 4
    }

    /// Cycles from the decision of a reply, or from when a connection became due, to the first take (G16, G17).
    #[must_use]
    pub const fn there(self) -> u64 {
        self.ram_latency + 3
    }

    /// Cycles after a take in which there is no other (G16).
    #[must_use]
    pub const fn apart(self) -> u64 {
        self.ram_latency + 3
    }

    /// Cycles from a take to the settings, the pressure and the time that it shows (G18).
    #[must_use]
    pub const fn limits(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a take to the ports (G18).
    #[must_use]
    pub const fn output(self) -> u64 {
        self.ram_latency + 4
    }

    /// Cycles from a visit to its comparison (G19).
    #[must_use]
    pub const fn compare(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from when a command enters to its response (G23).
    #[must_use]
    pub const fn response(self) -> u64 {
        self.ram_latency + 8
    }

    /// Cycles from an arrival that is urgent to its ACK, if the stage is idle.
    #[must_use]
    pub const fn idle(self) -> u64 {
        self.effect() + self.there() + self.output()
    }
}
