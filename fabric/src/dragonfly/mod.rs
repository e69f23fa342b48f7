// SPDX-License-Identifier: MIT OR Apache-2.0
//! A Dragonfly by packets, in cycles, with virtual cut-through, and the policies that route in it.

mod allocation;
mod audit;
pub mod calendar;
pub mod congestion;
pub mod counters;
pub mod measure;
pub mod network;
pub mod packet;
pub mod pattern;
pub mod policy;
pub mod route;
pub mod shape;
pub mod switches;
pub mod tables;
