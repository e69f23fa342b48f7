// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the page promises under the table of takes, under random demand.

use super::help::Run;
use super::traffic::all;
use golden_vectors::receive::credit_pacer::oracle::{Command, Demand, Inputs, Oracle, Settings, Shape, distance, op};

/// PC5, PC6: over any time, credit is at most rate x time and a burst, with one quota more.
#[test]
fn credit_never_grows_faster_than_the_rate() {
    let mut close = 0;
    for traffic in all() {
        let Settings { rate, quota, burst, .. } = traffic.settings;
        let takes = traffic.takes();
        for (first, &(begin, _)) in takes.iter().enumerate() {
            let mut sum = 0;
            for &(end, grant) in &takes[first..] {
                // Before its take *level* was above 0: what was granted was less than what had come.
                let most = (burst << 16) + rate * (end - begin);
                assert!(sum << 16 < most, "{sum} quanta from cycle {begin} to {end}: {:?}", traffic.settings);
                assert!(grant.quanta <= quota.max(1));
                sum += grant.quanta;
                close += u64::from((sum << 16) + rate * 20 > most);
            }
        }
    }
    assert!(close > 1000, "the bound is hardly ever near: {close}");
}

/// PC4, PC6: a source with demand waits for at most one quota of each other one with demand, and one grant in advance
/// that was on its way.
#[test]
fn round_robin_is_fair() {
    let mut waits = 0;
    for traffic in all() {
        let takes = traffic.takes();
        for source in 0..traffic.shape.sources {
            // It waits from the demand that found it without any, or from its last take if that left some.
            let mut credit = 0;
            let mut target = 0;
            let mut since: Option<u64> = None;
            let mut demands = traffic.demands.iter().filter(|(_, demand)| demand.source == source).peekable();
            let mut others = vec![0; traffic.shape.sources as usize];
            let mut in_advance = 0;
            for &(entered, grant) in &takes {
                // A demand enters in the cycle after its acceptance or a little later, with commands and takes before
                // it.
                while let Some((cycle, demand)) = demands.next_if(|(cycle, _)| cycle + 3 < entered) {
                    target = demand.target;
                    if since.is_none() && target > credit {
                        since = Some(*cycle + 3);
                    }
                }
                if grant.source == source {
                    let early = grant.credit > target && !grant.ahead;
                    credit = grant.credit;
                    others.fill(0);
                    in_advance = 0;
                    // A demand that has just come may be what was served.
                    since = (!early && target > credit).then_some(entered);
                    waits += 1;
                } else if since.is_some_and(|since| since < entered) {
                    if grant.ahead {
                        in_advance += 1;
                        assert!(in_advance <= 1, "source {source} waits in cycle {entered}");
                    } else {
                        others[grant.source as usize] += 1;
                        assert!(others[grant.source as usize] <= 1, "source {source} waits in cycle {entered}");
                    }
                }
            }
        }
    }
    assert!(waits > 3000, "{waits}");
}

/// PC7: no credit beyond what was asked for, but in advance, and of that no more than `advance`.
#[test]
fn credit_is_within_what_was_asked_for() {
    let mut both = [0, 0];
    for traffic in all() {
        let mut credit = vec![0; traffic.shape.sources as usize];
        for (entered, grant) in traffic.takes() {
            let asked =
                traffic.demands.iter().rev().find(|(cycle, demand)| *cycle < entered && demand.source == grant.source);
            let asked = asked.map_or(0, |(_, demand)| demand.target);
            let most = if grant.ahead { asked + traffic.settings.advance } else { asked };
            assert!(grant.credit <= most || grant.quanta == 0, "{grant:?}, target {asked}");
            let before = std::mem::replace(&mut credit[grant.source as usize], grant.credit);
            assert_eq!(distance(grant.credit, before), grant.quanta);
            both[usize::from(grant.ahead)] += u64::from(grant.quanta > 0);
        }
    }
    assert!(both[0] > 3000 && both[1] > 300, "{both:?}");
}

/// PC4: in the end every source has what it asked for, and then its credit in advance to the last quantum.
#[test]
fn nothing_is_forgotten() {
    for mut traffic in all() {
        traffic.go(2, 1, 500);
        traffic.finish();
        for source in 0..traffic.shape.sources {
            let state = traffic.run.oracle.source(source);
            let target = traffic.target(source);
            assert_eq!((state.target, state.credit), (target, target + traffic.settings.advance));
            assert!(!state.queued && !state.ahead);
        }
        assert_eq!(traffic.run.oracle.waiting(), (0, 0));
    }
}

/// While sources are due throughout, credit is rate x time, to a quota, whatever the demand; quotas and the burst must
/// be above what comes from take to take.
#[test]
fn the_rate_is_used_up() {
    for (n, rate) in [3000, 9830, 1 << 14, 100_001].into_iter().enumerate() {
        for sources in [1, 3, 8] {
            let shape = Shape::new(sources).ram_latency(1 + n as u64 % 3);
            let settings = Settings { rate, quota: 64, burst: 64, advance: 40 };
            let mut run = Run::new(shape, settings, sources);
            for source in 0..sources {
                while !run.oracle.outputs().demand_ready {
                    run.idle(1);
                }
                run.demand(source, 1 << 22);
            }
            run.idle(1000);
            run.grants.clear();
            let begin = run.oracle.cycle();
            run.idle(100_000);
            let granted: u64 = run.grants.iter().map(|(_, grant)| grant.quanta).sum();
            let expected = (rate * (run.oracle.cycle() - begin)) >> 16;
            assert!(granted.abs_diff(expected) <= 64, "{granted}, {expected}");
            // Each source has the same, to a quota.
            let by = |source| run.grants.iter().filter(|(_, grant)| grant.source == source).count();
            assert!((0..sources).all(|source| by(source).abs_diff(by(0)) <= 1));
        }
    }
}

/// PC5, PC12: nothing is accepted in the sweep; behind it all sources are closed, the queues are empty, and *level* is
/// 0.
#[test]
fn all_is_closed_behind_the_sweep() {
    let shape = Shape::new(3);
    let mut oracle = Oracle::new(shape);
    for cycle in 0..shape.sweep() {
        let out = oracle.outputs();
        assert!(out.busy && !out.demand_ready && !out.command_ready, "{cycle}");
        // Nothing of this is accepted.
        let demand = Some(Demand { source: 0, target: 9, repeat: true });
        let command = Some(Command { op: op::OPEN, source: 0, number: 5 });
        oracle.step(&Inputs { demand, command, ..Inputs::idle(Some(Settings { rate: 1 << 20, ..Settings::DEFAULT })) });
    }
    let out = oracle.outputs();
    assert!(!out.busy && out.demand_ready && out.command_ready);
    assert_eq!((oracle.level(), oracle.waiting()), (0, (0, 0)));
    assert!((0..3).all(|source| !oracle.source(source).open));
    oracle.step(&Inputs::idle(None));
    assert_eq!(oracle.level(), 1 << 20);
}
