// SPDX-License-Identifier: MIT OR Apache-2.0
//! Both halves on a network of two paths, with their settings as after reset: how much the paths carry, in what parts,
//! and how long it takes from a full queue until packets go elsewhere (E18).
//!
//! ```text
//!  window, as DCTCP has it -> elab_scheduler -> queue and wire of a path -> elab_feedback -> wire back, with report
//! ```

use super::network::{Hop, Network, Seen};

/// Cycles of a microsecond at 322.265625 MHz.
const US: f64 = 322.265_625;

/// X1, figure 1 of the paper: 3 and 6 Gbit/s, 160 us there and back, marks from 600 KB on in queues of 1.8 MB.
fn x1() -> Network {
    let hop = |gbps| Hop { cycles: 1500.0 * 8.0 / gbps / 1000.0 * US, threshold: 400, queue: 1200 };
    Network { link: 1.2 * US, delay: (80.0 * US) as u64, hops: [hop(3.0), hop(6.0)] }
}

/// Share of 9 Gbit/s, and packets on the second path for one on the first, from one time in us to another.
fn shares(seen: &Seen, from: f64, until: f64) -> (f64, f64) {
    let within = |at: u64| (from * US..until * US).contains(&(at as f64));
    let arrived = seen.arrived.iter().filter(|&&at| within(at)).count() as f64;
    let sent = |path| seen.granted.iter().filter(|&&(at, on)| on == path && within(at)).count() as f64;
    (arrived / ((until - from) * 0.75), sent(1) / sent(0))
}

#[test]
fn x1_two_paths_are_used_as_they_are_wide() {
    let seen = x1().run((1_000_000.0 * US) as u64);
    for part in 0..20 {
        let (used, ratio) = shares(&seen, f64::from(part) * 50_000.0, f64::from(part + 1) * 50_000.0);
        println!("from {} ms: 1 to {ratio:.2}, {:.1} % of 9 Gbit/s", 50 * part, 100.0 * used);
    }
    let (used, ratio) = shares(&seen, 50_000.0, 1_000_000.0);
    println!("from 50 ms on: 1 to {ratio:.2}, {:.1} % of 9 Gbit/s, {} lost", 100.0 * used, seen.lost);
    for (at, path) in &seen.bursts { println!("burst at {} us on {path}", *at as f64 / US); }
    for (mark, shift) in &seen.shifts { println!("mark at {:?} us: {:?}", mark.0 as f64/US, (*shift as f64 - mark.0 as f64) / US); }
}
