// SPDX-License-Identifier: MIT OR Apache-2.0
//! The window: each line of C18, and what C19 keeps.

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Event, Loss, Send, Settings, Shape, nack};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::USUAL {
        suite.group("window", "each change of the window", shape, None);
        quadrants(suite, shape);
        fast(suite, shape);
        penalties(suite, shape);
        restores(suite, shape);
        restored(suite, shape);
        losses(suite, shape);
        order(suite, shape);
        back_to_back(suite, shape);
    }
}

/// Small numbers: a window of 40000 bytes, base_rtt 100, target 50, nothing by bytes.
fn small(s: Settings) -> Settings {
    let config = Settings { config_base_rtt: 100, wnd_rate: 16_000, config_wnd: 40_000, mtu: 4000, ..s };
    Settings { target: 50, small_delay: 8, adjust_bytes: (1 << 24) - 1, qa_enable: false, ..config }
}

fn flying(shape: Shape, change: impl Fn(Settings) -> Settings) -> Script {
    let mut script = Script::opened(shape, |s| change(small(s)));
    script.data(0, 1 << 24);
    script.send(0, 200, 4096);
    script
}

/// Each quadrant at its bounds: what it adds comes with an adjustment by time.
fn quadrants(suite: &mut Suite, shape: Shape) {
    for marked in [false, true] {
        for delay in [0, 1, 7, 8, 9, 48, 49, 50, 51, 52, 4000] {
            let mut script = flying(shape, |s| Settings { adjust_bytes: 30_000, ..s });
            let ack = script.ack_of(0, 1, 16, 100);
            script.seen(Event::Ack(Ack { marked: true, ..ack }));
            for _ in 0..3 {
                script.ack(0, 4, 100 + delay, marked);
                script.adjusted();
                script.read(0);
            }
            let rows = aim(&["Quadrant"], &["C18", "C19", "C22", "C24", "U31"]);
            let id = format!("quadrant-{}-{delay}", u8::from(marked));
            suite.add(id, "a quadrant, with a delay at a bound", rows, script);
        }
    }
}

/// Fast increase begins behind a window of bytes, goes on, and ends.
fn fast(suite: &mut Suite, shape: Shape) {
    // Ended by a delay that is not small, by a fair increase, by a decrease, or by nothing.
    for end in 0..6 {
        let mut script = flying(shape, |s| s);
        for n in 0..16 {
            let delay = match (n, end) {
                (12, 1) => 8,
                (12, 2) => 50,
                (12, 3) => 60,
                (4, 4) => 7,
                (4, 5) => 9,
                _ => 0,
            };
            let ack = script.ack_of(0, 1, 16, 100 + delay);
            script.seen(Event::Ack(Ack { marked: (n, end) == (12, 3), ..ack }));
        }
        let rows = aim(&["FastIncrease"], &["C18", "C19", "C22", "U31", "U32"]);
        suite.add(format!("fast-{end}"), "fast increase, and what ends it", rows, script);
    }
    // Exactly the window, and one quantum more; each scale; the bound.
    for (quanta, fi_scale) in [(156, 256), (157, 256), (157, 65_535), (157, 0), (200, 1), (65_535, 300)] {
        let mut script = flying(shape, |s| Settings { fi_scale, mtu: 256, ..s });
        let ack = script.ack_of(0, 1, quanta % 65_535, 100);
        script.seen(Event::Ack(ack));
        for quanta in [1, 0, 16, 3] {
            let ack = script.ack_of(0, 1, quanta, 101);
            script.seen(Event::Ack(ack));
        }
        let rows = aim(&["FastIncrease"], &["C13", "C18", "U32"]);
        suite.add(format!("scale-{quanta}-{fi_scale}"), "where it begins, and its scale", rows, script);
    }
    // The window falls to max_wnd, which has become smaller.
    let mut script = flying(shape, |s| Settings { config_wnd: 90_000, ..s });
    for rtt in [100, 100, 100, 60, 50, 50] {
        let ack = script.ack_of(0, 1, 200, rtt);
        script.seen(Event::Ack(ack));
    }
    suite.add("bound", "max_wnd has become smaller than the window", aim(&["FastIncrease"], &["C13", "C18"]), script);
}

/// U34: every rcv_cwnd_pend, and bytes in flight above and below the window.
fn penalties(suite: &mut Suite, shape: Shape) {
    let mut script = flying(shape, |s| Settings { config_wnd: 4_000_000, mtu: 1, ..s });
    for pend in 1..128 {
        let ack = script.ack_of(0, 1, 16, 200);
        script.event(Event::Ack(Ack { pend, restore: pend % 2 == 1, ..ack }));
        if pend % 8 == 0 || pend == 127 {
            script.read(0);
        }
    }
    let rows = aim(&["Penalty"], &["C18", "C19", "U34"]);
    suite.add("pend", "each penalty of the receiver", rows, script);

    for (sent, pend, quanta) in
        [(5, 64, 16), (30, 64, 16), (9, 127, 140), (10, 127, 1), (10, 1, 1), (0, 1, 1), (200, 127, 65_535)]
    {
        let mut script = Script::opened(shape, small);
        script.data(0, 1 << 24);
        script.send(0, 1, 1);
        script.send(0, sent, 4096);
        for timed in [true, false] {
            let ack = script.ack_of(0, 0, quanta, 100);
            let quanta = quanta.min(sent * 16 + 200);
            script.seen(Event::Ack(Ack { timed, pend, quanta, ..ack }));
        }
        let rows = aim(&["Penalty", "Negative"], &["C18", "C19", "U30", "U34"]);
        suite.add(format!("pend-{sent}-{pend}-{quanta}"), "the lower one of window and bytes in flight", rows, script);
    }
    // U34: 64 in all ACKs of a window halves it.
    let mut script = Script::opened(shape, |s| Settings { config_wnd: 81_920, mtu: 4096, ..small(s) });
    script.data(0, 1 << 24);
    script.send(0, 20, 4096);
    for _ in 0..20 {
        let ack = script.ack_of(0, 1, 16, 100);
        script.event(Event::Ack(Ack { pend: 64, marked: true, ..ack }));
        script.send(0, 1, 4096);
    }
    script.read(0);
    suite.add("halves", "64 in all ACKs of a window", aim(&["Penalty"], &["C18", "U34"]), script);
}

/// The window before the penalty comes back, once.
fn restores(suite: &mut Suite, shape: Shape) {
    for timed in [true, false] {
        let mut script = flying(shape, |s| Settings { adjust_bytes: 1, ..s });
        for (pend, restore) in [
            (0, true),
            (20, true),
            (20, false),
            (0, false),
            (0, true),
            (0, true),
            (127, false),
            (0, false),
            (9, false),
            (0, true),
            (0, false),
        ] {
            let ack = script.ack_of(0, 1, 32, 120);
            script.seen(Event::Ack(Ack { pend, restore, timed, ..ack }));
            script.adjusted();
            script.read(0);
        }
        let rows = aim(&["Penalty", "Restore"], &["C18", "C19", "C22", "C24", "U34"]);
        suite.add(
            format!("restore-{}", u8::from(timed)),
            "saved once, restored once; ACKs that are limited",
            rows,
            script,
        );
    }
    // A fast increase is neither begun nor ended by limited ACKs; a decrease ends it.
    for marked in [false, true] {
        let mut script = flying(shape, |s| s);
        for n in 0..6 {
            let ack = script.ack_of(0, 1, 60, 100);
            let pend = u64::from(n == 3 || n == 4);
            let mark = marked && n == 4;
            let ack =
                if mark { Ack { marked: true, stamp: ack.stamp.wrapping_sub(90) % (1 << 20), ..ack } } else { ack };
            script.seen(Event::Ack(Ack { pend, ..ack }));
        }
        let rows = aim(&["Penalty", "FastIncrease"], &["C18", "C19", "U34"]);
        suite.add(format!("limited-{}", u8::from(marked)), "a penalty within a fast increase", rows, script);
    }
}

/// Losses and NACKs down to one MTU; with quick adapt off nothing is swallowed.
fn losses(suite: &mut Suite, shape: Shape) {
    let mut script = flying(shape, |s| s);
    for (n, size) in [16_383, 1, 0, 4096, 16_383, 9000, 3000].into_iter().enumerate() {
        let reason = [nack::TRIMMED, nack::TRIMMED_LASTHOP, 8][n % 3];
        script.seen(Event::Loss(Loss { ccc: 0, size }));
        script.seen(Event::Ack(script.nack_of(0, reason, size, 100)));
    }
    suite.add(
        "losses",
        "losses down to a window of one MTU",
        aim(&["Nack"], &["C15", "C18", "U23", "U24", "U32"]),
        script,
    );
}

/// An ACK that restores the window, in each quadrant, with and without fast increase before: all but a fast increase goes on.
fn restored(suite: &mut Suite, shape: Shape) {
    for fast in [false, true] {
        for (delay, marked) in [(0, false), (20, false), (60, false), (20, true), (60, true)] {
            for quanta in [10, 300] {
                let mut script = flying(shape, |s| s);
                let ack = script.ack_of(0, 1, if fast { 200 } else { 20 }, 100);
                script.seen(Event::Ack(ack));
                script.seen(Event::Ack(Ack { pend: 5, ..ack }));
                let ack = Ack { marked, restore: true, ..script.ack_of(0, 1, quanta, 100 + delay) };
                script.seen(Event::Ack(ack));
                // The next ones show whether fast increase goes on, and what has been summed up.
                let ack = script.ack_of(0, 1, 3, 100);
                script.seen(Event::Ack(ack));
                script.settle(|s| Settings { adjust_bytes: 0, ..s });
                let ack = script.ack_of(0, 1, 1, 130);
                script.event(Event::Ack(Ack { marked: true, ..ack }));
                script.adjusted();
                script.read(0);
                let rows = aim(&["Quadrant", "Restore", "FastIncrease"], &["C18", "C19", "C22", "U31", "U34"]);
                let id = format!("restored-{}-{delay}-{}-{quanta}", u8::from(fast), u8::from(marked));
                suite.add(id, "an ACK that restores the window, in each quadrant", rows, script);
            }
        }
    }
}

/// U32: a penalty, a restore and quick adapt in one ACK.
fn order(suite: &mut Suite, shape: Shape) {
    for (n, (pend, restore)) in [(0, false), (9, false), (0, true), (9, true)].into_iter().enumerate() {
        for saved in [false, true] {
            let mut script = flying(shape, |s| {
                let quick = Settings { tick: 65_535, target: 10, qa_enable: true, qa_threshold: 20, ..s };
                Settings { qa_gate: 0, wnd_rate: 160_000, ..quick }
            });
            let first = script.ack_of(0, 1, 16, 100);
            script.event(Event::Ack(Ack { pend: if saved { 3 } else { 0 }, ..first }));
            script.idle(150);
            let ack = script.ack_of(0, 1, 16, 150);
            script.seen(Event::Ack(Ack { pend, restore, ..ack }));
            // What was saved comes back, if it was.
            for _ in 0..2 {
                let ack = script.ack_of(0, 1, 1, 105);
                script.seen(Event::Ack(Ack { restore: true, ..ack }));
            }
            let rows = aim(&["QuickAdapt", "Penalty", "Restore"], &["C16", "C18", "C19", "U32", "U34"]);
            let id = format!("order-{n}-{}", u8::from(saved));
            suite.add(id, "quick adapt fires with an ACK that has a penalty or a restore", rows, script);
        }
    }
}

/// Everything that changes the window, in consecutive cycles.
fn back_to_back(suite: &mut Suite, shape: Shape) {
    for seed in 0..8_u64 {
        let mut script = flying(shape, |s| Settings { adjust_bytes: 9000, tick: 30_000, ..s });
        for n in 0..40_u64 {
            let pick = (n * 7 + seed * 3 + n * n / 5) % 9;
            let ack = script.ack_of(0, 1, 10 + n, 100 + (n * seed) % 9);
            match pick {
                0 => script.offer(Event::Loss(Loss { ccc: 0, size: 1000 })),
                1 => script.offer(Event::Ack(script.nack_of(0, 1, 900, 100))),
                2 => script.offer(Event::Ack(Ack { pend: n % 3 * 8 + 1, ..ack })),
                3 => script.offer(Event::Ack(Ack { restore: true, ..ack })),
                4 => script.offer(Event::Send(Send { size: 4000, packet: true, ..Send::default() })),
                5 => {
                    script.offer(Event::Ack(Ack { marked: true, stamp: ack.stamp.wrapping_sub(70) & 0xF_FFFF, ..ack }))
                }
                6 => script.offer(Event::Ack(Ack { stamp: ack.stamp.wrapping_sub(70) & 0xF_FFFF, ..ack })),
                _ => script.offer(Event::Ack(ack)),
            }
            script.accepted();
        }
        script.read(0);
        script.adjusted();
        script.read(0);
        let rows = aim(&["BackToBack"], &["C1", "C2", "C18", "C19", "C20", "C22"]);
        suite.add(format!("back-to-back-{seed}"), "changes of one window in consecutive cycles", rows, script);
    }
}
