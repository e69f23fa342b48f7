// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `lia_router`: what it must do ([`oracle`]), and the vectors that test it.

pub mod oracle;
