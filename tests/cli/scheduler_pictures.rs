// SPDX-License-Identifier: MIT OR Apache-2.0
//! The timing diagrams of the stages that share packets out among paths: of real runs, like those of `pictures.rs`.

use crate::docs::compare;
use crate::root;
use pipeline::elab::ElabSizes;
use pipeline::elab::feedback::ElabFeedbackConfig;
use pipeline::elab::scheduler::{self, ElabSchedulerConfig};
use pipeline::transmit::feedback;
use pipeline::transmit::path_scheduler::{PathSchedulerConfig, granularity, op};
use rtl_model::Design;
use std::ops::Range;
use testbench::waveform::picture::{Line, gap, of_run, signal};

/// Values of a stream's fields, but for `valid`.
type Fields<'a> = &'a [(&'a str, u64)];
/// A cycle, a stream, and what stands on it then.
type Event<'a> = (u64, &'a str, Fields<'a>);
/// The same of an operation on a QP.
type Operation = (u64, &'static str, [(&'static str, u64); 7]);

/// The picture of a run with these settings and events, under `docs/images`.
fn draw<D: Design + 'static>(
    design: &D,
    (file, title): (&str, &str),
    window: Range<u64>,
    lines: &[Line],
    settings: Fields,
    events: &[Event],
) {
    let svg = of_run(design, title, window, lines, |cycle, inputs| {
        settings.iter().for_each(|(name, value)| inputs.set(&format!("settings_{name}"), *value));
        for (_, stream, fields) in events.iter().filter(|(at, ..)| *at == cycle) {
            inputs.set(&format!("{stream}_valid"), 1);
            fields.iter().for_each(|(field, value)| inputs.set(&format!("{stream}_{field}"), *value));
        }
    });
    compare(&root().join("docs/images").join(file), &svg.expect("it draws"));
}

/// A QP whose sub-paths 0 and 1 are active with weights 2 and 1 from cycle 80 on.
fn opened(granularity: u64) -> [Operation; 5] {
    let step = |cycle, op, path, weight| {
        let operands = [("op", op), ("path", path), ("weight", weight), ("granularity", granularity)];
        let [op, path, weight, granularity] = operands;
        (cycle, "command", [op, path, weight, granularity, ("psn", 100), ("force", 1), ("flowlet", 1)])
    };
    [
        step(3, op::OPEN, 0, 0),
        step(18, op::ADD, 0, 2),
        step(33, op::START, 0, 2),
        step(48, op::ADD, 1, 1),
        step(63, op::START, 1, 1),
    ]
}

fn requests(cycles: &[u64]) -> Vec<Event<'static>> {
    cycles.iter().map(|&cycle| (cycle, "request", &[] as &[_])).collect()
}

/// Weights 2 and 1, then 1 and 1.
#[test]
fn path_scheduler_packets() {
    let opened = opened(granularity::PACKET);
    let mut events: Vec<_> = opened.iter().map(|(cycle, stream, fields)| (*cycle, *stream, &fields[..])).collect();
    events.extend(requests(&[72, 73, 74, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89]));
    events.push((81, "feedback", &[("path", 0), ("kind", feedback::ECN)]));
    let grant = |field: &str| signal(&format!("grant_{field}")).when("grant_valid").tones(&[(96, 1)]);
    let lines = [
        signal("feedback_valid").tones(&[(81, 1)]),
        signal("path_update_weight").when("path_update_valid").tones(&[(86, 1)]),
        gap(),
        signal("request_valid").tones(&[(86, 1)]),
        signal("grant_valid"),
        grant("path"),
        grant("psn"),
    ];
    let title = "path_scheduler: by packets, weights 2 and 1; sub-path 0 is marked, and has weight 1 5 cycles later";
    let settings = [("valid", 1), ("raise", 4), ("window", 64)];
    draw(&PathSchedulerConfig::new(1, 2), ("path-scheduler-packets.svg", title), 79..101, &lines, &settings, &events);
}

/// A rest between two packets begins a flowlet.
#[test]
fn path_scheduler_flowlets() {
    let opened = opened(granularity::FLOWLET);
    let mut events: Vec<_> = opened.iter().map(|(cycle, stream, fields)| (*cycle, *stream, &fields[..])).collect();
    events.extend(requests(&[120, 121, 122, 192, 193]));
    let grant = |field: &str| signal(&format!("grant_{field}")).when("grant_valid").tones(&[(202, 1)]);
    let lines = [
        signal("request_valid").tones(&[(192, 1)]),
        signal("gap_expired").when("admitted_6_valid").tones(&[(198, 1)]),
        gap(),
        signal("grant_valid"),
        grant("path"),
        grant("psn"),
        grant("flowlet"),
        grant("flags"),
    ];
    let title = "path_scheduler: by flowlets; a packet behind a rest takes another sub-path (flags F and S)";
    let settings = [("valid", 1), ("window", 64)];
    draw(&PathSchedulerConfig::new(1, 2), ("path-scheduler-flowlets.svg", title), 190..207, &lines, &settings, &events);
}

const SIZES: ElabSizes = ElabSizes::new(1, 2, 8);

/// A VP that was marked is explored: three packets in a row go there.
#[test]
fn elab_scheduler_burst() {
    let add = |cycle, sport, bandwidth| {
        (cycle, "command", [("op", scheduler::op::ADD), ("sport", sport), ("bandwidth", bandwidth)])
    };
    let added = [add(40, 0xC000, 0x3_0000), add(56, 0xC001, 0x6_0000)];
    let mut events: Vec<_> = added.iter().map(|(cycle, stream, fields)| (*cycle, *stream, &fields[..])).collect();
    events.push((80, "report", &[("vp", 0xC000), ("count", 24), ("ecn", 1)]));
    events.push((120, "report", &[("vp", 0xC000), ("count", 8)]));
    let cycles: Vec<_> = (132..142).collect();
    events.extend(requests(&cycles));
    let grant =
        |field: &str| signal(&format!("grant_{field}")).when("grant_valid").tones(&[(148, 1), (149, 1), (150, 1)]);
    let lines = [
        signal("vp_update_probe_request").when("vp_update_valid").tones(&[(136, 1)]),
        gap(),
        signal("request_valid").tones(&[(136, 1), (137, 1), (138, 1)]),
        signal("grant_valid"),
        grant("vp"),
        grant("sport"),
        grant("burst"),
    ];
    let title = "elab_scheduler: VP 0 has waited long enough after a mark; the next three packets are a burst on it";
    let settings = [("valid", 1), ("alpha", 77), ("window", 2), ("explore", 3), ("burst", 3)];
    draw(&ElabSchedulerConfig::new(SIZES), ("elab-scheduler-burst.svg", title), 131..156, &lines, &settings, &events);
}

/// Packets on two VPs, one of them marked, and the reports of both in turn.
#[test]
fn elab_feedback_turns() {
    let mut events: Vec<Event> = vec![
        (40, "arrival", &[("sport", 0xC000)]),
        (41, "arrival", &[("sport", 0xC001)]),
        (42, "arrival", &[("sport", 0xC001), ("ecn", 1)]),
        (43, "arrival", &[("sport", 0xC000)]),
        (44, "arrival", &[("sport", 0xC001)]),
    ];
    events.extend([(45, "query", &[] as &[_]), (46, "query", &[]), (47, "query", &[])]);
    let arrival =
        |field: &str| signal(&format!("arrival_{field}")).when("arrival_valid").tones(&[(41, 1), (42, 1), (44, 1)]);
    let report = |field: &str| signal(&format!("report_{field}")).when("report_valid").tones(&[(60, 1), (62, 2)]);
    let lines = [
        signal("arrival_valid"),
        arrival("sport"),
        arrival("ecn"),
        gap(),
        signal("query_valid").tones(&[(45, 1), (47, 2)]),
        gap(),
        signal("report_valid"),
        report("vp"),
        report("count"),
        report("ecn"),
    ];
    let title = "elab_feedback: packets on two VPs; the first query hears of VP 1, the third that nothing came since";
    draw(&ElabFeedbackConfig::new(SIZES), ("elab-feedback-turns.svg", title), 39..65, &lines, &[], &events);
}
