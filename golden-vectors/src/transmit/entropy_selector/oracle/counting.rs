// SPDX-License-Identifier: MIT OR Apache-2.0
//! Penalties that requests decrement, and the next EV with penalty 0 (K1 to K5).

use super::Kind;
use super::moment::RequestTime;
use super::walk::Walk;
use std::collections::{BTreeMap, BTreeSet};

/// Largest penalty.
const MOST: u64 = 15;

/// A change of the penalty of an EV.
#[derive(Clone, Copy, Debug)]
enum Change {
    Add(u64),
    TakeOff,
}

/// The penalties of a CCC since it was opened.
#[derive(Debug, Default)]
pub struct Penalty {
    pub walk: Walk,
    /// The change of each cycle and its EV; at most one per cycle (K4). A decrement is entered here as soon as the
    /// request is accepted.
    changes: BTreeMap<u64, (u64, Change)>,
}

impl Penalty {
    /// K1: feedback for an EV in range.
    pub fn feedback(&mut self, (cycle, ev, kind): (u64, u64, Kind)) {
        let penalty = match kind {
            Kind::Ecn => 1,
            Kind::Nack => 4,
            Kind::Timeout => MOST,
            Kind::Good | Kind::LastHop | Kind::Unknown(_) => return,
        };
        self.changes.insert(cycle, (ev, Change::Add(penalty)));
    }

    /// K4: no penalty is decremented in this cycle.
    pub fn cancel_decrement(&mut self, cycle: u64) {
        self.changes.remove(&cycle);
    }

    /// K5: the EV space is smaller, or the RTT class another one, from this cycle on. Decrements after this cycle apply to later penalties.
    pub fn forget(&mut self, cycle: u64) {
        self.changes = self.changes.split_off(&cycle);
    }

    /// K2 and K3: the EV for a request of a CCC with this start, and whether the CCC is saturated.
    pub fn choose(&mut self, now: RequestTime, start: u64) -> (u64, bool) {
        let marked = now.last_visible_cycle().map_or_else(BTreeSet::new, |seen| self.marked(seen));
        let step = self.walk.choose(now, start, &marked);
        if step.saturated || step.ev != step.first {
            self.changes.insert(now.cycle + now.shape.grant(), (step.first, Change::TakeOff));
        }
        (step.ev, step.saturated)
    }

    /// The EVs with a penalty above 0, by the changes up to a cycle.
    pub fn marked(&self, cycle: u64) -> BTreeSet<u64> {
        let mut penalties: BTreeMap<u64, u64> = BTreeMap::new();
        for &(ev, change) in self.changes.range(..=cycle).map(|(_, change)| change) {
            let penalty = penalties.entry(ev).or_default();
            *penalty = match change {
                Change::Add(more) => MOST.min(*penalty + more),
                Change::TakeOff => penalty.saturating_sub(1),
            };
        }
        penalties.into_iter().filter(|&(_, penalty)| penalty > 0).map(|(ev, _)| ev).collect()
    }
}
