// SPDX-License-Identifier: MIT OR Apache-2.0
//! Demands with `repeat`: a source that has missed its credit number is told it, stated apart from the oracle.

use super::help::Run;
use super::traffic::{Traffic, all};
use golden_vectors::receive::credit_pacer::oracle::{CREDITS, Grant, Inputs, Settings, Shape, op};
use golden_vectors::rng::SplitMix64;

/// A quota in every take, as soon as it may come.
const FAST: Settings = Settings { rate: 1 << 20, quota: 8, burst: 4095, advance: 0 };

/// The grants up to now: source, credit, quanta, ahead.
fn drain(run: &mut Run) -> Vec<(u64, u64, u64, bool)> {
    run.grants.drain(..).map(|(_, g)| (g.source, g.credit, g.quanta, g.ahead)).collect()
}

/// PC3, PC7: with nothing to add, with a new target, with an old one, and of a closed source.
#[test]
fn the_number_is_said_again() {
    let mut run = Run::new(Shape::new(3), FAST, 1);
    run.command(op::OPEN, 2, CREDITS - 1);
    // As long as any demand: 1 to enter, 11 until it is there, 7 until the grant.
    let accepted = run.repeat(2, CREDITS - 1);
    run.idle(100);
    assert_eq!(run.grants[0].0, accepted + 19);
    assert_eq!(drain(&mut run), [(2, CREDITS - 1, 0, false)]);
    for (target, expected) in [
        (4, Some((2, 4, 5, false))),
        (4, Some((2, 4, 0, false))),
        (3, Some((2, 4, 0, false))),
        (4 + (1 << 23), Some((2, 4, 0, false))),
        (4, Some((2, 4, 0, false))),
    ] {
        run.repeat(2, target);
        run.idle(100);
        assert_eq!(drain(&mut run), Vec::from_iter(expected), "{target}");
    }
    // Without `repeat` there is nothing to say; source 1 is closed, and there is no source 3.
    run.demand(2, 4);
    run.idle(20);
    run.repeat(1, 9);
    run.repeat(3, 9);
    run.idle(100);
    assert_eq!(drain(&mut run), []);
    let counters = run.oracle.outputs().counters;
    assert_eq!((counters.credits, counters.void_turns), (6, 0));
    assert_eq!((counters.stale_demands, counters.closed_demands), (2, 2));
}

/// PC7: one grant for several repeats, and none of its own if credit is due, though it is more than a quota.
#[test]
fn one_grant_for_several() {
    let mut run = Run::new(Shape::new(2), Settings { burst: 0, ..FAST }, 2);
    for target in [0, 0, 0] {
        run.repeat(0, target);
        run.repeat(1, target + 9);
        run.idle(3);
    }
    run.step(&Inputs::idle(Some(FAST)));
    run.idle(300);
    assert_eq!(drain(&mut run), [(0, 0, 0, false), (1, 8, 8, false), (1, 9, 1, false)]);
    assert_eq!(run.oracle.outputs().counters.void_turns, 0);
}

/// PC4, PC7: a source that waits in the ahead queue gets its turn from the demand queue, then its credit in advance.
#[test]
fn a_repeat_goes_before_credit_in_advance() {
    let mut run = Run::new(Shape::new(2), Settings { burst: 0, advance: 20, ..FAST }, 2);
    run.command(op::READ, 0, 0);
    run.command(op::READ, 1, 0);
    let (_, response) = run.command(op::READ, 1, 0);
    assert!(response.ahead && !response.queued);
    run.repeat(1, 0);
    let (_, response) = run.command(op::READ, 1, 0);
    assert!(response.ahead && response.queued);
    run.step(&Inputs::idle(Some(Settings { advance: 5, ..FAST })));
    run.idle(300);
    assert_eq!(drain(&mut run), [(1, 0, 0, false), (0, 5, 5, true), (1, 5, 5, true)]);
    // Its target is new, and still behind its credit.
    run.repeat(1, 3);
    run.step(&Inputs::idle(Some(FAST)));
    run.idle(300);
    assert_eq!(drain(&mut run), [(1, 5, 0, false)]);
}

/// PC5, PC6: with *level* at 0 or below there is no grant, and a grant that adds nothing costs nothing.
#[test]
fn level_is_needed_and_not_used() {
    let mut run = Run::new(Shape::new(2), Settings { rate: 0, ..FAST }, 2);
    let once = |run: &mut Run, rate| {
        run.step(&Inputs::idle(Some(Settings { rate, ..FAST })));
        run.step(&Inputs::idle(Some(Settings { rate: 0, ..FAST })));
        run.idle(60);
    };
    let repeat = |run: &mut Run| {
        run.repeat(0, 0);
        run.repeat(1, 0);
        run.idle(100);
        drain(run)
    };
    let both = [(0, 0, 0, false), (1, 0, 0, false)];
    assert_eq!((run.oracle.level(), repeat(&mut run)), (0, vec![]));
    once(&mut run, 1);
    assert_eq!((run.oracle.level(), drain(&mut run)), (1, both.to_vec()));
    assert_eq!((repeat(&mut run), run.oracle.level()), (both.to_vec(), 1));
    run.demand(1, 2);
    run.idle(60);
    assert_eq!((run.oracle.level(), drain(&mut run)), (1 - (2 << 16), vec![(1, 2, 2, false)]));
    run.repeat(0, 0);
    once(&mut run, (2 << 16) - 1);
    assert_eq!((run.oracle.level(), drain(&mut run)), (0, vec![]));
    once(&mut run, 1);
    assert_eq!((run.oracle.level(), drain(&mut run)), (1, vec![(0, 0, 0, false)]));
}

/// A demand that was accepted in this cycle enters in the next one, or behind the take that enters then.
const fn before(accepted: u64, take: u64) -> bool {
    accepted + 2 <= take
}

/// A walk along the grants of a source.
#[derive(Default)]
struct Told {
    credit: u64,
    /// The cycle of the first repeat that waits.
    since: Option<u64>,
    /// Grants without growth.
    again: u64,
    /// The longest wait, in grants of others.
    longest: u64,
}

fn walk(traffic: &Traffic, source: u64) -> Told {
    let mut told = Told::default();
    let mut repeats = traffic.demands.iter().filter(|(_, demand)| demand.source == source && demand.repeat).peekable();
    let mut others = vec![0; traffic.shape.sources as usize];
    let mut in_advance = 0;
    for (take, Grant { source: from, credit, quanta, ahead }) in traffic.takes() {
        while let Some(&(accepted, _)) = repeats.next_if(|(accepted, _)| before(*accepted, take)) {
            told.since.get_or_insert(accepted);
        }
        if from == source {
            assert_eq!(credit, told.credit + quanta, "the number is that of the source");
            assert!(quanta > 0 || told.since.is_some() && !ahead, "source {source}, take {take}: nobody has asked");
            told.credit = credit;
            told.again += u64::from(quanta == 0);
        }
        if from == source && !ahead {
            told.longest = told.longest.max(in_advance + others.iter().sum::<u64>());
            told.since = None;
            others.fill(0);
            in_advance = 0;
        } else if told.since.is_some() {
            // PC6: one turn of each other one, and one in advance before it is there.
            let count = if ahead { &mut in_advance } else { &mut others[from as usize] };
            *count += 1;
            assert!(*count <= 1, "source {source} waits in cycle {take}");
        }
    }
    assert!(repeats.next().is_none());
    told
}

/// Every repeat of a source that stays open is followed by a grant from the demand queue, with the credit number that
/// is then valid; no grant is without growth but for a repeat.
#[test]
fn every_repeat_is_answered() {
    let (mut again, mut longest) = (0, 0);
    for mut traffic in all() {
        traffic.finish();
        for source in 0..traffic.shape.sources {
            let told = walk(&traffic, source);
            assert_eq!(told.since, None, "source {source} still waits");
            assert_eq!(told.credit, traffic.run.oracle.source(source).credit);
            again += told.again;
            longest = longest.max(told.longest);
        }
    }
    assert!(again > 400 && longest >= 12, "{again} {longest}");
}

/// What a source has a right to, with numbers that do not wrap.
#[derive(Clone, Copy, Default)]
struct Right {
    open: bool,
    credit: u64,
    target: u64,
    asked: bool,
}

/// PC3, PC7, PC10: demands and commands in any order, and no take before all of them. A source that is open then is
/// told its number once if it was asked for since it was opened and nothing is due, and else not; what is due comes.
#[test]
fn only_what_was_asked_of_an_open_source() {
    let mut rng = SplitMix64::new(77);
    let (sources, held) = (5, Settings { burst: 0, ..FAST });
    let mut run = Run::new(Shape::new(sources), held, 0);
    let mut rights = vec![Right::default(); sources as usize];
    let mut again = 0;
    for _ in 0..1000 {
        for _ in 0..1 + rng.below(20) {
            let source = rng.below(sources);
            let right = &mut rights[source as usize];
            match rng.below(8) {
                0 => {
                    run.command(op::CLOSE, source, 0);
                    *right = Right::default();
                }
                1 | 2 => {
                    let number = 100 + rng.below(1000);
                    run.command(op::OPEN, source, number);
                    if !right.open {
                        *right = Right { open: true, credit: number, target: number, asked: false };
                    }
                }
                n => {
                    let target = (right.target + 1 + rng.below(3)).saturating_sub(2);
                    if n < 6 {
                        run.repeat(source, target)
                    } else {
                        run.demand(source, target)
                    };
                    if right.open {
                        right.target = right.target.max(target);
                        right.asked |= n < 6;
                    }
                }
            }
            run.idle(rng.below(4));
        }
        run.idle(20);
        assert!(run.grants.is_empty());
        run.step(&Inputs::idle(Some(FAST)));
        run.idle(600);
        run.step(&Inputs::idle(Some(held)));
        run.idle(20);
        let grants = drain(&mut run);
        for (source, right) in (0..).zip(&mut rights) {
            let mine: Vec<_> = grants.iter().filter(|grant| grant.0 == source).copied().collect();
            let due = right.target - right.credit;
            let expected = match due {
                0 if right.asked => vec![(source, right.credit, 0, false)],
                0 => vec![],
                1..=8 => vec![(source, right.target, due, false)],
                _ => mine.clone(),
            };
            assert_eq!(mine, expected, "source {source}");
            assert!(due <= 8 || mine.iter().map(|grant| grant.2).eq([8, due - 8]), "{due} {mine:?}");
            again += u64::from(due == 0 && right.asked);
            right.credit = right.target;
            right.asked = false;
        }
    }
    assert!(again > 300, "{again}");
}
