// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports of their own (W12 to W14), visit by visit.

use super::burst::{NOWS, now};
use super::{Event, Feedback, Pair, Settings, Shape, run};
use std::collections::BTreeMap;

/// A cycle in which `due_valid` is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// The clock cycle.
    pub cycle: u64,
    /// The pair for which a packet is to be sent.
    pub pair: u64,
    /// True if it is taken in this cycle.
    pub taken: bool,
}

/// What is due in the first `cycles` cycles, for events as those of [`answer`](super::answer). `due_ready` is 1 until an
/// event says otherwise.
#[must_use]
pub fn due(shape: Shape, first: Settings, events: &[(u64, Event)], cycles: u64) -> Vec<Due> {
    let levels = events.iter().filter_map(|&(cycle, event)| match event {
        Event::DueReady(level) => Some((cycle, level)),
        _ => None,
    });
    let levels: BTreeMap<u64, bool> = [(0, true)].into_iter().chain(levels).collect();
    let mut feedback = run(shape, first, events);
    feedback.settle(cycles);
    let mut waiting = BTreeMap::new();
    let (mut output, mut all) = (None, Vec::new());
    for visit in shape.sweep().. {
        let decision = visit + shape.visit_to_ready();
        if decision >= cycles {
            break;
        }
        let ready = levels.range(..=decision).next_back().is_some_and(|(_, &level)| level);
        all.extend(output.map(|pair| Due { cycle: decision, pair, taken: ready }));
        output = output.filter(|_| !ready);
        let number = (visit - shape.sweep()) % shape.pairs;
        if let Some(pair) = feedback.pairs.get(&number) {
            let state: &mut Waiting = waiting.entry(number).or_default();
            state.visit(&feedback, pair, visit);
            // W14: the output takes it only if there is no other.
            if state.due && output.is_none() {
                (state.since, state.due) = (now(visit), false);
                output = Some(number);
            }
        }
    }
    all
}

/// The state of a pair (W13).
#[derive(Debug, Default)]
struct Waiting {
    /// *r*: the number of reports for which it waits.
    reports: u64,
    since: u64,
    due: bool,
    /// The number of its arrivals and of its answered queries that visits have seen.
    arrivals: usize,
    answered: usize,
}

impl Waiting {
    /// The steps of W13.
    fn visit(&mut self, feedback: &Feedback, pair: &Pair, visit: u64) {
        let shape = feedback.shape;
        // The sweep before the first visit is longer than either delay.
        let (now, sight) = (now(visit), visit - shape.arrival_to_visit());
        let arrived = new(&pair.arrivals, sight, &mut self.arrivals) != 0;
        let answered = new(&pair.answered, visit - shape.query_to_visit(), &mut self.answered);
        let known = pair.vps.iter().filter(|vp| vp.known(sight)).count() as u64;
        // (1)
        if answered != 0 {
            (self.reports, self.since, self.due) = (self.reports.saturating_sub(answered), now, false);
        }
        // (2)
        if arrived {
            if self.reports == 0 {
                self.since = now;
            }
            self.reports = known;
        }
        // (3)
        if known == 0 {
            self.reports = 0;
        }
        // (4)
        let time = feedback.timeline.settings(visit + shape.visit_to_setting()).report_time;
        let passed = (now + NOWS - self.since) % NOWS >= time;
        self.due = self.reports != 0 && time != 0 && (self.due || passed);
    }
}

/// How many of the cycles up to `until` come after the first `seen`, which then include them.
fn new(cycles: &[u64], until: u64, seen: &mut usize) -> u64 {
    let fresh = cycles[*seen..].iter().take_while(|&&cycle| cycle <= until).count();
    *seen += fresh;
    fresh as u64
}
