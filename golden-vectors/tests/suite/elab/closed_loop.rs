// SPDX-License-Identifier: MIT OR Apache-2.0
//! Both halves on the network of figure 1 of the paper, smaller: two paths of 3 and 6 Gbit/s, one sender that
//! slows down by the share of its packets that are marked.

use golden_vectors::elab_feedback::oracle::{self as elab_feedback, Arrival};
use golden_vectors::elab_scheduler::oracle::{self as elab_scheduler, Control, Report};
use std::collections::BTreeSet;

/// One way, in cycles; the round trip is twice that.
const DELAY: u64 = 128;
const ROUND: u64 = 2 * DELAY;
const ROUNDS: u64 = 500;
/// 10 Gbit/s is a packet in 8 cycles.
const LINK: u64 = 8;
/// So many thirds of a cycle take a packet over a path: 3 and 6 Gbit/s.
const PATHS: [u64; 2] = [80, 40];
/// Packets of 9 Gbit/s in a round trip.
const BEST: f64 = ROUND as f64 * 0.9 / LINK as f64;
/// 600 KB and 1.8 MB are so much against 180 KB, the packets of a round trip.
const THRESHOLD: u64 = (BEST * 600.0 / 180.0) as u64;
const QUEUE: u64 = 3 * THRESHOLD;

/// A unit is an eighth of a round trip, and reports are gathered for one. By the paper alpha is 0.3, the time to explore 200
/// round trips, and a burst at least half of what is under way in one.
const UNIT: u64 = ROUND / 8;
const SETTINGS: elab_scheduler::Settings = elab_scheduler::Settings::new(77, 8, 200 * 8, 15);
const PORT: u64 = 0x4000;

/// A path: when its packets have left it, in thirds of a cycle.
#[derive(Default)]
struct Path {
    left: Vec<u64>,
}

impl Path {
    /// A packet comes at a cycle: when it is at the other end, and whether it is marked; nothing if it is lost.
    fn carry(&mut self, cycle: u64, takes: u64) -> Option<(u64, bool)> {
        let queued = self.left.len() as u64 - self.left.partition_point(|&left| left <= 3 * cycle) as u64;
        if queued >= QUEUE {
            return None;
        }
        let left = self.left.last().map_or(3 * cycle, |&last| last.max(3 * cycle)) + takes;
        self.left.push(left);
        Some((left / 3 + DELAY, queued >= THRESHOLD))
    }
}

/// What a round trip saw: packets sent on each path, packets that arrived, packets lost.
#[derive(Clone, Copy, Default)]
struct Seen {
    sent: [u64; 2],
    arrived: u64,
    lost: u64,
}

fn simulate() -> Vec<Seen> {
    let sending = elab_scheduler::Shape::new(1, 2, UNIT);
    let receiving = elab_feedback::Shape::new(1, 2, UNIT);
    // Both begin with the bandwidth of the link of the host (E13).
    let link = UNIT * 65536 / LINK;
    let mut sender: Vec<_> =
        (0..2).map(|vp| (50 + 20 * vp, elab_scheduler::Event::Control(Control::add(0, PORT + vp, link)))).collect();
    let mut receiver = Vec::new();
    let (mut paths, mut taken, mut told) = ([Path::default(), Path::default()], BTreeSet::new(), 0);
    // Acknowledgements and losses by the cycle in which the sender learns of them, and whether they are marks.
    let mut answers: Vec<(u64, bool)> = Vec::new();
    let (mut window, mut marked_share, mut under_way, mut next, mut granted) = (2.0_f64, 0.0_f64, 0_u64, 0, 0);
    let (mut acknowledged, mut marks, mut started) = (0_u64, 0_u64, false);
    let mut seen = Vec::new();
    for round in 1..=ROUNDS {
        let (from, until) = (round * ROUND, (round + 1) * ROUND);
        let mut now = Seen::default();
        // What was granted until this round begins arrives, each packet in a cycle of its own.
        let grants = elab_scheduler::answer(sending, SETTINGS, &sender).grants;
        for grant in &grants[granted..] {
            assert!(grant.ok);
            now.sent[grant.vp as usize] += 1;
            match paths[grant.vp as usize].carry(grant.cycle, PATHS[grant.vp as usize]) {
                None => {
                    now.lost += 1;
                    answers.push((grant.cycle + 2 * ROUND, true));
                }
                Some((arrives, ecn)) => {
                    let cycle = (arrives..).find(|&cycle| taken.insert(cycle)).unwrap();
                    let arrival = Arrival { pair: 0, sport: grant.sport, ecn, burst: grant.burst };
                    receiver.push((cycle, elab_feedback::Event::Arrival(arrival)));
                    receiver.push((cycle, elab_feedback::Event::Query(0)));
                    answers.push((cycle + receiving.report() + DELAY, ecn));
                }
            }
        }
        granted = grants.len();
        receiver.sort_by_key(|&(cycle, _)| cycle);
        // What the sender hears in this round has left the receiver before any packet of this round arrives there.
        let heard = receiver.iter().take_while(|&&(cycle, _)| cycle + receiving.report() + DELAY < until).count();
        let reports =
            elab_feedback::answer(receiving, elab_feedback::Settings::new(SETTINGS.burst), &receiver[..heard]).reports;
        sender.extend(reports[told..].iter().filter(|report| report.ok).map(|report| {
            let elab_feedback::Report { cycle, vp, count, ecn, probed, rate, .. } = *report;
            let told = Report { pair: 0, vp, count, ecn, probed, rate };
            (cycle + DELAY, elab_scheduler::Event::Report(told))
        }));
        told = reports.len();
        // The sender: a window, a packet whenever there is room in it, no faster than its link.
        answers.sort_unstable();
        let mut heard = answers.iter().skip_while(|&&(cycle, _)| cycle < from).peekable();
        for cycle in from..until {
            while let Some(&(_, mark)) = heard.next_if(|&&(at, _)| at <= cycle) {
                under_way -= 1;
                acknowledged += 1;
                marks += u64::from(mark);
                // Once for each window, as data centre TCP does it.
                if acknowledged as f64 >= window {
                    marked_share += (marks as f64 / acknowledged as f64 - marked_share) / 16.0;
                    started |= marks > 0;
                    window = match marks {
                        0 if started => window + 1.0,
                        0 => 2.0 * window,
                        _ => (window * (1.0 - marked_share / 2.0)).max(2.0),
                    };
                    (acknowledged, marks) = (0, 0);
                }
            }
            if cycle >= next && (under_way as f64) < window {
                sender.push((cycle, elab_scheduler::Event::Request(0)));
                (under_way, next) = (under_way + 1, cycle + LINK);
            }
        }
        sender.sort_by_key(|&(cycle, _)| cycle);
        seen.push(now);
    }
    for (cycle, _) in receiver.iter().step_by(2) {
        if let Some(round) = seen.get_mut((cycle / ROUND - 1) as usize) {
            round.arrived += 1;
        }
    }
    seen
}

/// In equal parts the path of 3 Gbit/s would hold the sender at 6 of 9; by ELAB the parts become 1 to 2.
#[test]
fn two_paths_are_used_as_they_are_wide() {
    let seen = simulate();
    let sum = |rounds: &[Seen]| {
        let [one, two] = [0, 1].map(|path| rounds.iter().map(|round| round.sent[path]).sum::<u64>());
        let arrived = rounds.iter().map(|round| round.arrived).sum::<u64>();
        (two as f64 / one as f64, arrived as f64 / rounds.len() as f64 / BEST)
    };
    for (n, part) in seen.chunks(50).enumerate() {
        let (ratio, throughput) = sum(part);
        println!("from round trip {}: 1 to {ratio:.2}, {:.1} % of 9 Gbit/s", 50 * n, 100.0 * throughput);
    }
    let (ratio, throughput) = sum(&seen[100..]);
    println!("behind 100: 1 to {ratio:.2}, {:.1} % of 9 Gbit/s", 100.0 * throughput);
    assert!((1.8..2.3).contains(&ratio), "{ratio}");
    assert!(throughput > 0.9, "{throughput}");
    assert_eq!(seen.iter().map(|round| round.lost).sum::<u64>(), 0);
}
