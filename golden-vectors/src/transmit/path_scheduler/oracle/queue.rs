// SPDX-License-Identifier: MIT OR Apache-2.0
//! The news that are not yet told, and when they are (T26, T29).

use super::{Causes, Lost, Report, Shape};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// News: the cycle in which they reach the row of their QP, the QP, and what they say.
pub type News<T> = (u64, u64, T);

/// What waits to be told of a QP.
pub trait Row: Copy {
    /// With what came later.
    fn and(self, later: Self) -> Self;
}

/// Sub-path of the first cause, whether there is another one, and the causes.
impl Row for (u64, bool, Causes) {
    fn and(self, later: Self) -> Self {
        (self.0, self.1 || self.0 != later.0, self.2.with(later.2))
    }
}

/// Sub-paths that have failed, a bit for each, and whether none is left.
impl Row for (u64, bool) {
    fn and(self, later: Self) -> Self {
        (self.0 | later.0, self.1 || later.1)
    }
}

/// The rows, and the QPs that have one in the order in which they came.
struct Rows<T> {
    rows: BTreeMap<u64, T>,
    /// QP, and the cycle in which it entered.
    queue: VecDeque<(u64, u64)>,
}

impl<T: Row> Rows<T> {
    fn add(&mut self, (cycle, qp, news): News<T>) {
        match self.rows.get_mut(&qp) {
            Some(there) => *there = there.and(news),
            None => {
                self.rows.insert(qp, news);
                self.queue.push_back((qp, cycle));
            }
        }
    }
}

/// When a consumer takes them.
#[derive(Debug)]
pub struct Consumer {
    /// The levels of its `ready`, each from its cycle on, in order.
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
pub fn reports(shape: Shape, consumer: &Consumer, causes: &[News<(u64, bool, Causes)>]) -> Vec<Report> {
    let told = told(shape, consumer, causes).into_iter();
    told.map(|(cycle, last, qp, (path, more, causes))| Report { cycle, last, qp, path, more, causes }).collect()
}

/// The sub-paths that have failed, likewise.
pub fn lost(shape: Shape, consumer: &Consumer, failed: &[News<(u64, bool)>]) -> Vec<Lost> {
    let told = told(shape, consumer, failed).into_iter();
    told.map(|(cycle, last, qp, (paths, all_failed))| Lost { cycle, last, qp, paths, all_failed }).collect()
}

/// What is told: the first cycle, the last one, the QP, and its row.
fn told<T: Row>(shape: Shape, consumer: &Consumer, news: &[News<T>]) -> Vec<(u64, Option<u64>, u64, T)> {
    let busy: BTreeSet<u64> = news.iter().map(|&(cycle, ..)| cycle).collect();
    let mut news = news.iter().copied().peekable();
    let mut rows = Rows { rows: BTreeMap::new(), queue: VecDeque::new() };
    let mut told = Vec::new();
    // The first cycle of the next fetch.
    let mut free = 0;
    loop {
        if rows.queue.is_empty() {
            let Some(first) = news.next() else { break };
            rows.add(first);
        }
        let Some((qp, entered)) = rows.queue.pop_front() else { break };
        let from = free.max(entered + shape.queued());
        let Some(fetch) = (from..).find(|cycle| !busy.contains(cycle)) else { break };
        while let Some(more) = news.next_if(|&(cycle, ..)| cycle < fetch) {
            rows.add(more);
        }
        let Some(row) = rows.rows.remove(&qp) else { break };
        let cycle = fetch + shape.fetch();
        let last = consumer.ready(cycle);
        told.push((cycle, last, qp, row));
        match last {
            Some(last) => free = last + 1,
            None => break,
        }
    }
    told
}
