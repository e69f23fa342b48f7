// SPDX-License-Identifier: MIT OR Apache-2.0
//! The example of a new stage, `mark_monitor`: what it must do, and its vectors.

pub mod mark_monitor;
