// SPDX-License-Identifier: MIT OR Apache-2.0
//! Examples: two small stages that the documentation explains line by line. [`tally`] shows the language,
//! [`mark_monitor`] all that a stage needs from its contract to its registration.

pub mod mark_monitor;
pub mod tally;
