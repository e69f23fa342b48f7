// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scans of a window for packets that are lost (D21 to D23, D25).

use super::backoff::Wait;
use super::pdc::Pdc;
use super::shape::{Time, age};
use super::window::Record;
use super::{Command, Counters, Failure, Settings, Shape, failure, op};

/// What a scan looks for, with what it keeps from its head.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Packets sent so long ago.
    Time { timeout: u64 },
    /// Packets too far behind the highest acknowledged PSN: all of the scan.
    Span,
    /// The last packet, if it was sent so long ago.
    Tail { probe: u64 },
    /// Packets of an EV, or all; the PDC fails then or not.
    Lose { ev: u64, all: bool, fails: bool },
    /// Nothing: the peer refuses, and says this.
    Fail { code: u64 },
    /// All packets: a backoff is over; nothing, if it is the last one.
    Backoff { last: bool },
}

/// A scan under way.
#[derive(Clone, Copy, Debug)]
pub struct Scan {
    /// Number of the PDC.
    pdc: u64,
    kind: Kind,
    /// Its failure is due.
    last: bool,
    /// *B* of the head.
    base: u64,
    /// The first PSN to be examined.
    first: u64,
    /// PSNs to be examined, and those that are.
    length: u64,
    examined: u64,
    lost: bool,
    late: bool,
    /// Age and *stamp* of the oldest packet in flight that is not late.
    oldest: Option<(u64, u64)>,
}

impl Scan {
    const fn new(pdc: u64, kind: Kind, last: bool, state: &Pdc) -> Self {
        let (base, length) = (state.base, state.length);
        Scan { pdc, kind, last, base, first: base, length, examined: 0, lost: false, late: false, oldest: None }
    }

    /// D21: the head; `None` if it is void.
    pub fn begun(shape: Shape, pdc: u64, state: &mut Pdc, time: Time, settings: &Settings) -> Option<Self> {
        let view = state.view();
        if view.is_overdue(time, settings) {
            if let Some(wait) = state.backoff.wait() {
                let last = wait == Wait::Fails;
                let scan = Scan::new(pdc, Kind::Backoff { last }, false, state);
                return Some(if last { Scan { length: 0, ..scan } } else { scan });
            }
            let settings = settings.of(state.timer);
            if let Some(probe) = view.probe(&settings) {
                let first = shape.psn(state.next(shape).wrapping_sub(1));
                return Some(Scan { first, length: 1, ..Scan::new(pdc, Kind::Tail { probe }, false, state) });
            }
            let timeout = settings.timeout(state.retries);
            return Some(Scan::new(pdc, Kind::Time { timeout }, state.retries >= settings.retries, state));
        }
        if !view.is_behind(settings) {
            return None;
        }
        // So many PSNs from *B* on are too far behind; the first ones have been examined.
        let (behind, examined) = (state.top - settings.span - 1, state.examined);
        state.examined = behind;
        let first = shape.psn(state.base + examined);
        Some(Scan { first, length: behind - examined, ..Scan::new(pdc, Kind::Span, false, state) })
    }

    /// D25: the scan of *lose*.
    pub fn declared(shape: Shape, command: &Command, state: &Pdc) -> Self {
        if command.op == op::FAIL {
            return Scan { length: 0, ..Scan::new(command.pdc, Kind::Fail { code: command.code }, false, state) };
        }
        let ev = command.ev & ((1 << shape.ev_bits) - 1);
        Scan::new(command.pdc, Kind::Lose { ev, all: command.all, fails: command.force }, false, state)
    }

    /// Number of the PDC.
    pub const fn pdc(&self) -> u64 {
        self.pdc
    }

    /// Whether no PSN is left to be examined.
    pub const fn is_examined(&self) -> bool {
        self.examined == self.length
    }

    /// D22: an examination. Returns the packet that is lost, as its distance from *B*, and its record.
    pub fn examine(&mut self, shape: Shape, state: &Pdc, time: Time, counters: &mut Counters) -> Option<(u64, Record)> {
        let psn = shape.psn(self.first + self.examined);
        self.examined += 1;
        let offset = state.offset(shape, psn);
        let record = state.in_flight(offset)?;
        let stamp = record.stamp.into();
        let age = age(time.now, stamp);
        if !self.is_late(record, age) {
            if self.oldest.is_none_or(|(oldest, _)| age > oldest) {
                self.oldest = Some((age, stamp));
            }
            return None;
        }
        self.late = true;
        if self.last {
            return None;
        }
        self.lost = true;
        *match self.kind {
            Kind::Time { .. } => &mut counters.timeouts,
            Kind::Span | Kind::Tail { .. } | Kind::Backoff { .. } => &mut counters.inferred_losses,
            Kind::Lose { .. } | Kind::Fail { .. } => &mut counters.declared_losses,
        } += 1;
        Some((offset, *record))
    }

    fn is_late(&self, record: &Record, age: u64) -> bool {
        match self.kind {
            // An age says nothing of a longer time.
            Kind::Time { timeout: time } | Kind::Tail { probe: time } => time >= 1 << 19 || age >= time - time / 8,
            Kind::Span => record.rtx_count == 0,
            Kind::Lose { ev, all, .. } => all || u64::from(record.ev) == ev,
            Kind::Backoff { .. } => true,
            Kind::Fail { .. } => false,
        }
    }

    /// It is the end of a backoff.
    pub const fn resumes(&self) -> bool {
        matches!(self.kind, Kind::Backoff { .. })
    }

    /// D23, D25, D37: the end. Returns the failure of the PDC, if it fails.
    pub fn end(&self, state: &mut Pdc, time: Time) -> Option<Failure> {
        if self.lost {
            state.backoff.lose();
        }
        if self.resumes() {
            state.since = time.timer;
        }
        let (reason, code) = match self.kind {
            Kind::Fail { code } => (Some(failure::REFUSED), code),
            Kind::Lose { fails: true, .. } => (Some(failure::NO_PATH), 0),
            Kind::Backoff { last: true } => (Some(failure::NO_ROOM), 0),
            _ => (None, 0),
        };
        if let Some(reason) = reason {
            state.failed = true;
            return Some(Failure { pdc: self.pdc, reason, code });
        }
        if self.resumes() {
            state.backoff.resume();
            return None;
        }
        if !matches!(self.kind, Kind::Time { .. } | Kind::Tail { .. }) || state.base != self.base {
            return None;
        }
        let oldest = self.oldest.filter(|_| !self.late);
        let of_tail = matches!(self.kind, Kind::Tail { .. });
        // D38: a tail that is too young is looked at again.
        let again = of_tail && oldest.is_some();
        state.probed |= !again;
        if state.backoff.wait().is_none() && (again || !of_tail) {
            state.since = oldest.map_or(time.timer, |(_, stamp)| time.before(age(time.now, stamp)));
        }
        if of_tail {
            return None;
        }
        if self.lost {
            state.retries = (state.retries + 1).min(15);
        }
        let fails = self.last && self.late;
        state.failed |= fails;
        fails.then_some(Failure { pdc: self.pdc, reason: failure::TIMEOUTS, code: 0 })
    }
}
