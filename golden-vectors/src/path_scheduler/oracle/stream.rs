// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packets of a QP since it was opened (T3, T6 to T10).

use super::sub_path::SubPath;
use super::timeline::Timeline;
use super::{Command, Grant, Granularity, Packet, State};
use crate::draw::{Draw, draw};

/// PSNs wrap to 0 at this value.
const PSNS: u64 = 1 << 24;

/// Flowlet numbers wrap to 0 at this value.
const FLOWLETS: u64 = 1 << 16;

/// The bits of `grant_flags` (T8).
mod flag {
    pub const F: u64 = 1;
    pub const S: u64 = 2;
    pub const P: u64 = 4;
    pub const C: u64 = 8;
}

/// The time of a request, and the flowlet gap (T3).
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub time: u64,
    pub flowlet: u64,
}

/// The packet stream of a QP since it was opened.
#[derive(Debug)]
pub struct Stream {
    entropy: u64,
    pub granularity: Granularity,
    /// PSN of the next data packet.
    psn: u64,
    /// The selection that the previous packet used, and the time of that packet.
    before: Option<(Draw, u64)>,
    /// The number of the flowlet.
    flowlet: u64,
}

impl Stream {
    /// T17.
    pub const fn new(command: Command, granularity: Granularity) -> Self {
        Stream { entropy: command.entropy, granularity, psn: command.psn, before: None, flowlet: 0 }
    }

    /// The grant for a request of kind 0 or 1; `None` if no sub-path can take it (T2).
    pub fn packet(&mut self, paths: &[SubPath], kind: Packet, clock: Clock) -> Option<Grant> {
        let (drawn, at) = self.choose(paths, clock)?;
        let in_flowlets = self.granularity == Granularity::Flowlet;
        // T9: the first packet belongs to flowlet 0.
        if in_flowlets && drawn && self.before.is_some() {
            self.flowlet = (self.flowlet + 1) % FLOWLETS;
        }
        let switched = self.before.is_some_and(|((path, _), _)| path != at.0);
        let congested = path(paths, at.0).is_some_and(|path| path.congested);
        let flags = [(in_flowlets && drawn, flag::F), (switched, flag::S), (congested, flag::C)];
        let mut grant = self.grant(paths, at.0);
        grant.flags = flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag).sum();
        grant.flowlet = if in_flowlets { self.flowlet } else { 0 };
        self.before = Some((at, clock.time));
        if kind == Packet::Data {
            self.psn = (self.psn + 1) % PSNS;
        }
        Some(grant)
    }

    /// The grant for a probe (T2, T8, T9).
    pub fn probe(&self, paths: &[SubPath], number: u64) -> Option<Grant> {
        let probed = path(paths, number).filter(|path| matches!(path.state, State::Probing | State::Active));
        probed.map(|_| Grant { flags: flag::P, ..self.grant(paths, number) })
    }

    /// T3: whether a sub-path is newly selected, and the selection that the packet uses.
    fn choose(&self, paths: &[SubPath], clock: Clock) -> Option<(bool, Draw)> {
        let stays = self.before.filter(|&((number, _), time)| {
            let active = path(paths, number).is_some_and(|path| path.state == State::Active);
            let paused = Timeline::since(time, clock.time) >= clock.flowlet;
            active
                && match self.granularity {
                    Granularity::Flow => true,
                    Granularity::Flowlet => !paused,
                    Granularity::Packet => false,
                }
        });
        match stays {
            Some((at, _)) => Some((false, at)),
            None => {
                let weights: Vec<_> = paths.iter().map(SubPath::weight).collect();
                draw(&weights, self.before.map(|(at, _)| at)).map(|at| (true, at))
            }
        }
    }

    /// T6, T7 and T10.
    fn grant(&self, paths: &[SubPath], number: u64) -> Grant {
        let weight = path(paths, number).map_or(0, SubPath::weight);
        Grant {
            ok: true,
            path: number,
            entropy: self.entropy ^ number,
            psn: self.psn,
            tag: self.granularity.code() | weight << 2,
            ..Grant::default()
        }
    }
}

/// The sub-path with this number.
fn path(paths: &[SubPath], number: u64) -> Option<&SubPath> {
    paths.get(usize::try_from(number).ok()?)
}
