// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drivers and monitors for valid/ready streams, found among the interfaces of a device by their names.
//!
//! ```text
//! Source -> s_axis_*  +--------+  m_axis_*    -> Sink
//!                     | device |  m_record_*  -> Sink
//!                     +--------+
//! ```
//! [`Streams`] joins any number of them into one [`Drive`](crate::drive::Drive).

mod axis;
mod channel;
mod sink;
mod source;
mod streams;

#[cfg(test)]
mod tests;

pub use axis::{Frame, beats, frames};
pub use channel::{Channel, Item};
pub use sink::Sink;
pub use source::{Feed, Source};
pub use streams::Streams;
