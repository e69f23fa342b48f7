// SPDX-License-Identifier: MIT OR Apache-2.0
//! A VP: what reports make of its rate and bandwidth, and when it calls for a burst (V9 to V13).

use super::weight::Estimate;
use super::{Report, Settings, Shape};
use crate::oracle::elab;

/// A rate or a bandwidth is so much at most.
const RATE: u64 = (1 << 24) - 1;

/// A count is so much at most (V9).
const COUNT: u64 = 0xFFFF;

/// What the last report that had any indication said (V9).
#[derive(Clone, Copy, Debug)]
enum Indication {
    Ecn,
    /// With its rate.
    Probed(u64),
}

/// Reports since the last update.
#[derive(Debug, Default)]
struct Accumulated {
    count: u64,
    indication: Option<Indication>,
}

/// What an operation shows of a VP (V17).
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    pub estimate: Estimate,
    pub probe_armed: bool,
}

/// Settings and times that a report is judged by.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The `time` that its window ends at, and the shortest window (V10).
    pub time: u64,
    pub window: u64,
    /// V11.
    pub alpha: u64,
    /// The `time` that waiting is counted from and to, and how long it lasts (V12, V13).
    pub late: u64,
    pub explore: u64,
}

impl Moment {
    /// Of a report that is accepted in a cycle, or of an operation that takes effect then.
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
    /// It calls for a burst when this changes (V13).
    pub call: bool,
    /// From which time on it waits.
    probe_armed: Option<u64>,
    accumulated: Accumulated,
    /// The time of the last update.
    updated: u64,
    /// What updates have made of it, with the cycles of their reports.
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

    /// What an operation shows that sees updates by reports of a cycle and before (V15). How it was added, it sees
    /// whatever that cycle.
    pub fn shown(&self, cycle: u64) -> Shown {
        let seen = self.history.iter().rev().find(|&&(at, _)| at <= cycle);
        seen.unwrap_or(&self.history[0]).1
    }

    /// V9 and V10: a report accepted in a cycle.
    pub fn report(&mut self, report: Report, cycle: u64, moment: Moment) {
        self.accumulated.count = COUNT.min(self.accumulated.count + report.count);
        // One that has both counts as probed.
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
