// SPDX-License-Identifier: MIT OR Apache-2.0
//! UET over paths of unequal rate: what each mode of the selector uses of their sum, with switches that mark above some thresholds (U22, U28).

use super::setup::{HEADERS, OVERHEAD, RTT, SEGMENT, Sizes, models, nic, pdc, report, two_leaves, us};
use pipeline::transmit::entropy_selector::Modes;
use testbench::closed_loop::ClosedLoop;
use testbench::network::{Impairment, Marking, Rate};
use tier::is_all;

/// Codes of modes.
const MODES: [(&str, u64); 4] = [("bitmap", 0), ("REPS", 4), ("mixed", 5), ("penalty", 6)];
/// Bytes of a packet on the wire.
const PACKET: u64 = SEGMENT as u64 + HEADERS + OVERHEAD;

/// The part of the sum of the rates, in bytes per clock cycle, that messages use, in a mode, with marks above so many packets. A gap is no
/// suspected loss for so many RTTs.
fn used(name: &str, mode: u64, rates: [u64; 2], marks: u64, tolerance: u64) -> f64 {
    let sizes = Sizes { modes: Modes::ALL, tolerance: tolerance * RTT / 64, ..Sizes::default() };
    let mut config = nic(sizes);
    config.open.push(("mode", mode));
    let mut fabric = two_leaves(2, &[300, 300], Impairment::default());
    fabric.path_queue.capacity = 100 * PACKET;
    fabric.path_queue.marking = Some(Marking { low: marks * PACKET, high: marks * PACKET + 1 });
    fabric.path_queue.trimming = None;
    for (path, bytes) in fabric.paths.iter_mut().zip(rates) {
        path.link.rate = Rate { bytes, cycles: 1 };
    }
    let mut run = ClosedLoop::new(&fabric, &config, models(sizes).take(2)).expect("the ports are there");
    run.open(&config, pdc(0, 0, 1, 0)).expect("it opens");
    (0..8).for_each(|_| run.send(0, 0, 6_000_000));
    let delivered = |run: &ClosedLoop| run.ledger.delivered_packets((0, 0)) * PACKET;
    let steps = |run: &mut ClosedLoop, rtts: u64| {
        (0..rtts * RTT).for_each(|_| run.step().expect("the rules hold"));
    };
    steps(&mut run, 40);
    let before = delivered(&run);
    let rtts = if is_all() { 200 } else { 80 };
    steps(&mut run, rtts);
    let part = (delivered(&run) - before) as f64 / (rtts * RTT * rates.iter().sum::<u64>()) as f64;
    report(name, &run);
    assert!(run.ledger.delivered_packets((0, 0)) < 40_000_000 / u64::from(SEGMENT), "it sends to the end");
    println!(
        "{name}, {rates:?}, marks above {marks} packets, tolerance {tolerance} RTTs: {part:.3} of the sum; {:.1} us",
        us(run.now())
    );
    part
}

/// REPS and the mixed mode leave the slower path what it carries, the bitmap gives both the same; all rates, marks, tolerances and modes
/// with the long tests.
#[test]
fn modes_over_two_paths() {
    let all = [[30, 10], [34, 7]].into_iter().flat_map(|rates| [(7, 6), (7, 2), (20, 6)].map(|case| (rates, case)));
    for (rates, (marks, tolerance)) in if is_all() { all.collect() } else { vec![([30, 10], (7, 6))] } {
        let modes = if is_all() { &MODES[..] } else { &MODES[..3] };
        let parts: Vec<_> = modes.iter().map(|(name, mode)| used(name, *mode, rates, marks, tolerance)).collect();
        if (rates, marks, tolerance) == ([30, 10], 7, 6) {
            assert!(parts[1].min(parts[2]) > 0.9 && parts[0] < 0.65, "bitmap, REPS, mixed: {parts:?}");
        }
    }
}
