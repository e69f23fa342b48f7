// SPDX-License-Identifier: MIT OR Apache-2.0
//! Marks, and the next EV that has none (S2, S6, S7).

use super::epochs::Timeline;
use super::moment::Moment;
use std::collections::BTreeSet;

/// The bitmap of a CCC since it was opened.
#[derive(Debug, Default)]
pub struct Bitmap {
    /// Cycle of the request, EV.
    pub chosen: Vec<(u64, u64)>,
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
    pub fn choose(&mut self, now: Moment, start: u64, space: u64) -> (u64, bool) {
        let marked = match now.sight() {
            Some(seen) => self.marked(now.timeline, seen, now.timeline.epoch(now.cycle)),
            None => BTreeSet::new(),
        };
        let count = marked.len() as u64;
        let saturated = count > now.settings().limit || count == space;
        // S17: EV 0 is behind the last EV of the space, and behind those that it has not any more.
        let behind = |ev: u64| if ev + 1 < space { ev + 1 } else { 0 };
        let mut ev = behind(last(&self.chosen, now.cycle, start, now.shape.evs));
        while !saturated && marked.contains(&ev) {
            ev = behind(ev);
        }
        self.chosen.push((now.cycle, ev));
        (ev, saturated)
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

/// The last EV of a list of cycles and EVs up to a cycle; `start` - 1 if there is none (S2, S11, S14).
pub fn last(grants: &[(u64, u64)], cycle: u64, start: u64, evs: u64) -> u64 {
    let grant = grants.iter().rev().find(|&&(requested, _)| requested <= cycle);
    grant.map_or((start + evs - 1) % evs, |&(_, ev)| ev)
}
