// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of runs: exact times where nothing competes, recovery from losses, and the same bytes for a seed.

use fabric::experiment::{Experiment, Run, run};
use fabric::result::{Report, flows_csv};
use rayon::prelude::*;
use std::path::Path;

/// Sixteen hosts, two of them send.
const SMALL: &str = r#"
[experiment]
name = "small"
title = "Sixteen hosts"
end_us = 20_000

[topology]
kind = "leaf-spine"
hosts = 16
leaves = 4
spines = 4
rate_gbps = 400
delay_ns = 1000

[transport]
paths = 64

[traffic]
pattern = "permutation"
bytes = 408_600
"#;

fn read(set: &[&str]) -> Experiment {
    let set: Vec<_> = set.iter().map(|&set| set.to_owned()).collect();
    Experiment::read(SMALL, &set, Path::new(".")).expect("it is good")
}

fn ran(set: &[&str]) -> Run {
    let result = run(&read(set).cases[0], 1);
    assert!(result.broken.is_empty(), "{:?}", result.broken);
    result
}

const ONE: [&str; 2] = ["traffic.pattern=flows", "traffic.flow=[{ from = 0, to = 15 }]"];

#[test]
fn a_flow_alone_takes_what_its_bits_take() {
    // 100 packets of 4150 bytes, 83 ns each; over three more links the last one; 4 us; and the way back of 64 bytes, 1.28 ns each.
    let delivered = (100 + 3) * 83_000 + 4_000_000;
    let flow = ran(&ONE).flows[0];
    assert_eq!(flow.delivered, Some(delivered));
    assert_eq!(flow.completed, Some(delivered + 4 * (1280 + 1_000_000)));
}

#[test]
fn a_slower_link_takes_longer() {
    let slow = r#"topology.change=[{ links = "host0 -> leaf0", at_us = 0, rate_gbps = 40 }]"#;
    let flow = ran(&[ONE[0], ONE[1], slow]).flows[0];
    assert_eq!(flow.delivered, Some(100 * 830_000 + 3 * 83_000 + 4_000_000));
}

#[test]
fn what_is_lost_is_sent_again() {
    let loss = r#"topology.change=[{ links = "leaf* - spine*", at_us = 0, loss = 0.02 }]"#;
    let run = ran(&[loss]);
    let lost = run.counters["dropped, lost on a link"];
    assert!(lost > 20 && run.packets[2] == lost, "{:?}", run.counters);
    assert!(run.counters["retransmissions"] > 10 && run.counters["inferred losses"] > 0, "{:?}", run.counters);
    // Every message was delivered once, whatever was sent again.
    assert_eq!(run.counters["data packets"] - run.counters["retransmissions"], 16 * 100);
}

#[test]
fn a_dead_link_is_survived() {
    let dead = r#"topology.change=[{ links = "leaf0 -> spine0", at_us = 2, up = false }]"#;
    let run = ran(&[dead]);
    assert!(run.counters["dropped, link down"] > 0, "{:?}", run.counters);
    assert_eq!(run.counters["dropped, link down"], run.packets[2]);
}

#[test]
fn a_host_that_is_cut_off_is_named() {
    let cut = r#"topology.change=[{ links = "leaf3 -> host15", at_us = 1, up = false }]"#;
    let run = run(&read(&[ONE[0], ONE[1], cut]).cases[0], 1);
    assert_eq!(run.broken, ["message 0 from host 0 to host 15: not delivered"]);
    let [entered, delivered, dropped, inside] = run.packets;
    assert!(delivered == 0 && dropped > 0 && entered == dropped + inside, "{:?}", run.packets);
}

#[test]
fn queues_without_trimming_drop() {
    let incast = ["traffic.pattern=incast", "traffic.senders=8"];
    let run = ran(&[incast[0], incast[1], "queue.trim=false"]);
    assert!(run.counters["dropped, queue full"] > 0 && run.counters["trimmed"] == 0, "{:?}", run.counters);
    let trimming = ran(&incast);
    assert!(trimming.counters["dropped, queue full"] == 0 && trimming.counters["trimmed"] > 0);
    assert!(trimming.figures["largest"] < run.figures["largest"], "what is trimmed is known at once");
}

#[test]
fn marks_and_trimming_keep_to_the_queue() {
    let run = ran(&["traffic.pattern=incast", "traffic.senders=8", "queue.packets=30", "queue.ecn=false"]);
    assert_eq!(run.counters["marked"], 0);
    let most = run.counters["most bytes in a queue"];
    assert!(most <= 30 * 4150 && most > 28 * 4150, "{most}");
}

#[test]
fn credit_keeps_the_queue_short() {
    let incast = ["traffic.pattern=incast", "traffic.senders=8", "traffic.bytes=2_000_000"];
    let figures = |control: &str| ran(&[incast[0], incast[1], incast[2], control]);
    let (nscc, rccc) = (figures("transport.control=nscc"), figures("transport.control=rccc"));
    assert!(rccc.counters["trimmed"] < nscc.counters["trimmed"]);
    let both = figures("transport.control=both");
    assert!(both.figures["goodput"] > 300.0, "{:?}", both.figures);
}

#[test]
fn many_paths_are_better_than_one() {
    // M96: with ECMP by flow alone some share a link while others are idle.
    let one = ran(&["topology.ecmp=flow", "traffic.bytes=2_000_000"]);
    let many = ran(&["traffic.bytes=2_000_000"]);
    assert!(many.figures["largest"] * 1.3 < one.figures["largest"], "{:?} {:?}", many.figures, one.figures);
}

#[test]
fn a_load_of_many_short_messages_is_carried() {
    let sizes = "traffic.sizes=[[500, 0.0], [4000, 0.8], [60_000, 1.0]]";
    let run = ran(&["traffic.pattern=load", "traffic.load=0.5", sizes, "traffic.until_us=200"]);
    assert!(run.flows.len() > 3000, "{}", run.flows.len());
    // M98: a short message takes little more than a round trip of 8.3 us.
    let mut short: Vec<_> = run.flows.iter().filter(|flow| flow.bytes < 4000).collect();
    short.sort_by_key(|flow| flow.completed.map(|end| end - flow.start));
    let median = short[short.len() / 2];
    let took = median.completed.expect("completed") - median.start;
    assert!(took < 12_000_000, "{took}");
}

#[test]
fn messages_wait_for_a_context() {
    let flow = "{ from = 0, to = 1 }";
    let flows = format!("traffic.flow=[{}]", vec![flow; 4200].join(", "));
    let run = ran(&["traffic.pattern=flows", "traffic.bytes=100", &flows]);
    assert!(run.flows.iter().all(|flow| flow.completed.is_some()));
    // 4096 at a time, in turn.
    let first = |from: usize| run.flows[from..from + 100].iter().filter_map(|flow| flow.completed).max();
    assert!(first(0) < first(4100));
}

#[test]
fn a_list_of_links_is_a_network() {
    let text = r#"
[experiment]
name = "pair"
title = "Two hosts"
[topology]
kind = "links"
links = ["host0 - left", "left - right", "right - host1"]
rate_gbps = 100
delay_ns = 100
[traffic]
pattern = "flows"
bytes = 4086
flow = [{ from = 0, to = 1 }]
"#;
    let experiment = Experiment::read(text, &[], Path::new(".")).expect("it is good");
    let flow = run(&experiment.cases[0], 1).flows[0];
    assert_eq!(flow.delivered, Some(3 * (332_000 + 100_000)));
}

#[test]
fn a_sweep_is_all_combinations() {
    let text = format!("{SMALL}\n[sweep]\n\"transport.paths\" = [16, 64]\n\"traffic.bytes\" = [1000, 2000, 3000]\n");
    let experiment = Experiment::read(&text, &[], Path::new(".")).expect("it is good");
    let names: Vec<_> = experiment.cases.iter().map(|plan| plan.name.as_str()).collect();
    assert_eq!(names.len(), 6);
    assert_eq!(names[1], "traffic.bytes=1000; transport.paths=64");
    assert_eq!(experiment.cases[1].events().map(|plan| plan.setup.paths), Some(64));
}

/// What would be written.
fn bytes(experiment: &Experiment, threads: usize) -> (String, String) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let one = |&(case, seed): &(usize, u64)| run(&experiment.cases[case], seed);
    let runs: Vec<_> = pool.install(|| experiment.tasks().par_iter().map(one).collect());
    let report = Report::of(experiment, &runs, "test");
    (serde_json::to_string(&report).expect("JSON"), flows_csv(&runs))
}

#[test]
fn a_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let experiment = read(&["experiment.seeds=4", r#"sweep={ "transport.selection" = ["mixed", "reps"] }"#]);
    let (report, flows) = bytes(&experiment, 1);
    assert_eq!(bytes(&experiment, 3), (report.clone(), flows.clone()));
    let other =
        read(&["experiment.seeds=4", "experiment.seed=9", r#"sweep={ "transport.selection" = ["mixed", "reps"] }"#]);
    assert_ne!(bytes(&other, 2).1, flows, "another seed is another run");
}

#[test]
fn a_ring_goes_on_as_chunks_arrive() {
    let chunk = "traffic.bytes=40_860";
    let run = ran(&["traffic.pattern=ring", "traffic.steps=3", chunk]);
    assert_eq!(run.flows.len(), 48);
    // Ten packets over the links of one leaf or of two, and so three times. Only ACKs of the host's own are in the way, at most one a packet.
    let step = |links: u64| (10 + links - 1) * 83_000 + links * 1_000_000;
    let near = |time: Option<u64>, least: u64, steps: u64| {
        time.is_some_and(|time| (0..=steps * 20_000).contains(&(time - least)))
    };
    let first = |at: usize| run.flows[at].delivered;
    assert!(near(first(0), step(2), 1) && near(first(3), step(4), 1), "{:?} {:?}", first(0), first(3));
    assert_eq!(Some(run.flows[16 + 4].start), first(3), "host 4 waits for what comes from another leaf");
    // What passes one leaf after the other goes over four links once, and twice over two.
    let last = run.flows.iter().filter_map(|flow| flow.delivered).max();
    assert!(near(last, step(4) + 2 * step(2), 3), "{last:?}");
    assert!((run.figures["end"] - run.end as f64 / 1e6).abs() < 1e-9);
}

#[test]
fn wrong_bits_lose_packets_by_their_length() {
    let errors = r#"topology.change=[{ links = "leaf* - spine*", at_us = 0, bit_errors = 1e-6 }]"#;
    let run = ran(&[errors, "traffic.bytes=4_086_000"]);
    // 16,000 packets of 33,200 bits, two such links each: 6.4 % of them; of ACKs hardly any.
    let lost = run.counters["dropped, bit error"] as f64 / run.counters["data packets"] as f64;
    assert!((0.05..0.08).contains(&lost), "{lost}");
}

#[test]
fn links_are_looked_at() {
    let incast = ["traffic.pattern=incast", "traffic.senders=8", "traffic.receiver=0"];
    let measure = r#"measure={ links = "leaf0 -> host0", every_us = 2 }"#;
    let experiment = read(&[incast[0], incast[1], incast[2], measure]);
    let runs = [run(&experiment.cases[0], 1)];
    let samples = &runs[0].samples;
    assert_eq!(samples[3].time - samples[2].time, 2_000_000);
    assert!(samples.iter().any(|sample| sample.queue > 300_000), "the queue is full for a while");
    let text = fabric::result::traces_csv(&experiment, &runs);
    let rates: Vec<f64> = text.lines().skip(1).filter_map(|line| line.rsplit(',').next()?.parse().ok()).collect();
    assert_eq!(rates.len(), samples.len());
    assert!(rates.iter().all(|rate| *rate < 417.0) && rates.iter().any(|rate| *rate > 390.0), "{rates:?}");
    assert!(text.lines().nth(1).is_some_and(|line| line == ",1,0,leaf0 -> host0,0,0.000"), "{text}");
}
