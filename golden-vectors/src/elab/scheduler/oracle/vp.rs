// SPDX-License-Identifier: MIT OR Apache-2.0
//! A VP: the effect of reports on its rate and bandwidth limit, and its probe requests (V9 to V13).

use super::weight::Estimate;
use super::{Report, Settings, Shape};
use crate::elab;

/// Largest rate or bandwidth.
const RATE: u64 = (1 << 24) - 1;

/// Largest count (V9).
const COUNT: u64 = 0xFFFF;

/// Settings and times that apply to a report.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The cycle of the report or of the effect (V22).
    pub cycle: u64,
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
            cycle,
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
    armed: Option<u64>,
    /// Packets reported since the last update, and its time.
    count: u64,
    updated: u64,
}

impl Vp {
    /// V16: added.
    pub const fn new(port: u64, bandwidth: u64, moment: Moment) -> Self {
        let estimate = Estimate { bandwidth, rate: 0 };
        Vp { port, estimate, call: false, armed: None, count: 0, updated: moment.time }
    }

    pub const fn is_armed(&self) -> bool {
        self.armed.is_some()
    }

    /// V9 to V13, in this order.
    pub fn report(&mut self, report: Report, moment: Moment) {
        self.count = COUNT.min(self.count + report.count);
        let span = Shape::since(self.updated, moment.time);
        let updates = span >= 2 && span >= moment.window;
        if updates {
            let newest = RATE.min(elab::rate(self.count, span));
            (self.count, self.updated) = (0, moment.time);
            self.estimate.rate = ((256 - moment.alpha) * self.estimate.rate + moment.alpha * newest) / 256;
        }
        if report.ecn {
            if self.estimate.rate > 0 {
                self.estimate.bandwidth = self.estimate.rate;
            }
            self.armed = Some(moment.late);
        }
        if report.probed {
            self.estimate.bandwidth = RATE.min(report.rate);
            self.armed = self.armed.filter(|_| report.ecn);
        }
        let unmarked = updates && !report.ecn && !report.probed;
        if unmarked && self.armed.is_some_and(|from| Shape::since(from, moment.late) >= moment.explore) {
            self.call = !self.call;
            self.armed = Some(moment.late);
        }
    }
}
