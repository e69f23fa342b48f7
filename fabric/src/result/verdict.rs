// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures against those that are known.

use super::{CaseResult, Interval, interval};
use crate::experiment::settings::Expect;
use serde::{Deserialize, Serialize};

/// A figure, and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The case.
    pub case: String,
    /// The figure, and the case to which it is relative.
    pub figure: String,
    /// What is known.
    pub value: f64,
    /// `about`, `most` or `least`.
    pub bound: String,
    /// How far ours may be from it, in percent.
    pub tolerance: f64,
    /// Where it is from.
    pub source: String,
    /// Ours.
    pub ours: Interval,
    /// How far ours is above it, in percent.
    pub difference: f64,
    /// It is where it is expected.
    pub holds: bool,
    /// Why it is another one.
    pub note: Option<String>,
}

/// What an expected figure is in these results; `None` if no run of the case has ended.
#[must_use]
pub fn check(expect: &Expect, source: &str, cases: &[CaseResult]) -> Option<Check> {
    let name = expect.case.as_ref().map_or("", |case| case.get_ref().as_str());
    let figure = expect.figure.get_ref();
    // With a sweep there are many cases of one name, and nothing is known of all of them.
    let case = cases.iter().find(|case| case.name == name && !case.runs.is_empty())?;
    let (ours, figure) = match &expect.than {
        None => (*case.figures.get(figure)?, figure.clone()),
        Some(other) => {
            let other = cases.iter().find(|case| case.name == *other.get_ref())?;
            // Runs of one seed have the same hashes, so they are compared with one another.
            let pairs = case.runs.iter().filter_map(|run| {
                let twin = other.runs.iter().find(|twin| twin.seed == run.seed)?;
                Some(run.figures.get(figure)? / twin.figures.get(figure)?)
            });
            let pairs: Vec<_> = pairs.collect();
            if pairs.is_empty() {
                return None;
            }
            (interval(&pairs), format!("{figure}, relative to {}", other.name))
        }
    };
    let bound = expect.bound.as_ref().map_or("about", |bound| bound.get_ref().as_str());
    let difference = if expect.value == 0.0 { 0.0 } else { 100.0 * (ours.mean / expect.value - 1.0) };
    let holds = match bound {
        "most" => difference <= expect.tolerance,
        "least" => difference >= -expect.tolerance,
        _ => difference.abs() <= expect.tolerance,
    };
    Some(Check {
        case: name.to_owned(),
        figure,
        value: expect.value,
        bound: bound.to_owned(),
        tolerance: expect.tolerance,
        source: expect.source.clone().unwrap_or_else(|| source.to_owned()),
        ours,
        difference,
        holds,
        note: expect.note.clone(),
    })
}
