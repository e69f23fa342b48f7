// SPDX-License-Identifier: MIT OR Apache-2.0
//! The random numbers of a switch (LR6): xorshift of 32 bits (Marsaglia, 2003), shifts 13, 17 and 5. Every request takes one.

/// A generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generator(u32);

impl Generator {
    /// A generator that begins with this number; 0 counts as 1.
    #[must_use]
    pub const fn new(seed: u32) -> Self {
        Generator(if seed == 0 { 1 } else { seed })
    }

    /// The number that the next request takes.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Takes the number.
    pub const fn draw(&mut self) -> u32 {
        let number = self.0;
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        number
    }
}

/// A number below `many`, in proportion to 16 random bits.
#[must_use]
pub const fn scaled(bits: u32, many: u64) -> u64 {
    ((bits as u64 & 0xFFFF) * many) >> 16
}
