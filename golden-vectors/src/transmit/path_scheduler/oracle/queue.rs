// SPDX-License-Identifier: MIT OR Apache-2.0
//! The causes that are not yet reported, and when they are (T26).

use super::{Causes, Report, Shape};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A cause: the cycle in which it reaches the row of its QP, the QP, the sub-path, and the causes.
pub type Cause = (u64, u64, u64, Causes);

/// The rows of causes, and the QPs that have any in the order in which they came.
#[derive(Default)]
struct Rows {
    /// Sub-path of the first cause, whether there is another one, and the causes.
    rows: BTreeMap<u64, (u64, bool, Causes)>,
    /// QP, and the cycle in which it entered.
    queue: VecDeque<(u64, u64)>,
}

impl Rows {
    fn add(&mut self, (cycle, qp, path, causes): Cause) {
        match self.rows.get_mut(&qp) {
            Some((first, more, there)) => {
                *more |= *first != path;
                *there = there.with(causes);
            }
            None => {
                self.rows.insert(qp, (path, false, causes));
                self.queue.push_back((qp, cycle));
            }
        }
    }
}

/// When a consumer takes events.
#[derive(Debug)]
pub struct Consumer {
    /// The levels of `event_ready`, each from its cycle on, in order.
    levels: Vec<(u64, bool)>,
}

impl Consumer {
    /// Ready from cycle 0 on, then these levels.
    pub fn new(levels: impl Iterator<Item = (u64, bool)>) -> Self {
        Consumer { levels: [(0, true)].into_iter().chain(levels).collect() }
    }

    /// The first cycle from this one on in which it is ready.
    fn ready(&self, from: u64) -> Option<u64> {
        let behind = self.levels.partition_point(|&(at, _)| at <= from);
        if self.levels[behind - 1].1 {
            return Some(from);
        }
        self.levels[behind..].iter().find(|(_, ready)| *ready).map(|&(at, _)| at)
    }
}

/// The events of these causes, which are in the order of their cycles.
pub fn reports(shape: Shape, consumer: &Consumer, causes: &[Cause]) -> Vec<Report> {
    let busy: BTreeSet<u64> = causes.iter().map(|&(cycle, ..)| cycle).collect();
    let mut causes = causes.iter().copied().peekable();
    let mut rows = Rows::default();
    let mut reports = Vec::new();
    // The first cycle of the next fetch.
    let mut free = 0;
    loop {
        if rows.queue.is_empty() {
            let Some(first) = causes.next() else { break };
            rows.add(first);
        }
        let Some((qp, entered)) = rows.queue.pop_front() else { break };
        let from = free.max(entered + shape.queued());
        let Some(fetch) = (from..).find(|cycle| !busy.contains(cycle)) else { break };
        while let Some(cause) = causes.next_if(|&(cycle, ..)| cycle < fetch) {
            rows.add(cause);
        }
        let Some((path, more, causes)) = rows.rows.remove(&qp) else { break };
        let cycle = fetch + shape.fetch();
        let last = consumer.ready(cycle);
        reports.push(Report { cycle, last, qp, path, more, causes });
        match last {
            Some(last) => free = last + 1,
            None => break,
        }
    }
    reports
}
