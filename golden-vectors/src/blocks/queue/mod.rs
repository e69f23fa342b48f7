// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the vectors of blocks have in common that items are pushed into and popped from in the same order: the ports,
//! and the cases.

mod cases;
mod script;
mod stage;

pub(crate) use cases::{add, load};

use std::collections::BTreeMap;
use std::fmt::Debug;

/// An oracle: a queue from reset on.
pub trait Queue {
    /// A push is accepted in this cycle.
    fn ready(&self) -> bool;
    /// The item that can be popped in this cycle, if there is one.
    fn front(&self) -> Option<u64>;
    /// Items pushed and not popped, if there is a port that says so.
    fn level(&self) -> Option<u64>;
    /// This cycle: an item that is offered, whether the receiver is ready. Then it is the next cycle.
    fn clock(&mut self, push: Option<u64>, pop: bool);
}

/// A size of a block.
pub trait Size: Copy + Debug {
    /// Its oracle.
    type Queue: Queue;

    /// The oracle in the first cycle after reset.
    fn queue(self) -> Self::Queue;
    /// As groups of vectors give it.
    fn configuration(self) -> BTreeMap<String, u64>;
    /// In the name of a group.
    fn name(self) -> String;
    /// Bits of an item.
    fn width(self) -> u64;
    /// Most items that it holds.
    fn capacity(self) -> u64;
    /// Cycles from push to pop.
    fn latency(self) -> u64;
    /// The rows of its contract that every case is about.
    fn rows(self) -> &'static [&'static str];
}

/// Flag, kind of fault, description.
pub(crate) const NOTES: [(&str, &str, &str); 7] = [
    ("Alone", "state", "An item into an empty queue."),
    ("Empty", "boundary", "Items are popped until there are none, and the receiver stays ready."),
    ("Full", "boundary", "Items are pushed until there is no room, and beyond."),
    ("FullLoad", "throughput", "An item in every cycle, in and out."),
    ("IgnoredTraffic", "handshake", "Whenever `push_ready` is 0, items are offered that must not be taken."),
    ("Stall", "handshake", "A sender or a receiver that pauses."),
    ("Wrap", "state", "More items than there are rows, so that the pointers wrap."),
];
