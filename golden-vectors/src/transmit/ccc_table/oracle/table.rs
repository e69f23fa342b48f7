// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table without its ports: one pass at a time, each with the cycle in which it takes effect and its time.

use super::adjustment::Adjustment;
use super::ccc::{Ccc, Moment};
use super::shape::DISTANCE;
use super::{Command, Counters, Event, Grant, Response, Send, Settings, Shape, State, op};
use std::collections::VecDeque;

/// An adjustment under way.
#[derive(Clone, Copy, Debug)]
struct Due {
    /// The cycle in which it takes effect.
    cycle: u64,
    ccc: usize,
    sets: u64,
    adjustment: Adjustment,
}

/// What a take finds (C29).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Take {
    /// Number of the CCC.
    pub ccc: u64,
    /// `None` if it is not READY.
    pub grant: Option<Grant>,
}

/// All CCCs. Cycles are those of effects, and never decrease. Its memory is bounded by the number of CCCs.
#[derive(Debug)]
pub struct Table {
    shape: Shape,
    settings: Settings,
    cccs: Vec<Ccc>,
    /// At most one starts in a cycle, so there are at most 64.
    due: VecDeque<Due>,
    /// Of each class, the CCCs that are listed, with the cycle of the pass that did so.
    queues: Vec<VecDeque<(u64, u64)>>,
    counters: Counters,
}

impl Table {
    /// After the sweep, with the settings after reset.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Table {
            shape,
            settings: shape.reset.effective(),
            cccs: vec![Ccc::default(); shape.cccs as usize],
            due: VecDeque::with_capacity(DISTANCE as usize + 1),
            queues: vec![VecDeque::new(); shape.classes as usize],
            counters: Counters::default(),
        }
    }

    /// Counters since reset.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The CCC with this number.
    #[must_use]
    pub fn ccc(&self, ccc: u64) -> &Ccc {
        &self.cccs[ccc as usize]
    }

    /// Whether an adjustment takes effect in this cycle.
    #[must_use]
    pub fn adjusts_in(&self, cycle: u64) -> bool {
        self.due.binary_search_by_key(&cycle, |due| due.cycle).is_ok()
    }

    /// Whether an adjustment is under way.
    #[must_use]
    pub fn is_adjusting(&self) -> bool {
        !self.due.is_empty()
    }

    /// Whether a CCC is listed.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.queues.iter().any(|queue| !queue.is_empty())
    }

    /// New settings. No adjustment is under way when they take effect (C33).
    pub fn set(&mut self, settings: Settings) {
        assert!(self.due.is_empty());
        self.settings = settings.effective();
    }

    /// The cycle in which the next adjustment takes effect.
    #[must_use]
    pub fn next_adjustment(&self) -> Option<u64> {
        self.due.front().map(|due| due.cycle)
    }

    /// An event takes effect.
    pub fn step(&mut self, cycle: u64, now: u64, event: &Event) {
        assert!(self.next_adjustment().is_none_or(|due| due > cycle));
        let number = event.ccc() as usize;
        // C4.
        let Some(ccc) = self.cccs.get_mut(number).filter(|ccc| ccc.open) else {
            // That a CCC is not blocked needs nobody who hears it (C35).
            let unblocks = matches!(event, Event::Send(Send { packet: false, last: false, .. }));
            self.counters.closed_events += u64::from(!unblocks);
            return;
        };
        let moment = Moment { shape: self.shape, settings: &self.settings, now };
        if let Some(adjustment) = ccc.event(event, &moment, &mut self.counters) {
            let sets = ccc.sets;
            self.due.push_back(Due { cycle: cycle + DISTANCE, ccc: number, sets, adjustment });
        }
        self.leave(cycle, number);
    }

    /// C20: the next adjustment takes effect. There must be one.
    pub fn adjust(&mut self) {
        let due = self.due.pop_front().expect("an adjustment is under way");
        let ccc = &mut self.cccs[due.ccc];
        if ccc.open && ccc.sets == due.sets {
            self.counters.adjustments += 1;
            if let Some(adjustment) = ccc.adjust(due.adjustment, &self.settings) {
                self.due.push_back(Due { cycle: due.cycle + DISTANCE, adjustment, ..due });
            }
        } else {
            self.counters.void_adjustments += 1;
        }
        self.leave(due.cycle, due.ccc);
    }

    /// C26 to C28, C35.
    fn leave(&mut self, cycle: u64, number: usize) {
        let ccc = &mut self.cccs[number];
        if !ccc.open {
            return;
        }
        ccc.leave(self.shape, &self.settings);
        if ccc.state == State::Ready && !ccc.blocked && !ccc.listed && !ccc.in_turn {
            ccc.listed = true;
            self.queues[ccc.class as usize].push_back((cycle, number as u64));
        }
    }

    /// C29: a take, of what was listed up to this cycle. `None` if there is nothing.
    pub fn take(&mut self, listed: u64) -> Option<Take> {
        let there = |queue: &&mut VecDeque<(u64, u64)>| queue.front().is_some_and(|&(cycle, _)| cycle <= listed);
        let queue = self.queues.iter_mut().find(there)?;
        let (_, number) = queue.pop_front().expect("a CCC is there");
        let ccc = &mut self.cccs[number as usize];
        ccc.listed = false;
        if !ccc.open || ccc.state != State::Ready {
            self.counters.unready_turns += 1;
            return Some(Take { ccc: number, grant: None });
        }
        (ccc.in_turn, ccc.unblocked) = (true, false);
        // C30.
        let grant = Grant {
            ccc: number,
            limit: ccc.limit as u64,
            packets: ccc.weight,
            retransmission: ccc.waiting_rtx > 0,
            ack_request: ccc.ack_request,
            credit_target: ccc.credit_target,
        };
        Some(Take { ccc: number, grant: Some(grant) })
    }

    /// Whether a CCC is in turn.
    #[must_use]
    pub fn is_in_turn(&self, ccc: u64) -> bool {
        self.cccs.get(ccc as usize).is_some_and(|ccc| ccc.in_turn)
    }

    /// C32: a command takes effect. Its CCC was in turn when it entered, or not.
    pub fn command(&mut self, cycle: u64, now: u64, command: &Command, was_in_turn: bool) -> Response {
        let Command { op, ccc: number, class, weight, .. } = *command;
        let nothing = Response { op, ccc: number, ..Response::default() };
        let Some(ccc) = self.cccs.get_mut(number as usize) else { return nothing };
        let legal = class < self.shape.classes && weight > 0;
        let done = match op {
            op::READ => true,
            op::OPEN => !ccc.open && legal,
            op::CLOSE => ccc.open && (command.force || ccc.state == State::Idle && !was_in_turn),
            op::CHANGE => ccc.open && legal,
            _ => false,
        };
        match op {
            op::OPEN if done => {
                let moment = Moment { shape: self.shape, settings: &self.settings, now };
                *ccc = opened(ccc, command, &moment);
            }
            op::CLOSE if done => {
                ccc.open = false;
                ccc.in_turn = false;
            }
            op::CHANGE if done => (ccc.class, ccc.weight) = (class, weight),
            _ => {}
        }
        // C35.
        self.cccs[number as usize].unblock();
        self.leave(cycle, number as usize);
        Response { done, ..self.view(number).map_or(nothing, |view| Response { op, ..view }) }
    }

    /// The state of a CCC as a response gives it, `None` if it is closed.
    fn view(&self, number: u64) -> Option<Response> {
        let ccc = self.cccs.get(number as usize).filter(|ccc| ccc.open)?;
        let nscc = |value: u64| if ccc.nscc { value } else { 0 };
        Some(Response {
            op: 0,
            ccc: number,
            done: false,
            open: true,
            state: ccc.state,
            granted: ccc.in_turn,
            nscc: ccc.nscc,
            rccc: ccc.rccc,
            class: ccc.class,
            weight: ccc.weight,
            backlog: ccc.backlog,
            rtx_backlog: ccc.rtx_backlog,
            waiting_rtx: ccc.waiting_rtx,
            inflight_pkts: ccc.inflight_pkts,
            inflight: ccc.inflight,
            cwnd: nscc(ccc.cwnd),
            max_wnd: self.settings.max_wnd(ccc.base_rtt),
            base_rtt: ccc.base_rtt,
            delay: nscc(ccc.filtered >> self.shape.delay_shift),
            credit: if ccc.rccc { ccc.credit } else { 0 },
            credit_target: ccc.credit_target,
        })
    }
}

/// A CCC that has been opened. What is listed stays so.
fn opened(ccc: &Ccc, command: &Command, moment: &Moment<'_>) -> Ccc {
    let Moment { shape, settings, .. } = *moment;
    let chooses = shape.has_nscc() && shape.has_rccc();
    let (nscc, rccc) = if chooses { (command.nscc, command.rccc) } else { (shape.has_nscc(), shape.has_rccc()) };
    Ccc {
        open: true,
        nscc,
        rccc,
        class: command.class,
        weight: command.weight,
        cwnd: settings.config_wnd,
        base_rtt: settings.config_base_rtt,
        adjust_end: moment.after(settings.adjust_period),
        decrease_end: moment.after((settings.config_base_rtt + 1).min(65_535)),
        credit: if rccc { settings.config_wnd as i64 } else { 0 },
        speculative: rccc,
        sets: (ccc.sets + 1) % 64,
        listed: ccc.listed,
        ..Ccc::default()
    }
}
