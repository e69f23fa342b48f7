// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drivers and monitors for valid/ready streams, found among the interfaces of a device by their names.
//!
//! ```text
//! Source -> s_axis_*  +--------+  m_axis_*    -> Sink
//!                     | device |  m_record_*  -> Sink
//!                     +--------+
//! ```
//! [`Streams`] joins any number of them into one [`Drive`](crate::device::drive::Drive). Frames have a [`side_band`], and a
//! [`record`] of their headers goes beside them.

mod axis;
mod channel;
mod joined;
pub mod record;
pub mod side_band;
mod sink;
mod source;

#[cfg(test)]
mod tests;

pub use axis::{Frame, beats, frames};
pub use channel::{Channel, Item};
pub use joined::Streams;
pub use sink::Sink;
pub use source::{Feed, Source};
