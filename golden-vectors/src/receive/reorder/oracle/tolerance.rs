// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits, checks and reports (R13 to R16).

use super::connection::Connection;
use super::time::{age, time};
use super::{Report, Settings, Shape, due};
use std::collections::VecDeque;

/// What a visit sees of a connection.
#[derive(Clone, Copy, Debug, Default)]
struct View {
    open: bool,
    expected: u64,
    end: u64,
    since: u64,
    reported: u64,
}

/// A gap that a visit found above tolerance.
#[derive(Clone, Copy, Debug)]
struct Found {
    connection: u64,
    expected: u64,
    by_span: bool,
    by_time: bool,
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
            state: State::Visiting(shape.sweep()),
        }
    }

    /// An arrival, a command or a check that entered in this cycle left the connection like this.
    pub fn changed(&mut self, cycle: u64, number: u64, connection: &Connection) {
        let &Connection { open, expected, end, since, reported, .. } = connection;
        let view = View { open, expected, end, since, reported };
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
        self.next = (found.connection + 1) % self.shape.connections;
        let same = connection.open && connection.expected == found.expected;
        self.state = match connection.behind_gap().filter(|_| same) {
            Some(behind) => {
                connection.reported = behind;
                let psn = |number: u64| number % self.shape.psns();
                let (first, last) = (psn(found.expected), psn(behind - 1));
                let Found { connection, by_span, by_time, .. } = found;
                State::Reporting(after, Report { connection, first, last, by_span, by_time })
            }
            None => State::Visiting(after),
        };
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
        if let Some((_, number, view)) = due(&mut self.compared, cycle, |&(at, ..)| at)
            && let Some(found) = compare(number, view, settings, time(cycle))
        {
            self.compared.clear();
            self.state = State::Due(cycle + 1, found);
            return;
        }
        self.compared.push_back((cycle + self.shape.compare(), self.next, self.views[self.next as usize]));
        self.next = (self.next + 1) % self.shape.connections;
    }
}

/// R13: whether a visit finds a gap that is above tolerance, and not reported.
fn compare(connection: u64, view: View, settings: Settings, time: u64) -> Option<Found> {
    let View { open, expected, end, since, reported } = view;
    let gap = open && end > expected && expected >= reported;
    let by_span = gap && end - 1 - expected > settings.span;
    let by_time = gap && age(since, time) > settings.time;
    (by_span || by_time).then_some(Found { connection, expected, by_span, by_time })
}
