// SPDX-License-Identifier: MIT OR Apache-2.0
//! What outputs are made of: what is known of an operation that ends, in step 2 `l` + 9 of its last pass.

use super::context::Owner;
use super::counts::Counted;
use super::pass::{Load, Pass, Record};
use super::results::{Repeated, Trigger};
use super::serving::Serving;
use super::windows::Room;
use rtl_model::{Bits, Logic};

/// An operation that ends.
#[derive(Clone, Copy)]
pub struct Ending<L: Logic> {
    pub pass: Pass<L>,
    pub load: Load<L>,
    pub walk: Serving<L>,
    pub owner: Owner<L>,
    pub room: Room<L>,
    pub counted: Counted<L>,
    /// The packet of a NACK or an examination is marked; a new one is sent; the second pass of *again*; it has found a
    /// packet.
    pub takes: Bits<L>,
    pub sends: Bits<L>,
    pub again: Bits<L>,
    pub repeats: Bits<L>,
    /// The scan under way is the end of a backoff.
    pub is_backoff: Bits<L>,
    /// The record of a NACK or an examination; its age, which is valid.
    pub found: Record<L>,
    pub age: Bits<L>,
    pub timed: Bits<L>,
    pub results: Released<L>,
}

/// What a walk has released.
#[derive(Clone, Copy)]
pub struct Released<L: Logic> {
    /// Packets in flight, and marked ones.
    pub packets: [Bits<L>; 2],
    pub late_bytes: Bits<L>,
    /// Bytes in flight in units of 256.
    pub quanta: Bits<L>,
    pub trigger: Trigger<L>,
    pub repeated: Repeated<L>,
}
