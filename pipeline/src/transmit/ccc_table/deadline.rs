// SPDX-License-Identifier: MIT OR Apache-2.0
//! Deadlines in units of 128 ns, modulo 2^20.

use super::ports::{TIME_WIDTH, WAIT_WIDTH};
use super::products::saturated;
use rtl_model::{Bits, Logic, name_nets};

/// Bits of a difference that are all 1 before the deadline.
const BEFORE_BITS: u32 = 4;

/// 1 unless the deadline is at most 2^16 units ahead.
#[name_nets]
pub fn reached<L: Logic>(now: Bits<L>, deadline: Bits<L>) -> Bits<L> {
    let late = now - deadline;
    !late.slice(TIME_WIDTH - BEFORE_BITS, BEFORE_BITS).all()
}

/// The sum of two waits, at most 65535.
#[name_nets]
pub fn wait<L: Logic>(a: Bits<L>, b: Bits<L>) -> Bits<L> {
    saturated(a.extend(WAIT_WIDTH + 1) + b.extend(WAIT_WIDTH + 1), WAIT_WIDTH)
}

/// The time after a wait.
#[name_nets]
pub fn after<L: Logic>(now: Bits<L>, wait: Bits<L>) -> Bits<L> {
    now + wait.extend(TIME_WIDTH)
}
