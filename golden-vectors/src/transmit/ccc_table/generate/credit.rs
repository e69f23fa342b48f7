// SPDX-License-Identifier: MIT OR Apache-2.0
//! RCCC: credit, and what is asked of the receiver (C10, C25 to C27).

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Event, Send, Settings, Shape};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CREDIT.into_iter().chain(shapes::UNITS) {
        suite.group("credit", "credit of the receiver, and what is asked of it", shape, None);
        for nscc in [false, true] {
            if nscc && !shape.has_nscc() {
                continue;
            }
            numbers(suite, shape, nscc);
            speculation(suite, shape, nscc);
            targets(suite, shape, nscc);
            limits(suite, shape, nscc);
            turns(suite, shape, nscc);
        }
        spent(suite, shape);
    }
}

fn with(shape: Shape, nscc: bool, change: impl Fn(Settings) -> Settings) -> Script {
    let mut script = Script::with(shape, |s| change(Settings { adjust_period: 60_000, ..s }));
    script.open_as(0, nscc, true, 0, 1);
    script
}

fn credit(script: &mut Script, credit: u64) {
    script.seen(Event::Ack(script.credit_of(0, credit)));
}

/// Cumulative numbers: none, one, the largest step, old ones, the wrap.
fn numbers(suite: &mut Suite, shape: Shape, nscc: bool) {
    let mut script = with(shape, nscc, |s| s);
    script.data(0, 1 << 20);
    for number in [0, 1, 1, 0, 5, 0x80_0005, 0x80_0004, 0x80_0003, 4, 0xFF_FFFF, 0, 3, 0xFF_FFFF, 0x7F_FFFF, 0x80_0002]
    {
        credit(&mut script, number);
        script.send(0, 3, 10_000);
    }
    let rows = aim(&["Credit", "Refused"], &["C10", "C11", "C25", "C27", "U26"]);
    suite.add(format!("numbers-{}", u8::from(nscc)), "cumulative credit, old credit, and its wrap", rows, script);
}

/// What ends speculation, and what does not. Credit below 0 stays.
fn speculation(suite: &mut Suite, shape: Shape, nscc: bool) {
    for (n, sent) in (0..7).flat_map(|n| [(n, 2), (n, 30)]) {
        let mut script = with(shape, nscc, |s| s);
        script.data(0, 1 << 20);
        script.send(0, sent, 9000);
        script.read(0);
        match n {
            0 => script.ack(0, 1, 100, false),
            1 => script.event(Event::Ack(script.nack_of(0, 7, 9000, 100))),
            2 => script.event(Event::Ack(script.credit_of(0, 0))),
            3 => script.event(Event::Ack(script.credit_of(0, 0xFF_FFFF))),
            4 => script.lose(0, 9000),
            5 => script.event(Event::Ack(Ack { packets: 31, ..script.ack_of(0, 1, 4, 9) })),
            _ => script.event(Event::Ack(script.credit_of(0, 100))),
        }
        script.idle(2);
        script.read(0);
        credit(&mut script, 40);
        let rows = aim(&["Credit"], &["C11", "C25", "C27", "U22", "U23", "U24", "U26"]);
        let id = format!("speculation-{n}-{sent}-{}", u8::from(nscc));
        suite.add(id, "what ends the speculative credit, and what does not", rows, script);
    }
}

/// The demand: bounded by backlog, by max_wnd, by the window; rounded up; at least a turn while speculative.
fn targets(suite: &mut Suite, shape: Shape, nscc: bool) {
    for config_wnd in [9000, 100_000] {
        let mut script = with(shape, nscc, |s| Settings { config_wnd, ..s });
        script.read(0);
        for bytes in [1, 255, 1, 1, 4095, 10_000, 300_000] {
            script.data(0, bytes);
            script.read(0);
        }
        script.send(0, 2, 4000);
        script.lose(0, 4000);
        script.read(0);
        script.send(0, 4, 4000);
        script.read(0);
        for number in [0, 100, 200] {
            credit(&mut script, number);
        }
        script.data(0, 1 << 20);
        script.read(0);
        // The number wraps.
        credit(&mut script, 0x7F_FFFF);
        credit(&mut script, 0xFF_FFFE);
        script.send(0, 40, 9000);
        script.read(0);
        // All has been sent.
        script.send(0, 200, 16_000);
        script.read(0);
        let rows = aim(&["Credit"], &["C13", "C25", "C27", "U26"]);
        let id = format!("target-{config_wnd}-{}", u8::from(nscc));
        suite.add(id, "what is asked of the receiver", rows, script);
    }
}

/// The limit is one below the credit; with NSCC the smaller one. Grants show it.
fn limits(suite: &mut Suite, shape: Shape, nscc: bool) {
    let mut script = with(shape, nscc, |s| Settings { config_wnd: 20_000, ..s });
    for size in [1, 4096, 4000, 7000, 4902, 1] {
        script.data(0, size);
        script.idle(60);
        script.event(Event::Send(Send { size, packet: true, last: true, ..Send::default() }));
        script.read(0);
    }
    script.ack(0, 3, 100, true);
    script.data(0, 50_000);
    for number in [0, 1, 100, 200] {
        credit(&mut script, number);
        script.idle(60);
        script.event(Event::Send(Send { size: 256, packet: true, last: true, ..Send::default() }));
        script.idle(60);
    }
    let rows = aim(&["Credit", "State"], &["C25", "C26", "C27", "C30", "U27"]);
    suite.add(format!("limit-{}", u8::from(nscc)), "credit around 1: READY and ACTIVE", rows, script);
}

/// A turn has been granted with the credit of the start, and asks for credit by what was known then. It goes on when CREDIT has come,
/// and takes more than that has given. When all that it has asked for has come the CCC is READY.
fn turns(suite: &mut Suite, shape: Shape, nscc: bool) {
    for weight in [1, 4, 15] {
        let mut script = Script::with(shape, |s| Settings { adjust_period: 60_000, ..s });
        script.open_as(0, nscc, true, 0, weight);
        script.data(0, 100_000);
        script.idle(60);
        let target = script.granted()[0].credit_target;
        credit(&mut script, 1);
        for left in (0..weight).rev() {
            let size = script.settings().mtu + 320;
            script.event(Event::Send(Send { size, packet: true, last: left == 0, ..Send::default() }));
        }
        script.read(0);
        script.seen(Event::Ack(script.credit_of(0, target)));
        let rows = aim(&["Credit", "State"], &["C25", "C26", "C27", "C30", "U27"]);
        let id = format!("turn-{weight}-{}", u8::from(nscc));
        suite.add(id, "a turn takes more than the first CREDIT has given", rows, script);
    }
}

/// Credit down to -2^28, and up to max_wnd.
fn spent(suite: &mut Suite, shape: Shape) {
    let mut script = with(shape, false, |s| Settings { config_wnd: 100, mtu: 1, ..s });
    script.data(0, u32::MAX.into());
    script.send(0, 300, 16_383);
    script.read(0);
    credit(&mut script, 100);
    credit(&mut script, 0x7F_FFFF);
    credit(&mut script, 0x80_0000);
    script.settle(|s| Settings { wnd_rate: (1 << 21) - 1, ..s });
    credit(&mut script, 0xC0_0000);
    script.settle(|s| Settings { wnd_rate: 16, ..s });
    credit(&mut script, 0xC0_0000);
    suite.add("spent", "credit up to max_wnd, as it changes", aim(&["Credit"], &["C13", "C25", "C33"]), script);
}

/// Credit at -2^28: too long for the committed file.
pub fn wide(suite: &mut Suite, shape: Shape) {
    let mut script = with(shape, false, |s| Settings { config_wnd: 100, mtu: 1, ..s });
    script.data(0, u32::MAX.into());
    script.send(0, 16_385, 16_383);
    script.read(0);
    script.send(0, 3, 16_383);
    script.read(0);
    credit(&mut script, 1);
    suite.add("lowest", "credit down to -2^28", aim(&["Wrap"], &["C25"]), script);
}
