// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packets of a sub-path since reset: how many are in flight, and whether it is full (T11, T20).

use super::Shape;

/// Packets and feedback of a sub-path since reset. No command changes it.
#[derive(Debug, Default)]
pub struct Load {
    /// Cycles of the requests that were granted this sub-path.
    packets: Vec<u64>,
    /// Number of these packets for which feedback has been accepted.
    answered: u64,
    /// Cycles of the requests whose packets made it full.
    filled: Vec<u64>,
    /// Number of feedbacks that made it not full.
    freed: u64,
}

/// Of these cycles, in order, the number of those up to the last one.
fn up_to(cycles: &[u64], last: Option<u64>) -> u64 {
    last.map_or(0, |last| cycles.partition_point(|&cycle| cycle <= last) as u64)
}

impl Load {
    /// A request of this cycle is granted this sub-path, for a packet of the stream (T11).
    pub fn send(&mut self, cycle: u64) {
        self.packets.push(cycle);
    }

    /// T11: packets in flight for an effect, or for a request, of this cycle.
    pub fn in_flight(&self, shape: Shape, cycle: u64) -> u64 {
        up_to(&self.packets, cycle.checked_sub(shape.counted())) - self.answered
    }

    /// T20: whether it is full for an effect, or for a request, of this cycle.
    pub fn full(&self, shape: Shape, cycle: u64) -> bool {
        up_to(&self.filled, cycle.checked_sub(shape.counted())) > self.freed
    }

    /// T20: the packet of the request of this cycle may make it full. All feedback that it sees has taken effect.
    pub fn fill(&mut self, cycle: u64, window: u64) {
        let in_flight = up_to(&self.packets, Some(cycle)) - self.answered;
        let full = self.filled.len() as u64 > self.freed;
        if !full && in_flight >= window {
            self.filled.push(cycle);
        }
    }

    /// T20: feedback that takes effect in this cycle, for a packet in flight.
    pub fn answer(&mut self, shape: Shape, effect: u64, window: u64) {
        self.answered += 1;
        if self.full(shape, effect) && self.in_flight(shape, effect) < window {
            self.freed += 1;
        }
    }
}
