// SPDX-License-Identifier: MIT OR Apache-2.0
//! The time-out, which doubles with each one in a row up to a limit: min(*rto* x 2^*retries*, 2^26 - 1).

use super::ports::{RETRIES_WIDTH, RTO_WIDTH, TIMER_WIDTH};
use rtl_model::{Bits, Logic, name_nets, select};

/// The longest time-out.
pub const LONGEST: u64 = (1 << RTO_WIDTH) - 1;
/// Width of a time-out without the limit.
pub const TIMEOUT_WIDTH: u32 = RTO_WIDTH + (1 << RETRIES_WIDTH) - 1;

/// The first time that a PDC waits for an ACK: up to the probe of its tail, if it `probes` that, or up to the time-out.
#[name_nets]
pub fn first<L: Logic>(probes: Bits<L>, tail_probe: Bits<L>, rto: Bits<L>) -> Bits<L> {
    select(probes, tail_probe.extend(RTO_WIDTH), rto)
}

/// The time-out without the limit, which is applied one step later.
#[name_nets]
pub fn timeout<L: Logic>(rto: Bits<L>, retries: Bits<L>) -> Bits<L> {
    rto.extend(TIMEOUT_WIDTH) << retries
}

/// The time-out with the limit.
#[name_nets]
pub fn limited<L: Logic>(timeout: Bits<L>) -> Bits<L> {
    timeout.truncate(RTO_WIDTH) | is_beyond(timeout).extend_signed(RTO_WIDTH)
}

/// The age is at least the time-out.
#[name_nets]
pub fn reached<L: Logic>(age: Bits<L>, timeout: Bits<L>) -> Bits<L> {
    let largest = age.at_least(LONGEST);
    // Both comparisons are made beside the search for the limit.
    let within = age.at_least(timeout.truncate(RTO_WIDTH).extend(TIMER_WIDTH));
    largest | within & !is_beyond(timeout)
}

#[name_nets]
fn is_beyond<L: Logic>(timeout: Bits<L>) -> Bits<L> {
    timeout.slice(RTO_WIDTH, TIMEOUT_WIDTH - RTO_WIDTH).any()
}
