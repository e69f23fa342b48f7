// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of a case while it is thought up.

use super::oracle::{Arbiter, Shape};
use crate::collect::timed::Draft;

/// What stands on the inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// One bit per request.
    pub requests: u64,
    /// The receiver of the grants is ready.
    pub ready: bool,
}

/// What stands on the inputs from cycles on, in their order.
#[derive(Debug, Default)]
pub struct Script {
    events: Vec<(u64, Inputs)>,
}

impl Script {
    /// What stands on the inputs from a cycle on, which is behind all others.
    pub fn set(&mut self, at: u64, requests: u64, ready: bool) {
        self.events.push((at, Inputs { requests, ready }));
    }

    /// Requesters that keep to the handshake: each bit of `rising` is a new request in that cycle, and a request ends
    /// when its grant is taken. `next` gives new requests and whether the receiver is ready, cycle by cycle.
    pub fn answered(&mut self, shape: Shape, cycles: u64, mut next: impl FnMut(u64) -> (u64, bool)) {
        let mut arbiter = Arbiter::new(shape);
        let mut waiting = 0;
        for cycle in 0..cycles {
            let (rising, ready) = next(cycle);
            waiting |= rising;
            self.set(cycle, waiting, ready);
            let served = arbiter.granted().filter(|_| ready).map_or(0, |number| 1 << number);
            arbiter.clock(waiting, ready);
            waiting &= !served;
        }
    }
}

impl Draft for Script {
    type Event = Inputs;

    fn into_events(self) -> Vec<(u64, Inputs)> {
        self.events
    }
}
