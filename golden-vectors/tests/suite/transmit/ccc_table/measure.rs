// SPDX-License-Identifier: MIT OR Apache-2.0
//! How far the window of the oracle is from that of the pseudocode with real numbers.

use super::pseudocode::{Partings, Reading};
use super::trace::{Apart, Traffic, trace};
use golden_vectors::transmit::ccc_table::oracle::Link;

const RATES: [f64; 4] = [100.0, 200.0, 400.0, 800.0];
const MTU: f64 = 4096.0;

/// That of a trace.
fn link(seed: u64) -> Link {
    let gbps = RATES[(seed % 4) as usize];
    Link { mhz: 322.265_625, gbps, rtt_us: 12.0, mtu: MTU, trim: (seed / 4).is_multiple_of(2) }
}

/// So many traces, each of so many events, at each rate in turn, with and without trimming.
fn measure(reading: Reading, traffic: Traffic, traces: u64, events: u64) -> Apart {
    let mut all = Apart::default();
    for seed in 0..traces {
        all = all.and(trace(seed, link(seed), reading, events, traffic));
    }
    let share = |part: f64| 100.0 * part / all.compared as f64;
    let (mean, bias, above) = (share(all.sum), share(all.bias), share(all.above as f64));
    println!("{reading:?}, {traffic:?}: {all:?}");
    println!("    largest {:.0} bytes, mean {mean:.3} %, bias {bias:.3} %, above one MTU {above:.2} %", all.most);
    if reading.holds(traffic) {
        let Partings { number, most, .. } = all.partings;
        println!("    bound of rounding: largest {:.0} bytes, above one MTU {} times", all.bound, all.loose);
        println!("    {} comparisons are above their bound", all.outside);
        println!(
            "    rounding decides {number} times whether fast increase begins, {most:.0} bytes from the limit at most"
        );
    }
    assert!(all.compared > traces * events / 10 && all.adjustments > traces * events / 5, "{all:?}");
    assert!(all.quick_adapts > traces, "{all:?}");
    all
}

const SPACED: Traffic = Traffic { bursts: false, penalties: false };
const PENALTIES: Traffic = Traffic { penalties: true, ..SPACED };
const BURSTS: Traffic = Traffic { bursts: true, penalties: true };

/// Windows are within one MTU, and no further apart than rounding explains. The same decides in few ACKs whether fast increase
/// begins: *fi_count* is above one window and not above the other. Which of both is right is a matter of rounding too, so there,
/// and nowhere else, the pseudocode does what the oracle does.
fn is_near(apart: Apart, events: u64) {
    assert_eq!(apart.compared, events, "every event");
    assert!(apart.above == 0 && apart.outside == 0 && apart.partings.unexplained == 0, "{apart:?}");
    assert!(apart.partings.number < 3 + events / 500_000 && apart.loose * 5000 < events, "{apart:?}");
}

/// What must hold of so many traces.
fn judge(traces: u64, events: u64) {
    // ACKs as far apart as two adjustments, and no penalties: it is the pseudocode to the letter.
    is_near(measure(Reading::Letter, SPACED, traces, events), traces * events);
    // With penalties, all but the ACKs that restore the window.
    is_near(measure(Reading::Page, PENALTIES, traces, events), traces * events);
    // In bursts too, if adjustments come later in the pseudocode.
    is_near(measure(Reading::Late, BURSTS, traces, events), traces * events);
    // What both cost: windows differ for a while, and not in one direction only.
    let restores = measure(Reading::Letter, PENALTIES, traces, events);
    assert!(restores.sum < 0.002 * restores.compared as f64, "{restores:?}");
    let bursts = measure(Reading::Letter, BURSTS, traces, events);
    assert!(bursts.sum < 0.05 * bursts.compared as f64, "{bursts:?}");
}

#[test]
fn windows_stay_within_one_mtu_of_the_pseudocode() {
    // `scripts/soak` asks for 1000 traces of 10,000 events.
    match std::env::var("MPNIC_CCC_TRACES") {
        Ok(traces) => judge(traces.parse().expect("MPNIC_CCC_TRACES is a number"), 10_000),
        Err(_) => judge(24, 4000),
    }
}

/// Traces of the long run in which rounding decides that. If the pseudocode did not do as the oracle does, windows would be more
/// than one MTU apart afterwards in all three, up to 30,332 bytes.
#[test]
fn rounding_decides_whether_fast_increase_begins() {
    let traces = [(Reading::Letter, SPACED, 119), (Reading::Page, PENALTIES, 454), (Reading::Late, BURSTS, 817)];
    for (reading, traffic, seed) in traces {
        let apart = trace(seed, link(seed), reading, 10_000, traffic);
        assert_eq!(apart.partings.number, 1, "{apart:?}");
        is_near(apart, 10_000);
    }
}
