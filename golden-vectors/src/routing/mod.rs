// SPDX-License-Identifier: MIT OR Apache-2.0
//! Routing in switches: what `lia_router` must do, and its vectors.

pub mod lia_router;
