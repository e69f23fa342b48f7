// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of the reference, in the folders of the crate: cases of the contracts, and blocks against a queue or a rule.

mod blocks;
mod examples;
mod nic;
mod receive;
mod routing;
mod transmit;
