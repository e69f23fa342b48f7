// SPDX-License-Identifier: MIT OR Apache-2.0
//! One EV until it is to move (N1 to N6).

use super::epochs::EPOCHS;
use super::moment::RequestTime;

/// A deadline has passed for this many epochs.
const PASSED: u64 = 3840;

/// The path of a CCC since it was opened.
#[derive(Debug)]
pub struct SinglePath {
    /// What a move adds to the EV.
    stride: u64,
    /// Cycle and EV of each feedback that makes an EV suspect.
    suspects: Vec<(u64, u64)>,
    /// For each *reroute* with an EV: the first cycle in which a request sees it, and the EV.
    asked: Vec<(u64, u64)>,
    /// State after the last request; none before the first.
    flow: Option<Flow>,
}

/// The state after the last request.
#[derive(Clone, Copy, Debug)]
struct Flow {
    ev: u64,
    idle_at: u64,
    due_at: u64,
}

impl SinglePath {
    /// The path of a CCC opened in a group of this stride.
    pub const fn new(stride: u64) -> Self {
        SinglePath { stride, suspects: Vec::new(), asked: Vec::new(), flow: None }
    }

    /// Feedback ECN, NACK or TIMEOUT.
    pub fn suspect(&mut self, cycle: u64, ev: u64) {
        self.suspects.push((cycle, ev));
    }

    /// N5 and N6: the EV is asked to move, as requests from a cycle on see.
    pub fn ask(&mut self, seen_from: u64, ev: u64) {
        self.asked.push((seen_from, ev));
    }

    /// The EV for a request of a CCC with this start.
    pub fn choose(&mut self, now: RequestTime, start: u64) -> u64 {
        let (epoch, settings) = (now.epoch(), now.settings());
        let idle_at = (epoch + settings.idle + 1) % EPOCHS;
        let next_due = (epoch + settings.reroute.max(1) + 1) % EPOCHS;
        let passed = |at: u64| (epoch % EPOCHS + EPOCHS - at) % EPOCHS < PASSED;
        let flow = match self.flow {
            // N1, N4: at the first request neither idle nor due holds, so that the EV stays.
            None => Flow { ev: start, idle_at, due_at: next_due },
            // N3.
            Some(flow) if self.is_unwanted(now, flow.ev) && (passed(flow.idle_at) || passed(flow.due_at)) => {
                Flow { ev: flow.ev + self.stride, idle_at, due_at: next_due }
            }
            Some(flow) => Flow { idle_at, ..flow },
        };
        // S17: an EV outside the space is reduced modulo its size.
        let flow = Flow { ev: flow.ev % now.space, ..flow };
        self.flow = Some(flow);
        flow.ev
    }

    /// N2: whether the EV is the suspect or the asked one.
    fn is_unwanted(&self, now: RequestTime, ev: u64) -> bool {
        let last = |list: &[(u64, u64)], until: u64| list.iter().rev().find(|&&(at, _)| at <= until).map(|&(_, ev)| ev);
        let suspect = now.last_visible_cycle().and_then(|sight| last(&self.suspects, sight));
        suspect == Some(ev) || last(&self.asked, now.cycle) == Some(ev)
    }
}
