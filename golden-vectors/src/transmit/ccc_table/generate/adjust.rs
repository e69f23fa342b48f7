// SPDX-License-Identifier: MIT OR Apache-2.0
//! Adjustments (C20 to C24): what starts them, what they do, and what happens in the 64 cycles of theirs.

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Command, Event, Loss, Send, Settings, Shape, nack, op};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::USUAL {
        suite.group("adjust", "what starts an adjustment, and what it does", shape, None);
        bytes(suite, shape);
        times(suite, shape);
        sums(suite, shape);
        cuts(suite, shape);
        spacing(suite, shape);
    }
    for shape in shapes::CYCLES {
        suite.group("distance", "what happens between the start of an adjustment and its effect", shape, None);
        for kind in 0..CHANGES.len() {
            between(suite, shape, kind);
        }
        burst(suite, shape);
        void(suite, shape);
        slots(suite, shape);
    }
}

/// Every ACK with a sample starts an adjustment by bytes. A window of 40000 bytes, target 50.
fn often(s: Settings) -> Settings {
    let config = Settings { config_base_rtt: 100, wnd_rate: 160_000, config_wnd: 40_000, mtu: 4000, ..s };
    Settings { target: 50, small_delay: 0, adjust_bytes: 0, qa_enable: false, ..config }
}

fn flying(shape: Shape, change: impl Fn(Settings) -> Settings) -> Script {
    let mut script = Script::opened(shape, |s| change(often(s)));
    script.data(0, 1 << 24);
    script.send(0, 200, 4096);
    script
}

fn ack(script: &mut Script, quanta: u64, delay: u64, marked: bool) {
    let ack = script.ack_of(0, 1, quanta, 100 + delay);
    script.event(Event::Ack(Ack { marked, ..ack }));
}

fn adjusted(script: &mut Script) {
    script.adjusted();
    script.read(0);
}

/// `adjust_bytes` exactly, and one quantum more; in each quadrant; ACKs without sample count, but do not start one.
fn bytes(suite: &mut Suite, shape: Shape) {
    for (delay, marked) in [(10, false), (50, false), (10, true), (50, true)] {
        let mut script = flying(shape, |s| Settings { adjust_bytes: 8192, ..s });
        for quanta in [32, 1, 33, 0, 31, 1, 1] {
            ack(&mut script, quanta, delay, marked);
            adjusted(&mut script);
        }
        let untimed = script.ack_of(0, 1, 60, 120);
        script.event(Event::Ack(Ack { timed: false, ..untimed }));
        adjusted(&mut script);
        ack(&mut script, 0, delay, marked);
        adjusted(&mut script);
        let rows = aim(&["Adjustment", "Quadrant"], &["C21", "C22", "C24", "U31"]);
        suite.add(format!("bytes-{delay}-{}", u8::from(marked)), "received bytes at the limit", rows, script);
    }
}

/// By time, with eta, in each unit around the end of the period.
fn times(suite: &mut Suite, shape: Shape) {
    for adjust_period in [0, 1, 200, 65_535] {
        let mut script = Script::with(shape, |s| {
            let never = Settings { adjust_bytes: (1 << 24) - 1, ..often(s) };
            Settings { tick: 65_535, adjust_period, eta: 1000, ..never }
        });
        script.open_as(0, true, false, 0, 1);
        script.data(0, 1 << 20);
        script.send(0, 90, 4096);
        if adjust_period == 65_535 {
            script.idle(65_150);
        }
        for _ in 0..60 {
            ack(&mut script, 1, 49, false);
            script.idle(6);
        }
        adjusted(&mut script);
        let rows = aim(&["Adjustment", "Deadline"], &["C3", "C22", "C24", "C32"]);
        suite.add(format!("period-{adjust_period}"), "ACKs around the end of a period", rows, script);
    }
    // By both at once; and eta at its largest.
    for eta in [1, (1 << 20) - 1] {
        let mut script = flying(shape, |s| Settings { adjust_period: 0, eta, ..s });
        for _ in 0..3 {
            ack(&mut script, 4, 60, false);
            adjusted(&mut script);
        }
        suite.add(format!("eta-{eta}"), "by time and bytes at once", aim(&["Adjustment"], &["C24"]), script);
    }
}

/// *inc_bytes* up to 2^36 - 1, *received* up to 2^28 - 1, quotients at their limits.
fn sums(suite: &mut Suite, shape: Shape) {
    for (fi, cwnd) in [((1 << 24) - 1, 1), ((1 << 24) - 1, 40_000), (7, 4000), (1, 3), (1 << 23, 4096)] {
        let mut script = flying(shape, |s| Settings { fi, config_wnd: cwnd, mtu: 1, wnd_rate: (1 << 21) - 1, ..s });
        for quanta in [15, 16, 17, 400, 1] {
            ack(&mut script, quanta, 50, false);
            adjusted(&mut script);
        }
        suite.add(
            format!("fair-{fi}-{cwnd}"),
            "quotients at their limits",
            aim(&["Adjustment"], &["C22", "C24"]),
            script,
        );
    }
    for (alpha, delay) in [((1 << 26) - 1, 0), ((1 << 26) - 1, 49), (1, 49), (1, 0), (44_739, 20)] {
        let mut script = flying(shape, |s| Settings { alpha, wnd_rate: (1 << 21) - 1, ..s });
        for quanta in [1, 16, 160, 160] {
            ack(&mut script, quanta, delay, false);
            adjusted(&mut script);
        }
        let rows = aim(&["Adjustment"], &["C22", "C24"]);
        suite.add(format!("proportional-{alpha}-{delay}"), "a proportional increase", rows, script);
    }
    // The sum saturates at 2^36 - 1: exactly there, and far above.
    for quanta in [15, 16, 300] {
        let mut script = flying(shape, |s| Settings {
            fi: (1 << 24) - 1,
            adjust_bytes: 1 << 20,
            config_wnd: 1 << 20,
            wnd_rate: (1 << 21) - 1,
            ..s
        });
        for quanta in [quanta, quanta, 1] {
            ack(&mut script, quanta, 50, false);
        }
        script.settle(|s| Settings { adjust_bytes: 0, ..s });
        ack(&mut script, 0, 0, true);
        adjusted(&mut script);
        suite.add(
            format!("saturates-{quanta}"),
            "the sum of increases at its limit",
            aim(&["Adjustment"], &["C22"]),
            script,
        );
    }
    // max_wnd bounds an increase, also one that is 0.
    let mut script = flying(shape, |s| Settings { wnd_rate: 6500, ..s });
    for (delay, rtt) in [(60, 0), (60, 0), (60, 50), (0, 50)] {
        let ack = script.ack_of(0, 1, 400, 100 + delay - rtt);
        script.event(Event::Ack(ack));
        adjusted(&mut script);
    }
    suite.add("bound", "max_wnd bounds the window at an adjustment", aim(&["Adjustment"], &["C13", "C24"]), script);
}

/// Decreases: slope, limit, and the filtered delay at the target.
fn cuts(suite: &mut Suite, shape: Shape) {
    for (gamma, max_cut) in [(205, 128), (255, 255), (0, 128), (205, 0), (1, 1), (255, 10)] {
        let mut script = flying(shape, |s| Settings { gamma, max_cut, config_base_rtt: 4, target: 10, ..s });
        for delay in [500, 300, 800, 5000, 20, 100, 60_000] {
            script.event(Event::Ack(Ack { marked: true, ..script.ack_of(0, 1, 4, 4 + delay) }));
            adjusted(&mut script);
            script.idle(200);
        }
        let rows = aim(&["Adjustment", "Decrease"], &["C14", "C20", "C23", "U31"]);
        suite.add(format!("cut-{gamma}-{max_cut}"), "slope and limit of a decrease", rows, script);
    }
    // A at target x 2^k, and one above; then with a target of 0.
    let full = 1_u64 << shape.delay_shift;
    for (target, rest) in [(1, 0), (1, 1), (1, full - 1), (2, 0), (0, 0), (0, 1)] {
        let mut script = flying(shape, |s| Settings { target, config_base_rtt: 4, ..s });
        script.idle(300);
        let delay = target * full + rest;
        script.event(Event::Ack(Ack { marked: true, ..script.ack_of(0, 1, 4, 4 + delay) }));
        adjusted(&mut script);
        let rows = aim(&["Adjustment", "Decrease"], &["C14", "C23", "U31"]);
        suite.add(format!("high-{target}-{rest}"), "the filtered delay at the target", rows, script);
    }
    // Down to one MTU.
    let mut script = flying(shape, |s| Settings { config_base_rtt: 1, target: 1, tick: 65_535, ..s });
    for _ in 0..6 {
        script.event(Event::Ack(Ack { marked: true, ..script.ack_of(0, 1, 4, 900) }));
        adjusted(&mut script);
    }
    suite.add("lowest", "decreases down to one MTU", aim(&["Adjustment", "Decrease"], &["C23"]), script);
}

/// One decrease per base_rtt, in each unit around its end; increases and decreases in turns.
fn spacing(suite: &mut Suite, shape: Shape) {
    for config_base_rtt in [1, 60, 65_535] {
        let mut script = Script::with(shape, |s| {
            let one =
                Settings { tick: 65_535, adjust_period: 60_000, target: 1, rtt_floor: config_base_rtt, ..often(s) };
            Settings { config_base_rtt, max_cut: 4, adjust_bytes: 1 << 20, ..one }
        });
        script.open_as(0, true, false, 0, 1);
        script.data(0, 1 << 20);
        script.send(0, 200, 4096);
        if config_base_rtt == 65_535 {
            for _ in 0..30 {
                script.event(Event::Ack(script.nack_of(0, 2, 10, 9)));
            }
            script.idle(64_900);
        }
        for _ in 0..60 {
            let ack = script.ack_of(0, 1, 1, 65_535);
            script.event(Event::Ack(Ack { marked: true, ..ack }));
            script.idle(4);
            script.read(0);
        }
        adjusted(&mut script);
        let rows = aim(&["Decrease", "Deadline"], &["C3", "C23", "C32"]);
        suite.add(format!("spacing-{config_base_rtt}"), "decreases around the end of a base RTT", rows, script);
    }
    let mut script = flying(shape, |s| Settings { target: 2, tick: 65_535, ..s });
    script.idle(200);
    for _ in 0..12 {
        ack(&mut script, 8, 900, false);
        ack(&mut script, 8, 900, true);
        ack(&mut script, 8, 900, true);
        adjusted(&mut script);
    }
    let comment = "ACKs that fulfil, and that decrease and fulfil";
    suite.add("turns", comment, aim(&["Decrease", "Adjustment"], &["C23", "C24"]), script);
}

const CHANGES: [&str; 10] =
    ["loss", "nack", "penalty", "restore", "fast", "adapt", "close", "reopen", "read", "untimed"];

/// An adjustment, and another pass of the CCC at each distance from it.
fn between(suite: &mut Suite, shape: Shape, kind: usize) {
    let name = CHANGES[kind];
    for down in [false, true] {
        if down && matches!(name, "fast" | "read" | "untimed") {
            continue;
        }
        let mut script = Script::with(shape, |s| {
            let quick = Settings { tick: 65_535, adjust_period: 60_000, qa_enable: name == "adapt", ..often(s) };
            Settings { qa_gate: 0, config_base_rtt: 10, target: 6, small_delay: 1, ..quick }
        });
        for distance in [0_u64, 1, 2, 30, 60, 61, 62, 63, 64, 65, 66, 70] {
            script.close(0, true);
            script.open_as(0, true, false, 0, 1);
            script.data(0, 1 << 20);
            script.send(0, 20, 4096);
            script.event(Event::Ack(Ack { pend: u64::from(name == "restore"), ..script.ack_of(0, 1, 16, 12) }));
            if name == "fast" {
                script.event(Event::Ack(script.ack_of(0, 1, 160, 10)));
            }
            script.idle(30 + shape.effect());
            // Commands enter one cycle behind events that were offered with them.
            let ahead = match name {
                "close" => distance.saturating_sub(1),
                "reopen" => distance / 8,
                _ => distance,
            };
            script.event(Event::Ack(Ack { marked: down, ..script.ack_of(0, 1, 16, 800) }));
            script.idle(ahead);
            match name {
                "loss" => script.lose(0, 2000),
                "nack" | "adapt" => script.event(Event::Ack(script.nack_of(0, nack::TRIMMED, 2000, 12))),
                "penalty" => script.event(Event::Ack(Ack { pend: 40, ..script.ack_of(0, 1, 4, 12) })),
                "restore" => script.event(Event::Ack(Ack { restore: true, ..script.ack_of(0, 1, 4, 12) })),
                "fast" => script.event(Event::Ack(script.ack_of(0, 1, 16, 10))),
                "untimed" => script.event(Event::Ack(Ack { timed: false, ..script.ack_of(0, 1, 16, 10) })),
                "close" => script.close(0, true),
                "reopen" => {
                    script.issue(Command { op: op::CLOSE, ccc: 0, force: true, ..Command::default() });
                    script.open_as(0, true, false, 0, 1);
                }
                _ => {}
            }
            if name == "read" {
                script.read(0);
            } else {
                script.adjusted();
            }
            script.read(0);
        }
        let rows = aim(&["Adjustment", "Visible"], &["C1", "C20", "C24", "C18", "U31"]);
        let id = format!("between-{name}-{}", if down { "down" } else { "up" });
        suite.add(id, "a pass at each distance from the start of an adjustment", rows, script);
    }
}

/// ACKs that all start adjustments, back to back: up to 64 under way, and then every second cycle is theirs. The events
/// that wait meanwhile are of all streams.
fn burst(suite: &mut Suite, shape: Shape) {
    for (n, one) in [true, false].into_iter().enumerate() {
        let mut script = Script::opened(shape, often);
        for ccc in 0..3 {
            if ccc > 0 {
                script.open_as(ccc, true, false, 1, 2);
            }
            script.data(ccc, 1 << 24);
            script.send(ccc, 120, 4096);
        }
        script.idle(30);
        for m in 0..300 {
            let ccc = if one { 0 } else { m % 3 };
            let ack = script.ack_of(ccc, 1, 4, 100 + m % 60);
            script.offer(Event::Ack(Ack { marked: m % 7 == 0, packets: u64::from(m % 3 == 0), ..ack }));
            if m % 5 == 0 {
                script.offer(Event::Send(Send { ccc, size: 900, packet: true, ..Send::default() }));
                script.offer(Event::Loss(Loss { ccc, size: 40 }));
            }
            if m % 64 == 40 {
                script.issue(Command { op: op::READ, ccc, ..Command::default() });
            }
            script.accepted();
        }
        for ccc in 0..3 {
            script.read(ccc);
        }
        adjusted(&mut script);
        let rows = aim(&["Adjustment", "BackToBack", "FullLoad"], &["C1", "C2", "C20", "C24"]);
        suite.add(format!("burst-{n}"), "64 adjustments under way, and due in a burst of events", rows, script);
    }
}

/// Adjustments that are void: the window has been set since, or the CCC closed, or another one opened in its place.
fn void(suite: &mut Suite, shape: Shape) {
    // Several under way at each cause.
    for cause in 0..4 {
        let mut script = flying(shape, |s| Settings { tick: 65_535, ..s });
        script.event(Event::Ack(Ack { pend: 1, ..script.ack_of(0, 1, 16, 120) }));
        script.idle(150);
        for n in 0..6 {
            ack(&mut script, 16, 80, n % 2 == 1);
        }
        match cause {
            0 => script.event(Event::Ack(Ack { restore: true, ..script.ack_of(0, 1, 16, 120) })),
            1 => script.close(0, true),
            2 => {
                script.issue(Command { op: op::CLOSE, force: true, ..Command::default() });
                script.open_as(0, true, false, 0, 3);
            }
            _ => {
                script.event(Event::Ack(Ack { restore: true, ..script.ack_of(0, 1, 16, 120) }));
                script.event(Event::Ack(Ack { pend: 9, ..script.ack_of(0, 1, 16, 120) }));
            }
        }
        if cause != 1 {
            // These start behind it, and are not void.
            for _ in 0..3 {
                ack(&mut script, if cause == 2 { 0 } else { 16 }, 80, false);
            }
        }
        adjusted(&mut script);
        let rows = aim(&["Adjustment", "Void"], &["C20", "C24", "C32", "U32", "U34"]);
        suite.add(format!("void-{cause}"), "adjustments that come too late", rows, script);
    }
}

/// The slot of an adjustment: a command and an event at each distance around it.
fn slots(suite: &mut Suite, shape: Shape) {
    let mut script = flying(shape, |s| s);
    script.open_as(1, true, false, 0, 1);
    for wait in 58..68 {
        ack(&mut script, 16, 60, false);
        script.idle(wait);
        for n in 0..4 {
            script.offer(Event::Loss(Loss { ccc: 0, size: 10 + n }));
            script.offer(Event::Send(Send { ccc: 0, size: 100 + n, packet: true, ..Send::default() }));
            if n == 1 {
                script.issue(Command { op: op::READ, ..Command::default() });
            }
            script.accepted();
        }
        script.drain();
        script.read(0);
    }
    let rows = aim(&["Adjustment", "Visible"], &["C1", "C2", "C20", "C31"]);
    suite.add("slots", "events and commands around the slot of an adjustment", rows, script);
}
