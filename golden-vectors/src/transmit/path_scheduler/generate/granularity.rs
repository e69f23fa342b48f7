// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T3, T8 and T9: when a sub-path is selected, in each granularity and after a change of granularity.

use super::shapes::{FEW, FEW_SLOW, SETTINGS};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Granularity, Op, Packet, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// Adds the groups `granularity` and `flowlet`.
pub fn add(suite: &mut Suite) {
    granularities(suite, FEW);
    flowlets(suite, FEW_SLOW);
}

/// Adds the group `granularity`: all granularities, and changes from each to each.
fn granularities(suite: &mut Suite, shape: Shape) {
    suite.group("granularity", "by flow, by flowlet, packet by packet", shape, SETTINGS);
    let of_stage = ["T3", "T8", "T9", "T10", "M47", "M49", "M78"];
    let of_header = ["M16", "M17", "M20", "M23", "M24", "M65"];
    for granularity in Granularity::ALL {
        let of_flow: &[&str] = if granularity == Granularity::Flow { &["M05"] } else { &[] };
        let all = [of_stage.as_slice(), of_header.as_slice(), of_flow].concat();
        let rows = aim(&["Granularity"], &all);
        for (name, step) in [("in-a-row", 1), ("apart", 5), ("paused", 70)] {
            let (mut script, at) = Script::running(shape, granularity, &[2, 1, 1]);
            (0..10).for_each(|n| script.data(at + n * step, 0));
            let comment = format!("{granularity:?}, {step} cycles from packet to packet");
            suite.add(format!("{}-{name}", granularity.code()), comment, rows, script);
        }
        drawn_anew(suite, shape, granularity);
    }
    for from in Granularity::ALL {
        for to in Granularity::ALL {
            let (mut script, at) = Script::running(shape, from, &[1, 2, 1]);
            let set_granularity = Command::new(Op::Regrain, 0, 0);
            script.operate(at + 20, set_granularity.mode(to.code()));
            script.operate(at + 150, set_granularity.mode(from.code()));
            (0..60).for_each(|n| script.data(at + n * 4 + (n / 20) * 40, 0));
            let rows = aim(&["Granularity", "Command"], &["T3", "T8", "T9", "T10", "T17", "M107"]);
            let comment = format!("{from:?} becomes {to:?} under load, then {from:?} again");
            suite.add(format!("{}-to-{}", from.code(), to.code()), comment, rows, script);
        }
    }
}

/// The sub-path in use is drained, removed and added again. The next packet must select anew.
fn drawn_anew(suite: &mut Suite, shape: Shape, granularity: Granularity) {
    let (mut script, at) = Script::running(shape, granularity, &[1, 2]);
    script.command(at + 6, Op::Drain, 0, 0);
    let behind = script.settled() + 20;
    (at..behind).step_by(2).for_each(|at| script.data(at, 0));
    let rows = aim(&["Granularity", "Command"], &["T3", "T8", "T9", "M62"]);
    let comment = format!("{granularity:?}: the sub-path in use gets no more packets");
    suite.add(format!("{}-drained", granularity.code()), comment, rows, script);
}

/// Adds the group `flowlet`: pauses around the timeout.
fn flowlets(suite: &mut Suite, shape: Shape) {
    suite.group("flowlet", "pauses about as long as the timeout", shape, SETTINGS);
    let edge = aim(&["Flowlet", "Boundary"], &["T3", "T8", "T9", "M21", "M22", "M78"]);
    for timeout in [0, 1, 2, 3] {
        // The first packet comes at the beginning or the end of a unit of time. The next one comes around the unit in
        // which the timeout has passed.
        for phase in [0, 63] {
            for (units, offset) in [(timeout, 0), (timeout + 1, -1), (timeout + 1, 0)] {
                let (mut script, at) = Script::running(shape, Granularity::Flowlet, &[1, 1, 1]);
                script.set(0, Settings::new(timeout, 0, 0));
                let unit = at.div_ceil(64) + 1;
                let first = unit * 64 + phase - shape.timing();
                let next = ((unit + units) * 64 - shape.timing()).saturating_add_signed(offset);
                if next <= first {
                    continue;
                }
                script.data(first, 0);
                script.data(next, 0);
                script.data(next + 1, 0);
                let id = format!("{timeout}-from-{phase}-after-{units}{offset:+}");
                let comment = format!("{timeout} units, packets about the change to unit {units} behind the first");
                suite.add(id, comment, edge, script);
            }
        }
    }
    let (mut script, at) = Script::running(shape, Granularity::Flowlet, &[1, 2, 1]);
    for n in 0..12 {
        script.request(at + 65 * n, 0, if n % 2 == 0 { Packet::Data } else { Packet::Retransmission }, 3);
        script.request(at + 65 * n + 30, 0, Packet::Probe, n % 4);
    }
    let rows = aim(&["Flowlet", "Probe"], &["T2", "T3", "T9"]);
    suite.add("probes", "a retransmission is a packet of the flowlet, a probe is none", rows, script);
}
