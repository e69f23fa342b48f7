// SPDX-License-Identifier: MIT OR Apache-2.0
//! An arbiter: which of several requests is granted, by strict priority or in turn.
//!
//! ```text
//!  requests         0 1 1 0 1 1       bit 5 .. bit 0
//!  priority         0 0 0 0 0 1       the lowest
//!  round robin      0 0 1 0 0 0       the lowest above the last one granted (bit 1), else the lowest
//! ```
//!
//! The grant follows the requests in the same clock cycle: an arbiter is used inside a stage, and the stage has the
//! register. Its only state is which request was granted last.
//!
//! Round robin: a request that stays is granted after at most `requests - 1` grants of others. Strict priority: a request
//! may wait as long as there are lower ones.

use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, index_width, name_nets, select, when};

/// Most requests of an arbiter: the bits of a narrow signal.
pub const MAX_REQUESTS: u32 = 64;

/// Which request is granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The one with the lowest number.
    Priority,
    /// The next one after the request that was granted last, in the order of the numbers, from the last to the first.
    RoundRobin,
}

impl Policy {
    /// All of them, with their names in a configuration.
    pub const ALL: [(&str, Self); 2] = [("priority", Policy::Priority), ("round_robin", Policy::RoundRobin)];
}

/// The result of an arbitration.
#[derive(Bundle)]
#[shape(requests: u32)]
pub struct Grant<L: Reading> {
    /// There is a request, and so a grant.
    #[reset]
    pub valid: Bits<L>,
    /// One bit per request: 1 for the one that is granted.
    #[width(requests)]
    pub one_hot: Bits<L>,
    /// Its number.
    #[width(index_width(requests as u64))]
    pub number: Bits<L>,
}

/// Grants one of several requests.
#[name_nets]
pub struct Arbiter<L: Logic> {
    /// One bit per request: 1 for those above the last one granted. Only round robin has it.
    above_last: Option<Reg<Bits<L>>>,
}

#[name_nets]
impl<L: Logic> Arbiter<L> {
    /// An arbiter among `requests` requests, 2 to 64. Round robin begins with request 0, at power-up and after reset.
    #[track_caller]
    pub fn new(policy: Policy, requests: u32) -> Self {
        assert!((2..=MAX_REQUESTS).contains(&requests), "an arbiter has 2 to {MAX_REQUESTS} requests, not {requests}");
        let all = || Bits::lit(requests, u64::MAX >> (u64::BITS - requests));
        let in_turn = policy == Policy::RoundRobin;
        Arbiter { above_last: in_turn.then(|| Reg::starting_at(&bits(requests), all()).with_reset()) }
    }

    /// The grant for these requests, one bit each. Without a request all of it is 0.
    #[track_caller]
    pub fn grant(&self, requests: Bits<L>) -> Grant<L> {
        let lowest = lowest(requests);
        match &self.above_last {
            None => lowest,
            Some(above_last) => {
                // Both searches are made side by side, which is faster than one that waits for the other.
                let next = lowest_above(requests, above_last.get());
                let found = next.valid;
                Grant { valid: lowest.valid, ..select(found, next, lowest) }
            }
        }
    }

    /// One clock edge: if `advance` is 1, the grant of this clock cycle is taken, and the next request is next. Without a
    /// grant nothing changes.
    pub fn clock(&self, grant: Grant<L>, advance: Bits<L>) {
        if let Some(above_last) = &self.above_last {
            let above = !(grant.one_hot | (grant.one_hot - 1));
            when(advance & grant.valid, || above_last.set(above));
        }
    }
}

/// The grant of the lowest request.
#[name_nets]
fn lowest<L: Logic>(requests: Bits<L>) -> Grant<L> {
    // A subtraction turns the lowest 1 to 0, and all bits below it to 1.
    Grant { valid: requests.any(), one_hot: requests & !(requests - 1), number: requests.first_set() }
}

/// The same among the requests that `above` marks.
#[name_nets]
fn lowest_above<L: Logic>(requests: Bits<L>, above: Bits<L>) -> Grant<L> {
    lowest(requests & above)
}
