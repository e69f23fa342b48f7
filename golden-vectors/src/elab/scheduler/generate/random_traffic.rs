// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random requests, reports, commands and settings.

use super::shapes::{NEVER, SHAPES};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Command, Op, Report, Settings, Shape};
use crate::elab::scheduler::ports;
use crate::elab::scheduler::script::{Script, other_port, port};
use crate::elab::scheduler::suite::Suite;
use crate::rng::SplitMix64;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in SHAPES {
        of_shape(suite, shape, rng);
    }
}

/// Adds the group `load` of one size. These cases find faults that no case for a single row provokes.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    suite.group("load", "random events, most of them on VPs that are there", shape, NEVER);
    let rows = [
        "V1", "V3", "V4", "V6", "V7", "V9", "V10", "V11", "V13", "V14", "V16", "V20", "V21", "V22", "V23", "V24", "V25",
    ];
    for n in 0..4 {
        let traffic =
            RandomTraffic { shape, used: [1, 2, 1, 4][n].min(shape.pairs), vps: [2, 4, 8, 4][n].min(shape.vps) };
        let script = traffic.script([90, 100, 60, 95][n], rng);
        let comment = format!("on {} pairs and {} VPs", traffic.used, traffic.vps);
        suite.add(format!("{n}"), comment, aim(&["FullLoad", "Command", "Settings"], &rows), script);
    }
}

/// The part of the stage that a case uses: some pairs, and some VPs spread over all numbers.
struct RandomTraffic {
    shape: Shape,
    used: u64,
    vps: u64,
}

impl RandomTraffic {
    /// Random events. `busy` of 100 cycles have a request.
    fn script(&self, busy: u64, rng: &mut SplitMix64) -> Script {
        let mut script = Script::new(self.shape);
        for (pair, n) in (0..self.used).flat_map(|pair| (0..self.vps.min(4)).map(move |n| (pair, n))) {
            script.add(pair, self.vp(n), self.any_bandwidth(rng).max(1));
        }
        // From the first cycle on none are those of reset, which are those of the configuration.
        script.set(0, Settings { valid: true, ..self.any_settings(rng) });
        let at = script.settled() - self.shape.visibility_delay();
        for at in at..at + 220 {
            if rng.below(100) < busy {
                let stranger = rng.below(30) == 0;
                let pair = rng.below(if stranger { ports::numbers(self.shape) } else { self.used });
                if rng.below(8) == 0 { script.empty(at, pair) } else { script.request(at, pair) }
            }
            if rng.below(100) < busy {
                script.report(at, self.any_report(rng));
            }
            if rng.below(70) == 0 {
                script.set(at, self.any_settings(rng));
            }
        }
        for _ in 0..12 {
            script.operate(at, self.any_operation(rng));
        }
        for (pair, n) in (0..self.used).flat_map(|pair| [(pair, 0), (pair, 1)]) {
            script.command(0, Op::Read, pair, self.vp(n));
        }
        script
    }

    /// The `n`th of the VPs in use. For `n` above the last one it is a VP that is not present.
    const fn vp(&self, n: u64) -> u64 {
        let step = self.shape.vps / self.vps;
        n * step + step / 2
    }

    /// A bandwidth whose number of leading zeros is uniformly distributed, so small ones are as frequent as large
    /// ones.
    fn any_bandwidth(&self, rng: &mut SplitMix64) -> u64 {
        rng.below(1 << 24) >> if rng.below(2) == 0 { rng.below(3) } else { rng.below(24) }
    }

    fn any_report(&self, rng: &mut SplitMix64) -> Report {
        let pair = if rng.below(30) == 0 { rng.below(ports::numbers(self.shape)) } else { rng.below(self.used) };
        let vp = self.vp(rng.below(self.vps));
        let vp = if rng.below(20) == 0 { other_port(self.shape, pair, vp) } else { port(self.shape, pair, vp) };
        let count = if rng.below(40) == 0 { rng.below(1 << 16) } else { rng.below(40) };
        let count = if rng.below(3) == 0 { count } else { 0 };
        let rate = if rng.below(8) == 0 { rng.below(1 << 32) } else { self.any_bandwidth(rng) };
        Report { pair, vp, count, ecn: rng.below(12) == 0, probed: rng.below(16) == 0, rate }
    }

    fn any_operation(&self, rng: &mut SplitMix64) -> Command {
        let (pair, vp) = (rng.below(self.used), self.vp(rng.below(self.vps)));
        let sport = if rng.below(8) == 0 { other_port(self.shape, pair, vp) } else { port(self.shape, pair, vp) };
        let op = [0, 1, 1, 1, 2, 2, 3, 0][rng.below(8) as usize];
        Command { op, pair, sport, bandwidth: self.any_bandwidth(rng) }
    }

    /// Settings whose windows and waits end now and then, whatever the length of a unit.
    fn any_settings(&self, rng: &mut SplitMix64) -> Settings {
        let alpha = [0, 77, 128, 255, rng.below(256)][rng.below(5) as usize];
        let burst = [0, 1, 2, 3, 10, 0x100][rng.below(6) as usize];
        let silence = [0, 1, 4, 8][rng.below(4) as usize];
        // Some are only on the ports.
        Settings { valid: rng.below(4) > 0, ..Settings::new(alpha, rng.below(5), rng.below(5), burst).silence(silence) }
    }
}
