// SPDX-License-Identifier: MIT OR Apache-2.0
//! A CCC since it was opened, in whichever mode.

use super::bitmap::Bitmap;
use super::counting::Counting;
use super::epochs::Timeline;
use super::moment::Moment;
use super::oblivious::Draws;
use super::reps::Reps;
use super::ring::Ring;
use super::single_path::SinglePath;
use super::walk::last;
use super::{Control, Kind, Mode, Shape};

/// A CCC since it was opened.
#[derive(Debug)]
pub struct Opened {
    start: u64,
    pub mode: Mode,
    rod: bool,
    /// EVs below it are in use (S17).
    pub space: u64,
    /// Cycle of the request, EV.
    grants: Vec<(u64, u64)>,
    way: Way,
}

/// What its mode needs.
#[derive(Debug)]
enum Way {
    Bitmap(Bitmap),
    Draws(Draws),
    SinglePath(SinglePath),
    Reps(Reps),
    Mixed(Bitmap, Ring),
    Counting(Counting),
}

impl Opened {
    /// S14 and S17.
    pub fn new(Control { ccc, start, rod, .. }: Control, mode: Mode, space: u64) -> Self {
        let way = match mode {
            Mode::Bitmap => Way::Bitmap(Bitmap::default()),
            Mode::Oblivious => Way::Draws(Draws::new(ccc, start, false)),
            Mode::Counter => Way::Draws(Draws::new(ccc, start, true)),
            Mode::SinglePath => Way::SinglePath(SinglePath::default()),
            Mode::Reps => Way::Reps(Reps::new(ccc, start)),
            Mode::Mixed => Way::Mixed(Bitmap::default(), Ring::default()),
            Mode::Counting => Way::Counting(Counting::default()),
        };
        Opened { start, mode, rod, space, grants: Vec::new(), way }
    }

    /// S18 and K5: nothing is changed but the space, from a cycle on, and marks that are forgotten if it becomes smaller.
    pub fn resize(&mut self, cycle: u64, space: u64) {
        if space < self.space {
            match &mut self.way {
                Way::Bitmap(bitmap) | Way::Mixed(bitmap, _) => bitmap.forget(),
                Way::Counting(counting) => counting.forget(cycle),
                Way::Draws(_) | Way::SinglePath(_) | Way::Reps(_) => {}
            }
        }
        self.space = space;
    }

    /// K4: in this cycle a feedback has come that is not GOOD, for this CCC or another one, lawful or not.
    pub fn disturb(&mut self, cycle: u64) {
        if let Way::Counting(counting) = &mut self.way {
            counting.keep(cycle);
        }
    }

    /// A feedback for an EV in range: cycle, EV, kind.
    pub fn feedback(&mut self, shape: Shape, timeline: &Timeline, feedback: (u64, u64, Kind)) {
        let (cycle, ev, kind) = feedback;
        // S15.
        if self.rod {
            return;
        }
        match &mut self.way {
            Way::Bitmap(bitmap) if kind != Kind::Good => bitmap.mark(cycle, ev),
            Way::SinglePath(path) if kind != Kind::Good => path.suspect(cycle, ev),
            // S4: GOOD changes nothing there. O1: nor does any feedback here.
            Way::Bitmap(_) | Way::SinglePath(_) | Way::Draws(_) => {}
            Way::Reps(reps) => reps.ring.feedback(shape, timeline, feedback),
            Way::Mixed(bitmap, ring) => {
                ring.recycle(feedback);
                if kind != Kind::Good {
                    bitmap.mark(cycle, ev);
                }
            }
            Way::Counting(counting) => counting.feedback(feedback),
        }
    }

    /// The EV of a request, and whether the CCC is saturated (S16: in modes without marks it is not).
    pub fn choose(&mut self, now: Moment) -> (u64, bool) {
        let space = self.space;
        let (ev, saturated) = match &mut self.way {
            Way::Bitmap(bitmap) => bitmap.choose(now, self.start, space),
            Way::Draws(draws) => {
                draws.request(now);
                (draws.draw(space), false)
            }
            Way::SinglePath(path) => (path.choose(now, self.start, space), false),
            Way::Reps(reps) => (reps.choose(now, space), false),
            // X1.
            Way::Mixed(bitmap, ring) => match ring.seen(now) {
                (_, 0) => bitmap.choose(now, self.start, space),
                // S17: an EV that the space has not any more is cut.
                (state, n) => (ring.pop(now, state, n) % space, false),
            },
            Way::Counting(counting) => counting.choose(now, self.start, space),
        };
        self.grants.push((now.cycle, ev));
        (ev, saturated)
    }

    /// The EV granted last by requests up to a cycle; where there is a bitmap, the one that it chose last (S11, S14).
    pub fn last(&self, cycle: u64, evs: u64) -> u64 {
        let list = match &self.way {
            Way::Bitmap(bitmap) | Way::Mixed(bitmap, _) => &bitmap.walk.chosen,
            Way::Counting(counting) => &counting.walk.chosen,
            Way::Draws(_) | Way::SinglePath(_) | Way::Reps(_) => &self.grants,
        };
        last(list, cycle, self.start, evs)
    }

    /// How many EVs have a mark in force in an epoch, of feedback up to a cycle (S11, S16, K5).
    pub fn marked(&self, timeline: &Timeline, cycle: u64, epoch: u64) -> u64 {
        match &self.way {
            Way::Bitmap(bitmap) | Way::Mixed(bitmap, _) => bitmap.marked(timeline, cycle, epoch).len() as u64,
            // K5: no epoch ends a mark.
            Way::Counting(counting) => counting.marked(cycle).len() as u64,
            Way::Draws(_) | Way::SinglePath(_) | Way::Reps(_) => 0,
        }
    }
}
