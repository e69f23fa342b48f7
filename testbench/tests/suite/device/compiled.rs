// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compiled model beside the tests of the stages, which have it in lock-step with the others.

use pipeline::examples::tally::TallyConfig;
use rtl_model::elaborate;
use testbench::NativeDut;
use testbench::device::compiled::Compiled;
use testbench::device::drive::{RandomDrive, record};
use testbench::device::model::{model_with, reference_of};
use testbench::device::random::Random;
use testbench::lockstep::Lockstep;
use testbench::{Dut, Error};

const DESIGN: TallyConfig = TallyConfig { rows: 5, width: 13, amount_width: 7, ram_latency: 2 };

fn model(compiler: &Compiled) -> NativeDut {
    compiler.build(&elaborate(&DESIGN).expect("it elaborates")).expect("it compiles")
}

#[test]
fn every_instance_starts_at_power_up() {
    let mut used = model(&Compiled::new());
    let ports = used.ports().clone();
    let mut drive = RandomDrive::new(&ports, Random::new(1));
    let stimulus = record(&mut used, &mut drive, 1000);
    let mut fresh = model(&Compiled::new());
    let digest = fresh.run(&stimulus);
    let others = [Compiled::new().quick(), Compiled::new().soon(), Compiled::new().compiler("cc").soon()];
    for other in others {
        assert_eq!(model(&other).run(&stimulus), digest, "{other:?} computes the same");
    }
    assert_ne!(digest, used.run(&stimulus), "the first one has gone on from where it was");
}

#[test]
fn where_no_compiler_is_the_reference_takes_its_place() {
    let missing = Compiled::new().compiler("no-such-compiler");
    let error = missing.build(&elaborate(&DESIGN).expect("it elaborates")).err();
    assert!(matches!(error, Some(Error::MissingTool { .. })), "{error:?}");
    let mut model = model_with(&missing, &DESIGN).expect("there is one");
    let mut reference = reference_of(&DESIGN).expect("it elaborates");
    let mut drive = RandomDrive::new(reference.ports(), Random::new(2));
    Lockstep::new(2000).run(&mut *model, &mut *reference, &mut drive).expect("they agree");
}
