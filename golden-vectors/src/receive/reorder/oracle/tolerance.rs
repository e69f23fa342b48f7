// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits, checks and reports (R13 to R16).

use super::connection::Connection;
use super::gaps::Gaps;
use super::time::{age, time};
use super::{Report, Settings, Shape, due};
use std::collections::VecDeque;

/// A tolerated age that stands for any.
const NEVER: u64 = (1 << 20) - 1;
/// A gap is reported once more so many times.
const REPEATS: u64 = 3;
/// So many checks of one connection follow each other (R16).
const CHECKS: u64 = 32;

/// What a visit sees of a connection.
#[derive(Clone, Copy, Debug, Default)]
struct View {
    open: bool,
    expected: u64,
    end: u64,
    gaps: Gaps,
    since_report: u64,
    repeats: u64,
    tolerance: Option<Settings>,
}

/// What a check is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Report { by_span: bool, by_time: bool },
    Repeat,
    Seek,
    Renew,
}

/// What a visit found.
#[derive(Clone, Copy, Debug)]
struct Found {
    connection: u64,
    /// *R* as the visit saw it.
    from: u64,
    task: Task,
}

/// What the visits are doing.
#[derive(Clone, Debug)]
enum State {
    /// They go on from this cycle on.
    Visiting(u64),
    /// A check is due from this cycle on.
    Due(u64, Found),
    /// The check has entered.
    Checking(Found),
    /// A report is on the ports from this cycle on.
    Reporting(u64, Report),
}

/// Visits all connections in turn.
#[derive(Clone, Debug)]
pub struct Visits {
    shape: Shape,
    views: Vec<View>,
    /// Views with the first cycle in which a visit sees them.
    coming: VecDeque<(u64, u64, View)>,
    /// The connection that is visited next.
    next: u64,
    /// Visits with the cycle in which they are compared with the tolerance.
    compared: VecDeque<(u64, u64, View)>,
    /// Checks that have followed each other, if the last visit found something.
    checks: u64,
    /// The last check was a seek, and nothing has been compared since.
    sought: bool,
    state: State,
}

impl Visits {
    /// No connection is open.
    pub fn new(shape: Shape) -> Self {
        Visits {
            shape,
            views: vec![View::default(); shape.connections as usize],
            coming: VecDeque::new(),
            next: 0,
            compared: VecDeque::new(),
            checks: 0,
            sought: false,
            state: State::Visiting(shape.sweep()),
        }
    }

    /// An arrival, a command or a check that entered in this cycle left the connection like this.
    pub fn changed(&mut self, cycle: u64, number: u64, connection: &Connection) {
        let &Connection { open, expected, end, gaps, since_report, repeats, tolerance, .. } = connection;
        let view = View { open, expected, end, gaps, since_report, repeats, tolerance };
        self.coming.push_back((cycle + self.shape.visible(), number, view));
    }

    /// The connection of the check that is due in this cycle.
    pub const fn due(&self, cycle: u64) -> Option<u64> {
        match self.state {
            State::Due(from, found) if cycle >= from => Some(found.connection),
            _ => None,
        }
    }

    /// The report on the ports in this cycle.
    pub const fn report(&self, cycle: u64) -> Option<Report> {
        match self.state {
            State::Reporting(from, report) if cycle >= from => Some(report),
            _ => None,
        }
    }

    /// The check that is due enters.
    pub fn enter(&mut self) {
        if let State::Due(_, found) = self.state {
            self.state = State::Checking(found);
        }
    }

    /// What becomes of the check that entered in this cycle (R14, R15).
    pub fn check(&mut self, cycle: u64, connection: &mut Connection) {
        let State::Checking(found) = self.state else { return };
        let after = cycle + self.shape.event();
        let stays = self.checks < CHECKS;
        self.next = (found.connection + u64::from(!stays)) % self.shape.connections;
        if !stays {
            self.checks = 0;
        }
        self.sought = stays && found.task == Task::Seek;
        self.state = State::Visiting(after);
        if !connection.open {
            return;
        }
        match found.task {
            Task::Report { by_span, by_time } => self.suspect(cycle, connection, found, [by_span, by_time]),
            Task::Repeat => self.suspect(cycle, connection, found, [false, false]),
            Task::Seek => {
                let missing = connection.next_missing(found.from);
                connection.gaps.advance(missing);
            }
            Task::Renew => connection.gaps.renew(),
        }
    }

    /// The gap that was found is reported, if it is still there (R15).
    fn suspect(&mut self, cycle: u64, connection: &mut Connection, found: Found, [by_span, by_time]: [bool; 2]) {
        let Some(behind) = connection.behind_gap(found.from) else { return };
        if found.from == connection.expected {
            let before = connection.expected < connection.gaps.reported;
            connection.since_report = time(cycle + self.shape.gap_time());
            connection.repeats = if before { connection.repeats + 1 } else { 0 };
        }
        connection.gaps.advance(behind);
        let psn = |number: u64| number % self.shape.psns();
        let (first, last) = (psn(found.from), psn(behind - 1));
        let report = Report { connection: found.connection, first, last, by_span, by_time };
        self.state = State::Reporting(cycle + self.shape.event(), report);
    }

    /// The visit of this cycle, and the comparison of an earlier one.
    pub fn clock(&mut self, cycle: u64, settings: Settings, event_ready: bool) {
        while let Some((_, number, view)) = due(&mut self.coming, cycle, |&(from, ..)| from) {
            self.views[number as usize] = view;
        }
        match self.state {
            State::Visiting(from) if cycle >= from => self.visit(cycle, settings),
            State::Reporting(from, _) if cycle >= from && event_ready => self.state = State::Visiting(cycle + 1),
            _ => {}
        }
    }

    fn visit(&mut self, cycle: u64, settings: Settings) {
        if let Some((_, number, view)) = due(&mut self.compared, cycle, |&(at, ..)| at) {
            let sought = std::mem::take(&mut self.sought);
            if let Some(found) = compare(number, view, sought, settings, time(cycle)) {
                self.compared.clear();
                self.checks += 1;
                self.state = State::Due(cycle + 1, found);
                return;
            }
            self.checks = 0;
        }
        self.compared.push_back((cycle + self.shape.compare(), self.next, self.views[self.next as usize]));
        self.next = (self.next + 1) % self.shape.connections;
    }
}

/// R13, R14: what a visit finds to be done. *R* is missing if it is *E*, or if it has just been sought.
fn compare(connection: u64, view: View, sought: bool, settings: Settings, time: u64) -> Option<Found> {
    let View { open, expected, end, gaps, since_report, repeats, tolerance } = view;
    let settings = tolerance.unwrap_or(settings);
    if !open {
        return None;
    }
    let waits = expected < gaps.reported && repeats < REPEATS;
    let is_repeated = waits && settings.time < 1 << 18 && age(since_report, time) > 4 * settings.time + 3;
    let pending = gaps.pending();
    let horizon = gaps.horizon();
    let is_above = |limit: u64| horizon.is_some_and(|horizon| age(horizon.time, time) > limit);
    let by_span = pending && end - 1 - gaps.reported > settings.span;
    let by_time = pending && is_above(settings.time);
    let renews = gaps.renewable() && (horizon.is_none() || is_above(settings.time / 2)) && settings.time != NEVER;
    let mut from = gaps.reported;
    let task = if by_span || by_time {
        let is_missing = gaps.reported == expected || sought;
        if is_missing { Task::Report { by_span, by_time } } else { Task::Seek }
    } else if is_repeated {
        from = expected;
        Task::Repeat
    } else if renews {
        Task::Renew
    } else {
        return None;
    };
    Some(Found { connection, from, task })
}
