// SPDX-License-Identifier: MIT OR Apache-2.0
//! The last packets of all are lost: nothing behind them tells, so the sender sends the last one again (D38).

use super::rocev2::setup as rocev2;
use super::setup::{Device, PDCS, RTT, SEGMENT, Sizes, closed_loop, count, one_leaf, pdc, two_leaves, us};
use super::transport::Transport::{self, Rocev2, Uet};
use testbench::closed_loop::{ClosedLoop, SenderCounts};
use testbench::network::Impairment;
use tier::pick;

/// The time up to the probe: 24.06 us.
const PROBE: u64 = 188 * 25;

/// Sub-paths, and packets that each may have in flight.
const SUB_PATHS: u64 = 4;
const IN_FLIGHT: u64 = 16;

/// One message of so many packets, of which some are lost, and so many answers.
fn lost(
    transport: Transport,
    packets: u64,
    (losses, answers): (&[u64], u64),
    devices: impl Iterator<Item = Device>,
) -> ClosedLoop {
    let mut run = transport.opened(&one_leaf(2, false), devices);
    run.fabric.downlink_mut(1).lose(losses);
    run.fabric.downlink_mut(0).lose_answers(answers);
    run.send(0, 0, packets as u32 * SEGMENT);
    run.until_done(40 * RTT).expect("it is delivered");
    assert_eq!(run.fabric.counts().lost, losses.len() as u64 + answers);
    run
}

/// Clock cycles for losses, without a time-out, and packets that were sent again.
fn time(transport: Transport, packets: u64, lost_frames: (&[u64], u64)) -> (u64, u64) {
    let run = lost(transport, packets, lost_frames, transport.models());
    let (again, timeouts) = (run.nics[0].sender.counts.again, count(&run, "packet_tracker_timeouts"));
    let time = us(run.now());
    println!(
        "{transport:?}: {packets} packets, lost {lost_frames:?}: {again} sent again, {timeouts} time-outs: {time:.1} us"
    );
    assert_eq!(timeouts, 0, "{transport:?}: {lost_frames:?}");
    (run.now(), again)
}

/// The last packet of a message, a lone one, and its ACK: the time up to the probe, and an RTT for its answer. The timer starts when the ACK of the one before has come.
#[test]
fn the_last_packet_is_lost() {
    for transport in [Uet, Rocev2] {
        for (packets, lost_frames) in [(150, (&[149][..], 0)), (1, (&[0], 0)), (1, (&[], 1))] {
            let (clean, _) = time(transport, packets, (&[], 0));
            let (took, again) = time(transport, packets, lost_frames);
            assert_eq!(again, 1, "{transport:?}: {lost_frames:?}");
            assert!(took <= clean + PROBE + RTT + RTT / 4, "{transport:?}: {lost_frames:?}: {clean}, {took}");
        }
    }
}

/// Four of them: the probe shows the receiver the gap before it, which it tolerates for an RTT; two more for its report and what is sent again.
/// With UET the answer to a PROBE may acknowledge packets whose ACK was not due, and start the timer an RTT later.
#[test]
fn the_last_packets_are_lost() {
    for transport in [Uet, Rocev2] {
        let ((clean, _), (took, again)) =
            (time(transport, 150, (&[], 0)), time(transport, 150, (&[146, 147, 148, 149], 0)));
        assert_eq!(again, 4, "{transport:?}");
        let rtts = if transport == Uet { 4 } else { 3 };
        assert!(took <= clean + PROBE + rtts * RTT + RTT / 4, "{transport:?}: {clean}, {took}");
    }
}

/// RoCEv2: sub-paths are full and more bytes wait when all that is in flight is lost. The time, and packets that were sent again.
fn all_in_flight(losses: bool, devices: fn(&rocev2::Sizes) -> Box<dyn Iterator<Item = Device>>) -> (u64, u64) {
    let sizes = rocev2::Sizes::paths(SUB_PATHS as usize, IN_FLIGHT);
    let mut run = rocev2::opened(&one_leaf(2, false), &sizes, &[pdc(0, 0, 1, 0)], devices(&sizes));
    let all = if losses { SUB_PATHS * IN_FLIGHT } else { 0 };
    run.fabric.downlink_mut(1).lose(&(60..60 + all).collect::<Vec<_>>());
    run.send(0, 0, 200 * SEGMENT);
    run.until_done(40 * RTT).expect("it is delivered");
    assert_eq!((run.fabric.counts().lost, count(&run, "packet_tracker_timeouts")), (all, 0));
    println!("{all} of 200 packets lost: {:.1} us", us(run.now()));
    (run.now(), run.nics[0].sender.counts.again)
}

#[test]
fn all_that_is_in_flight_is_lost() {
    let models = |sizes: &rocev2::Sizes| -> Box<dyn Iterator<Item = Device>> { Box::new(rocev2::models(sizes)) };
    let ((clean, _), (took, again)) = (all_in_flight(false, models), all_in_flight(true, models));
    assert!(again >= SUB_PATHS * IN_FLIGHT && took <= clean + PROBE + 8 * RTT, "{again}: {clean}, {took}");
    let simulations =
        |sizes: &rocev2::Sizes| -> Box<dyn Iterator<Item = Device>> { Box::new(rocev2::simulations(sizes)) };
    assert_eq!(all_in_flight(true, simulations), (took, again), "the Verilog");
}

/// Without losses nothing is sent again, however long connections wait for their turns: a tail that waits for its turn has not asked for an ACK.
#[test]
fn nothing_is_sent_again_without_a_loss() {
    for transport in [Uet, Rocev2] {
        for packets in pick([40, 3, 400], 1) {
            let mut run = transport.opened_many(&one_leaf(2, false), PDCS, transport.models());
            for message in 0..4 {
                (0..PDCS).for_each(|number| run.send(0, number, (packets + message) * SEGMENT));
            }
            run.until_done(4000 * RTT).expect("it is delivered");
            let SenderCounts { again, new, .. } = run.nics[0].sender.counts;
            println!(
                "{transport:?}: {PDCS} connections, {packets} packets: {again} of {new} sent again, {:.1} us",
                us(run.now())
            );
            assert_eq!(again, 0, "{transport:?}: {packets}");
        }
    }
}

/// A packet that does not ask for an ACK and is overtaken by the last one, which does, is acknowledged when it comes.
#[test]
fn a_packet_that_is_overtaken_needs_no_time_out() {
    let fabric = two_leaves(2, &[300, 1100], Impairment::default());
    let pdcs: Vec<_> = (0..PDCS).map(|number| pdc(0, number, 1, number)).collect();
    let sizes = Sizes { tolerance: 3 * RTT / 64, ..Sizes::default() };
    let mut run = closed_loop(&fabric, sizes, &pdcs);
    for message in 0..20 {
        (0..PDCS).for_each(|number| run.send(0, number, (1 + (message + number as u32) % 9) * SEGMENT));
    }
    run.until_done(400 * RTT).expect("it is delivered");
    println!("overtaken: {:?}, {:.1} us", run.nics[0].sender.counts, us(run.now()));
    assert_eq!(count(&run, "packet_tracker_timeouts"), 0);
}

/// The Verilog in place of the models: the same frames in the same clock cycles.
#[test]
fn the_verilog_probes_in_the_same_cycles() {
    for transport in [Uet, Rocev2] {
        let run = |devices: Box<dyn Iterator<Item = Device>>| {
            let run = lost(transport, 20, (&[17, 18, 19], 0), devices);
            (run.ledger.clone(), run.nics.iter().map(|nic| nic.sent).collect::<Vec<_>>(), run.now())
        };
        assert_eq!(run(transport.simulations()), run(transport.models()), "{transport:?}");
    }
}
