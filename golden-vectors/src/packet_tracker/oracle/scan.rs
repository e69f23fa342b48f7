// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scans of a window for packets that are lost (D21 to D23, D25).

use super::pdc::{Packet, Pdc, State};
use super::shape::age;
use super::{Command, Counters, Settings, Shape};

/// What a scan looks for, with what it keeps from its head.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Packets sent so long ago.
    Time { timeout: u64 },
    /// Packets too far behind the highest acknowledged PSN.
    Span { span: u64, highest: u64 },
    /// Packets of an EV, or all.
    Lose { ev: u64, all: bool },
}

/// What is done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// There is nothing to be done; the scan is over with this cycle.
    Void(u64),
    /// An examination.
    Examine,
    /// The end.
    End,
    /// The PDC has failed; the scan is over with the transfer, which is not before this cycle.
    Fails(u64),
}

/// A scan under way.
#[derive(Clone, Copy, Debug)]
pub struct Scan {
    /// Number of the PDC.
    pub pdc: u64,
    kind: Kind,
    /// Its failure is due.
    last: bool,
    /// *B* of the head.
    base: u64,
    /// PSNs to be examined, and those that are.
    length: u64,
    examined: u64,
    /// What is done next.
    pub phase: Phase,
    /// The cycle from which it waits.
    pub from: u64,
    lost: bool,
    late: bool,
    /// Age and *stamp* of the oldest packet in flight that is not late.
    oldest: Option<(u64, u64)>,
}

impl Scan {
    fn new(pdc: u64, kind: Kind, state: &Pdc) -> Self {
        let (base, length) = (state.base, state.length());
        let phase = if length == 0 { Phase::End } else { Phase::Examine };
        let (last, lost, late, oldest) = (false, false, false, None);
        Scan { pdc, kind, last, base, length, examined: 0, phase, from: 0, lost, late, oldest }
    }

    /// D21: the head enters in this cycle.
    pub fn begun(shape: Shape, pdc: u64, state: &mut Pdc, cycle: u64, time: u64, settings: &Settings) -> Self {
        let view = state.view();
        let last = state.retries >= settings.retries;
        let highest = shape.psn((state.base + state.top).wrapping_sub(1));
        let timeout = settings.timeout(state.retries);
        let from = cycle + shape.head();
        let span = Kind::Span { span: settings.span, highest };
        if view.is_overdue(time, settings) {
            Scan { last, from, ..Scan::new(pdc, Kind::Time { timeout }, state) }
        } else if view.is_behind(settings) {
            state.suspected = true;
            Scan { from, ..Scan::new(pdc, span, state) }
        } else {
            Scan { phase: Phase::Void(from), ..Scan::new(pdc, span, state) }
        }
    }

    /// D25: the scan of *lose*.
    pub fn declared(shape: Shape, command: &Command, state: &Pdc) -> Self {
        let ev = command.ev & ((1 << shape.ev_bits) - 1);
        Scan::new(command.pdc, Kind::Lose { ev, all: command.all }, state)
    }

    /// D25: that of a *lose* that is not done is over with this cycle.
    pub fn void(pdc: u64, last: u64) -> Self {
        let kind = Kind::Lose { ev: 0, all: false };
        Scan { phase: Phase::Void(last), ..Scan::new(pdc, kind, &Pdc::default()) }
    }

    /// A step of it waits in this cycle.
    pub const fn waits(&self, cycle: u64) -> bool {
        matches!(self.phase, Phase::Examine | Phase::End) && self.from <= cycle
    }

    /// D22: an examination enters in this cycle. Returns the packet that is lost, as its distance from *B*.
    pub fn examine(
        &mut self,
        shape: Shape,
        state: &Pdc,
        cycle: u64,
        time: u64,
        counters: &mut Counters,
    ) -> Option<u64> {
        let psn = shape.psn(self.base + self.examined);
        self.examined += 1;
        self.from = cycle + 1;
        if self.examined == self.length {
            self.phase = Phase::End;
            self.from = cycle + shape.effect();
        }
        let offset = state.offset(shape, psn);
        let packet = state.packets.get(offset as usize).filter(|packet| packet.state == State::InFlight)?;
        let age = age(time, packet.stamp);
        if !self.is_late(shape, psn, packet, age) {
            if self.oldest.is_none_or(|(oldest, _)| age > oldest) {
                self.oldest = Some((age, packet.stamp));
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
            Kind::Span { .. } => &mut counters.inferred_losses,
            Kind::Lose { .. } => &mut counters.declared_losses,
        } += 1;
        Some(offset)
    }

    const fn is_late(&self, shape: Shape, psn: u64, packet: &Packet, age: u64) -> bool {
        match self.kind {
            Kind::Time { timeout } => age >= timeout - timeout / 8,
            Kind::Span { span, highest } => {
                let behind = shape.psn(highest.wrapping_sub(psn));
                packet.rtx_count == 0 && behind > span && behind < 1 << (shape.psn_bits - 1)
            }
            Kind::Lose { ev, all } => all || packet.ev == ev,
        }
    }

    /// D23: the end enters. Returns whether the PDC fails.
    pub fn end(&self, state: &mut Pdc, time: u64) -> bool {
        if !matches!(self.kind, Kind::Time { .. }) || state.base != self.base {
            return false;
        }
        if self.lost {
            state.retries = (state.retries + 1).min(15);
        }
        state.since = self.oldest.map_or(time, |(_, stamp)| stamp);
        let fails = self.last && self.late;
        state.failed |= fails;
        fails
    }
}
