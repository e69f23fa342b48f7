// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows W3 and W7: when a burst has a result, and the rate in that result. A wrong packet count, span or rounding is
//! seen in `report_rate`.

use super::shapes::{FOUR, LATENCIES, LONG, SMALL, TEN};
use crate::collect::aim;
use crate::elab::feedback::oracle::{Arrival, Settings, Shape};
use crate::elab::feedback::script::{Script, other_port, port};
use crate::elab::feedback::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES.into_iter().chain([FOUR]) {
        suite.group("burst", "bursts until they have a result", shape, TEN);
        lengths(suite, shape);
        interrupted(suite, shape);
        replaced(suite, shape);
        settings(suite, shape);
        apart(suite, shape);
    }
    for (shape, step) in [(LATENCIES[0], 1), (LONG, 2), (SMALL, 3)] {
        suite.group("rate", "packets in a time", shape, TEN);
        rates(suite, shape, step);
    }
}

/// Bursts of exactly the configured length, one packet less and one more, with queries throughout. An off-by-one in
/// the length is seen.
fn lengths(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst", "Boundary"], &["W3", "W7", "E06", "E15", "E16"]);
    for enough in [0, 1, 2, 3, 10, 300] {
        let least = enough.max(2);
        for count in [1, least - 1, least, least + 1] {
            // Long ones once, as their packets are many.
            if enough > 255 && (shape.ram_latency != 2 || count > least) {
                continue;
            }
            if count == 1 && least > 3 || count == least - 1 && least == 2 {
                continue;
            }
            let (mut script, at) = Script::known(shape, [1]);
            script.set(0, Settings::new(enough));
            let behind = script.bursts(at, 1, 9, count, 1 + count % 3);
            script.queries(behind - 1, 0, 2);
            // Packets that follow the last counted one, and the start of the next burst, must not change the result.
            script.arrive(behind + 3, 0, 1);
            script.burst(behind + 5, 1, 9);
            script.queries(behind + 8, 0, 2);
            let comment = format!("{count} packets of a burst of {enough}");
            let row = if enough > 255 { "E16-" } else { "" };
            suite.add(format!("{row}{count}-of-{enough}"), comment, rows, script);
        }
    }
    let (mut script, at) = Script::known(shape, [1]);
    script.bursts(at, 1, 9, 12, 2);
    script.queries(at, 0, 30);
    suite.add("queried", "a query in every cycle: the result is reported once", rows, script);
    // The first packet of a new VP can already begin a burst.
    let (mut script, at) = Script::new(shape);
    let behind = script.bursts(at, 1, 0xFFFF, 10, 1);
    script.queries(behind + shape.visibility_delay(), 0, 2);
    suite.add("from-the-first", "a new VP by its burst", rows, script);
}

/// A packet without a burst number ends the burst. The number then continues or it does not.
fn interrupted(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst", "Interrupted"], &["W3", "W7", "E15"]);
    // The burst numbers of consecutive packets.
    let lists: [(&str, &[u64]); 14] = [
        ("none", &[0, 0]),
        ("one", &[5, 0]),
        ("one-goes-on", &[5, 0, 5, 5, 0]),
        ("two", &[5, 5, 0]),
        ("two-go-on", &[5, 5, 0, 5, 5]),
        ("two-and-two", &[5, 5, 0, 0]),
        ("next", &[5, 5, 0, 6, 6, 0]),
        ("next-of-one", &[5, 0, 6, 0, 7, 7, 0]),
        ("same-behind-another", &[5, 5, 0, 6, 5, 5, 0]),
        ("at-once", &[5, 6, 7, 8, 8, 0]),
        ("turns", &[5, 6, 5, 6, 5, 0]),
        ("high", &[0xFFFF, 0xFFFF, 0x7FFF, 0xFFFF, 0xFFFF, 0]),
        ("bits", &[0x100, 0x100, 0x101, 0x101, 0]),
        ("nine", &[3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 3]),
    ];
    for (name, numbers) in lists {
        for (query, from) in [("behind", numbers.len() as u64 * 3), ("within", 0)] {
            let (mut script, at) = Script::known(shape, [1]);
            for (n, &number) in (0..).zip(numbers) {
                script.burst(at + 3 * n, 1, number);
            }
            let until = if from == 0 { numbers.len() as u64 * 3 + 2 } else { 2 };
            script.queries(at + from, 0, until);
            suite.add(format!("{name}-{query}"), format!("packets of bursts {numbers:?}"), rows, script);
        }
    }
}

/// A result is discarded when another burst begins before it was reported, or when the VP gets another port.
fn replaced(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst", "Boundary"], &["W2", "W3", "W7", "E15"]);
    for distance in 0..=shape.visibility_delay() + 3 {
        let (mut script, at) = Script::known(shape, [1]);
        script.set(0, Settings::new(2));
        let behind = script.bursts(at, 1, 5, 2, 4);
        script.burst(behind + 6, 1, 6);
        script.query(behind + 6 - 3 + distance, 0);
        script.burst(behind + 30, 1, 6);
        script.queries(behind + 31, 0, 2);
        let id = format!("replaced-{distance}");
        suite.add(id, "another burst begins about a query", rows, script);
        let (mut script, at) = Script::known(shape, [1]);
        script.set(0, Settings::new(2));
        let behind = script.bursts(at, 1, 5, 2, 4);
        let sport = other_port(shape, 0, 1);
        script.arrival(behind + 6, Arrival { pair: 0, sport, ecn: false, burst: 5 });
        script.query(behind + 6 - 3 + distance, 0);
        script.arrival(behind + 30, Arrival { pair: 0, sport, ecn: false, burst: 5 });
        script.queries(behind + 31, 0, 2);
        let id = format!("other-port-{distance}");
        suite.add(id, "another port takes the place of a VP with a result", rows, script);
        // The packet that completes a burst, and queries in the cycles around it.
        let (mut script, at) = Script::known(shape, [1]);
        script.set(0, Settings::new(3));
        script.bursts(at, 1, 5, 3, 7);
        script.query(at + 14 - 3 + distance, 0);
        script.queries(at + 40, 0, 2);
        suite.add(format!("completed-{distance}"), "a burst is complete about a query", rows, script);
    }
}

/// `settings_burst` changes around the cycle in which it is read, and in the middle of a burst.
fn settings(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst", "Settings", "Boundary"], &["W3", "E15"]);
    for (name, from, to) in [("shorter", 65_535, 4), ("longer", 4, 65_535)] {
        for distance in [shape.timing() - 1, shape.timing(), shape.timing() + 1] {
            let (mut script, at) = Script::known(shape, [1]);
            script.set(0, Settings::new(from));
            script.bursts(at, 1, 5, 4, 8);
            script.set(at + 24 + distance, Settings::new(to));
            script.queries(at + 24, 0, 12);
            script.burst(at + 44, 1, 5);
            script.queries(at + 46, 0, 2);
            let comment = format!("another length {distance} cycles behind the fourth packet");
            suite.add(format!("{name}-{distance}"), comment, rows, script);
        }
    }
}

/// Bursts run on several VPs and pairs at the same time. Each must be measured separately.
fn apart(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Burst", "Interleaved"], &["W3", "W7", "E02", "E15"]);
    for (name, pairs, vps) in [("vps", 1, 2), ("pairs", 2, 1), ("both", 2, 4)] {
        let (mut script, at) = Script::new(shape);
        script.set(0, Settings::new(3));
        for n in 0..48 {
            let (pair, vp) = (n % pairs, n / pairs % vps);
            let burst = 7 + n / 24 * (vp + 1);
            script.arrival(at + n, Arrival { pair, sport: port(shape, pair, vp), ecn: n % 9 == 2, burst });
        }
        (0..60).for_each(|n| script.query(at + 6 + n, n % pairs));
        suite.add(format!("apart-{name}"), "the same number on several VPs at once", rows, script);
    }
}

/// Spans near powers of two, where the number of leading bits changes, and spans between them. Only every `step`th is
/// used.
fn rates(suite: &mut Suite, shape: Shape, step: usize) {
    let rows = aim(&["Rate"], &["W3", "W7", "E06", "E15"]);
    let spans = [
        1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 383,
        384, 511, 512, 513, 515, 516, 767, 1000, 1023, 1024, 2047, 4099, 5000,
    ];
    for span in spans.into_iter().step_by(step) {
        for packets in [2, 3, 10, 255] {
            let long = span > 600 && packets == 10 || packets == 255 && span != 254 && span != 1000 && span != 2047;
            if packets - 1 > span || long {
                continue;
            }
            let (mut script, at) = Script::known(shape, [1]);
            script.set(0, Settings::new(packets));
            script.bursts(at, 1, 5, packets - 1, 1);
            script.burst(at + span, 1, 5);
            script.queries(at + span + 1, 0, 2);
            let comment = format!("{packets} packets in {span} cycles");
            suite.add(format!("{packets}-in-{span}"), comment, rows, script);
        }
    }
    // One packet per cycle is the highest possible rate. It is measured with each way in which a burst can end.
    for packets in [2, 5, 129, 130, 257] {
        let (mut script, at) = Script::known(shape, [1]);
        script.set(0, Settings::new(65_535));
        let behind = script.bursts(at, 1, 5, packets, 1);
        script.burst(behind, 1, 0);
        script.queries(behind, 0, 2);
        suite.add(format!("row-{packets}"), format!("{packets} packets in a row"), rows, script);
    }
}
