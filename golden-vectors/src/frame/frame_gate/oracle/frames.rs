// SPDX-License-Identifier: MIT OR Apache-2.0
//! F2 and F4: the beats.

use super::outlet::Outlet;
use super::{Beat, Shape};
use std::collections::VecDeque;

/// The beats of released frames and those of the one that comes.
#[derive(Clone, Debug)]
pub struct Frames<B> {
    room: u64,
    /// F4: cycles from the end of a frame to the first read.
    release: u64,
    /// Beats of released frames, each with the cycle from which it can be read.
    released: VecDeque<(u64, B)>,
    /// Those of the frame that comes.
    coming: Vec<B>,
    /// There was no room for one of its beats.
    lost: bool,
    /// Beats in the memory at the beginning of this cycle.
    held: u64,
    /// The most there have been at the beginning of a cycle, up to the last cycle and up to the one before.
    most: [u64; 2],
    pub outlet: Outlet<B>,
}

impl<B> Frames<B> {
    pub fn new(shape: Shape) -> Self {
        Frames {
            room: shape.beats,
            release: if shape.records { 3 } else { 1 },
            released: VecDeque::new(),
            coming: Vec::new(),
            lost: false,
            held: 0,
            most: [0; 2],
            outlet: Outlet::new(shape.ram_latency),
        }
    }

    /// F7: it shows two cycles later.
    pub fn high_water(&self) -> u64 {
        self.most[1]
    }

    /// F4: what leaves in this cycle.
    pub fn begin(&mut self, cycle: u64, ready: bool) {
        self.held = (self.released.len() + self.coming.len()) as u64;
        self.most = [self.most[0].max(self.held), self.most[0]];
        self.outlet.take(cycle, ready);
        let due = self.released.front().is_some_and(|(from, _)| *from <= cycle);
        if due
            && self.outlet.free()
            && let Some((_, beat)) = self.released.pop_front()
        {
            self.outlet.read(cycle, beat);
        }
    }

    /// F2 and F4: a beat comes. `keep`: if its frame ends with it, and there was room for all of it, it is released. Whether
    /// there was room for it and for those ahead of it.
    pub fn store(&mut self, cycle: u64, beat: Beat<B>, keep: bool) -> bool {
        let fits = !self.lost && self.held < self.room;
        self.lost = !fits && !beat.last;
        if fits && (keep || !beat.last) {
            self.coming.push(beat.payload);
        } else {
            self.coming.clear();
        }
        if beat.last {
            let from = cycle + self.release;
            self.released.extend(self.coming.drain(..).map(|beat| (from, beat)));
        }
        fits
    }
}
