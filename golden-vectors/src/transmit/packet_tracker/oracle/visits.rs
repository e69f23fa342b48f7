// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits of PDCs, one in a clock cycle, that find what is overdue or behind (D20).

use super::pdc::View;
use super::shape::Time;
use super::{Settings, Shape};
use std::collections::VecDeque;

/// The PDCs as visits see them, and the visits that are not judged yet.
#[derive(Debug)]
pub struct Visits {
    shape: Shape,
    views: Vec<View>,
    /// What PDCs become, each with the *x* of its operation.
    changes: VecDeque<(u64, u64, View)>,
    /// Visits with their cycles, PDCs, and what they saw.
    seen: VecDeque<(u64, u64, View)>,
    /// The PDC that is visited next.
    next: u64,
    /// The PDC that was hit, and from which cycle on its scan waits.
    hit: Option<(u64, u64)>,
}

impl Visits {
    /// After the sweep.
    pub fn new(shape: Shape) -> Self {
        Visits {
            shape,
            views: vec![View::default(); shape.pdcs as usize],
            changes: VecDeque::new(),
            seen: VecDeque::new(),
            next: 0,
            hit: None,
        }
    }

    /// An operation with this *x* leaves a PDC so.
    pub fn changed(&mut self, effect: u64, pdc: u64, view: View) {
        self.changes.push_back((effect, pdc, view));
    }

    /// The PDC whose scan waits in this cycle.
    pub fn waiting(&self, cycle: u64) -> Option<u64> {
        self.hit.filter(|&(_, from)| from <= cycle).map(|(pdc, _)| pdc)
    }

    /// Whether a PDC was hit, and its scan waits or will.
    pub const fn has_hit(&self) -> bool {
        self.hit.is_some()
    }

    /// The scan has begun.
    pub fn begun(&mut self) {
        self.hit = None;
    }

    /// One cycle, with its time and settings. It has a visit if no scan waits or is under way.
    pub fn clock(&mut self, cycle: u64, time: Time, settings: &Settings, visits: bool) {
        while let Some(&(effect, pdc, view)) = self.changes.front()
            && effect < cycle
        {
            self.views[pdc as usize] = view;
            self.changes.pop_front();
        }
        if visits {
            let pdc = self.next;
            self.seen.push_back((cycle, pdc, self.views[pdc as usize]));
            self.next = (pdc + 1) % self.shape.pdcs;
        }
        let judged = self.shape.judged();
        if let Some(&(visit, pdc, view)) = self.seen.front()
            && visit + judged == cycle
        {
            self.seen.pop_front();
            if view.is_overdue(time, settings) || view.is_behind(settings) {
                // Those behind it are without effect.
                self.seen.clear();
                self.hit = Some((pdc, visit + self.shape.hit()));
                self.next = (pdc + 1) % self.shape.pdcs;
            }
        }
    }
}
