// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two hosts over two or four paths, of which some die and return (rows V21 to V25): how much arrives, and by which path.

use super::bench::Host;
use super::wire::{Packet, back, mark, read};
use super::{BURST, config, model, rtl};
use crate::transmit::tx::place::Place;
use pipeline::elab::feedback::ElabFeedbackSettings;
use pipeline::elab::host::ElabHostConfig;
use pipeline::elab::scheduler::ElabSchedulerSettings;
use std::collections::VecDeque;
use testbench::Dut;
use testbench::device::random::Random;
use tier::pick;

/// A round trip in clock cycles, without queues: 12.4 us at 322 MHz.
const RTT: u64 = 4000;
const UNIT: u64 = 32;
/// Bytes per clock cycle of 10 Gb/s.
const TEN: f64 = 10.0 / 8.0 / 0.322_265_625;
/// Bytes of a packet, and of its frame.
const SIZE: usize = 1000;
const FRAME: f64 = 1050.0;
/// Bytes in front of a path for which there is room.
const ROOM: f64 = 60_000.0;
/// The source port of the VP over path 0; those of the others follow.
const SPORT: u64 = 0xC000;

fn hosts_config() -> ElabHostConfig {
    let config = config(128, 2, 2);
    let sizes = pipeline::elab::ElabSizes { unit: UNIT, ..config.sizes() };
    let rtt = RTT / UNIT;
    let scheduler = ElabSchedulerSettings {
        window: rtt,
        explore: 100 * rtt,
        burst: 2 * BURST,
        silence: rtt * 3 / 2,
        ..ElabSchedulerSettings::default()
    };
    ElabHostConfig {
        feedback: pipeline::elab::feedback::ElabFeedbackConfig {
            sizes,
            settings: ElabFeedbackSettings { burst: 2 * BURST, report_time: RTT },
        },
        scheduler: pipeline::elab::scheduler::ElabSchedulerConfig { sizes, settings: scheduler },
        ..config
    }
}

/// One direction of a path.
struct Path {
    rate: f64,
    alive: bool,
    /// Bytes in front of it from which on packets are marked.
    marks: f64,
    /// When all that has come has left.
    free: f64,
    lost: u64,
}

/// A host and the paths on which it sends.
struct End {
    host: Host,
    place: Place,
    paths: Vec<Path>,
    /// Packets of this host per clock cycle, and those that are due; they come at random times if there is a generator.
    load: f64,
    due: f64,
    random: Option<Random>,
    /// Frames on their way to the other host, of each path.
    way: Vec<VecDeque<(u64, Vec<u8>)>>,
    /// Bytes that have come to the other host by each path since they were last asked for, and packets sent on each.
    came: Vec<f64>,
    sent: Vec<u64>,
    /// Source ports of VPs that were found dead and that have returned, with their clock cycles.
    dead: Vec<(u64, u64)>,
    returned: Vec<(u64, u64)>,
}

impl End {
    fn new(dut: Box<dyn Dut>, seed: u64, place: Place, rates: &[f64]) -> Self {
        let mut host = Host::new(dut, seed, 0.0);
        assert!(host.command(1, 0, &place.fields()).done);
        for sport in (SPORT..).take(rates.len()) {
            let bandwidth = TEN * UNIT as f64 / FRAME * 65536.0;
            assert!(host.vp_command(1, 0, sport, bandwidth as u64).0);
        }
        let path = |rate: &f64| Path { rate: rate * TEN / 10.0, alive: true, marks: f64::INFINITY, free: 0.0, lost: 0 };
        let (paths, way): (Vec<_>, Vec<_>) = rates.iter().map(|rate| (path(rate), VecDeque::new())).unzip();
        let (came, sent) = (vec![0.0; rates.len()], vec![0; rates.len()]);
        let (dead, returned) = (Vec::new(), Vec::new());
        End { host, place, paths, load: 0.0, due: 0.0, random: None, way, came, sent, dead, returned }
    }

    /// Sets the load in Gb/s.
    fn offers(&mut self, gbps: f64) {
        self.load = gbps * TEN / 10.0 / FRAME;
    }

    fn clock(&mut self, now: u64) {
        self.due += match &mut self.random {
            Some(random) => self.load * random.between(0, 2) as f64,
            None => self.load,
        };
        if self.due >= 1.0 {
            self.due -= 1.0;
            self.host.send(&Packet { pair: 0, dscp: 0, bytes: vec![now as u8; SIZE] });
        }
        self.host.clock();
        for (name, seen) in [("dead", &mut self.dead), ("returned", &mut self.returned)] {
            if self.host.output(&format!("elab_scheduler_{name}_valid")) == 1 {
                seen.push((now, self.host.output(&format!("elab_scheduler_{name}_sport"))));
            }
        }
        for (_, frame) in std::mem::take(&mut self.host.sent) {
            let mut bytes = frame.bytes;
            let (info, ..) = read(&self.place, &bytes);
            let number = (info.sport - SPORT) as usize;
            self.sent[number] += 1;
            let path = &mut self.paths[number];
            let begin = path.free.max(now as f64);
            let waits = (begin - now as f64) * path.rate;
            if !path.alive || waits > ROOM {
                path.lost += 1;
                continue;
            }
            if waits > path.marks {
                mark(&self.place, &mut bytes);
            }
            path.free = begin + bytes.len() as f64 / path.rate;
            self.way[number].push_back((path.free as u64 + RTT / 2, bytes));
        }
    }

    /// Frames that have come to the other host.
    fn arrive(&mut self, other: &mut End, now: u64) {
        for (number, way) in self.way.iter_mut().enumerate() {
            while way.front().is_some_and(|(at, _)| *at <= now) {
                let (_, bytes) = way.pop_front().expect("there is one");
                self.came[number] += bytes.len() as f64;
                other.host.comes(bytes);
            }
        }
        other.host.received.clear();
        other.host.found.clear();
    }
}

/// Two hosts; the first one sends to the second.
struct Loop {
    a: End,
    b: End,
    now: u64,
}

impl Loop {
    fn new(duts: [Box<dyn Dut>; 2], rates: &[f64], loads: [f64; 2]) -> Self {
        let [first, second] = duts;
        let place = Place { ipv6: false, tag: None, ..Place::random(&mut Random::new(9)) };
        let mut a = End::new(first, 1, place, rates);
        let mut b = End::new(second, 2, back(&place), rates);
        a.offers(loads[0]);
        b.offers(loads[1]);
        Loop { a, b, now: 0 }
    }

    /// Packets come at random times, others for each seed.
    fn at_random(mut self, seed: u64) -> Self {
        (self.a.random, self.b.random) = (Some(Random::new(seed)), Some(Random::new(!seed)));
        self
    }

    /// Runs for some round trips; Gb/s that came from the first host, and by each path.
    fn run(&mut self, what: &str, rtts: u64) -> (f64, Vec<f64>) {
        let end = self.now + rtts * RTT;
        self.a.came.fill(0.0);
        self.a.sent.fill(0);
        while self.now < end {
            self.a.clock(self.now);
            self.b.clock(self.now);
            self.a.arrive(&mut self.b, self.now);
            self.b.arrive(&mut self.a, self.now);
            self.now += 1;
        }
        let each: Vec<_> = self.a.came.iter().map(|bytes| bytes / (rtts * RTT) as f64 / TEN * 10.0).collect();
        let goodput = each.iter().sum();
        let [deaths, returns] = self.counts();
        println!(
            "{what}: {goodput:.1} Gb/s, by path {each:.1?}; {:?} sent; {deaths} deaths, {returns} returns",
            self.a.sent
        );
        (goodput, each)
    }

    /// A path lives or dies, in both directions.
    fn set_alive(&mut self, path: usize, alive: bool) {
        self.a.paths[path].alive = alive;
        self.b.paths[path].alive = alive;
    }

    fn counts(&self) -> [u64; 2] {
        ["deaths", "returns"].map(|name| self.a.host.output(&format!("elab_scheduler_{name}")))
    }
}

fn models() -> [Box<dyn Dut>; 2] {
    let config = hosts_config();
    [model(&config), model(&config)]
}

/// One of these paths of 10 Gb/s dies and returns: what comes in each time. The last report of packets comes a round trip after
/// their path has died, and later if there is a queue.
fn one_dies(hosts: Loop, dies: usize, within: u64) -> Vec<f64> {
    let mut hosts = hosts;
    let paths = hosts.a.paths.len();
    let offered = hosts.a.load * FRAME / TEN * 10.0;
    let [all, rest] = [paths, paths - 1].map(|paths| offered.min(10.0 * paths as f64));
    hosts.run("begin", 5);
    let (both, _) = hosts.run("all live", 10);
    assert!(both > 0.85 * all, "{both}");
    assert_eq!(hosts.counts(), [0, 0]);
    hosts.set_alive(dies, false);
    let died = hosts.now;
    hosts.run("dies", within);
    let (left, _) = hosts.run("one is dead", 30);
    println!("{:?} found dead; the path died in cycle {died}", hosts.a.dead);
    assert!(left > 0.95 * rest, "{left}");
    let sport = SPORT + dies as u64;
    assert_eq!(hosts.a.dead.iter().map(|(_, sport)| *sport).collect::<Vec<_>>(), [sport]);
    println!("found after {:.1} RTT", (hosts.a.dead[0].0 - died) as f64 / RTT as f64);
    assert!(hosts.a.dead[0].0 - died < (within + 2) * RTT);
    // It is tried ever less often.
    assert!((2..=40).contains(&hosts.a.sent[dies]), "{} tries", hosts.a.sent[dies]);
    hosts.set_alive(dies, true);
    // Tries may be 48 round trips apart by now; then its rate becomes what it was.
    hosts.run("returns", 90);
    let (again, _) = hosts.run("all live again", 20);
    assert!(again > 0.8 * all, "{again}");
    assert_eq!(hosts.a.returned.iter().map(|(_, sport)| *sport).collect::<Vec<_>>(), [sport]);
    assert_eq!(hosts.counts(), [1, 1]);
    vec![both, left, again]
}

#[test]
fn one_of_two_paths_dies_and_returns() {
    for (dies, back, within) in pick([(1, 9.0, 3), (0, 9.0, 3), (0, 2.0, 5), (1, 2.0, 5)], 1) {
        for seed in pick([Some(dies as u64), None], 1) {
            println!("path {dies} dies, {back} Gb/s back, random times {seed:?}");
            let hosts = Loop::new(models(), &[10.0; 2], [20.0, back]);
            let hosts = if let Some(seed) = seed { hosts.at_random(seed) } else { hosts };
            one_dies(hosts, dies, within);
        }
    }
}

#[test]
fn one_of_four_paths_dies_and_returns() {
    for (load, dies) in pick([(20.0, 3), (15.0, 0), (5.0, 1), (15.0, 2)], 1) {
        for seed in pick([Some(dies as u64), None], 1) {
            println!("path {dies} dies, {load} Gb/s each way, random times {seed:?}");
            let hosts = Loop::new(models(), &[10.0; 4], [load; 2]);
            let hosts = if let Some(seed) = seed { hosts.at_random(seed) } else { hosts };
            one_dies(hosts, dies, 4);
        }
    }
}

#[test]
fn the_verilog_leaves_a_dead_path_too() {
    let config = hosts_config();
    let hosts = |duts| Loop::new(duts, &[10.0; 2], [20.0, 5.0]);
    let verilog = [0; 2].map(|_| -> Box<dyn Dut> { Box::new(rtl(&config, 1_000_000)) });
    let figures = one_dies(hosts(verilog), 1, 3);
    assert_eq!(figures, one_dies(hosts(models()), 1, 3));
}

/// Reports go alone, one for each round trip, and half of them are lost with the path.
#[test]
fn packets_go_in_one_direction_alone() {
    for dies in pick([0, 1], 1) {
        let mut hosts = Loop::new(models(), &[10.0; 2], [20.0, 0.0]);
        hosts.run("begin", 10);
        hosts.set_alive(dies, false);
        hosts.run("dies", 20);
        let (left, _) = hosts.run("one is dead", 20);
        assert!(left > 9.5, "{left}");
        assert_eq!((hosts.a.dead.len(), hosts.a.dead[0].1), (1, SPORT + dies as u64));
    }
}

#[test]
fn all_paths_die_and_one_returns() {
    let mut hosts = Loop::new(models(), &[10.0; 2], [20.0, 9.0]);
    hosts.run("both", 10);
    hosts.set_alive(0, false);
    hosts.run("the first is dead", 20);
    hosts.set_alive(1, false);
    hosts.run("both are dead", 40);
    assert!(hosts.a.sent.iter().all(|sent| *sent > 0), "both are tried: {:?}", hosts.a.sent);
    hosts.set_alive(0, true);
    hosts.run("the first returns", 60);
    let (left, _) = hosts.run("it is back", 20);
    let share = hosts.a.sent[1] as f64 / hosts.a.sent.iter().sum::<u64>() as f64;
    assert!(left > 9.5 && share < 0.05, "{left}, {share}");
}

#[test]
fn an_idle_path_is_not_dead() {
    let mut hosts = Loop::new(models(), &[10.0; 2], [20.0, 5.0]);
    for _ in 0..2 {
        hosts.run("both", 3);
        hosts.a.offers(0.0);
        hosts.run("nothing is sent", 30);
        hosts.a.offers(0.02);
        hosts.run("now and then", 30);
        hosts.a.offers(20.0);
    }
    assert_eq!((hosts.counts(), hosts.a.dead.len()), ([0, 0], 0));
}

#[test]
fn a_slow_path_is_not_dead() {
    let mut hosts = Loop::new(models(), &[10.0, 3.3], [20.0, 5.0]);
    for end in [&mut hosts.a, &mut hosts.b] {
        end.paths.iter_mut().for_each(|path| path.marks = 20_000.0);
    }
    hosts.run("begin", 30);
    let (goodput, each) = hosts.run("10 and 3.3", 40);
    let slow = each[1];
    assert!(goodput > 13.0 && slow > 3.2, "{goodput}, {slow}");
    assert_eq!((hosts.counts(), hosts.a.dead.len()), ([0, 0], 0));
}
