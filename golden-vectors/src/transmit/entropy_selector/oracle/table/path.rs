// SPDX-License-Identifier: MIT OR Apache-2.0
//! One EV until it is to move (N1 to N6).

use super::super::Settings;
use super::super::epochs::EPOCHS;

/// A deadline has passed for this many epochs.
const PASSED: u64 = 3840;

/// The state after a request.
#[derive(Clone, Copy, Debug)]
struct Flow {
    ev: u64,
    idle_at: u64,
    due_at: u64,
}

/// The path of a CCC.
#[derive(Clone, Copy, Debug, Default)]
pub struct Path {
    /// The EV of the last feedback that makes one suspect.
    suspect: Option<u64>,
    /// The EV that was asked to move last.
    asked: Option<u64>,
    flow: Option<Flow>,
}

impl Path {
    /// Feedback ECN, NACK or TIMEOUT.
    pub const fn suspect(&mut self, ev: u64) {
        self.suspect = Some(ev);
    }

    /// N5, N6.
    pub const fn ask(&mut self, ev: u64) {
        self.asked = Some(ev);
    }

    /// The EV for a request in this epoch, of a CCC with this start, stride and space.
    pub fn choose(&mut self, epoch: u64, settings: &Settings, start: u64, stride: u64, space: u64) -> u64 {
        let idle_at = (epoch + settings.idle + 1) % EPOCHS;
        let next_due = (epoch + settings.reroute.max(1) + 1) % EPOCHS;
        let passed = |at: u64| (epoch % EPOCHS + EPOCHS - at) % EPOCHS < PASSED;
        let flow = match self.flow {
            // N1, N4.
            None => Flow { ev: start, idle_at, due_at: next_due },
            // N2, N3.
            Some(flow)
                if [self.suspect, self.asked].contains(&Some(flow.ev))
                    && (passed(flow.idle_at) || passed(flow.due_at)) =>
            {
                Flow { ev: flow.ev + stride, idle_at, due_at: next_due }
            }
            Some(flow) => Flow { idle_at, ..flow },
        };
        // S17.
        let flow = Flow { ev: flow.ev % space, ..flow };
        self.flow = Some(flow);
        flow.ev
    }
}
