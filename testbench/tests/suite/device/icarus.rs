// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Icarus backend, beside the Verilator backend.

use crate::common;

use testbench::device::drive::RandomDrive;
use testbench::device::icarus::{IcarusDut, run_testbench};
use testbench::device::random::Random;
use testbench::device::verilator::Verilator;
use testbench::lockstep::Lockstep;
use testbench::{Dut, Error};

#[test]
fn two_simulators_agree_on_the_counter_in_every_cycle() {
    let source = common::counter();
    let mut verilated = Verilator::new().build(&source).expect("the counter compiles");
    let mut icarus = IcarusDut::new(&source).expect("the counter compiles");
    let mut drive = RandomDrive::new(&source.ports, Random::new(11)).reset(0.02);
    Lockstep::new(2000).run(&mut verilated, &mut icarus, &mut drive).expect("they agree");
    let nothing = Lockstep::new(0).run(&mut verilated, &mut icarus, &mut drive).expect_err("nothing is compared");
    assert_eq!(nothing.to_string(), "lock-step of 0 cycles compares nothing");
}

#[test]
fn an_output_that_is_unknown_at_power_up_is_a_failure() {
    let mut source = common::counter();
    source.files[0].1 = source.files[0].1.replace("reg b_reg = 1'b1;", "reg b_reg;");
    let mut icarus = IcarusDut::new(&source).expect("the counter compiles");
    let failure = icarus.failure().expect("low is unknown").to_string();
    assert_eq!(failure, "Icarus, cycle 0: `low` is unknown (x)");
}

#[test]
fn a_testbench_passes_only_if_it_says_so() {
    let verilog = |body: &str| [("t.v".to_owned(), format!("module t; initial begin {body} $finish; end endmodule\n"))];
    let passed = run_testbench("t", &verilog("$display(\"PASS 3 checks\");"), &[]).expect("it passes");
    assert!(passed.contains("PASS 3 checks"));
    let failed = run_testbench("t", &verilog("$display(\"FAIL cycle 7\"); $display(\"PASS\");"), &[]);
    assert!(matches!(&failed, Err(Error::Tool { output, .. }) if output.contains("cycle 7")), "{failed:?}");
    assert!(run_testbench("t", &verilog(""), &[]).is_err(), "silence is no pass");
}
