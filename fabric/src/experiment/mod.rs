// SPDX-License-Identifier: MIT OR Apache-2.0
//! Experiments: files that say which network, which end points and which messages, and which figures are known of them.

mod network;
mod plan;
mod problem;
mod run;
pub mod settings;
mod values;
mod workload;

pub use plan::{Plan, Workload};
pub use problem::Problem;
pub use run::{FlowResult, Run, run};

use settings::{Case, Expect, Settings};
use std::path::Path;
use toml::Table;

/// An experiment that has been read.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The keys as they are in effect, without those of cases.
    pub settings: Settings,
    /// The same as a text.
    pub text: String,
    /// Its cases; one without a name if the file has none.
    pub cases: Vec<Plan>,
    /// Figures that are known.
    pub expect: Vec<Expect>,
}

/// The figures of a run that can be expected.
pub const FIGURES: [&str; 12] = [
    "largest", "mean", "p99", "p999", "delivered", "goodput", "data packets", "retransmissions", "marked", "trimmed", "dropped",
    "inferred losses",
];

/// Reads a text as TOML with the keys of an experiment.
fn parse(text: &str) -> Result<Settings, Problem> {
    toml::from_str(text).map_err(|error| {
        let help = "mpnic fabric list names the experiments that come with it, and each shows its keys";
        Problem { span: error.span(), ..Problem::new(error.message().trim_end(), help) }
    })
}

impl Experiment {
    /// Reads an experiment. `set` has values for keys, as in `transport.selection=reps`. Other files are looked for in `folder`.
    ///
    /// # Errors
    /// Something is wrong, and it says what, where, and what helps.
    pub fn read(text: &str, set: &[String], folder: &Path) -> Result<Self, Problem> {
        // What is wrong in the file is shown there, before anything is set.
        let settings = parse(text)?;
        check_names(&settings)?;
        let mut table: Table = toml::from_str(text).map_err(|error| Problem::new(error.message(), "it was TOML before"))?;
        let mut cases = Vec::new();
        if set.is_empty() {
            // Each place of the file is still where it was.
            Plan::of(String::new(), &settings, folder)?;
        }
        for set in set {
            let (path, value) = set.split_once('=').ok_or_else(|| {
                Problem::new(format!("`{set}` sets nothing"), "write it as transport.selection=reps")
            })?;
            values::put(&mut table, path.trim(), values::read(value.trim()))?;
        }
        let text = values::text(&table)?;
        let base = parse(&text).map_err(|problem| Problem { span: None, ..problem })?;
        for case in &settings.case {
            cases.push(of_case(&table, case, folder)?);
        }
        if cases.is_empty() {
            let plan = Plan::of(String::new(), &base, folder).map_err(|problem| Problem { span: None, ..problem })?;
            cases.push(plan);
        }
        Ok(Experiment { expect: base.expect.clone(), settings: base, text, cases })
    }
}

/// A case: its values in place of those of the file.
fn of_case(table: &Table, case: &Case, folder: &Path) -> Result<Plan, Problem> {
    let mut table = table.clone();
    let here = |problem: Problem| {
        let message = format!("case `{}`: {}", case.name.get_ref(), problem.message);
        Problem { message, span: Some(case.name.span()), help: problem.help }
    };
    for (path, value) in &case.set {
        values::put(&mut table, path, value.get_ref().clone())
            .map_err(|problem| Problem { span: Some(value.span()), ..problem })?;
    }
    let settings = parse(&values::text(&table)?).map_err(here)?;
    Plan::of(case.name.get_ref().clone(), &settings, folder).map_err(here)
}

/// Names of cases and figures.
fn check_names(settings: &Settings) -> Result<(), Problem> {
    let names: Vec<_> = settings.case.iter().map(|case| case.name.get_ref().as_str()).collect();
    for (at, case) in settings.case.iter().enumerate() {
        let name = case.name.get_ref();
        if names[..at].contains(&name.as_str()) {
            return Err(Problem::at(&case.name, format!("the case `{name}` is there twice"), "give it another name"));
        }
    }
    for expect in &settings.expect {
        let figure = expect.figure.get_ref();
        if !FIGURES.contains(&figure.as_str()) {
            let help = format!("the figures are {}", FIGURES.join(", "));
            return Err(Problem::at(&expect.figure, format!("no figure is called `{figure}`"), help));
        }
        for case in expect.case.iter().chain(&expect.than) {
            if !names.contains(&case.get_ref().as_str()) {
                let help = format!("the cases are {}", names.join(", "));
                return Err(Problem::at(case, format!("no case is called `{}`", case.get_ref()), help));
            }
        }
        if expect.case.is_none() && !names.is_empty() {
            return Err(Problem::at(&expect.figure, "the case is missing", format!("the cases are {}", names.join(", "))));
        }
        if let Some(bound) = &expect.bound
            && !["about", "most", "least"].contains(&bound.get_ref().as_str())
        {
            return Err(Problem::at(bound, format!("no bound is called `{}`", bound.get_ref()), "use about, most or least"));
        }
    }
    Ok(())
}
