// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames per second over all frame lengths, for a drawing.

use crate::budget::{LONGEST, Rate, RatePoint, SHORTEST};

/// Over all frame lengths. Between two points a straight line is right to less than what a drawing shows: both sides of
/// the step between two numbers of beats are points, unless the steps lie closer than 1/2 %.
pub fn curve(rate: &Rate) -> Vec<RatePoint> {
    let beat = rate.data_width / 8;
    let mut frames = vec![SHORTEST, LONGEST, rate.worst_frame];
    let mut last = 0;
    for full in (1..).map(|beats| beats * beat).take_while(|&full| full < LONGEST).filter(|&full| full >= SHORTEST) {
        if full * 200 >= last * 201 {
            frames.extend([full, full + 1]);
            last = full;
        }
    }
    frames.sort_unstable();
    frames.dedup();
    frames.into_iter().map(|frame| rate.at(frame)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::config::Config;
    use crate::stages::StageName;

    fn rate(data_width: u64) -> Rate {
        let config = Config { data_width, ..Config::default() };
        Budget::of(StageName::HeaderParserCore, &config).ok().and_then(|budget| budget.rate).expect("it has frames")
    }

    #[test]
    fn the_budget_says_the_same_of_the_worst_frame() {
        for width in [64, 512] {
            let rate = rate(width);
            for points in [&rate.points, &curve(&rate)] {
                let worst = points.iter().find(|point| point.frame == rate.worst_frame).expect("it is in the list");
                assert!((worst.mframes - rate.mframes).abs() < 1e-9, "{worst:?}");
                assert!((worst.link_mframes - rate.link_mframes).abs() < 1e-9, "{worst:?}");
            }
        }
    }

    #[test]
    fn the_curve_has_every_step_of_a_wide_bus() {
        let points = curve(&rate(512));
        assert!(points.is_sorted_by(|a, b| a.frame < b.frame));
        assert_eq!((points[0].frame, points[points.len() - 1].frame), (60, 9018));
        for step in [64, 65, 128, 129, 1024, 1025] {
            assert!(points.iter().any(|point| point.frame == step), "{step}");
        }
    }
}
