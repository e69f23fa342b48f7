// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waveforms are read back: both formats agree, all backends agree, and the values are those of the run.

use crate::common::{captures, waves};
use pipeline::examples::tally::{TallyConfig, TallyIn, TallyOut};
use pipeline::frame::header_parser::HeaderParserConfig;
use rtl_model::{Child, Design, Logic, Shape, Stage, name_nets};
use std::path::Path;
use testbench::benches::parser_bench::{Traffic, parse};
use testbench::device::drive::{Drive, RandomDrive, record};
use testbench::device::icarus::IcarusDut;
use testbench::device::model::watched_reference_of;
use testbench::device::random::Random;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use testbench::lockstep::readings::Readings;
use testbench::waveform::{Format, TraceFile, Traced};
use testbench::{Dut, Error, Ports};
use waves::{Waves, read};

const SMALL: TallyConfig = TallyConfig { rows: 5, width: 12, amount_width: 3, ram_latency: 2 };

/// The waveform of a device that `run` operates.
fn trace(dut: Box<dyn Dut>, name: &str, run: impl FnOnce(&mut dyn Dut)) -> Waves {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join(name);
    let file = TraceFile::create(&path, Format::of(&path).expect("known")).expect("it can be written");
    let mut traced = Traced::new(dut, "top", file).expect("declarations");
    run(&mut traced);
    traced.finish().expect("it is written");
    read(&path)
}

fn random(cycles: u64) -> impl Fn(&mut dyn Dut) {
    move |dut| {
        let mut drive = RandomDrive::new(dut.ports(), Random::new(5));
        record(dut, &mut drive, cycles);
    }
}

/// The waveforms of all backends agree in full; the model may have registers that the Verilog does not need.
fn same_on_all_backends<D: Design + 'static>(design: &D, icarus: bool, run: impl Fn(&mut dyn Dut)) -> Waves {
    let source = Source::of_design(design).expect("it prints");
    let model = trace(watched_reference_of(design).expect("it elaborates"), "model.vcd", &run);
    let verilated = Verilator::new().watch(true).build(&source).expect("it compiles");
    let mut rtl = vec![trace(Box::new(verilated), "rtl.fst", &run)];
    if icarus {
        rtl.push(trace(Box::new(IcarusDut::watched(&source).expect("it compiles")), "rtl.vcd", &run));
    }
    for rtl in rtl {
        let (ports, registers) = (source.ports.inputs.len() + source.ports.outputs.len(), source.registers.len());
        assert_eq!(rtl.len(), 2 + ports + registers, "all that the Verilog has");
        for (path, wave) in &rtl {
            assert!(model.get(path) == Some(wave), "{path}: {wave:?} in the RTL, {:?} in the model", model.get(path));
        }
    }
    model
}

#[test]
fn tally_is_the_same_on_all_backends() {
    let waves = same_on_all_backends(&SMALL, true, random(300));
    for name in ["event_row", "done_value", "summed_value", "back_to_back", "sweep_row", "rows_data_row", "rows_data"] {
        assert!(waves.contains_key(&format!("top.{name}")), "{name} in {:?}", waves.keys());
    }
    assert_eq!(waves["top.rows_data"].width, 12);
}

#[test]
fn the_parser_is_the_same_in_the_model_and_in_verilator() {
    let waves = same_on_all_backends(&HeaderParserConfig::new(64), false, random(500));
    for name in
        ["m_axis_tdata", "s_axis_tready", "verdict.reason", "capture.header_1", "to_capture_2_tkeep", "checksum.good"]
    {
        assert!(waves.contains_key(&format!("top.{name}")), "{name} in {:?}", waves.keys());
    }
}

#[test]
fn both_forms_say_the_same() {
    let run = |name: &str| trace(watched_reference_of(&SMALL).expect("it elaborates"), name, random(1000));
    let (vcd, fst) = (run("tally.vcd"), run("tally.fst"));
    assert_eq!(vcd, fst);
    let ends = (vcd["top.clk"].changes.len(), vcd["top.clk"].changes.last().cloned());
    assert_eq!(ends, (2000, Some((9995, "0".to_owned()))), "from 1 at power-up, two changes a cycle");
}

#[test]
fn both_forms_say_the_same_of_a_long_run() {
    let (frames, _) = captures::rocev2();
    let run = |name: &str| {
        let model = watched_reference_of(&HeaderParserConfig::new(256)).expect("it elaborates");
        trace(model, name, |dut| drop(parse(dut, &frames, Traffic { stall: 0.3, seed: 2 }).expect("it parses")))
    };
    assert!(run("parser.vcd") == run("parser.fst"), "no difference");
}

#[test]
fn the_values_are_those_of_the_run() {
    let (mut ready, mut done) = (Vec::new(), Vec::new());
    let waves = trace(watched_reference_of(&SMALL).expect("it elaborates"), "tally.fst", |dut| {
        let mut drive = RandomDrive::new(dut.ports(), Random::new(8));
        let mut outputs = vec![0; dut.ports().output_limbs()];
        let mut inputs = vec![0; dut.ports().input_limbs()];
        for _ in 0..400 {
            dut.outputs(&mut outputs);
            ready.push(dut.ports().output("ready").expect("an output").of(&outputs)[0]);
            done.push(dut.ports().output("done_value").expect("an output").of(&outputs)[0]);
            let reset = drive.drive(&outputs, &mut inputs);
            dut.clock(reset, &inputs);
        }
    });
    assert!(done.iter().any(|&value| value > 1), "something happens");
    for (cycle, (&ready, &done)) in ready.iter().zip(&done).enumerate() {
        for time in [10 * cycle as u64, 10 * cycle as u64 + 9] {
            assert_eq!(waves["top.ready"].at(time), ready.into(), "cycle {cycle}");
            assert_eq!(waves["top.done_value"].at(time), done.into(), "cycle {cycle}");
            assert_eq!(waves["top.summed_value"].at(time), done.into(), "the register behind it, cycle {cycle}");
        }
    }
}

/// Two tables that get the same events, one of them in a component.
struct Pair;

#[name_nets]
struct PairStage<L: Logic> {
    left: Child<L, TallyConfig>,
    other: Other<L>,
}

/// A component with a child.
#[name_nets]
struct Other<L: Logic> {
    right: Child<L, TallyConfig>,
}

#[name_nets]
impl<L: Logic> Other<L> {
    fn new() -> Self {
        Other { right: Child::new(&SMALL) }
    }
}

#[name_nets]
impl Design for Pair {
    type Stage<L: Logic> = PairStage<L>;

    fn module_name(&self) -> String {
        "pair".into()
    }
    fn build<L: Logic>(&self) -> PairStage<L> {
        PairStage { left: Child::new(&SMALL), other: Other::new() }
    }
}

impl<L: Logic> Stage<L> for PairStage<L> {
    type In = TallyIn<L>;
    type Out = TallyOut<L>;

    fn input_shape(&self) -> TallyIn<Shape> {
        self.left.input_shape()
    }
    fn outputs(&self) -> TallyOut<L> {
        let (left, right) = (self.left.outputs(), self.other.right.outputs());
        TallyOut { ready: left.ready & right.ready, done: right.done }
    }
    fn clock(&self, input: &TallyIn<L>) {
        self.left.clock(input);
        self.other.right.clock(input);
    }
}

#[test]
fn children_are_scopes() {
    let waves = same_on_all_backends(&Pair, true, random(200));
    assert!(waves.contains_key("top.done_value") && waves["top.left.summed_value"].changes.len() > 10);
    assert_eq!(waves["top.left.sweep_row"], waves["top.other.right.sweep_row"]);
}

#[test]
fn reference_model_and_verilog_agree_on_children() {
    let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(5)));
    Readings::new(20_000).agree(&Pair, drive).expect("they agree");
}

fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).expect("a directory");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_waveform_is_there_whole_or_not_at_all() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for end in ["vcd", "fst"] {
        let path = dir.path().join(format!("tally.{end}"));
        std::fs::write(&path, "of an earlier run").expect("written");
        let file = TraceFile::create(&path, Format::of(&path).expect("known")).expect("it can be written");
        let dut = watched_reference_of(&SMALL).expect("it elaborates");
        let mut traced = Traced::new(dut, "top", file).expect("declarations");
        random(50)(&mut traced);
        assert_eq!(std::fs::read_to_string(&path).expect("still there"), "of an earlier run");
        drop(traced);
        assert_eq!(std::fs::read_to_string(&path).expect("still there"), "of an earlier run");
        std::fs::remove_file(&path).expect("removed");
        assert!(names(dir.path()).is_empty(), "nothing is left: {:?}", names(dir.path()));
    }
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let inside = dir.path().join("nowhere/out.vcd");
    let Err(error @ Error::File { .. }) = TraceFile::create(&inside, Format::Vcd) else { panic!("no such place") };
    assert!(error.to_string().starts_with(&format!("{}: No such file", inside.display())), "{error}");
    assert!(TraceFile::create(dir.path(), Format::Vcd).expect_err("a directory").to_string().contains("director"));
}
