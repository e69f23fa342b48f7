// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of both ELAB stages against their oracles, under random traffic at up to one event of each kind per clock
//! cycle.

use golden_vectors::elab::feedback::oracle as elab_feedback;
use golden_vectors::elab::scheduler::oracle as elab_scheduler;
use pipeline::elab::ElabSizes;
use pipeline::elab::feedback::{ElabFeedbackConfig, ElabFeedbackSettings};
use pipeline::elab::scheduler::{ElabSchedulerConfig, ElabSchedulerSettings};
use rtl_model::Design;
use rtl_model::role::Role;
use std::collections::BTreeMap;
use testbench::device::drive::Drive;
use testbench::device::model::model_of;
use testbench::device::random::Random;
use testbench::drives::constrained::ConstrainedDrive;
use testbench::drives::elab::{elab_feedback_drive, elab_scheduler_drive};
use testbench::{Error, Ports};
use tier::pick;

/// The inputs or outputs of one cycle by name.
struct Cycle<'a> {
    ports: &'a [testbench::Port],
    row: &'a [u64],
}

impl Cycle<'_> {
    fn get(&self, name: &str) -> u64 {
        self.row[self.ports.iter().find(|port| port.name == name).unwrap_or_else(|| panic!("{name}")).offset]
    }

    fn is(&self, name: &str) -> bool {
        self.get(name) == 1
    }
}

type Traffic = fn(&Ports, ElabSizes, Random) -> Result<ConstrainedDrive, Error>;

/// Runs a model after a reset: `watch` sees the outputs of every cycle, then its inputs. Nothing is asked in the last
/// cycles, so that everything is answered and counted. Returns the last outputs.
fn run<D: Design + 'static>(
    design: &D,
    traffic: Traffic,
    (sizes, seed, cycles): (ElabSizes, u64, u64),
    writes_settings: bool,
    mut watch: impl FnMut(u64, Cycle, Cycle),
) -> BTreeMap<String, u64> {
    let mut dut = model_of(design).expect("it elaborates");
    let ports = dut.ports().clone();
    let mut drive = traffic(&ports, sizes, Random::new(seed)).expect("it has the ports").reset(0.0);
    let (mut input, mut output) = (vec![0; ports.input_limbs()], vec![0; ports.output_limbs()]);
    assert!(drive.drive(&output, &mut input), "it begins with a reset");
    dut.clock(true, &input);
    for cycle in 0..cycles {
        dut.outputs(&mut output);
        drive.drive(&output, &mut input);
        for port in ports.inputs.iter().filter(|port| cycle + 40 > cycles && port.role == Role::Valid) {
            input[port.offset] = 0;
        }
        for port in ports.inputs.iter().filter(|port| !writes_settings && port.name == "settings_valid") {
            input[port.offset] = 0;
        }
        watch(cycle, Cycle { ports: &ports.outputs, row: &output }, Cycle { ports: &ports.inputs, row: &input });
        dut.clock(false, &input);
    }
    dut.outputs(&mut output);
    ports.outputs.iter().map(|port| (port.name.clone(), output[port.offset])).collect()
}

fn all<T: PartialEq + std::fmt::Debug>(got: &[T], want: &[T], what: &str) {
    for (got, want) in got.iter().zip(want) {
        assert_eq!(got, want, "{what}");
    }
    assert_eq!(got.len(), want.len(), "{what}");
}

/// Number of packets granted and of bursts begun.
fn scheduler(sizes: ElabSizes, seed: u64, cycles: u64) -> (usize, u64) {
    scheduler_of(ElabSchedulerConfig::new(sizes), true, seed, cycles)
}

/// The same with settings after reset, to which others are written or not.
fn scheduler_of(design: ElabSchedulerConfig, writes_settings: bool, seed: u64, cycles: u64) -> (usize, u64) {
    use elab_scheduler::{Command, Event, Grant, Notice, Report, Response, Settings, Shape, answer};
    let sizes = design.sizes;
    let (mut events, mut grants, mut responses) = (Vec::new(), Vec::new(), Vec::new());
    let (mut dead, mut returned) = (Vec::new(), Vec::new());
    let mut settings = None;
    let last = run(&design, elab_scheduler_drive, (sizes, seed, cycles), writes_settings, |cycle, out, input| {
        if out.is("grant_valid") {
            let (pair, ok, vp) = (out.get("grant_pair"), out.is("grant_ok"), out.get("grant_vp"));
            grants.push(Grant { cycle, pair, ok, vp, sport: out.get("grant_sport"), burst: out.get("grant_burst") });
        }
        if out.is("response_valid") {
            responses.push(Response {
                cycle,
                op: out.get("response_op"),
                pair: out.get("response_pair"),
                sport: out.get("response_sport"),
                done: out.is("response_done"),
                present: out.is("response_present"),
                port: out.get("response_port"),
                bandwidth: out.get("response_bandwidth"),
                rate: out.get("response_rate"),
                probe_armed: out.is("response_probe_armed"),
                dead: out.is("response_dead"),
            });
        }
        for (name, notices) in [("dead", &mut dead), ("returned", &mut returned)] {
            if out.is(&format!("{name}_valid")) {
                let get = |field: &str| out.get(&format!("{name}_{field}"));
                notices.push(Notice { cycle, pair: get("pair"), sport: get("sport") });
            }
        }
        let get = |name: &str| input.get(name);
        let [alpha, window, explore, burst] =
            ["alpha", "window", "explore", "burst"].map(|x| get(&format!("settings_{x}")));
        let values = Settings::new(alpha, window, explore, burst).silence(get("settings_silence"));
        let now = Settings { valid: input.is("settings_valid"), ..values };
        if settings.replace(now) != Some(now) {
            events.push((cycle, Event::Settings(now)));
        }
        if input.is("command_valid") {
            let (op, pair, sport) = (get("command_op"), get("command_pair"), get("command_sport"));
            events.push((cycle, Event::Command(Command { op, pair, sport, bandwidth: get("command_bandwidth") })));
        }
        if input.is("report_valid") {
            events.push((
                cycle,
                Event::Report(Report {
                    pair: get("report_pair"),
                    vp: get("report_vp"),
                    count: get("report_count"),
                    ecn: input.is("report_ecn"),
                    probed: input.is("report_probed"),
                    rate: get("report_rate"),
                }),
            ));
        }
        if input.is("request_valid") {
            let request = if input.is("request_empty") { Event::Empty } else { Event::Request };
            events.push((cycle, request(get("request_pair"))));
        }
    });
    let shape = Shape::new(sizes.pairs, sizes.vps, sizes.unit).ram_latency(sizes.ram_latency.into());
    let ElabSchedulerSettings { alpha, window, explore, burst, silence } = design.settings;
    let shape = shape.reset_to(Settings::new(alpha, window, explore, burst).silence(silence));
    let expected = answer(shape, Settings::default(), &events);
    let what = format!("{sizes:?} seed {seed}");
    all(&responses, &expected.responses, &what);
    all(&grants, &expected.grants, &what);
    all(&dead, &expected.dead, &what);
    all(&returned, &expected.returned, &what);
    let counters = [
        ("refused_requests", expected.refused_requests),
        ("no_vp_requests", expected.no_vp_requests),
        ("refused_reports", expected.refused_reports),
        ("absent_reports", expected.absent_reports),
        ("bursts", expected.bursts),
        ("deaths", expected.deaths),
        ("returns", expected.returns),
    ];
    for (name, count) in counters {
        assert_eq!(last[name], count, "{what}: {name}");
    }
    (grants.iter().filter(|grant| grant.ok).count(), expected.bursts)
}

fn scheduler_answers_as_the_contract_says(ram_latency: u32) {
    let (mut granted, mut bursts, mut cycles) = (0, 0, 0);
    let seeds = pick(0..16, 3);
    for &seed in &seeds {
        for (pairs, vps, unit) in [(1, 2, 8), (1, 8, 8), (3, 4, 9), (5, 8, 200), (4, 64, 17)] {
            cycles += 8000;
            let of_run = scheduler(ElabSizes { ram_latency, ..ElabSizes::new(pairs, vps, unit) }, seed, 8000);
            granted += of_run.0;
            bursts += of_run.1;
        }
    }
    assert!(granted > cycles / 5, "{granted} packets in {cycles} cycles are not worth the name of traffic");
    assert!(bursts > 30 * seeds.len() as u64, "{bursts} bursts are too few");
}

#[test]
fn reports_and_requests_are_answered_as_the_contract_says() {
    scheduler_answers_as_the_contract_says(2);
}

#[test]
fn they_are_without_output_registers_of_memories() {
    scheduler_answers_as_the_contract_says(1);
}

#[test]
fn they_are_with_a_register_behind_those() {
    scheduler_answers_as_the_contract_says(3);
}

/// Number of reports, of those with the rate of a burst, and of pairs that needed one of their own.
fn feedback(sizes: ElabSizes, seed: u64, cycles: u64) -> [usize; 3] {
    feedback_of(ElabFeedbackConfig::new(sizes), true, seed, cycles)
}

/// The same with settings after reset, to which others are written or not.
fn feedback_of(design: ElabFeedbackConfig, writes_settings: bool, seed: u64, cycles: u64) -> [usize; 3] {
    use elab_feedback::{Arrival, Due, Event, Report, Settings, Shape, answer, due};
    let sizes = design.sizes;
    let (mut events, mut reports, mut dues) = (Vec::new(), Vec::new(), Vec::new());
    let (mut settings, mut due_ready) = (None, true);
    let last = run(&design, elab_feedback_drive, (sizes, seed, cycles), writes_settings, |cycle, out, input| {
        if out.is("report_valid") {
            reports.push(Report {
                cycle,
                pair: out.get("report_pair"),
                ok: out.is("report_ok"),
                vp: out.get("report_vp"),
                count: out.get("report_count"),
                ecn: out.is("report_ecn"),
                probed: out.is("report_probed"),
                rate: out.get("report_rate"),
            });
        }
        let get = |name: &str| input.get(name);
        let [burst, report_time] = ["settings_burst", "settings_report_time"].map(get);
        let now = Settings { valid: input.is("settings_valid"), burst, report_time };
        if settings.replace(now) != Some(now) {
            events.push((cycle, Event::Settings(now)));
        }
        if input.is("command_valid") {
            events.push((cycle, Event::Command(get("command_pair"))));
        }
        if input.is("arrival_valid") {
            let (pair, sport, ecn) = (get("arrival_pair"), get("arrival_sport"), input.is("arrival_ecn"));
            events.push((cycle, Event::Arrival(Arrival { pair, sport, ecn, burst: get("arrival_burst") })));
        }
        if input.is("query_valid") {
            events.push((cycle, Event::Query(get("query_pair"))));
        }
        let ready = input.is("due_ready");
        if std::mem::replace(&mut due_ready, ready) != ready {
            events.push((cycle, Event::DueReady(ready)));
        }
        if out.is("due_valid") {
            dues.push(Due { cycle, pair: out.get("due_pair"), taken: ready });
        }
    });
    let shape = Shape::new(sizes.pairs, sizes.vps, sizes.unit).ram_latency(sizes.ram_latency.into());
    let ElabFeedbackSettings { burst, report_time } = design.settings;
    let shape = shape.reset_to(Settings::new(burst).report_time(report_time));
    let expected = answer(shape, Settings::default(), &events);
    let what = format!("{sizes:?} seed {seed}");
    all(&reports, &expected.reports, &what);
    all(&dues, &due(shape, Settings::default(), &events, cycles), &what);
    let counters = [
        ("refused_arrivals", expected.refused_arrivals),
        ("refused_queries", expected.refused_queries),
        ("empty_queries", expected.empty_queries),
    ];
    for (name, count) in counters {
        assert_eq!(last[name], count, "{what}: {name}");
    }
    let count = |which: fn(&Report) -> bool| reports.iter().filter(|report| which(report)).count();
    [count(|report| report.ok), count(|report| report.probed), dues.iter().filter(|due| due.taken).count()]
}

fn feedback_answers_as_the_contract_says(ram_latency: u32) {
    let (mut given, mut probed, mut own, mut cycles) = (0, 0, 0, 0);
    let seeds = pick(0..16, 3);
    for &seed in &seeds {
        for (pairs, vps, unit) in [(1, 2, 8), (1, 8, 8), (3, 4, 9), (5, 8, 200), (4, 64, 65_535)] {
            cycles += 8000;
            let of_run = feedback(ElabSizes { ram_latency, ..ElabSizes::new(pairs, vps, unit) }, seed, 8000);
            given += of_run[0];
            probed += of_run[1];
            own += of_run[2];
        }
    }
    assert!(own > 30 * seeds.len(), "{own} reports of their own are too few");
    assert!(given > cycles / 5, "{given} reports in {cycles} cycles are not worth the name of traffic");
    assert!(probed > 30 * seeds.len(), "{probed} rates of bursts are too few");
}

#[test]
fn arrivals_and_asks_are_answered_as_the_contract_says() {
    feedback_answers_as_the_contract_says(2);
}

#[test]
fn those_are_without_output_registers_of_memories() {
    feedback_answers_as_the_contract_says(1);
}

#[test]
fn those_are_with_a_register_behind_those() {
    feedback_answers_as_the_contract_says(3);
}

/// V20 and W11: without a transfer the settings of the configuration are in force (E16).
#[test]
fn settings_after_reset_are_those_of_the_configuration() {
    let sizes = ElabSizes::new(3, 4, 9);
    let (mut bursts, mut probed) = ([0; 2], [0; 2]);
    for seed in 0..8 {
        for (n, burst) in [3, 0].into_iter().enumerate() {
            let settings = ElabSchedulerSettings { alpha: 200, window: 3, explore: 5, burst, silence: 6 };
            let design = ElabSchedulerConfig { sizes, settings };
            bursts[n] += scheduler_of(design, false, seed, 8000).1;
            let settings = ElabFeedbackSettings { burst: [2, 65_535][n], ..ElabFeedbackSettings::default() };
            probed[n] += feedback_of(ElabFeedbackConfig { sizes, settings }, false, seed, 8000)[1];
        }
    }
    assert!(bursts[0] > 50 && bursts[1] == 0, "{bursts:?}");
    assert!(probed[0] > probed[1], "{probed:?}");
}
