// SPDX-License-Identifier: MIT OR Apache-2.0
//! F3, F5 and F6: the records, and the verdicts that they wait for.

use super::outlet::Outlet;
use super::{LEAD, Shape};
use std::collections::VecDeque;

/// Records and verdicts.
#[derive(Clone, Debug)]
pub struct Records<R> {
    frames: u64,
    /// Records whose frame has not ended, or whose verdict waits.
    early: VecDeque<R>,
    /// Verdicts whose record has not come, or waits: the frame was released.
    verdicts: VecDeque<bool>,
    /// Frames that ended when as many as can were waiting, or behind such a frame: none was released.
    behind: u64,
    /// Kept records, each with the cycle from which it can be read.
    kept: VecDeque<(u64, R)>,
    /// F3: released frames whose record has not been taken.
    owed: u64,
    pub outlet: Outlet<R>,
}

impl<R> Records<R> {
    pub fn new(shape: Shape) -> Self {
        Records {
            frames: shape.frames,
            early: VecDeque::new(),
            verdicts: VecDeque::new(),
            behind: 0,
            kept: VecDeque::new(),
            owed: 0,
            outlet: Outlet::new(shape.ram_latency),
        }
    }

    /// F5.
    pub fn ready(&self) -> bool {
        self.early.len() < LEAD
    }

    /// F3: as many verdicts wait as can, or have since some frame ended whose record has not come.
    fn late(&self) -> bool {
        self.verdicts.len() == LEAD || self.behind > 0
    }

    /// F3: a frame can be released.
    pub fn room(&self) -> bool {
        self.owed < self.frames && !self.late()
    }

    /// A cycle: the verdict that comes, the record that comes, and whether the consumer is ready.
    pub fn cycle(&mut self, cycle: u64, ended: Option<bool>, record: Option<R>, ready: bool) {
        let (takes, late) = (self.ready(), self.late());
        // F4
        if self.outlet.take(cycle, ready) {
            self.owed -= 1;
        }
        let due = self.kept.front().is_some_and(|(from, _)| *from <= cycle);
        if due
            && self.outlet.free()
            && let Some((_, record)) = self.kept.pop_front()
        {
            self.outlet.read(cycle, record);
        }
        // F6: a record and its verdict meet, if both were there at the beginning.
        if !(self.early.is_empty() || self.verdicts.is_empty() && self.behind == 0) {
            let (record, keep) = (self.early.pop_front(), self.verdicts.pop_front());
            match keep {
                Some(true) => self.kept.extend(record.map(|record| (cycle + 2, record))),
                Some(false) => {}
                None => self.behind -= 1,
            }
        }
        self.owed += u64::from(ended == Some(true));
        match late {
            true => self.behind += u64::from(ended.is_some()),
            false => self.verdicts.extend(ended),
        }
        self.early.extend(record.filter(|_| takes));
    }
}
