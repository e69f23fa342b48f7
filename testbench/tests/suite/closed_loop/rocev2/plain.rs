// SPDX-License-Identifier: MIT OR Apache-2.0
//! QPs of plain RoCEv2, without an MPEH (rows M07, M12, M40, M41, M76; TX53, T33, D39): two NICs, and QPs of both kinds in one.

use super::super::setup::{Device, OVERHEAD, RTT, SEGMENT, count, one_leaf, pdc, report, us};
use super::setup::{
    ACTIVE, CNPS, HEADERS, SINGLE, Sizes, closed_loop, gbps, models, nic, opened, settle, simulations, sub_path,
    two_leaves,
};
use testbench::closed_loop::{ClosedLoop, Ledger, NicConfig, SentFrames};
use testbench::network::{FabricConfig, Impairment, Marking, Rate};
use tier::pick;

/// Nothing to 1 MiB, and on both sides of the bounds of packets.
const LENGTHS: [u32; 8] = [0, 1, 4095, 4096, 4097, 100_000, 1 << 20, 3];

/// A QP with a window of so many packets.
fn sizes(window: u64) -> Sizes {
    Sizes { granularity: SINGLE, ..Sizes::paths(1, window) }
}

/// One path, of the rate of the link.
fn fabric(impairment: Impairment) -> FabricConfig {
    two_leaves(2, &[(300, 64)], impairment)
}

fn steps(run: &mut ClosedLoop, clocks: u64) {
    (0..clocks).for_each(|_| run.step().expect("the rules hold"));
}

/// What a run was.
type Seen = (Ledger, Vec<SentFrames>, u64);

fn seen(run: &ClosedLoop) -> Seen {
    (run.ledger.clone(), run.nics.iter().map(|nic| nic.sent).collect(), run.now())
}

/// Messages both ways on one QP, and others beside it, over a network that loses and repeats so much.
fn messages(loss: f64, devices: impl Iterator<Item = Device>) -> Seen {
    let (sizes, impairment) = (sizes(64), Impairment { loss, duplication: loss / 2.0 });
    let pdcs = [pdc(0, 0, 1, 0), pdc(1, 1, 0, 1)];
    let mut run = opened(&fabric(impairment), &sizes, &pdcs, devices);
    let peer = nic(&sizes).peer_pdc(0);
    for length in LENGTHS {
        run.send(0, 0, length);
        run.send(1, peer, length / 2);
        run.send(1, 1, length / 8);
    }
    run.until_done(1000 * RTT).expect("it is delivered");
    report("plain RoCEv2", &run);
    let (again, timeouts) = (run.nics[0].sender.counts.again, count(&run, "packet_tracker_timeouts"));
    println!("loss {loss}: {:.1} us, {again} sent again, {timeouts} packets timed out", us(run.now()));
    // An ACK without an MPEH says nothing of sub-paths.
    assert!(run.nics.iter().all(|nic| nic.sent.becn + nic.sent.suspects + nic.sent.probes == 0));
    assert!(run.nics.iter().all(|nic| nic.failed.is_empty()));
    let naks = run.nics.iter().map(|nic| nic.sent.nacks).sum::<u64>();
    assert_eq!(naks > 0, loss > 0.0, "{naks} NAKs");
    assert_eq!(sub_path(&mut run, 0, 0, 0)["state"], ACTIVE);
    settle(&mut run, &sizes, &[(0, 0), (1, peer), (1, 1)]);
    seen(&run)
}

#[test]
fn messages_of_all_lengths_are_delivered() {
    messages(0.0, models(&sizes(64)));
}

#[test]
fn messages_are_delivered_over_a_path_that_loses() {
    for loss in pick([0.01, 0.001, 0.05], 1) {
        messages(loss, models(&sizes(64)));
    }
}

#[test]
fn the_verilog_sends_the_same_frames() {
    assert_eq!(messages(0.01, simulations(&sizes(64))), messages(0.01, models(&sizes(64))));
}

/// Rate of 8,000,000 bytes.
fn goodput(loss: f64) -> f64 {
    let mut run = closed_loop(&fabric(Impairment { loss, duplication: 0.0 }), &sizes(64), &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 1_000_000));
    run.until_done(2000 * RTT).expect("it is delivered");
    report("goodput", &run);
    let rate = gbps(8_000_000, run.now());
    println!("loss {loss}: {rate:.1} Gb/s, {} sent again", run.nics[0].sender.counts.again);
    rate
}

#[test]
fn it_goes_back_n() {
    let [none, some] = [0.0, 0.01].map(goodput);
    assert!(none > 90.0 && some > 20.0 && some < none, "{none}, {some}");
}

/// A QP of plain RoCEv2 and one of four sub-paths, of the same NICs, at the same time.
fn side_by_side(devices: impl Iterator<Item = Device>) -> Seen {
    let (one, four) = (sizes(64), Sizes { tolerance: 2 * RTT / 64, ..Sizes::paths(4, 64) });
    let (plain, multipath): (NicConfig, _) = (nic(&one), nic(&four));
    // Where they meet on a path there is no queue, so that none is marked.
    let paths = [(300, 64), (350, 64), (450, 64), (700, 64)];
    let fabric = two_leaves(2, &paths, Impairment { loss: 0.02, duplication: 0.005 });
    let mut run = ClosedLoop::new(&fabric, &multipath, devices.take(2)).expect("the ports are there");
    run.open(&plain, pdc(0, 0, 1, 0)).expect("it opens");
    run.open(&multipath, pdc(0, 1, 1, 1)).expect("it opens");
    for length in [0, 5000, 400_000] {
        for number in [0, 1] {
            run.send(0, number, length);
            run.send(1, plain.peer_pdc(number), length);
        }
    }
    run.until_done(400 * RTT).expect("it is delivered");
    report("side by side", &run);
    assert!(run.nics.iter().all(|nic| nic.failed.is_empty()));
    let sum = |of: fn(&SentFrames) -> u64| run.nics.iter().map(|nic| of(&nic.sent)).sum::<u64>();
    let (nacks, suspects) = (sum(|sent| sent.nacks), sum(|sent| sent.suspects));
    assert!(nacks > 0 && suspects > 0, "{nacks} NAKs, {suspects} reports of losses");
    settle(&mut run, &one, &[(0, 0), (1, 8)]);
    settle(&mut run, &four, &[(0, 1), (1, 9)]);
    seen(&run)
}

#[test]
fn a_plain_and_a_multipath_qp_are_side_by_side() {
    let sizes = Sizes { tolerance: 2 * RTT / 64, ..Sizes::paths(4, 64) };
    assert_eq!(side_by_side(simulations(&sizes)), side_by_side(models(&sizes)));
}

/// The path loses all for some time-outs, and is well again: nothing fails, and all is delivered.
#[test]
fn a_path_that_is_dead_for_a_while_is_not_given_up() {
    let mut run = closed_loop(&fabric(Impairment::default()), &sizes(64), &[pdc(0, 0, 1, 0)]);
    (0..4).for_each(|_| run.send(0, 0, 500_000));
    steps(&mut run, 3 * RTT);
    run.fabric.path_mut(0, 1, 0).impair(Impairment { loss: 1.0, duplication: 0.0 });
    // 100, 200 and 400 us of time-outs.
    steps(&mut run, 65 * RTT);
    run.fabric.path_mut(0, 1, 0).impair(Impairment::default());
    assert_eq!(sub_path(&mut run, 0, 0, 0)["state"], ACTIVE);
    run.until_done(200 * RTT).expect("it is delivered");
    report("dead for a while", &run);
    assert!(run.nics[0].failed.is_empty() && run.nics[0].events.iter().all(|event| event.fields["failed"] == 0));
    settle(&mut run, &sizes(64), &[(0, 0), (1, 8)]);
}

/// Nobody answers any more: the QP fails by its retries, and not because its path has failed.
#[test]
fn a_peer_that_is_gone_fails_the_qp() {
    let sizes = Sizes { rto: 150, ..sizes(16) };
    let mut run = closed_loop(&fabric(Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    run.send(0, 0, 1_000_000);
    steps(&mut run, 2 * RTT);
    run.fabric.path_mut(0, 1, 0).impair(Impairment { loss: 1.0, duplication: 0.0 });
    let cut = run.now();
    while run.nics[0].failed.is_empty() {
        assert!(run.now() < cut + 200 * RTT, "it stands still");
        run.step().expect("the rules hold");
    }
    let (at, qp, reason) = run.nics[0].failed[0];
    println!("QP {qp} fails after {:.1} us", us(at - cut));
    assert_eq!((qp, reason), (0, 0));
    assert_eq!(sub_path(&mut run, 0, 0, 0)["state"], ACTIVE);
}

/// The host of the receiver takes nothing for 100 us: RNR NAKs without an MPEH.
#[test]
fn a_receiver_without_room_is_waited_for() {
    let sizes = sizes(64);
    let mut run = closed_loop(&one_leaf(2, false), &sizes, &[pdc(0, 0, 1, 0)]);
    run.send(0, 0, 51 * 4096);
    run.nics[1].receiver.stands_still = true;
    steps(&mut run, 19_531);
    run.nics[1].receiver.stands_still = false;
    run.until_done(200 * RTT).expect("it is delivered");
    report("no room", &run);
    assert!(count(&run, "packet_tracker_backoffs") > 0 && count(&run, "gate_overflowed") > 0);
    assert_eq!((count(&run, "packet_tracker_timeouts"), run.nics[0].failed.len()), (0, 0));
}

/// No probe goes to a plain peer: its path is started at once by the NIC itself.
#[test]
fn the_path_of_a_plain_peer_is_not_probed() {
    let sizes = Sizes { forced: false, visits: true, ..sizes(64) };
    let mut run = closed_loop(&fabric(Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    run.send(0, 0, 300_000);
    run.until_done(100 * RTT).expect("it is delivered");
    println!("{:.1} us", us(run.now()));
    assert!(run.nics.iter().all(|nic| nic.sent.probes == 0));
    let state = sub_path(&mut run, 0, 0, 0);
    assert_eq!((state["state"], state["weight"], state["limit"]), (ACTIVE, 32, 32));
    let train = run.command(0, vec![("op", 5), ("pdc", 0), ("ev", 0)]).expect("there is a response");
    assert_eq!(train["done"], 0, "a probe of the host is refused");
    assert!(run.nics.iter().all(|nic| nic.sent.probes == 0));
}

/// Bytes of a packet on the wire, without an MPEH.
const PACKET: u64 = SEGMENT as u64 + HEADERS - 8 + OVERHEAD;
/// Bytes per clock cycle of the bottleneck: 95.3 Gb/s.
const RATE: u64 = 61;

/// Hosts and one more that they all send to, over a port with room for 100 packets that marks above 7.
fn bottleneck(hosts: usize) -> FabricConfig {
    let mut fabric = one_leaf(hosts + 1, false);
    fabric.downlink.link.rate = Rate { bytes: RATE, cycles: 1 };
    fabric.downlink.queue.capacity = 100 * PACKET;
    fabric.downlink.queue.marking = Some(Marking { low: 7 * PACKET, high: 7 * PACKET + 1 });
    fabric
}

/// Windows that follow CNPs.
fn adapting() -> Sizes {
    Sizes { initial: 8, ..sizes(64) }
}

/// Marks lower the rate of a QP, by CNPs, and it grows again when they end: another QP comes, and goes. Parts of the rate: alone, both of
/// them together, and the first one again.
#[test]
fn qps_share_a_bottleneck_by_cnps() {
    let sizes = adapting();
    let mut run = closed_loop(&bottleneck(2), &sizes, &[pdc(0, 0, 2, 0), pdc(1, 0, 2, 1)]);
    (0..8).for_each(|_| run.send(0, 0, 4_000_000));
    let mut windows = Vec::new();
    let mut part = |run: &mut ClosedLoop, rtts: u64| {
        let before = [0, 1].map(|host| run.ledger.bytes((host, 0)));
        let (mut least, mut most) = (u64::MAX, 0);
        for _ in 0..rtts {
            steps(run, RTT);
            let window = sub_path(run, 0, 0, 0)["window"];
            (least, most) = (least.min(window), most.max(window));
        }
        windows.push((least, most));
        let sent = [0, 1].map(|host| run.ledger.bytes((host, 0)) - before[host as usize]);
        sent.map(|sent| (sent * PACKET / u64::from(SEGMENT)) as f64 / (rtts * RTT * RATE) as f64)
    };
    part(&mut run, 20);
    let alone = part(&mut run, 80);
    run.send(1, 0, 12_000_000);
    part(&mut run, 20);
    let both = part(&mut run, 80);
    run.until_done(2000 * RTT).expect("it is delivered");
    (0..4).for_each(|_| run.send(0, 0, 4_000_000));
    part(&mut run, 10);
    let again = part(&mut run, 60);
    report("plain QPs share a bottleneck", &run);
    let (queue, cnps) = (run.fabric.counts().queue, run.nics[2].sent.cnps);
    println!("alone {alone:.3?}, both {both:.3?}, again {again:.3?}; windows {windows:?}; {cnps} CNPs, {queue:?}");
    assert_eq!((queue.dropped, count(&run, "packet_tracker_timeouts")), (0, 0));
    assert!(cnps > 10 && cnps <= 2 * (run.now() / CNPS + 1), "{cnps}");
    assert!(alone[0] > 0.7 && again[0] > 0.7, "{alone:?}, {again:?}");
    assert!(both[0] + both[1] > 0.8 && (0.6..1.6).contains(&(both[0] / both[1])), "{both:?}");
}

/// The Verilog in place of the models: the same frames in the same clock cycles, CNPs among them.
#[test]
fn the_verilog_follows_cnps_in_the_same_cycles() {
    let run = |devices: Box<dyn Iterator<Item = Device>>| {
        let mut run = opened(&bottleneck(2), &adapting(), &[pdc(0, 0, 2, 0), pdc(1, 0, 2, 1)], devices);
        (0..2).for_each(|host| run.send(host, 0, 1_000_000));
        steps(&mut run, 10 * RTT);
        assert!(run.nics[2].sent.cnps > 0, "{:?}", run.fabric.counts());
        seen(&run)
    };
    assert_eq!(run(Box::new(simulations(&adapting()))), run(Box::new(models(&adapting()))));
}
