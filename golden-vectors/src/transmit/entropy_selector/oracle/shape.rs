// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of an entropy selector, and the clock cycles between its inputs and outputs.

use super::{Mode, Settings};
use crate::collect::ports::named;
use std::collections::BTreeMap;

/// The size of a selector and the latency of its memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of CCCs.
    pub cccs: u64,
    /// Number of EVs per CCC.
    pub evs: u64,
    /// Latency *l* of the memories in clock cycles: 1, 2 or 3.
    pub ram_latency: u64,
    /// The modes that are built in: bit *i* is the mode of code *i* (S14).
    pub modes: u64,
    /// Number of egress ports (S19).
    pub ports: u64,
    /// The first number on the wire (S22).
    pub wire_base: u64,
    /// How many numbers on the wire there are, a power of two (S22).
    pub wire_range: u64,
    /// The settings in force after reset (S24).
    pub settings: Settings,
}

impl Shape {
    /// A selector with memories of latency 2, only the bitmap, one egress port, and the defaults of all else.
    #[must_use]
    pub const fn new(cccs: u64, evs: u64) -> Self {
        Shape {
            cccs,
            evs,
            ram_latency: 2,
            modes: 1 << Mode::Bitmap.code(),
            ports: 1,
            wire_base: 49152,
            wire_range: 16384,
            settings: Settings::DEFAULT,
        }
    }

    /// The same size with memories of this latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// The same size with other modes: bit *i* is the mode of code *i*.
    #[must_use]
    pub const fn modes(self, modes: u64) -> Self {
        Shape { modes, ..self }
    }

    /// The same size with this number of egress ports.
    #[must_use]
    pub const fn ports(self, ports: u64) -> Self {
        Shape { ports, ..self }
    }

    /// The same size with other numbers on the wire.
    #[must_use]
    pub const fn wire(self, wire_base: u64, wire_range: u64) -> Self {
        Shape { wire_base, wire_range, ..self }
    }

    /// The same size with these settings after reset.
    #[must_use]
    pub const fn settings(self, settings: Settings) -> Self {
        Shape { settings, ..self }
    }

    /// The mode of a code, if it is built in (S14).
    #[must_use]
    pub fn mode(self, code: u64) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.code() == code && self.modes >> code & 1 == 1)
    }

    /// The number of EVs in the EV space of a code, if there is one: 0 for all, else an exponent (S17).
    #[must_use]
    pub const fn space(self, code: u64) -> Option<u64> {
        match code {
            0 => Some(self.evs),
            _ if code < 64 && 1 << code <= self.evs => Some(1 << code),
            _ => None,
        }
    }

    /// The size as the parameters of a group of vectors.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { cccs, evs, ram_latency, modes, ports, wire_base, wire_range, .. } = self;
        named([
            ("cccs", cccs),
            ("evs", evs),
            ("modes", modes),
            ("ports", ports),
            ("ram_latency", ram_latency),
            ("wire_base", wire_base),
            ("wire_range", wire_range),
        ])
    }

    /// Cycles from a request to its grant (S1).
    #[must_use]
    pub const fn grant(self) -> u64 {
        self.ram_latency + 6
    }

    /// Cycles from a feedback to the first request that sees it (S5).
    #[must_use]
    pub const fn visibility_delay(self) -> u64 {
        self.ram_latency + 6
    }

    /// Cycles from a request to the `settings_saturation` that is applied to it (S7).
    #[must_use]
    pub const fn saturation(self) -> u64 {
        self.ram_latency
    }

    /// Cycles from a request to all other settings that are applied to it (N4, P4).
    #[must_use]
    pub const fn decision(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a feedback to the settings that are applied to it, and to its time (P2).
    #[must_use]
    pub const fn freeze(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a request to the first *reroute* event that knows its EV (N5).
    #[must_use]
    pub const fn reroute_knows(self) -> u64 {
        self.ram_latency + 5
    }

    /// Cycles from a *reroute* event to the first request that sees it (N5).
    #[must_use]
    pub const fn reroute_seen(self) -> u64 {
        self.ram_latency
    }

    /// Cycles from a command to the one in which no *reroute* event is accepted (N5).
    #[must_use]
    pub const fn reroute_unready(self) -> u64 {
        18
    }

    /// Cycles from a command to its effect and response (S10).
    #[must_use]
    pub const fn effect(self) -> u64 {
        self.ram_latency + 18
    }

    /// Cycles from a *read* to the last request whose grant it sees (S11).
    #[must_use]
    pub const fn read_grants(self) -> u64 {
        11 - self.ram_latency
    }

    /// Cycles from a *read* to the last feedback that it sees (S11).
    #[must_use]
    pub const fn read_feedback(self) -> u64 {
        10 - self.ram_latency
    }

    /// Cycles from a *read* to the epoch in which it counts valid marks (S11).
    #[must_use]
    pub const fn read_epoch(self) -> u64 {
        self.ram_latency + 16
    }

    /// Minimum cycles from one command to the next; `command_ready` is 1 again by then (S10).
    #[must_use]
    pub const fn operations(self) -> u64 {
        self.ram_latency + 19
    }
}
