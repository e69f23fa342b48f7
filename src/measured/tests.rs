// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table is consistent, its parameters are all that matters for a netlist, and the page shows it.

use super::*;
use crate::budget::{Budget, Size};
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

/// The configuration of an entry.
fn configuration(entry: &Measured) -> Config {
    let mut config = Config::default();
    for (name, value) in &entry.parameters {
        let key = key(name).unwrap_or_else(|| panic!("{name} is no key"));
        let value = value_of(value).unwrap_or_else(|| panic!("{name} = {value}"));
        assert!(key.kind.allows(&value), "{name} = {value} is not {}", key.kind.allowed());
        (key.set)(&mut config, value);
    }
    let device = if entry.family == "ecp5" { "lfe5u-85f" } else { "xcvu37p" };
    device.clone_into(&mut config.target.device);
    config
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
        // follow from does so too.
        let apart = |key: &&Key| match key.section {
            "target" => ["device", "prefix", "clock_mhz", "link_gbps"].contains(&key.name),
            "ccc_table" => key.name == "credit_unit" && stage == StageName::CreditPacer,
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
            assert!(stage.has_key(key) || !changed, "{} changes {}", full_name(key), stage.name());
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
    let mut text = "| stage | not as by default | family | after place and route | estimate before placement | LUT | FF | SRL | blocks |\n\
                    |---|---|---|---|---|---|---|---|---|\n"
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
        let seeds = entry.seeds.map_or_else(String::new, |seeds| format!(", {seeds} seed(s)"));
        let mhz = entry.mhz.map_or_else(|| "-".to_owned(), |mhz| format!("{mhz:.1} MHz{seeds}"));
        let ns = entry.estimate_ns.map_or_else(|| "-".to_owned(), |ns| format!("{ns:.2} ns"));
        text += &format!(
            "| `{}` | {} | {} | {mhz} | {ns} | {} | {} | {} | {} |\n",
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

/// Measurements decide, estimates do not.
#[test]
fn the_clock_closes_as_measured() {
    let of = |stage: StageName, change: fn(&mut Config)| {
        let mut config = Config::load(Some("ecp5-10g")).unwrap_or_else(|error| panic!("{error:?}"));
        change(&mut config);
        Budget::of(stage, &config).unwrap_or_else(|error| panic!("{error:?}"))
    };
    use crate::budget::Closes;
    let builder = StageName::HeaderBuilder;
    // 10 Gb/s need 78 MHz at 128 bits.
    let good = of(builder, |_| {});
    assert!(good.clock.closes >= Closes::Larger && good.fits, "{:?}", good.clock);
    assert!(good.clock.margin_percent.is_some_and(|margin| margin > 50.0), "{:?}", good.clock);
    // 20 Gb/s need 156 MHz: the result is that it does not close, or that it is not measured any more.
    let bad = of(builder, |config| (config.target.link_gbps, config.target.clock_mhz) = (20.0, 160.0));
    let known = good.clock.measured.as_ref().is_some_and(|figure| figure.relation == Relation::Same);
    assert_eq!((bad.clock.closes, bad.fits), if known { (Closes::No, false) } else { (Closes::NotMeasured, true) });
    assert_eq!(bad.problems.len(), usize::from(known), "{:?}", bad.problems);
    // For a smaller configuration, a margin of the larger one means that it closes; too low a clock of the larger one
    // means nothing.
    let small = of(builder, |config| (config.data_width, config.target.link_gbps) = (64, 5.0));
    assert_eq!(small.clock.closes, Closes::Larger);
    let open = of(builder, |config| (config.data_width, config.target.clock_mhz) = (64, 156.25));
    assert_eq!((open.clock.closes, open.fits), (Closes::NotMeasured, true));
    assert!(open.clock.text().contains("of a larger configuration"), "{}", open.clock.text());
    // An estimate decides nothing; Agilex has none.
    let other = |device: &str| {
        let mut config = Config::default();
        device.clone_into(&mut config.target.device);
        Budget::of(StageName::HeaderParser, &config).unwrap_or_else(|error| panic!("{error:?}")).clock
    };
    assert_eq!([other("xcvu37p").closes, other("agf014").closes], [Closes::NotMeasured; 2]);
    assert!(other("xcvu37p").text().contains("before placement") && other("agf014").measured.is_none());
}
