// SPDX-License-Identifier: MIT OR Apache-2.0
//! Speed of the compiled model beside compiled RTL, in one process, on the same stimulus, in the thread's processor time.
//!
//! ```text
//! ratio STAGE CONFIG MODE MODEL_MCYCLES RTL_MCYCLES RATIO
//!   against SIMULATOR, the fastest
//!   slower  RTL_MCYCLES SIMULATOR
//! ```
//!
//! `full`: an event or a beat in every cycle that takes one. `load10`: in a tenth of the cycles; tables are filled first.
//!
//! The RTL is compiled with `verilator -O3 --x-assign fast --x-initial fast --noassert`, and with yosys' `write_cxxrtl`, each
//! with `-O3 -march=native`, and evaluated twice a cycle. Every simulator that is found takes part (`MPNIC_VERILATOR` or
//! `verilator` from the path, a colon-separated `MPNIC_VERILATORS`, CXXRTL of `MPNIC_YOSYS` or `yosys`); the fastest counts.
//! Digests of the outputs must be equal. `MPNIC_BENCH_ONLY=STAGE` measures one stage.

use criterion::{BenchmarkId, Criterion, Throughput};
use devices as _;
use golden_vectors::headers::codec::{Options, Reading, read};
use pipeline::elab::ElabSizes;
use pipeline::elab::feedback::ElabFeedbackConfig;
use pipeline::elab::scheduler::ElabSchedulerConfig;
use pipeline::examples::tally::TallyConfig;
use pipeline::frame::frame_gate::FrameGateConfig;
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckProtocol};
use pipeline::receive::context_lookup::{ContextLookupConfig, KeyKinds};
use pipeline::receive::reorder::{Hold, PayloadConfig, ReorderConfig};
use pipeline::receive::rx::RxConfig;
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig};
use pipeline::transmit::entropy_selector::{EntropySelectorConfig, Modes};
use pipeline::transmit::packet_tracker::PacketTrackerConfig;
use pipeline::transmit::path_scheduler::PathSchedulerConfig;
use rtl_model::netlist::circuit::Circuit;
use rtl_model::role::Role;
use rtl_model::{Design, elaborate};
use std::time::Duration;
use testbench::benches::builder_bench::{Building, builder_streams};
use testbench::benches::traffic::parser_streams;
use testbench::device::compiled::Compiled;
use testbench::device::drive::{Drive, RandomDrive, record};
use testbench::device::random::Random;
use testbench::device::simulators;
use testbench::device::source::Source;
use testbench::device::speed::compare;
use testbench::device::stimulus::Stimulus;
use testbench::drives::ack_generator::AckDrive;
use testbench::drives::ccc_table::CccDrive;
use testbench::drives::context_lookup::lookup_drive;
use testbench::drives::elab::{elab_feedback_drive, elab_scheduler_drive};
use testbench::drives::entropy_selector::SelectorDrive;
use testbench::drives::packet_tracker::TrackerDrive;
use testbench::drives::path_scheduler::SchedulerDrive;
use testbench::drives::reorder::ReorderDrive;
use testbench::drives::rx::RxDrive;
use testbench::streams::Frame;
use testbench::{Dut, Ports};

// The bench takes the frames, not the fields.
#[allow(dead_code)]
#[path = "../tests/suite/common/captures.rs"]
mod captures;

/// Number of cycles that are measured, and of cycles before them that fill tables: each of 1024 CCCs takes 21 cycles to
/// open.
const CYCLES: u64 = 1 << 14;
const FILL: u64 = 1 << 15;
const REPETITIONS: usize = 15;

/// The digest looks at the outputs in one of so many cycles, on both sides: it shows that both did the same work, and
/// is not to be what is measured. `MPNIC_BENCH_DIGEST=1` looks at every cycle.
fn digest_every() -> u64 {
    std::env::var("MPNIC_BENCH_DIGEST").ok().and_then(|text| text.parse().ok()).unwrap_or(16)
}

/// How often events happen.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Load {
    Full,
    Tenth,
}

impl Load {
    const ALL: [(Load, &str); 2] = [(Load::Full, "full"), (Load::Tenth, "load10")];

    /// The probability of a pause.
    fn pause(self) -> f64 {
        if self == Load::Full { 0.0 } else { 0.9 }
    }
}

/// The inputs of another drive, with the events removed in nine of ten cycles once the tables are filled.
struct Sparse {
    drive: Box<dyn Drive>,
    valid: Vec<usize>,
    load: Load,
    cycle: u64,
    random: Random,
}

impl Drive for Sparse {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        let reset = self.drive.drive(outputs, input);
        self.cycle += 1;
        if self.load == Load::Tenth && self.cycle > FILL && self.random.chance(0.9) {
            self.valid.iter().for_each(|&at| input[at] = 0);
        }
        reset
    }
}

/// A stage and its traffic.
struct Workload<'a> {
    stage: &'a str,
    config: &'a str,
    circuit: Circuit,
    fill: u64,
    drive: &'a dyn Fn(&Ports, Load) -> Box<dyn Drive>,
}

impl Workload<'_> {
    fn measure(&self, criterion: &mut Criterion) {
        if std::env::var("MPNIC_BENCH_ONLY").is_ok_and(|only| only != self.stage) {
            return;
        }
        let config = self.config;
        let source = Source::of_circuit(&self.circuit).unwrap_or_else(|e| panic!("{config}: {e}"));
        let model = || Compiled::new().build(&self.circuit).unwrap_or_else(|e| panic!("{config}: {e}"));
        for (load, mode) in Load::ALL {
            let mut recorded = model();
            let mut drive = (self.drive)(&source.ports, load);
            let fill = record(&mut recorded, &mut *drive, self.fill).digest_every(digest_every());
            let stimulus = record(&mut recorded, &mut *drive, CYCLES).digest_every(digest_every());
            let filled = |mut dut: Box<dyn Dut>| {
                dut.run(&fill);
                dut
            };
            let mut speeds = Vec::new();
            for (simulator, name) in simulators() {
                let rtl = || filled(simulator.build(&source).unwrap_or_else(|e| panic!("{config}: {e}")));
                let speed = compare([&mut filled(Box::new(model())), &mut rtl()], &stimulus, REPETITIONS, 20);
                assert!(speed.equal, "{config}: model and RTL of {name} have different digests");
                speeds.push((simulator, name, speed));
            }
            speeds.sort_by(|a, b| b.2.mcycles[1].total_cmp(&a.2.mcycles[1]));
            let (simulator, name, speed) = &speeds[0];
            let [fast, slow] = speed.mcycles;
            println!("ratio {} {config} {mode} {fast:.2} {slow:.2} {:.1}", self.stage, speed.ratio());
            println!("  against {name}");
            for (_, name, speed) in &speeds[1..] {
                println!("  slower  {:.2} {name}", speed.mcycles[1]);
            }
            if load == Load::Full && std::env::var_os("MPNIC_BENCH_QUICK").is_none() {
                let mut rtl = filled(simulator.build(&source).unwrap_or_else(|e| panic!("{config}: {e}")));
                report(criterion, self.stage, config, &stimulus, &mut filled(Box::new(model())), &mut rtl);
            }
        }
    }
}

fn circuit<D: Design>(design: &D) -> Circuit {
    elaborate(design).unwrap_or_else(|report| panic!("{report}"))
}

/// All simulators of the RTL.
fn simulators() -> Vec<(simulators::Simulator, String)> {
    let more = std::env::var("MPNIC_VERILATORS").unwrap_or_default();
    let found = simulators::found(&more).unwrap_or_else(|e| panic!("{e}"));
    assert!(!found.is_empty(), "no simulator of RTL: install the Debian package `verilator`");
    found
}

fn report(c: &mut Criterion, stage: &str, config: &str, stimulus: &Stimulus, model: &mut dyn Dut, rtl: &mut dyn Dut) {
    let mut group = c.benchmark_group(stage);
    group.throughput(Throughput::Elements(stimulus.cycles() as u64));
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    group.bench_function(BenchmarkId::new("model", config), |b| b.iter(|| model.run(stimulus)));
    group.bench_function(BenchmarkId::new("rtl", config), |b| b.iter(|| rtl.run(stimulus)));
    group.finish();
}

/// Events of a drive.
fn events(ports: &Ports, load: Load, drive: impl Drive + 'static) -> Box<dyn Drive> {
    let valid = ports.inputs.iter().filter(|port| port.role == Role::Valid).map(|port| port.offset).collect();
    Box::new(Sparse { drive: Box::new(drive), valid, load, cycle: 0, random: Random::new(3) })
}

/// A receive path of RoCEv2 with 256 connections and windows of 256 PSNs; its frames wait for their turn in the host's
/// memory, or in a pool.
fn receive_path(width: u32, payload: bool) -> RxConfig {
    let ram_latency = 2;
    let kinds = KeyKinds { rocev2: true, uet: false, elab: false };
    let pool = Hold::Payload(PayloadConfig::new(width, 1024));
    let reorder = ReorderConfig { ram_latency, ..ReorderConfig::new(256, 256) };
    RxConfig {
        parser: HeaderParserConfig::new(width),
        icrc: Some(IcrcConfig::new(width, IcrcMode::Check)),
        gate: FrameGateConfig { ram_latency, ..FrameGateConfig::new(width, 32_768, 512) },
        lookup: ContextLookupConfig { entries: 256, kinds, ram_latency },
        reorder: if payload { ReorderConfig { hold: pool, ..reorder } } else { reorder },
        ack: AckGeneratorConfig { ram_latency, ..AckGeneratorConfig::new(AckProtocol::Roce, 256, 256) },
        builder: HeaderBuilderConfig::new(width),
        icrc_insert: Some(IcrcConfig::new(width, IcrcMode::Insert)),
        tag_is_time: false,
        ack_dscp: None,
        answer_interval: 0,
        check_mac: false,
        request_check: false,
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut run = |stage, config, circuit, fill, drive: &dyn Fn(&Ports, Load) -> Box<dyn Drive>| {
        Workload { stage, config, circuit, fill, drive }.measure(&mut criterion);
    };
    for (label, rows, width) in [("r256w32", 256, 32), ("r1024w32", 1024, 32), ("r4096w48", 4096, 48)] {
        let config = TallyConfig { rows, width, amount_width: 16, ram_latency: 2 };
        // Resets are left out, because the sweeps after them would take most of the time.
        run("tally", label, circuit(&config), FILL, &|ports, load| {
            events(ports, load, RandomDrive::new(ports, Random::new(1)).reset(0.0))
        });
    }
    let selectors = [
        ("ev16_ccc1024", EntropySelectorConfig::new(1024, 16)),
        ("ev256_ccc1024", EntropySelectorConfig::new(1024, 256)),
        ("ev1024_ccc256", EntropySelectorConfig::new(256, 1024)),
        ("ev256_ccc1024all", EntropySelectorConfig::new(1024, 256).modes(Modes::ALL)),
    ];
    for (label, config) in selectors {
        run("entropy_selector", label, circuit(&config), FILL, &|ports, load| {
            let drive = SelectorDrive::new(ports, config.cccs, Random::new(1)).unwrap_or_else(|e| panic!("{e}"));
            events(ports, load, drive.modes(config.modes.mask()).reset(0.0))
        });
    }
    let config = PathSchedulerConfig::new(1024, 8);
    run("path_scheduler", "p8_qp1024", circuit(&config), FILL, &|ports, load| {
        let drive = SchedulerDrive::new(ports, config.qps, config.paths, Random::new(1));
        events(ports, load, drive.unwrap_or_else(|e| panic!("{e}")).reset(0.0))
    });
    // Reports or arrivals of 64 pairs, whose VPs are added or known early.
    let sizes = ElabSizes::new(1024, 8, 200);
    let some = ElabSizes { pairs: 64, ..sizes };
    run("elab_scheduler", "v8_h1024", circuit(&ElabSchedulerConfig::new(sizes)), FILL, &|ports, load| {
        let drive = elab_scheduler_drive(ports, some, Random::new(1)).unwrap_or_else(|e| panic!("{e}"));
        events(ports, load, drive.reset(0.0))
    });
    run("elab_feedback", "v8_h1024", circuit(&ElabFeedbackConfig::new(sizes)), FILL, &|ports, load| {
        let drive = elab_feedback_drive(ports, some, Random::new(1)).unwrap_or_else(|e| panic!("{e}"));
        events(ports, load, drive.reset(0.0))
    });
    // Look-ups of 128 keys of each kind, most of which are in the table.
    let kinds = KeyKinds { rocev2: true, uet: true, elab: false };
    let config = ContextLookupConfig { entries: 1024, kinds, ram_latency: 2 };
    run("context_lookup", "c1024", circuit(&config), FILL, &|ports, load| {
        let drive = lookup_drive(ports, config, 128, Random::new(1)).unwrap_or_else(|e| panic!("{e}"));
        events(ports, load, drive.reset(0.0))
    });
    let config = ReorderConfig { ram_latency: 2, ..ReorderConfig::new(256, 256) };
    run("reorder", "c256", circuit(&config), FILL, &|ports, load| {
        let drive = ReorderDrive::new(ports, config.window, Random::new(1), Default::default());
        events(ports, load, drive.unwrap_or_else(|e| panic!("{e}")).steady())
    });
    for (label, protocol) in [("c256", AckProtocol::Roce), ("c256uet", AckProtocol::Uet)] {
        let config = AckGeneratorConfig { ram_latency: 2, ..AckGeneratorConfig::new(protocol, 256, 256) };
        run("ack_generator", label, circuit(&config), FILL, &|ports, load| {
            let drive = AckDrive::new(ports, config.window, 2, Random::new(1), Default::default());
            events(ports, load, drive.unwrap_or_else(|e| panic!("{e}")).steady())
        });
    }
    let config = CccTableConfig { ram_latency: 2, ..CccTableConfig::new(256, CccAlgorithms::Nscc) };
    run("ccc_table", "c256", circuit(&config), FILL, &|ports, load| {
        let drive = CccDrive::new(ports, config.cccs, Random::new(1), Default::default());
        events(ports, load, drive.unwrap_or_else(|e| panic!("{e}")).steady())
    });
    let config = PacketTrackerConfig { ram_latency: 2, ..PacketTrackerConfig::new(256, 128) };
    run("packet_tracker", "p256w128", circuit(&config), FILL, &|ports, load| {
        let drive = TrackerDrive::new(ports, config.pdcs, config.window, Random::new(1), Default::default());
        events(ports, load, drive.unwrap_or_else(|e| panic!("{e}")).steady())
    });
    // Requests of 256 bytes on all connections.
    for (label, width, payload) in [("c256w128", 128, false), ("c256w128payload", 128, true)] {
        run("rx", label, circuit(&receive_path(width, payload)), FILL, &|ports, load| {
            Box::new(RxDrive::new(ports, 256, 256, load.pause(), 1).unwrap_or_else(|e| panic!("{e}")))
        });
    }
    // Captured RoCEv2 frames, one after the other, and the records and payloads of the same frames.
    let (captured, _) = captures::rocev2();
    let frames = |ports: &Ports, load: Load| -> Box<dyn Drive> {
        Box::new(parser_streams(ports, captured.clone(), load.pause(), 0.0, 1).unwrap_or_else(|e| panic!("{e}")))
    };
    let building = |frame: Frame| {
        let Reading { record, payload, .. } = read(&frame.bytes, &Options::default());
        Building::of(&record, payload.len(), frame.bytes[payload.start..].to_vec())
    };
    let buildings: Vec<_> = captures::frames("rocev2").into_iter().map(building).collect();
    let built = |ports: &Ports, load: Load| -> Box<dyn Drive> {
        Box::new(builder_streams(ports, buildings.clone(), load.pause(), 0.0, 1).unwrap_or_else(|e| panic!("{e}")))
    };
    let widths = [("w64", 64), ("w128", 128), ("w256", 256), ("w512", 512), ("w1024", 1024)];
    for (label, width) in widths {
        run("header_parser", label, circuit(&HeaderParserConfig::new(width)), 0, &frames);
    }
    for (label, width) in widths {
        run("header_builder", label, circuit(&HeaderBuilderConfig::new(width)), 0, &built);
    }
    for (label, width) in widths {
        run("icrc", label, circuit(&IcrcConfig::new(width, IcrcMode::Check)), 0, &frames);
    }
    for (label, width) in widths {
        let config = FrameGateConfig::new(width, 4096 * width as u64, 64);
        run("frame_gate", label, circuit(&config), 0, &frames);
    }
    criterion.final_summary();
}
