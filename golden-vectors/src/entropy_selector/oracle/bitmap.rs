// SPDX-License-Identifier: MIT OR Apache-2.0
//! Marks that are valid for a limited time, and the next EV without a valid mark (S2, S6, S7).

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
    /// S4: the mark of feedback other than GOOD.
    pub fn mark(&mut self, cycle: u64, ev: u64) {
        self.marks.push((cycle, ev));
    }

    /// S18: the EV space has become smaller; all marks are discarded.
    pub fn forget(&mut self) {
        self.marks.clear();
    }

    /// S2 and S7: the EV below `space` for a request of a CCC opened with `start`, and whether the CCC is saturated.
    pub fn choose(&mut self, now: RequestTime, start: u64, space: u64) -> (u64, bool) {
        let marked = match now.last_visible_cycle() {
            Some(seen) => self.marked(now.timeline, seen, now.timeline.epoch(now.cycle)),
            None => BTreeSet::new(),
        };
        let step = self.walk.choose(now, start, space, &marked);
        (step.ev, step.saturated)
    }

    /// The EVs with a mark that is valid in an epoch, from feedback up to a cycle (S6).
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
