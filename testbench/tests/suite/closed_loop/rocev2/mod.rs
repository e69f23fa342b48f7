// SPDX-License-Identifier: MIT OR Apache-2.0
//! Closed loops of NICs with multipath RoCEv2 (rows TX28 to TX39, NI11). Every frame on a wire has the right ICRC, and every
//! packet that arrives is held against the message that its PSN says it is of.

mod changes;
mod contexts;
mod dead;
mod faults;
mod flows;
mod harness;
mod marks;
mod plain;
mod probes;
mod rates;
pub mod setup;
mod trimmed;
mod unequal;
