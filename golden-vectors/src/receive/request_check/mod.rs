// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `request_check`: what it must do ([`oracle`]), and what is tried on it ([`cases`]).
//!
//! The stage stands behind `reorder`, so its inputs have to fit together. [`window`] answers arrivals as `reorder`
//! does, [`script`] writes events with it, and [`packets`] are messages and what can be wrong with them.

pub mod cases;
pub mod oracle;
pub mod packets;
mod random;
pub mod script;
pub mod window;
