// SPDX-License-Identifier: MIT OR Apache-2.0
//! The results of the golden vectors, as data and as text.

use crate::cli::Backend;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};
use testbench::conform::CaseResult;

/// Number of failures of a suite that are printed.
const SHOWN: usize = 20;

/// The results of all suites.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The version of this layout.
    pub version: u32,
    /// Number of vectors that passed, summed over the suites.
    pub passed: usize,
    /// Number of vectors that failed.
    pub failed: usize,
    /// The part of these sums for stages that are built as configured.
    pub as_configured: Counts,
    /// One suite for each backend and file.
    pub suites: Vec<Suite>,
}

/// Numbers of vectors that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Number of vectors that passed.
    pub passed: usize,
    /// Number of vectors that failed.
    pub failed: usize,
}

impl Counts {
    /// Sums up suites.
    pub fn of<'a>(suites: impl IntoIterator<Item = &'a Suite>) -> Self {
        let sum = |counts: Self, suite: &Suite| Counts {
            passed: counts.passed + suite.passed,
            failed: counts.failed + suite.failed,
        };
        suites.into_iter().fold(Counts::default(), sum)
    }

    /// Number of all vectors.
    pub fn all(self) -> usize {
        self.passed + self.failed
    }
}

impl Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// The results of a vector file on a backend.
#[derive(Debug, Serialize)]
pub struct Suite {
    /// The name of the stage.
    pub name: String,
    /// Whether the stage is built as configured; otherwise it is built as the committed vectors ask for.
    pub as_configured: bool,
    /// The backend.
    pub backend: &'static str,
    /// Number of bits per beat, if the stage has beats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_width: Option<u64>,
    /// The parameters with which the stage was built, if the vectors have any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub configuration: BTreeMap<String, Setting>,
    /// Number of vectors that passed.
    pub passed: usize,
    /// Number of vectors that failed.
    pub failed: usize,
    /// The failures.
    pub failures: Vec<Problem>,
}

/// A vector that failed.
#[derive(Debug, Serialize)]
pub struct Problem {
    /// The id of the vector.
    pub id: String,
    /// The differences from the expectation, field by field.
    pub problems: Vec<String>,
}

/// The value of one of the parameters of a stage.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Setting {
    /// A number.
    Number(u64),
    /// A word.
    Word(String),
}

impl From<&str> for Setting {
    fn from(text: &str) -> Self {
        text.parse().map_or_else(|_| Setting::Word(text.to_owned()), Setting::Number)
    }
}

impl Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Number(number) => write!(f, "{number}"),
            Setting::Word(word) => f.write_str(word),
        }
    }
}

/// Prints parameters as `cccs 3, evs 16`.
pub fn parameters(configuration: &BTreeMap<String, impl Display>) -> String {
    let pairs: Vec<_> = configuration.iter().map(|(name, value)| format!("{name} {value}")).collect();
    pairs.join(", ")
}

impl Suite {
    /// How the stage was built: the width of its bus, its parameters.
    pub fn built(&self) -> String {
        let width = self.data_width.map(|width| format!("{width} bits"));
        let parameters = (!self.configuration.is_empty()).then(|| parameters(&self.configuration));
        width.into_iter().chain(parameters).collect::<Vec<_>>().join(", ")
    }

    /// Counts the results.
    pub(super) fn of(stage: &str, backend: Backend, results: Vec<CaseResult>) -> Self {
        let all = results.len();
        let failures: Vec<_> = results
            .into_iter()
            .filter(|result| !result.passed())
            .map(|result| Problem { id: result.id, problems: result.problems })
            .collect();
        Suite {
            name: stage.to_owned(),
            as_configured: false,
            backend: backend.name(),
            data_width: None,
            configuration: BTreeMap::new(),
            passed: all - failures.len(),
            failed: failures.len(),
            failures,
        }
    }
}

impl Report {
    /// Sums up the suites.
    pub fn of(suites: Vec<Suite>) -> Self {
        let Counts { passed, failed } = Counts::of(&suites);
        let as_configured = Counts::of(suites.iter().filter(|suite| suite.as_configured));
        Report { version: 1, passed, failed, as_configured, suites }
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for suite in &self.suites {
            for failure in suite.failures.iter().take(SHOWN) {
                for problem in &failure.problems {
                    let problem = match problem.contains(", expected ") {
                        true => problem.replacen(": ", ": got ", 1),
                        false => problem.clone(),
                    };
                    let _ = writeln!(text, "FAIL {} ({}): {problem}", failure.id, suite.backend);
                }
            }
            if suite.failed > SHOWN {
                let _ = writeln!(text, "and {} more; --json has all", suite.failed - SHOWN);
            }
            let Suite { name, backend, .. } = suite;
            let how = if suite.as_configured { " as configured" } else { "" };
            let built = suite.built();
            let _ = writeln!(text, "{name}{how}, {built}, {backend}: {}", Counts::of([suite]));
        }
        if self.as_configured.all() > 0 && self.as_configured.all() < self.passed + self.failed {
            let _ = writeln!(text, "as configured {}", self.as_configured);
        }
        if self.suites.len() > 1 {
            let _ = writeln!(text, "{} passed, {} failed", self.passed, self.failed);
        }
        text
    }
}
