// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of blocks that items pass through.

use rtl_model::{Bits, Bundle, Reading, Shape, Wide, bits, wide};

/// An item on its way; a transfer happens in each clock cycle in which `ready` is 1 too.
#[derive(Bundle)]
pub struct Item<L: Reading> {
    /// There is an item.
    pub valid: Bits<L>,
    /// The item.
    pub data: Wide<L>,
}

impl Item<Shape> {
    /// Of so many bits.
    pub const fn new(width: u32) -> Self {
        Item { valid: bits(1), data: wide(width) }
    }
}

/// The backward half of a handshake.
#[derive(Bundle)]
pub struct Ready<L: Reading> {
    /// The receiver is ready.
    pub ready: Bits<L>,
}

impl Ready<Shape> {
    /// One bit.
    pub const fn new() -> Self {
        Ready { ready: bits(1) }
    }
}

impl Default for Ready<Shape> {
    fn default() -> Self {
        Self::new()
    }
}

/// Inputs of a block that items are pushed into and popped from.
#[derive(Bundle)]
pub struct PushPop<L: Reading> {
    /// Items that are pushed.
    pub push: Item<L>,
    /// The receiver of the items that are popped.
    pub pop: Ready<L>,
}

impl PushPop<Shape> {
    /// For items of so many bits.
    pub const fn new(width: u32) -> Self {
        PushPop { push: Item::<Shape>::new(width), pop: Ready::new() }
    }
}
