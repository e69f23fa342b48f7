// SPDX-License-Identifier: MIT OR Apache-2.0
//! RoCEv2: what commands wait for in the check of requests. *Close* waits until the arrivals of before have their verdicts, as answers
//! come of them (row RX9). *Open* waits until packets of before have been named that are on their way to the host: the check would take
//! them for packets of the new connection (RX28).

use super::config::RxConfig;
use super::requests::Requests;
use crate::blocks::drained::Drained;
use crate::receive::request_check::{OPEN_ARRIVALS, Status};
use rtl_model::{Bits, Logic, Reg, bits, name_nets};

/// What the check of requests shows in a clock cycle.
pub struct Checking<L: Logic> {
    /// Arrivals are open; one has its verdict.
    pub arrivals: (Bits<L>, Bits<L>),
    /// Deliveries are under way; one has been named.
    pub deliveries: (Bits<L>, Bits<L>),
    /// What is wrong with the connection of the command.
    pub status: Status<L>,
}

/// The waits for the check of requests.
#[name_nets]
pub struct CheckWaits<L: Logic> {
    /// *Close*: arrivals of before have no verdict yet.
    checks: Reg<Bits<L>>,
    last_verdict: Drained<L>,
    /// *Open*: deliveries of before are under way.
    names: Reg<Bits<L>>,
    last_delivery: Drained<L>,
}

#[name_nets]
impl<L: Logic> CheckWaits<L> {
    pub fn new(config: &RxConfig) -> Self {
        let (deliveries, cycles) = Requests::<L>::extent(config);
        CheckWaits {
            checks: Reg::new(&bits(1)).with_reset(),
            last_verdict: Drained::new(OPEN_ARRIVALS, 2),
            names: Reg::new(&bits(1)).with_reset(),
            last_delivery: Drained::new(deliveries, cycles),
        }
    }

    /// *Close* and *open* wait.
    pub fn wait(&self) -> [Bits<L>; 2] {
        [self.checks.get(), self.names.get()]
    }

    /// One clock cycle: a connection is closed in the reorder stage; one is opened there. The result is 1 when arrivals
    /// of the closed one have their verdicts.
    pub fn clock(&self, [closed, opened]: [Bits<L>; 2], shown: &Checking<L>) -> Bits<L> {
        let Checking { arrivals, deliveries, .. } = *shown;
        let checked = self.checks.get() & self.last_verdict.over();
        self.checks.set(closed | self.checks.get() & !checked);
        self.last_verdict.clock(closed, arrivals.0, arrivals.1);
        self.names.set(opened | self.names.get() & !self.last_delivery.over());
        self.last_delivery.clock(opened, deliveries.0, deliveries.1);
        checked
    }
}
