// SPDX-License-Identifier: MIT OR Apache-2.0
//! A network in plain Rust that works on frames, one step for each clock cycle: links, queues of switches that mark, trim or
//! drop, and paths between switches that are chosen by the UDP source port. Everything random comes from a seed.
//!
//! ```text
//!  host -> link -> leaf -> port -> host          hosts of one leaf
//!                     |
//!                     +-> port of a path -> leaf -> port -> host
//!
//!  port = queue of a switch output + link
//! ```

pub mod fabric;
pub mod headers;
pub mod link;
pub mod marking;
pub mod port;
pub mod queue;
pub mod trim;

pub use fabric::{Fabric, FabricConfig, PathConfig};
pub use headers::Headers;
pub use link::{Link, LinkConfig, Rate};
pub use marking::Marking;
pub use port::{Impairment, Port, PortConfig, PortCounts};
pub use queue::{Class, OutputQueue, QueueConfig, QueueCounts};
pub use trim::{Lengths, Trimming};

/// The bytes of a frame, without FCS.
pub type FrameBytes = Vec<u8>;

#[cfg(test)]
pub(crate) mod samples;
