// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `ccc_table`: what it must do ([`oracle`]), and the vectors that test it.

pub mod oracle;
