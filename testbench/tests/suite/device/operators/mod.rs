// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every primitive of the language, in random expressions under random conditions: reference, model and Verilated Verilog
//! in lock-step. `MPNIC_FUZZ_SEED` and `MPNIC_FUZZ_PROGRAMS` choose other or more programs.

mod expr;
mod generate;
mod program;
mod stage;

use std::collections::BTreeMap;
use std::rc::Rc;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::lockstep::readings::Readings;
use tier::is_all;

const CYCLES: u64 = 20_000;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

#[test]
fn model_and_verilog_agree_on_every_primitive() {
    let (first, count) = (number("MPNIC_FUZZ_SEED", 1), number("MPNIC_FUZZ_PROGRAMS", if is_all() { 5 } else { 1 }));
    let mut used: BTreeMap<String, u32> = BTreeMap::new();
    for seed in first..first + count {
        let (program, generator) = program::program(seed);
        generator.used.into_iter().for_each(|(what, n)| *used.entry(what).or_default() += n);
        let design = stage::Random(Rc::new(program));
        let start = std::time::Instant::now();
        let readings = Readings::new(CYCLES).whole();
        let compared = readings.agree(&design, |ports| Ok(RandomDrive::new(ports, Random::new(seed))));
        eprintln!("program {seed}: {:.1} s", start.elapsed().as_secs_f64());
        if let Err(error) = compared {
            panic!("MPNIC_FUZZ_SEED={seed} MPNIC_FUZZ_PROGRAMS=1: {error}");
        }
    }
    eprintln!("{count} programs, {CYCLES} cycles each: {used:?}");
    // 6 unary and 15 binary operators, selects, concatenations, slices and extensions, narrow and wide; widening, look-ups
    // and linear maps.
    assert!(count < 5 || used.len() == 63 && used.values().all(|&n| n >= 3), "{} primitives: {used:?}", used.len());
}
