// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench of timed vectors, on a selector that runs the oracle: it passes right outputs and names wrong ones.

use crate::common::selector;
use golden_vectors::transmit::entropy_selector::oracle::{Mode, Shape};
use golden_vectors::{TimedCase, TimedFile, TimedGroup};
use selector::{FakeSelector, Fault};
use testbench::conform::timed_bench::run;

fn file() -> TimedFile {
    TimedFile::embedded_stage("entropy_selector").unwrap().unwrap()
}

fn case<'a>(file: &'a TimedFile, id: &str) -> (&'a TimedGroup, &'a TimedCase) {
    let all = file.groups.iter().flat_map(|group| group.tests.iter().map(move |test| (group, test)));
    all.into_iter().find(|(_, test)| test.id == id).unwrap()
}

fn shape(group: &TimedGroup) -> Shape {
    let value = |name: &str| group.configuration[name];
    let shape = Shape::new(value("cccs"), value("evs")).ram_latency(value("ram_latency"));
    shape.modes(value("modes")).ports(value("ports")).wire(value("wire_base"), value("wire_range"))
}

/// The problems that the bench reports for a device with a fault.
fn problems(id: &str, fault: Fault) -> Vec<String> {
    let file = file();
    let (group, case) = case(&file, id);
    let mut dut = FakeSelector::new(shape(group), fault);
    run(&mut dut, group, case).unwrap().problems
}

const CASE: &str = "walk-c1e16/start-0";

#[test]
fn the_oracle_passes_all_cases_of_a_configuration_one_behind_the_other() {
    let file = file();
    let latencies = [1, 3].map(|latency| (Shape::new(3, 16).ram_latency(latency), 4));
    let modes = [(Shape::new(3, 16).modes(Mode::MASK), 5)];
    for (size, least) in [(Shape::new(3, 16), 8), (Shape::new(4, 256), 8)].into_iter().chain(latencies).chain(modes) {
        let mut dut = FakeSelector::new(size, |_| {});
        let groups: Vec<_> = file.groups.iter().filter(|group| shape(group) == size).collect();
        assert!(groups.len() >= least, "{size:?}");
        for group in groups {
            for case in group.tests.iter().filter(|case| case.cycles < 300) {
                let result = run(&mut dut, group, case).unwrap();
                assert!(result.passed(), "{}: {:?}", result.id, result.problems);
            }
        }
    }
}

#[test]
fn a_wrong_grant_is_named() {
    let wrong = problems(CASE, |answer| answer.grants.iter_mut().take(1).for_each(|grant| grant.ev ^= 8));
    assert_eq!(wrong, ["grant_ev in cycle 29: 56120, expected 56112"]);
    let saturated = problems(CASE, |answer| answer.grants.iter_mut().skip(1).for_each(|grant| grant.saturated = true));
    assert_eq!(saturated.len(), 3);
}

#[test]
fn a_late_grant_is_named() {
    let late = problems(CASE, |answer| answer.grants.iter_mut().skip(3).for_each(|grant| grant.cycle += 1));
    let expected = "ccc 0 open 1 blocked 0 ev 56115 saturated 0 port 0";
    let lines = [
        format!("grant in cycle 32: nothing, expected {expected}"),
        format!("grant in cycle 33: {expected}, expected nothing"),
    ];
    assert_eq!(late, lines);
}

#[test]
fn a_missing_grant_and_a_missing_response_are_named() {
    let missing = problems(CASE, |answer| answer.grants.truncate(3));
    assert_eq!(missing, ["grant in cycle 32: nothing, expected ccc 0 open 1 blocked 0 ev 56115 saturated 0 port 0"]);
    let response = problems(CASE, |answer| answer.responses.clear());
    assert_eq!(
        response,
        ["response in cycle 21: nothing, expected op 1 ccc 0 done 1 open 1 last 0 marked 0 mode 0 space 0 rtt_class 0"]
    );
}

#[test]
fn a_wrong_counter_is_named() {
    assert_eq!(problems(CASE, |answer| answer.feedback_range += 2), ["feedback_range: 2, expected 0"]);
}

#[test]
fn many_problems_are_counted() {
    let many = problems("walk-c1e16/rounds", |answer| answer.grants.clear());
    assert!(many.len() == 9 && many[8].starts_with("and "), "{many:?}");
}

#[test]
fn levels_and_missing_ports_are_named() {
    let file = file();
    let (group, case) = case(&file, "walk-c3e16/start-0");
    // A device with another number of CCCs sweeps for another number of cycles.
    let mut dut = FakeSelector::new(Shape::new(4, 16), |_| {});
    let problems = run(&mut dut, group, case).unwrap().problems;
    assert!(problems.contains(&"busy in cycle 3: 1, expected 0".to_owned()), "{problems:?}");
    assert!(problems.contains(&"command_ready in cycle 3: 0, expected 1".to_owned()), "{problems:?}");
    let mut dut = FakeSelector::new(Shape::new(3, 32), |_| {});
    assert!(run(&mut dut, group, case).is_err(), "another width");
}
