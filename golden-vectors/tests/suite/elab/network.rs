// SPDX-License-Identifier: MIT OR Apache-2.0
//! A network of two paths from one host to another, on which the oracles of both halves run: every packet is sent
//! where the sender says, waits in the queue of its path, and is answered by the receiver with a report.

use golden_vectors::elab_feedback::oracle::{self as elab_feedback, Arrival, Feedback};
use golden_vectors::elab_scheduler::oracle::{self as elab_scheduler, Command, Grant, Report, Scheduler};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

const PORT: u64 = 0x4000;
/// The default: about 1 us.
const UNIT: u64 = 322;

/// The queue of a path and its wire.
#[derive(Clone, Copy, Debug)]
pub struct Hop {
    /// Cycles that the wire takes for a packet.
    pub cycles: f64,
    /// Packets in the queue from which on a packet that comes is marked.
    pub threshold: usize,
    /// Packets for which there is room.
    pub queue: usize,
}

/// The network, with times in cycles.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// From one packet of the host to the next.
    pub link: f64,
    /// One way, without waiting.
    pub delay: u64,
    pub hops: [Hop; 2],
}

/// What a run saw.
#[derive(Debug, Default)]
pub struct Seen {
    /// Cycle and path of each packet.
    pub granted: Vec<(u64, usize)>,
    /// Cycle in which each packet arrived.
    pub arrived: Vec<u64>,
    pub lost: u64,
    pub bursts: Vec<(u64, usize)>,
    pub shifts: Vec<((u64, usize), u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happens {
    /// A packet comes to the receiver.
    Arrives(Packet),
    /// What the receiver says of it comes to the sender: a report and whether the packet was marked; `None` if it is lost.
    Answered(Option<usize>, bool),
    /// The link of the host is free again.
    Free,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Packet {
    sport: u64,
    ecn: bool,
    burst: u64,
}

/// The packets in a queue, by the times at which they leave it.
#[derive(Default)]
struct Queue {
    leave: VecDeque<f64>,
}

impl Queue {
    /// When a packet that comes at this time has left, and whether it is marked; nothing if it is lost.
    fn carry(&mut self, at: f64, hop: Hop) -> Option<(f64, bool)> {
        while self.leave.front().is_some_and(|&left| left <= at) {
            self.leave.pop_front();
        }
        let waiting = self.leave.len();
        if waiting >= hop.queue {
            return None;
        }
        let leaves = self.leave.back().map_or(at, |&last| last.max(at)) + hop.cycles;
        self.leave.push_back(leaves);
        Some((leaves, waiting >= hop.threshold))
    }
}

/// The window of a sender, as in data center TCP: once for each window it shrinks by the share of marked packets.
struct Window {
    size: f64,
    share: f64,
    under_way: u64,
    acknowledged: u64,
    marks: u64,
    started: bool,
}

impl Window {
    fn answer(&mut self, mark: bool) {
        self.under_way -= 1;
        self.acknowledged += 1;
        self.marks += u64::from(mark);
        if self.acknowledged as f64 >= self.size {
            self.share += (self.marks as f64 / self.acknowledged as f64 - self.share) / 16.0;
            self.started |= self.marks > 0;
            self.size = match self.marks {
                0 if self.started => self.size + 1.0,
                0 => 2.0 * self.size,
                _ => (self.size * (1.0 - self.share / 2.0)).max(2.0),
            };
            (self.acknowledged, self.marks) = (0, 0);
        }
    }

    fn has_room(&self) -> bool {
        (self.under_way as f64) < self.size
    }
}

impl Network {
    /// Runs it up to a cycle.
    pub fn run(&self, until: u64) -> Seen {
        let mut sending = elab_scheduler::Shape::new(1, 2, UNIT);
        if let Ok(w) = std::env::var("WINDOW") { sending.settings.window = w.parse().unwrap(); }
        if let Ok(w) = std::env::var("BURST") { sending.settings.burst = w.parse().unwrap(); }
        let mut receiving = elab_feedback::Shape::new(1, 2, UNIT);
        receiving.settings.burst = sending.settings.burst;
        let (mut scheduler, mut feedback) =
            (Scheduler::with_reset_settings(sending), Feedback::with_reset_settings(receiving));
        // Both VPs begin with the bandwidth of the host's link (E13).
        let link = (UNIT as f64 * 65536.0 / self.link) as u64;
        for vp in 0..2 {
            let add = elab_scheduler::Event::Command(Command::add(0, PORT + vp, link));
            scheduler.event(60 + 20 * vp, add);
        }
        let mut seen = Seen::default();
        let mut queues = [Queue::default(), Queue::default()];
        let mut window =
            Window { size: std::env::var("W0").map_or(10.0, |w| w.parse().unwrap()), share: 0.0, under_way: 0, acknowledged: 0, marks: 0, started: false };
        let mut heap = BinaryHeap::from([Reverse((200, 0, Happens::Free))]);
        let (mut count, mut free, mut arrival, mut report, mut waits) = (1, 0.0_f64, 0, 0, true);
        let mut mark: [Option<u64>; 2] = [None; 2];
        while let Some(Reverse((at, _, what))) = heap.pop() {
            if at > until {
                break;
            }
            let mut later = |at: u64, what| {
                count += 1;
                heap.push(Reverse((at, count, what)));
            };
            match what {
                Happens::Arrives(Packet { sport, ecn, burst }) => {
                    // Packets of both paths may come at once.
                    arrival = at.max(arrival + 1);
                    feedback.event(arrival, elab_feedback::Event::Arrival(Arrival { pair: 0, sport, ecn, burst }));
                    feedback.event(arrival, elab_feedback::Event::Query(0));
                    let number = feedback.so_far().reports.len() - 1;
                    seen.arrived.push(arrival);
                    later(arrival + receiving.report() + self.delay, Happens::Answered(Some(number), ecn));
                }
                Happens::Answered(number, ecn) => {
                    if let Some(number) = number {
                        let elab_feedback::Report { ok, vp, count, ecn, probed, rate, .. } = feedback.so_far().reports[number];
                        report = at.max(report + 1);
                        if ok {
                            let told = Report { pair: 0, vp, count, ecn, probed, rate };
                            scheduler.event(report, elab_scheduler::Event::Report(told));
                            if ecn { if let Some(m) = mark[(vp - PORT) as usize].take() { if seen.shifts.len() < 60 { seen.shifts.push(((m, (vp-PORT) as usize), report)); } } }
                            if probed { println!("rate {} at {} us", rate as f64 / 65536.0 *12.0, at as f64 / 322.27); }
                        }
                    }
                    window.answer(ecn);
                }
                Happens::Free => waits = false,
            }
            if window.has_room() && free as u64 > at {
                if !std::mem::replace(&mut waits, true) {
                    later(free as u64 + 1, Happens::Free);
                }
            } else if window.has_room() {
                scheduler.event(at, elab_scheduler::Event::Request(0));
                let Some(&Grant { ok: true, cycle, vp, sport, burst, .. }) = scheduler.so_far().grants.last() else {
                    panic!("no grant");
                };
                window.under_way += 1;
                free = at as f64 + self.link;
                let path = vp as usize;
                seen.granted.push((cycle, path));
                if burst != 0 && seen.bursts.len() < burst as usize { seen.bursts.push((cycle, path)); }
                match queues[path].carry(cycle as f64, self.hops[path]) {
                    None => {
                        seen.lost += 1;
                        later(cycle + 4 * self.delay, Happens::Answered(None, true));
                    }
                    Some((leaves, ecn)) => {
                        if ecn && mark[path].is_none() { mark[path] = Some(cycle); }
                        later(leaves as u64 + self.delay, Happens::Arrives(Packet { sport, ecn, burst }));
                    }
                }
                if !std::mem::replace(&mut waits, true) {
                    later(free as u64 + 1, Happens::Free);
                }
            }
        }
        seen
    }
}
