// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pool of cells of `hold = "payload"` (R30 to R40). Which cell is which is not visible: cells are numbers, each with
//! the cycle in which it is taken or returned.

use super::{Beat, Limits, PoolOutputs, PoolShape, Shape, due};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Which of the conditions of R32 hold for an arrival.
#[derive(Clone, Copy, Debug, Default)]
pub struct Verdict {
    no_cells: bool,
    over_quota: bool,
    below_reserve: bool,
}

impl Verdict {
    /// The first condition for which the arrival is refused; the limits do not apply to the packet with the PSN of *B*.
    pub const fn refuses(self, is_base: bool) -> Option<usize> {
        match self {
            Verdict { no_cells: true, .. } => Some(0),
            _ if is_base => None,
            Verdict { over_quota: true, .. } => Some(1),
            Verdict { below_reserve: true, .. } => Some(2),
            _ => None,
        }
    }
}

/// A frame, or as much of one as has been received.
#[derive(Clone, Debug, Default)]
struct Frame {
    beats: Vec<Beat>,
    /// Cells that it has taken.
    cells: u64,
    cut: bool,
    /// Below the reserve in the cycle after its last beat.
    below_reserve: bool,
}

/// Cells of the packets of a connection (R32), each number with its cycle.
#[derive(Clone, Debug, Default)]
struct Usage {
    /// Those that count.
    used: u64,
    /// Cells of packets by the cycles of their arrivals, which do not count yet.
    accepted: VecDeque<(u64, u64)>,
    /// Cells by the cycles in which they are returned, which still count.
    returned: BTreeMap<u64, u64>,
}

/// The connection that is being cleared, or was the last one (R35), from a cycle to another, with both.
#[derive(Clone, Copy, Debug)]
struct Clearing {
    connection: u64,
    from: u64,
    last: u64,
}

/// The pool.
#[derive(Clone, Debug)]
pub struct Pool {
    shape: Shape,
    pool: PoolShape,
    limits: Limits,
    free: u64,
    /// `low_water` of this cycle and of the next one.
    low_water: [u64; 2],
    /// Cells by the cycles in which they are free again.
    due: BTreeMap<u64, u64>,
    /// The frame that is being received.
    reception: Frame,
    /// Frames by their numbers.
    frames: BTreeMap<u64, Rc<Frame>>,
    next: u64,
    usage: Vec<Usage>,
    /// The cycle of the last visit of the walk.
    walked: u64,
    clearing: Option<Clearing>,
    /// Beats of the frame on the ports that have been transferred.
    transferred: usize,
}

impl Pool {
    /// All cells are free.
    pub fn new(shape: Shape, pool: PoolShape) -> Self {
        Pool {
            shape,
            pool,
            limits: pool.reset,
            free: pool.cells,
            low_water: [pool.cells; 2],
            due: BTreeMap::new(),
            reception: Frame::default(),
            frames: BTreeMap::new(),
            next: 0,
            usage: vec![Usage::default(); shape.connections as usize],
            walked: 0,
            clearing: None,
            transferred: 0,
        }
    }

    /// What the ports show, with the frame of this number on them.
    pub fn outputs(&self, frame: Option<u64>) -> PoolOutputs {
        let beat = frame.map(|number| self.frames[&number].beats[self.transferred]);
        PoolOutputs { free: self.free, low_water: self.low_water[0], beat }
    }

    /// A beat is accepted (R30, R31). The number of its frame, if it is the last one.
    pub fn accept(&mut self, beat: Beat) -> Option<u64> {
        let frame = &mut self.reception;
        let at = frame.beats.len() as u64;
        if at.is_multiple_of(self.pool.cell_beats()) && !frame.cut {
            if self.free == 0 || at >= self.pool.longest() {
                frame.cut = true;
            } else {
                self.free -= 1;
                frame.cells += 1;
            }
        }
        frame.beats.push(beat);
        beat.last.then(|| {
            self.frames.insert(self.next, Rc::new(std::mem::take(frame)));
            self.next += 1;
            self.next - 1
        })
    }

    /// The end of a cycle in which `free` cells were free. `limits` are new ones, `ended` is the frame whose last beat was
    /// accepted.
    pub fn clock(&mut self, cycle: u64, free: u64, limits: Option<Limits>, ended: Option<u64>) {
        self.low_water = [self.low_water[1], self.low_water[1].min(free)];
        self.free += self.due.remove(&(cycle + 1)).unwrap_or(0);
        self.limits = limits.unwrap_or(self.limits);
        if let Some(frame) = ended.and_then(|number| self.frames.get_mut(&number)) {
            Rc::make_mut(frame).below_reserve = self.free < self.limits.reserve.min(self.pool.cells);
        }
    }

    /// R32, for a frame whose arrival was accepted in cycle `arrived`; this is asked in the cycle whose quota counts.
    pub fn judge(&mut self, connection: u64, arrived: u64, number: u64) -> Verdict {
        let (usage, frame) = (&mut self.usage[connection as usize], &self.frames[&number]);
        while let Some((_, cells)) = due(&mut usage.accepted, arrived, |(at, _)| at + self.shape.counted()) {
            usage.used += cells;
        }
        while let Some(entry) = usage.returned.first_entry().filter(|at| at.key() + self.shape.freed() <= arrived) {
            usage.used -= entry.remove();
        }
        let over_quota = usage.used + frame.cells > self.limits.quota.min(self.pool.cells);
        Verdict { no_cells: frame.cut, over_quota, below_reserve: frame.below_reserve }
    }

    /// The outcome of an arrival is known: its packet is received, or refused (R32, R33).
    pub fn decided(&mut self, connection: u64, arrived: u64, number: u64, received: bool) {
        let cells = self.frames[&number].cells;
        for _ in 0..cells {
            self.walked = (self.walked + 1).max(arrived + self.shape.walk());
            if !received {
                self.returned(None, self.walked);
            }
        }
        if received {
            self.usage[connection as usize].accepted.push_back((arrived, cells));
        } else {
            self.frames.remove(&number);
        }
    }

    /// A cell is returned in this cycle, with the connection if it was used by a packet of it.
    fn returned(&mut self, connection: Option<u64>, cycle: u64) {
        *self.due.entry(cycle + self.shape.freed()).or_default() += 1;
        if let Some(connection) = connection {
            *self.usage[connection as usize].returned.entry(cycle).or_default() += 1;
        }
    }

    /// The beat on the ports is transferred (R34). Whether it is the last one of its frame.
    pub fn transfer(&mut self, cycle: u64, connection: u64, number: u64) -> bool {
        let last = self.frames[&number].beats[self.transferred].last;
        self.transferred += 1;
        if last || (self.transferred as u64).is_multiple_of(self.pool.cell_beats()) {
            self.returned(Some(connection), cycle);
        }
        if last {
            self.transferred = 0;
            self.frames.remove(&number);
        }
        last
    }

    /// *Close* took effect in cycle `effect` and discards these frames (R35). The cycle in which the first cell of each is
    /// returned.
    pub fn clear(&mut self, connection: u64, effect: u64, numbers: &[u64]) -> Vec<u64> {
        let mut cycle = effect + self.shape.clearing();
        let mut first = Vec::new();
        for number in numbers {
            let Some(frame) = self.frames.remove(number) else { continue };
            first.push(cycle);
            for _ in 0..frame.cells {
                self.returned(Some(connection), cycle);
                self.clearing = Some(Clearing { connection, from: effect, last: cycle });
                cycle += self.shape.clearing_interval();
            }
        }
        first
    }

    /// The connection that is being cleared in a cycle.
    pub fn cleared(&self, cycle: u64) -> Option<u64> {
        let now = self.clearing.filter(|clearing| (clearing.from..=clearing.last).contains(&cycle));
        now.map(|clearing| clearing.connection)
    }
}
