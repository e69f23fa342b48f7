// SPDX-License-Identifier: MIT OR Apache-2.0
//! U10 and U11 in a closed loop: how many packets still use EVs on congested paths, for rounds of different lengths.

use golden_vectors::transmit::entropy_selector::oracle::{
    ALL_FREE, Command, Ev, Event, Grant, Kind, Mode, Settings, Shape, answer,
};

const EVS: u64 = 64;
/// Cycles from one packet to the next. A round without marks has 64 times as many.
const GAP: u64 = 8;

/// Each packet on a bad EV comes back marked after an RTT. The share of packets on bad EVs, against that of a sender
/// that avoids none, with a value of `settings_rtt` and an RTT class.
fn bad(rtt: u64, (setting, class): (u64, u64), is_bad: fn(u64) -> bool) -> f64 {
    let shape = Shape::new(1, EVS).modes(Mode::MASK);
    let settings = Settings::new(setting, 128);
    let mut events = vec![(5, Event::Command(Command::open(0, 0, Mode::Bitmap).class(class)))];
    let mut grants: Vec<Grant> = Vec::new();
    let rtts = 60;
    for round in 0..rtts {
        let known = grants.len();
        let from = 100 + round * rtt;
        // What was sent in the previous RTT comes back in this one.
        let sent = grants.iter().filter(|grant| (from..from + rtt).contains(&(grant.cycle - 8 + rtt)));
        let back = sent.map(|grant| {
            let kind = if is_bad(grant.index) { Kind::Ecn } else { Kind::Good };
            (grant.cycle - 8 + rtt, Event::Feedback(0, Ev::Own(grant.index), kind))
        });
        events.extend(back.collect::<Vec<_>>());
        let asked = (from..from + rtt).filter(|cycle| cycle % GAP == 0);
        events.extend(asked.map(|cycle| (cycle, Event::Request(0, ALL_FREE))));
        events.sort_by_key(|&(cycle, _)| cycle);
        grants = answer(shape, settings, &events).grants;
        assert!(known <= grants.len());
    }
    let settled: Vec<_> = grants.iter().filter(|grant| grant.cycle > 100 + 6 * rtt).collect();
    let share = settled.iter().filter(|grant| is_bad(grant.index)).count() as f64 / settled.len() as f64;
    share / ((0..EVS).filter(|&ev| is_bad(ev)).count() as f64 / EVS as f64)
}

/// Every eighth EV, and 16 EVs in a row.
const BAD: [fn(u64) -> bool; 2] = [|ev| ev % 8 == 3, |ev| ev < 16];

/// The share of bad packets for a round of so many quarters of an RTT.
fn of_quarters(quarters: u64, is_bad: fn(u64) -> bool) -> f64 {
    let rtt = EVS * GAP * 4 / quarters;
    bad(rtt, (rtt, 0), is_bad)
}

#[test]
fn u10_u11_rounds_of_one_to_two_rtt_avoid_bad_evs() {
    for (n, is_bad) in BAD.into_iter().enumerate() {
        let shares: Vec<_> = (4..=8).map(|quarters| of_quarters(quarters, is_bad)).collect();
        println!("bad EVs {n}, rounds of 1, 1.25, 1.5, 1.75, 2 RTT: {shares:.2?}");
        assert!(shares.iter().all(|&share| share < 0.6), "{shares:.2?}");
    }
}

#[test]
fn u10_rounds_of_more_than_three_rtt_avoid_nothing() {
    let share = of_quarters(14, BAD[0]);
    println!("rounds of 3.5 RTT: {share:.2}");
    assert!(share > 0.9);
}

/// A CCC whose RTT is four times that of the nearest peers, in its own class and in class 0.
#[test]
fn u10_the_class_of_the_ccc_counts() {
    let [own, nearest] = [2, 0].map(|class| bad(300, (75, class), BAD[0]));
    println!("a round of 1.7 RTT in the class of the CCC {own:.2}, in that of the nearest peers {nearest:.2}");
    assert!(own < 0.6 && nearest > 0.9, "{own:.2} {nearest:.2}");
}
