// SPDX-License-Identifier: MIT OR Apache-2.0
//! The levels that a case expects of an output, asked for cycle by cycle.

use golden_vectors::schema::timed::Span;
use std::slice::Iter;

/// What is expected of an output: spans of cycles with a level each.
pub struct Levels<'a> {
    /// Spans whose first cycle has not come. They are in the order of their first cycles, or else each is looked at in each cycle.
    later: Iter<'a, Span>,
    now: Vec<&'a Span>,
}

impl<'a> Levels<'a> {
    /// Those of these spans.
    pub fn new(spans: &'a [Span]) -> Self {
        match spans.is_sorted_by_key(|[first, _, _]| *first) {
            true => Levels { later: spans.iter(), now: Vec::new() },
            false => Levels { later: [].iter(), now: spans.iter().collect() },
        }
    }

    /// The levels of the spans with this cycle, which is the next after that of the call before.
    pub fn of(&mut self, cycle: u64) -> impl Iterator<Item = u64> {
        self.now.retain(|[_, last, _]| *last >= cycle);
        while let Some(span) = self.later.as_slice().first().filter(|[first, _, _]| *first <= cycle) {
            self.later.next();
            self.now.push(span);
        }
        let has = move |[first, last, _]: &&&Span| (*first..=*last).contains(&cycle);
        self.now.iter().filter(has).map(|[_, _, level]| *level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cycle_has_the_levels_of_its_spans() {
        let ordered: Vec<Span> = vec![[0, 0, 7], [2, 9, 1], [2, 3, 0], [3, 3, 5], [12, 20, 1]];
        let turned: Vec<Span> = ordered.iter().rev().copied().collect();
        for spans in [&ordered, &turned] {
            let mut levels = Levels::new(spans);
            for cycle in 0..25 {
                let mut found: Vec<_> = levels.of(cycle).collect();
                let has = |span: &&Span| span[0] <= cycle && cycle <= span[1];
                let mut expected: Vec<_> = spans.iter().filter(has).map(|span| span[2]).collect();
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "cycle {cycle}");
            }
        }
    }
}
