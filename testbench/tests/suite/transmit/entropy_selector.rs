// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entropy selector: reference, model and Verilated RTL in lock-step.

use crate::common::soak;
use golden_vectors::transmit::entropy_selector;
use golden_vectors::transmit::entropy_selector::oracle::Shape;
use pipeline::transmit::entropy_selector::{EntropySelectorConfig, Modes, mode, op};
use std::collections::BTreeSet;
use testbench::conform::selfcheck::{self, timed_testbench};
use testbench::device::drive::RandomDrive;
use testbench::device::model::model_of;
use testbench::device::random::Random;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use testbench::drives::entropy_selector::SelectorDrive;
use testbench::lockstep::Lockstep;
use testbench::lockstep::readings::Readings;
use testbench::{Dut, Ports};
use tier::pick;

/// Selectors with REPS and what it draws from, with a single path, with penalties.
const SOME: [Option<Modes>; 3] = [
    Modes::of_mask(1 << mode::REPS),
    Modes::of_mask(1 << mode::SINGLE_PATH),
    Modes::of_mask(1 << mode::BITMAP | 1 << mode::PENALTY),
];

fn some(config: EntropySelectorConfig, modes: Option<Modes>) -> EntropySelectorConfig {
    config.modes(modes.expect("there are such modes"))
}

/// Every size, and some with a choice of modes.
fn all() -> Vec<EntropySelectorConfig> {
    let mut all = SIZES.to_vec();
    all.extend((1..=3).map(|latency| EntropySelectorConfig::new(3, 32).ram_latency(latency).modes(Modes::ALL)));
    all.extend(SOME.map(|modes| some(EntropySelectorConfig::new(1, 16), modes)));
    all
}

const SIZES: [EntropySelectorConfig; 9] = [
    EntropySelectorConfig::new(1, 16),
    EntropySelectorConfig::new(3, 32),
    EntropySelectorConfig::new(5, 128),
    EntropySelectorConfig::new(16, 256),
    EntropySelectorConfig::new(2, 1024),
    EntropySelectorConfig::new(1, 16).ram_latency(1),
    EntropySelectorConfig::new(5, 128).ram_latency(1),
    EntropySelectorConfig::new(1, 16).ram_latency(3),
    EntropySelectorConfig::new(5, 128).ram_latency(3),
];

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in pick(all().iter().enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        Readings::new(soak::cycles(30_000)).agree(config, drive).expect("they agree");
    }
}

#[test]
fn model_and_rtl_agree_under_traffic() {
    let sizes = [(16, 16, 2), (16, 256, 2), (4, 1024, 2), (16, 16, 1), (3, 256, 1), (16, 16, 3), (3, 256, 3)];
    let mut configs: Vec<_> =
        sizes.iter().map(|&(cccs, evs, latency)| EntropySelectorConfig::new(cccs, evs).ram_latency(latency)).collect();
    configs.extend((1..=3).map(|latency| EntropySelectorConfig::new(5, 64).ram_latency(latency).modes(Modes::ALL)));
    configs.extend(SOME.map(|modes| some(EntropySelectorConfig::new(3, 256), modes)));
    let wires = [(1024, 1024, 8), (16, 16, 2), (32_768, 32_768, 1)];
    configs.extend(wires.map(|(base, range, ports)| {
        let evs = range.min(1024);
        EntropySelectorConfig::new(2, evs).modes(Modes::ALL).wire(base, range).ports(ports)
    }));
    for (seed, config) in pick(configs.into_iter().enumerate(), 1) {
        let drive = |ports: &Ports| {
            let drive = SelectorDrive::new(ports, config.cccs, Random::new(seed as u64))?;
            Ok(drive.modes(config.modes.mask()))
        };
        Readings::new(soak::cycles(100_000)).agree(&config, drive).expect("they agree");
    }
}

/// Row U08: with one seed, 4 pipelines of 4096 CCCs, no two CCCs share their first 16 grants.
#[test]
fn u08_no_two_cccs_of_a_device_share_their_first_grants() {
    const CCCS: u64 = 4096;
    for mode in [mode::BITMAP, mode::OBLIVIOUS, mode::ROUND_ROBIN] {
        let modes = Modes::BITMAP.with(mode, true);
        let mut seen = BTreeSet::new();
        for pipeline in 0..4 {
            let config = EntropySelectorConfig::new(CCCS, 256).modes(modes);
            let mut dut = model_of(&config).expect("it elaborates");
            let ports = dut.ports().clone();
            let (mut input, mut output) = (vec![0; ports.input_limbs()], vec![0; ports.output_limbs()]);
            let set = |input: &mut [u64], name: &str, value: u64| {
                input[ports.input(name).expect(name).offset] = value;
            };
            let get = |output: &[u64], name: &str| output[ports.output(name).expect(name).offset];
            let mut grants = vec![Vec::new(); CCCS as usize];
            let (mut opened, mut responses, mut asked) = (0, 0, 0);
            while grants.iter().any(|of: &Vec<u64>| of.len() < 16) {
                dut.outputs(&mut output);
                if get(&output, "grant_valid") == 1 {
                    assert_eq!(get(&output, "grant_open"), 1);
                    grants[get(&output, "grant_ccc") as usize].push(get(&output, "grant_ev"));
                }
                responses += get(&output, "response_valid") & get(&output, "response_done");
                input.fill(0);
                set(&mut input, "pipeline", pipeline);
                if opened < CCCS && get(&output, "command_ready") == 1 {
                    set(&mut input, "command_valid", 1);
                    set(&mut input, "command_op", op::OPEN);
                    set(&mut input, "command_mode", mode);
                    set(&mut input, "command_ccc", opened);
                    opened += 1;
                }
                if responses == CCCS && asked < 16 * CCCS {
                    set(&mut input, "request_valid", 1);
                    set(&mut input, "request_free_ports", 1);
                    set(&mut input, "request_ccc", asked % CCCS);
                    asked += 1;
                }
                dut.clock(false, &input);
            }
            for of in grants {
                assert!(of.iter().all(|ev| (49_152..65_536).contains(ev)), "{of:?}");
                assert!(seen.insert(of), "two CCCs have the same grants in mode {mode}");
            }
        }
    }
}

/// Lanes of the planes and of the penalties are covered too.
#[test]
fn memories_may_be_in_slices() {
    let config = EntropySelectorConfig::new(3, 32).modes(Modes::ALL);
    let mut circuit = rtl_model::elaborate(&config).expect("it elaborates");
    circuit.slice_memories(16);
    let source = Source::of_circuit(&circuit).expect("it prints");
    for array in ["reg [3:0] walker_planes_0_lane_3_slice_1 [0:2];", "reg rows_words_lane_7_slice_3 [0:11];"] {
        assert!(source.files[0].1.contains(array), "{array}");
    }
    let mut model = model_of(&config).expect("it elaborates");
    let mut rtl = Verilator::new().build(&source).expect("it compiles");
    let drive = SelectorDrive::new(&source.ports, config.cccs, Random::new(5)).expect("it has the ports");
    let mut drive = drive.modes(config.modes.mask());
    Lockstep::new(50_000).run(&mut model, &mut rtl, &mut drive).expect("they agree");
}

#[test]
fn the_self_checking_testbench_passes_and_can_fail() {
    let header = hdl::Header { tool: "mpnic".into(), ..Default::default() };
    for (cccs, evs, latency) in pick([(3, 16, 2), (40, 256, 2), (3, 16, 1), (3, 16, 3)], 1) {
        let config = EntropySelectorConfig::new(cccs, evs).ram_latency(latency);
        let circuit = rtl_model::elaborate(&config).expect("it elaborates");
        let source = Source::of_circuit(&circuit).expect("it prints");
        let mut groups = entropy_selector::load_vectors(Shape::new(cccs, evs).ram_latency(latency.into()));
        let files = timed_testbench(&circuit, &header, &groups).expect("it is made");
        selfcheck::run(&source, &files).expect("it passes");
        let case = &mut groups[0].tests[0];
        let last = case.expect.outputs["grant"].len() - 1;
        let grant = &mut case.expect.outputs.get_mut("grant").expect("there are grants")[last];
        // The EV, after the cycle, the CCC, whether it is open and whether blocked.
        grant[4] ^= 1;
        let line = format!("port=grant_ev got={:04x} expected={:04x}", grant[4] ^ 1, grant[4]);
        let files = timed_testbench(&circuit, &header, &groups).expect("it is made");
        let failed = selfcheck::run(&source, &files).expect_err("a wrong expectation fails").to_string();
        assert!(failed.contains(&line) && failed.contains("failures=1"), "{failed}");
    }
}
