// SPDX-License-Identifier: MIT OR Apache-2.0
//! ECN marking: never up to a low threshold, always above a high one, and with linear probability between them
//! (uet.md 1.13).

use super::headers::{CE, Headers};
use crate::device::random::Random;

/// The thresholds, in bytes that wait in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marking {
    /// Up to this depth nothing is marked.
    pub low: u64,
    /// Above this one everything is.
    pub high: u64,
}

impl Marking {
    /// The probability of a mark at this depth.
    pub fn probability(&self, depth: u64) -> f64 {
        match depth {
            depth if depth <= self.low => 0.0,
            depth if depth > self.high => 1.0,
            depth => (depth - self.low) as f64 / (self.high - self.low) as f64,
        }
    }

    /// Marks a frame that leaves a queue of this depth, if its sender takes notice of marks. Whether it did.
    pub fn mark(&self, depth: u64, frame: &mut [u8], random: &mut Random) -> bool {
        let Some(headers) = Headers::of(frame) else { return false };
        let marks = headers.is_ecn_capable(frame) && random.chance(self.probability(depth));
        if marks {
            headers.set_ecn(frame, CE);
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::super::headers::{ECT_0, NOT_ECT};
    use super::super::samples::data;
    use super::*;

    #[test]
    fn marks_have_the_probability_of_the_depth() {
        let marking = Marking { low: 30_000, high: 120_000 };
        let (sample, mut random) = (data(7, 100), Random::new(3));
        for (depth, share) in [(0, 0.0), (30_000, 0.0), (52_500, 0.25), (75_000, 0.5), (120_001, 1.0)] {
            let marks = (0..4000).filter(|_| marking.mark(depth, &mut sample.clone(), &mut random)).count();
            assert!((marks as f64 / 4000.0 - share).abs() < 0.03, "{marks} of 4000 at {depth}");
            assert!(share > 0.0 && share < 1.0 || marks as f64 == share * 4000.0);
        }
    }

    #[test]
    fn only_frames_with_ect_are_marked() {
        let (marking, mut random) = (Marking { low: 0, high: 1 }, Random::new(3));
        let mut frame = data(7, 100);
        let headers = Headers::of(&frame).expect("it is IP");
        assert_eq!(headers.ecn(&frame), ECT_0);
        assert!(marking.mark(9, &mut frame, &mut random));
        assert_eq!(headers.ecn(&frame), CE);
        headers.set_ecn(&mut frame, NOT_ECT);
        assert!(!marking.mark(9, &mut frame, &mut random));
        assert_eq!(headers.ecn(&frame), NOT_ECT);
    }
}
