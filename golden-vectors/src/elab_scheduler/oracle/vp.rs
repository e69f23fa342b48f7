// SPDX-License-Identifier: MIT OR Apache-2.0
//! A VP: the effect of reports on its rate and bandwidth limit, and its probe requests (V9 to V13).

use super::weight::Estimate;
use super::{Report, Settings, Shape};
use crate::elab;

/// Largest rate or bandwidth.
const RATE: u64 = (1 << 24) - 1;

/// Largest count (V9).
const COUNT: u64 = 0xFFFF;

/// Indication of the last report that had one (V9).
#[derive(Clone, Copy, Debug)]
enum Indication {
    Ecn,
    /// A measured burst, with its rate.
    Probed(u64),
}

/// Reports accumulated since the last update.
#[derive(Debug, Default)]
struct Accumulated {
    count: u64,
    indication: Option<Indication>,
}

/// State of a VP in a response (V17).
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    pub estimate: Estimate,
    pub probe_armed: bool,
}

/// Settings and times that apply to a report.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The `time` of the report, and the shortest window (V10).
    pub time: u64,
    pub window: u64,
    /// Weight of the new rate (V11).
    pub alpha: u64,
    /// The `time` from which a VP is armed or up to which it has been, and `settings_explore` (V12, V13).
    pub late: u64,
    pub explore: u64,
}

impl Moment {
    /// The values for a report that is accepted, or a command that takes effect, in this cycle.
    pub fn of(shape: Shape, cycle: u64, settings: impl Fn(u64) -> Settings) -> Self {
        let (first, second) = (cycle + shape.window(), cycle + shape.explore());
        Moment {
            time: shape.time(first),
            window: settings(first).window,
            alpha: settings(cycle + shape.alpha()).alpha,
            late: shape.time(second),
            explore: settings(second).explore,
        }
    }
}

/// A VP since it was added.
#[derive(Debug)]
pub struct Vp {
    pub port: u64,
    pub estimate: Estimate,
    /// Request bit: toggles with each probe request (V13).
    pub call: bool,
    /// The time from which the VP is armed.
    probe_armed: Option<u64>,
    accumulated: Accumulated,
    /// The time of the last update.
    updated: u64,
    /// The state after each update, with the cycle of its report.
    history: Vec<(u64, Shown)>,
}

impl Vp {
    /// V16: added in a cycle.
    pub fn new(port: u64, bandwidth: u64, cycle: u64, moment: Moment) -> Self {
        let estimate = Estimate { bandwidth, rate: 0 };
        Vp {
            port,
            estimate,
            call: false,
            probe_armed: None,
            accumulated: Accumulated::default(),
            updated: moment.time,
            history: vec![(cycle, Shown { estimate, probe_armed: false })],
        }
    }

    /// The state in the response to a command that sees updates by reports up to this cycle (V15). The state from *add*
    /// is seen in any case.
    pub fn shown(&self, cycle: u64) -> Shown {
        let seen = self.history.iter().rev().find(|&&(at, _)| at <= cycle);
        seen.unwrap_or(&self.history[0]).1
    }

    /// V9 and V10: a report accepted in this cycle.
    pub fn report(&mut self, report: Report, cycle: u64, moment: Moment) {
        self.accumulated.count = COUNT.min(self.accumulated.count + report.count);
        // A report with both counts as probed.
        if report.probed {
            self.accumulated.indication = Some(Indication::Probed(RATE.min(report.rate)));
        } else if report.ecn {
            self.accumulated.indication = Some(Indication::Ecn);
        }
        let span = Shape::since(self.updated, moment.time);
        if span >= 2 && span >= moment.window {
            self.update(span, moment);
            self.history.push((cycle, Shown { estimate: self.estimate, probe_armed: self.probe_armed.is_some() }));
        }
    }

    /// V11 to V13.
    fn update(&mut self, span: u64, moment: Moment) {
        let Accumulated { count, indication } = std::mem::take(&mut self.accumulated);
        self.updated = moment.time;
        let newest = RATE.min(elab::rate(count, span));
        self.estimate.rate = ((256 - moment.alpha) * self.estimate.rate + moment.alpha * newest) / 256;
        match (indication, self.probe_armed) {
            (Some(Indication::Ecn), _) => {
                self.estimate.bandwidth = self.estimate.rate;
                self.probe_armed = Some(moment.late);
            }
            (Some(Indication::Probed(rate)), _) => {
                self.estimate.bandwidth = rate;
                self.probe_armed = None;
            }
            (None, Some(from)) if Shape::since(from, moment.late) >= moment.explore => {
                self.call = !self.call;
                self.probe_armed = Some(moment.late);
            }
            (None, _) => {}
        }
    }
}
