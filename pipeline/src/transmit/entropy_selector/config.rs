// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters of the stage, and the widths that follow from them.

use super::modes::Modes;
use super::settings::EntropySelectorSettings;
use rtl_model::{Bits, Logic, Shape, bits, clog2, index_width};

/// Width of an EV on the wire: UDP source port or native entropy header.
pub const EV_WIDTH: u32 = 16;

/// Shortest RTT in clock cycles; a smaller setting counts as this (rule S9).
pub const SHORTEST_RTT: u64 = 64;

/// Lowest EV on the wire by default: the first dynamic UDP port.
pub const WIRE_BASE: u64 = 49_152;
/// Number of EVs on the wire by default: all dynamic UDP ports.
pub const WIRE_RANGE: u64 = 16_384;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntropySelectorConfig {
    /// Congestion control contexts, 1 to 4096.
    pub cccs: u64,
    /// Entropy values per context, a power of two from 16 to 1024.
    pub evs: u64,
    /// Clock cycles from address to row of the memories: 1; 2 with their output register; 3 with one more register.
    pub ram_latency: u32,
    /// Modes in which a CCC can be opened.
    pub modes: Modes,
    /// Egress ports to which the EVs are distributed, a power of two from 1 to 8.
    pub ports: u64,
    /// Lowest EV on the wire; a multiple of `wire_range`, and not 0.
    pub wire_base: u64,
    /// Number of EVs on the wire, a power of two from `evs` to 32768.
    pub wire_range: u64,
    /// Settings at power-up and after reset.
    pub settings: EntropySelectorSettings,
}

impl EntropySelectorConfig {
    /// `cccs` contexts of `evs` entropy values, in memories with their output register, with only mode `bitmap`, for
    /// one egress port.
    pub const fn new(cccs: u64, evs: u64) -> Self {
        EntropySelectorConfig {
            cccs,
            evs,
            ram_latency: 2,
            modes: Modes::BITMAP,
            ports: 1,
            wire_base: WIRE_BASE,
            wire_range: WIRE_RANGE,
            settings: EntropySelectorSettings::DEFAULT,
        }
    }

    /// The same with these modes.
    pub const fn modes(self, modes: Modes) -> Self {
        EntropySelectorConfig { modes, ..self }
    }

    /// The same with memories of another latency.
    pub const fn ram_latency(self, ram_latency: u32) -> Self {
        EntropySelectorConfig { ram_latency, ..self }
    }

    /// The same with this number of egress ports.
    pub const fn ports(self, ports: u64) -> Self {
        EntropySelectorConfig { ports, ..self }
    }

    /// The same with these numbers for EVs on the wire.
    pub const fn wire(self, wire_base: u64, wire_range: u64) -> Self {
        EntropySelectorConfig { wire_base, wire_range, ..self }
    }

    /// The same with these settings after reset.
    pub const fn settings(self, settings: EntropySelectorSettings) -> Self {
        EntropySelectorConfig { settings, ..self }
    }

    /// Width of a CCC number.
    pub(super) const fn ccc(self) -> Bits<Shape> {
        bits(index_width(self.cccs))
    }

    /// Width of an EV.
    pub(super) const fn ev_bits(self) -> u32 {
        clog2(self.evs)
    }

    /// Width of a count of EVs.
    pub(super) const fn count_bits(self) -> u32 {
        self.ev_bits() + 1
    }

    /// Width of the position of an EV in its word. A word has about as many EVs as a CCC has words, so that the search
    /// for the word and the search in the word are equally deep.
    pub(super) const fn bit_bits(self) -> u32 {
        self.ev_bits().div_ceil(2)
    }

    /// EVs per word.
    pub(super) const fn word_width(self) -> u32 {
        1 << self.bit_bits()
    }

    /// Words per CCC.
    pub(super) const fn words(self) -> u32 {
        1 << self.word_bits()
    }

    /// Width of a word number.
    pub(super) const fn word_bits(self) -> u32 {
        self.ev_bits() - self.bit_bits()
    }

    /// Width of the epoch of marks. Before the epoch counter wraps, the scrubber, which takes at most `cycles` per row, must
    /// have visited all rows and waited for one command.
    pub(super) const fn epoch_bits(self) -> u32 {
        let cycles = 8 + self.ram_latency as u64;
        let mut width = 3;
        while ((1 << width) - 4) * SHORTEST_RTT < cycles * self.cccs + 64 {
            width += 1;
        }
        width
    }

    /// Width of a number among those of EVs on the wire.
    pub(super) const fn wire_bits(self) -> u32 {
        clog2(self.wire_range)
    }

    /// Width of the upper bits of an EV on the wire (rule S22); 0 if there are none.
    pub(super) const fn upper_bits(self) -> u32 {
        self.wire_bits() - self.ev_bits()
    }

    /// Width in which the upper bits are stored.
    pub(super) const fn upper(self) -> Bits<Shape> {
        bits(if self.upper_bits() == 0 { 1 } else { self.upper_bits() })
    }

    /// An EV on the wire (rule S22).
    pub(super) fn on_wire<L: Logic>(self, upper: Bits<L>, ev: Bits<L>) -> Bits<L> {
        let low = if self.upper_bits() == 0 { ev } else { upper.concat(ev) };
        Bits::lit(EV_WIDTH - self.wire_bits(), self.wire_base / self.wire_range).concat(low)
    }

    /// Whether a number on the wire is not an EV of a CCC with these upper bits, whatever its EV space (rule S8).
    pub(super) fn foreign<L: Logic>(self, on_wire: Bits<L>, upper: Bits<L>) -> Bits<L> {
        let (wire_bits, ev_bits) = (self.wire_bits(), self.ev_bits());
        let base = on_wire.slice(wire_bits, EV_WIDTH - wire_bits).differs(self.wire_base / self.wire_range);
        match self.upper_bits() {
            0 => base,
            bits => base | on_wire.slice(ev_bits, bits).differs(upper),
        }
    }

    /// Egress port of an EV (rule S19): its lowest bits, so that EVs in numeric order use the ports in rotation.
    pub(super) fn port_of<L: Logic>(self, ev: Bits<L>) -> Bits<L> {
        match self.ports {
            1 => Bits::lit(1, 0),
            ports => ev.truncate(clog2(ports)),
        }
    }

    /// Whether the CCC number is below `cccs`; it may not be if `cccs` is not a power of two.
    pub(super) fn index_valid<L: Logic>(self, ccc: Bits<L>) -> Bits<L> {
        match self.cccs == 1 << index_width(self.cccs) {
            true => Bits::lit(1, 1),
            false => ccc.less(self.cccs),
        }
    }
}
