// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrivals and queries on the same and on different pairs, at every distance at which two of them can be in the
//! pipeline. A missing bypass between two steps is seen.

use super::shapes::{LATENCIES, TEN, THIRTY};
use crate::collect::aim;
use crate::elab::feedback::oracle::{Arrival, Settings, Shape};
use crate::elab::feedback::script::{Script, port};
use crate::elab::feedback::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES.into_iter().chain([THIRTY]) {
        suite.group("hazards", "events at every distance", shape, TEN);
        for distance in [1, 2, 3, 4, 5, 6, 8, 11] {
            arrivals(suite, shape, distance);
            queries(suite, shape, distance);
        }
    }
}

/// Packets of a burst that are `distance` cycles apart, with a query in every cycle.
fn arrivals(suite: &mut Suite, shape: Shape, distance: u64) {
    for (name, pairs, vps) in [("same", 1, 1), ("vps", 1, 2), ("pairs", 2, 1)] {
        let (mut script, at) = Script::new(shape);
        script.set(0, Settings::new(3));
        for n in 0..24 {
            let (pair, vp) = (n % pairs, n % vps);
            let burst = [1, 1, 1, 0, 2, 2, 0, 0][n as usize / 2 % 8];
            script.arrival(at + n * distance, Arrival { pair, sport: port(shape, pair, vp), ecn: n % 5 == 2, burst });
        }
        (0..24 * distance.min(4) + 8).for_each(|n| script.query(at + n, n % pairs));
        script.queries(at + 24 * distance, 0, 3);
        let rows = aim(&["BackToBack", "Burst"], &["W1", "W2", "W3", "W6", "W7"]);
        suite.add(format!("{name}-{distance}"), format!("arrivals {distance} cycles apart"), rows, script);
    }
}

/// Queries that are `distance` cycles apart, with a packet in every cycle.
fn queries(suite: &mut Suite, shape: Shape, distance: u64) {
    for (name, pairs) in [("one", 1), ("two", 2)] {
        let (mut script, at) = Script::new(shape);
        script.set(0, Settings::new(2));
        for n in 0..12 * distance.min(5) + 10 {
            let (pair, vp) = (n % pairs, n * 3 / 5 % 2);
            let sport = port(shape, pair, vp);
            script.arrival(at + n, Arrival { pair, sport, ecn: n % 11 == 7, burst: n / 3 % 4 });
        }
        (0..14).for_each(|n| script.query(at + 3 + n * distance, n % pairs));
        let rows = aim(&["BackToBack", "Turns"], &["W4", "W5", "W6", "W7"]);
        suite.add(format!("queries-{name}-{distance}"), format!("queries {distance} cycles apart"), rows, script);
    }
}
