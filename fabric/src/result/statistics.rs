// SPDX-License-Identifier: MIT OR Apache-2.0
//! Means over seeds, and how well they are known.

use serde::{Deserialize, Serialize};

/// A mean, and its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Student's *t* for 95 % on both sides, with 1 to 30 degrees of freedom.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The mean of independent values. Of one value nothing more is known.
#[must_use]
pub fn interval(values: &[f64]) -> Interval {
    let count = values.len() as f64;
    if values.is_empty() {
        return Interval::default();
    }
    let mean = values.iter().sum::<f64>() / count;
    if values.len() == 1 {
        return Interval { mean, low: mean, high: mean };
    }
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    let student = STUDENT.get(values.len() - 2).copied().unwrap_or(1.96);
    let half = student * deviation / count.sqrt();
    Interval { mean, low: mean - half, high: mean + half }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_student() {
        // Deviation 1, so the half is t / sqrt 3.
        let three = interval(&[1.0, 2.0, 3.0]);
        assert!((three.mean - 2.0).abs() < 1e-12 && (three.high - 2.0 - 4.303 / 3_f64.sqrt()).abs() < 1e-9);
        assert_eq!(interval(&[7.0]), Interval { mean: 7.0, low: 7.0, high: 7.0 });
        assert_eq!(interval(&[]), Interval::default());
    }
}
