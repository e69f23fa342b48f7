// SPDX-License-Identifier: MIT OR Apache-2.0
//! *level*: rate, burst, and what takes cost (PC5, PC6).

use super::shapes::{self, FAST};
use crate::collect::aim;
use crate::receive::credit_pacer::oracle::{Settings, Shape};
use crate::receive::credit_pacer::script::Script;
use crate::receive::credit_pacer::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("level", "level: rate, burst, and what takes cost", shape, None);
        rates(suite, shape);
        caps(suite, shape);
        zero(suite, shape);
        widest(suite, shape);
        lowered(suite, shape);
    }
}

/// A source that always has demand.
fn endless(shape: Shape, settings: Settings) -> Script {
    let mut script = Script::opened(shape, settings, &[0], 0);
    script.more(0, 1 << 22);
    script
}

/// Each rate gives its credit in the long run; takes are in the first cycle in which *level* is above 0.
fn rates(suite: &mut Suite, shape: Shape) {
    let mut script = endless(shape, Settings { rate: 0, quota: 1, burst: 0, advance: 0 });
    for bit in 8..24 {
        for rate in [1 << bit, (1 << bit) + 1, (1 << bit) - 1] {
            // Three quotas take about 300 cycles.
            let quota = ((rate * 100) >> 16).clamp(1, 4095);
            script.set(|s| Settings { rate, quota, burst: quota, ..s });
            if bit < 10 { script.idle(300) } else { script.turns(3) }
        }
    }
    script.settled();
    script.read(0);
    let rows = aim(&["Rate"], &["PC5", "PC6", "PC7"]);
    suite.add("rates", "each rate", rows, script);
}

/// After a pause there is a burst, and no more, whatever the rate.
fn caps(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, Settings { rate: 0, quota: 3, burst: 0, advance: 0 }, &[0], 0);
    for burst in [1, 2, 3, 4, 7, 8, 20] {
        for rate in [1 << 12, 65_536 / 3, 1 << 16, 100_003, 1 << 20] {
            script.set(|s| Settings { rate, burst, ..s });
            script.idle((burst << 16) / rate + 5);
            // So much is there at once; then the rate is seen.
            script.more(0, 3 * burst as i64 + 9);
            script.turns(burst + 2);
            script.hold();
            script.set(|s| Settings { rate: 1 << 22, quota: 4095, burst: 9, ..s });
            script.settled();
            script.idle(shape.apart());
            script.set(|s| Settings { quota: 3, ..s });
            script.hold();
        }
    }
    let rows = aim(&["Burst"], &["PC5", "PC6"]);
    suite.add("caps", "a burst after a pause", rows, script);
}

/// *level* is 0, and 1 above and below: with 0 there is no take.
fn zero(suite: &mut Suite, shape: Shape) {
    let still = Settings { rate: 0, quota: 4, burst: 4, advance: 0 };
    let mut script = endless(shape, Settings { burst: 0, ..still });
    script.settled();
    for more in [0, 1, 2, 65_535, 65_536, 65_537] {
        // Up to the burst in one cycle, then nothing more: after a quota it is 0 again.
        script.set(|s| Settings { rate: 4 << 16, burst: 4, ..s });
        script.set(|s| Settings { rate: 0, ..s });
        script.idle(3 * shape.apart());
        // A rate in force for one cycle.
        script.set(|s| Settings { rate: more, ..s });
        script.set(|s| Settings { rate: 0, ..s });
        script.idle(2 * shape.apart());
        script.read(0);
        // Below 0 by all but `more`; 1 less does nothing.
        let debt = (4 << 16) - more;
        script.set(|s| Settings { rate: debt, ..s });
        script.set(|s| Settings { rate: 0, ..s });
        script.idle(2 * shape.apart());
        script.set(|s| Settings { rate: 1, ..s });
        script.set(|s| Settings { rate: 0, ..s });
        script.idle(2 * shape.apart());
        script.read(0);
        script.hold();
    }
    let rows = aim(&["Level"], &["PC5", "PC6", "PC11"]);
    suite.add("zero", "level at 0 and just beside it", rows, script);
}

/// The highest *level* and the lowest one.
fn widest(suite: &mut Suite, shape: Shape) {
    let rate = (1 << 24) - 1;
    let mut script = endless(shape, Settings { rate, quota: 4095, burst: 4095, advance: 0 });
    script.settled();
    script.stall(false);
    script.idle(100);
    script.stall(true);
    script.turns(6);
    script.settled();
    // As low as can be: it is 1 before a take.
    script.set(|s| Settings { rate: 0, burst: 0, ..s });
    script.idle(2 * shape.apart());
    script.set(|s| Settings { rate: 1, burst: 1, ..s });
    script.set(|s| Settings { rate: 0, ..s });
    script.idle(2 * shape.apart());
    for _ in 0..30 {
        script.set(|s| Settings { rate, burst: 4095, ..s });
        script.idle(1);
        script.set(|s| Settings { rate: 3, ..s });
        script.idle(9);
    }
    script.settled();
    script.read(0);
    let rows = aim(&["Level", "Burst", "Quota"], &["PC5", "PC6", "PC7"]);
    suite.add("widest", "the highest level and the lowest one", rows, script);
}

/// A burst that becomes smaller takes effect at once; rates change from cycle to cycle.
fn lowered(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, Settings { quota: 2, burst: 0, ..FAST }, &[0], 0);
    for (n, burst) in [60, 9, 2, 1, 0, 30].into_iter().enumerate() {
        script.set(|s| Settings { rate: 1 << 22, burst: 60, ..s });
        script.idle(3);
        script.set(|s| Settings { rate: 0, burst, ..s });
        script.idle(1 + n as u64);
        script.set(|s| Settings { burst: 4095, ..s });
        script.more(0, 200);
        script.idle((burst / 2 + 3) * shape.apart());
        script.read(0);
        for step in 0..shape.apart() {
            script.set(|s| Settings { rate: (step * 7919) % 30_000, burst: 1 + step % 3, ..s });
        }
        script.set(|s| Settings { rate: 1 << 22, burst: 60, ..s });
        script.served();
        script.hold();
    }
    let rows = aim(&["Burst", "Settings"], &["PC5", "PC11"]);
    suite.add("lowered", "a burst that becomes smaller", rows, script);
}
