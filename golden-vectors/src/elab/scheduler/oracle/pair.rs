// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pair of hosts: its VPs, and the VP of each packet (V3, V4).

use super::vp::{Moment, Vp};
use super::weight::weights;
use super::{Command, Grant, Op, Report, Response, Shape};
use crate::elab::draw::{Draw, draw};

/// Burst numbers continue with 1 after this value.
const BURSTS: u64 = 65535;

/// A pair since reset.
#[derive(Debug)]
pub struct Pair {
    vps: Vec<Option<Vp>>,
    /// Acknowledge bits: the probe request of each VP when its last burst began.
    heard: Vec<bool>,
    /// The VP of the last burst, and the number of its packets that are left.
    burst: (usize, u64),
    /// The number of the last burst.
    number: u64,
    last: Draw,
}

impl Pair {
    /// V4, V18: no VP is present, no probe request is pending, and VP 0 counts as selected last.
    pub fn new(shape: Shape) -> Self {
        Pair {
            vps: (0..shape.vps).map(|_| None).collect(),
            heard: vec![false; shape.vps as usize],
            burst: (0, 0),
            number: 0,
            last: (0, 0),
        }
    }

    /// True if the pair has no VP.
    pub fn is_empty(&self) -> bool {
        self.vps.iter().all(Option::is_none)
    }

    /// V3: the grant for a packet of a pair that is not empty, and whether the packet begins a burst.
    pub fn packet(&mut self, burst: u64) -> (Grant, bool) {
        let (vp, left) = self.burst;
        if left > 0 && self.vps[vp].is_some() {
            self.burst = (vp, left - 1);
            return (self.grant(vp, self.number), false);
        }
        let calls = |at: &usize| self.vps[*at].as_ref().is_some_and(|vp| vp.call != self.heard[*at]);
        match (0..self.vps.len()).find(calls).filter(|_| burst > 0) {
            Some(vp) => {
                self.heard[vp] = !self.heard[vp];
                self.burst = (vp, burst - 1);
                self.number = self.number % BURSTS + 1;
                (self.grant(vp, self.number), true)
            }
            None => {
                self.burst.1 = 0;
                let estimates: Vec<_> = self.vps.iter().map(|vp| vp.as_ref().map(|vp| vp.estimate)).collect();
                // At least one present VP has a weight above 0 (V6).
                self.last = draw(&weights(&estimates), Some(self.last)).unwrap_or(self.last);
                (self.grant(self.last.0 as usize, 0), false)
            }
        }
    }

    fn grant(&self, vp: usize, burst: u64) -> Grant {
        let sport = self.vps[vp].as_ref().map_or(0, |vp| vp.port);
        Grant { ok: true, vp: vp as u64, sport, burst, ..Grant::default() }
    }

    /// V8: applies a report; returns whether its VP is present.
    pub fn report(&mut self, shape: Shape, report: Report, moment: Moment) -> bool {
        let vp = &mut self.vps[shape.number(report.vp) as usize];
        let known = vp.as_mut().filter(|vp| vp.port == report.vp);
        known.map(|vp| vp.report(report, moment)).is_some()
    }

    /// V15 to V17: carries out a command if it can be done; returns the state after it.
    pub fn operate(&mut self, shape: Shape, command: Command, moment: Moment) -> Response {
        let vp = &mut self.vps[shape.number(command.sport) as usize];
        let done = match (Op::of(command.op), vp.as_ref()) {
            (Some(Op::Read), _) => true,
            (Some(Op::Add), None) if command.bandwidth != 0 => {
                *vp = Some(Vp::new(command.sport, command.bandwidth, moment));
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
            ..Response::default()
        }
    }
}
