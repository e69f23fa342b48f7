// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of the stage, and the clock cycles that the contract states.

use super::Settings;
use crate::collect::ports::named;
use std::collections::BTreeMap;

/// The algorithms that a stage includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithms {
    /// Every CCC has NSCC.
    Nscc,
    /// Every CCC has RCCC.
    Rccc,
    /// *Open* chooses for each CCC.
    Both,
    /// No CCC has any.
    None,
}

/// The size of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of CCCs.
    pub cccs: u64,
    /// What the stage includes.
    pub algorithms: Algorithms,
    /// Strict classes of grants.
    pub classes: u64,
    /// *k*: the weight of a delay sample is 2 to the -*k*.
    pub delay_shift: u32,
    /// Bytes of a unit of credit.
    pub credit_unit: u64,
    /// Latency *l* of the memories in clock cycles: 1, 2 or 3.
    pub ram_latency: u64,
    /// The settings in force after reset.
    pub reset: Settings,
}

impl Shape {
    /// With 2 classes, *k* = 6, credit in units of 256 bytes, memories of latency 2, and the default settings.
    #[must_use]
    pub const fn new(algorithms: Algorithms, cccs: u64) -> Self {
        let reset = Settings::RESET;
        Shape { cccs, algorithms, classes: 2, delay_shift: 6, credit_unit: 256, ram_latency: 2, reset }
    }

    /// The same size with memories of this latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// The same size with so many classes.
    #[must_use]
    pub const fn classes(self, classes: u64) -> Self {
        Shape { classes, ..self }
    }

    /// The same size with this *k*.
    #[must_use]
    pub const fn delay_shift(self, delay_shift: u32) -> Self {
        Shape { delay_shift, ..self }
    }

    /// The same size with credit in units of so many bytes.
    #[must_use]
    pub const fn credit_unit(self, credit_unit: u64) -> Self {
        Shape { credit_unit, ..self }
    }

    /// The same size with these settings after reset.
    #[must_use]
    pub const fn reset(self, reset: Settings) -> Self {
        Shape { reset, ..self }
    }

    /// The size as the parameters of a group of vectors. What is included is its index among all.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { cccs, algorithms, classes, delay_shift, credit_unit, ram_latency, .. } = self;
        let size = [("cccs", cccs), ("algorithms", algorithms as u64), ("classes", classes)];
        let other = [("delay_shift", delay_shift.into()), ("credit_unit", credit_unit), ("ram_latency", ram_latency)];
        named(size.into_iter().chain(other))
    }

    /// Whether a CCC may have NSCC.
    #[must_use]
    pub const fn has_nscc(self) -> bool {
        matches!(self.algorithms, Algorithms::Nscc | Algorithms::Both)
    }

    /// Whether a CCC may have RCCC.
    #[must_use]
    pub const fn has_rccc(self) -> bool {
        matches!(self.algorithms, Algorithms::Rccc | Algorithms::Both)
    }

    /// The first cycle after the sweep (C34).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.cccs + 64
    }

    /// Cycles from a pass to its effect, *x* - *p*.
    #[must_use]
    pub const fn effect(self) -> u64 {
        self.ram_latency + 20
    }

    /// Cycles from the effect of a pass that lists a CCC to the first take (C28).
    #[must_use]
    pub const fn there(self) -> u64 {
        self.ram_latency + 3
    }

    /// Cycles from a take without grant to the last one in which it is open (C29).
    #[must_use]
    pub const fn void_take(self) -> u64 {
        self.ram_latency + 4
    }

    /// Cycles from a take to the ports (C30).
    #[must_use]
    pub const fn output(self) -> u64 {
        self.ram_latency + 5
    }

    /// Cycles from when a command enters to its response (C31).
    #[must_use]
    pub const fn response(self) -> u64 {
        self.ram_latency + 22
    }

    /// Cycles from an event that makes a CCC ready to its grant, if the stage is idle.
    #[must_use]
    pub const fn idle(self) -> u64 {
        1 + self.effect() + self.there() + self.output()
    }
}

/// Cycles from the pass that starts an adjustment to the pass that it is (C20).
pub const DISTANCE: u64 = 64;

/// Cycles from `settings_valid` to the first one in which the settings are in force (C33).
pub const PAUSE: u64 = 161;

/// Cycles from a pass to its *now* (C3).
pub const NOW: u64 = 2;

/// Takes that may be open (C29).
pub const TAKES: usize = 16;
