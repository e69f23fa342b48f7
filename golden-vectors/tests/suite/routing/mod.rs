// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracles and vectors of the stages of switches.

mod lia_router;
