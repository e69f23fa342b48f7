// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of an entropy selector, and the cycles between what goes in and what comes out.

use super::Mode;
use std::collections::BTreeMap;

/// The size of a selector, and how long its memories take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of CCCs.
    pub cccs: u64,
    /// Number of EVs of a CCC.
    pub evs: u64,
    /// Cycles from address to row of the memories: 1, 2 or 3. The rows call it *l*.
    pub ram_latency: u64,
    /// The modes that it is built with: bit *i* is the mode of code *i* (S14).
    pub modes: u64,
    /// Egress ports (S19).
    pub ports: u64,
}

impl Shape {
    /// With memories of latency 2, the bitmap alone, and one egress port.
    #[must_use]
    pub const fn new(cccs: u64, evs: u64) -> Self {
        Shape { cccs, evs, ram_latency: 2, modes: 1 << Mode::Bitmap.code(), ports: 1 }
    }

    /// The same with memories of another latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// The same with other modes: bit *i* is the mode of code *i*.
    #[must_use]
    pub const fn modes(self, modes: u64) -> Self {
        Shape { modes, ..self }
    }

    /// The same with so many egress ports.
    #[must_use]
    pub const fn ports(self, ports: u64) -> Self {
        Shape { ports, ..self }
    }

    /// The mode of a code, if the selector is built with it (S14).
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

    /// As groups of vectors give it.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { cccs, evs, ram_latency, modes, ports } = self;
        let keys = [("cccs", cccs), ("evs", evs), ("modes", modes), ("ports", ports), ("ram_latency", ram_latency)];
        keys.map(|(name, x)| (name.to_owned(), x)).into()
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

    /// Cycles from a request to the settings that are applied to it, and to its time (S9, O1, N3, N4, P4).
    #[must_use]
    pub const fn limit(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a feedback to the settings that are applied to it, and to its time (P2).
    #[must_use]
    pub const fn freeze(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from an operation to its effect and response (S10).
    #[must_use]
    pub const fn effect(self) -> u64 {
        self.ram_latency + 18
    }

    /// A read knows the grants of requests so many cycles behind it (S11).
    #[must_use]
    pub const fn read_grants(self) -> u64 {
        11 - self.ram_latency
    }

    /// A read knows the feedback of so many cycles behind it (S11).
    #[must_use]
    pub const fn read_feedback(self) -> u64 {
        10 - self.ram_latency
    }

    /// A read counts what is in force in the epoch of so many cycles behind it (S11).
    #[must_use]
    pub const fn read_epoch(self) -> u64 {
        self.ram_latency + 16
    }

    /// Operations are at least so many cycles apart; `control_ready` is 1 again by then (S10).
    #[must_use]
    pub const fn operations(self) -> u64 {
        self.ram_latency + 19
    }
}
