// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two devices, one stimulus, every output compared every cycle.

/// The first difference between two devices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("x")]
pub struct Mismatch {}
