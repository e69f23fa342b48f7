// SPDX-License-Identifier: MIT OR Apache-2.0
//! Weighted round robin in numbered rounds (section Selection of `docs/stages/path_scheduler.md`).

/// A sub-path as a request sees it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choice {
    /// Its weight; 0 if it is not active.
    pub weight: u64,
    /// Whether it may be selected (T22).
    pub usable: bool,
}

/// The sets and the round of a QP after a selection.
#[derive(Clone, Debug)]
pub struct Selection {
    due: Vec<u64>,
    next: Vec<u64>,
    round: u64,
}

/// The sub-paths of a round: those in whose weight the bit of this round is set.
fn set(choices: &[Choice], round: u64) -> Vec<u64> {
    let weights = choices.iter().filter(|choice| choice.usable).map(|choice| choice.weight);
    let top = weights.max().map_or(0, |most| most.ilog2());
    match top.checked_sub(round.trailing_zeros()) {
        Some(bit) if round != 0 => {
            let numbered = (0..).zip(choices);
            numbered.filter(|(_, choice)| choice.weight >> bit & 1 == 1).map(|(path, _)| path).collect()
        }
        _ => Vec::new(),
    }
}

/// The lowest usable sub-path of a set, and the set without it.
fn lowest(choices: &[Choice], set: Vec<u64>) -> Option<(u64, Vec<u64>)> {
    let first = *set.iter().find(|&&path| choices[path as usize].usable)?;
    Some((first, set.into_iter().filter(|&path| path != first).collect()))
}

impl Selection {
    /// The next sub-path, and what is left after it; `None` if no sub-path is usable. `before` is what an earlier
    /// selection left. Without it the rounds begin with 1. Rounds are numbered modulo `rounds`.
    pub fn next(before: Option<&Selection>, choices: &[Choice], rounds: u64) -> Option<(u64, Selection)> {
        choices.iter().find(|choice| choice.usable)?;
        let begin = |round: u64, set: Vec<u64>, following: Vec<u64>| {
            let (path, due) = lowest(choices, set)?;
            Some((path, Selection { due, next: following, round }))
        };
        let of = |round: u64| set(choices, round % rounds);
        let Some(Selection { due, next, round }) = before else {
            return begin(1, of(1), of(2));
        };
        let following = round + 1;
        let odd = (following | 1) % rounds;
        begin(*round, due.clone(), next.clone())
            .or_else(|| begin(following % rounds, next.clone(), of(following + 1)))
            .or_else(|| begin(odd, of(odd), of(odd + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number of selections with constant weights of 3 bits, all sub-paths usable.
    fn selections(weights: &[u64], count: usize) -> Vec<u64> {
        let choices: Vec<_> = weights.iter().map(|&weight| Choice { weight, usable: weight > 0 }).collect();
        let mut before = None;
        let mut paths = Vec::new();
        while let Some((path, after)) = Selection::next(before.as_ref(), &choices, 8).filter(|_| paths.len() < count) {
            paths.push(path);
            before = Some(after);
        }
        paths
    }

    /// Weights 4, 0, 1 and 2: rounds 1, 3, 5 and 7 have sub-path 0, rounds 2 and 6 sub-path 3, and round 4 sub-path 2.
    #[test]
    fn rounds_of_4_1_and_2() {
        assert_eq!(selections(&[4, 0, 1, 2], 9), [0, 3, 0, 2, 0, 3, 0, 0, 3]);
    }

    #[test]
    fn equal_ones_take_turns() {
        assert_eq!(selections(&[5, 5, 0, 5], 7), [0, 1, 3, 0, 1, 3, 0]);
        assert_eq!(selections(&[1, 1], 5), [0, 1, 0, 1, 0]);
    }

    #[test]
    fn nothing_is_selected_of_nothing() {
        assert!(selections(&[0, 0], 3).is_empty());
    }
}
