// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quick adapt (C15 to C17).

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Event, Loss, Settings, Shape, nack};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::USUAL {
        suite.group("adapt", "when quick adapt fires, and what it swallows", shape, None);
        causes(suite, shape);
        gate(suite, shape);
        swallowed(suite, shape);
        period(suite, shape);
        negative(suite, shape);
        last_hop(suite, shape);
        back_to_back(suite, shape);
    }
}

/// A period of 30 units, which is about 30 cycles. max_wnd is 128000.
fn quick(s: Settings) -> Settings {
    let config = Settings { tick: 65_535, config_base_rtt: 20, wnd_rate: 102_400, config_wnd: 100_000, ..s };
    Settings { target: 10, qa_threshold: 40, mtu: 1000, adjust_bytes: (1 << 24) - 1, ..config }
}

/// CCC 0 with many packets in flight, and quick adapt evaluated once.
fn started(shape: Shape, change: impl Fn(Settings) -> Settings) -> Script {
    let mut script = Script::opened(shape, |s| change(quick(s)));
    script.data(0, 1 << 20);
    script.send(0, 150, 1000);
    script.event(Event::Ack(script.ack_of(0, 1, 4, 20)));
    script.idle(40);
    script
}

/// An ACK with this RTT and mark.
fn ack(script: &mut Script, quanta: u64, rtt: u64, marked: bool) {
    let ack = script.ack_of(0, 1, quanta, rtt);
    script.seen(Event::Ack(Ack { marked, ..ack }));
}

fn nacked(script: &mut Script, reason: u64) {
    let nack = script.nack_of(0, reason, 1000, 20);
    script.seen(Event::Ack(nack));
}

/// Each cause alone, and none; without `qa_enable` too.
fn causes(suite: &mut Suite, shape: Shape) {
    for qa_enable in [true, false] {
        let mut script = started(shape, |s| Settings { qa_enable, ..s });
        // The threshold is not exceeded, then it is.
        for rtt in [59, 60, 61] {
            ack(&mut script, 4, rtt, false);
            script.idle(60);
        }
        // A NACK fires itself; one of another reason does not.
        for reason in [3, 2, 1] {
            nacked(&mut script, reason);
            script.idle(60);
        }
        // What is swallowed meanwhile is over.
        for _ in 0..3 {
            ack(&mut script, 400, 20, false);
        }
        script.idle(60);
        // A NACK within the period: its trigger fires the next ACK behind it.
        ack(&mut script, 4, 20, false);
        nacked(&mut script, 1);
        script.idle(60);
        ack(&mut script, 4, 20, true);
        script.idle(60);
        ack(&mut script, 4, 20, false);
        // A loss is no cause.
        script.idle(60);
        script.lose(0, 1000);
        script.read(0);
        ack(&mut script, 4, 20, false);
        let rows = aim(&["QuickAdapt"], &["C15", "C16", "C17", "C18", "U32"]);
        suite.add(format!("causes-{}", u8::from(qa_enable)), "each cause, and none", rows, script);
    }
}

/// *achieved* at the gate, and at one MTU.
fn gate(suite: &mut Suite, shape: Shape) {
    for (qa_gate, received) in [(3, 62), (3, 63), (0, 499), (0, 500), (15, 0), (1, 250), (2, 124), (3, 0), (3, 3)] {
        let mut script = started(shape, |s| Settings { qa_gate, ..s });
        // Bytes of ACKs without sample count.
        let ack = script.ack_of(0, 0, received, 20);
        script.event(Event::Ack(Ack { timed: false, ..ack }));
        nacked(&mut script, 1);
        let rows = aim(&["QuickAdapt"], &["C15", "C16", "U32"]);
        let comment = "what was received against max_wnd, and the new window against one MTU";
        suite.add(format!("gate-{qa_gate}-{received}"), comment, rows, script);
    }
}

/// After it has fired, marked ACKs and NACKs are swallowed until what was in flight has come.
fn swallowed(suite: &mut Suite, shape: Shape) {
    let mut script = started(shape, |s| s);
    nacked(&mut script, 1);
    // 148 packets of 1000 bytes, one of them lost: what each event takes off.
    for n in 0..60 {
        match n % 6 {
            0 => ack(&mut script, 12, 20, true),
            1 => nacked(&mut script, 1),
            2 => nacked(&mut script, 2),
            3 => script.seen(Event::Loss(Loss { ccc: 0, size: 1000 })),
            4 => nacked(&mut script, 7),
            _ => ack(&mut script, 12, 45, n % 4 == 1),
        }
    }
    let rows = aim(&["QuickAdapt", "Swallowed", "Nack"], &["C15", "C16", "C17", "C18", "C21", "U32"]);
    suite.add("swallowed", "what is swallowed after it has fired, and what is not", rows, script);
    // Exactly as many bytes, and one less.
    for less in [0, 1] {
        let mut script = started(shape, |s| s);
        nacked(&mut script, 1);
        let inflight = script.oracle().table().ccc(0).ignore;
        script.lose(0, inflight % 256 + 256 - less);
        for left in [inflight / 256 - 2, 1] {
            let ack = script.ack_of(0, 0, left, 20);
            script.event(Event::Ack(Ack { timed: false, ..ack }));
        }
        nacked(&mut script, 1);
        script.idle(60);
        nacked(&mut script, 1);
        let comment = "the bytes to be ignored come to 0, or to 1";
        suite.add(format!("ignored-{less}"), comment, aim(&["Swallowed"], &["C15", "C16", "U32"]), script);
    }
    // The sums of an adjustment are gone, with a swallowed pass and with one that fires.
    for fires in [false, true] {
        let mut script = started(shape, |s| Settings { adjust_bytes: 20_000, ..s });
        if !fires {
            nacked(&mut script, 1);
        }
        ack(&mut script, 60, 32, false);
        if fires {
            nacked(&mut script, 1);
        } else {
            ack(&mut script, 1, 20, true);
        }
        for _ in 0..4 {
            ack(&mut script, 30, 32, false);
            script.adjusted();
            script.read(0);
        }
        let rows = aim(&["Swallowed", "Adjustment"], &["C17", "C21", "C24"]);
        suite.add(format!("sums-{}", u8::from(fires)), "a pass that stops clears the sums", rows, script);
    }
}

/// Exactly at the end of a period, in each cycle around it; also over the wrap of the time.
fn period(suite: &mut Suite, shape: Shape) {
    for wait in 20..46 {
        let mut script = started(shape, |s| s);
        ack(&mut script, 4, 20, false);
        script.idle(wait);
        nacked(&mut script, 1);
        script.idle(wait);
        nacked(&mut script, 1);
        let rows = aim(&["QuickAdapt", "Deadline"], &["C3", "C16", "U32"]);
        suite.add(format!("period-{wait}"), "an evaluation around the end of the one before", rows, script);
    }
    // The longest period.
    let mut script = started(shape, |s| Settings { target: 65_535, ..s });
    script.idle(500);
    nacked(&mut script, 1);
    script.idle(65_300 - 500);
    for _ in 0..30 {
        nacked(&mut script, 1);
    }
    let rows = aim(&["QuickAdapt", "Deadline"], &["C16"]);
    suite.add("longest", "a period of 65535 units, not more", rows, script);
}

/// Bytes in flight below 0: nothing is ignored.
fn negative(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, quick);
    script.data(0, 1 << 20);
    script.send(0, 4, 100);
    ack(&mut script, 4, 20, false);
    script.idle(60);
    nacked(&mut script, 1);
    ack(&mut script, 4, 20, true);
    let rows = aim(&["QuickAdapt", "Negative"], &["C11", "C16", "U30"]);
    suite.add("negative", "it fires with less than nothing in flight", rows, script);
    // The largest sum.
    let mut script = started(shape, |s| Settings { qa_gate: 0, wnd_rate: (1 << 21) - 1, ..s });
    for _ in 0..140 {
        script.send(0, 1, 16_383);
        let ack = script.ack_of(0, 1, 65, 20);
        script.event(Event::Ack(Ack { timed: false, ..ack }));
    }
    nacked(&mut script, 1);
    suite.add("sum", "a window set to a large sum", aim(&["QuickAdapt"], &["C15", "C16"]), script);
}

/// A NACK of the last hop, with and without RCCC.
fn last_hop(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| quick(Settings { adjust_period: 60_000, ..s }));
    script.open_as(0, true, false, 0, 1);
    script.open_as(1, true, true, 0, 1);
    for ccc in [0, 1] {
        script.data(ccc, 1 << 20);
        script.send(ccc, 50, 1000);
        script.event(Event::Ack(script.ack_of(ccc, 1, 4, 20)));
    }
    script.idle(60);
    for reason in [nack::TRIMMED_LASTHOP, nack::TRIMMED, nack::TRIMMED_LASTHOP, 5, nack::TRIMMED] {
        for ccc in [0, 1] {
            script.seen(Event::Ack(script.nack_of(ccc, reason, 1000, 20)));
            let ack = script.ack_of(ccc, 1, 4, 20);
            script.seen(Event::Ack(ack));
        }
    }
    let rows = aim(&["QuickAdapt", "Nack"], &["C14", "C15", "C16", "C18", "U23", "U32"]);
    suite.add("last-hop", "trimmed at the last hop: with RCCC the window stays", rows, script);
}

/// NACKs and ACKs in consecutive cycles: it fires once, the rest is swallowed.
fn back_to_back(suite: &mut Suite, shape: Shape) {
    for first in 0..4 {
        let mut script = started(shape, |s| s);
        for n in first..first + 24 {
            let event = match n % 4 {
                0 => script.nack_of(0, nack::TRIMMED, 1000, 20),
                1 => Ack { marked: true, ..script.ack_of(0, 1, 4, 70) },
                2 => script.ack_of(0, 1, 40, 22),
                _ => script.nack_of(0, nack::TRIMMED_LASTHOP, 1000, 20),
            };
            script.event(Event::Ack(event));
        }
        script.read(0);
        let rows = aim(&["QuickAdapt", "BackToBack"], &["C1", "C15", "C16", "C17", "U32"]);
        suite.add(format!("back-to-back-{first}"), "it fires in the middle of a burst of one CCC", rows, script);
    }
}
