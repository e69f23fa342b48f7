// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reading of a stage as hardware.

pub mod circuit;
