// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packets of a QP since it was opened (T3, T6, T8 to T10, T21, T22).

use super::selection::{Choice, Selection};
use super::sub_path::SubPath;
use super::timeline::Timeline;
use super::{Command, Grant, Granularity, Packet, Shape, State};

/// PSNs wrap to 0 at this value.
const PSNS: u64 = 1 << 24;

/// Flowlet numbers wrap to 0 at this value.
const FLOWLETS: u64 = 1 << 16;

/// The PSN of a probe is so far from the next one that no receiver takes it for data (T6).
const AWAY: u64 = 1 << 23;

/// The bits of `grant_flags` (T8).
mod flag {
    pub const F: u64 = 1;
    pub const S: u64 = 2;
    pub const P: u64 = 4;
    pub const C: u64 = 8;
}

/// The times of a request.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Its cycle.
    pub cycle: u64,
    /// The time from which the gap is counted (T3).
    pub time: u64,
}

/// A sub-path as a request sees it.
#[derive(Clone, Copy, Debug)]
struct View {
    active: bool,
    available: bool,
    weight: u64,
    congested: bool,
    usable: bool,
}

/// The previous packet.
#[derive(Debug)]
struct Before {
    path: u64,
    /// The active sub-paths that its request saw.
    active: Vec<bool>,
    time: u64,
    selection: Selection,
}

/// Why a request is refused although its QP is open (T2).
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    NoPath,
    Full,
}

/// The packet stream of a QP since it was opened.
#[derive(Debug)]
pub struct Stream {
    /// With entropies by XOR: that of sub-path 0.
    pub entropy: u64,
    pub granularity: Granularity,
    /// Flowlet time.
    pub pause: u64,
    /// PSN of the next data packet.
    psn: u64,
    before: Option<Before>,
    /// The number of the flowlet.
    flowlet: u64,
}

impl Stream {
    /// T17.
    pub const fn new(command: Command, granularity: Granularity, pause: u64) -> Self {
        Stream { entropy: command.entropy, granularity, pause, psn: command.psn, before: None, flowlet: 0 }
    }

    /// The grant for a request of kind 0 or 1, without entropy.
    pub fn packet(&mut self, shape: Shape, paths: &[SubPath], kind: Packet, clock: Clock) -> Result<Grant, Refusal> {
        let views = views(shape, paths, self.granularity, clock, kind == Packet::Retransmission);
        if !views.iter().any(|view| view.active) {
            return Err(Refusal::NoPath);
        }
        let again = kind == Packet::Retransmission;
        let (selected, path, selection) = self.choose(shape, &views, clock, again).ok_or(Refusal::Full)?;
        let in_flowlets = self.granularity == Granularity::Flowlet;
        let active: Vec<_> = views.iter().map(|view| view.active).collect();
        let mut switched = false;
        if let Some(before) = &self.before {
            // T21.
            let sprays = self.granularity == Granularity::Packet;
            switched = before.active != active || !sprays && before.path != path;
            // T9: the first packet belongs to flowlet 0.
            if in_flowlets && selected {
                self.flowlet = (self.flowlet + 1) % FLOWLETS;
            }
        }
        let View { weight, congested, .. } = views[path as usize];
        let flags = [(in_flowlets && selected, flag::F), (switched, flag::S), (congested, flag::C)];
        let grant = Grant {
            flags: flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag).sum(),
            flowlet: if in_flowlets { self.flowlet } else { 0 },
            ..self.grant(path, weight)
        };
        // T3: a flow stays where it is when a packet of it is sent again.
        let home = self.before.as_ref().map_or(path, |before| before.path);
        let detour = kind == Packet::Retransmission && self.granularity == Granularity::Flow;
        let path = if detour { home } else { path };
        self.before = Some(Before { path, active, time: clock.time, selection });
        if kind == Packet::Data {
            self.psn = (self.psn + 1) % PSNS;
        }
        Ok(grant)
    }

    /// The grant for a probe (T2, T6, T8, T9), without entropy.
    pub fn probe(&self, paths: &[SubPath], number: u64) -> Result<Grant, Refusal> {
        let path = usize::try_from(number).ok().and_then(|number| paths.get(number)).ok_or(Refusal::NoPath)?;
        match path.state {
            _ if self.granularity == Granularity::Single => Err(Refusal::NoPath),
            State::Probing | State::Probed | State::Active => {
                let grant = self.grant(number, path.weight());
                Ok(Grant { flags: flag::P, psn: self.psn ^ AWAY, ..grant })
            }
            _ => Err(Refusal::NoPath),
        }
    }

    /// T3: whether a sub-path is newly selected, which one the packet uses, and what the selection leaves. `None` if all
    /// active sub-paths are full.
    fn choose(&self, shape: Shape, views: &[View], clock: Clock, again: bool) -> Option<(bool, u64, Selection)> {
        if let Some(before) = self.before.as_ref().filter(|before| self.stays(views, before, clock, again)) {
            return Some((false, before.path, before.selection.clone()));
        }
        let choices: Vec<_> = views.iter().map(|&View { weight, usable, .. }| Choice { weight, usable }).collect();
        let goes_on = self.granularity != Granularity::Flow;
        let before = self.before.as_ref().filter(|_| goes_on).map(|before| &before.selection);
        let (path, selection) = Selection::next(before, &choices, shape.most() + 1)?;
        Some((true, path, selection))
    }

    /// T3: whether the packet uses the sub-path of the previous one.
    fn stays(&self, views: &[View], before: &Before, clock: Clock, again: bool) -> bool {
        let view = views[before.path as usize];
        view.available
            && match self.granularity {
                Granularity::Flow => view.usable,
                Granularity::Flowlet => {
                    (view.usable || !again) && Timeline::since(before.time, clock.time) <= self.pause
                }
                Granularity::Packet => false,
                Granularity::Single => true,
            }
    }

    /// T6, T7 and T10.
    fn grant(&self, path: u64, weight: u64) -> Grant {
        Grant { ok: true, path, psn: self.psn, tag: self.granularity.code() | weight << 2, ..Grant::default() }
    }
}

/// T20 and T22: the sub-paths as a request sees them; one for a retransmission finds none of them full.
fn views(shape: Shape, paths: &[SubPath], granularity: Granularity, clock: Clock, again: bool) -> Vec<View> {
    let view = |path: &SubPath| {
        let active = path.state == State::Active;
        let available = active && (again || !path.load.full(shape, clock.cycle));
        let usable = available && !(path.avoided && granularity == Granularity::Flow) && !(again && path.is_losing());
        View { active, available, weight: path.weight(), congested: path.congested, usable }
    };
    let mut views: Vec<_> = paths.iter().map(view).collect();
    // No sub-path is preferred: all that are available are usable.
    if !views.iter().any(|view| view.usable) {
        views.iter_mut().for_each(|view| view.usable = view.available);
    }
    views
}
