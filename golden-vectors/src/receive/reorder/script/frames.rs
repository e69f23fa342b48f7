// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames in a script: their beats, and the limits of the pool.

use super::Script;
use crate::receive::reorder::oracle::{Arrival, Beat, Event, Inputs, Limits, Oracle, PoolOutputs, PoolShape};

impl Script {
    /// The pool.
    pub fn pool(&self) -> PoolShape {
        self.shape.pool.expect("frames need a pool")
    }

    /// What the ports of the pool show.
    pub fn shown(&self) -> PoolOutputs {
        self.outputs().pool.unwrap_or_default()
    }

    /// The oracle when all that has entered so far has taken effect; nothing is transferred meanwhile.
    pub(super) fn ahead(&self) -> Oracle {
        let mut oracle = self.oracle.clone();
        let inputs = Inputs { delivery_ready: false, event_ready: false, ..Inputs::idle(None) };
        for _ in 0..self.shape.judged() {
            oracle.step(&inputs);
        }
        oracle
    }

    /// The next beat. Its contents, all of `tuser` and `tkeep` too, are without meaning for the stage; most numbers are
    /// short, for the sake of the file.
    fn beat(&mut self, last: bool) -> Beat {
        self.beats += 1;
        let number = self.beats.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let (data, keep) =
            if self.beats.is_multiple_of(8) { (number, number >> 3) } else { (number >> 40, number >> 56) };
        let keep = if self.pool().data_width < 512 { keep & ((1 << (self.pool().data_width / 8)) - 1) } else { keep };
        Beat { data, keep, user: number >> 59, last }
    }

    /// What stands beside a beat that is not the last one: nothing may come of it.
    const fn beside(&self) -> Arrival {
        let n = self.beats;
        let connection = (n + 1) % self.shape.connections;
        let (found, psn, path) = (n.is_multiple_of(2), n % 64, n % 3);
        Arrival { connection, found, psn, path, flags: n % 8, length: n % 16, handle: 0 }
    }

    /// A beat, in the next cycle in which it is accepted.
    fn offer(&mut self, beat: Beat, beside: Arrival) {
        loop {
            let ready = self.outputs().arrival_ready;
            self.put(Event::Beat(beat, beside));
            self.step();
            if ready {
                return;
            }
        }
    }

    /// A part of a frame: so many beats without the last one.
    pub fn begin(&mut self, beats: u64) {
        for _ in 0..beats {
            let beat = self.beat(false);
            let beside = self.beside();
            self.offer(beat, beside);
        }
    }

    /// The last beat of a frame, with its arrival.
    ///
    /// As with [`arrive`](Self::arrive), delivery is stalled where the contract leaves open when frames leave; but not in
    /// a script that says itself when it is.
    pub fn end(&mut self, arrival: Arrival) {
        let connection = arrival.connection;
        let watched = (!self.free_running).then(|| (self.expected(connection), self.is_delivered(connection)));
        let beat = self.beat(true);
        self.offer(beat, arrival);
        if watched.is_some_and(|(expected, delivered)| !delivered && self.expected(connection) != expected) {
            self.stall(true);
        }
    }

    /// A frame of so many beats for this arrival.
    pub fn frame(&mut self, arrival: Arrival, beats: u64) {
        self.begin(beats - 1);
        self.end(arrival);
    }

    /// A frame of so many beats on a connection.
    pub fn send_frame(&mut self, connection: u64, psn: u64, beats: u64) {
        let packet = self.packet(connection, psn);
        self.frame(packet, beats);
    }

    /// The number of beats of the next frame that does not say it.
    pub(super) fn next_length(&self) -> u64 {
        self.lengths[self.next as usize % self.lengths.len()]
    }

    /// New limits, valid in one cycle; the other settings stay.
    pub fn limit(&mut self, quota: u64, reserve: u64) {
        self.limits = Limits { quota, reserve };
        let (span, time) = (self.settings.span, self.settings.time);
        self.set(span, time);
    }

    /// New limits in this cycle, which is not over yet.
    pub fn limit_now(&mut self, quota: u64, reserve: u64) {
        self.limits = Limits { quota, reserve };
        self.put(Event::Limits(self.limits));
        self.put(Event::Settings(Some(self.settings)));
        self.once = true;
    }

    /// *Close*, its answer, and all cells of what was held are free again.
    pub fn close_and_clear(&mut self, connection: u64) {
        self.close(connection);
        while self.ahead().is_clearing() {
            self.idle(1);
        }
        self.idle(self.shape.freed());
    }
}
