// SPDX-License-Identifier: MIT OR Apache-2.0
//! The next EV without a mark, whatever defines the marks (S2, S7).

use super::moment::RequestTime;
use std::collections::BTreeSet;

/// The EVs that a CCC was granted since it was opened, in order.
#[derive(Debug, Default)]
pub struct Walk {
    /// Cycle of the request, EV.
    pub chosen: Vec<(u64, u64)>,
}

/// The result of the walk for a request.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The EV that is tested first.
    pub first: u64,
    pub ev: u64,
    pub saturated: bool,
}

/// S7: whether a CCC with these marked EVs, which are all in its space, is saturated.
pub fn saturated(now: RequestTime, marked: &BTreeSet<u64>) -> bool {
    let count = marked.len() as u64;
    count * 256 > now.saturation() * now.space || count == now.space
}

impl Walk {
    /// The EV for a request of a CCC with this start.
    pub fn choose(&mut self, now: RequestTime, start: u64, marked: &BTreeSet<u64>) -> Step {
        let saturated = saturated(now, marked);
        // S17: EV 0 follows the last EV of the space, and every EV that is no longer in it.
        let behind = |ev: u64| if ev + 1 < now.space { ev + 1 } else { 0 };
        let first = behind(last(&self.chosen, now.cycle, start, now.shape.evs));
        let mut ev = first;
        while !saturated && marked.contains(&ev) {
            ev = behind(ev);
        }
        self.chosen.push((now.cycle, ev));
        Step { first, ev, saturated }
    }
}

/// The last EV up to a cycle in a list of cycles and EVs; `start` - 1 if there is none (S2, S11, S14).
pub fn last(grants: &[(u64, u64)], cycle: u64, start: u64, evs: u64) -> u64 {
    granted(grants, cycle).unwrap_or((start + evs - 1) % evs)
}

/// The last EV up to a cycle in a list of cycles and EVs, if there is one.
pub fn granted(grants: &[(u64, u64)], cycle: u64) -> Option<u64> {
    grants.iter().rev().find(|&&(requested, _)| requested <= cycle).map(|&(_, ev)| ev)
}
