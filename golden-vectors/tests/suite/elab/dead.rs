// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dead VPs (V21 to V25): what makes one, what it gets, and what ends it.

use super::scheduler_help::*;
use golden_vectors::elab::scheduler::oracle::{Answer, Event, Settings};

const MOST: u64 = 0xFF_FFFF;
/// A period is a unit, which has 8 cycles.
const DIES: Settings = SETTINGS.silence(4);

/// The events of five packets in a row on each of two VPs, and four rounds of reports of which the one of VP 1 says nothing.
fn begin() -> Vec<(u64, Event)> {
    let rounds = (0..10).map(|n| count(420 + n, n % 2, if n % 2 == 0 { 3 } else { 0 }));
    stream(400, 10).into_iter().chain(rounds).collect()
}

fn after(settings: Settings, events: &[(u64, Event)]) -> Answer {
    run_with(settings, &[MOST, MOST], &[&begin(), events].concat())
}

/// The VPs of the packets behind the first ones.
fn vps(answer: &Answer) -> Vec<u64> {
    column(answer, |grant| grant.vp).split_off(10)
}

#[test]
fn a_vp_that_is_not_answered_gets_a_try_now_and_then() {
    let answered: Vec<_> = (0..100).map(|n| count(500 + 40 * n, 0, 3)).collect();
    let sends = [stream(500, 4000), answered].concat();
    let answer = after(DIES, &sends);
    assert_eq!((answer.deaths, answer.returns), (1, 0));
    assert_eq!((answer.dead[0].pair, answer.dead[0].sport), (0, PORT + 1));
    // The packets that are under way when one finds it dead go by weight.
    let tries: Vec<_> = (500..).zip(vps(&answer)).filter(|(_, vp)| *vp == 1).map(|(cycle, _)| cycle).collect();
    let begins: Vec<_> = tries.windows(2).filter(|pair| pair[1] - pair[0] > 2).map(|pair| pair[1]).collect();
    assert!(begins.len() >= 4, "{begins:?}");
    let intervals: Vec<_> = begins.windows(2).map(|pair| (pair[1] - pair[0]) / 8).collect();
    assert!(intervals.is_sorted() && intervals.iter().all(|periods| *periods <= 128), "{intervals:?}");
    for begin in &begins {
        assert!(tries.iter().filter(|try_at| (*begin..begin + 40).contains(*try_at)).count() <= 13, "{tries:?}");
    }
    // The settings say never, or the packets have no bytes.
    assert_eq!(after(SETTINGS, &sends).deaths, 0);
    let empty: Vec<_> = (500..900).map(|cycle| (cycle, Event::Empty(0))).collect();
    assert_eq!(after(DIES, &empty).deaths, 0);
}

#[test]
fn a_report_of_packets_ends_it_and_one_of_none_does_not() {
    for (packets, returns) in [(0, 0), (1, 1)] {
        let events = [stream(500, 20), vec![count(540, 1, packets)], stream(556, 10)].concat();
        let answer = after(DIES, &events);
        assert_eq!((answer.deaths, answer.returns, answer.returned.len()), (1, returns, returns as usize));
        let behind = &vps(&answer)[20..];
        assert_eq!(behind.iter().filter(|vp| **vp == 1).count() == 5, returns == 1, "{behind:?}");
    }
}

#[test]
fn an_idle_vp_is_not_dead() {
    // Nothing is sent: the packets of before are answered late, and those that follow are answered in time.
    let late = [vec![count(2000, 1, 5)], stream(3000, 10), vec![count(3030, 0, 5), count(3031, 1, 5)]].concat();
    assert_eq!(after(DIES, &[late, stream(3060, 20)].concat()).deaths, 0);
    // There are packets, and no reports at all, for less or for more than 64 periods.
    let deaths = |cycles| run_with(DIES, &[MOST, MOST], &stream(400, cycles)).deaths;
    assert_eq!([deaths(500), deaths(600)], [0, 2]);
    // A single packet is lost, and the next one comes much later.
    let lost = [vec![count(440, 1, 5)], stream(500, 2), (0..20).map(|n| count(600 + n, n % 2, 1 - n % 2)).collect()];
    assert_eq!(after(DIES, &[&lost.concat(), &stream(5000, 2)[..]].concat()).deaths, 0);
}

#[test]
fn all_dead_are_as_none_dead() {
    let rounds: Vec<_> = (0..12).map(|n| count(440 + n, n % 2, 0)).collect();
    let events = [stream(400, 20), rounds, stream(500, 100)].concat();
    let answer = run_with(DIES, &[MOST, MOST], &events);
    assert_eq!(answer.deaths, 2);
    assert!(answer.grants.iter().all(|grant| grant.ok));
    let last = &column(&answer, |grant| grant.vp)[80..];
    assert!((0..2).all(|vp| last.iter().filter(|of| **of == vp).count() > 8), "{last:?}");
}

#[test]
fn a_dead_vp_begins_no_burst() {
    let bursts = |silence| {
        let settings = Settings { explore: 2, burst: 4, ..SETTINGS.silence(silence) };
        let calls = [ecn(600, 1, 0), count(660, 1, 0)];
        after(settings, &[stream(500, 20), calls.to_vec(), stream(700, 10)].concat()).bursts
    };
    assert_eq!([bursts(0), bursts(4)], [1, 0]);
}
