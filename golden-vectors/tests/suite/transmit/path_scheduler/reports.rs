// SPDX-License-Identifier: MIT OR Apache-2.0
//! T25 and T26: what is reported, and that nothing is lost.

use super::help::*;
use golden_vectors::transmit::path_scheduler::oracle::Kind::{Ecn, Good, Timeout};
use golden_vectors::transmit::path_scheduler::oracle::{
    Answer, Causes, Command, Event, Feedback, Granularity, Kind, Op, Packet, Report, Request, Settings, Shape, State,
    answer,
};
use proptest::collection::vec;
use proptest::prelude::*;

const SETTINGS: Settings = Settings::new(1, 0, 1).migrate(1);

/// QP, sub-path, more; failed, all failed, congested, saturated.
type Told = (u64, u64, bool, [bool; 4]);

fn told_of(reports: &[Report]) -> Vec<Told> {
    let causes = |causes: Causes| [causes.failed, causes.all_failed, causes.congested, causes.saturated];
    reports.iter().map(|report| (report.qp, report.path, report.more, causes(report.causes))).collect()
}

#[test]
fn m116_each_cause() {
    let report = |settings: Settings, weights: &[u64], count: u64, kinds: &[Kind]| {
        let events = [stream(400, count), told(500, 0, kinds)].concat();
        told_of(&run_with(settings, Granularity::Flow, weights, &events).reports)
    };
    assert_eq!(report(SETTINGS, &[3], 1, &[Good]), []);
    assert_eq!(report(SETTINGS, &[3], 1, &[Ecn]), [(0, 0, false, [false, false, true, false])]);
    assert_eq!(report(SETTINGS, &[3, 3], 1, &[Timeout]), [(0, 0, false, [true, false, true, false])]);
    assert_eq!(report(SETTINGS, &[3], 1, &[Timeout]), [(0, 0, false, [true, true, true, false])]);
    assert_eq!(report(SETTINGS.window(2), &[3], 2, &[Good]), [(0, 0, false, [false, false, false, true])]);
    assert_eq!(report(SETTINGS.window(2), &[3], 2, &[Good, Ecn]), [(0, 0, false, [false, false, true, true])]);
    assert_eq!(report(SETTINGS.migrate(0), &[3], 2, &[Ecn, Ecn]), []);
}

/// M75: a QP hears of the last one that fails.
#[test]
fn m75_all_failed() {
    let mut events = stream(400, 4);
    events.extend([feedback(500, 0, Timeout), feedback(600, 1, Timeout), data(700)]);
    let answer = run_with(SETTINGS.migrate(0), Granularity::Packet, &[3, 3], &events);
    let expected = [(0, 0, false, [true, false, false, false]), (0, 1, false, [true, true, false, false])];
    assert_eq!((told_of(&answer.reports).as_slice(), answer.no_path_requests), (expected.as_slice(), 1));
}

/// What is not taken merges; the sub-path is that of the first cause, and `more` says that there are others.
#[test]
fn t26_a_consumer_that_is_late() {
    let ready = |at, level| (at, Event::Ready(level));
    let mut events = stream(400, 8);
    events.extend([ready(410, false), feedback(500, 1, Ecn), feedback(540, 1, Timeout), feedback(541, 0, Timeout)]);
    events.push(ready(700, true));
    let answer = run_with(SETTINGS, Granularity::Packet, &[3, 3], &events);
    let expected = [(0, 1, false, [false, false, true, false]), (0, 1, true, [true, true, true, false])];
    assert_eq!(told_of(&answer.reports), expected);
    // e + 5, 7 and 4 cycles; then one cycle after it was taken, and 4 more.
    assert_eq!([0, 1].map(|n| (answer.reports[n].cycle, answer.reports[n].last)), [(516, Some(700)), (705, Some(705))]);
}

/// Causes in each cycle keep events from leaving, and are in it.
#[test]
fn t26_no_fetch_in_a_cycle_with_a_cause() {
    let mut events = running(Granularity::Packet, &[3, 3, 3, 3]);
    events.extend(stream(400, 40));
    // The first could leave with 512, in which a cause comes.
    events.extend([feedback(500, 2, Ecn), feedback(507, 1, Ecn), feedback(508, 0, Ecn), feedback(509, 3, Timeout)]);
    let reports = answer(SHAPE, SETTINGS, &events).reports;
    assert_eq!(told_of(&reports), [(0, 2, true, [true, false, true, false])]);
    assert_eq!(reports[0].cycle, 515 + 4);
}

/// All that must be reported, told from reads after every feedback: sub-paths that failed or became avoided.
fn changes(answer: &Answer) -> (u64, u64) {
    let (mut failed, mut avoided) = (0, 0);
    let mut last = [(State::Absent, false); 4];
    for read in answer.responses.iter().filter(|read| read.qp == 0) {
        let before = std::mem::replace(&mut last[read.path as usize], (read.state, read.avoided));
        failed += u64::from(read.state == State::Failed && before.0 == State::Active);
        avoided += u64::from(read.avoided && !before.1);
    }
    (failed, avoided)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(48), ..ProptestConfig::default() })]

    /// M116: nothing is lost. With a consumer that is always ready, and feedback far apart, every change is one event; with
    /// any other consumer the events merge to the same causes, each QP is there at most once, and events never overlap.
    #[test]
    fn m116_nothing_is_lost(
        kinds in vec((0..4u64, 0..5usize), 30),
        levels in vec(any::<bool>(), 60),
    ) {
        let mut events = running(Granularity::Packet, &[3, 3, 3, 3]);
        events.extend(stream(400, 80));
        for (at, &(path, kind)) in (600..).step_by(40).zip(&kinds) {
            let kind = [Good, Ecn, Ecn, Timeout, Good][kind];
            events.extend([feedback(at, path, kind), op(at, Op::Read, path, 0)]);
        }
        let settings = Settings::new(1, 2, 2).migrate(2);
        let prompt = answer(SHAPE, settings, &events);
        let (failed, avoided) = changes(&prompt);
        let count = |of: fn(&Causes) -> bool| prompt.reports.iter().filter(|report| of(&report.causes)).count() as u64;
        prop_assert_eq!((count(|causes| causes.failed), count(|causes| causes.congested)), (failed, avoided));

        let toggles = (590..).step_by(23).zip(&levels).map(|(at, &level)| (at, Event::Ready(level)));
        let mut late = events.clone();
        late.extend(toggles);
        late.push((3000, Event::Ready(true)));
        late.sort_by_key(|&(cycle, _)| cycle);
        let late = answer(SHAPE, settings, &late);
        let all = |answer: &Answer| {
            answer.reports.iter().fold(Causes::default(), |all, report| all.with(report.causes))
        };
        prop_assert_eq!(all(&late), all(&prompt));
        prop_assert!(late.reports.iter().all(|report| report.last.is_some()));
        prop_assert!(late.reports.windows(2).all(|pair| pair[0].last.is_some_and(|last| last < pair[1].cycle)));
    }

    /// M116: many QPs at once: each is reported, in the order of their first causes.
    #[test]
    fn m116_all_qps_are_reported(order in vec(0..8u64, 1..30)) {
        let shape = Shape::new(8, 2);
        let mut events = Vec::new();
        for qp in 0..8 {
            let on = |op| Command::new(op, qp, 0).weight(5);
            let open = Command::open(qp, 0, 0, Granularity::Flow);
            events.extend((20 + 60 * qp..).step_by(20).zip([open, on(Op::Add), on(Op::Start)].map(Event::Command)));
        }
        events.extend((600..640).map(|at| (at, Event::Request(Request { qp: at % 8, kind: Packet::Data, path: 0 }))));
        events.extend((700..).zip(&order).map(|(at, &qp)| (at, Event::Feedback(Feedback::new(qp, 0, Timeout)))));
        let reports = answer(shape, SETTINGS, &events).reports;
        let mut first = Vec::new();
        order.iter().for_each(|qp| if !first.contains(qp) { first.push(*qp) });
        prop_assert_eq!(reports.iter().map(|report| report.qp).collect::<Vec<_>>(), first);
        prop_assert!(reports.iter().all(|report| report.causes.all_failed));
    }
}
