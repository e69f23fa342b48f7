// SPDX-License-Identifier: MIT OR Apache-2.0
//! Interleaved weighted round robin, the rule by which `elab_scheduler` selects (row V4).

/// The result of a selection: number of the path, and the round in which it was selected.
pub type Draw = (u64, u64);

/// The selection that follows `before`, or the first one. `None` if no weight is above 0. The rest of the round is
/// searched first, then the next round, then round 0.
pub fn draw(weights: &[u64], before: Option<Draw>) -> Option<Draw> {
    let lowest = |from: u64, round: u64| {
        let above = (0..).zip(weights).skip_while(|&(path, _)| path < from);
        above.filter(|&(_, &weight)| weight > round).map(|(path, _)| (path, round)).next()
    };
    let rest = before.and_then(|(path, round)| lowest(path + 1, round).or_else(|| lowest(0, round + 1)));
    rest.or_else(|| lowest(0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_of_4_1_and_2() {
        let mut before = None;
        let draws: Vec<_> = (0..8)
            .filter_map(|_| {
                before = draw(&[4, 0, 1, 2], before);
                before
            })
            .collect();
        assert_eq!(draws, [(0, 0), (2, 0), (3, 0), (0, 1), (3, 1), (0, 2), (0, 3), (0, 0)]);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!([None, Some((1, 3))].map(|before| draw(&[0, 0], before)), [None, None]);
    }
}
