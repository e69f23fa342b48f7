// SPDX-License-Identifier: MIT OR Apache-2.0
//! RTT, base RTT and the filtered delay (C12 to C14).

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Event, Settings, Shape, kind, nack};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::USUAL {
        suite.group("samples", "which ACKs and NACKs have a sample, and what is learned of it", shape, None);
        usable(suite, shape);
        differences(suite, shape);
        floor(suite, shape);
    }
    for shape in [shapes::USUAL[0], shapes::OTHERS[5], shapes::OTHERS[6]] {
        suite.group("filter", "the filtered delay with each weight", shape, None);
        filter(suite, shape);
    }
}

/// CCC 0 with many packets in flight.
fn flying(shape: Shape, change: impl Fn(Settings) -> Settings) -> Script {
    let mut script = Script::opened(shape, change);
    script.data(0, 1 << 20);
    script.send(0, 120, 1000);
    script
}

/// U33: each combination of `timed`, `rtx_count`, `retx`, kind and service time. Each one would lower base_rtt.
fn usable(suite: &mut Suite, shape: Shape) {
    let mut script = flying(shape, |s| Settings { config_base_rtt: 5000, ..s });
    let mut rtt = 4000;
    for n in 0..64 {
        let (timed, retx, rtx_count) = (n & 1 == 1, n >> 1 & 1 == 1, n >> 2 & 3);
        rtt -= 3;
        let ack = if n & 32 == 0 { script.ack_of(0, 1, 4, rtt) } else { script.nack_of(0, 4, 1000, rtt) };
        let service = if n & 16 == 0 { 65_535 } else { 3 };
        script.seen(Event::Ack(Ack { timed, retx, rtx_count, service, ..ack }));
    }
    let rows = aim(&["Sample"], &["C12", "C13", "U33", "U35"]);
    suite.add("usable", "each combination of what makes an RTT usable; base_rtt shows it", rows, script);
}

/// Differences of times at their limits: 0, below 0, above 65535, from the future, over the wrap.
fn differences(suite: &mut Suite, shape: Shape) {
    let mut script = flying(shape, |s| Settings { config_base_rtt: 60_000, ..s });
    const WRAP: u64 = 1 << 20;
    for (stamp, arrived, service) in [
        (0, 65_536, 0),
        (0, 70_000, 0),
        (5, (1 << 19) + 4, 0),
        (5, (1 << 19) + 5, 0),
        (WRAP - 1, (1 << 19) - 1, 0),
        (WRAP - 2, 50_000 - 2, 65_534),
        (WRAP - 2, 50_000 - 2, 0),
        (WRAP - 100, 39_900, 100),
        (7, 7, 0),
        (7, 7, 1),
        (8, 7, 0),
        (100, 90, 65_534),
        (1000, 30_000, 28_998),
        (1000, 30_000, 29_000),
        (1000, 30_000, 29_001),
    ] {
        let ack = script.ack_of(0, 1, 4, 9);
        script.seen(Event::Ack(Ack { stamp, arrived, service, ..ack }));
        let nack = script.nack_of(0, nack::TRIMMED_LASTHOP, 1000, 9);
        script.seen(Event::Ack(Ack { stamp, arrived, service, ..nack }));
    }
    let rows = aim(&["Sample", "TimeWrap"], &["C12", "C13", "U33"]);
    suite.add("differences", "times that wrap, that are equal, and from the future", rows, script);
}

/// `rtt_floor`, and base_rtt that only falls; max_wnd with it.
fn floor(suite: &mut Suite, shape: Shape) {
    for rtt_floor in [0, 1, 50] {
        let mut script = flying(shape, |s| Settings { rtt_floor, ..s });
        for rtt in [95, 94, 93, 200, 51, 50, 49, 2, 1, 0, 60] {
            let ack = script.ack_of(0, 1, 4, rtt);
            script.seen(Event::Ack(Ack { marked: true, ..ack }));
        }
        let rows = aim(&["Sample"], &["C12", "C13"]);
        suite.add(format!("floor-{rtt_floor}"), "base_rtt down to its floor, with max_wnd", rows, script);
    }
    // max_wnd at 2^28 - 1 and at one MTU.
    let mut script = flying(shape, |s| Settings { wnd_rate: (1 << 21) - 1, config_base_rtt: 65_535, ..s });
    script.read(0);
    for rtt in [4097, 4096, 4095, 1] {
        let ack = script.ack_of(0, 1, 4, rtt);
        script.seen(Event::Ack(Ack { marked: true, ..ack }));
    }
    script.settle(|s| Settings { wnd_rate: 0, ..s });
    script.read(0);
    script.settle(|s| Settings { wnd_rate: 65_536, mtu: 4096, ..s });
    script.read(0);
    suite.add("max-wnd", "the bounds of max_wnd", aim(&["Sample"], &["C13"]), script);
}

/// Samples, NACKs and neither.
fn filter(suite: &mut Suite, shape: Shape) {
    let mut script = flying(shape, |s| Settings { config_base_rtt: 1000, target: 60_000, ..s });
    for rtt in [1000, 1001, 3000, 65_535, 65_535, 65_535, 1000, 900] {
        let ack = script.ack_of(0, 1, 4, rtt);
        script.seen(Event::Ack(Ack { marked: true, ..ack }));
    }
    for (reason, timed) in [(1, true), (2, true), (3, true), (1, false), (2, false), (0, true), (255, false)] {
        let nack = script.nack_of(0, reason, 1000, 40_000);
        script.seen(Event::Ack(Ack { timed, ..nack }));
    }
    let ack = script.ack_of(0, 1, 4, 60_000);
    script.seen(Event::Ack(Ack { timed: false, ..ack }));
    script.seen(Event::Ack(Ack { kind: kind::CREDIT, credit: 4, ..ack }));
    script.lose(0, 1000);
    script.read(0);
    let rows = aim(&["Sample", "Nack"], &["C14", "U23"]);
    suite.add("filter", "samples up and down, NACKs of each reason, and what is no sample", rows, script);
    // The filter is full.
    let mut script = flying(shape, |s| Settings { config_base_rtt: 65_535, target: 65_535, ..s });
    script.send(0, 1200, 1000);
    for _ in 0..if shape.delay_shift > 6 { 1200 } else { 600 } {
        let nack = script.nack_of(0, 2, 0, 65_535);
        script.event(Event::Ack(nack));
    }
    script.read(0);
    let ack = script.ack_of(0, 1, 4, 1);
    script.seen(Event::Ack(ack));
    let ack = script.ack_of(0, 1, 4, 1);
    script.seen(Event::Ack(ack));
    suite.add(
        "full",
        "the filtered delay up to its limit, back to back",
        aim(&["Sample", "BackToBack"], &["C14"]),
        script,
    );
}
