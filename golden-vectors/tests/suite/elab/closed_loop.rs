// SPDX-License-Identifier: MIT OR Apache-2.0
//! Both halves on networks of two paths, with their settings as after reset: how much the paths carry and in what parts,
//! and the time from congestion until packets go elsewhere (E18).

use super::network::{Hop, Network, Seen};

/// Cycles of a microsecond at 322.265625 MHz.
const US: f64 = 322.265_625;

fn cycles(us: f64) -> u64 {
    (us * US) as u64
}

/// A path of so many Gbit/s that marks and has room for so many packets.
fn hop(gbps: f64, threshold: usize, queue: usize) -> Hop {
    Hop { cycles: 12.0 / gbps * US, threshold, queue }
}

/// X1, figure 1 of the paper: a host of 10 Gbit/s on 3 and 6 Gbit/s, 160 us there and back, 600 KB of 1.8 MB.
fn x1() -> Network {
    Network { link: 1.2 * US, delay: cycles(80.0), hops: [hop(3.0, 400, 1200), hop(6.0, 400, 1200)], first: 10.0 }
}

/// The same ratios at 100 Gbit/s, 12 us there and back, marks from a sixth of the bandwidth-delay product on.
fn fast() -> Network {
    Network { link: 0.12 * US, delay: cycles(6.0), hops: [hop(30.0, 15, 200), hop(60.0, 15, 200)], first: 10.0 }
}

/// The share of `gbps` that arrives, and packets on the second path for one on the first, in a span of microseconds.
fn shares(seen: &Seen, gbps: f64, from: f64, until: f64) -> (f64, f64) {
    let within = |at: u64| (from * US..until * US).contains(&(at as f64));
    let arrived = seen.arrived.iter().filter(|&&at| within(at)).count() as f64;
    let sent = |path| seen.sent.iter().filter(|sent| sent.1 == path && within(sent.0)).count() as f64;
    (arrived * 12.0 / (until - from) / gbps, sent(1) / sent(0))
}

/// In equal parts the path of 3 Gbit/s would hold the sender at 6 of 9, 0.67; by ELAB the parts become about 1 to 2 (E10,
/// E16).
#[test]
fn e12_e16_two_paths_are_used_as_they_are_wide() {
    // What happens first decides when marks come later, and *B* may be off until the next one: so the mean of runs that
    // begin with several windows of the transport.
    let runs: Vec<_> = (8..16)
        .map(|first| {
            let seen = Network { first: f64::from(first), ..x1() }.run(cycles(1_000_000.0));
            let (used, ratio) = shares(&seen, 9.0, 50_000.0, 1_000_000.0);
            println!("{first}: 1 to {ratio:.2}, {:.1} % of 9 Gbit/s, {} bursts", 100.0 * used, seen.bursts);
            assert!(seen.lost < 50 && seen.bursts > 5, "{} lost, {} bursts", seen.lost, seen.bursts);
            (used, ratio)
        })
        .collect();
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
    let (used, ratio) = (mean(&|run| run.0), mean(&|run| run.1));
    println!("mean: 1 to {ratio:.2}, {:.1} % of 9 Gbit/s", 100.0 * used);
    assert!(used > 0.9, "{used}");
    assert!((1.75..2.15).contains(&ratio), "{ratio}");
    assert!(runs.iter().all(|run| run.0 > 0.85), "{runs:?}");
}

/// From the first packet that comes to a queue at its threshold until no packet goes there any more.
#[test]
fn e18_congestion_moves_load() {
    for (name, network, behind_queue, at_sender) in [("X1", x1(), 165.0, 0.1), ("100 Gbit/s", fast(), 16.0, 0.1)] {
        let seen = network.run(cycles(20_000.0));
        let shift = seen.shift.expect("a path is marked while the other has room");
        let us = |cycles: u64| cycles as f64 / US;
        let [queue, there, back, packet] = [
            shift.left - shift.marked,
            shift.arrived - shift.left,
            shift.reported - shift.arrived,
            shift.elsewhere - shift.reported,
        ];
        let [queue_us, there_us, back_us, packet_us] = [queue, there, back, packet].map(us);
        println!(
            "{name}: {queue_us:.1} us in the queue, {there_us:.1} us there, {back_us:.1} us back, {packet_us:.3} us to send"
        );
        let behind = us(shift.elsewhere - shift.left);
        println!("{name}: {:.1} us, {behind:.1} us of them behind the queue", us(shift.elsewhere - shift.marked));
        assert!(behind < behind_queue, "{behind}");
        // 16 cycles, and the next packet.
        assert!(packet_us < at_sender + us(network.link as u64), "{packet_us}");
        assert!(shift.none_there >= 8, "{} packets elsewhere", shift.none_there);
    }
    // With queues as short as in a data centre of 100 Gbit/s it is tens of microseconds in all.
    let seen = fast().run(cycles(20_000.0));
    let shift = seen.shift.expect("as above");
    assert!(shift.elsewhere - shift.marked < cycles(50.0), "{shift:?}");
}
