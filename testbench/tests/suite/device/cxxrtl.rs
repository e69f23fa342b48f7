// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CXXRTL backend: on a counter written by hand, and beside the model of a small stage.

use crate::common::counter;
use pipeline::examples::tally::TallyConfig;
use rtl_model::elaborate;
use testbench::device::compiled::Compiled;
use testbench::device::cxxrtl::Cxxrtl;
use testbench::device::drive::{RandomDrive, record};
use testbench::device::random::Random;
use testbench::device::source::Source;
use testbench::lockstep::Lockstep;
use testbench::{Dut, Error};

#[test]
fn a_counter_counts_from_power_up_over_all_limbs() {
    let mut dut = Cxxrtl::new().quick().build(&counter()).expect("the counter compiles");
    let mut out = [0; 6];
    dut.outputs(&mut out);
    assert_eq!(out, [5, 0, 0, 5 ^ 1, 0, 0], "initial values");
    // The highest bits of `step` are beyond its width and must not count.
    let row = [!0, !0, 0, 0xfff, 0x1234_5678, 0xfedc_ba98_7654_3210];
    dut.clock(false, &row);
    dut.outputs(&mut out);
    assert_eq!(out, [4, 1 << 36, 0, 4, 0xfedc_ba98_7654_3210, 0x1234_5678 ^ 0xfff]);
    dut.clock(true, &row);
    dut.outputs(&mut out);
    assert_eq!(out[..3], [5, 0, 0], "reset");
}

#[test]
fn the_model_of_a_tally_agrees_in_every_cycle_and_in_its_digest() {
    for ram_latency in [1, 2] {
        let config = TallyConfig { rows: 5, width: 33, amount_width: 7, ram_latency };
        let circuit = elaborate(&config).expect("it elaborates");
        let source = Source::of_circuit(&circuit).expect("it prints");
        let model = || Compiled::new().build(&circuit).expect("it compiles");
        let rtl = || Cxxrtl::new().quick().build(&source).expect("it compiles");
        let drive = || RandomDrive::new(&source.ports, Random::new(ram_latency.into()));
        Lockstep::new(20_000).run(&mut model(), &mut rtl(), &mut drive()).expect("they agree");
        let stimulus = record(&mut model(), &mut drive(), 5_000);
        for stimulus in [stimulus.clone(), stimulus.digest_every(16)] {
            assert_eq!(model().run(&stimulus), rtl().run(&stimulus));
        }
    }
}

#[test]
fn what_is_missing_is_one_line_with_the_package() {
    let cache = tempfile::tempdir().expect("a temporary directory");
    let said = |yosys: &std::path::Path| {
        let Err(error) = Cxxrtl::new().cache(cache.path()).executable(yosys).build(&counter()) else {
            panic!("there is no such yosys")
        };
        let text = error.to_string();
        assert_eq!(text.lines().count(), 1, "{text}");
        text
    };
    assert!(said("/nowhere/yosys".as_ref()).contains("Debian package `yosys`"));
    // A yosys without its headers.
    let beside = tempfile::tempdir().expect("a temporary directory");
    let yosys = beside.path().join("yosys");
    std::fs::write(&yosys, "#!/bin/sh\necho Yosys\n").expect("a program");
    std::fs::set_permissions(&yosys, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a program");
    assert!(said(&yosys).contains("Debian package `yosys-dev`"));
}

#[test]
fn broken_verilog_shows_what_yosys_said() {
    let mut source = counter();
    source.files[0].1 = "module counter (input wire clk, input wire rst); garbage endmodule\n".into();
    let Err(error) = Cxxrtl::new().build(&source) else { panic!("this does not compile") };
    assert!(matches!(&error, Error::Tool { output, .. } if output.contains("syntax error")), "{error}");
}
