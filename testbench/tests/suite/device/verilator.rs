// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Verilator backend on a counter written by hand.

use crate::common::counter;
use testbench::device::stimulus::{Digest, Stimulus};
use testbench::device::verilator::Verilator;
use testbench::{Dut, Error};

#[test]
fn a_counter_counts_from_power_up_over_all_limbs() {
    let mut dut = Verilator::new().build(&counter()).expect("the counter compiles");
    let mut out = [0; 6];
    dut.outputs(&mut out);
    assert_eq!(out, [5, 0, 0, 5 ^ 1, 0, 0], "initial values");
    // The highest bits of `step` are beyond its width and must not count.
    let row = [!0, !0, 0, 0xfff, 0x1234_5678, 0xfedc_ba98_7654_3210];
    dut.clock(false, &row);
    dut.outputs(&mut out);
    assert_eq!(out, [4, 1 << 36, 0, 4, 0xfedc_ba98_7654_3210, 0x1234_5678 ^ 0xfff]);
    let mut expected = 4 + (1u128 << 100);
    for _ in 0..(1 << 12) {
        dut.clock(false, &row);
        expected = expected.wrapping_add((1 << 100) - 1);
    }
    dut.outputs(&mut out);
    assert_eq!(out[..2], [expected as u64, (expected >> 64) as u64]);
    dut.clock(true, &row);
    dut.outputs(&mut out);
    assert_eq!(out[..3], [5, 0, 0], "reset");
}

#[test]
fn the_loop_in_the_shim_gives_the_digest_of_the_loop_outside() {
    let source = counter();
    let mut random = testbench::device::random::Random::new(1);
    let mut stimulus = Stimulus::new(source.ports.input_limbs());
    let mut row = vec![0; source.ports.input_limbs()];
    for _ in 0..1000 {
        source.ports.inputs.iter().for_each(|port| random.value(port, &mut row));
        stimulus.push(random.chance(0.01), &row);
    }
    let mut dut = Verilator::new().build(&source).expect("the counter compiles");
    let fast = dut.run(&stimulus);
    let mut dut = Verilator::new().build(&source).expect("the counter compiles");
    let (mut digest, mut out) = (Digest::default(), vec![0; source.ports.output_limbs()]);
    for (reset, row) in stimulus.rows() {
        dut.outputs(&mut out);
        digest.add(&out);
        dut.clock(reset, row);
    }
    assert_eq!(fast, digest.finish());
}

#[test]
fn registers_of_every_width_are_seen() {
    let mut dut = Verilator::new().watch(true).build(&counter()).expect("the counter compiles");
    assert_eq!(dut.probes().iter().map(|probe| probe.signal.offset).collect::<Vec<_>>(), [0, 3, 5]);
    let mut inside = [0; 6];
    dut.probe(&mut inside);
    assert_eq!(inside, [5, 0, 0, 0, 0, 1]);
    dut.clock(false, &[!0, 0, 0, 0xabc, 0xffff_ffff, 3]);
    dut.probe(&mut inside);
    assert_eq!(inside, [4, 1, 0, 3, 0xffff_f543, 0]);
}

#[test]
fn a_register_that_is_not_there_is_named() {
    let mut source = counter();
    source.registers[1].net = "no_such_reg".into();
    let Err(error) = Verilator::new().watch(true).build(&source) else { panic!("there is no such register") };
    assert!(error.to_string().contains("no register `no_such_reg`"), "{error}");
}

#[test]
fn two_builders_of_the_same_design_do_not_meet() {
    let cache = tempfile::tempdir().expect("a temporary directory");
    std::thread::scope(|scope| {
        let build = || {
            let mut dut = Verilator::new().cache(cache.path()).build(&counter()).expect("the counter compiles");
            let mut out = [0; 6];
            dut.outputs(&mut out);
            assert_eq!(out[0], 5);
        };
        let threads = [scope.spawn(build), scope.spawn(build)];
        threads.into_iter().for_each(|t| t.join().expect("the builder succeeds"));
    });
    let left: Vec<_> = std::fs::read_dir(cache.path()).expect("the cache").flatten().map(|e| e.file_name()).collect();
    assert_eq!(left.len(), 2, "one library, one runtime, no leftovers: {left:?}");
}

#[test]
fn a_missing_verilator_is_one_line_with_the_package() {
    let Err(error) = Verilator::new().executable("/nowhere/verilator").build(&counter()) else {
        panic!("there is no such verilator")
    };
    let text = error.to_string();
    assert!(text.contains("Debian package `verilator`") && text.lines().count() == 1, "{text}");
}

#[test]
fn broken_verilog_shows_what_verilator_said() {
    let mut source = counter();
    source.files[0].1 = "module counter (input wire clk, input wire rst); garbage endmodule\n".into();
    let Err(error) = Verilator::new().build(&source) else { panic!("this does not compile") };
    assert!(matches!(&error, Error::Tool { output, .. } if output.contains("syntax error")), "{error}");
}
