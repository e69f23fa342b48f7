// SPDX-License-Identifier: MIT OR Apache-2.0
//! Marks that are in force for a time, and the next EV that has none (S2, S6, S7).

use super::epochs::Timeline;
use super::moment::RequestTime;
use super::walk::Walk;
use std::collections::BTreeSet;

/// The bitmap of a CCC since it was opened.
#[derive(Debug, Default)]
pub struct Bitmap {
    pub walk: Walk,
    /// Cycle of the feedback, EV.
    marks: Vec<(u64, u64)>,
}

impl Bitmap {
    /// S4: of a feedback that is not GOOD.
    pub fn mark(&mut self, cycle: u64, ev: u64) {
        self.marks.push((cycle, ev));
    }

    /// S18: the EV space has become smaller.
    pub fn forget(&mut self) {
        self.marks.clear();
    }

    /// S2 and S7: the EV of a request of a CCC opened with `start`, of the EVs below `space`, and whether it is saturated.
    pub fn choose(&mut self, now: RequestTime, start: u64, space: u64) -> (u64, bool) {
        let marked = match now.last_visible_cycle() {
            Some(seen) => self.marked(now.timeline, seen, now.timeline.epoch(now.cycle)),
            None => BTreeSet::new(),
        };
        let step = self.walk.choose(now, start, space, &marked);
        (step.ev, step.saturated)
    }

    /// The EVs with a mark that is in force in an epoch, of feedback up to a cycle (S6).
    pub fn marked(&self, timeline: &Timeline, cycle: u64, epoch: u64) -> BTreeSet<u64> {
        self.marks
            .iter()
            .rev()
            .skip_while(|&&(accepted, _)| accepted > cycle)
            .take_while(|&&(accepted, _)| timeline.epoch(accepted) + 1 >= epoch)
            .map(|&(_, ev)| ev)
            .collect()
    }
}
