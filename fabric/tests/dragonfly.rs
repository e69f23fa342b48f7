// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold in a Dragonfly: links, ways, latencies where nothing competes, bounds, conservation, the same bytes for a seed.

use fabric::dragonfly::network::Network;
use fabric::dragonfly::route::{Detour, Place, Route, channel, port};
use fabric::dragonfly::shape::{Shape, Trunks};
use fabric::dragonfly::tables::{Event, Tables};
use fabric::experiment::{Experiment, Planned, Run, run};
use fabric::result::{Report, series_csv};
use golden_vectors::routing::lia_router::oracle as stage;
use proptest::prelude::*;
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;

const SMALL: &str = r#"
[experiment]
name = "small"
title = "72 hosts"

[topology]
kind = "dragonfly"
h = 2

[routing]
policy = "lia"

[traffic]
pattern = "uniform"
offset = 1
load = 0.3

[measure]
warmup_cycles = 2000
cycles = 3000
"#;

fn read(set: &[&str]) -> Experiment {
    let set: Vec<_> = set.iter().map(|&set| set.to_owned()).collect();
    Experiment::read(SMALL, &set, Path::new(".")).expect("it is good")
}

fn ran(set: &[&str]) -> Run {
    let result = run(&read(set).cases[0], 1);
    assert!(result.broken.is_empty(), "{set:?}: {:?}", result.broken);
    assert!(result.packets[1] > 0, "{set:?}: nothing arrives");
    result
}

/// Sizes that exist.
fn shapes() -> impl Strategy<Value = Shape> {
    let sizes = (1..=4_u32, 2..=9_u32, 1..=4_u32, 1..=4_u32, any::<bool>());
    sizes.prop_filter_map("no such Dragonfly", |(p, a, h, t, apart)| {
        Shape::new(p, a, h, t, if apart { Trunks::Apart } else { Trunks::Neighbours }).ok()
    })
}

proptest! {
    #[test]
    fn links_lead_back(shape in shapes()) {
        for switch in 0..shape.all_switches() {
            for port in shape.hosts..shape.ports() {
                let (there, far) = shape.peer(switch, port).expect("a link");
                prop_assert!(there != switch && there < shape.all_switches());
                prop_assert_eq!(shape.peer(there, far), Some((switch, port)));
                prop_assert_eq!(shape.is_global(port), there / shape.switches != switch / shape.switches);
            }
        }
    }

    #[test]
    fn each_group_has_t_links_to_each_other(shape in shapes()) {
        for offset in 1..shape.groups {
            let mut links: Vec<_> = (0..shape.trunk).map(|which| shape.link(offset, which)).collect();
            prop_assert!(links.iter().all(|&link| shape.offset(link) == offset));
            prop_assert!(links.iter().all(|&link| shape.offset(shape.far(link)) == shape.groups - offset));
            links.sort_unstable();
            links.dedup();
            prop_assert_eq!(links.len() as u32, shape.trunk);
        }
        prop_assert_eq!((shape.groups - 1) * shape.trunk, shape.group_links());
    }

    #[test]
    fn ways_end_at_the_destination_and_channels_rise(shape in shapes(), draws in any::<[u32; 6]>(), keep in any::<bool>()) {
        let (from, to) = (draws[0] % shape.all_switches(), draws[1] % shape.all_hosts());
        let (group, place, end) = (from / shape.switches, from % shape.switches, Place::of(&shape, to));
        let which = draws[2] % shape.trunk;
        let minimal = Route::minimal(&shape, group, place, end, which);
        let groups = walk(&shape, from, to, &minimal)?;
        prop_assert!(minimal.links() <= 3 && groups.len() <= 2);
        let link = draws[3] % shape.group_links();
        let between = (group + shape.offset(link)) % shape.groups;
        if group == end.group || between == end.group {
            return Ok(());
        }
        let through = keep.then_some(draws[4] % shape.switches);
        let route = Route::over(&shape, group, place, end, Detour { link, through }, which);
        prop_assert_eq!(walk(&shape, from, to, &route)?, vec![group, between, end.group]);
        prop_assert!(route.links() <= 6);
    }
}

/// A key with one of some values, or with its default.
fn key(name: &'static str, values: &'static [&'static str]) -> impl Strategy<Value = Option<String>> {
    prop::option::of(prop::sample::select(values).prop_map(move |value| format!("{name}={value}")))
}

/// Files of all kinds. Some of them are refused.
fn files() -> impl Strategy<Value = Vec<String>> {
    let topology = (
        key("topology.h", &["1", "2", "3"]),
        key("topology.a", &["2", "3", "6"]),
        key("topology.p", &["1", "5"]),
        key("topology.t", &["2", "3"]),
        key("topology.trunks", &["apart"]),
    );
    let switch = (
        key("switch.packet_flits", &["1", "3", "16"]),
        key("switch.pipeline_cycles", &["1", "12"]),
        key("switch.speedup", &["1", "3"]),
        key("switch.output_packets", &["1", "2"]),
        key("switch.local_packets", &["1", "7"]),
        key("switch.injection_queues", &["1", "4"]),
        key("switch.global_cycles", &["1", "33"]),
        key("switch.order", &["oldest"]),
    );
    let routing = (
        key("routing.policy", &["min", "valiant", "ugal", "piggyback", "acor", "tpr"]),
        key("routing.path", &["G", "LG", "GL", "LGL", "lia", "acor"]),
        key("routing.occupancy", &["landed", "credits"]),
        key("routing.again", &["false"]),
        key("routing.interval_cycles", &["1", "70", "1600"]),
        key("routing.weight", &["0", "100"]),
        key("routing.draws", &["3"]),
        key("routing.partial", &["true"]),
    );
    let traffic = (
        key("traffic.pattern", &["adversarial", "consecutive"]),
        key("traffic.offset", &["2", "5"]),
        key("traffic.load", &["0.00001", "0.6", "1.0"]),
        key("traffic.change", &[r#"[{ at_cycle = 300, pattern = "consecutive", load = 0.9 }]"#]),
        key("measure.warmup_cycles", &["0", "500"]),
        key("measure.cycles", &["1", "900"]),
    );
    (topology, switch, routing, traffic).prop_map(|(a, b, c, d)| {
        let keys = [a.0, a.1, a.2, a.3, a.4, b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7];
        let more = [c.0, c.1, c.2, c.3, c.4, c.5, c.6, c.7, d.0, d.1, d.2, d.3, d.4, d.5];
        keys.into_iter().chain(more).flatten().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn what_is_not_refused_keeps_all_packets(set in files()) {
        let set: Vec<_> = ["measure.cycles=900".to_owned()].into_iter().chain(set).collect();
        if let Ok(experiment) = Experiment::read(SMALL, &set, Path::new(".")) {
            let run = run(&experiment.cases[0], 1);
            prop_assert!(run.broken.is_empty(), "{:?}", run.broken);
        }
    }
}

/// Follows a way. Each hop is on a channel that comes later in the order L0 G0 L1 L2 G1 L3, so no circle of waiting packets is possible.
fn walk(shape: &Shape, from: u32, to: u32, route: &Route) -> Result<Vec<u32>, TestCaseError> {
    let (mut at, mut rank, mut groups) = (from, 0, vec![from / shape.switches]);
    let (last, hops) = route.hops[..route.count as usize].split_last().expect("a hop");
    for &hop in hops {
        let global = shape.is_global(port(hop) as u32);
        let next = match (global, channel(hop)) {
            (false, 0) => 1,
            (true, 0) => 2,
            (false, 1) => 3,
            (false, 2) => 4,
            (true, 1) => 5,
            (false, 3) => 6,
            _ => return Err(TestCaseError::fail("a channel that global links do not have")),
        };
        prop_assert!(next > rank);
        rank = next;
        at = shape.peer(at, port(hop) as u32).expect("a link").0;
        if global {
            groups.push(at / shape.switches);
        }
    }
    prop_assert_eq!(at * shape.hosts + port(*last) as u32, to);
    Ok(groups)
}

#[test]
fn a_packet_alone_takes_what_its_links_take() {
    // To the switch and through it 6, 15 over a local link and 105 over a global one, and 9 to the last flit at the host.
    let set = [
        "routing.policy=min",
        "traffic.pattern=adversarial",
        "traffic.load=0.0005",
        "measure.cycles=200_000",
        "topology.h=4",
    ];
    let run = ran(&set);
    assert!((run.figures["p50"] - 150.0).abs() < 1e-9, "{:?}", run.figures);
    let mean = 6.0 + 105.0 + 2.0 * 15.0 * 7.0 / 8.0 + 9.0;
    assert!((run.figures["mean"] - mean).abs() < 1.0, "{mean}: {:?}", run.figures);
    assert!((run.figures["hops"] - 2.75).abs() < 0.05);
}

#[test]
fn all_policies_keep_all_packets_below_and_above_saturation() {
    for policy in ["min", "valiant", "ugal", "piggyback", "acor", "tpr", "lia"] {
        for traffic in [
            &["traffic.pattern=uniform"][..],
            &["traffic.pattern=adversarial"],
            &["traffic.pattern=consecutive", "traffic.uniform=0.3"],
        ] {
            for load in ["0.1", "1.0"] {
                let (policy, load) = (format!("routing.policy={policy}"), format!("traffic.load={load}"));
                let set: Vec<_> = [policy.as_str(), load.as_str()].iter().chain(traffic).copied().collect();
                ran(&set);
            }
        }
    }
}

#[test]
fn the_smallest_buffers_do_not_deadlock() {
    let buffers =
        ["switch.local_packets=1", "switch.global_packets=1", "switch.output_packets=1", "switch.injection_packets=1"];
    for path in ["G", "LG", "GL", "LGL"] {
        let path = format!("routing.path={path}");
        let set: Vec<_> = buffers
            .iter()
            .copied()
            .chain(["routing.policy=valiant", "traffic.load=1.0", "measure.cycles=20_000", &path])
            .collect();
        let run = ran(&set);
        assert!(run.figures["accepted"] > 0.01, "{path}: {:?}", run.figures);
    }
}

#[test]
fn min_carries_what_one_link_carries() {
    for (h, load) in [(2, "0.5"), (3, "0.3")] {
        let (size, load) = (format!("topology.h={h}"), format!("traffic.load={load}"));
        let set = ["routing.policy=min", "traffic.pattern=adversarial", &size, &load, "measure.cycles=8000"];
        let accepted = ran(&set).figures["accepted"];
        let bound = 1.0 / f64::from(2 * h * h);
        assert!((accepted / bound - 1.0).abs() < 0.01, "h = {h}: {accepted} and {bound}");
    }
}

#[test]
fn lia_is_sooner_than_valiant_and_carries_more() {
    for pattern in ["adversarial", "consecutive"] {
        let pattern = format!("traffic.pattern={pattern}");
        let of = |policy: &str, load: &str, figure: &str| {
            let (policy, load) = (format!("routing.policy={policy}"), format!("traffic.load={load}"));
            ran(&["topology.h=3", &pattern, &policy, &load]).figures[figure]
        };
        assert!(of("lia", "0.2", "mean") < 0.95 * of("valiant", "0.2", "mean"), "{pattern}");
        assert!(of("lia", "1.0", "accepted") > of("valiant", "1.0", "accepted"), "{pattern}");
    }
}

#[test]
fn the_rules_of_the_network_do_as_the_tables_of_the_stage() {
    for pattern in ["uniform", "adversarial", "consecutive"] {
        let pattern = format!("traffic.pattern={pattern}");
        let of = |rules: &str| ran(&["topology.h=3", &pattern, &format!("routing.rules={rules}")]).figures;
        let (stage, network) = (of("stage"), of("network"));
        assert!((stage["mean"] / network["mean"] - 1.0).abs() < 0.03, "{pattern}: {stage:?} {network:?}");
        assert!((stage["detours"] - network["detours"]).abs() < 0.05, "{pattern}: {stage:?} {network:?}");
    }
}

#[test]
fn with_several_links_between_groups_all_arrive() {
    // With t = h all links of some switches lead to the destination group: their first local hop stays.
    for trunks in ["neighbours", "apart"] {
        for path in ["G", "lia"] {
            let (trunks, path) = (format!("topology.trunks={trunks}"), format!("routing.path={path}"));
            let policy = if path.ends_with("lia") { "routing.policy=lia" } else { "routing.policy=valiant" };
            let run = ran(&["topology.t=2", &trunks, &path, policy, "traffic.pattern=adversarial", "traffic.load=0.1"]);
            assert!((run.figures["accepted"] - 0.1).abs() < 0.01, "{trunks} {path}: {:?}", run.figures);
        }
    }
}

#[test]
fn a_change_of_traffic_settles() {
    let change = r#"traffic.change=[{ at_cycle = 3000, pattern = "adversarial" }]"#;
    let run = ran(&["topology.h=3", "measure.warmup_cycles=2000", "measure.cycles=8000", change]);
    assert!(run.figures["settled"] > 0.0 && run.figures["settled"] < 2500.0, "{:?}", run.figures);
    let before = run
        .series
        .iter()
        .filter(|step| (1000..3000).contains(&step.cycle))
        .map(|step| step.latency)
        .fold(0.0, f64::max);
    let after =
        run.series.iter().filter(|step| step.cycle >= 8000).map(|step| step.latency).fold(f64::INFINITY, f64::min);
    assert!(after > 1.2 * before, "detours are longer: {before} and {after}");
    assert_eq!(series_csv(&[run]).lines().count(), 101);
}

/// What would be written.
fn bytes(experiment: &Experiment, threads: usize) -> String {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let one = |&(case, seed): &(usize, u64)| run(&experiment.cases[case], seed);
    let runs: Vec<_> = pool.install(|| experiment.tasks().par_iter().map(one).collect());
    serde_json::to_string(&Report::of(experiment, &runs, "test")).expect("JSON")
}

#[test]
fn a_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let text = format!("{SMALL}\n[sweep]\n\"routing.policy\" = [\"lia\", \"piggyback\"]\n");
    let read = |set: &[&str]| {
        let set: Vec<_> = set.iter().map(|&set| set.to_owned()).collect();
        Experiment::read(&text, &set, Path::new(".")).expect("it is good")
    };
    let experiment = read(&["experiment.seeds=3"]);
    assert_eq!(experiment.tasks().len(), 6);
    let report = bytes(&experiment, 1);
    assert_eq!(bytes(&experiment, 3), report);
    let other = bytes(&read(&["experiment.seeds=3", "experiment.seed=7"]), 2);
    assert_ne!(other, report, "another seed is another run");
}

#[test]
fn the_page_has_a_plot_of_each_pattern() {
    let text = format!("{SMALL}\n[sweep]\n\"traffic.load\" = [0.1, 0.2]\n");
    let experiment = Experiment::read(&text, &[], Path::new(".")).expect("it is good");
    let runs: Vec<_> = experiment.tasks().iter().map(|&(case, seed)| run(&experiment.cases[case], seed)).collect();
    let page = fabric::report::page(&Report::of(&experiment, &runs, "test")).expect("a page");
    assert_eq!(page.matches("<svg").count(), 4, "mean, P99, accepted, switches");
    assert!(page.contains("P99 of latency, cycles") && !page.contains("When messages are completed"));
}

/// What another model of the stage can be compared by: the tables of a group, told the same once more, answer the same.
#[test]
fn what_tables_were_told_says_what_they_answer() {
    let experiment = read(&["traffic.pattern=consecutive", "traffic.load=0.8", "topology.h=3"]);
    let Planned::Dragonfly(setup) = &experiment.cases[0].network else { panic!("it is one") };
    let mut network = Network::new(setup, 1);
    network.policy().tables().expect("tables").record(5);
    network.run();
    let log = network.policy().tables().and_then(|tables| tables.log().cloned()).expect("a log");
    let shape = Tables::shape(&setup.shape).expect("the stage has it");
    let arrangement = Arc::new(stage::Arrangement::palmtree(shape));
    let table = |(switch, &seed): (u64, &u32)| {
        stage::Table::new(Arc::clone(&arrangement), stage::Place { group: 5, switch }, seed, log.settings)
    };
    let mut tables: Vec<_> = (0..).zip(&log.seeds).map(table).collect();
    let (mut requests, mut detours) = (0, 0);
    for (_, place, event) in &log.events {
        let table = &mut tables[*place as usize];
        match event {
            Event::Enqueue { group, flits } => assert!(table.enqueue((*group).into(), (*flits).into())),
            Event::Dequeue { group, flits } => assert!(table.dequeue((*group).into(), (*flits).into())),
            Event::Sweep { ends } => table.sweep(*ends),
            Event::Request { group, switch, queues, answer } => {
                let queue =
                    |port| queues.iter().find(|(asked, _)| *asked == port).map_or(0, |&(_, flits)| flits.into());
                assert_eq!(table.request_by((*group).into(), (*switch).into(), queue), *answer);
                requests += 1;
                detours += u32::from(!answer.minimal);
            }
        }
    }
    assert!(requests > 1000 && detours > 100 && detours < requests, "{requests} {detours}");
}
