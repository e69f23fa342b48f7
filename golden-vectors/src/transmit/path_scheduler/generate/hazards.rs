// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests and feedback on the same and on different QPs, at every distance at which two of them can be in the
//! pipeline. A missing bypass between two steps is seen.

use super::shapes::{LATENCIES, SETTINGS};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Granularity, Kind, Packet, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES {
        suite.group("hazards", "events at every distance", shape, SETTINGS);
        requests(suite, shape);
        feedback(suite, shape);
        quiet(suite, shape);
    }
}

/// The distances at which two events are put: all of them with the longest pipeline.
fn distances(shape: Shape) -> impl Iterator<Item = u64> {
    (1..=9).step_by(if shape.ram_latency == 3 { 1 } else { 2 })
}

fn requests(suite: &mut Suite, shape: Shape) {
    for distance in distances(shape) {
        for qps in 1..=2 {
            let (mut script, at) = Script::all_running(shape, qps, distance, &[1, 2, 1]);
            (0..14).for_each(|n| {
                let kind = if n % 5 == 3 { Packet::Retransmission } else { Packet::Data };
                script.request(at + n * distance, n % qps, kind, 0);
            });
            let flags = [if qps == 1 { "BackToBack" } else { "Interleaved" }];
            let rows = aim(&flags, &["T1", "T3", "T5", "T6"]);
            suite.add(format!("{qps}-qps-{distance}"), format!("{distance} cycles apart"), rows, script);
        }
        let (mut script, at) = Script::all_running(shape, 2, 1 + distance, &[1, 1, 2]);
        (0..5).for_each(|n| {
            script.stream(at + n * (distance + 2), 0, 2);
            script.stream(at + n * (distance + 2) + 2, 1, distance);
        });
        let rows = aim(&["Interleaved", "BackToBack"], &["T1", "T3", "T5", "T6"]);
        suite.add(format!("pairs-{distance}"), "two on one QP, some on the other", rows, script);
    }
}

fn feedback(suite: &mut Suite, shape: Shape) {
    let kinds = [Kind::Good, Kind::Ecn, Kind::Good, Kind::Good, Kind::Nack, Kind::Good];
    for distance in distances(shape) {
        for (name, paths) in [("same", [0, 0]), ("turns", [0, 2])] {
            let (mut script, at) = Script::running(shape, Granularity::Packet, &[8, 1, 7]);
            script.set(0, Settings::new(1, 1, 0));
            let behind = script.stream(at, 0, 16) + shape.counted();
            for (n, kind) in (0..).zip(kinds) {
                script.feedback(behind + n * distance, 0, paths[n as usize % 2], kind);
            }
            script.stream(behind + 2 * distance, 0, 16);
            script.reads(behind + 6 * distance, 0, 3);
            let rows = aim(&["BackToBack", "Kind"], &["T12", "T13", "M66", "M69"]);
            suite.add(format!("{name}-{distance}"), format!("feedback {distance} cycles apart"), rows, script);
        }
        let (mut script, at) = Script::all_running(shape, 2, 2, &[4]);
        script.stream(at, 0, 6);
        let behind = script.stream(at + 6, 1, 6) + shape.counted();
        (0..8).for_each(|n| script.feedback(behind + n * distance, n % 2, 0, kinds[n as usize % 6]));
        (0..16).for_each(|n| script.data(behind + n, n / 3 % 2));
        script.reads(behind + 8 * distance, 0, 1);
        script.reads(behind + 8 * distance, 1, 1);
        let rows = aim(&["Interleaved", "Kind"], &["T12", "T13"]);
        suite.add(format!("qps-{distance}"), "feedback for two QPs in turns", rows, script);
    }
}

/// A QP without events while another one has many. Its state must not change.
fn quiet(suite: &mut Suite, shape: Shape) {
    for first in 0..3 {
        let (mut script, at) = Script::all_running(shape, 2, first, &[2, 1]);
        script.stream(at, 1, 3);
        let behind = script.stream(at + 3, 0, 40);
        (0..30).for_each(|n| script.feedback(at + 14 + n, 0, n % 2, Kind::STREAM[n as usize % 4]));
        script.stream(behind + 10, 1, 4);
        script.reads(behind, 1, 2);
        let rows = aim(&["Interleaved"], &["T3", "T6", "T12"]);
        suite.add(format!("quiet-{first}"), "the other QP goes on where it was", rows, script);
    }
}
