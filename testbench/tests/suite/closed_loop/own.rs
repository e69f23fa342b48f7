// SPDX-License-Identifier: MIT OR Apache-2.0
//! Connections with a time-out and a tolerance of gaps of their own, given by *open* of the NIC (rows D29, R18, M45, M83).

use super::setup::{Device, RTT, SEGMENT, Sizes, models, nic, one_leaf, pdc, simulations, us};
use testbench::closed_loop::ClosedLoop;

/// Microseconds for so many packets of which one is lost, so often, with these fields of *open*.
fn time(
    open: &[(&'static str, u64)],
    packets: u32,
    (lost, times): (u64, u64),
    devices: impl Iterator<Item = Device>,
) -> f64 {
    let mut nic = nic(Sizes::default());
    nic.open.extend(open);
    let mut run = ClosedLoop::new(&one_leaf(2, false), &nic, devices.take(2)).expect("the ports are there");
    run.open(&nic, pdc(0, 0, 1, 0)).expect("it opens");
    run.fabric.downlink_mut(1).lose(&[lost]);
    run.fabric.downlink_mut(1).lose_again(times - 1);
    run.send(0, 0, packets * SEGMENT);
    run.until_done(40 * RTT).expect("it is delivered");
    assert_eq!(run.fabric.counts().lost, times);
    us(run.now())
}

/// 25.6 us in place of 100, without a probe of the tail; a probe after 12.8 us in place of 24; a gap for 3.3 us in place of three RTTs.
const TIMER: [(&str, u64); 3] = [("own_timer", 1), ("rto", 200), ("rto_retries", 16)];
const PROBE: [(&str, u64); 4] = [("own_timer", 1), ("rto", 781), ("rto_retries", 5), ("tail_probe", 100)];
const TOLERANCE: [(&str, u64); 3] = [("own_tolerance", 1), ("tolerance_span", 255), ("tolerance_time", 10)];

#[test]
fn a_connection_has_its_own_timer_and_tolerance() {
    let sizes = Sizes::default();
    // A lone packet and its probe are lost: a time-out; another packet is missing before others.
    let cases: [(_, &[_], _, _); 3] =
        [("time-out", &TIMER, 1, (0, 2)), ("probe", &PROBE, 1, (0, 1)), ("tolerance", &TOLERANCE, 60, (20, 1))];
    for (name, own, packets, lost) in cases {
        let [common, alone] = [&[], own].map(|open| time(open, packets, lost, models(sizes)));
        let verilog = time(own, packets, lost, simulations(sizes));
        println!("{name}: {common:.1} us, {alone:.1} us with its own, {verilog:.1} us in Verilog");
        assert!(alone + 10.0 < common, "{name}: {common}, {alone}");
        assert!((alone - verilog).abs() < 1e-9, "{name}: {alone}, {verilog}");
    }
}

/// A window of a few packets: the one that fills it asks for the ACK that makes room (row TX12).
#[test]
fn a_small_window_needs_no_time_out() {
    for window in 1..4 {
        let mut nic = nic(Sizes::default());
        nic.open.push(("window", window));
        let devices = models(Sizes::default()).take(2);
        let mut run = ClosedLoop::new(&one_leaf(2, false), &nic, devices).expect("the ports are there");
        run.open(&nic, pdc(0, 0, 1, 0)).expect("it opens");
        run.send(0, 0, 12 * SEGMENT);
        run.until_done(20 * RTT).expect("it is delivered");
        println!("window {window}: {:.1} us", us(run.now()));
        assert_eq!(run.nics[0].count("packet_tracker_timeouts"), Some(0), "window {window}");
    }
}
