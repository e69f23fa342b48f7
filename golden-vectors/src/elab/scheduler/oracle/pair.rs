// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pair of hosts: its VPs, and the VP of each packet (V3, V4, V22 to V24).

use super::silence::{Heard, Silence, State};
use super::vp::{Moment, Vp};
use super::weight::{weights, weights_of_all};
use super::{Command, Grant, Op, Report, Response, Shape};
use crate::elab::draw::{Draw, draw};

/// Burst numbers continue with 1 after this value.
const BURSTS: u64 = 65535;

/// Settings and periods that apply to a request of a cycle.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub cycle: u64,
    /// Length of a burst that begins (V3).
    pub burst: u64,
    /// Period by which VPs are due for a try (V24).
    pub tries: u64,
    /// Period of the packet, and `settings_silence` (V22).
    pub sent: u64,
    pub silence: u64,
}

/// A pair since reset.
#[derive(Debug)]
pub struct Pair {
    vps: Vec<Option<Vp>>,
    /// Acknowledge bits: the probe request of each VP when its last burst began.
    called: Vec<bool>,
    /// The VP of the last burst, and the number of its packets that are left.
    burst: (usize, u64),
    /// The number of the last burst.
    number: u64,
    last: Draw,
    /// For each number what its packets have made of the VP, and its reports.
    silences: Vec<(Silence, Heard)>,
}

impl Pair {
    /// V4, V18: no VP is present, no probe request is pending, and VP 0 counts as selected last.
    pub fn new(shape: Shape) -> Self {
        Pair {
            vps: (0..shape.vps).map(|_| None).collect(),
            called: vec![false; shape.vps as usize],
            burst: (0, 0),
            number: 0,
            last: (0, 0),
            silences: (0..shape.vps).map(|_| Default::default()).collect(),
        }
    }

    /// True if the pair has no VP.
    pub fn is_empty(&self) -> bool {
        self.vps.iter().all(Option::is_none)
    }

    /// What a request of a cycle sees of the packets of a VP, and the wait that was answered.
    fn seen(&self, shape: Shape, vp: usize, cycle: u64) -> (State, u64) {
        let (silence, heard) = &self.silences[vp];
        (silence.seen(shape, cycle), heard.answered)
    }

    /// V22: the packet of a granted request on this VP; whether the VP is found dead.
    pub fn sent(&mut self, vp: usize, times: &Times) -> bool {
        let vps = self.vps.iter().flatten().count() as u64;
        let (silence, heard) = &mut self.silences[vp];
        silence.packet(times.cycle, *heard, vps, times.sent, times.silence)
    }

    /// V3: the grant for a packet of a pair that is not empty, and whether the packet begins a burst.
    pub fn packet(&mut self, shape: Shape, times: &Times, empty: bool) -> (Grant, bool) {
        let burst = times.burst;
        let seen: Vec<_> = (0..self.vps.len()).map(|vp| self.seen(shape, vp, times.cycle)).collect();
        let live: Vec<_> = self
            .vps
            .iter()
            .zip(&seen)
            .map(|(vp, (state, answered))| vp.is_some() && !state.is_dead(*answered))
            .collect();
        let (vp, left) = self.burst;
        if left > 0 && live[vp] {
            self.burst = (vp, left - 1);
            return (self.grant(vp, self.number), false);
        }
        let calls = |at: &usize| live[*at] && self.vps[*at].as_ref().is_some_and(|vp| vp.call != self.called[*at]);
        let due = |at: &usize| {
            let (state, answered) = seen[*at];
            self.vps[*at].is_some() && state.is_due(answered, times.tries)
        };
        match (0..self.vps.len()).find(calls).filter(|_| burst > 0) {
            Some(vp) => {
                self.called[vp] = !self.called[vp];
                self.burst = (vp, burst - 1);
                self.number = self.number % BURSTS + 1;
                (self.grant(vp, self.number), true)
            }
            None => {
                self.burst.1 = 0;
                let estimates = |counts: &dyn Fn(usize) -> bool| -> Vec<_> {
                    let of = |(at, vp): (usize, &Option<Vp>)| vp.as_ref().filter(|_| counts(at)).map(|vp| vp.estimate);
                    self.vps.iter().enumerate().map(of).collect()
                };
                let weights = match live.contains(&true) {
                    true => weights(&estimates(&|at| live[at])),
                    false => weights_of_all(&estimates(&|_| true)),
                };
                // At least one present VP has a weight above 0 (V6).
                self.last = draw(&weights, Some(self.last)).unwrap_or(self.last);
                let tried = (0..self.vps.len()).find(due).filter(|_| !empty);
                (self.grant(tried.unwrap_or(self.last.0 as usize), 0), false)
            }
        }
    }

    fn grant(&self, vp: usize, burst: u64) -> Grant {
        let sport = self.vps[vp].as_ref().map_or(0, |vp| vp.port);
        Grant { ok: true, vp: vp as u64, sport, burst, ..Grant::default() }
    }

    /// V8: applies a report; returns whether its VP is present, and whether it was dead and returns (V25).
    pub fn report(&mut self, shape: Shape, report: Report, moment: Moment) -> (bool, bool) {
        let number = shape.number(report.vp) as usize;
        let (seen, answered) = self.seen(shape, number, moment.cycle);
        let Some(vp) = self.vps[number].as_mut().filter(|vp| vp.port == report.vp) else { return (false, false) };
        vp.report(report, moment);
        let heard = &mut self.silences[number].1;
        if report.count > 0 {
            heard.answered = seen.wait;
        } else if seen.is_denied(answered) {
            heard.denied = Some(seen.wait);
        }
        (true, report.count > 0 && seen.is_dead(answered))
    }

    /// V15 to V17: carries out a command if it can be done; returns the state after it.
    pub fn operate(&mut self, shape: Shape, command: Command, moment: Moment) -> Response {
        let number = shape.number(command.sport) as usize;
        let (seen, _) = self.seen(shape, number, moment.cycle);
        let vp = &mut self.vps[number];
        let done = match (Op::of(command.op), vp.as_ref()) {
            (Some(Op::Read), _) => true,
            (Some(Op::Add), None) if command.bandwidth != 0 => {
                *vp = Some(Vp::new(command.sport, command.bandwidth, moment));
                self.silences[number].1.answered = seen.wait;
                true
            }
            (Some(Op::Remove), Some(known)) if known.port == command.sport => {
                *vp = None;
                true
            }
            _ => false,
        };
        let Some(vp) = vp else {
            return Response { done, ..Response::default() };
        };
        Response {
            done,
            present: true,
            port: vp.port,
            bandwidth: vp.estimate.bandwidth,
            rate: vp.estimate.rate,
            probe_armed: vp.is_armed(),
            dead: seen.is_dead(self.silences[number].1.answered),
            ..Response::default()
        }
    }
}
