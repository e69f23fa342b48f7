// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of every run of a FIFO and of a skid buffer, told from the outside, and the committed vectors.

use golden_vectors::blocks::fifo::oracle::Shape;
use golden_vectors::blocks::queue::{Queue, Size};
use golden_vectors::blocks::skid_buffer::oracle as skid;
use golden_vectors::{Outcome, TimedFile};
use proptest::collection::vec;
use proptest::prelude::*;

/// In which cycle each item was pushed and popped, and how many were inside at most.
#[derive(Debug, Default)]
struct Out {
    pushed: Vec<u64>,
    popped: Vec<u64>,
    most: u64,
}

/// Items 0, 1, 2 .. are offered until they are taken. Behind the pattern the receiver is ready, and nothing is offered.
fn run<S: Size>(size: S, pattern: &[(bool, bool)]) -> Result<Out, TestCaseError> {
    let mut queue = size.queue();
    let mut out = Out::default();
    let drained = (0..size.capacity() + size.latency() + 1).map(|_| (false, true));
    let mut offered: Option<u64> = None;
    for (cycle, (push, pop)) in (0..).zip(pattern.iter().copied().chain(drained)) {
        let inside = (out.pushed.len() - out.popped.len()) as u64;
        out.most = out.most.max(inside);
        prop_assert!(queue.level().is_none_or(|level| level == inside));
        if let Some(item) = offered {
            prop_assert_eq!(queue.front(), Some(item), "an item on offer stays");
        }
        let (ready, front) = (queue.ready(), queue.front());
        offered = front.filter(|_| !pop);
        if let Some(item) = front.filter(|_| pop) {
            prop_assert_eq!(item, out.popped.len() as u64, "in order, none lost, none repeated");
            out.popped.push(cycle);
        }
        let next = out.pushed.len() as u64;
        if push && ready {
            out.pushed.push(cycle);
        }
        queue.clock(push.then_some(next), pop);
    }
    prop_assert_eq!(out.pushed.len(), out.popped.len(), "everything comes out");
    Ok(out)
}

fn fast<S: Size>(size: S, first: u64) -> Result<(), TestCaseError> {
    let out = run(size, &[(true, true); 100])?;
    prop_assert_eq!(&out.pushed, &(first..100).collect::<Vec<_>>(), "one item in every cycle");
    let latency = out.pushed.iter().map(|cycle| cycle + size.latency()).collect::<Vec<_>>();
    prop_assert_eq!(out.popped, latency);
    Ok(())
}

fn pattern() -> impl Strategy<Value = Vec<(bool, bool)>> {
    let phase = (0..4u64, 0..4u64, 1..20u64);
    let cycles = |(push, pop, length): (u64, u64, u64)| (0..length).map(move |n| (push > n % 3, pop > n % 3));
    vec(phase, 1..30).prop_map(move |phases| phases.into_iter().flat_map(cycles).collect())
}

proptest! {
    #[test]
    fn items_come_out_of_a_fifo(latency in 1..4u64, address in 1..5u32, pattern in pattern()) {
        let shape = Shape::new(1 << address, 64, latency);
        let out = run(shape, &pattern)?;
        prop_assert!(out.most <= shape.capacity());
        prop_assert!(out.pushed.iter().zip(&out.popped).all(|(push, pop)| pop - push >= shape.latency()));
        // As many as fit.
        let full = run(shape, &[(true, false); 64])?;
        prop_assert_eq!(full.most, shape.capacity());
        fast(Shape::new(8, 64, latency), 0)?;
    }

    #[test]
    fn items_come_out_of_a_skid_buffer(pattern in pattern()) {
        let shape = skid::Shape { width: 64 };
        prop_assert!(run(shape, &pattern)?.most <= 2);
        prop_assert_eq!(run(shape, &[(true, false); 9])?.most, 2);
        fast(shape, 1)?;
    }
}

#[test]
fn the_committed_vectors_are_those_that_are_made() {
    for (name, made) in [
        ("fifo", golden_vectors::blocks::fifo::vectors()),
        ("skid_buffer", golden_vectors::blocks::skid_buffer::vectors()),
    ] {
        let file = TimedFile::embedded_stage(name).unwrap().unwrap();
        assert_eq!(file, made);
        for result in [Outcome::Valid, Outcome::Invalid] {
            assert!(file.cases().filter(|case| case.result == result).count() > 20, "{name}: {result:?}");
        }
        // Each group gets full and empty.
        for group in &file.groups {
            let is = |case: &golden_vectors::TimedCase, ready| {
                case.expect.levels["push_ready"].iter().any(|[first, _, level]| *first > 0 && *level == ready)
            };
            let full = group.tests.iter().filter(|case| is(case, 0)).count();
            let roomy = group.name.starts_with("empty");
            assert!(roomy || full > 1 || group.name.contains("d32"), "{}: {full}", group.name);
        }
    }
}
