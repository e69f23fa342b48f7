// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T6, T8 to T10: PSN, flags, flowlet number and tag of data, retransmissions and probes.

use super::shapes::{FEW, FEW_FAST, MANY, SETTINGS};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Granularity, Kind, Op, Packet, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// Adds the groups `numbers` and `probes`.
pub fn add(suite: &mut Suite) {
    for shape in [FEW, FEW_FAST, MANY] {
        suite.group("numbers", "PSNs", shape, SETTINGS);
        psns(suite, shape);
        suite.group("probes", "packets on a sub-path that is named", shape, SETTINGS);
        probes(suite, shape);
    }
}

/// Opens a QP with this PSN and entropy, and two sub-paths.
fn opened(shape: Shape, psn: u64, entropy: u64, granularity: Granularity) -> (Script, u64) {
    let mut script = Script::new(shape);
    script.operate(0, Command::open(0, psn, entropy, granularity));
    script.add(0, 0, 1);
    let at = script.add(0, shape.paths - 1, 2);
    (script, at)
}

fn psns(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Psn", "Boundary"], &["T6", "M48", "M77"]);
    for psn in [0, 1, 0x7F_FFFE, 0xFF_FFFA, 0xFF_FFFE, 0xFF_FFFF] {
        let (mut script, at) = opened(shape, psn, 0, Granularity::Packet);
        script.stream(at, 0, 9);
        suite.add(format!("psn-{psn:06x}"), format!("from {psn:#x} on"), rows, script);
    }
    let rows = aim(&["Psn", "Probe"], &["T6", "T8", "M48"]);
    for granularity in Granularity::ALL {
        let (mut script, at) = opened(shape, 0xFF_FFFE, 0x800, granularity);
        let (data, again, probe) = (Packet::Data, Packet::Retransmission, Packet::Probe);
        let kinds = [again, again, data, probe, data, again, data, data, probe, probe, again, again, data];
        for (n, kind) in (0..).zip(kinds) {
            script.request(at + n + n / 6 * 9, 0, kind, 0);
        }
        let comment = format!("{granularity:?}: neither a retransmission nor a probe has a number of its own");
        suite.add(format!("again-{}", granularity.code()), comment, rows, script);
    }
    let (mut script, at) = opened(shape, 100, 0x800, Granularity::Packet);
    script.command(at + 4, Op::Fail, 0, 0);
    script.command(at + 5, Op::Fail, 0, shape.paths - 1);
    let at = script.settled();
    (at - 40..at + 10).step_by(2).for_each(|at| script.data(at, 0));
    let rows = aim(&["Psn", "Failing"], &["T2", "T6", "M48", "M72", "M75"]);
    suite.add("pathless", "requests that no sub-path takes have no number", rows, script);
}

fn probes(suite: &mut Suite, shape: Shape) {
    let states: [(&str, &[Op], &[&str]); 6] = [
        ("absent", &[], &[]),
        ("probing", &[Op::Add], &["M18", "M61"]),
        ("active", &[Op::Add, Op::Start], &["M18"]),
        ("draining", &[Op::Add, Op::Start, Op::Drain], &["M62"]),
        ("failed", &[Op::Add, Op::Start, Op::Fail], &["M72"]),
        ("removed", &[Op::Add, Op::Remove], &[]),
    ];
    for (name, ops, requirements) in states {
        let rows = [&["T2", "T6", "T8", "T9", "T10"], requirements].concat();
        let rows = aim(&["Probe"], &rows);
        let mut script = Script::new(shape);
        script.open(0, Granularity::Flowlet, &[]);
        ops.iter().for_each(|&op| {
            script.operate(0, Command::new(op, 0, 1).weight(4));
        });
        let at = script.settled();
        for (n, kind) in
            (0..).zip([Packet::Probe, Packet::Data, Packet::Probe, Packet::Retransmission, Packet::Nothing])
        {
            script.request(at + n, 0, kind, 1);
        }
        script.feedback(at + 20, 0, 1, Kind::Good);
        script.command(at + 30, Op::Read, 0, 1);
        suite.add(name, format!("a sub-path that is {name}"), rows, script);
    }
    let rows = aim(&["Probe", "OutOfRange"], &["T2", "T7", "M15"]);
    for path in [shape.paths - 1, shape.paths, shape.paths + 1, 0x80, 0xFF] {
        let (mut script, at) = opened(shape, 5, 0x40, Granularity::Packet);
        script.data(at, 0);
        script.request(at + 1, 0, Packet::Probe, path);
        script.data(at + 2, 0);
        script.request(at + 3, 1, Packet::Probe, path);
        // `request_path` means nothing in a request that is no probe.
        script.request(at + 4, 0, Packet::Data, path);
        suite.add(format!("path-{path}"), format!("probes of sub-path {path}"), rows, script);
    }
    let (mut script, at) = opened(shape, 5, 0x40, Granularity::Packet);
    script.stream(at, 0, 6);
    script.feedback(at + 14, 0, 0, Kind::Timeout);
    (at + 16..at + 30).for_each(|at| script.request(at, 0, if at % 3 == 0 { Packet::Data } else { Packet::Probe }, 0));
    let rows = aim(&["Probe", "BackToBack"], &["T6", "T8", "T10", "T11"]);
    suite.add("stream", "probes among data, also of a sub-path that is congested", rows, script);
}
