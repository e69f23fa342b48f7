// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages of switches.

mod lia_router;
