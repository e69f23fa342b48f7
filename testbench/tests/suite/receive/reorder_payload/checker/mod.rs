// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the contract says of frames, cells and outcomes (rows R30 to R40), cycle by cycle. It sees the ports only. The
//! cycle in which a slot is read is not visible, so that *B* is known within limits; where they matter, both outcomes are
//! right.

mod outcomes;

use super::bench::Frame;
use pipeline::receive::reorder::{PayloadConfig, ReorderConfig};
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    pub data: Vec<u64>,
    pub keep: Vec<u64>,
    pub user: u64,
    pub id: u64,
    pub dest: u64,
}

/// One clock cycle.
pub struct Seen {
    pub busy: bool,
    pub s_ready: bool,
    pub command_ready: bool,
    /// Connection, PSN, outcome, expected PSN, packets held.
    pub answer: Option<[u64; 5]>,
    /// Code, connection, done, open, draining, packets held.
    pub response: Option<[u64; 6]>,
    pub delivery: Option<((u64, u64), Beat, bool)>,
    pub free: u64,
    pub low_water: u64,
    /// A beat is accepted; with its frame if it is the last one.
    pub accepted: Option<Option<Frame>>,
    pub command: Option<(u64, u64, u64)>,
    /// Quota and reserve.
    pub limits: Option<(u64, u64)>,
    pub ready: bool,
}

/// What has been checked.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub cycles: u64,
    pub frames: u64,
    pub beats: u64,
    pub answers: [u64; 8],
    pub responses: u64,
    pub stalls: u64,
    pub cut: u64,
    pub over_quota: u64,
    pub below_reserve: u64,
    /// Packets with the PSN of *B* that limits do not refuse though they would.
    pub exempt: u64,
    /// Arrivals for which both outcomes are right.
    pub open_outcomes: u64,
    pub cleared_cells: u64,
    pub refused_cells: u64,
    pub delivered_cells: u64,
    /// Cycles in which no cell was free.
    pub empty: u64,
    /// Cycles in which two cells or more were returned.
    pub at_once: u64,
    /// Commands that met a connection being cleared.
    pub blocked: u64,
    pub at_rest: u64,
}

#[derive(Clone, Default)]
struct Connection {
    open: bool,
    /// PSNs without wrap.
    expected: u64,
    transferred: u64,
    /// Opened before the packets of the life before were transferred: the PSN behind the last of these, and the first one of this life.
    begins: Option<(u64, u64)>,
    /// Received and not transferred, with the number of cells.
    frames: BTreeMap<u64, (Frame, u64)>,
    /// Cells of accepted packets by the cycle of their arrival, and those returned by theirs, which are not in `used`.
    accepted: BTreeMap<u64, u64>,
    returned: BTreeMap<u64, u64>,
    used: u64,
}

struct Arrival {
    cycle: u64,
    frame: Frame,
    cells: u64,
    cut: bool,
    /// The first PSN of its connection that had not been transferred.
    transferred: u64,
    /// Free cells and reserve one cycle later; quota.
    free: u64,
    reserve: u64,
    quota: u64,
}

struct Command {
    cycle: u64,
    op: u64,
    connection: u64,
    psn: u64,
    cleared: [bool; 3],
}

pub struct Checker {
    config: ReorderConfig,
    pool: PayloadConfig,
    latency: u64,
    beats_per_cell: u64,
    pub counts: Counts,
    pub now: u64,
    pub busy_cycles: u64,
    free: u64,
    /// The fewest free cells up to two cycles before, and one.
    least: [u64; 2],
    /// Cells by the cycle in which they become free.
    due: BTreeMap<u64, u64>,
    /// Of the frame in reception: beats, cells, cut.
    reception: (u64, u64, bool),
    arrivals: VecDeque<Arrival>,
    commands: VecDeque<Command>,
    last_command: Option<u64>,
    connections: Vec<Connection>,
    walked: u64,
    /// Connection and the last cycle in which it is being cleared.
    clearing: Option<(u64, u64)>,
    limits: (u64, u64),
    /// The beat of the frame that leaves.
    leaving: u64,
    waiting: Option<((u64, u64), Beat, bool)>,
    /// Arrivals without a buffer by cause, and all; and those whose cause is not certain.
    causes: [u64; 4],
    uncertain: u64,
    /// Cycles of the first beat of each frame on `m_axis`, with connection and PSN.
    pub left: Vec<(u64, u64, u64)>,
    /// Cycle, connection, PSN and outcome of each arrival.
    pub outcomes: Vec<(u64, u64, u64, u64)>,
}

impl Checker {
    pub fn new(config: ReorderConfig, pool: PayloadConfig) -> Self {
        Checker {
            config,
            pool,
            latency: config.ram_latency.into(),
            beats_per_cell: pool.cell_bytes * 8 / u64::from(pool.data_width),
            counts: Counts::default(),
            now: 0,
            busy_cycles: 0,
            free: pool.cells,
            least: [pool.cells; 2],
            due: BTreeMap::new(),
            reception: (0, 0, false),
            arrivals: VecDeque::new(),
            commands: VecDeque::new(),
            last_command: None,
            connections: vec![Connection::default(); config.connections as usize],
            walked: 0,
            clearing: None,
            limits: (pool.quota, pool.reserve),
            leaving: 0,
            waiting: None,
            causes: [0; 4],
            uncertain: 0,
            left: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    /// All is as after power-up; the counts go on.
    pub fn reset(&mut self) {
        let counts = self.counts.clone();
        *self = Checker { counts, ..Checker::new(self.config, self.pool) };
    }

    /// The expected PSN, without wrap, and the packets that have been received behind it.
    pub fn missing(&self, connection: u64, count: u64) -> Vec<u64> {
        let it = &self.connections[connection as usize];
        (it.expected..it.expected + count).filter(|psn| !it.frames.contains_key(psn)).collect()
    }

    pub fn expected(&self, connection: u64) -> u64 {
        self.connections[connection as usize].expected
    }

    pub fn held(&self, connection: u64) -> Vec<u64> {
        let it = &self.connections[connection as usize];
        it.frames.range(it.expected..).map(|(psn, _)| *psn).collect()
    }

    pub fn is_open(&self, connection: u64) -> bool {
        self.connections[connection as usize].open
    }

    /// Nothing is under way; packets may be held.
    pub fn is_idle(&self) -> bool {
        let delivered = self.connections.iter().all(|it| it.transferred >= it.expected || !it.is_known());
        self.due.is_empty()
            && self.arrivals.is_empty()
            && self.commands.is_empty()
            && delivered
            && self.clearing.is_none()
    }

    pub fn state(&self) -> String {
        let of = |it: &Connection| format!("{:?}", (it.open, it.expected, it.transferred, it.frames.len()));
        let all: Vec<_> = self.connections.iter().map(of).collect();
        format!("{all:?} {:?} {:?}", self.due, self.clearing)
    }

    /// R36: nothing is lost.
    pub fn at_rest(&mut self, free: u64) {
        let held: u64 = self.connections.iter().flat_map(|it| it.frames.values()).map(|(_, cells)| cells).sum();
        let partial = self.reception.1;
        assert_eq!(free, self.pool.cells - held - partial, "R36 at rest");
        self.counts.at_rest += 1;
    }

    pub fn compare_counters(&self, counted: [u64; 4]) {
        assert_eq!(counted[3], self.causes[3], "R39 no_buffer");
        for (counted, known) in counted.into_iter().zip(self.causes).take(3) {
            assert!((known..=known + self.uncertain).contains(&counted), "R39 {counted} {:?}", self.causes);
        }
    }

    pub fn cycle(&mut self, seen: &Seen) {
        let (now, l) = (self.now, self.latency);
        // R36
        if let Some(returned) = self.due.remove(&now) {
            self.counts.at_once += u64::from(returned > 1);
            self.free += returned;
        }
        assert_eq!(seen.free, self.free, "R36 free cells in cycle {now}");
        self.counts.empty += u64::from(self.free == 0);
        assert_eq!(seen.low_water, self.least[0], "R39 low water in cycle {now}");
        self.least = [self.least[1], self.least[1].min(self.free)];

        // R30
        self.busy_cycles += u64::from(seen.busy);
        let since = self.last_command.map(|command| now - command);
        let enters = since == Some(1) || since == Some(l + 12);
        assert_eq!(seen.s_ready, !seen.busy && !enters, "R30 in cycle {now}");
        let waits = since.is_some_and(|since| since <= 2 * l + 25);
        assert_eq!(seen.command_ready, !seen.busy && !waits, "R17 in cycle {now}");

        self.deliver(seen);
        if let Some(response) = seen.response {
            self.respond(response);
        }
        if let Some(answer) = seen.answer {
            self.answer(answer);
        }
        self.accept(seen);
        for arrival in &mut self.arrivals {
            if now == arrival.cycle + 1 {
                (arrival.free, arrival.reserve) = (seen.free, self.limits.1);
            }
            if now == arrival.cycle + l + 1 {
                arrival.quota = self.limits.0;
            }
        }
        for command in &mut self.commands {
            let (any, same) = (self.clearing.is_some(), self.clearing.is_some_and(|it| it.0 == command.connection));
            if now == command.cycle + 1 {
                (command.cleared[0], command.cleared[1]) = (any, same);
            }
            if now == command.cycle + l + 12 {
                command.cleared[2] = same;
            }
        }
        if let Some((op, connection, psn)) = seen.command {
            self.commands.push_back(Command { cycle: now, op, connection, psn, cleared: [false; 3] });
            self.last_command = Some(now);
        }
        if let Some(limits) = seen.limits {
            self.limits = limits;
        }
        if self.clearing.is_some_and(|(_, last)| last == now) {
            self.clearing = None;
        }
        self.now += 1;
        self.counts.cycles += 1;
    }

    fn returns(&mut self, connection: Option<u64>, cycle: u64) {
        *self.due.entry(cycle + self.latency + 6).or_default() += 1;
        if let Some(connection) = connection {
            *self.connections[connection as usize].returned.entry(cycle).or_default() += 1;
        }
    }

    /// R34
    fn deliver(&mut self, seen: &Seen) {
        let now = self.now;
        if let Some(waiting) = self.waiting.take() {
            assert_eq!(seen.delivery.as_ref(), Some(&waiting), "a beat stays up to its transfer, cycle {now}");
        }
        let Some((place, beat, last)) = &seen.delivery else {
            assert_eq!(self.leaving, 0, "R34: a frame has a gap in cycle {now}");
            return;
        };
        let (connection, psn) = *place;
        let it = &self.connections[connection as usize];
        assert!(
            it.transferred < it.expected,
            "nothing of {connection} is to be delivered in cycle {now}: {psn:x} {}",
            self.state()
        );
        let next = it.transferred;
        assert_eq!(psn, next & self.mask(), "the next PSN of {connection} in cycle {now}");
        let (frame, _) = &it.frames[&next];
        assert_eq!(frame.beats[self.leaving as usize], *beat, "beat {} in cycle {now}", self.leaving);
        assert_eq!(*last, self.leaving + 1 == frame.beats.len() as u64, "tlast in cycle {now}");
        if self.leaving == 0 && self.left.last().is_none_or(|left| (left.1, left.2) != (connection, next)) {
            self.left.push((now, connection, next));
        }
        if !seen.ready {
            self.counts.stalls += 1;
            self.waiting.clone_from(&seen.delivery);
            // The next beats of the frame follow at once.
            return;
        }
        self.counts.beats += 1;
        let ends_cell = *last || (self.leaving + 1).is_multiple_of(self.beats_per_cell);
        self.leaving += 1;
        if *last {
            self.leaving = 0;
            self.counts.frames += 1;
            let it = &mut self.connections[connection as usize];
            it.frames.remove(&next);
            it.transferred += 1;
            if let Some((_, first)) = it.begins.take_if(|(end, _)| *end == it.transferred) {
                it.transferred = first;
            }
        }
        if ends_cell {
            self.counts.delivered_cells += 1;
            self.returns(Some(connection), now);
        }
    }

    fn mask(&self) -> u64 {
        (1 << self.config.psn_bits) - 1
    }

    /// R30 and R31
    fn accept(&mut self, seen: &Seen) {
        let Some(ends) = &seen.accepted else { return };
        let (beats, cells, cut) = &mut self.reception;
        if beats.is_multiple_of(self.beats_per_cell) && !*cut {
            let beyond = *beats >= 16_384 * 8 / u64::from(self.pool.data_width);
            if self.free == 0 || beyond {
                *cut = true;
            } else {
                self.free -= 1;
                *cells += 1;
            }
        }
        *beats += 1;
        let Some(frame) = ends else { return };
        let (_, cells, cut) = std::mem::take(&mut self.reception);
        let it = &self.connections[frame.connection as usize];
        let transferred = it.begins.map_or(it.transferred, |(_, first)| first);
        let (cycle, frame) = (self.now, frame.clone());
        self.counts.cut += u64::from(cut);
        let arrival = Arrival { cycle, frame, cells, cut, transferred, free: 0, reserve: 0, quota: 0 };
        self.arrivals.push_back(arrival);
    }
}

impl Connection {
    /// It has been opened since reset.
    fn is_known(&self) -> bool {
        self.expected >= 1 << 40
    }

    /// A cell was returned in this cycle or later, so that something may have been unread.
    fn transferred_since(&self, cycle: u64) -> bool {
        self.returned.range(cycle..).next().is_some()
    }
}
