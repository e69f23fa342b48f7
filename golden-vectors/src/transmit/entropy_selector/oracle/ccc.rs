// SPDX-License-Identifier: MIT OR Apache-2.0
//! A CCC since it was opened, in any mode.

use super::bitmap::Bitmap;
use super::counting::Penalty;
use super::epochs::Timeline;
use super::mix::Mixed;
use super::moment::RequestTime;
use super::oblivious::Draws;
use super::reps::Reps;
use super::ring::{Ring, Told};
use super::single_path::SinglePath;
use super::walk::{granted, last};
use super::{Command, Ev, Kind, Mode, Shape};

/// A CCC since it was opened.
#[derive(Debug)]
pub struct OpenCcc {
    shape: Shape,
    /// The first EV (S21).
    start: u64,
    pub mode: Mode,
    rod: bool,
    /// Size of the EV space: EVs below it are used (S17).
    pub space: u64,
    /// log2 of the RTT in units of `rtt` (S9).
    pub class: u64,
    /// Size of the smallest EV space that is possible: the stride of its group (S18, S21).
    stride: u64,
    /// EV 0 on the wire (S22).
    wire: u64,
    /// Cycle of the request, EV.
    grants: Vec<(u64, u64)>,
    mode_state: ModeState,
}

/// The state of the mode.
#[derive(Debug)]
enum ModeState {
    Bitmap(Bitmap),
    Draws(Draws),
    SinglePath(SinglePath),
    Reps(Reps),
    Mixed(Bitmap, Ring),
    Penalty(Penalty),
}

impl OpenCcc {
    /// S14, S17, S21 and S22; `None` if there is no such mode or space, or the stride is larger than the space.
    pub fn new(shape: Shape, command: Command, mixed: Mixed) -> Option<Self> {
        let Command { rod, class, .. } = command;
        let (mode, space) = shape.mode(command.mode).zip(shape.space(command.space))?;
        let stride = (1 << command.stride <= space).then_some(1 << command.stride)?;
        let random = mixed.start - mixed.start % stride + command.start % stride;
        let start = if command.fixed { command.start } else { random } % space;
        let draws = Draws::mixed(start, mixed.word, shape.evs);
        let mode_state = match mode {
            Mode::Bitmap => ModeState::Bitmap(Bitmap::default()),
            Mode::Oblivious => ModeState::Draws(draws),
            Mode::RoundRobin => ModeState::Draws(Draws::in_order(start)),
            Mode::SinglePath => ModeState::SinglePath(SinglePath::new(stride)),
            Mode::Reps => ModeState::Reps(Reps::new(draws)),
            Mode::Mixed => ModeState::Mixed(Bitmap::default(), Ring::default()),
            Mode::Penalty => ModeState::Penalty(Penalty::default()),
        };
        let wire = shape.wire_base + mixed.upper * shape.evs;
        Some(OpenCcc { shape, start, mode, rod, space, class, stride, wire, grants: Vec::new(), mode_state })
    }

    /// S18 and K5: changes the EV space and the RTT class from a cycle on. Marks are discarded if the space becomes
    /// smaller or the class another one. Returns false if the space is too small for the group.
    pub fn resize(&mut self, cycle: u64, space: u64, class: u64) -> bool {
        if space < self.stride {
            return false;
        }
        if space < self.space || class != self.class {
            match &mut self.mode_state {
                ModeState::Bitmap(bitmap) | ModeState::Mixed(bitmap, _) => bitmap.forget(),
                ModeState::Penalty(counting) => counting.forget(cycle),
                ModeState::Draws(_) | ModeState::SinglePath(_) | ModeState::Reps(_) => {}
            }
        }
        (self.space, self.class) = (space, class);
        true
    }

    /// N5 and N6: asks the path to leave the EV granted last by requests up to a cycle, as requests from another one
    /// on see. Returns false in another mode.
    pub fn reroute(&mut self, known: Option<u64>, seen_from: u64) -> bool {
        let ev = known.and_then(|cycle| granted(&self.grants, cycle));
        let ModeState::SinglePath(path) = &mut self.mode_state else {
            return false;
        };
        ev.into_iter().for_each(|ev| path.ask(seen_from, ev));
        true
    }

    /// K4: feedback other than GOOD has come in this cycle, for this CCC or another one, admitted or not.
    pub fn block_decrement(&mut self, cycle: u64) {
        if let ModeState::Penalty(counting) = &mut self.mode_state {
            counting.cancel_decrement(cycle);
        }
    }

    /// The number on the wire of a feedback (S22).
    pub const fn wire(&self, ev: Ev) -> u64 {
        match ev {
            Ev::Wire(number) => number,
            Ev::Own(index) => (self.wire + index) % (1 << 16),
        }
    }

    /// The EV with a number on the wire, if the CCC has it (S8, S22).
    pub fn index(&self, number: u64) -> Option<u64> {
        number.checked_sub(self.wire).filter(|&index| index < self.space)
    }

    /// A feedback for an EV in range.
    pub fn feedback(&mut self, timeline: &Timeline, cycle: u64, ev: u64, kind: Kind) {
        // S15, S4.
        if self.rod || !(kind.marks() || kind == Kind::Good) {
            return;
        }
        let told = Told { cycle, ev, kind, epoch: timeline.epoch(self.class, cycle) };
        match &mut self.mode_state {
            ModeState::Bitmap(bitmap) if kind.marks() => bitmap.mark(cycle, ev),
            ModeState::SinglePath(path) if kind.marks() => path.suspect(cycle, ev),
            // S4: GOOD changes nothing in the first two. O1: no feedback changes anything in the last.
            ModeState::Bitmap(_) | ModeState::SinglePath(_) | ModeState::Draws(_) => {}
            ModeState::Reps(reps) => reps.ring.feedback(timeline, cycle + self.shape.freeze(), told),
            ModeState::Mixed(bitmap, ring) => {
                ring.recycle(told);
                if kind.marks() {
                    bitmap.mark(cycle, ev);
                }
            }
            ModeState::Penalty(counting) => counting.feedback((cycle, ev, kind)),
        }
    }

    /// The EV for a request, its number on the wire, and whether the CCC is saturated (S16: never in modes without
    /// marks).
    pub fn choose(&mut self, timeline: &Timeline, cycle: u64) -> (u64, u64, bool) {
        let now = RequestTime { shape: self.shape, timeline, cycle, class: self.class, space: self.space };
        let (ev, saturated) = match &mut self.mode_state {
            ModeState::Bitmap(bitmap) => bitmap.choose(now, self.start),
            ModeState::Draws(draws) => (draws.draw(now.space), false),
            ModeState::SinglePath(path) => (path.choose(now, self.start), false),
            ModeState::Reps(reps) => (reps.choose(now), false),
            ModeState::Mixed(bitmap, ring) => {
                let seen = ring.seen(now);
                // X1. S17: an EV that is no longer in the space is reduced modulo its size.
                let recycled = (seen.usable > 0).then(|| ring.pop(now, seen) % now.space);
                // X2.
                match recycled.filter(|&ev| bitmap.is_free(now, ev)) {
                    Some(ev) => (ev, false),
                    None => bitmap.choose(now, self.start),
                }
            }
            ModeState::Penalty(counting) => counting.choose(now, self.start),
        };
        self.grants.push((cycle, ev));
        (ev, self.wire + ev, saturated)
    }

    /// The EV granted last by requests up to a cycle; with a bitmap, the one that the bitmap granted last (S11, S14).
    pub fn last(&self, cycle: u64) -> u64 {
        let list = match &self.mode_state {
            ModeState::Bitmap(bitmap) | ModeState::Mixed(bitmap, _) => &bitmap.walk.chosen,
            ModeState::Penalty(counting) => &counting.walk.chosen,
            ModeState::Draws(_) | ModeState::SinglePath(_) | ModeState::Reps(_) => &self.grants,
        };
        last(list, cycle, self.start, self.shape.evs)
    }

    /// Number of EVs with a mark that is valid in the epoch of a cycle, from feedback up to another one (S11, S16, K5).
    pub fn marked(&self, timeline: &Timeline, cycle: u64, valid: u64) -> u64 {
        match &self.mode_state {
            ModeState::Bitmap(bitmap) | ModeState::Mixed(bitmap, _) => {
                bitmap.marked(timeline, self.class, cycle, timeline.epoch(self.class, valid)).len() as u64
            }
            // K5: penalties do not depend on epochs.
            ModeState::Penalty(counting) => counting.marked(cycle).len() as u64,
            ModeState::Draws(_) | ModeState::SinglePath(_) | ModeState::Reps(_) => 0,
        }
    }
}
