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

/// Some cases of an experiment, each with one seed, and whether what is known of them holds.
fn some(name: &str, cases: &[&str], set: &[&str]) -> Report {
    let text = library::text(name).expect("it comes with the program");
    let set: Vec<_> = ["experiment.seeds=1"].iter().chain(set).map(|&set| set.to_owned()).collect();
    let experiment = Experiment::read(text, &set, Path::new(".")).expect("it can be read");
    let find = |case: &&str| experiment.cases.iter().find(|plan| plan.name == *case).expect(case);
    let runs: Vec<_> = cases.iter().map(|case| run(find(case), 1)).collect();
    let report = Report::of(&experiment, &runs, "test");
    let broken: Vec<_> = report.broken().collect();
    assert!(broken.is_empty(), "{name}: {broken:?}");
    assert!(report.checks.iter().all(|check| check.holds), "{name}: {:?}", report.checks);
    report
}

/// Fewer cycles.
const SHORT: [&str; 2] = ["measure.warmup_cycles=2000", "measure.cycles=1500"];

#[test]
fn dragonfly_bounds() {
    let report = some("dragonfly-bounds", &["min ADV+1 h=4", "min ADVc h=4"], &[]);
    assert_eq!(report.checks.len(), 2);
}

#[test]
fn dragonfly_latencies() {
    let report = some("dragonfly-latency", &["lia ADV+1 0.1", "valiant ADV+1 0.1", "lia ADVc 0.3"], &[]);
    assert_eq!(report.checks.len(), 4);
}

#[test]
fn dragonfly_after_saturation() {
    let report = some("dragonfly-saturation", &["valiant ADV+1 0.6", "lia ADV+1 0.6"], &SHORT);
    assert!(figure(&report, "lia ADV+1 0.6", "accepted") > 1.05 * figure(&report, "valiant ADV+1 0.6", "accepted"));
}

#[test]
fn dragonfly_of_another_size() {
    let cases = ["lia h=2 ADVc 0.3", "valiant h=2 ADVc 0.3", "lia h=3 ADV+3 0.3", "valiant h=3 ADV+3 0.3"];
    some("dragonfly-sizes", &cases, &[]);
}

#[test]
fn dragonfly_whose_traffic_changes() {
    let report = some("dragonfly-transient", &["lia ADV+1"], &[]);
    assert_eq!(report.checks.len(), 1);
}

#[test]
fn dragonfly_with_several_links_between_groups() {
    let of = |case: &str| format!("{case}; traffic.load=0.4");
    let (one, four) = (of("t=1 neighbours lia"), of("t=4 apart lia"));
    let report = some("dragonfly-trunks", &[&one, &four], &SHORT);
    assert!(figure(&report, &four, "second hops") < 0.5 * figure(&report, &one, "second hops"), "Y10");
}

#[test]
fn dragonfly_under_a_load() {
    let of = |case: &str| format!("{case}; traffic.load=0.2");
    let cases = ["valiant", "ugal", "piggyback", "acor", "tpr", "lia"].map(|policy| of(&format!("{policy} ADV+1")));
    let names: Vec<_> = cases.iter().map(String::as_str).collect();
    let report = some("dragonfly-load", &names, &SHORT);
    let mean = |at: usize| figure(&report, &cases[at], "mean");
    assert!((0..5).all(|other| mean(5) <= mean(other) * 1.02), "LIA is the soonest: {:?}", report.cases);
}

#[test]
fn dragonfly_variants() {
    let report = some("dragonfly-variants", &["lia h=4 ADVc 0.6", "late h=4 ADVc 0.6"], &SHORT);
    assert!(figure(&report, "late h=4 ADVc 0.6", "accepted") > 1.05 * figure(&report, "lia h=4 ADVc 0.6", "accepted"));
}

/// Every experiment that comes with the program has its figures and its test here.
#[test]
fn every_experiment_is_run() {
    let tests = include_str!("short.rs");
    for (name, _) in library::EXPERIMENTS {
        assert!(tests.contains(&format!("(\"{name}\"")), "{name}");
    }
}
