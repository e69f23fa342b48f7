// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of blocks that items pass through.

use rtl_model::{Bits, Bundle, Reading, Wide};

/// An item on its way; a transfer happens in each clock cycle in which `ready` is 1 too.
#[derive(Bundle)]
#[shape(width: u32)]
pub struct Item<L: Reading> {
    /// There is an item.
    pub valid: Bits<L>,
    /// The item.
    #[width(width)]
    pub data: Wide<L>,
}

/// The backward half of a handshake.
#[derive(Bundle)]
#[shape]
pub struct Ready<L: Reading> {
    /// The receiver is ready.
    pub ready: Bits<L>,
}

/// Inputs of a block that items are pushed into and popped from.
#[derive(Bundle)]
#[shape(width: u32)]
pub struct PushPop<L: Reading> {
    /// Items that are pushed.
    pub push: Item<L>,
    /// The receiver of the items that are popped.
    pub pop: Ready<L>,
}
