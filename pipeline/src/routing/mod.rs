// SPDX-License-Identifier: MIT OR Apache-2.0
//! Routing in switches. [`lia_router`] chooses minimal or non-minimal paths in a Dragonfly.

pub mod lia_router;
