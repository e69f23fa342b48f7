// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage, its settings from reset on, and the widths derived from them.

use super::payload::config::PayloadConfig;
use crate::blocks::command_port::CommandPortShape;
use crate::blocks::secded::{Protection, RamKind};
use rtl_model::{Bits, Shape, bits, clog2};

/// PSNs that the search looks at as one group: bits of a narrow word that are searched in one step.
pub const GROUP: u32 = 16;
/// Most packets that are read in one turn (row R10). A lone connection gets a turn every 2 `l` + 4 clock cycles, so that it
/// is read at one packet per clock cycle.
pub const TURN: u64 = 16;
/// Most packets that are read and not transferred (row R9), and most turns whose run the reader has not taken.
pub const PLACES: u64 = 16;
/// Address bits of one block of the memory of slots, from which on its rows have lanes.
const BLOCK_BITS: u32 = 14;
/// Most address bits of a lane: 16 lanes of 64 bits are as wide as a row can be.
const MOST_LANE_BITS: u32 = 4;

/// What is held for a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Hold {
    /// A handle.
    #[default]
    Descriptor,
    /// Its frame, in a pool of cells.
    Payload(PayloadConfig),
}

/// The settings from reset on, in the units of the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReorderSettings {
    /// Largest span of a gap that is tolerated (row M100).
    pub span: u64,
    /// Largest age of a gap that is tolerated, in units of 64 clock cycles: two RTT (row M57).
    pub time: u64,
}

impl ReorderSettings {
    /// The default for a window of this many PSNs: half of it, and 24 us at 322.265625 MHz.
    pub const fn for_window(window: u64) -> Self {
        ReorderSettings { span: window / 2, time: 121 }
    }
}

/// Size of the stage `reorder`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReorderConfig {
    /// Number of connections, a power of two from 2 to 4096.
    pub connections: u64,
    /// PSNs in the window of a connection: 64, 128, 256, 512 or 1024.
    pub window: u64,
    /// Number of sub-paths per connection, a power of two from 2 to 256.
    pub paths: u64,
    /// Width of a PSN: 24 bits for RoCEv2, 32 for UET.
    pub psn_bits: u32,
    /// Width of a handle, 1 to 64 bits; without effect if frames are held.
    pub handle_bits: u32,
    /// What is held for a packet.
    pub hold: Hold,
    /// Latency of the memories in clock cycles, 1 to 3.
    pub ram_latency: u32,
    /// What the memories do about flipped bits.
    pub sram_protection: Protection,
    /// The settings from reset on.
    pub settings: ReorderSettings,
}

impl ReorderConfig {
    /// A stage of this many connections and this window, with 8 sub-paths, PSNs of 24 bits, handles of 16 bits, memories
    /// of latency 2 and the default settings.
    pub const fn new(connections: u64, window: u64) -> Self {
        ReorderConfig {
            connections,
            window,
            paths: 8,
            psn_bits: 24,
            handle_bits: 16,
            hold: Hold::Descriptor,
            ram_latency: 2,
            sram_protection: Protection::None,
            settings: ReorderSettings::for_window(window),
        }
    }

    /// Clock cycles from an arrival to its answer (row R4).
    pub const fn answer_latency(self) -> u32 {
        self.ram_latency + 12
    }

    /// Clock cycles from a command to its effect (row R17).
    pub const fn command_latency(self) -> u32 {
        self.ram_latency + 12
    }

    /// Clock cycles from a command to its response (row R17).
    pub const fn response_latency(self) -> u32 {
        2 * self.ram_latency + 25
    }

    /// Clock cycles from an arrival in order to its delivery, if nothing else is being delivered (row R11).
    pub const fn delivery_latency(self) -> u32 {
        4 * self.ram_latency + 21
    }

    /// How the memories are built.
    pub(super) const fn ram(self) -> RamKind {
        RamKind { latency: self.ram_latency, protection: self.sram_protection }
    }

    /// Clock cycles from an arrival in order to the first beat of its frame, if nothing else is being delivered (row R34).
    pub const fn frame_latency(self) -> u32 {
        5 * self.ram_latency + 26
    }

    /// The step in which an arrival moves the expected PSN.
    pub(super) const fn move_step(self) -> u32 {
        self.ram_latency + 10
    }

    /// The last step of a pass.
    pub(super) const fn last_step(self) -> u32 {
        self.ram_latency + 12
    }

    /// Shape of the number of a connection.
    pub(super) const fn connection(self) -> Bits<Shape> {
        bits(clog2(self.connections))
    }

    /// Shape of a PSN.
    pub(super) const fn psn(self) -> Bits<Shape> {
        bits(self.psn_bits)
    }

    /// Width of the number of a slot.
    pub(super) const fn slot_bits(self) -> u32 {
        clog2(self.window)
    }

    /// Width of a number of PSNs from 0 to the window.
    pub(crate) const fn count_bits(self) -> u32 {
        self.slot_bits() + 1
    }

    /// The pool, if frames are held.
    pub(super) const fn pool(self) -> Option<PayloadConfig> {
        match self.hold {
            Hold::Descriptor => None,
            Hold::Payload(pool) => Some(pool),
        }
    }

    /// Width of a slot.
    pub(super) const fn slot_width(self) -> u32 {
        match self.hold {
            Hold::Descriptor => self.handle_bits,
            Hold::Payload(pool) => pool.slot_width(),
        }
    }

    /// The step of an arrival in which the content of its slot is known.
    pub(super) const fn slot_step(self) -> u32 {
        match self.hold {
            Hold::Descriptor => 0,
            Hold::Payload(_) => 2,
        }
    }

    /// Number of slots of all connections.
    pub(super) const fn slots(self) -> u64 {
        self.connections * self.window
    }

    /// Address bits of the lane of a slot: as many lanes as there would be blocks one behind the other, but two at least.
    pub(super) fn lane_bits(self) -> u32 {
        clog2(self.slots()).saturating_sub(BLOCK_BITS).clamp(1, MOST_LANE_BITS)
    }

    /// Number of groups of a row.
    pub(super) const fn groups(self) -> u32 {
        self.window as u32 / GROUP
    }

    /// Width of the number of a sub-path.
    pub(super) const fn path_bits(self) -> u32 {
        clog2(self.paths)
    }

    /// Number of sub-paths of all connections.
    pub(super) const fn sub_paths(self) -> u64 {
        self.connections * self.paths
    }

    /// The command port: the next command is accepted when this one has been answered.
    pub(super) fn command_port(self) -> CommandPortShape {
        CommandPortShape {
            rows: self.pool().map_or(0, |pool| pool.cells).max(self.sub_paths()),
            low_bits: self.path_bits(),
            high_bits: clog2(self.connections),
            // Until the last row has been swept in the copies that visits read.
            drain_cycles: self.ram_latency as u64 + 12,
            command_interval: self.response_latency() as u64 + 1,
        }
    }

    /// Part of the module name: the sizes.
    pub(super) fn suffix(self) -> String {
        let ReorderConfig { connections, window, paths, psn_bits, handle_bits, hold, .. } = self;
        let held = match hold {
            Hold::Descriptor => format!("h{handle_bits}"),
            Hold::Payload(pool) => pool.suffix(),
        };
        let protected = if self.sram_protection == Protection::Secded { "secded" } else { "" };
        format!("c{connections}w{window}p{paths}n{psn_bits}{held}{protected}")
    }
}
