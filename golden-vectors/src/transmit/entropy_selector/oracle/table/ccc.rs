// SPDX-License-Identifier: MIT OR Apache-2.0
//! A CCC, in any mode.

use super::super::{Command, Kind, Mixed, Mode, Settings, Shape};
use super::Moment;
use super::draws::Draws;
use super::marks::{Marked, Marks, walk};
use super::path::Path;
use super::penalties::Penalties;
use super::ring::Ring;

/// A CCC. What another mode than its own uses is as *open* has left it.
#[derive(Clone, Debug)]
pub struct Ccc {
    pub open: bool,
    /// How often it was opened (S23).
    pub openings: u64,
    pub mode: Mode,
    rod: bool,
    /// The first EV (S21), and the one before it: the last of all EVs before EV 0.
    start: u64,
    before: u64,
    /// Size of the EV space (S17).
    pub space: u64,
    /// log2 of the RTT in units of `rtt` (S9).
    pub class: u64,
    stride: u64,
    /// EV 0 on the wire (S22).
    pub wire: u64,
    /// The EV granted last, and the one that a walk has come to last.
    granted: Option<u64>,
    walked: Option<u64>,
    marks: Marks,
    penalties: Penalties,
    ring: Ring,
    draws: Draws,
    path: Path,
}

impl Ccc {
    /// A closed one.
    pub fn new(shape: Shape) -> Self {
        let penalties = if shape.mode(Mode::Penalty.code()).is_some() { shape.evs } else { 0 };
        Ccc {
            open: false,
            openings: 0,
            mode: Mode::Bitmap,
            rod: false,
            start: 0,
            before: 0,
            space: 1,
            class: 0,
            stride: 1,
            wire: 0,
            granted: None,
            walked: None,
            marks: Marks::new(shape.evs),
            penalties: Penalties::new(penalties),
            ring: Ring::default(),
            draws: Draws::default(),
            path: Path::default(),
        }
    }

    /// S14, S17, S21 and S22; `false` if there is no such mode or space, or the stride is larger than the space.
    pub fn open(&mut self, shape: Shape, command: &Command, mixed: Mixed) -> bool {
        let Some((mode, space)) = shape.mode(command.mode).zip(shape.space(command.space)) else { return false };
        let Some(stride) = 1_u64.checked_shl(command.stride as u32).filter(|stride| *stride <= space) else {
            return false;
        };
        let random = mixed.start - mixed.start % stride + command.start % stride;
        let start = if command.fixed { command.start } else { random } % space;
        let draws = match mode {
            Mode::RoundRobin => Draws::in_order(start),
            _ => Draws::mixed(start, mixed.word, shape.evs),
        };
        self.open = true;
        self.openings += 1;
        (self.mode, self.rod, self.class) = (mode, command.rod, command.class);
        (self.start, self.before) = (start, (start + shape.evs - 1) % shape.evs);
        (self.space, self.stride) = (space, stride);
        self.wire = shape.wire_base + mixed.upper * shape.evs;
        (self.granted, self.walked) = (None, None);
        self.marks.forget();
        self.penalties.forget();
        (self.ring, self.draws, self.path) = (Ring::default(), draws, Path::default());
        true
    }

    /// S18 and K5: `false` if the space is too small for the group.
    pub fn resize(&mut self, space: u64, class: u64) -> bool {
        if space < self.stride {
            return false;
        }
        if space < self.space || class != self.class {
            self.marks.forget();
            self.penalties.forget();
        }
        (self.space, self.class) = (space, class);
        true
    }

    /// N5 and N6: `false` in another mode.
    pub fn reroute(&mut self) -> bool {
        let is_path = self.mode == Mode::SinglePath;
        if let Some(ev) = self.granted.filter(|_| is_path) {
            self.path.ask(ev);
        }
        is_path
    }

    /// The EV with a number on the wire, if the CCC has it (S8, S22).
    pub fn index(&self, number: u64) -> Option<u64> {
        number.checked_sub(self.wire).filter(|&index| index < self.space)
    }

    /// Feedback for an EV in range.
    pub fn feedback(&mut self, moment: Moment, settings: &Settings, ev: u64, kind: Kind) {
        // S15, S4.
        if self.rod || !(kind.marks() || kind == Kind::Good) {
            return;
        }
        let epoch = moment.epoch >> self.class;
        match self.mode {
            Mode::Bitmap if kind.marks() => self.marks.mark(epoch, ev),
            Mode::SinglePath if kind.marks() => self.path.suspect(ev),
            // S4, O1.
            Mode::Bitmap | Mode::SinglePath | Mode::Oblivious | Mode::RoundRobin => {}
            Mode::Reps => self.ring.feedback(moment.time, epoch, settings, ev, kind),
            Mode::Mixed => {
                self.ring.recycle(epoch, ev, kind);
                if kind.marks() {
                    self.marks.mark(epoch, ev);
                }
            }
            Mode::Penalty => self.penalties.feedback(ev, kind),
        }
    }

    /// The EV for a request, and whether the CCC is saturated.
    pub fn choose(&mut self, moment: Moment, settings: &Settings) -> (u64, bool) {
        let (epoch, space) = (moment.epoch >> self.class, self.space);
        let (ev, saturated) = match self.mode {
            Mode::Bitmap => self.walk(epoch, settings),
            Mode::Oblivious | Mode::RoundRobin => (self.draws.draw(space), false),
            Mode::SinglePath => (self.path.choose(epoch, settings, self.start, self.stride, space), false),
            Mode::Reps => (self.ring.choose(epoch, settings, &mut self.draws, space), false),
            Mode::Mixed => {
                // X1, X2.
                let valid = self.marks.valid(epoch);
                let recycled = self.ring.pop(epoch).map(|ev| ev % space);
                match recycled.filter(|&ev| !valid.has(ev) || valid.saturated(settings, space)) {
                    Some(ev) => (ev, false),
                    None => self.walk(epoch, settings),
                }
            }
            // K2, K3.
            Mode::Penalty => {
                let step = walk(self.behind(), &self.penalties, settings, space);
                if step.saturated || step.ev != step.first {
                    self.penalties.decrement(step.first);
                }
                self.walked = Some(step.ev);
                (step.ev, step.saturated)
            }
        };
        self.granted = Some(ev);
        (ev, saturated)
    }

    /// S2 and S7 with the marks of an epoch.
    fn walk(&mut self, epoch: u64, settings: &Settings) -> (u64, bool) {
        let step = walk(self.behind(), &self.marks.valid(epoch), settings, self.space);
        self.walked = Some(step.ev);
        (step.ev, step.saturated)
    }

    /// The EV behind which a walk begins.
    fn behind(&self) -> u64 {
        self.walked.unwrap_or(self.before)
    }

    /// S11 and S14.
    pub fn last(&self) -> u64 {
        let last = match self.mode {
            Mode::Bitmap | Mode::Mixed | Mode::Penalty => self.walked,
            Mode::Oblivious | Mode::RoundRobin | Mode::SinglePath | Mode::Reps => self.granted,
        };
        last.unwrap_or(self.before)
    }

    /// S11, S16, K5.
    pub fn marked(&self, moment: Moment) -> u64 {
        match self.mode {
            Mode::Bitmap | Mode::Mixed => self.marks.valid(moment.epoch >> self.class).count(self.space),
            Mode::Penalty => self.penalties.count(self.space),
            Mode::Oblivious | Mode::RoundRobin | Mode::SinglePath | Mode::Reps => 0,
        }
    }
}
