// SPDX-License-Identifier: MIT OR Apache-2.0
//! The path scheduler's model against the oracle, under random traffic at up to one request and one feedback per clock
//! cycle.

use golden_vectors::transmit::path_scheduler::oracle::{
    Causes, Command, Entropy, Event, Feedback, Grant, Granularity, Lost, Packet, Report, Request, Response, Settings,
    Shape, State, answer,
};
use pipeline::transmit::path_scheduler::{EntropyRule, PathSchedulerConfig};
use testbench::Dut;
use testbench::device::drive::Drive;
use testbench::device::model::model_of;
use testbench::device::random::Random;
use testbench::drives::path_scheduler::SchedulerDrive;
use tier::pick;

/// The outputs and the inputs of a run.
struct Run<'a> {
    dut: &'a mut dyn Dut,
    events: Vec<(u64, Event)>,
    grants: Vec<Grant>,
    responses: Vec<Response>,
    reports: Vec<Report>,
    lost: Vec<Lost>,
    settings: Option<Settings>,
    ready: bool,
    lost_ready: bool,
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
                avoided: get("response_avoided") == 1,
                full: get("response_full") == 1,
                in_flight: get("response_in_flight"),
                window: get("response_window"),
            });
        }
        if get("lost_valid") == 1 {
            let (qp, paths, all_failed) = (get("lost_qp"), get("lost_paths"), get("lost_all_failed") == 1);
            let lost = Lost { cycle, last: None, qp, paths, all_failed };
            match self.lost.last() {
                Some(open) if open.last.is_none() => assert_eq!(Lost { cycle: open.cycle, ..lost }, *open),
                _ => self.lost.push(lost),
            }
        }
        if get("event_valid") == 1 {
            let flag = |name: &str| get(name) == 1;
            let report = Report {
                cycle,
                last: None,
                qp: get("event_qp"),
                path: get("event_path"),
                more: flag("event_more"),
                causes: Causes {
                    failed: flag("event_failed"),
                    all_failed: flag("event_all_failed"),
                    congested: flag("event_congested"),
                    saturated: flag("event_saturated"),
                },
            };
            // Until it is taken it stays the same.
            match self.reports.last() {
                Some(open) if open.last.is_none() => assert_eq!(Report { cycle: open.cycle, ..report }, *open),
                _ => self.reports.push(report),
            }
        }
    }

    fn note(&mut self, cycle: u64, row: &[u64]) {
        let ports = self.dut.ports();
        let get = |name: &str| row[ports.input(name).unwrap_or_else(|| panic!("{name}")).offset];
        let settings = (get("settings_valid") == 1).then(|| Settings {
            flowlet: get("settings_flowlet"),
            raise: get("settings_raise"),
            fail: get("settings_fail"),
            fail_time: get("settings_fail_time"),
            wait: get("settings_wait") == 1,
            migrate: get("settings_migrate"),
            window: get("settings_window"),
            initial: get("settings_initial"),
            rtt: get("settings_rtt"),
            delay: get("settings_delay"),
        });
        let lost_ready = get("lost_ready") == 1;
        if self.lost_ready != lost_ready {
            self.lost_ready = lost_ready;
            self.events.push((cycle, Event::LostReady(lost_ready)));
        }
        if let (true, Some(open)) = (lost_ready, self.lost.last_mut().filter(|open| open.last.is_none())) {
            open.last = Some(cycle);
        }
        if self.settings != settings {
            self.settings = settings;
            self.events.push((cycle, Event::Settings(settings)));
        }
        let ready = get("event_ready") == 1;
        if self.ready != ready {
            self.ready = ready;
            self.events.push((cycle, Event::Ready(ready)));
        }
        if let (true, Some(open)) = (ready, self.reports.last_mut().filter(|open| open.last.is_none())) {
            open.last = Some(cycle);
        }
        if get("command_valid") == 1 {
            self.events.push((
                cycle,
                Event::Command(Command {
                    op: get("command_op"),
                    qp: get("command_qp"),
                    path: get("command_path"),
                    psn: get("command_psn"),
                    entropy: get("command_entropy"),
                    mode: get("command_granularity"),
                    weight: get("command_weight"),
                    force: get("command_force") == 1,
                    flowlet: get("command_flowlet"),
                }),
            ));
        }
        if get("feedback_valid") == 1 {
            let (qp, path) = (get("feedback_qp"), get("feedback_path"));
            let (kind, rtt, bandwidth) = (get("feedback_kind"), get("feedback_rtt"), get("feedback_bandwidth"));
            self.events.push((cycle, Event::Feedback(Feedback { qp, path, kind, rtt, bandwidth })));
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
    let PathSchedulerConfig { qps, paths, weight_bits, in_flight_bits, entropy, ram_latency, .. } = config;
    let mut dut = model_of(&config).expect("it elaborates");
    let ports = dut.ports().clone();
    let mut drive = SchedulerDrive::new(&ports, qps, paths, Random::new(seed)).expect("it has the ports").reset(0.0);
    let (mut input, mut output) = (vec![0; ports.input_limbs()], vec![0; ports.output_limbs()]);
    dut.outputs(&mut output);
    assert!(drive.drive(&output, &mut input), "it begins with a reset");
    dut.clock(true, &input);
    let mut run = Run {
        dut: &mut *dut,
        events: vec![],
        grants: vec![],
        responses: vec![],
        reports: vec![],
        lost: vec![],
        settings: None,
        ready: true,
        lost_ready: true,
    };
    for cycle in 0..cycles {
        run.dut.outputs(&mut output);
        run.watch(cycle, &output);
        drive.drive(&output, &mut input);
        if cycle + 40 > cycles {
            for valid in ["request_valid", "feedback_valid", "command_valid"] {
                input[ports.input(valid).expect(valid).offset] = 0;
            }
        }
        run.note(cycle, &input);
        run.dut.clock(false, &input);
    }
    let entropy = if entropy == EntropyRule::Xor { Entropy::Xor } else { Entropy::Table };
    let shape = Shape::new(qps, paths)
        .weight_bits(weight_bits.into())
        .in_flight_bits(in_flight_bits.into())
        .entropy(entropy)
        .ram_latency(ram_latency.into());
    let expected = answer(shape, None, &run.events);
    for (got, want) in run.grants.iter().zip(&expected.grants) {
        assert_eq!(got, want, "{config:?} seed {seed}");
    }
    assert_eq!(run.grants.len(), expected.grants.len());
    for (got, want) in run.responses.iter().zip(&expected.responses) {
        assert_eq!(got, want, "{config:?} seed {seed}");
    }
    assert_eq!(run.responses.len(), expected.responses.len());
    for (got, want) in run.lost.iter().zip(&expected.lost) {
        assert_eq!(got, want, "{config:?} seed {seed}");
    }
    for (got, want) in run.reports.iter().zip(&expected.reports) {
        assert_eq!(got, want, "{config:?} seed {seed}");
    }
    run.dut.outputs(&mut output);
    let counters = [
        ("refused_requests", expected.refused_requests),
        ("no_path_requests", expected.no_path_requests),
        ("full_requests", expected.full_requests),
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
    let sizes = [(1, 2), (1, 8), (3, 4), (5, 8), (4, 64)];
    for (seed, (qps, paths)) in pick((0..16).flat_map(|seed| sizes.map(|size| (seed, size))), 7) {
        cycles += 8000;
        let config = PathSchedulerConfig::new(qps, paths).ram_latency(ram_latency);
        let config = match seed % 3 {
            0 => config,
            1 => config.weight_bits(4).entropy(EntropyRule::Xor),
            _ => config.weight_bits(6).in_flight_bits(8),
        };
        granted += run(config, seed, 8000);
    }
    // Small windows refuse many of the requests.
    assert!(granted > cycles / 8, "{granted} packets in {cycles} cycles are not worth the name of traffic");
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
