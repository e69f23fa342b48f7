// SPDX-License-Identifier: MIT OR Apache-2.0
//! When packets leave: the clock cycle of the last beat of each.

use crate::streams::{Channel, Sink};

/// The clock cycles of the last beats of an output.
pub struct Ends {
    /// Those that have been seen.
    pub cycles: Vec<u64>,
    /// The place of `tlast` in a beat; absent if each transfer is a packet.
    last: Option<usize>,
    /// Beats that have been seen.
    beats: usize,
}

impl Ends {
    /// Of an output of which nothing has come yet.
    pub fn of(channel: &Channel) -> Self {
        let last = channel.field("tlast").ok().map(|(_, at)| at.start);
        Ends { cycles: Vec::new(), last, beats: 0 }
    }

    /// A clock cycle, in which at most one beat has come.
    pub fn clock(&mut self, sink: &Sink, cycle: u64) {
        if let Some(beat) = sink.items().get(self.beats) {
            self.beats += 1;
            if self.last.is_none_or(|last| beat[last] == 1) {
                self.cycles.push(cycle);
            }
        }
    }

    /// Begins again, with the sink.
    pub fn forget(&mut self) {
        self.cycles.clear();
        self.beats = 0;
    }
}
