// SPDX-License-Identifier: MIT OR Apache-2.0
//! A short form of every experiment: one seed, and of the longest ones shorter messages.

use fabric::experiment::{Experiment, run};
use fabric::library;
use fabric::result::{CaseResult, Report};
use std::path::Path;

fn ran(name: &str, set: &[&str]) -> Report {
    let text = library::text(name).expect("it comes with the program");
    let set: Vec<_> = ["experiment.seeds=1"].iter().chain(set).map(|&set| set.to_owned()).collect();
    let experiment = Experiment::read(text, &set, Path::new(".")).expect("it can be read");
    let runs: Vec<_> = experiment.tasks().iter().map(|&(case, seed)| run(&experiment.cases[case], seed)).collect();
    let report = Report::of(&experiment, &runs, "test");
    let broken: Vec<_> = report.broken().collect();
    assert!(broken.is_empty(), "{name}: {broken:?}");
    report
}

/// One seed is as near as twice what the mean of ten may be apart.
fn holds(name: &str) {
    let report = ran(name, &[]);
    assert!(!report.checks.is_empty());
    for check in &report.checks {
        let far = if check.bound == "most" { check.difference } else { check.difference.abs() };
        assert!(far <= (2.0 * check.tolerance).max(10.0), "{name}: {check:?}");
    }
}

fn figure(report: &Report, case: &str, figure: &str) -> f64 {
    let case: &CaseResult = report.cases.iter().find(|other| other.name == case).expect("the case");
    case.figures[figure].mean
}

#[test]
fn u1_permutation_in_a_fat_tree() {
    holds("u1");
}

#[test]
fn u2_permutation_over_spines() {
    holds("u2");
}

#[test]
fn u3_incast() {
    holds("u3");
}

#[test]
fn u4_a_slow_spine() {
    let report = ran("u4", &["traffic.bytes=2_000_000"]);
    assert!(report.checks.is_empty(), "nothing is known of shorter messages");
    let oblivious = figure(&report, "oblivious", "mean");
    for case in ["mixed", "bitmap", "penalty", "reps"] {
        assert!(figure(&report, case, "mean") < oblivious, "{case} is not better than {oblivious}");
        assert!(figure(&report, case, "trimmed") < figure(&report, "oblivious", "trimmed"), "{case}");
    }
}

#[test]
fn u5_a_slow_uplink() {
    holds("u5");
}

#[test]
fn u6_dead_uplinks() {
    let report = ran("u6", &[]);
    assert!(figure(&report, "reps", "largest") < 0.9 * figure(&report, "oblivious", "largest"));
    assert!(figure(&report, "reps", "dropped") < 0.7 * figure(&report, "oblivious", "dropped"));
}

#[test]
fn random_messages_against_ecmp() {
    let report = ran("load", &["traffic.until_us=40"]);
    for load in ["0.3", "0.5", "0.8"] {
        let of = |kind: &str, name: &str| figure(&report, &format!("{kind} {load}"), name);
        assert_eq!(
            of("mixed", "data packets") - of("mixed", "retransmissions"),
            of("ecmp", "data packets") - of("ecmp", "retransmissions")
        );
        assert!(of("mixed", "p99") < of("ecmp", "p99"), "{load}");
    }
}

#[test]
fn one_message_alone() {
    let report = ran("single", &[]);
    // Nothing competes, so there is no chance in it.
    assert!(report.checks.len() == 2 && report.checks.iter().all(|check| check.holds), "{:?}", report.checks);
}

#[test]
fn incast_of_all_hosts() {
    holds("incast16");
    let report = ran("incast128", &["traffic.bytes=300_000"]);
    // Of windows most of the first packets are trimmed; credit stops that after a round trip.
    assert!(figure(&report, "rccc", "trimmed") * 2.0 < figure(&report, "nscc", "trimmed"));
}

#[test]
fn permutation_of_1024_hosts() {
    let report = ran("permutation1024", &["traffic.bytes=100_000"]);
    for case in ["nscc", "rccc"] {
        // 25 packets of 332 ns, and a round trip of 14 us.
        assert!((22.0..30.0).contains(&figure(&report, case, "mean")), "{:?}", report.cases);
    }
}

/// Every experiment that comes with the program has its figures and its test here.
#[test]
fn every_experiment_is_run() {
    let tests = include_str!("short.rs");
    for (name, _) in library::EXPERIMENTS {
        assert!(tests.contains(&format!("(\"{name}\"")), "{name}");
    }
}
