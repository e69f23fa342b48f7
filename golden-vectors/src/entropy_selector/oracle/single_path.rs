// SPDX-License-Identifier: MIT OR Apache-2.0
//! One EV until it is suspect (N1 to N4).

use super::epochs::{TIMES, Timeline};
use super::moment::RequestTime;

/// The path of a CCC since it was opened.
#[derive(Debug, Default)]
pub struct SinglePath {
    /// Cycle and EV of each feedback that is not GOOD.
    suspects: Vec<(u64, u64)>,
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
    /// Feedback other than GOOD.
    pub fn suspect(&mut self, cycle: u64, ev: u64) {
        self.suspects.push((cycle, ev));
    }

    /// The EV below `space` for a request of a CCC opened with `start`.
    pub fn choose(&mut self, now: RequestTime, start: u64, space: u64) -> u64 {
        let (time, settings) = (now.time(), now.settings());
        let idle_at = (time + settings.idle) % TIMES;
        let next_due = (time + settings.reroute) % TIMES;
        let flow = match self.flow {
            // N1, N4: the first request; neither idle nor due holds, so that the EV stays.
            None => Flow { ev: start, idle_at, due_at: next_due },
            // N3.
            Some(Flow { ev, idle_at: idle, due_at: due })
                if self.seen(now) == Some(ev) && (Timeline::reached(time, idle) || Timeline::reached(time, due)) =>
            {
                Flow { ev: ev + 1, idle_at, due_at: next_due }
            }
            Some(flow) => Flow { idle_at, ..flow },
        };
        // S17: an EV outside the space is reduced modulo its size.
        let flow = Flow { ev: flow.ev % space, ..flow };
        self.flow = Some(flow);
        flow.ev
    }

    /// N2.
    fn seen(&self, now: RequestTime) -> Option<u64> {
        let sight = now.last_visible_cycle()?;
        self.suspects.iter().rev().find(|&&(cycle, _)| cycle <= sight).map(|&(_, ev)| ev)
    }
}
