// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed vectors of the sending half: consistent, what the oracle says, and complete in what they cover.

use super::vectors_help::*;
use golden_vectors::elab::scheduler;
use golden_vectors::elab::scheduler::oracle::{Command, Event, Report, Settings, Shape, answer};
use golden_vectors::{TimedCase, TimedFile, TimedGroup};
use std::collections::BTreeSet;

fn file() -> TimedFile {
    committed("elab_scheduler")
}

#[test]
fn file_reads_back_as_it_was_made() {
    reads_back(scheduler::vectors());
}

/// The events of a case as they stand in the file.
fn events(group: &TimedGroup, case: &TimedCase) -> (Shape, Settings, Vec<(u64, Event)>) {
    let [pairs, vps, unit, ram_latency] = ["pairs", "vps", "unit", "ram_latency"].map(|name| group.configuration[name]);
    let all = |value: &dyn Fn(&str) -> u64| {
        let [alpha, window, explore, burst, silence] =
            ["alpha", "window", "explore", "burst", "silence"].map(|name| value(&format!("settings_{name}")));
        Settings { valid: value("settings_valid") == 1, alpha, window, explore, burst, silence }
    };
    let (cycles, stands) = settings(group, case);
    let mut events: Vec<_> =
        cycles.into_iter().map(|at| (at, Event::Settings(all(&|port: &str| stands(port, at))))).collect();
    let request = |empty| if empty == 1 { Event::Empty } else { Event::Request };
    events.extend(case.inputs["request"].iter().map(|row| (row[0], request(row[2])(row[1]))));
    events.extend(case.inputs["report"].iter().map(|row| {
        let [cycle, pair, vp, count, ecn, probed, rate] = row[..] else { panic!("{row:?}") };
        (cycle, Event::Report(Report { pair, vp, count, ecn: ecn == 1, probed: probed == 1, rate }))
    }));
    events.extend(case.inputs["command"].iter().map(|row| {
        let [cycle, op, pair, sport, bandwidth] = row[..] else { panic!("{row:?}") };
        (cycle, Event::Command(Command { op, pair, sport, bandwidth }))
    }));
    events.sort_by_key(|&(cycle, _)| cycle);
    (Shape::new(pairs, vps, unit).ram_latency(ram_latency), all(&|port: &str| group.settings[port]), events)
}

#[test]
fn expectations_are_the_oracle_s() {
    for group in &file().groups {
        for case in &group.tests {
            let (shape, first, events) = events(group, case);
            let answer = answer(shape, first, &events);
            let grants: Vec<_> =
                answer.grants.iter().map(|g| vec![g.cycle, g.pair, g.ok as u64, g.vp, g.sport, g.burst]).collect();
            assert_eq!(case.expect.outputs["grant"], grants, "{}", case.id);
            let response = |r: &golden_vectors::elab::scheduler::oracle::Response| {
                let state = [r.present as u64, r.port, r.bandwidth, r.rate, r.probe_armed as u64, r.dead as u64];
                [&[r.cycle, r.op, r.pair, r.sport, r.done as u64][..], &state].concat()
            };
            let responses: Vec<_> = answer.responses.iter().map(response).collect();
            assert_eq!(case.expect.outputs["response"], responses, "{}", case.id);
            for (name, notices) in [("dead", &answer.dead), ("returned", &answer.returned)] {
                let rows: Vec<_> = notices.iter().map(|notice| vec![notice.cycle, notice.pair, notice.sport]).collect();
                assert_eq!(case.expect.outputs[name], rows, "{}", case.id);
            }
            // Every operation of a case stands where it is accepted.
            assert_eq!(responses.len(), case.inputs["command"].len(), "{}", case.id);
            let counters = [
                ("refused_requests", answer.refused_requests),
                ("no_vp_requests", answer.no_vp_requests),
                ("refused_reports", answer.refused_reports),
                ("absent_reports", answer.absent_reports),
                ("bursts", answer.bursts),
                ("deaths", answer.deaths),
                ("returns", answer.returns),
            ];
            assert_eq!(case.expect.counters, counters.map(|(name, n)| (name.to_owned(), n)).into(), "{}", case.id);
        }
    }
}

/// V14 and V18, from the inputs alone.
#[test]
fn levels_are_known_in_every_cycle() {
    levels(&file(), "report_ready", |latency| latency + 13);
}

#[test]
fn every_row_and_every_flag_occurs() {
    covers(&file(), "V", 25);
}

#[test]
fn answers_take_every_value() {
    let file = file();
    assert_eq!(values(&file, "grant", "vp"), (0..64).collect());
    let bursts = values(&file, "grant", "burst");
    assert!((0..=20).all(|number| bursts.contains(&number)), "{bursts:?}");
    let rates = values(&file, "response", "rate");
    assert!(rates.len() > 300 && (0..24).all(|bit| rates.iter().any(|rate| rate >> bit & 1 == 1)));
    let bandwidths = values(&file, "response", "bandwidth");
    assert!(bandwidths.contains(&0xFF_FFFF) && bandwidths.contains(&0) && bandwidths.contains(&1));
    assert_eq!(values(&file, "response", "probe_armed"), [0, 1].into());
    assert_eq!(values(&file, "response", "dead"), [0, 1].into());
    let notices = |name: &str| file.cases().map(|case| case.expect.outputs[name].len()).sum::<usize>();
    assert!(notices("dead") > 100 && notices("returned") > 30, "{} and {}", notices("dead"), notices("returned"));
    let done = |done: u64| {
        let rows = file.cases().flat_map(|case| &case.expect.outputs["response"]).filter(move |row| row[4] == done);
        rows.map(|row| row[1]).collect::<BTreeSet<_>>()
    };
    assert_eq!((done(1), done(0)), ((0..3).collect(), (0..4).collect()));
}

#[test]
fn load_for_any_size() {
    for (pairs, vps, unit, latency) in [(1, 2, 8, 1), (3, 16, 200, 2), (64, 64, 65_535, 3)] {
        consistent_with(file(), scheduler::load_vectors(Shape::new(pairs, vps, unit).ram_latency(latency)));
    }
}
