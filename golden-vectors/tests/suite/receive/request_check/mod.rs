// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `request_check`: its oracle, and what its cases and its random traffic cover.

mod coverage;
mod errors;
mod help;
mod inputs;
mod legal;
mod properties;
