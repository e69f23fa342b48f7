// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dead VPs (V21 to V25): what makes one, what it gets, and what ends it.

use super::scheduler_help::*;
use golden_vectors::elab::scheduler::oracle::{Answer, Event, Settings};

const MOST: u64 = 0xFF_FFFF;
/// A period is a unit, which has 8 cycles.
const DIES: Settings = SETTINGS.silence(4);

/// Packets on two VPs in four periods, of which the last ones ask: four on each.
fn asks() -> Vec<(u64, Event)> {
    [400, 408, 416, 440].into_iter().flat_map(|cycle| stream(cycle, 2)).collect()
}

/// The same, and reports: VP 1 is denied.
fn begin() -> Vec<(u64, Event)> {
    [asks(), vec![count(456, 0, 3), count(457, 1, 0)]].concat()
}

fn after(settings: Settings, events: &[(u64, Event)]) -> Answer {
    run_with(settings, &[MOST, MOST], &[&begin(), events].concat())
}

/// The VPs of the packets behind the first ones.
fn vps(answer: &Answer) -> Vec<u64> {
    column(answer, |grant| grant.vp).split_off(8)
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
    // Packets of one period, of which a report is lost, and others of none are not; the next packets come later, and so does their
    // report.
    for later in [600, 680, 5000] {
        let lost = (0..20).map(|n| count(430 + n, n % 2, 1 - n % 2));
        let next = [0, 8, 16, 24].into_iter().flat_map(|n| stream(later + n, 2));
        let reports = [count(later, 1, 0), count(later + 20, 1, 8), count(later + 21, 0, 8)];
        let events: Vec<_> = stream(400, 8).into_iter().chain(lost).chain(next).chain(reports).collect();
        let more = stream(later + 48, 20);
        assert_eq!(run_with(DIES, &[MOST, MOST], &[events, more].concat()).deaths, 0);
    }
}

#[test]
fn a_report_that_is_missing_is_no_evidence() {
    // All reports of VP 1 are lost for less than 16 periods after it has asked, or for more.
    let deaths = |cycles| {
        let reports: Vec<_> = (0..cycles / 4).map(|n| count(456 + 4 * n, 0, 1 - n % 2)).collect();
        run_with(DIES, &[MOST, MOST], &[asks(), reports, stream(444, cycles)].concat()).deaths
    };
    assert_eq!([deaths(100), deaths(140)], [0, 1]);
    // There are no reports at all, with two and with four VPs.
    let deaths = |vps, cycles| run_with(DIES, &vec![MOST; vps], &stream(400, cycles)).deaths;
    assert_eq!([deaths(2, 150), deaths(2, 180)], [0, 2]);
    assert_eq!([deaths(4, 280), deaths(4, 310)], [0, 4]);
}

#[test]
fn all_dead_are_as_none_dead() {
    let events = [asks(), vec![count(456, 0, 0), count(457, 1, 0)], stream(500, 100)].concat();
    let answer = run_with(DIES, &[MOST, MOST], &events);
    assert_eq!(answer.deaths, 2);
    assert!(answer.grants.iter().all(|grant| grant.ok));
    let last = &column(&answer, |grant| grant.vp)[60..];
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
