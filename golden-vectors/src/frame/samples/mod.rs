// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames, and parts of frames, that the suites of several stages are made of.

pub mod moved;
pub mod notes;
pub mod padded;
pub mod rocev2;
pub mod tags;
