// SPDX-License-Identifier: MIT OR Apache-2.0
//! Probes of sub-paths: what they measure, lost ones, and sub-paths that a NIC starts by itself, when they are new and when they come back
//! (rows TX44 to TX49; M18, M43, M61, M72).

use super::super::setup::{RTT, SEGMENT, TICK, count, pdc, report, us};
use super::setup::{
    ACTIVE, FAILED, Sizes, closed_loop, nic, opened, settle, shares, simulations, sub_path, two_leaves,
};
use std::collections::BTreeMap;
use testbench::closed_loop::ClosedLoop;
use testbench::network::Impairment;

const DEAD: Impairment = Impairment { loss: 1.0, duplication: 0.0 };
/// Paths of the whole link, of a half and of a quarter of it, the last one with 9.2 us more. ACKs come back over any of them, always the same
/// one.
const UNLIKE: [(u64, u64); 3] = [(300, 64), (300, 32), (2100, 16)];
/// Four paths of a quarter of the link.
const PATHS: [(u64, u64); 4] = [(300, 16), (350, 16), (450, 16), (700, 16)];
/// States of sub-paths.
const PROBING: u64 = 1;
const PROBED: u64 = 5;
/// Codes of commands: of `path_scheduler`, and of the NIC.
const START: u64 = 5;
const PROBE: u64 = 5;

/// Sub-paths of which nobody has said anything but their entropies.
fn unstarted(count: usize) -> Sizes {
    Sizes { weights: vec![255; count], forced: false, ..Sizes::paths(count, 64) }
}

fn steps(run: &mut ClosedLoop, clocks: u64) {
    (0..clocks).for_each(|_| run.step().expect("the rules hold"));
}

/// Sends a train of so many packets over a sub-path, and waits for what becomes of it.
fn probe(run: &mut ClosedLoop, path: u64, packets: u64) -> BTreeMap<String, u64> {
    let before = run.nics[0].answers.len();
    let fields = [("op", PROBE), ("pdc", 0), ("ev", path), ("probe_packets", packets - 1), ("probe_length", 4096)];
    let response = run.command(0, fields.into()).expect("there is a response");
    assert_eq!((response["done"], response["open"]), (1, 1), "{response:?}");
    let limit = run.now() + 10 * RTT;
    while run.nics[0].answers.len() == before {
        assert!(run.now() < limit, "nothing becomes of the train");
        run.step().expect("the rules hold");
    }
    let answer = run.nics[0].answers[before].fields.clone();
    assert_eq!((answer["pdc"], answer["path"]), (0, path));
    answer
}

fn start(run: &mut ClosedLoop, path: u64) -> BTreeMap<String, u64> {
    run.path_command(0, vec![("op", START), ("qp", 0), ("path", path)]).expect("there is a response")
}

/// Each path is measured, gets its weight, and is started without force; then data use what all carry.
fn measured(run: &mut ClosedLoop, sizes: &Sizes) {
    let mut rtts = Vec::new();
    for (path, (delay, rate)) in (0..).zip(UNLIKE) {
        assert_eq!(start(run, path)["done"], 0, "a sub-path that has not been probed is not started (M61)");
        let answer = probe(run, path, 16);
        let state = sub_path(run, 0, 0, path);
        println!("{delay} clocks, {rate} bytes per clock: {answer:?}, weight {}", state["weight"]);
        assert_eq!((answer["answered"], state["state"]), (1, PROBED));
        let fair = 256 * rate / 64;
        assert!(answer["bandwidth"].abs_diff(fair) <= 4 + fair / 12, "{answer:?}: {fair}");
        assert_eq!(start(run, path)["state"], ACTIVE);
        rtts.push(answer["rtt"]);
        // One packet: there is no dispersion.
        let single = probe(run, path, 1);
        assert_eq!((single["answered"], single["bandwidth"]), (1, 255));
        assert!(single["rtt"].abs_diff(answer["rtt"]) <= 1, "{single:?} beside {answer:?}");
    }
    // A frame takes longer on a slower path.
    let more = ((2100 - 300) * TICK) >> 16;
    assert!((rtts[2] - rtts[0]).abs_diff(more) <= 16, "{rtts:?}, {more} more");
    let sent = run.nics[0].sent.probes;
    assert_eq!((sent, count_of(run, "probes"), count_of(run, "lost_probes")), (3 * 17, sent, 0));
    assert_eq!(run.nics[1].receiver.counts.probes, sent);
    (0..4).for_each(|_| run.send(0, 0, 200_000));
    run.until_done(100 * RTT).expect("it is delivered");
    report("paths that are measured", run);
    println!("{:?} packets of {SEGMENT} bytes", shares(run, sizes, 0, 0));
    settle(run, sizes, &[(0, 0), (1, 8)]);
}

fn count_of(run: &ClosedLoop, name: &str) -> u64 {
    run.nics[0].count(name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn trains_measure_round_trip_time_and_bandwidth() {
    let sizes = unstarted(3);
    let mut run = closed_loop(&two_leaves(2, &UNLIKE, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    measured(&mut run, &sizes);
}

#[test]
fn the_verilog_measures_the_same() {
    let (sizes, fabric) = (unstarted(3), two_leaves(2, &UNLIKE, Impairment::default()));
    let mut run = opened(&fabric, &sizes, &[pdc(0, 0, 1, 0)], simulations(&sizes));
    measured(&mut run, &sizes);
}

/// Over a path that is dead no train is answered; one train at a time; none for a PDC that is not open, or over a sub-path that is not there.
#[test]
fn trains_that_are_lost_or_refused() {
    let sizes = unstarted(2);
    let mut run = closed_loop(&two_leaves(2, &PATHS[..2], Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    run.fabric.path_mut(0, 1, 1).impair(DEAD);
    let asked = run.now();
    let answer = probe(&mut run, 1, 4);
    let waited = run.nics[0].answers[0].now - asked;
    assert_eq!((answer["answered"], answer["rtt"], answer["bandwidth"]), (0, 0, 0));
    assert!((4 * RTT..5 * RTT).contains(&waited), "{:.1} us", us(waited));
    assert_eq!((sub_path(&mut run, 0, 0, 1)["state"], start(&mut run, 1)["done"]), (PROBING, 0));
    for (pdc, path) in [(3, 0), (0, 5)] {
        let fields = vec![("op", PROBE), ("pdc", pdc), ("ev", path), ("probe_packets", 0), ("probe_length", 64)];
        let response = run.command(0, fields).expect("there is a response");
        assert_eq!(response["done"], 0, "QP {pdc}, sub-path {path}");
    }
    // The second one finds the first one under way.
    let fields = vec![("op", PROBE), ("pdc", 0), ("ev", 0), ("probe_packets", 0), ("probe_length", 64)];
    let both = [(); 2].map(|()| run.command(0, fields.clone()).expect("there is a response")["done"]);
    assert_eq!(both, [1, 0]);
    steps(&mut run, 2 * RTT);
    assert_eq!(run.nics[0].answers.len(), 2);
    assert_eq!((count_of(&run, "lost_probes"), count_of(&run, "probes")), (1, 5));
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}

fn states(run: &mut ClosedLoop) -> [u64; 4] {
    [0, 1, 2, 3].map(|path| sub_path(run, 0, 0, path)["state"])
}

/// Nobody starts the sub-paths: the NIC does, amid traffic it leaves one that dies, and takes it back when it is alive.
fn comes_back(run: &mut ClosedLoop, sizes: &Sizes) {
    let opened = run.now();
    while states(run) != [ACTIVE; 4] {
        assert!(run.now() < opened + 20 * RTT, "{:?}", states(run));
    }
    println!("four sub-paths are started after {:.1} us", us(run.now() - opened));
    // A train that the other NIC sends on the way back makes an answer late, and halves the weight.
    let weights = [0, 1, 2, 3].map(|path| sub_path(run, 0, 0, path)["weight"]);
    let bandwidths: Vec<_> = run.nics[0].answers.iter().map(|answer| answer.fields["bandwidth"]).collect();
    println!("weights {weights:?}, bandwidths {bandwidths:?}");
    assert!(bandwidths.iter().all(|bandwidth| bandwidth.abs_diff(64) <= 8), "{bandwidths:?}");
    assert!(weights.iter().all(|weight| [28..36, 56..72].iter().any(|of| of.contains(weight))), "{weights:?}");
    (0..8).for_each(|_| run.send(0, 0, 900_000));
    steps(run, 4 * RTT);
    run.fabric.path_mut(0, 1, 2).impair(DEAD);
    let cut = run.now();
    steps(run, 20 * RTT);
    let dead = shares(run, sizes, 0, 0);
    assert!([PROBING, FAILED].contains(&states(run)[2]), "{:?}", states(run));
    steps(run, 10 * RTT);
    let later = shares(run, sizes, 0, 0);
    assert_eq!(later[2], dead[2], "data over a dead path");
    while count_of(run, "lost_probes") == 0 {
        assert!(run.now() < cut + 60 * RTT, "{:?}, {} probes", sub_path(run, 0, 0, 2), run.nics[0].sent.probes);
        run.step().expect("the rules hold");
    }
    println!("the first train over the dead path is lost after {:.1} us", us(run.now() - cut));
    run.fabric.path_mut(0, 1, 2).impair(Impairment::default());
    let healed = run.now();
    while sub_path(run, 0, 0, 2)["state"] != ACTIVE {
        assert!(run.now() < healed + 12 * RTT, "it is not started");
    }
    println!("it is started again {:.1} us after it is alive", us(run.now() - healed));
    steps(run, 10 * RTT);
    let back = shares(run, sizes, 0, 0);
    let since: Vec<_> = back.iter().zip(&later).map(|(back, later)| back - later).collect();
    println!("{since:?} packets since");
    assert!(since[2] > since.iter().sum::<u64>() / 8, "{since:?}");
    run.until_done(400 * RTT).expect("it is delivered");
    report("a path that dies and comes back", run);
    assert!(run.nics[0].failed.is_empty());
    settle(run, sizes, &[(0, 0), (1, 8)]);
}

#[test]
fn a_path_that_dies_comes_back() {
    let sizes = Sizes { visits: true, ..unstarted(4) };
    let mut run = closed_loop(&two_leaves(2, &PATHS, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    comes_back(&mut run, &sizes);
}

#[test]
fn a_path_of_the_verilog_comes_back() {
    let (sizes, fabric) = (Sizes { visits: true, ..unstarted(4) }, two_leaves(2, &PATHS, Impairment::default()));
    let mut run = opened(&fabric, &sizes, &[pdc(0, 0, 1, 0)], simulations(&sizes));
    comes_back(&mut run, &sizes);
}

/// With no path left the QP waits, and goes on when a probe says that one is back (M75).
#[test]
fn a_qp_without_paths_goes_on_by_itself() {
    let sizes = Sizes { visits: true, waits: true, ..unstarted(2) };
    let mut run = closed_loop(&two_leaves(2, &PATHS[..2], Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 100_000));
    steps(&mut run, 6 * RTT);
    (0..2).for_each(|path| run.fabric.path_mut(0, 1, path).impair(DEAD));
    let cut = run.now();
    while !run.nics[0].events.iter().any(|event| event.fields["all_failed"] == 1) {
        assert!(run.now() < cut + 1000 * RTT, "a sub-path is still taken for alive");
        run.step().expect("the rules hold");
    }
    println!("the last sub-path has failed after {:.1} us", us(run.now() - cut));
    steps(&mut run, 50 * RTT);
    assert!(run.nics[0].failed.is_empty() && !run.ledger.is_done());
    run.fabric.path_mut(0, 1, 1).impair(Impairment::default());
    let healed = run.now();
    run.until_done(100 * RTT).expect("it is delivered");
    println!("all is delivered {:.1} us after one path is back", us(run.now() - healed));
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}

/// While the MAC takes no frames for 20 us, no bandwidth is measured; the shortest packets fill a beat.
#[test]
fn a_pause_amid_a_train() {
    let sizes = unstarted(2);
    let mut run = closed_loop(&two_leaves(2, &PATHS[..2], Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    for (length, pause) in [(4096, 4000), (4096, 0), (0, 0), (59, 0)] {
        let before = run.nics[0].answers.len();
        let fields = [("op", PROBE), ("pdc", 0), ("ev", 0), ("probe_packets", 7), ("probe_length", length)];
        let frames = count_of(&run, "header_builder_frames");
        run.nics[0].paused = pause > 0;
        run.nics[0].commands.offer(fields.to_vec());
        steps(&mut run, pause);
        run.nics[0].paused = false;
        steps(&mut run, 8 * RTT);
        let answer = &run.nics[0].answers[before].fields;
        println!("{length} bytes, a pause of {pause}: {answer:?}");
        assert_eq!(answer["answered"], u64::from(pause == 0));
        assert_eq!(count_of(&run, "header_builder_frames"), frames + 8);
        if length == 4096 && pause == 0 {
            assert!(answer["bandwidth"].abs_diff(64) <= 6, "{answer:?}");
        }
    }
    assert_eq!(run.nics[1].receiver.counts.probes, 32);
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}

/// Amid traffic, bytes of the host and those of probes do not mix, whenever trains come.
#[test]
fn trains_go_between_packets() {
    let sizes = Sizes { segment_log: 10, ..Sizes::paths(4, 64) };
    let mut run = closed_loop(&two_leaves(2, &PATHS, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    let entropies = run.entropies(&nic(&sizes), 0, 0);
    assert_eq!(entropies.len(), 4);
    (0..8).for_each(|_| run.send(0, 0, 100_000));
    steps(&mut run, RTT);
    for round in 0..40 {
        let packets = 1 + round % 16;
        let fields = [("op", PROBE), ("pdc", 0), ("ev", round % 4), ("probe_packets", packets - 1)];
        let fields = fields.into_iter().chain([("probe_length", 40 + 97 * round)]).collect();
        run.command(0, fields).expect("there is a response");
        steps(&mut run, 100 + 37 * round);
    }
    run.until_done(100 * RTT).expect("it is delivered");
    steps(&mut run, 6 * RTT);
    let answered = run.nics[0].answers.iter().filter(|answer| answer.fields["answered"] == 1).count();
    println!("{answered} of {} trains are answered", run.nics[0].answers.len());
    assert!(answered > 10 && answered == run.nics[0].answers.len());
    assert_eq!(count(&run, "packet_tracker_timeouts"), 0);
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}
