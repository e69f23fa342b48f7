// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counter table: reference, model, Verilated RTL and Icarus in lock-step, and what lock-step says of a faulty one.

use crate::common::soak;
use pipeline::examples::tally::TallyConfig;
use rtl_model::elaborate;
use testbench::device::drive::{RandomDrive, record};
use testbench::device::icarus::IcarusDut;
use testbench::device::model::{model_of, reference_of};
use testbench::device::random::Random;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use testbench::lockstep::Lockstep;
use testbench::lockstep::readings::Readings;
use testbench::{Dut, Error, Ports};
use tier::pick;

const SIZES: [TallyConfig; 8] = [
    TallyConfig { rows: 5, width: 12, amount_width: 3, ram_latency: 2 },
    TallyConfig { rows: 64, width: 64, amount_width: 64, ram_latency: 2 },
    TallyConfig { rows: 1, width: 33, amount_width: 1, ram_latency: 2 },
    TallyConfig { rows: 1024, width: 32, amount_width: 16, ram_latency: 2 },
    TallyConfig { rows: 5, width: 12, amount_width: 3, ram_latency: 1 },
    TallyConfig { rows: 64, width: 64, amount_width: 64, ram_latency: 1 },
    TallyConfig { rows: 5, width: 12, amount_width: 3, ram_latency: 3 },
    TallyConfig { rows: 64, width: 64, amount_width: 64, ram_latency: 3 },
];

fn drive(source: &Source, seed: u64) -> RandomDrive {
    RandomDrive::new(&source.ports, Random::new(seed))
}

#[test]
fn model_and_rtl_agree_in_every_cycle() {
    for (seed, config) in pick(SIZES.iter().enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        Readings::new(soak::cycles(200_000)).agree(config, drive).expect("they agree");
    }
}

/// Rows of 12 bits in slices of 5, 5 and 2.
#[test]
fn memories_may_be_in_slices() {
    let mut circuit = elaborate(&SIZES[0]).expect("it elaborates");
    circuit.slice_memories(40);
    let source = Source::of_circuit(&circuit).expect("it prints");
    assert!(source.files[0].1.contains("reg [1:0] rows_slice_2 [0:4];"), "{}", source.files[0].1);
    let mut model = model_of(&SIZES[0]).expect("it elaborates");
    let mut rtl = Verilator::new().build(&source).expect("it compiles");
    Lockstep::new(50_000).run(&mut model, &mut rtl, &mut drive(&source, 3)).expect("they agree");
}

#[test]
fn model_and_icarus_agree_in_every_cycle() {
    let source = Source::of_design(&SIZES[0]).expect("it prints");
    let mut model = model_of(&SIZES[0]).expect("it elaborates");
    let mut rtl = IcarusDut::new(&source).expect("it compiles");
    Lockstep::new(5_000).run(&mut model, &mut rtl, &mut drive(&source, 1)).expect("they agree");
}

#[test]
fn the_loops_inside_the_backends_give_one_digest() {
    let source = Source::of_design(&SIZES[1]).expect("it prints");
    let mut model = model_of(&SIZES[1]).expect("it elaborates");
    let stimulus = record(&mut model, &mut drive(&source, 7), 20_000);
    let mut model = model_of(&SIZES[1]).expect("it elaborates");
    let mut rtl = Verilator::new().build(&source).expect("it compiles");
    let digest = model.run(&stimulus);
    assert_eq!(digest, rtl.run(&stimulus));
    assert_eq!(digest, reference_of(&SIZES[1]).expect("it elaborates").run(&stimulus));
    let sparse = stimulus.clone().digest_every(7);
    let again = model.run(&sparse);
    assert_eq!(again, rtl.run(&sparse));
    assert_ne!(digest, again);
    assert_ne!(digest, model.run(&stimulus), "the third pass starts from other counters");
}

#[test]
fn a_fault_in_the_rtl_is_found_and_shown() {
    let mut source = Source::of_design(&SIZES[0]).expect("it prints");
    let text = &mut source.files[0].1;
    let faulty = text.replacen("summed_row == read_row", "summed_row != read_row", 1);
    let faulty = if faulty == *text { text.replacen(" == ", " != ", 1) } else { faulty };
    assert_ne!(faulty, *text, "there is a comparison to break");
    *text = faulty;
    let dir = tempfile::tempdir().expect("a temporary directory");
    let vcd = dir.path().join("tally.vcd");
    let mut model = model_of(&SIZES[0]).expect("it elaborates");
    let mut rtl = Verilator::new().build(&source).expect("it compiles");
    let found = Lockstep::new(100_000).vcd(&vcd).run(&mut model, &mut rtl, &mut drive(&source, 2));
    let Err(Error::Mismatch(found)) = found else { panic!("the fault is seen: {found:?}") };
    eprintln!("{found}");
    assert!(std::fs::metadata(&vcd).is_ok_and(|file| file.len() > 1000));
}
