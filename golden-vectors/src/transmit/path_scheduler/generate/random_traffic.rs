// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random requests, commands, settings, and feedback on earlier grants.

use super::shapes::{SETTINGS, SHAPES};
use crate::collect::aim;
use crate::collect::timed::Draft;
use crate::rng::SplitMix64;
use crate::transmit::path_scheduler::oracle::{
    Command, Feedback, Grant, Granularity, Kind, Op, Packet, Request, Settings, Shape, answer,
};
use crate::transmit::path_scheduler::ports;
use crate::transmit::path_scheduler::script::{MOST, Script};
use crate::transmit::path_scheduler::suite::Suite;

/// Cycles of one round of random events. Feedback is for packets that were granted in earlier rounds.
const ROUND: u64 = 16;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in SHAPES {
        of_shape(suite, shape, rng);
    }
}

/// Adds the group `load` of one size. These cases find faults that no case for a single row provokes.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    suite.group("load", "random events, feedback on what was granted", shape, SETTINGS);
    let rows = ["T1", "T3", "T5", "T6", "T11", "T12", "T13", "T16", "T17"];
    for n in 0..4 {
        let traffic =
            RandomTraffic { shape, used: [1, 2, 1, 4][n].min(shape.qps), paths: [2, 4, 8, 4][n].min(shape.paths) };
        let script = traffic.script([90, 100, 60, 95][n], rng);
        let comment = format!("on {} QPs and {} sub-paths", traffic.used, traffic.paths);
        suite.add(format!("{n}"), comment, aim(&["FullLoad", "Command", "Settings"], &rows), script);
    }
}

/// The part of the stage that a case uses: some QPs, and some sub-paths spread over all numbers.
struct RandomTraffic {
    shape: Shape,
    used: u64,
    paths: u64,
}

impl RandomTraffic {
    /// Random events. `busy` of 100 cycles have a request.
    fn script(&self, busy: u64, rng: &mut SplitMix64) -> Script {
        let mut weights = vec![0; self.shape.paths as usize];
        (0..self.paths.min(4)).for_each(|n| weights[self.path(n) as usize] = 1 + rng.below(6));
        let (mut script, at) = Script::all_running(self.shape, self.used, 1 + rng.below(2), &weights);
        script.set(0, any_settings(rng));
        let mut open: Vec<Grant> = Vec::new();
        let mut known = 0;
        for round in 0..12 {
            let from = at + round * ROUND;
            for at in from..from + ROUND {
                if rng.below(100) < busy {
                    let Request { qp, kind, path } = self.any_request(rng);
                    script.request(at, qp, kind, path);
                }
                if rng.below(100) < busy && (!open.is_empty() || rng.below(10) == 0) {
                    script.hear(at, self.any_feedback(&mut open, rng));
                }
                match rng.below(150) {
                    0..=2 => script.set(at, any_settings(rng)),
                    3 => script.rest(at),
                    4..=7 => script.ready(at, rng.below(3) > 0),
                    8 | 9 => script.lost_ready(at, rng.below(3) > 0),
                    _ => {}
                }
            }
            for _ in 0..ROUND / self.shape.operations() + 1 {
                script.operate(from, self.any_operation(rng));
            }
            let granted = answer(self.shape, SETTINGS, &script.clone().into_events()).grants;
            let new = granted.iter().filter(|grant| (known..from).contains(&grant.cycle));
            open.extend(new.filter(|grant| grant.ok && grant.flags & 4 == 0));
            known = from;
        }
        script.ready(script.settled(), true);
        script.lost_ready(script.settled(), true);
        for (qp, n) in (0..self.used).flat_map(|qp| [(qp, 0), (qp, 1)]) {
            script.command(0, Op::Read, qp, self.path(n));
        }
        script
    }

    /// The `n`th of the sub-paths in use. For `n` above the last one it is a sub-path that was never added.
    const fn path(&self, n: u64) -> u64 {
        let step = self.shape.paths / self.paths;
        n * step + step / 2
    }

    fn any_request(&self, rng: &mut SplitMix64) -> Request {
        let qp = if rng.below(30) == 0 { rng.below(ports::numbers(self.shape)) } else { rng.below(self.used) };
        let kind = match rng.below(16) {
            0 => Packet::Nothing,
            1 | 2 => Packet::Probe,
            3 | 4 => Packet::Retransmission,
            _ => Packet::Data,
        };
        Request { qp, kind, path: self.path(rng.below(self.paths + 1)) }
    }

    /// Feedback, mostly on the oldest packets in flight, sometimes on a sub-path without any.
    fn any_feedback(&self, open: &mut Vec<Grant>, rng: &mut SplitMix64) -> Feedback {
        let kind = match rng.below(12) {
            0 | 1 => Kind::Ecn,
            2 => Kind::Nack,
            3 => Kind::Timeout,
            4 => return self.any_answer(rng),
            5 => Kind::Return,
            6 => Kind::Arrived,
            _ => Kind::Good,
        };
        let rtt = rng.below(12);
        if open.is_empty() || rng.below(20) == 0 {
            let qp = rng.below(ports::numbers(self.shape));
            return Feedback::new(qp, self.path(rng.below(2 * self.paths)), kind).rtt(rtt);
        }
        let Grant { qp, path, .. } = open.remove(rng.below(open.len().min(4) as u64) as usize);
        Feedback::new(qp, path, kind).rtt(rtt)
    }

    /// The answer to a probe that may not have been sent, or a mark, or ARRIVED.
    fn any_answer(&self, rng: &mut SplitMix64) -> Feedback {
        let bandwidth = rng.below(self.shape.most() + 1);
        let answer = Feedback::answer(rng.below(self.used), self.path(rng.below(self.paths)), bandwidth);
        Feedback { kind: [4, 4, 5, 7][rng.below(4) as usize], ..answer.rtt(rng.below(12)) }
    }

    fn any_operation(&self, rng: &mut SplitMix64) -> Command {
        let op = match rng.below(16) {
            0 | 1 => Op::Add,
            2 if rng.below(2) == 0 => Op::Reroute,
            2 => Op::Reflow,
            3..=6 => Op::Start,
            7 | 8 => Op::Limit,
            9 => Op::Drain,
            10 => Op::Fail,
            11 | 12 => Op::Remove,
            13 | 14 => Op::Regrain,
            _ => Op::ALL[rng.below(4) as usize],
        };
        let open = Command::open(rng.below(self.used), rng.below(1 << 24), rng.below(1 << 20), Granularity::Flow);
        let most = if rng.below(2) == 0 { MOST } else { self.shape.most() };
        let weight = rng.below(most + 1);
        let command = Command { op: op.code(), path: self.path(rng.below(self.paths)), weight, ..open };
        let command = command.mode(rng.below(4)).flowlet(rng.below(4));
        if rng.below(4) == 0 { command.unforced() } else { command }
    }
}

fn any_settings(rng: &mut SplitMix64) -> Settings {
    let window = match rng.below(3) {
        0 => 1 + rng.below(6),
        1 => 4 + rng.below(20),
        _ => 90,
    };
    let settings = Settings::new(rng.below(3), rng.below(4), rng.below(8)).migrate(rng.below(4)).window(window);
    let settings = settings.rtt(rng.below(3)).delay(6 * rng.below(2)).fail_time(rng.below(3));
    let settings = if rng.below(2) == 0 { settings.initial(1 + rng.below(12)) } else { settings };
    if rng.below(2) == 0 { settings.waiting() } else { settings }
}
