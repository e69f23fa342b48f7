// SPDX-License-Identifier: MIT OR Apache-2.0
//! The timing diagrams of the documentation are of real runs.
//!
//! `MPNIC_UPDATE_DOCS=1 cargo test --test cli pictures` draws what has changed.

use crate::docs::compare;
use crate::root;
use pipeline::entropy_selector::EntropySelectorConfig;
use pipeline::tally::TallyConfig;
use testbench::waveform::picture::{gap, of_run, signal};

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
        stage("chosen_amount", "chosen_valid", 15),
        stage("chosen_value", "chosen_valid", 15),
        signal("follows").tones(&[(16, 2)]),
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
    let design = EntropySelectorConfig::new(1, 16);
    let feedback = |path: &str| signal(path).when("feedback_valid").tones(&[(22, 1), (23, 2)]);
    let lines = [
        signal("feedback_valid").tones(&[(22, 1), (23, 2)]),
        feedback("feedback_ev"),
        signal("mark_8_valid").tones(&[(30, 1), (31, 2)]),
        gap(),
        signal("request_valid"),
        signal("walk_word").when("asked_6_valid"),
        signal("here").when("asked_6_valid").tones(&[(36, 1), (37, 2)]),
        signal("ended_evs").when("asked_7_valid").tones(&[(37, 1), (38, 2)]),
        gap(),
        signal("grant_valid"),
        signal("grant_ev").when("grant_valid").tones(&[(38, 1), (39, 2)]),
    ];
    let title = "entropy_selector: EV 2 and EV 3 are marked; requests of 8 cycles later pass over them, one each";
    let svg = of_run(&design, title, 21..41, &lines, |cycle, inputs| {
        inputs.set("settings_rtt", 64);
        inputs.set("settings_limit", 8);
        if cycle == 2 {
            inputs.set("control_valid", 1);
            inputs.set("control_op", 1);
        }
        if let 22 | 23 = cycle {
            inputs.set("feedback_valid", 1);
            inputs.set("feedback_ev", cycle - 20);
            inputs.set("feedback_kind", 1);
        }
        if let 28..32 = cycle {
            inputs.set("request_valid", 1);
        }
    });
    compare(&root().join("docs/images/entropy-selector-marks.svg"), &svg.expect("it draws"));
}
