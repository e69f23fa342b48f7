// SPDX-License-Identifier: MIT OR Apache-2.0
//! The block as the suite must know it: its ports, and what the oracle says of a case.

use super::oracle::{Arbiter, Shape};
use super::script::{Inputs, Script};
use crate::collect::fields::{Fields, fields};
use crate::collect::ports::{Put, index_width, named};
use crate::collect::timed::Stage;
use crate::schema::timed::{Streams, TimedExpect};
use std::collections::BTreeMap;

fn inputs(shape: Shape) -> Fields<Inputs> {
    let requests = u32::try_from(shape.requests).unwrap_or(64);
    fields!(Inputs { requests: requests, grant_ready: 1 => |inputs| inputs.ready.into() })
}

/// The stream of grants, by the number of the request.
fn grant(shape: Shape) -> Fields<u64> {
    let requests = u32::try_from(shape.requests).unwrap_or(64);
    let one_hot = Fields::new("grant").with("one_hot", requests, |&number: &u64| 1 << number);
    one_hot.with("number", index_width(shape.requests), |&number| number)
}

impl Stage for Shape {
    type Settings = Inputs;
    type Event = Inputs;
    type Script = Script;
    /// What stands on the inputs at the beginning.
    type Answer = Inputs;

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
        (BTreeMap::new(), [grant(self).columns()].into(), inputs(self).widths())
    }

    fn settings(self, first: Inputs) -> BTreeMap<String, u64> {
        inputs(self).values(&first)
    }

    fn puts(self, _: Inputs, events: &[(u64, Inputs)], _: u64) -> Vec<(u64, Put)> {
        events.iter().map(|(cycle, new)| (*cycle, inputs(self).set(new))).collect()
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
        let mut grants = Vec::new();
        for cycle in 0..cycles {
            if let Some((_, inputs)) = events.next_if(|(at, _)| *at == cycle) {
                now = *inputs;
            }
            grants.extend(arbiter.granted().map(|number| (cycle, number)));
            arbiter.clock(now.requests, now.ready);
        }
        TimedExpect { outputs: named([grant(self).rows(grants)]), ..TimedExpect::default() }
    }
}
