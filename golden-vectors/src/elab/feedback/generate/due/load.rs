// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random events with a short report time, and a consumer of the output that stalls it.

use super::after;
use crate::collect::aim;
use crate::elab::feedback::oracle::{Arrival, Settings, Shape};
use crate::elab::feedback::ports::numbers;
use crate::elab::feedback::script::{Script, port};
use crate::elab::feedback::suite::Suite;
use crate::rng::SplitMix64;

/// Adds the group `due-load` of one size. These cases find faults that no case for a single row provokes.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    let first = after(shape.pairs + 9);
    suite.group("due-load", "random events, and reports that are due", shape, first);
    let rows = aim(&["Due", "Stall", "Forget", "Settings"], &["W8", "W11", "W12", "W13", "W14"]);
    for (n, used) in [1, 2, 3, shape.pairs.min(12)].into_iter().enumerate() {
        let used = used.min(shape.pairs);
        // Some consumers ask for what is due, some do not.
        let delay = [Some(3), None, Some(20), Some(0)][n];
        let script = script(shape, (first, used), delay, rng);
        suite.add(format!("{n}"), format!("on {used} pairs"), rows, script);
    }
}

fn script(shape: Shape, (first, used): (Settings, u64), delay: Option<u64>, rng: &mut SplitMix64) -> Script {
    let (mut script, begin) = Script::new(shape);
    let any_pair = |rng: &mut SplitMix64| {
        // The last ones, so that visits of them are in two rounds.
        if rng.below(30) == 0 { rng.below(numbers(shape)) } else { shape.pairs - 1 - rng.below(used) }
    };
    let end = begin + 240 + 4 * shape.pairs;
    let mut busy = 0;
    for at in begin..end {
        // Traffic comes and goes, so that pairs wait.
        if rng.below(40) == 0 {
            busy = [0, 0, 5, 60][rng.below(4) as usize];
        }
        if rng.below(100) < busy {
            let (pair, vp) = (any_pair(rng), rng.below(shape.vps.min(4)));
            script.arrival(at, Arrival { pair, sport: port(shape, pair, vp), ecn: rng.below(9) == 0, burst: 0 });
        }
        if rng.below(100) < busy / 2 + 2 {
            script.query(at, any_pair(rng));
        }
        if rng.below(30) == 0 {
            script.ready(at, rng.below(3) > 0);
        }
        if rng.below(90) == 0 {
            // Some are only on the port.
            let time = [0, 1, 5, shape.pairs, 2 * shape.pairs + 3, 40][rng.below(6) as usize];
            script.set(at, Settings { valid: rng.below(4) > 0, ..after(time) });
        }
        if rng.below(80) == 0 {
            script.forget(at, any_pair(rng));
        }
    }
    script.ready(end, true);
    script.wait(end + 2 * shape.pairs + 60);
    if let Some(delay) = delay {
        script.ask_for_due(first, delay);
    }
    script
}
