// SPDX-License-Identifier: MIT OR Apache-2.0
//! The timing diagrams of the documentation are of real runs.
//!
//! `MPNIC_UPDATE_DOCS=1 cargo test --test cli pictures` draws what has changed.

use crate::docs::compare;
use crate::root;
use pipeline::examples::tally::TallyConfig;
use pipeline::transmit::entropy_selector::{EntropySelectorConfig, Modes, mode, op};
use std::ops::Range;
use testbench::waveform::picture::{Line, gap, of_run, signal};

/// EV 0 on the wire, so that the last digit is the EV.
const WIRE_BASE: u64 = 0xc000;

/// Two events in a row on one row of the table, and what the second does about the first, which has not written yet.
#[test]
fn tally_back_to_back() {
    let design = TallyConfig { rows: 4, width: 32, amount_width: 16, ram_latency: 2 };
    let stage = |path: &str, valid: &str, cycle: u64| signal(path).when(valid).tones(&[(cycle, 1), (cycle + 1, 2)]);
    let bit = |path: &str, cycle: u64| signal(path).tones(&[(cycle, 1), (cycle + 1, 2)]);
    let lines = [
        bit("event_valid", 12),
        stage("event_row", "event_valid", 12),
        stage("event_amount", "event_valid", 12),
        gap(),
        stage("read_amount", "read_valid", 13),
        stage("fetched_amount", "fetched_valid", 14),
        stage("selected_amount", "selected_valid", 15),
        stage("selected_value", "selected_valid", 15),
        signal("back_to_back").tones(&[(16, 2)]),
        gap(),
        bit("done_valid", 16),
        stage("done_row", "done_valid", 16),
        stage("done_value", "done_valid", 16),
    ];
    let title = "tally: two events back to back on row 2, of which the second adds to the sum of the first";
    let svg = of_run(&design, title, 11..19, &lines, |cycle, inputs| {
        let amount = match cycle {
            // The sweep is over; the row gets something to start from.
            5 => 0x100,
            12 => 0x10,
            13 => 0x5,
            _ => return,
        };
        inputs.set("event_valid", 1);
        inputs.set("event_row", 2);
        inputs.set("event_amount", amount);
    });
    compare(&root().join("docs/images/tally-back-to-back.svg"), &svg.expect("it draws"));
}

/// Two marks one cycle apart and four requests: from when on each request sees which.
#[test]
fn entropy_selector_marks() {
    let design = EntropySelectorConfig::new(1, 16).wire(WIRE_BASE, 16);
    let feedback = |path: &str| signal(path).when("feedback_valid").tones(&[(22, 1), (23, 2)]);
    let lines = [
        signal("feedback_valid").tones(&[(22, 1), (23, 2)]),
        feedback("feedback_ev"),
        signal("mark_8_valid").tones(&[(30, 1), (31, 2)]),
        gap(),
        signal("request_valid"),
        signal("walk_word").when("tracked_6_valid"),
        signal("free_in_word").when("tracked_6_valid").tones(&[(36, 1), (37, 2)]),
        signal("result_candidates").when("tracked_7_valid").tones(&[(37, 1), (38, 2)]),
        gap(),
        signal("grant_valid"),
        signal("grant_ev").when("grant_valid").tones(&[(38, 1), (39, 2)]),
    ];
    let title = "entropy_selector: EV 2 and EV 3 are marked; requests of 8 cycles later pass over them, one each";
    let svg = of_run(&design, title, 21..41, &lines, |cycle, inputs| {
        inputs.set("settings_valid", 1);
        inputs.set("settings_rtt", 64);
        inputs.set("settings_saturation", 128);
        inputs.set("request_free_ports", 1);
        if cycle == 2 {
            inputs.set("command_valid", 1);
            inputs.set("command_op", op::OPEN);
            inputs.set("command_fixed", 1);
        }
        if let 22 | 23 = cycle {
            inputs.set("feedback_valid", 1);
            inputs.set("feedback_ev", WIRE_BASE + cycle - 20);
            inputs.set("feedback_kind", 1);
        }
        if let 28..32 = cycle {
            inputs.set("request_valid", 1);
        }
    });
    compare(&root().join("docs/images/entropy-selector-marks.svg"), &svg.expect("it draws"));
}

/// What a selector of one CCC does that is opened in a mode, and open from cycle 22 on.
struct Run<'a> {
    mode: u64,
    start: u64,
    /// Cycle and EV of GOOD feedback, and of feedback with ECN.
    good: &'a [(u64, u64)],
    ecn: &'a [(u64, u64)],
    requests: &'a [u64],
    settings: &'a [(&'a str, u64)],
    /// Exponent of the EV space; 0 for all EVs.
    space: u64,
}

impl Run<'_> {
    /// The picture of it, under `docs/images`.
    fn draw(&self, file: &str, title: &str, window: Range<u64>, lines: &[Line]) {
        let design = EntropySelectorConfig::new(1, 16).wire(WIRE_BASE, 16).modes(Modes::ALL);
        let of_cycle = |list: &[(u64, u64)], cycle: u64| list.iter().find(|(at, _)| *at == cycle).map(|&(_, ev)| ev);
        let svg = of_run(&design, title, window, lines, |cycle, inputs| {
            let (good, ecn) = (of_cycle(self.good, cycle), of_cycle(self.ecn, cycle));
            let mut set = |stream: &str, fields: &[(&str, u64)]| {
                fields.iter().for_each(|(field, value)| inputs.set(&format!("{stream}_{field}"), *value));
            };
            set("settings", &[("valid", 1), ("rtt", 64), ("saturation", 128)]);
            set("settings", self.settings);
            if cycle == 2 {
                set("command", &[("valid", 1), ("op", op::OPEN), ("start", self.start), ("mode", self.mode)]);
                set("command", &[("space", self.space), ("fixed", 1)]);
            }
            if let Some(ev) = good.or(ecn) {
                set("feedback", &[("valid", 1), ("ev", WIRE_BASE + ev), ("kind", ecn.is_some().into())]);
            }
            set("request", &[("valid", self.requests.contains(&cycle).into()), ("free_ports", 1)]);
        });
        compare(&root().join("docs/images").join(file), &svg.expect("it draws"));
    }
}

/// The last EVs of a round and the first of the next.
#[test]
fn entropy_selector_rounds() {
    let run = Run {
        mode: mode::OBLIVIOUS,
        start: 2,
        good: &[],
        ecn: &[],
        requests: &[24, 25, 26, 27, 28, 29],
        settings: &[("seed", 0x1234)],
        space: 2,
    };
    let row = |field: &str| signal(&format!("rounds.modified_row_{field}")).when("rounds.modified_valid");
    let lines = [
        signal("request_valid").tones(&[(27, 1), (28, 2)]),
        gap(),
        row("index").tones(&[(32, 1), (33, 2)]),
        row("lfsr").tones(&[(32, 1), (33, 2)]),
        gap(),
        signal("grant_valid"),
        signal("grant_ev").when("grant_valid").tones(&[(35, 1), (36, 2)]),
    ];
    let title = "entropy_selector: in mode oblivious a round ends with the fourth grant, and the LFSR makes its steps";
    run.draw("entropy-selector-rounds.svg", title, 23..40, &lines);
}

/// A suspect EV is kept until the path may change.
#[test]
fn entropy_selector_path() {
    let run = Run {
        mode: mode::SINGLE_PATH,
        start: 4,
        good: &[],
        ecn: &[(114, 4)],
        requests: &[40, 122, 124, 126, 128, 130],
        settings: &[("idle", 200), ("reroute", 1)],
        space: 0,
    };
    let row = |field: &str| signal(&format!("paths.modified_row_{field}")).when("paths.modified_valid");
    let lines = [
        signal("feedback_valid").tones(&[(114, 1)]),
        signal("feedback_ev").when("feedback_valid").tones(&[(114, 1)]),
        gap(),
        signal("request_valid").tones(&[(128, 2)]),
        signal("to_leave_0_valid"),
        row("ev").tones(&[(132, 2)]),
        row("reroute_at").tones(&[(132, 2)]),
        gap(),
        signal("grant_valid"),
        signal("grant_ev").when("grant_valid").tones(&[(136, 2)]),
    ];
    let title = "entropy_selector: in mode single_path EV 4 is suspect, and moves when that is due";
    run.draw("entropy-selector-path.svg", title, 113..140, &lines);
}

/// Lines of feedback, of the slots that requests are served from, and of grants.
fn ring_lines(tones: &[(u64, u8)]) -> Vec<Line> {
    let later = |clocks: u64| tones.iter().map(|(cycle, tone)| (cycle + clocks, *tone)).collect::<Vec<_>>();
    vec![
        signal("feedback_valid").tones(tones),
        signal("feedback_ev").when("feedback_valid").tones(tones),
        gap(),
        signal("request_valid").tones(&later(8)),
        signal("ring_grant_ring").when("admitted_4_valid").tones(&later(12)),
        signal("ring_grant_slot").when("admitted_4_valid").tones(&later(12)),
        gap(),
        signal("grant_valid"),
        signal("grant_ev").when("grant_valid").tones(&later(16)),
    ]
}

/// Two EVs come back, and are used once each.
#[test]
fn entropy_selector_reps() {
    let run = Run {
        mode: mode::REPS,
        start: 0,
        good: &[(26, 3), (27, 9)],
        ecn: &[],
        requests: &[32, 33, 34, 35, 36, 37],
        settings: &[("seed", 0x1234)],
        space: 0,
    };
    let title = "entropy_selector: in mode reps EV 3 and EV 9 come back, and requests of 8 cycles later use them again";
    run.draw("entropy-selector-reps.svg", title, 25..47, &ring_lines(&[(26, 1), (27, 2)]));
}

/// An EV comes back among those that the bitmap chooses.
#[test]
fn entropy_selector_mixed() {
    let run = Run {
        mode: mode::MIXED,
        start: 0,
        good: &[(26, 9)],
        ecn: &[],
        requests: &[32, 33, 34, 35, 36],
        settings: &[],
        space: 0,
    };
    let title =
        "entropy_selector: in mode mixed EV 9 comes back; the third request uses it, the bitmap serves the others";
    run.draw("entropy-selector-mixed.svg", title, 25..46, &ring_lines(&[(26, 1)]));
}

/// An EV is passed over once for each ECN.
#[test]
fn entropy_selector_penalty() {
    let run = Run {
        mode: mode::PENALTY,
        start: 0,
        good: &[],
        ecn: &[(26, 2)],
        requests: &[34, 35, 36, 50, 51, 52, 53],
        settings: &[],
        space: 2,
    };
    let lines = [
        signal("feedback_valid").tones(&[(26, 1)]),
        signal("feedback_ev").when("feedback_valid").tones(&[(26, 1)]),
        gap(),
        signal("request_valid").tones(&[(36, 1), (52, 2)]),
        signal("grant_valid"),
        signal("grant_ev").when("grant_valid").tones(&[(44, 1), (60, 2)]),
        gap(),
        signal("penalties.passed_1_valid").tones(&[(45, 1)]),
        signal("penalties.modified_valid").tones(&[(32, 1), (50, 1)]),
        signal("penalties.modified_row").when("penalties.modified_valid").tones(&[(32, 1), (50, 1)]),
    ];
    let title =
        "entropy_selector: in mode counting EV 2 of 4 is passed over once, and free for requests 8 cycles later";
    run.draw("entropy-selector-penalty.svg", title, 25..63, &lines);
}
