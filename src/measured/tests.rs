// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table is consistent, its parameters are all that matters for a netlist, and the page shows it.

use super::*;
use crate::budget::{Budget, Clock, Closes, Rate, Size};
use crate::device::Device;
use crate::stages::StageName;
use rtl_model::netlist::circuit::Circuit;
use std::path::Path;
use tier::{is_all, pick};

fn entries() -> Vec<Measured> {
    table().unwrap_or_else(|error| panic!("{error:?}"))
}

fn stage(entry: &Measured) -> StageName {
    StageName::find(&entry.stage).expect("a stage")
}

fn configuration(entry: &Measured) -> Config {
    entry.configuration().unwrap_or_else(|| panic!("{entry:?}"))
}

#[test]
fn every_entry_is_of_a_stage_and_its_keys() {
    let entries = entries();
    assert!(entries.len() >= 6, "{}", entries.len());
    for entry in &entries {
        let (stage, config) = (stage(entry), configuration(entry));
        for name in entry.parameters.keys() {
            assert!(key(name).is_some_and(|key| stage.has_key(key)), "{}: {name}", entry.stage);
        }
        assert_eq!(entry.covers(&parameters(stage, &config)), Some(false), "{}", entry.stage);
        let (kinds, mhz, ns): (&[_], _, _) = match entry.family.as_str() {
            "ecp5" => (&["lut4", "ccu2c", "ff", "ebr", "lutram", "mult"], true, false),
            "xcup" => (&["lut6", "ff", "srl", "bram", "lutram", "dsp"], false, true),
            other => panic!("{other} is no family"),
        };
        let mut wanted: Vec<_> = kinds.iter().map(|kind| (*kind).to_owned()).collect();
        wanted.sort();
        assert_eq!(entry.cells.keys().cloned().collect::<Vec<_>>(), wanted, "{}", entry.stage);
        assert_eq!((entry.mhz.is_some(), entry.seeds.is_some(), entry.estimate_ns.is_some()), (mhz, mhz, ns));
        assert!(entry.tool.starts_with("yosys "), "{}", entry.tool);
    }
    let names = entries.iter().map(|entry| (&entry.stage, &entry.family, format!("{:?}", entry.parameters)));
    let distinct: std::collections::BTreeSet<_> = names.collect();
    assert_eq!(distinct.len(), entries.len());
    assert!(entries.is_sorted_by_key(|entry| (entry.stage.clone(), entry.family.clone())));
}

/// A key that is no parameter of a stage does not change its netlist.
#[test]
fn the_parameters_are_all_that_matters() {
    let mut small = Config { data_width: 64, ..Config::default() };
    small.target.ram_latency = Some(2);
    small.entropy_selector.cccs = 8;
    small.entropy_selector.evs = 16;
    small.path_scheduler.qps = 8;
    small.elab.pairs = 8;
    small.ccc_table.cccs = 8;
    small.credit_pacer.sources = 8;
    (small.packet_tracker.pdcs, small.packet_tracker.window) = (8, 64);
    let circuit = |stage: StageName, config: &Config| -> Circuit {
        stage.circuit(config).unwrap_or_else(|error| panic!("{error:?}"))
    };
    let same = |a: &Circuit, b: &Circuit| {
        a.modules.len() == b.modules.len() && a.modules.iter().zip(&b.modules).all(|(a, b)| a.same_hardware(b))
    };
    let mut changes = 0;
    for stage in pick(StageName::ALL.iter().copied(), 6) {
        let before = circuit(stage, &small);
        // A device belongs to its family, and a name is no hardware. Settings change values after reset; what they
        // follow from does so too. Large blocks are another place for the same memories.
        let apart = |key: &&Key| match key.section {
            "target" => ["device", "prefix", "clock_mhz", "link_gbps", "ultra_ram_bits"].contains(&key.name),
            "ccc_table" => key.name == "credit_unit" && stage == StageName::CreditPacer,
            "tx" => key.name == "segment" && stage == StageName::CccTable,
            section => section == "settings",
        };
        for key in pick(Key::all().filter(|key| !apart(key)), 24) {
            let mut config = small.clone();
            let value = (key.get)(&config);
            let other = match (&key.kind, &value) {
                (Kind::AutoOrWhole(low, _), _) => Value::Whole(*low),
                (Kind::Whole(low, high), Value::Whole(x)) => Value::Whole(if x < high { x + 1 } else { *low }),
                (Kind::OneOf(all) | Kind::AutoOr(all), _) => {
                    Value::Whole(*all.iter().find(|x| Value::Whole(**x) != value).expect("another"))
                }
                (Kind::Number(..), Value::Number(x)) => Value::Number(x + 1.0),
                (Kind::Flag, Value::Flag(on)) => Value::Flag(!on),
                (Kind::Word(all), _) => {
                    let other = all.iter().find(|word| Value::Text((**word).to_owned()) != value);
                    Value::Text((*other.expect("another")).to_owned())
                }
                _ => panic!("{}", key.name),
            };
            (key.set)(&mut config, other);
            let changed = !same(&before, &circuit(stage, &config));
            assert!(stage.has_key(key) || !changed, "{} changes {}", key.full_name(), stage.name());
            changes += usize::from(changed);
        }
    }
    assert!(changes > if is_all() { 40 } else { 4 }, "{changes}");
}

/// Settings are values of registers after reset: they change nothing that the table compares.
#[test]
fn settings_change_no_size() {
    let small = |rtt_us: f64| {
        let mut config = Config { data_width: 64, ..Config::default() };
        (config.settings.rtt_us, config.settings.saturation_percent, config.settings.alpha) =
            (rtt_us, 3.0 * rtt_us, 0.9);
        (config.entropy_selector.cccs, config.path_scheduler.qps, config.elab.pairs) = (8, 8, 8);
        config.ccc_table.cccs = 8;
        config.credit_pacer.sources = 8;
        (config.packet_tracker.pdcs, config.packet_tracker.window) = (8, 64);
        config
    };
    let default = Config::default();
    let with_settings = pick(StageName::ALL.iter().filter(|stage| stage.has_settings(&default)), 3);
    let sizes = |config: &Config| -> Vec<_> {
        let budgets = with_settings.iter().map(|stage| Budget::of(**stage, config).expect("it elaborates").total);
        budgets.map(|total| (total.register_bits, total.memory_bits, total.logic_levels)).collect()
    };
    let (one, other) = (sizes(&small(9.0)), sizes(&small(11.0)));
    assert!(one.len() > 2 && one == other, "{one:?} {other:?}");
}

#[test]
fn larger_is_no_parameter_smaller() {
    let entry = |qps: i64, paths: i64| Measured {
        stage: "path_scheduler".to_owned(),
        family: "ecp5".to_owned(),
        netlist: NetlistSize { register_bits: 1, memory_bits: 1, logic_levels: 1 },
        verilog: None,
        tool: String::new(),
        seeds: None,
        mhz: None,
        estimate_ns: None,
        cells: BTreeMap::new(),
        parameters: [
            ("path_scheduler.qps".to_owned(), qps.into()),
            ("path_scheduler.paths".to_owned(), paths.into()),
            ("target.ram_latency".to_owned(), 2.into()),
        ]
        .into(),
    };
    let mut config = Config::default();
    config.target.ram_latency = Some(2);
    let wanted = parameters(StageName::PathScheduler, &config);
    assert_eq!(wanted.len(), 6);
    assert_eq!(entry(1024, 8).covers(&wanted), Some(false));
    assert_eq!(entry(2048, 8).covers(&wanted), Some(true));
    assert_eq!(entry(2048, 4).covers(&wanted), None);
    assert_eq!(entry(512, 64).covers(&wanted), None);
    // Another memory latency is another design, not a larger one.
    config.target.ram_latency = Some(1);
    assert_eq!(entry(1024, 8).covers(&parameters(StageName::PathScheduler, &config)), None);
    // A stage with one more part is larger.
    let flag = |name: &str| key(name).expect("a key");
    assert!(is_larger(flag("protocols.uet"), &Value::Flag(true), &Value::Flag(false)));
    assert!(!is_larger(flag("protocols.uet"), &Value::Flag(false), &Value::Flag(true)));
    assert!(!is_larger(flag("protocols.uet_port"), &Value::Whole(9), &Value::Whole(8)));
}

/// Compares the flip-flops and shift registers that the budget predicts with those of yosys.
#[test]
fn synthesis_finds_the_flip_flops_that_are_predicted() {
    let mut compared = 0;
    for entry in entries().iter().filter(|entry| entry.family == "xcup") {
        let total = Size::of(stage(entry), &configuration(entry)).unwrap_or_else(|error| panic!("{error:?}")).total;
        let size = NetlistSize {
            register_bits: total.register_bits,
            memory_bits: total.memory_bits,
            logic_levels: total.logic_levels,
        };
        if size != entry.netlist {
            continue;
        }
        compared += 1;
        let predicted = [total.flip_flops, total.shift_registers.expect("tables")].map(|count| count as f64);
        let found = ["ff", "srl"].map(|kind| entry.cells(kind).expect("a number"));
        eprintln!("{}: {predicted:?} predicted, {found:?} found", entry.stage);
        // A few short chains do not matter for a pipeline.
        let near = |(predicted, found): (f64, f64)| (predicted - found).abs() <= 64.0_f64.max(found / 6.0);
        assert!(predicted.into_iter().zip(found).all(near), "{}: {predicted:?}, not {found:?}", entry.stage);
    }
    assert!(compared > 0, "no entry is of the stages as they are now: run scripts/qor --config default --update");
}

const PAGE: &str = "docs/measured.md";

/// With `MPNIC_UPDATE_DOCS=1` the page is updated.
#[test]
fn the_page_quotes_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let text = std::fs::read_to_string(&path).expect("the page");
    let (before, _) = text.split_once("\n| stage").expect("a table");
    let wanted = format!("{before}\n{}", rows());
    if std::env::var_os("MPNIC_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &wanted).expect("written");
    }
    assert!(text == wanted || std::env::var_os("MPNIC_UPDATE_DOCS").is_some(), "{PAGE} is to be\n{wanted}");
}

/// The table in the form of the page.
fn rows() -> String {
    let mut text = "| stage | not as by default | family | after place and route | estimate before placement | LUT | FF | SRL | blocks | design |\n\
                    |---|---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for entry in entries() {
        let config = Config::default();
        let changed = entry
            .parameters
            .iter()
            .filter(|(name, value)| key(name).is_some_and(|key| value_of(value) != Some((key.get)(&config))));
        let changed: Vec<_> = changed.map(|(name, value)| format!("`{name} = {value}`")).collect();
        let count = |kinds: &[&str]| {
            let some = kinds.iter().find_map(|kind| entry.cells(kind));
            some.map_or_else(|| "-".to_owned(), |count| count.to_string())
        };
        let design = entry.verilog.as_deref().map_or_else(|| "earlier".to_owned(), |hash| format!("`{hash}`"));
        let seeds = entry.seeds.map_or_else(String::new, |seeds| format!(", {seeds} seed(s)"));
        let mhz = entry.mhz.map_or_else(|| "-".to_owned(), |mhz| format!("{mhz:.1} MHz{seeds}"));
        let ns = entry.estimate_ns.map_or_else(|| "-".to_owned(), |ns| format!("{ns:.2} ns"));
        text += &format!(
            "| `{}` | {} | {} | {mhz} | {ns} | {} | {} | {} | {} | {design} |\n",
            entry.stage,
            changed.join(", "),
            entry.family,
            count(&["lut4", "lut6"]),
            count(&["ff"]),
            count(&["srl"]),
            count(&["ebr", "bram"]),
        );
    }
    text
}

/// The clock of a stage as the table has it, and as it would be if all entries of the stage were of the design of today.
fn clocks(stage: StageName, config: &Config) -> [Clock; 2] {
    let (rate, family) = (Rate::of(config.data_width, &config.target), Device::find(&config.target.device));
    let (family, wanted) = (family.expect("a device").family(), parameters(stage, config));
    let mut fresh = entries();
    for entry in fresh.iter_mut().filter(|entry| entry.stage == stage.name()) {
        entry.verilog = Some(design::hash(stage, &configuration(entry)).unwrap_or_else(|error| panic!("{error:?}")));
    }
    [entries(), fresh].map(|table| {
        let found = find_in(table, stage, family, &wanted).unwrap_or_else(|error| panic!("{error:?}"));
        Clock::of(found, &rate)
    })
}

/// Measurements of the design of today decide; those of an earlier one and estimates do not.
#[test]
fn the_clock_closes_as_measured() {
    let of = |change: fn(&mut Config)| {
        let mut config = Config::load(Some("ecp5-10g")).unwrap_or_else(|error| panic!("{error:?}"));
        change(&mut config);
        clocks(StageName::HeaderBuilder, &config)
    };
    // 10 Gb/s need 78 MHz at 128 bits.
    let [known, good] = of(|_| {});
    assert!(good.closes == Closes::Yes && good.problem().is_none(), "{good:?}");
    assert!(good.margin_percent.is_some_and(|margin| margin > 50.0), "{good:?}");
    if known.measured.as_ref().is_some_and(|figure| figure.relation == Relation::Changed) {
        assert_eq!((known.closes, known.margin_percent), (Closes::NotMeasured, None));
        assert!(known.text().contains("after place and route of an earlier design"), "{}", known.text());
    }
    // 20 Gb/s need 156 MHz.
    let [_, bad] = of(|config| (config.target.link_gbps, config.target.clock_mhz) = (20.0, 160.0));
    assert_eq!((bad.closes, bad.problem().is_some()), (Closes::No, true));
    // For a smaller configuration, a margin of the larger one means that it closes; too low a clock of the larger one
    // means nothing.
    let [_, small] = of(|config| (config.data_width, config.target.link_gbps) = (64, 5.0));
    assert_eq!(small.closes, Closes::Larger);
    let [_, open] = of(|config| (config.data_width, config.target.clock_mhz) = (64, 156.25));
    assert_eq!((open.closes, open.problem()), (Closes::NotMeasured, None));
    assert!(open.text().contains("of a larger configuration"), "{}", open.text());
    // An estimate decides nothing; Agilex has none.
    let other = |device: &str| {
        let mut config = Config::default();
        device.clone_into(&mut config.target.device);
        let [_, clock] = clocks(StageName::HeaderParser, &config);
        clock
    };
    assert_eq!([other("xcvu37p").closes, other("agf014").closes], [Closes::NotMeasured; 2]);
    assert!(other("xcvu37p").text().contains("before placement") && other("agf014").measured.is_none());
}

/// Another Verilog with as many registers and memory bits is another design, and an entry of a larger one is left out.
#[test]
fn a_figure_is_of_one_design() {
    let stage = StageName::IcrcInsert;
    let mut config = Config { data_width: 64, ..Config::default() };
    let mut entry = entries().into_iter().find(|entry| entry.stage == stage.name()).expect("an entry");
    entry.parameters = [("data_width".to_owned(), 64.into())].into();
    let relation = |entry: &Measured, config: &Config| {
        let found = find_in(vec![entry.clone()], stage, &entry.family, &parameters(stage, config));
        found.unwrap_or_else(|error| panic!("{error:?}")).first().map(|(relation, _)| *relation)
    };
    assert_eq!(relation(&entry, &config), Some(Relation::Changed));
    entry.verilog = Some(design::hash(stage, &configuration(&entry)).unwrap_or_else(|error| panic!("{error:?}")));
    assert_eq!(relation(&entry, &config), Some(Relation::Same));
    // Settings, the clock and the name of the module are no other design.
    (config.target.clock_mhz, config.target.prefix) = (200.0, "my".to_owned());
    assert_eq!(relation(&entry, &config), Some(Relation::Same));
    entry.verilog = Some("0123456789abcdef".to_owned());
    assert_eq!(relation(&entry, &config), Some(Relation::Changed));
    entry.parameters = [("data_width".to_owned(), 128.into())].into();
    assert_eq!(relation(&entry, &config), None);
}

/// The script that measures has the same hash; comments and spaces do not matter.
#[test]
fn the_script_has_the_same_hash() {
    let (stage, config) = (StageName::Tally, Config::default());
    let files = crate::stages::verilog(&stage.circuit(&config).expect("it elaborates"), &stage.header(&config));
    let text = files.expect("Verilog").into_iter().map(|file| file.text + "\n").collect::<String>();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/qor");
    let load = "import importlib.machinery as m, importlib.util as u, sys; sys.dont_write_bytecode = True; \
                l = m.SourceFileLoader('qor', sys.argv[1]); q = u.module_from_spec(u.spec_from_loader('qor', l)); \
                l.exec_module(q); print(q.hash_of(sys.stdin.read()))";
    let mut python = std::process::Command::new("python3");
    python.args(["-c", load]).arg(script).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = python.spawn().expect("python3");
    std::io::Write::write_all(&mut child.stdin.take().expect("its input"), text.as_bytes()).expect("written");
    let out = child.wait_with_output().expect("it ends");
    let of_today = design::hash(stage, &config).expect("a hash");
    assert_eq!((String::from_utf8_lossy(&out.stdout).trim(), of_today.len()), (&*of_today, 16));
}
