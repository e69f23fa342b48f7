// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waveforms: the ports, and the registers of a device with probes, in every cycle, under the names of the source.
//!
//! A [`Layout`] lists the signals, a [`Recording`] keeps the last cycles in memory, and a [`Traced`] device writes each
//! cycle to a [`TraceFile`]; a [`TraceHandle`] does so for a device that is given away. Both use a [`Writer`], which handles times and scopes for VCD and FST alike. [`picture`]
//! draws a recording.
//!
//! ```text
//! time  10n        the rising edge that begins cycle n; ports and registers have the values of cycle n until
//!       10n + 5    (falling edge)
//!       10n + 10   the next rising edge, which sees them
//! ```

mod file;
mod format;
mod handle;
mod layout;
pub mod picture;
mod recording;
mod traced;
mod writer;

pub use file::{TraceFile, write};
pub use format::Format;
pub use handle::TraceHandle;
pub use layout::{Layout, Signal};
pub use recording::{Recorded, Recording};
pub use traced::Traced;
pub use writer::{Writer, write_to};
