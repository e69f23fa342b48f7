// SPDX-License-Identifier: MIT OR Apache-2.0
//! From which cycle each setting, the pressure and the time are (G3, G18).

use super::shapes;
use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Arrival, Outcome, Settings, Shape};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::latencies() {
        suite.group("settings", "from which cycle the settings are", shape, None);
        around(suite, shape);
        single(suite, shape);
    }
    for shape in shapes::USUAL {
        suite.group("settings", "every bit of the settings", shape, None);
        values(suite, shape);
    }
}

/// Two settings that differ in everything; with each of them some arrival is urgent that is not with the other one.
fn pair(shape: Shape) -> [Settings; 2] {
    let one = Settings {
        tick: 65_535,
        count: 1,
        count_multipath: 9,
        time: 0,
        on_ecn: true,
        rnr: 21,
        credits: 10,
        offset: 1000,
        ..Settings::default()
    };
    let other =
        Settings { tick: 3, count: 9, count_multipath: 1, on_ecn: false, rnr: 10, credits: 21, offset: 77, ..one };
    if !shape.is_uet() {
        return [one, other];
    }
    let one = Settings {
        tick: 65_535,
        no_buffer_time: 40,
        trigger: 100,
        min: 4000,
        time: 0,
        per_packet: false,
        on_ecn: true,
        on_retx: false,
        cc: true,
        mpr: 0x55,
        added: 200,
        restore: false,
        ..Settings::default()
    };
    [
        one,
        Settings {
            tick: 3,
            no_buffer_time: 3,
            trigger: 2000,
            min: 0,
            on_ecn: false,
            on_retx: true,
            mpr: 0xAA,
            added: 3,
            restore: true,
            ..one
        },
    ]
}

/// A packet, and new settings in each cycle from before it to its ACK.
fn around(suite: &mut Suite, shape: Shape) {
    for (n, [old, new]) in [pair(shape), {
        let [one, other] = pair(shape);
        [other, one]
    }]
    .into_iter()
    .enumerate()
    {
        for kind in 0..5 {
            let mut script = Script::opened(shape, shape.psns() - 40);
            script.open(1, 0);
            script.urgent(0);
            script.drain();
            for distance in 0..3 * shape.ram_latency + 16 {
                script.set(|_| old);
                script.press(0x2A);
                script.idle(20);
                let packet = if kind == 4 { script.probe(0) } else { script.ahead(0, 0) };
                let packet = match kind {
                    1 => Arrival { ecn: true, ..packet },
                    2 => Arrival { retx: shape.is_uet(), ..packet },
                    3 => Arrival { ack_request: true, ..packet },
                    _ => Arrival { length: 50, ..packet },
                };
                if distance == 0 {
                    script.set_beside(|_| new);
                }
                script.arrive(packet);
                if distance > 0 {
                    script.idle(distance - 1);
                    script.press(0x55);
                    script.set(|_| new);
                }
                script.press(0x55);
                script.idle(30);
                script.drain();
                script.set(|_| new);
                script.urgent(0);
                script.drain();
            }
            let rows = aim(&["Settings", "Visible"], &["G3", "G7", "G10", "G18", "M32"]);
            suite.add(
                format!("around-{n}-{kind}"),
                "new settings in each cycle from a packet to its ACK",
                rows,
                script,
            );
        }
    }
}

/// RoCE without multipath: count, credits, timer of an RNR NAK. UET: a retransmission, every packet.
fn single(suite: &mut Suite, shape: Shape) {
    let [old, new] = pair(shape);
    for (old, new) in [(old, new), (new, old)] {
        let mut script = Script::single(shape, 5);
        for distance in 0..3 * shape.ram_latency + 16 {
            script.set(|_| Settings { per_packet: shape.is_uet() && old.on_ecn, ..old });
            script.idle(20);
            script.send(0, 1);
            if distance % 2 == 1 {
                let full = script.refused(0, 0, Outcome::NoBuffer);
                script.arrive(full);
            }
            script.idle(distance);
            script.set(|_| Settings { per_packet: shape.is_uet() && new.on_ecn, ..new });
            script.idle(30);
            script.drain();
            script.urgent(0);
            script.drain();
        }
        let rows = aim(&["Settings", "Visible"], &["G3", "G7", "G11", "G18"]);
        suite.add(format!("single-{}", old.credits + old.trigger), "the same with other packets", rows, script);
    }
}

/// Each bit of what is shown.
fn values(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    for bit in 0..8 {
        let value = 1 << bit;
        script.press(value & 0x7F);
        script.set(|s| {
            let roce = Settings { rnr: value & 0x1F, credits: (value >> 1) & 0x1F, offset: value << 8 | value, ..s };
            let uet = Settings { mpr: value, added: value, restore: bit % 2 == 0, ..s };
            if shape.is_uet() { uet } else { roce }
        });
        script.urgent(0);
        script.drain();
        let full = script.refused(0, 0, Outcome::NoBuffer);
        script.arrive(full);
        script.drain();
    }
    suite.add("values", "each bit of the settings that are shown", aim(&["Settings"], &["G10", "G11", "G18"]), script);
}
