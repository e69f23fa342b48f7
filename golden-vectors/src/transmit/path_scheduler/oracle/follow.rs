// SPDX-License-Identifier: MIT OR Apache-2.0
//! A window that follows marks (T31).

use super::{Kind, Settings, Shape};

/// Quarters of a packet.
const PACKET: u64 = 4;

/// The window of a sub-path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Follow {
    /// In quarters of a packet; 0 before the first *start*.
    quarters: u64,
    /// GOOD since the last mark, as far as it is counted.
    calm: u64,
    /// GOOD since it has grown by a packet without being calm.
    growth: u64,
}

impl Follow {
    /// *Start*.
    pub fn start(&mut self, shape: Shape, initial: u64) {
        let largest = (1 << shape.initial_bits()) - 1;
        let quarters = PACKET * initial.clamp(1, largest);
        *self = Follow { quarters, calm: longest(shape), growth: 0 };
    }

    /// In packets.
    pub const fn packets(self) -> u64 {
        self.quarters / PACKET
    }

    /// The window of T20.
    pub const fn window(self, shape: Shape, settings: &Settings) -> u64 {
        if settings.initial == 0 { shape.window(settings.window) } else { self.packets() }
    }

    /// Feedback for an active sub-path that had so many packets in flight. It halves the window, or does not (T13, T32).
    pub fn hear(&mut self, shape: Shape, settings: &Settings, kind: Kind, halves: bool, in_flight: u64) {
        if settings.initial == 0 {
            return;
        }
        match kind {
            Kind::Good if 2 * in_flight >= self.packets() => self.grow(shape, settings),
            Kind::Nack | Kind::Mark if halves => (self.quarters, self.calm) = (PACKET.max(self.quarters / 2), 0),
            Kind::Ecn | Kind::Mark => (self.quarters, self.calm) = (PACKET.max(self.quarters - 1), 0),
            Kind::Nack => self.calm = 0,
            Kind::Timeout => (self.quarters, self.calm) = (PACKET, 0),
            _ => {}
        }
    }

    fn grow(&mut self, shape: Shape, settings: &Settings) {
        let largest = (1 << shape.initial_bits()) - 1;
        let may = self.quarters + PACKET <= PACKET * largest.min(shape.window(settings.window));
        let is_calm = self.calm >= 2 * self.quarters;
        let is_due = self.growth >= self.quarters / 2;
        self.calm = (self.calm + 1).min(longest(shape));
        if !is_calm {
            self.growth = if is_due { 0 } else { self.growth + 1 };
        }
        if may && (is_calm || is_due) {
            self.quarters += PACKET;
        }
    }
}

/// The largest number of GOOD since a mark that is counted.
const fn longest(shape: Shape) -> u64 {
    (8 << shape.initial_bits()) - 1
}
