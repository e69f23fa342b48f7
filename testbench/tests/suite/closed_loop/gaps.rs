// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets that are lost in one window: the receiver names all of them, so they are sent again together (R13 to R16, G13, TX33).

use super::rocev2::setup::gbps;
use super::setup::{Device, RTT, SEGMENT, count, one_leaf, us};
use super::transport::Transport::{self, Rocev2, Uet};
use testbench::closed_loop::ClosedLoop;
use testbench::network::{FabricConfig, Impairment};
use tier::pick;

const PACKETS: u64 = 150;

/// One message of these packets, of which some are lost.
fn lost(transport: Transport, packets: u64, losses: &[u64], devices: impl Iterator<Item = Device>) -> ClosedLoop {
    let mut run = transport.opened(&one_leaf(2, false), devices);
    run.fabric.downlink_mut(1).lose(losses);
    run.send(0, 0, packets as u32 * SEGMENT);
    run.until_done(40 * RTT).expect("it is delivered");
    assert_eq!(run.fabric.counts().lost, losses.len() as u64);
    run
}

/// So many of the packets, evenly among them.
fn separate(number: u64) -> Vec<u64> {
    (1..=number).map(|n| n * PACKETS / (number + 1)).collect()
}

/// Microseconds for losses; each packet is sent again once, and there is no time-out.
fn times(transport: Transport, cases: &[Vec<u64>]) -> Vec<f64> {
    let mut devices = transport.models();
    let time = |losses: &Vec<u64>| {
        let run = lost(transport, PACKETS, losses, devices.by_ref());
        let (again, timeouts) = (run.nics[0].sender.counts.again, count(&run, "packet_tracker_timeouts"));
        let time = us(run.now());
        println!("{transport:?}: {:2} lost, {again:2} sent again, {timeouts} time-outs: {time:.1} us", losses.len());
        assert_eq!((again, timeouts), (losses.len() as u64, 0), "{transport:?}: {losses:?}");
        time
    };
    cases.iter().map(time).collect()
}

/// 16 losses take at most two RTTs more than one, whether they are separate or adjacent, and a twentieth of one for RoCEv2, where one
/// loss takes next to no time.
fn are_repaired_together(transport: Transport) {
    let cases: Vec<_> = [0, 1, 2, 4, 8, 16].map(separate).into_iter().chain([(74..78).collect()]).collect();
    let times = times(transport, &cases);
    assert!(times.iter().all(|time| *time <= times[1] + us(2 * RTT + RTT / 20)), "{transport:?}: {times:?}");
}

#[test]
fn losses_of_a_window_are_repaired_together() {
    are_repaired_together(Uet);
}

#[test]
fn losses_of_a_window_are_repaired_together_with_rocev2() {
    are_repaired_together(Rocev2);
}

/// Separate losses and adjacent ones, the Verilog in place of the models: the same frames in the same clock cycles.
#[test]
fn the_verilog_repairs_them_in_the_same_cycles() {
    for transport in [Uet, Rocev2] {
        let run = |devices: Box<dyn Iterator<Item = Device>>| {
            let run = lost(transport, 40, &[3, 7, 8, 9, 20, 31], devices);
            (run.ledger.clone(), run.nics.iter().map(|nic| nic.sent).collect::<Vec<_>>(), run.now())
        };
        assert_eq!(run(transport.simulations()), run(transport.models()), "{transport:?}");
    }
}

/// A packet that is lost, and once more when it is sent again: the receiver reports its gap again (R14), so it needs no time-out.
fn lost_again(transport: Transport) {
    let mut run = transport.opened(&one_leaf(2, false), transport.models());
    run.fabric.downlink_mut(1).lose(&[20]);
    run.fabric.downlink_mut(1).lose_again(1);
    run.send(0, 0, PACKETS as u32 * SEGMENT);
    run.until_done(40 * RTT).expect("it is delivered");
    let (counts, time, timeouts) = (run.nics[0].sender.counts, us(run.now()), count(&run, "packet_tracker_timeouts"));
    println!("{transport:?}: a packet is lost twice: {counts:?}, {timeouts} time-outs: {time:.1} us");
    assert_eq!((run.fabric.counts().lost, counts.again, counts.thrice, timeouts), (2, 2, 1, 0), "{transport:?}");
}

#[test]
fn a_packet_is_lost_again() {
    lost_again(Uet);
}

#[test]
fn a_packet_is_lost_again_with_rocev2() {
    lost_again(Rocev2);
}

/// Goodput in Gb/s of so many million bytes over a link that loses frames at random.
fn goodput(transport: Transport, millions: u64, loss: f64, seed: u64) -> f64 {
    let mut fabric = FabricConfig { seed, ..one_leaf(2, false) };
    fabric.downlink.impairment = Impairment { loss, duplication: 0.0 };
    let mut run = transport.opened(&fabric, transport.models());
    (0..8).for_each(|_| run.send(0, 0, millions as u32 * 125_000));
    run.until_done(50 * millions * RTT).expect("it is delivered");
    let (counts, lost) = (run.nics[0].sender.counts, run.fabric.counts().lost);
    let goodput = gbps(millions * 1_000_000, run.now());
    let timeouts = count(&run, "packet_tracker_timeouts");
    println!(
        "{transport:?}: {millions} MB, loss {loss}, seed {seed}: {lost} lost, {counts:?}, {timeouts} time-outs: {goodput:.1} Gb/s"
    );
    goodput
}

/// Losses at random cost little of the rate, which is 95.3 Gb/s without any, as the message has a beginning and an end. If one of its
/// last packets is lost, its end is a few RTTs later, which is a twentieth of 8,000,000 bytes.
#[test]
fn losses_at_random() {
    for transport in [Uet, Rocev2] {
        let cases = [(8, 0.0, 95.0), (8, 0.001, 94.0), (8, 0.01, 85.0), (32, 0.01, 90.0)];
        for (millions, loss, least) in pick(cases, 3) {
            for seed in 1..=3 {
                let rate = goodput(transport, millions, loss, seed);
                assert!(rate > least, "{millions} MB, loss {loss}, seed {seed}: {rate:.1} Gb/s");
            }
        }
    }
}
