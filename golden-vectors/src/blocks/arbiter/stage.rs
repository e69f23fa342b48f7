// SPDX-License-Identifier: MIT OR Apache-2.0
//! The block as the suite must know it: its ports, and what the oracle says of a case.

use super::oracle::{Arbiter, Shape};
use super::script::{Inputs, Script};
use crate::collect::ports::{self, Put, index_width, named, streams};
use crate::collect::timed::Stage;
use crate::schema::timed::{Row, Streams, TimedCase, TimedExpect};
use std::collections::BTreeMap;

fn settings(Inputs { requests, ready }: Inputs) -> BTreeMap<String, u64> {
    named([("requests", requests), ("grant_ready", ready.into())])
}

impl Stage for Shape {
    type Settings = Inputs;
    type Event = Inputs;
    type Script = Script;
    /// What stands on the inputs at the beginning.
    type Answer = Inputs;

    /// Nothing is ever refused.
    const IGNORED_EVERY: usize = 1;

    fn size(self) -> String {
        format!("n{}{}", self.requests, if self.round_robin { "-round_robin" } else { "-priority" })
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        self.configuration()
    }

    fn begin(self) -> u64 {
        0
    }

    fn ports(self) -> (Streams, Streams, BTreeMap<String, u32>) {
        let requests = u32::try_from(self.requests).unwrap_or(64);
        let grant = [("one_hot", requests), ("number", index_width(self.requests))];
        (BTreeMap::new(), streams(&[("grant", &grant)]), named([("requests", requests), ("grant_ready", 1)]))
    }

    fn settings(self, inputs: Inputs) -> BTreeMap<String, u64> {
        settings(inputs)
    }

    fn put(self, case: &mut TimedCase, first: Inputs, events: &[(u64, Inputs)]) {
        let changes = events.iter().map(|&(cycle, inputs)| (cycle, Put::Settings(settings(inputs))));
        ports::put(case, &[], settings(first), changes);
    }

    fn answer(self, first: Inputs, _: &[(u64, Inputs)]) -> Inputs {
        first
    }

    fn refuses(_: &Inputs) -> bool {
        false
    }

    fn expect(self, events: &[(u64, Inputs)], first: &Inputs, cycles: u64) -> TimedExpect {
        let mut arbiter = Arbiter::new(self);
        let (mut now, mut events) = (*first, events.iter().peekable());
        let mut grants: Vec<Row> = Vec::new();
        for cycle in 0..cycles {
            if let Some((_, inputs)) = events.next_if(|(at, _)| *at == cycle) {
                now = *inputs;
            }
            grants.extend(arbiter.granted().map(|number| vec![cycle, 1 << number, number]));
            arbiter.clock(now.requests, now.ready);
        }
        TimedExpect { outputs: named([("grant", grants)]), ..TimedExpect::default() }
    }
}
