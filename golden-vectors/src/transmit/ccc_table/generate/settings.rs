// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings: the pause, from which cycle they are, their bits, and those of each link (C33, C34).

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Command, Event, FIELDS, Link, Send, Settings, Shape, op};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("settings", "from which cycle settings are in force", shape, None);
        around(suite, shape);
        anew(suite, shape);
        adjustments(suite, shape);
        sweep(suite, shape);
    }
    let shape = shapes::BOTH[1];
    suite.group("bits", "every bit of the settings, and zeros", shape, None);
    bits(suite, shape);
    zeros(suite, shape);
    let shape = shapes::NSCC[1];
    suite.group("links", "the settings of links from 100 to 800 Gb/s", shape, None);
    for gbps in [100, 200, 400, 800] {
        for trim in [true, false] {
            link(suite, shape, gbps, trim);
        }
    }
}

/// New settings in each cycle from before an event to behind its effect; events and a command that wait in the pause.
fn around(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, |s| s);
    script.data(0, 1 << 20);
    script.send(0, 100, 1000);
    for distance in 0..8 {
        let n = distance % 2;
        let change = move |s: Settings| Settings { wnd_rate: 38_400 + 100 * n, mtu: 4000 + n, tick: 1000 + 9 * n, ..s };
        script.event(Event::Ack(Ack { marked: true, ..script.ack_of(0, 1, 4, 94) }));
        script.idle(distance);
        script.set_beside(change);
        for _ in 0..5 {
            script.event(Event::Ack(Ack { timed: false, ..script.ack_of(0, 1, 4, 94) }));
            script.offer(Event::Send(Send { size: 900, packet: true, last: true, ..Send::default() }));
            script.offer(Event::Send(Send { size: 800, packet: true, last: true, ..Send::default() }));
        }
        script.issue(Command { op: op::READ, ..Command::default() });
        script.answered();
        script.drain();
    }
    // Commands at the beginning and at the end of a pause.
    for wait in [0, 1, 2, 3, 157, 158, 159, 160, 161, 162] {
        script.set(|s| Settings { wnd_rate: s.wnd_rate ^ 1000, ..s });
        script.idle(wait);
        script.read(0);
    }
    // Settings while nothing else is under way, and a command when they are no longer under way either.
    script.set(|s| Settings { wnd_rate: s.wnd_rate ^ 1000, ..s });
    script.drain();
    script.read(0);
    let rows = aim(&["Settings", "Visible"], &["C1", "C2", "C3", "C31", "C33"]);
    suite.add("around", "new settings in each cycle around an event", rows, script);
}

/// A pause that begins anew in each cycle of interest: the first settings come into force only if it is over.
fn anew(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, |s| s);
    for wait in [0, 1, 50, 158, 159, 160, 161, 162] {
        script.set(|s| Settings { wnd_rate: 1000 + wait, tick: 60_000, ..s });
        script.idle(wait);
        script.set(|s| Settings { wnd_rate: 2000 + wait, tick: 1, ..s });
        script.issue(Command { op: op::READ, ..Command::default() });
        for n in 0..100 {
            script.data(0, n);
        }
        script.answered();
        script.read(0);
    }
    // Held for some cycles, with other values in each.
    for n in 0..6 {
        script.set(|s| Settings { wnd_rate: 3000 + n, ..s });
    }
    script.read(0);
    // A fast tick that never is in force does not move the time: a deadline shows it.
    script.event(Event::Ack(script.ack_of(0, 0, 1, 90)));
    script.read(0);
    let rows = aim(&["Settings"], &["C2", "C3", "C33"]);
    suite.add("anew", "settings that replace others before they are in force", rows, script);
}

/// Adjustments enter in a pause, with the settings of before; takes and grants go on.
fn adjustments(suite: &mut Suite, shape: Shape) {
    for wait in [0, 1, 20, 60, 62, 63, 64, 65, 90, 126, 127, 128, 129] {
        let mut script = Script::opened(shape, |s| {
            Settings { adjust_bytes: 0, fi: 1 << 20, target: 5, wnd_rate: 1 << 19, mtu: 2000, ..s } //
        });
        script.data(0, 1 << 20);
        script.send(0, 30, 1000);
        for n in 0..3 {
            script.event(Event::Ack(Ack { marked: n == 2, ..script.ack_of(0, 1, 16, 900) }));
        }
        script.idle(wait);
        script.end_turn(0);
        script.set(|s| Settings { wnd_rate: 16, mtu: 9000, fi: 1, ..s });
        script.read(0);
        script.read(0);
        let rows = aim(&["Settings", "Adjustment", "Turn"], &["C20", "C29", "C33"]);
        suite.add(format!("adjustments-{wait}"), "a pause while adjustments are under way", rows, script);
    }
}

/// C34: settings in the sweep; the last cycle of the sweep; a command and events in the first one behind it.
fn sweep(suite: &mut Suite, shape: Shape) {
    for at in [0, 1, shape.sweep() - 2, shape.sweep() - 1, shape.sweep(), shape.sweep() + 1] {
        let mut script = Script::from_reset(shape);
        script.until(at);
        script.set_beside(|s| Settings { config_wnd: 7000, mtu: 3000, ..s });
        if at < shape.sweep() {
            script.until(shape.sweep());
        }
        script.issue(Command { op: op::OPEN, ccc: 1, nscc: true, weight: 1, ..Command::default() });
        script.data(1, 9);
        script.answered();
        script.data(1, 99);
        script.read(1);
        let rows = aim(&["Settings", "Sweep"], &["C1", "C33", "C34"]);
        suite.add(format!("sweep-{at}"), "settings in the sweep and behind it", rows, script);
    }
    let mut script = Script::from_reset(shape);
    script.hammer(Event::Ack(script.ack_of(0, 0, 1, 9)));
    script.hammer_command(Command { op: op::OPEN, ccc: 0, nscc: true, weight: 1, ..Command::default() });
    script.until(shape.sweep());
    for ccc in 0..4 {
        script.read(ccc);
    }
    script.open(0);
    script.read(0);
    suite.add("reset", "the settings after reset", aim(&["Settings", "Sweep"], &["C31", "C33", "C34"]), script);
}

/// Traffic that shows each setting.
fn traffic(script: &mut Script, n: u64) {
    script.close(0, true);
    script.open_as(0, true, true, 0, 1);
    script.read(0);
    script.data(0, 1 << 20);
    script.send(0, 40, 4000);
    let wait = script.settings().config_base_rtt.min(200);
    for (quanta, delay, marked) in
        [(16, 0, false), (300, 1, false), (8, 7, false), (8, 20, false), (8, 200, true), (8, 150, false), (0, 9, true)]
    {
        let rtt = 90 + delay;
        script.event(Event::Ack(Ack { marked, ..script.ack_of(0, 2, quanta + n % 2, rtt) }));
        script.read(0);
        script.idle(wait);
    }
    script.event(Event::Ack(script.nack_of(0, 1, 1000, 95)));
    script.idle(wait);
    script.read(0);
    script.event(Event::Ack(script.nack_of(0, 1, 1000, 95)));
    script.adjusted();
    script.read(0);
    script.drain();
}

/// Each bit of each setting is changed against the defaults.
fn bits(suite: &mut Suite, shape: Shape) {
    for (at, (name, width)) in FIELDS.into_iter().enumerate() {
        let mut script = Script::with(shape, |s| s);
        for bit in 0..width {
            script.settle(|_| {
                let usual = Settings {
                    tick: 40_000,
                    adjust_period: 50,
                    adjust_bytes: 9000,
                    qa_threshold: 100,
                    ..Settings::RESET
                };
                let mut values = usual.values();
                values[at] ^= 1 << bit;
                Settings::of_values(values)
            });
            traffic(&mut script, bit.into());
        }
        let rows = aim(&["Settings", "Bits"], &["C13", "C16", "C23", "C24", "C33"]);
        suite.add(format!("bits-{name}"), "each bit of a setting", rows, script);
    }
}

/// All zeros; what may not be 0 counts as 1. A window below one MTU.
fn zeros(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |_| Settings::of_values([0; 20]));
    traffic(&mut script, 0);
    script.settle(|_| Settings { config_wnd: 4095, ..Settings::RESET });
    traffic(&mut script, 1);
    script.settle(|_| {
        let mut values = FIELDS.map(|(_, width)| (1 << width) - 1);
        values[0] = 20_000;
        Settings::of_values(values)
    });
    traffic(&mut script, 2);
    suite.add(
        "zeros",
        "settings that are all 0, and all 1",
        aim(&["Settings", "Bits"], &["C16", "C32", "C33"]),
        script,
    );
}

/// The settings of a link, and a window that goes up, down, and up again.
fn link(suite: &mut Suite, shape: Shape, gbps: u64, trim: bool) {
    let mhz = 322.265_625;
    let settings = Settings::of(Link { mhz, gbps: gbps as f64, rtt_us: 12.0, mtu: 4096.0, trim });
    let mut script = Script::with(shape, |_| settings);
    script.open_as(0, true, false, 0, 15);
    script.data(0, 100_000_000);
    // Four packets of 4160 bytes per ACK; 16 KiB take 1.3 us at 100 Gb/s.
    let between = (1_331.0 * mhz / 10.0 / gbps as f64) as u64;
    for n in 0..160_u64 {
        let flying = script.oracle().table().ccc(0).inflight.max(0) as u64;
        let room = script.oracle().table().ccc(0).cwnd.saturating_sub(flying) / 4160;
        script.send(0, room.min(6), 4160);
        let phase = n / 32 % 5;
        let delay = [0, 30, 72, 100, 3][phase as usize] + n % 5;
        let marked = phase == 3 || n % 11 == 7;
        let packets = 4.min(script.oracle().table().ccc(0).inflight_pkts);
        let ack = script.ack_of(0, packets, 65, 94 + delay);
        script.event(Event::Ack(Ack { marked, ..ack }));
        if n % 20 == 13 {
            script.lose(0, 4160);
        }
        if n % 50 == 49 {
            script.event(Event::Ack(script.nack_of(0, 1, 4160, 130)));
        }
        if n % 8 == 0 {
            script.read(0);
        }
        script.idle(between.saturating_sub(8));
    }
    script.adjusted();
    script.read(0);
    let rows = aim(&["Settings", "Link"], &["C18", "C22", "C23", "C24", "C33", "U31", "U32"]);
    suite.add(format!("link-{gbps}-{}", u8::from(trim)), "NSCC with the settings of a link", rows, script);
}
