// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames and events a second: at the usual frame lengths, over all of them, and for stages without frames.

use crate::budget::Rate;
use crate::config::Target;
use serde::Serialize;

/// The shortest frame, without FCS.
pub const SHORTEST: u64 = 60;
/// The longest: a jumbo frame.
pub const LONGEST: u64 = 9018;
/// Bytes on the wire besides the frame: preamble 8, FCS 4, gap 12.
const OVERHEAD: u64 = 24;

/// Frames a second at one length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Bytes, without FCS.
    pub frame: u64,
    /// What all pipelines take, in millions a second.
    pub mframes: f64,
    /// What the link brings.
    pub link_mframes: f64,
}

/// Events a second of a stage that takes one in every clock.
#[derive(Debug, Serialize)]
pub struct Events {
    /// What all pipelines take, in millions a second.
    pub mevents: f64,
    /// The most frames that the link brings, in millions a second.
    pub link_mframes: f64,
}

impl Events {
    /// At the clock of the target.
    pub fn of(target: &Target) -> Self {
        let mevents = target.clock_mhz * target.pipelines as f64;
        Events { mevents, link_mframes: link_mframes(target.link_gbps, SHORTEST) }
    }
}

/// At the usual frame lengths, and the worst.
pub fn usual(rate: &Rate) -> Vec<Point> {
    let mut frames = vec![SHORTEST, 128, 256, 512, 1024, 1514, 4096, LONGEST, rate.worst_frame];
    frames.sort_unstable();
    frames.dedup();
    frames.into_iter().map(|frame| point(rate, frame)).collect()
}

/// Over all frame lengths. Between two points a straight line is right to less than what a drawing shows: both sides of
/// the step between two numbers of beats are points, unless the steps lie closer than 1/2 %.
pub fn curve(rate: &Rate) -> Vec<Point> {
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
    frames.into_iter().map(|frame| point(rate, frame)).collect()
}

fn point(rate: &Rate, frame: u64) -> Point {
    let beats = frame.div_ceil(rate.data_width / 8) as f64;
    let mframes = rate.clock_mhz * rate.pipelines as f64 / beats;
    Point { frame, mframes, link_mframes: link_mframes(rate.link_gbps, frame) }
}

/// Frames of a length that the link brings, in millions a second.
fn link_mframes(link_gbps: f64, frame: u64) -> f64 {
    link_gbps * 1e3 / ((frame + OVERHEAD) * 8) as f64
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
            for points in [usual(&rate), curve(&rate)] {
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

    /// 148.8 million frames a second at 100 Gb/s, as everybody knows.
    #[test]
    fn the_shortest_frames_of_a_link() {
        assert!((Events::of(&Config::default().target).link_mframes - 148.81).abs() < 0.01);
    }
}
