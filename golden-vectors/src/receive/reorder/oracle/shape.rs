// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of the stage, and the clock cycles that the contract states.

use super::{Limits, Settings};
use crate::collect::ports::named;
use std::collections::BTreeMap;

/// The pool in which frames are held, with `hold = "payload"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PoolShape {
    /// Width of a beat in bits.
    pub data_width: u64,
    /// Number of cells.
    pub cells: u64,
    /// Bytes of a cell.
    pub cell_bytes: u64,
    /// The limits in force after reset.
    pub reset: Limits,
}

/// No frame has more bytes in cells than this (R31).
const LONGEST: u64 = 16_384;

impl PoolShape {
    /// With the default limits.
    #[must_use]
    pub const fn new(data_width: u64, cells: u64, cell_bytes: u64) -> Self {
        PoolShape { data_width, cells, cell_bytes, reset: Limits { quota: cells / 4, reserve: cells / 16 } }
    }

    /// Beats of a cell.
    #[must_use]
    pub const fn cell_beats(self) -> u64 {
        self.cell_bytes * 8 / self.data_width
    }

    /// Beats of the longest frame that is not cut (R31).
    #[must_use]
    pub const fn longest(self) -> u64 {
        LONGEST * 8 / self.data_width
    }
}

/// The size of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of connections.
    pub connections: u64,
    /// PSNs in the window of a connection, *W*.
    pub window: u64,
    /// Number of sub-paths of a connection.
    pub paths: u64,
    /// Width *n* of a PSN.
    pub psn_bits: u32,
    /// Width of a handle.
    pub handle_bits: u32,
    /// Latency *l* of the memories in clock cycles: 1, 2 or 3.
    pub ram_latency: u64,
    /// The settings in force after reset.
    pub reset: Settings,
    /// The pool of `hold = "payload"`; without it there are handles.
    pub pool: Option<PoolShape>,
}

impl Shape {
    /// The first sub-path that no connection has; if each of 8 bits is one, the last.
    #[must_use]
    pub fn past_paths(&self) -> u64 {
        self.paths.min(255)
    }

    /// With 4 sub-paths, PSNs of 24 bits, handles of 16 bits, memories of latency 2, and the default settings.
    #[must_use]
    pub const fn new(connections: u64, window: u64) -> Self {
        let reset = Settings { span: window / 2, time: 121 };
        Shape { connections, window, paths: 4, psn_bits: 24, handle_bits: 16, ram_latency: 2, reset, pool: None }
    }

    /// The same size with memories of this latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// The same size with so many sub-paths.
    #[must_use]
    pub const fn paths(self, paths: u64) -> Self {
        Shape { paths, ..self }
    }

    /// The same size with PSNs of this width.
    #[must_use]
    pub const fn psn_bits(self, psn_bits: u32) -> Self {
        Shape { psn_bits, ..self }
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

    /// The same size with frames in this pool.
    #[must_use]
    pub const fn pool(self, pool: PoolShape) -> Self {
        Shape { pool: Some(pool), ..self }
    }

    /// The size as the parameters of a group of vectors.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { connections, window, paths, psn_bits, handle_bits, ram_latency, .. } = self;
        let size = [("connections", connections), ("window", window), ("paths", paths), ("ram_latency", ram_latency)];
        let hold: &[(&str, u64)] = match self.pool {
            None => &[("handle_bits", handle_bits.into())],
            Some(PoolShape { data_width, cells, cell_bytes, reset: Limits { quota, reserve } }) => &[
                ("hold", 1),
                ("data_width", data_width),
                ("cells", cells),
                ("cell_bytes", cell_bytes),
                ("quota", quota),
                ("reserve", reserve),
            ],
        };
        let all = size.into_iter().chain([("psn_bits", psn_bits.into())]).chain(hold.iter().copied());
        named(all)
    }

    /// Number of PSNs, 2 to the *n*.
    #[must_use]
    pub const fn psns(self) -> u64 {
        1 << self.psn_bits
    }

    /// The first cycle after the sweep (R20, R37).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        let rows = self.connections * self.paths;
        let rows = match self.pool {
            Some(pool) if pool.cells > rows => pool.cells,
            _ => rows,
        };
        rows + self.ram_latency + 12
    }

    /// Cycles from an arrival to its answer (R4).
    #[must_use]
    pub const fn answer(self) -> u64 {
        self.ram_latency + 12
    }

    /// Cycles from an arrival to the time of its sub-path (R6).
    #[must_use]
    pub const fn path_time(self) -> u64 {
        2 * self.ram_latency + 5
    }

    /// Cycles from an arrival in order to its delivery, with frames to its first beat, if the stage is idle (R11, R34).
    #[must_use]
    pub const fn delivery(self) -> u64 {
        if self.pool.is_some() { 5 * self.ram_latency + 26 } else { 4 * self.ram_latency + 21 }
    }

    /// The fewest cycles from one turn of a connection to its next one (R11).
    #[must_use]
    pub const fn turn_interval(self) -> u64 {
        2 * self.ram_latency + 4
    }

    /// Cycles until all is known by which an arrival is judged: with frames, the quota (R32).
    #[must_use]
    pub const fn judged(self) -> u64 {
        if self.pool.is_some() { self.ram_latency + 1 } else { 0 }
    }

    /// Cycles from an accepted packet to the first arrival for which it counts as used (R32).
    #[must_use]
    pub const fn counted(self) -> u64 {
        self.ram_latency + 8
    }

    /// Cycles from the return of a cell to the first arrival for which it is not used any more (R32), and in which it is
    /// free again (R36).
    #[must_use]
    pub const fn freed(self) -> u64 {
        self.ram_latency + 6
    }

    /// Cycles from an arrival to the visit of its first cell, if the walk waits for nothing (R33).
    #[must_use]
    pub const fn walk(self) -> u64 {
        2 * self.ram_latency + 10
    }

    /// Cycles from the effect of *close* to the return of the first cell (R35).
    #[must_use]
    pub const fn clearing(self) -> u64 {
        2 * self.ram_latency + 20
    }

    /// Cycles from the return of a cell of a closed connection to that of the next one (R35).
    #[must_use]
    pub const fn clearing_interval(self) -> u64 {
        self.ram_latency + 6
    }

    /// Cycles from an arrival to the time of its gap (R13).
    #[must_use]
    pub const fn gap_time(self) -> u64 {
        self.ram_latency + 10
    }

    /// Cycles from an arrival, a command or a check to the first visit that sees it (R14).
    #[must_use]
    pub const fn visible(self) -> u64 {
        self.ram_latency + 11
    }

    /// Cycles from a visit to its comparison with the tolerance (R14).
    #[must_use]
    pub const fn compare(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a check to its event (R16).
    #[must_use]
    pub const fn event(self) -> u64 {
        self.ram_latency + 11
    }

    /// Cycles from a command to its effect (R17).
    #[must_use]
    pub const fn effect(self) -> u64 {
        self.ram_latency + 12
    }

    /// Cycles from a command to its response (R17). The next one is accepted one cycle later.
    #[must_use]
    pub const fn response(self) -> u64 {
        2 * self.ram_latency + 25
    }
}
