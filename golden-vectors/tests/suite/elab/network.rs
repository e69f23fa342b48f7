// SPDX-License-Identifier: MIT OR Apache-2.0
//! A network of two paths from one host to another, on which the oracles of both halves run: every packet is sent
//! where the sender says, waits in the queue of its path, and is answered by the receiver with a report.

use golden_vectors::elab::feedback::oracle::{self as elab_feedback, Arrival, Feedback};
use golden_vectors::elab::scheduler::oracle::{self as elab_scheduler, Command, Grant, Report, Scheduler};
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
    /// The window of the transport at the beginning.
    pub first: f64,
}

/// What a run saw.
#[derive(Debug, Default)]
pub struct Seen {
    /// Cycle and path of each packet that was sent.
    pub sent: Vec<(u64, usize)>,
    /// Cycle in which each packet arrived.
    pub arrived: Vec<u64>,
    pub lost: u64,
    pub bursts: u64,
    /// How the first mark moved load.
    pub shift: Option<Shift>,
}

/// A mark, and what came of it, by cycles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shift {
    path: usize,
    /// The packet came to a queue at its threshold, left it, and arrived.
    pub marked: u64,
    pub left: u64,
    pub arrived: u64,
    /// The report with E came to the sender.
    pub reported: u64,
    /// The first packet was sent that saw the report, which went elsewhere.
    pub elsewhere: u64,
    /// So many packets went elsewhere, it included, until one went there.
    pub none_there: u64,
    returned: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happens {
    /// A packet comes to the receiver.
    Arrives(Packet),
    /// The sender learns of a packet: a report with it, or none if it is lost, and whether the transport slows down.
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
#[derive(Default)]
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

/// What happens later, in the order of its cycles.
#[derive(Default)]
struct Agenda {
    heap: BinaryHeap<Reverse<(u64, u64, Happens)>>,
    count: u64,
    /// The link of the host is in it.
    waits: bool,
}

impl Agenda {
    fn add(&mut self, at: u64, what: Happens) {
        self.count += 1;
        self.heap.push(Reverse((at, self.count, what)));
    }

    fn wait(&mut self, until: f64) {
        if !std::mem::replace(&mut self.waits, true) {
            self.add(until as u64 + 1, Happens::Free);
        }
    }

    fn next(&mut self) -> Option<(u64, Happens)> {
        self.heap.pop().map(|Reverse((at, _, what))| (at, what))
    }
}

/// A run of a network.
struct Run {
    network: Network,
    scheduler: Scheduler,
    feedback: Feedback,
    queues: [Queue; 2],
    window: Window,
    agenda: Agenda,
    /// When the link of the host is free again.
    free: f64,
    /// Cycles of the last arrival and report: there is one at a time.
    last_arrival: u64,
    last_report: u64,
    seen: Seen,
}

impl Network {
    /// Runs it up to a cycle.
    pub fn run(self, until: u64) -> Seen {
        let mut scheduler = Scheduler::with_reset_settings(elab_scheduler::Shape::new(1, 2, UNIT));
        // Both VPs begin with the bandwidth of the host's link (E13).
        let link = (UNIT as f64 * 65536.0 / self.link) as u64;
        for vp in 0..2 {
            scheduler.event(60 + 20 * vp, elab_scheduler::Event::Command(Command::add(0, PORT + vp, link)));
        }
        let mut run = Run {
            network: self,
            scheduler,
            feedback: Feedback::with_reset_settings(receiving()),
            queues: Default::default(),
            window: Window { size: self.first, ..Window::default() },
            agenda: Agenda::default(),
            free: 200.0,
            last_arrival: 0,
            last_report: 0,
            seen: Seen::default(),
        };
        run.agenda.wait(200.0);
        while let Some((at, what)) = run.agenda.next().filter(|&(at, _)| at <= until) {
            match what {
                Happens::Arrives(packet) => run.arrive(at, packet),
                Happens::Answered(report, mark) => run.answered(at, report, mark),
                Happens::Free => run.agenda.waits = false,
            }
            if run.window.has_room() {
                if run.free as u64 <= at {
                    run.send(at);
                }
                run.agenda.wait(run.free);
            }
        }
        run.seen
    }
}

fn receiving() -> elab_feedback::Shape {
    elab_feedback::Shape::new(1, 2, UNIT)
}

impl Run {
    fn send(&mut self, at: u64) {
        self.scheduler.event(at, elab_scheduler::Event::Request(0));
        let grant = self.scheduler.so_far().grants.last();
        let Some(&Grant { ok: true, cycle, vp, sport, burst, .. }) = grant else { panic!("{grant:?}") };
        let path = vp as usize;
        self.window.under_way += 1;
        self.free = at as f64 + self.network.link;
        self.seen.sent.push((cycle, path));
        self.seen.bursts = self.seen.bursts.max(burst);
        self.follow(at, path);
        match self.queues[path].carry(cycle as f64, self.network.hops[path]) {
            None => {
                self.seen.lost += 1;
                self.agenda.add(cycle + 4 * self.network.delay, Happens::Answered(None, true));
            }
            Some((left, ecn)) => {
                let (marked, left) = (cycle, left as u64);
                if ecn && self.seen.shift.is_none() {
                    self.seen.shift = Some(Shift { path, marked, left, ..Shift::default() });
                }
                self.agenda.add(left + self.network.delay, Happens::Arrives(Packet { sport, ecn, burst }));
            }
        }
    }

    /// Where a packet goes that sees the report of the first mark: it and the next ones go elsewhere, for a while.
    fn follow(&mut self, at: u64, path: usize) {
        let sees = elab_scheduler::Shape::new(1, 2, UNIT).visibility_delay();
        let Some(shift) = self.seen.shift.as_mut().filter(|shift| shift.reported != 0) else { return };
        if at < shift.reported + sees || shift.returned {
            return;
        }
        shift.returned = shift.path == path;
        if shift.elsewhere == 0 {
            shift.elsewhere = at;
        }
        shift.none_there += u64::from(!shift.returned);
    }

    fn arrive(&mut self, at: u64, Packet { sport, ecn, burst }: Packet) {
        // Packets of both paths may come at once.
        self.last_arrival = at.max(self.last_arrival + 1);
        let at = self.last_arrival;
        self.feedback.event(at, elab_feedback::Event::Arrival(Arrival { pair: 0, sport, ecn, burst }));
        self.feedback.event(at, elab_feedback::Event::Query(0));
        let report = self.feedback.so_far().reports.len() - 1;
        self.seen.arrived.push(at);
        if let Some(shift) = self.seen.shift.as_mut().filter(|shift| ecn && shift.arrived == 0) {
            shift.arrived = at;
        }
        self.agenda.add(at + receiving().report() + self.network.delay, Happens::Answered(Some(report), ecn));
    }

    fn answered(&mut self, at: u64, report: Option<usize>, mark: bool) {
        self.window.answer(mark);
        let report = report.map(|number| self.feedback.so_far().reports[number]).filter(|report| report.ok);
        let Some(elab_feedback::Report { vp, count, ecn, probed, rate, .. }) = report else { return };
        self.last_report = at.max(self.last_report + 1);
        if let Some(shift) = self.seen.shift.as_mut().filter(|shift| ecn && shift.reported == 0) {
            shift.reported = self.last_report;
        }
        let report = Report { pair: 0, vp, count, ecn, probed, rate };
        self.scheduler.event(self.last_report, elab_scheduler::Event::Report(report));
    }
}
