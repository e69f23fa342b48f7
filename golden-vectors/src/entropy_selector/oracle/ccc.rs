// SPDX-License-Identifier: MIT OR Apache-2.0
//! A CCC since it was opened, in any mode.

use super::bitmap::Bitmap;
use super::counting::Penalty;
use super::epochs::Timeline;
use super::moment::RequestTime;
use super::oblivious::Draws;
use super::reps::Reps;
use super::ring::Ring;
use super::single_path::SinglePath;
use super::walk::last;
use super::{Command, Kind, Mode, Shape};

/// A CCC since it was opened.
#[derive(Debug)]
pub struct OpenCcc {
    start: u64,
    pub mode: Mode,
    rod: bool,
    /// Size of the EV space: EVs below it are used (S17).
    pub space: u64,
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
    /// S14 and S17.
    pub fn new(Command { ccc, start, rod, .. }: Command, mode: Mode, space: u64) -> Self {
        let mode_state = match mode {
            Mode::Bitmap => ModeState::Bitmap(Bitmap::default()),
            Mode::Oblivious => ModeState::Draws(Draws::new(ccc, start, false)),
            Mode::RoundRobin => ModeState::Draws(Draws::new(ccc, start, true)),
            Mode::SinglePath => ModeState::SinglePath(SinglePath::default()),
            Mode::Reps => ModeState::Reps(Reps::new(ccc, start)),
            Mode::Mixed => ModeState::Mixed(Bitmap::default(), Ring::default()),
            Mode::Penalty => ModeState::Penalty(Penalty::default()),
        };
        OpenCcc { start, mode, rod, space, grants: Vec::new(), mode_state }
    }

    /// S18 and K5: changes only the EV space, from a cycle on, and discards marks if it becomes smaller.
    pub fn resize(&mut self, cycle: u64, space: u64) {
        if space < self.space {
            match &mut self.mode_state {
                ModeState::Bitmap(bitmap) | ModeState::Mixed(bitmap, _) => bitmap.forget(),
                ModeState::Penalty(counting) => counting.forget(cycle),
                ModeState::Draws(_) | ModeState::SinglePath(_) | ModeState::Reps(_) => {}
            }
        }
        self.space = space;
    }

    /// K4: feedback other than GOOD has come in this cycle, for this CCC or another one, admitted or not.
    pub fn block_decrement(&mut self, cycle: u64) {
        if let ModeState::Penalty(counting) = &mut self.mode_state {
            counting.cancel_decrement(cycle);
        }
    }

    /// A feedback for an EV in range: cycle, EV, kind.
    pub fn feedback(&mut self, shape: Shape, timeline: &Timeline, feedback: (u64, u64, Kind)) {
        let (cycle, ev, kind) = feedback;
        // S15.
        if self.rod {
            return;
        }
        match &mut self.mode_state {
            ModeState::Bitmap(bitmap) if kind != Kind::Good => bitmap.mark(cycle, ev),
            ModeState::SinglePath(path) if kind != Kind::Good => path.suspect(cycle, ev),
            // S4: GOOD changes nothing in the first two. O1: no feedback changes anything in the last.
            ModeState::Bitmap(_) | ModeState::SinglePath(_) | ModeState::Draws(_) => {}
            ModeState::Reps(reps) => reps.ring.feedback(shape, timeline, feedback),
            ModeState::Mixed(bitmap, ring) => {
                ring.recycle(feedback);
                if kind != Kind::Good {
                    bitmap.mark(cycle, ev);
                }
            }
            ModeState::Penalty(counting) => counting.feedback(feedback),
        }
    }

    /// The EV for a request, and whether the CCC is saturated (S16: never in modes without marks).
    pub fn choose(&mut self, now: RequestTime) -> (u64, bool) {
        let space = self.space;
        let (ev, saturated) = match &mut self.mode_state {
            ModeState::Bitmap(bitmap) => bitmap.choose(now, self.start, space),
            ModeState::Draws(draws) => {
                draws.request(now);
                (draws.draw(space), false)
            }
            ModeState::SinglePath(path) => (path.choose(now, self.start, space), false),
            ModeState::Reps(reps) => (reps.choose(now, space), false),
            // X1.
            ModeState::Mixed(bitmap, ring) => match ring.seen(now) {
                (_, 0) => bitmap.choose(now, self.start, space),
                // S17: an EV that is no longer in the space is reduced modulo its size.
                (state, n) => (ring.pop(now, state, n) % space, false),
            },
            ModeState::Penalty(counting) => counting.choose(now, self.start, space),
        };
        self.grants.push((now.cycle, ev));
        (ev, saturated)
    }

    /// The EV granted last by requests up to a cycle; with a bitmap, the one that the bitmap granted last (S11, S14).
    pub fn last(&self, cycle: u64, evs: u64) -> u64 {
        let list = match &self.mode_state {
            ModeState::Bitmap(bitmap) | ModeState::Mixed(bitmap, _) => &bitmap.walk.chosen,
            ModeState::Penalty(counting) => &counting.walk.chosen,
            ModeState::Draws(_) | ModeState::SinglePath(_) | ModeState::Reps(_) => &self.grants,
        };
        last(list, cycle, self.start, evs)
    }

    /// Number of EVs with a mark that is valid in an epoch, from feedback up to a cycle (S11, S16, K5).
    pub fn marked(&self, timeline: &Timeline, cycle: u64, epoch: u64) -> u64 {
        match &self.mode_state {
            ModeState::Bitmap(bitmap) | ModeState::Mixed(bitmap, _) => {
                bitmap.marked(timeline, cycle, epoch).len() as u64
            }
            // K5: penalties do not depend on epochs.
            ModeState::Penalty(counting) => counting.marked(cycle).len() as u64,
            ModeState::Draws(_) | ModeState::SinglePath(_) | ModeState::Reps(_) => 0,
        }
    }
}
