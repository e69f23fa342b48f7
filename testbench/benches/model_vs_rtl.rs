// SPDX-License-Identifier: MIT OR Apache-2.0
//! Speed of the model beside Verilated RTL, in one process, on the same stimulus.
//!
//! ```text
//! ratio STAGE CONFIG MODEL_MCYCLES RTL_MCYCLES RATIO
//! ```
//!
//! The RTL is compiled with `verilator -O3 --x-assign fast --x-initial fast --noassert` and `-O3 -march=native`, and
//! evaluated twice a cycle. Every Verilator that is found takes part (`MPNIC_VERILATOR`, a colon-separated
//! `MPNIC_VERILATORS`, `verilator` from the path); the fastest counts. Digests of the outputs must be equal.

use criterion::{BenchmarkId, Criterion, Throughput};
use golden_vectors::oracle::frame::{Options, Reading, read};
use pipeline::elab::ElabSizes;
use pipeline::elab_feedback::ElabFeedbackConfig;
use pipeline::elab_scheduler::ElabSchedulerConfig;
use pipeline::entropy_selector::{EntropySelectorConfig, Modes};
use pipeline::header_builder::HeaderBuilderConfig;
use pipeline::header_parser::HeaderParserConfig;
use pipeline::icrc::{IcrcConfig, IcrcMode};
use pipeline::path_scheduler::PathSchedulerConfig;
use pipeline::tally::TallyConfig;
use rtl_model::Design;
use std::time::Duration;
use testbench::bench::compare;
use testbench::builder_bench::{Building, builder_streams};
use testbench::drive::{Drive, RandomDrive, record};
use testbench::elab_drive::{elab_feedback_drive, elab_scheduler_drive};
use testbench::model::model_of;
use testbench::palette_drive::PaletteDrive;
use testbench::random::Random;
use testbench::scheduler_drive::SchedulerDrive;
use testbench::selector_drive::SelectorDrive;
use testbench::source::Source;
use testbench::stimulus::Stimulus;
use testbench::stream::Frame;
use testbench::traffic::parser_streams;
use testbench::verilator::Verilator;
use testbench::{Dut, Error, Ports};

// The bench takes the frames, not the fields.
#[allow(dead_code)]
#[path = "../tests/common/captures.rs"]
mod captures;

const CYCLES: u64 = 1 << 14;
/// Of the selector, that opens 1024 CCCs first, 21 cycles each.
const SELECTOR_CYCLES: u64 = 1 << 16;
const REPETITIONS: usize = 15;

/// The digest looks at the outputs in one of so many cycles, on both sides: it shows that both did the same work, and
/// is not to be what is measured. `MPNIC_BENCH_DIGEST=1` looks at every cycle.
fn digest_every() -> u64 {
    std::env::var("MPNIC_BENCH_DIGEST").ok().and_then(|text| text.parse().ok()).unwrap_or(16)
}

/// All Verilators to try.
fn verilators() -> Vec<Verilator> {
    let more = std::env::var("MPNIC_VERILATORS").unwrap_or_default();
    let more = more.split(':').filter(|path| !path.is_empty()).map(|path| Verilator::new().executable(path));
    [Verilator::new()].into_iter().chain(more).collect()
}

/// Measures one design. Returns whether everything agreed.
fn measure<D: Design + 'static>(
    criterion: &mut Criterion,
    stage: &str,
    config: &str,
    design: &D,
    cycles: u64,
    drive: impl Fn() -> Box<dyn Drive>,
) {
    let source = Source::of_design(design).unwrap_or_else(|e| panic!("{config}: {e}"));
    let model = || model_of(design).unwrap_or_else(|e| panic!("{config}: {e}"));
    let stimulus = record(&mut *model(), &mut *drive(), cycles).digest_every(digest_every());
    let mut best: Option<(Verilator, String, testbench::bench::Speed)> = None;
    for verilator in verilators() {
        let version = verilator.version().unwrap_or_else(|e| panic!("{e}"));
        let mut rtl = verilator.build(&source).unwrap_or_else(|e| panic!("{config}: {e}"));
        let speed = compare([&mut *model(), &mut rtl], &stimulus, REPETITIONS, 20);
        assert!(speed.equal, "{config}: model and RTL have different digests");
        eprintln!("{config}: {:.2} M cycles/s in {version}", speed.mcycles[1]);
        if best.as_ref().is_none_or(|(_, _, b)| speed.mcycles[1] > b.mcycles[1]) {
            best = Some((verilator, version, speed));
        }
    }
    let (verilator, version, speed) = best.expect("there is at least one Verilator");
    let [fast, slow] = speed.mcycles;
    println!("ratio {stage} {config} {fast:.2} {slow:.2} {:.1}", speed.ratio());
    println!("  against {version}");
    let mut rtl = verilator.build(&source).unwrap_or_else(|e| panic!("{config}: {e}"));
    report(criterion, stage, config, &stimulus, &mut *model(), &mut rtl);
}

fn report(c: &mut Criterion, stage: &str, config: &str, stimulus: &Stimulus, model: &mut dyn Dut, rtl: &mut dyn Dut) {
    let mut group = c.benchmark_group(stage);
    group.throughput(Throughput::Elements(stimulus.cycles() as u64));
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    group.bench_function(BenchmarkId::new("model", config), |b| b.iter(|| model.run(stimulus)));
    group.bench_function(BenchmarkId::new("rtl", config), |b| b.iter(|| rtl.run(stimulus)));
    group.finish();
}

/// Any inputs, resets left out: a sweep after each would be most of the time.
fn random<D: Design>(design: &D) -> impl Fn() -> Box<dyn Drive> {
    let ports = Source::of_design(design).unwrap_or_else(|e| panic!("{e}")).ports;
    move || Box::new(RandomDrive::new(&ports, Random::new(1)).reset(0.0))
}

/// Requests and feedback for CCCs that the first passes open.
fn selector(config: &EntropySelectorConfig) -> impl Fn() -> Box<dyn Drive> {
    let (ports, cccs) = (Source::of_design(config).unwrap_or_else(|e| panic!("{e}")).ports, config.cccs);
    let drive = SelectorDrive::new(&ports, cccs, Random::new(1)).unwrap_or_else(|e| panic!("{e}"));
    let drive = drive.modes(config.modes.mask()).reset(0.0);
    move || Box::new(drive.clone())
}

fn scheduler(config: &PathSchedulerConfig) -> impl Fn() -> Box<dyn Drive> {
    let ports = Source::of_design(config).unwrap_or_else(|e| panic!("{e}")).ports;
    let drive = SchedulerDrive::new(&ports, config.qps, config.paths, Random::new(1)).unwrap_or_else(|e| panic!("{e}"));
    let drive = drive.reset(0.0);
    move || Box::new(drive.clone())
}

/// Reports or arrivals of 64 pairs, whose VPs are added or known early on.
fn elab<D: Design>(
    config: &D,
    sizes: ElabSizes,
    traffic: fn(&Ports, ElabSizes, Random) -> Result<PaletteDrive, Error>,
) -> impl Fn() -> Box<dyn Drive> {
    let ports = Source::of_design(config).unwrap_or_else(|e| panic!("{e}")).ports;
    let drive =
        traffic(&ports, ElabSizes { pairs: 64, ..sizes }, Random::new(1)).unwrap_or_else(|e| panic!("{e}")).reset(0.0);
    move || Box::new(drive.clone())
}

/// Captured RoCEv2 frames, one behind the other, no pauses.
fn frames<D: Design>(config: &D) -> impl Fn() -> Box<dyn Drive> {
    let ports = Source::of_design(config).unwrap_or_else(|e| panic!("{e}")).ports;
    let (frames, _) = captures::rocev2();
    move || Box::new(parser_streams(&ports, frames.clone(), 0.0, 0.0, 1).unwrap_or_else(|e| panic!("{e}")))
}

/// The records and payloads of the same frames.
fn buildings(config: &HeaderBuilderConfig) -> impl Fn() -> Box<dyn Drive> {
    let ports = Source::of_design(config).unwrap_or_else(|e| panic!("{e}")).ports;
    let building = |frame: Frame| {
        let Reading { record, payload, .. } = read(&frame.bytes, &Options::default());
        Building::of(&record, payload.len(), frame.bytes[payload.start..].to_vec())
    };
    let buildings: Vec<_> = captures::frames("rocev2").into_iter().map(building).collect();
    move || Box::new(builder_streams(&ports, buildings.clone(), 0.0, 0.0, 1).unwrap_or_else(|e| panic!("{e}")))
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for (label, rows, width) in [("r256w32", 256, 32), ("r1024w32", 1024, 32), ("r4096w48", 4096, 48)] {
        let config = TallyConfig { rows, width, amount_width: 16, ram_latency: 2 };
        measure(&mut criterion, "tally", label, &config, CYCLES, random(&config));
    }
    for (label, cccs, evs) in [("ev16_ccc1024", 1024, 16), ("ev256_ccc1024", 1024, 256), ("ev1024_ccc256", 256, 1024)] {
        let config = EntropySelectorConfig::new(cccs, evs);
        measure(&mut criterion, "entropy_selector", label, &config, SELECTOR_CYCLES, selector(&config));
    }
    let config = EntropySelectorConfig::new(1024, 256).modes(Modes::ALL);
    measure(&mut criterion, "entropy_selector", "ev256_ccc1024all", &config, SELECTOR_CYCLES, selector(&config));
    let config = PathSchedulerConfig::new(1024, 8);
    measure(&mut criterion, "path_scheduler", "p8_qp1024", &config, SELECTOR_CYCLES, scheduler(&config));
    let sizes = ElabSizes::new(1024, 8, 200);
    let config = ElabSchedulerConfig(sizes);
    measure(
        &mut criterion,
        "elab_scheduler",
        "v8_h1024",
        &config,
        SELECTOR_CYCLES,
        elab(&config, sizes, elab_scheduler_drive),
    );
    let config = ElabFeedbackConfig(sizes);
    measure(
        &mut criterion,
        "elab_feedback",
        "v8_h1024",
        &config,
        SELECTOR_CYCLES,
        elab(&config, sizes, elab_feedback_drive),
    );
    for width in [64, 128, 256, 512] {
        let config = HeaderParserConfig::new(width);
        measure(&mut criterion, "header_parser", &format!("w{width}"), &config, CYCLES, frames(&config));
    }
    for width in [64, 128, 256, 512, 1024] {
        let config = HeaderBuilderConfig::new(width);
        measure(&mut criterion, "header_builder", &format!("w{width}"), &config, CYCLES, buildings(&config));
    }
    for width in [64, 128, 256, 512, 1024] {
        let config = IcrcConfig::new(width, IcrcMode::Check);
        measure(&mut criterion, "icrc", &format!("w{width}"), &config, CYCLES, frames(&config));
    }
    criterion.final_summary();
}
