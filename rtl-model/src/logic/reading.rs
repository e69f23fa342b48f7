// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a record of signals is interpreted: as widths, as values or as nets.

use std::fmt::Debug;

/// An interpretation of a record of signals, with its types for narrow (up to 64 bits) and wide signals (up to 1024).
pub trait Reading: Copy + Debug + 'static {
    /// Type of a signal of 1 to 64 bits.
    type Narrow: Copy + Debug;
    /// Type of a signal of 1 to 1024 bits.
    type Wide: Copy + Debug;
}

/// The interpretation in which a record of signals holds their widths.
#[derive(Clone, Copy, Debug)]
pub struct Shape;

impl Reading for Shape {
    type Narrow = u32;
    type Wide = u32;
}
