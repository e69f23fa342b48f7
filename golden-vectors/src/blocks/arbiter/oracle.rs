// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an arbiter must do, cycle by cycle: the rows "An" of the section on `arbiter` in `docs/blocks.md`.

use crate::collect::ports::named;
use std::collections::BTreeMap;

/// The size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of requests.
    pub requests: u64,
    /// In turn; else the lowest.
    pub round_robin: bool,
}

impl Shape {
    /// Among so many requests.
    #[must_use]
    pub const fn new(requests: u64, round_robin: bool) -> Self {
        Shape { requests, round_robin }
    }

    /// As groups of vectors give it.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { requests, round_robin } = self;
        named([("requests", requests), ("policy", round_robin.into())])
    }
}

/// An arbiter from reset on.
#[derive(Clone, Debug)]
pub struct Arbiter {
    shape: Shape,
    /// The grant that waits.
    granted: Option<u64>,
    /// The request that was granted last, since reset.
    last: Option<u64>,
}

impl Arbiter {
    /// In the first cycle after reset.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Arbiter { shape, granted: None, last: None }
    }

    /// The number of the request that is granted in this cycle.
    #[must_use]
    pub const fn granted(&self) -> Option<u64> {
        self.granted
    }

    /// This cycle, with one bit per request, and whether the receiver of the grant is ready; then it is the next cycle.
    pub fn clock(&mut self, requests: u64, ready: bool) {
        // A2
        if self.granted.is_some() && !ready {
            return;
        }
        // A3, A4
        let first = match self.last {
            Some(last) if self.shape.round_robin => last + 1,
            _ => 0,
        };
        let in_order = (0..self.shape.requests).map(|step| (first + step) % self.shape.requests);
        let served = self.granted;
        self.granted = in_order.filter(|&i| Some(i) != served).find(|&i| requests >> i & 1 == 1);
        self.last = self.granted.or(self.last);
    }
}
