// SPDX-License-Identifier: MIT OR Apache-2.0
//! The path scheduler's model against the oracle, under random traffic at up to one request and one feedback per clock
//! cycle.

use golden_vectors::path_scheduler::oracle::{
    Control, Event, Feedback, Grant, Granularity, Kind, Packet, Request, Response, Settings, Shape, State, answer,
};
use pipeline::path_scheduler::PathSchedulerConfig;
use testbench::Dut;
use testbench::drive::Drive;
use testbench::model::model_of;
use testbench::random::Random;
use testbench::scheduler_drive::SchedulerDrive;

/// The outputs and the inputs of a run.
struct Run<'a> {
    dut: &'a mut dyn Dut,
    events: Vec<(u64, Event)>,
    grants: Vec<Grant>,
    responses: Vec<Response>,
    settings: Option<Settings>,
}

impl Run<'_> {
    fn watch(&mut self, cycle: u64, row: &[u64]) {
        let ports = self.dut.ports();
        let get = |name: &str| row[ports.output(name).unwrap_or_else(|| panic!("{name}")).offset];
        if get("grant_valid") == 1 {
            self.grants.push(Grant {
                cycle,
                qp: get("grant_qp"),
                ok: get("grant_ok") == 1,
                path: get("grant_path"),
                entropy: get("grant_entropy"),
                psn: get("grant_psn"),
                flags: get("grant_flags"),
                flowlet: get("grant_flowlet"),
                tag: get("grant_tag"),
            });
        }
        if get("response_valid") == 1 {
            let open = get("response_open") == 1;
            let mode = get("response_granularity");
            assert!(open || mode == 0, "cycle {cycle}: a QP that is not open has no granularity");
            self.responses.push(Response {
                cycle,
                op: get("response_op"),
                qp: get("response_qp"),
                path: get("response_path"),
                done: get("response_done") == 1,
                open,
                mode: open.then(|| Granularity::ALL[mode as usize]),
                state: State::ALL[get("response_state") as usize],
                weight: get("response_weight"),
                limit: get("response_limit"),
                congested: get("response_congested") == 1,
                in_flight: get("response_in_flight"),
            });
        }
    }

    fn note(&mut self, cycle: u64, row: &[u64]) {
        let ports = self.dut.ports();
        let get = |name: &str| row[ports.input(name).unwrap_or_else(|| panic!("{name}")).offset];
        let settings = Settings::new(get("settings_flowlet"), get("settings_raise"), get("settings_fail"));
        if self.settings.replace(settings) != Some(settings) {
            self.events.push((cycle, Event::Settings(settings)));
        }
        if get("control_valid") == 1 {
            self.events.push((
                cycle,
                Event::Control(Control {
                    op: get("control_op"),
                    qp: get("control_qp"),
                    path: get("control_path"),
                    psn: get("control_psn"),
                    entropy: get("control_entropy"),
                    mode: get("control_granularity"),
                    weight: get("control_weight"),
                }),
            ));
        }
        if get("feedback_valid") == 1 {
            let (qp, path) = (get("feedback_qp"), get("feedback_path"));
            let kind = Kind::ALL[get("feedback_kind") as usize];
            self.events.push((cycle, Event::Feedback(Feedback { qp, path, kind })));
        }
        if get("request_valid") == 1 {
            let (qp, path) = (get("request_qp"), get("request_path"));
            let kind = Packet::ALL[get("request_kind") as usize];
            self.events.push((cycle, Event::Request(Request { qp, kind, path })));
        }
    }
}

/// Number of packets granted.
fn run(config: PathSchedulerConfig, seed: u64, cycles: u64) -> usize {
    let PathSchedulerConfig { qps, paths, ram_latency, .. } = config;
    let mut dut = model_of(&config).expect("it elaborates");
    let ports = dut.ports().clone();
    let mut drive = SchedulerDrive::new(&ports, qps, paths, Random::new(seed)).expect("it has the ports").reset(0.0);
    let (mut input, mut output) = (vec![0; ports.input_limbs()], vec![0; ports.output_limbs()]);
    dut.outputs(&mut output);
    assert!(drive.drive(&output, &mut input), "it begins with a reset");
    dut.clock(true, &input);
    let mut run = Run { dut: &mut *dut, events: vec![], grants: vec![], responses: vec![], settings: None };
    for cycle in 0..cycles {
        run.dut.outputs(&mut output);
        run.watch(cycle, &output);
        drive.drive(&output, &mut input);
        if cycle + 40 > cycles {
            for valid in ["request_valid", "feedback_valid", "control_valid"] {
                input[ports.input(valid).expect(valid).offset] = 0;
            }
        }
        run.note(cycle, &input);
        run.dut.clock(false, &input);
    }
    let shape = Shape::new(qps, paths).ram_latency(ram_latency.into());
    let expected = answer(shape, Settings::default(), &run.events);
    for (got, want) in run.grants.iter().zip(&expected.grants) {
        assert_eq!(got, want, "{config:?} seed {seed}");
    }
    assert_eq!(run.grants.len(), expected.grants.len());
    for (got, want) in run.responses.iter().zip(&expected.responses) {
        assert_eq!(got, want, "{config:?} seed {seed}");
    }
    assert_eq!(run.responses.len(), expected.responses.len());
    run.dut.outputs(&mut output);
    let counters = [
        ("refused_requests", expected.refused_requests),
        ("no_path_requests", expected.no_path_requests),
        ("feedback_closed", expected.feedback_closed),
        ("feedback_range", expected.feedback_range),
        ("feedback_absent", expected.feedback_absent),
    ];
    for (name, count) in counters {
        assert_eq!(output[ports.output(name).expect(name).offset], count, "{config:?} seed {seed}: {name}");
    }
    run.grants.iter().filter(|grant| grant.ok).count()
}

fn answers_as_the_contract_says(ram_latency: u32) {
    let (mut granted, mut cycles) = (0, 0);
    for seed in 0..16 {
        for (qps, paths) in [(1, 2), (1, 8), (3, 4), (5, 8), (4, 64)] {
            cycles += 8000;
            granted += run(PathSchedulerConfig::new(qps, paths).ram_latency(ram_latency), seed, 8000);
        }
    }
    assert!(granted > cycles / 4, "{granted} packets in {cycles} cycles are not worth the name of traffic");
}

#[test]
fn random_traffic_is_answered_as_the_contract_says() {
    answers_as_the_contract_says(2);
}

#[test]
fn it_is_without_output_registers_of_memories() {
    answers_as_the_contract_says(1);
}

#[test]
fn it_is_with_a_register_behind_those() {
    answers_as_the_contract_says(3);
}
