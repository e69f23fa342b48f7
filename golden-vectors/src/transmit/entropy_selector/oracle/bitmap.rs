// SPDX-License-Identifier: MIT OR Apache-2.0
//! Marks that are valid for a limited time, and the next EV without a valid mark (S2, S6, S7).

use super::epochs::Timeline;
use super::moment::RequestTime;
use super::walk::{Walk, saturated};
use std::collections::BTreeSet;

/// The bitmap of a CCC since it was opened.
#[derive(Debug, Default)]
pub struct Bitmap {
    pub walk: Walk,
    /// Cycle of the feedback, EV.
    marks: Vec<(u64, u64)>,
}

impl Bitmap {
    /// S4: the mark of a feedback.
    pub fn mark(&mut self, cycle: u64, ev: u64) {
        self.marks.push((cycle, ev));
    }

    /// S18: the EV space has become smaller, or the RTT class another one; all marks are discarded.
    pub fn forget(&mut self) {
        self.marks.clear();
    }

    /// S2 and S7: the EV for a request of a CCC with this start, and whether the CCC is saturated.
    pub fn choose(&mut self, now: RequestTime, start: u64) -> (u64, bool) {
        let marked = self.seen(now);
        let step = self.walk.choose(now, start, &marked);
        (step.ev, step.saturated)
    }

    /// X2: whether an EV of the space is free for a request.
    pub fn is_free(&self, now: RequestTime, ev: u64) -> bool {
        let marked = self.seen(now);
        !marked.contains(&ev) || saturated(now, &marked)
    }

    /// The EVs that are marked for a request.
    fn seen(&self, now: RequestTime) -> BTreeSet<u64> {
        let marked = |seen| self.marked(now.timeline, now.class, seen, now.epoch());
        now.last_visible_cycle().map_or_else(BTreeSet::new, marked)
    }

    /// The EVs with a mark that is valid in an epoch of a class, from feedback up to a cycle (S6).
    pub fn marked(&self, timeline: &Timeline, class: u64, cycle: u64, epoch: u64) -> BTreeSet<u64> {
        self.marks
            .iter()
            .rev()
            .skip_while(|&&(accepted, _)| accepted > cycle)
            .take_while(|&&(accepted, _)| timeline.epoch(class, accepted) + 1 >= epoch)
            .map(|&(_, ev)| ev)
            .collect()
    }
}
