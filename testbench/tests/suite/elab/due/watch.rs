// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens, seen from the ports: the state of every pair after rows W12 to W14, and the output that follows.

use pipeline::elab::feedback::ElabFeedbackConfig;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use testbench::device::drive::Drive;
use testbench::drives::constrained::ConstrainedDrive;
use testbench::{Port, Ports};

/// How often something has happened.
pub type Counts = Rc<RefCell<BTreeMap<&'static str, u64>>>;

/// What the traffic brings about at every size.
pub const EVENTS: [&str; 16] = [
    "W9 reset while a pair is output",
    "W12 arrival and query in one visit",
    "W13 answered before it is due",
    "W13 answered while it is due",
    "W13 answered more often than it waits for",
    "W13 one report of several",
    "W13 another arrival while it waits",
    "W13 forgotten while it waits",
    "W13 forgotten while it is due",
    "W13 nothing is wanted while it waits",
    "W13 due, and not for the first time",
    "W14 output",
    "W14 output in the clock cycle in which the one before is taken",
    "W14 held by a stall",
    "W14 answered after it was output",
    "W14 several pairs are due",
];

/// What takes more than one pair.
pub const OF_SEVERAL_PAIRS: [&str; 2] = ["W13 answered more often than it waits for", "W14 several pairs are due"];

/// What is accepted in a clock cycle, or takes effect in it.
#[derive(Clone, Copy, Debug, Default)]
struct Accepted {
    /// Pair and VP.
    arrival: Option<(usize, u64)>,
    cleared: Option<usize>,
    /// The pair of a query that is answered with a report that is no repetition.
    answered: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    /// The known VPs as queries see them, the one reported last, and whether that was a repetition.
    known: u64,
    last: u32,
    again: bool,
    /// The same as visits see them, and what has come since the last visit.
    shown: u64,
    arrived: bool,
    answered: u64,
    /// The state of row W13.
    reports: u64,
    since: u64,
    due: bool,
    /// It has been output since the last answer.
    asked: bool,
}

impl Pair {
    /// W5: a query is answered; whether with a report that is no repetition.
    fn answers(&mut self) -> bool {
        if self.known == 0 {
            return false;
        }
        let above = self.known & (u64::MAX << self.last) << 1;
        let others = self.known & !(1 << self.last);
        self.again = above == 0 && others != 0 && others != self.known && !self.again;
        if !self.again {
            self.last = if above == 0 { self.known } else { above }.trailing_zeros();
        }
        !self.again
    }
}

/// What a visit has seen.
#[derive(Clone, Copy, Debug)]
struct Visit {
    pair: usize,
    time: u64,
    known: u64,
    arrived: bool,
    answered: u64,
}

/// The stage since reset.
#[derive(Debug)]
struct Since {
    cycle: u64,
    /// The first clock cycle after the sweep.
    swept: Option<u64>,
    pairs: Vec<Pair>,
    /// Of the last l + 2 clock cycles, the latest one last.
    accepted: VecDeque<Accepted>,
    /// Of the l + 1 clock cycles before those.
    seen_by_queries: VecDeque<Accepted>,
    visits: VecDeque<Option<Visit>>,
    /// The pair that a command clears in this clock cycle.
    clears: Option<usize>,
    report_time: u64,
    report_time_before: u64,
    output: Option<usize>,
}

impl Since {
    fn reset(config: ElabFeedbackConfig) -> Self {
        let steps = config.sizes.ram_latency as usize + 2;
        Since {
            cycle: 0,
            swept: None,
            pairs: vec![Pair::default(); config.sizes.pairs as usize],
            accepted: vec![Accepted::default(); steps].into(),
            seen_by_queries: vec![Accepted::default(); steps - 1].into(),
            visits: vec![None; steps].into(),
            clears: None,
            report_time: config.settings.report_time,
            report_time_before: config.settings.report_time,
            output: None,
        }
    }
}

/// Random traffic that is watched: it fails if the output `due` differs from what the contract says.
pub struct Watch {
    config: ElabFeedbackConfig,
    traffic: ConstrainedDrive,
    inputs: HashMap<String, Port>,
    outputs: HashMap<String, Port>,
    since: Since,
    counts: Counts,
}

impl Watch {
    pub fn new(ports: &Ports, config: ElabFeedbackConfig, traffic: ConstrainedDrive, counts: Counts) -> Self {
        let by_name = |ports: &[Port]| ports.iter().map(|port| (port.name.clone(), port.clone())).collect();
        let (inputs, outputs) = (by_name(&ports.inputs), by_name(&ports.outputs));
        Watch { config, traffic: traffic.reset(0.000_5), inputs, outputs, since: Since::reset(config), counts }
    }

    fn count(&self, what: &'static str, happens: bool) {
        if happens {
            *self.counts.borrow_mut().entry(what).or_default() += 1;
        }
    }

    fn cycle(&mut self, output: &[u64], input: &[u64]) {
        let got = |name: &str| output[self.outputs[name].offset];
        let given = |name: &str| input[self.inputs[name].offset];
        let pairs = self.config.sizes.pairs;
        let of = |pair: u64| (pair < pairs).then_some(pair as usize);
        let cycle = self.since.cycle;

        let due = (got("due_valid") == 1).then(|| got("due_pair") as usize);
        assert_eq!(due, self.since.output, "{:?}, cycle {cycle} after reset", self.config.sizes);
        let ready = given("due_ready") == 1;
        let busy = got("busy") == 1;
        if !busy && self.since.swept.is_none() {
            self.since.swept = Some(cycle);
        }

        // The known VPs that queries of this clock cycle see, and the queries that visits see.
        let seen = self.since.accepted.pop_front().expect("l + 2 clock cycles");
        if let Some((pair, vp)) = seen.arrival {
            self.since.pairs[pair].known |= 1 << vp;
        }
        if let Some(pair) = seen.cleared {
            self.since.pairs[pair].known = 0;
        }
        if let Some(pair) = seen.answered {
            self.since.pairs[pair].answered += 1;
        }
        // What visits see of arrivals.
        self.since.seen_by_queries.push_back(seen);
        let shown = self.since.seen_by_queries.pop_front().expect("l + 1 clock cycles");
        if let Some((pair, vp)) = shown.arrival {
            let pair = &mut self.since.pairs[pair];
            pair.shown |= 1 << vp;
            pair.arrived = true;
        }
        if let Some(pair) = shown.cleared {
            self.since.pairs[pair].shown = 0;
        }

        let arrives = given("arrival_valid") == 1 && got("arrival_ready") == 1;
        let arrival = of(given("arrival_pair")).filter(|_| arrives);
        let arrival = arrival.map(|pair| (pair, given("arrival_sport") % self.config.sizes.vps));
        let asked = of(given("query_pair")).filter(|_| given("query_valid") == 1 && !busy);
        let answered = asked.filter(|pair| self.since.pairs[*pair].answers());
        let cleared = self.since.clears.take();
        self.since.accepted.push_back(Accepted { arrival, cleared, answered });
        let commands = given("command_valid") == 1 && got("command_ready") == 1;
        self.since.clears = of(given("command_pair")).filter(|_| commands);

        let written = (given("settings_valid") == 1).then(|| given("settings_report_time"));

        let visit = self.since.swept.map(|swept| {
            let pair = ((cycle - swept) % pairs) as usize;
            let Pair { shown: known, arrived, answered, .. } = self.since.pairs[pair];
            (self.since.pairs[pair].arrived, self.since.pairs[pair].answered) = (false, 0);
            Visit { pair, time: cycle % (1 << 24), known: known.count_ones().into(), arrived, answered }
        });
        self.since.visits.push_back(visit);
        let decided = self.since.visits.pop_front().expect("l + 2 visits");
        let free = due.is_none() || ready;
        let output = decided.and_then(|visit| self.decide(visit, free).then_some(visit.pair));
        self.count("W14 output in the clock cycle in which the one before is taken", due.is_some() && output.is_some());
        self.since.output = output.or(due.filter(|_| !ready));

        self.since.report_time_before = self.since.report_time;
        self.since.report_time = written.unwrap_or(self.since.report_time);
        self.since.cycle += 1;
    }

    /// Rows W13 and W14: whether the pair is output.
    fn decide(&mut self, visit: Visit, free: bool) -> bool {
        let Visit { pair, time, known, arrived, answered } = visit;
        let report_time = self.since.report_time_before;
        let before = self.since.pairs[pair];
        let mut it = before;
        if answered > 0 {
            (it.reports, it.since, it.due) = (it.reports.saturating_sub(answered), time, false);
        }
        if arrived {
            if it.reports == 0 {
                it.since = time;
            }
            it.reports = known;
        }
        if known == 0 {
            it.reports = 0;
        }
        let elapsed = time.wrapping_sub(it.since) % (1 << 24) >= report_time;
        it.due = it.reports > 0 && report_time > 0 && (it.due || elapsed);
        let outputs = it.due && free;
        let (waits, due) = (before.reports > 0, before.due);
        self.count("W12 arrival and query in one visit", arrived && answered > 0);
        self.count("W13 answered before it is due", waits && !due && answered > 0 && !before.asked);
        self.count("W13 answered while it is due", due && answered > 0);
        self.count("W13 answered more often than it waits for", waits && answered > before.reports);
        self.count("W13 one report of several", waits && answered > 0 && answered < before.reports);
        self.count("W13 another arrival while it waits", waits && answered == 0 && arrived);
        self.count("W13 forgotten while it waits", waits && !due && known == 0);
        self.count("W13 forgotten while it is due", due && known == 0);
        self.count("W13 nothing is wanted while it waits", waits && it.reports > 0 && report_time == 0);
        self.count("W13 due, and not for the first time", outputs && before.asked);
        self.count("W14 answered after it was output", before.asked && answered > 0);
        self.count("W14 output", outputs);
        self.count("W14 held by a stall", it.due && !free);
        it.asked = outputs || before.asked && answered == 0 && it.reports > 0;
        if outputs {
            (it.since, it.due) = (time, false);
        }
        self.since.pairs[pair] = it;
        let several = it.due && self.since.pairs.iter().filter(|pair| pair.due).count() > 1;
        self.count("W14 several pairs are due", several);
        outputs
    }
}

impl Drive for Watch {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        let reset = self.traffic.drive(outputs, input);
        self.cycle(outputs, input);
        if reset {
            self.count("W9 reset while a pair is output", self.since.output.is_some());
            self.since = Since::reset(self.config);
        }
        reset
    }
}
