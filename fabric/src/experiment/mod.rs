// SPDX-License-Identifier: MIT OR Apache-2.0
//! Experiments: files that say which network, which end points and which messages, and which figures are known of them.

mod dragonfly;
mod network;
mod plan;
mod problem;
mod run;
pub mod settings;
mod values;
mod workload;

pub use plan::{Events, Plan, Planned, Workload};
pub use problem::Problem;
pub use run::{FlowResult, Run, Series, run};

use settings::{About, Case, Expect, File};
use std::ops::Range;
use std::path::Path;
use toml::{Spanned, Table, Value};

/// An experiment that has been read.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What it is.
    pub about: About,
    /// The same as a text.
    pub text: String,
    /// Its cases; one without a name if the file has none.
    pub cases: Vec<Plan>,
    /// Figures that are known.
    pub expect: Vec<Expect>,
}

/// The figures of a run that can be expected.
pub const FIGURES: [&str; 13] = [
    "largest",
    "mean",
    "p99",
    "p999",
    "delivered",
    "end",
    "goodput",
    "data packets",
    "retransmissions",
    "marked",
    "trimmed",
    "dropped",
    "inferred losses",
];

/// Reads a text as TOML with the keys of an experiment.
fn parse(text: &str) -> Result<File, Problem> {
    File::read(text).map_err(|error| {
        let help = "mpnic fabric list names the experiments that come with it, and each shows its keys";
        Problem { span: error.span(), ..Problem::new(error.message().trim_end(), help) }
    })
}

impl Experiment {
    /// Reads an experiment. `set` has values for keys, as in `transport.paths=64`; with others than those of `[experiment]` nothing is
    /// expected any more. Other files are looked for in `folder`.
    ///
    /// # Errors
    /// Something is wrong, and it says what, where, and what helps.
    pub fn read(text: &str, set: &[String], folder: &Path) -> Result<Self, Problem> {
        // What is wrong in the file is shown there, before anything is set.
        let settings = parse(text)?;
        let variants = variants(&settings)?;
        check_names(&settings, &variants)?;
        // Each place of the file is still where it was.
        Plan::of(String::new(), &settings, folder)?;
        let mut table: Table =
            toml::from_str(text).map_err(|error| Problem::new(error.message(), "it was TOML before"))?;
        for set in set {
            let (path, value) = set
                .split_once('=')
                .ok_or_else(|| Problem::new(format!("`{set}` sets nothing"), "write it as transport.selection=reps"))?;
            let path = path.trim();
            if variants.iter().any(|variant| variant.sets.iter().any(|(name, _)| name == path)) {
                let help = "change it there, in a copy of the file: mpnic fabric list NAME prints one";
                return Err(Problem::new(format!("the cases of the file set `{path}`"), help));
            }
            values::put(&mut table, path, values::read(value.trim()))?;
        }
        let text = values::text(&table)?;
        let nowhere = |problem: Problem| Problem { span: None, ..problem };
        let base = parse(&text).map_err(nowhere)?;
        Plan::of(String::new(), &base, folder).map_err(nowhere)?;
        let mut cases = Vec::new();
        for variant in variants {
            cases.push(of_variant(&table, variant, folder)?);
        }
        // Of another network nothing is known.
        let same = set.iter().all(|set| set.trim_start().starts_with("experiment."));
        let expect = if same { base.expect().to_vec() } else { Vec::new() };
        Ok(Experiment { about: base.about().clone(), expect, text, cases })
    }

    /// All runs of it, each as the number of its case, and its seed.
    #[must_use]
    pub fn tasks(&self) -> Vec<(usize, u64)> {
        let about = &self.about;
        let seeds = about.seed..about.seed.saturating_add(*about.seeds.get_ref());
        (0..self.cases.len()).flat_map(|case| seeds.clone().map(move |seed| (case, seed))).collect()
    }
}

/// A case, or one combination of a sweep: its name, the place of it in the file, and its values.
#[derive(Clone, Debug, Default)]
struct Variant {
    name: String,
    span: Option<Range<usize>>,
    sets: Vec<(String, Spanned<Value>)>,
}

/// All cases, each with all combinations of the sweep.
fn variants(settings: &File) -> Result<Vec<Variant>, Problem> {
    let of_case = |case: &Case| Variant {
        name: case.name.get_ref().clone(),
        span: Some(case.name.span()),
        sets: case.set.iter().map(|(path, value)| (path.clone(), value.clone())).collect(),
    };
    let mut variants: Vec<_> = settings.cases().iter().map(of_case).collect();
    if variants.is_empty() {
        variants.push(Variant::default());
    }
    for (path, list) in settings.sweep() {
        if list.is_empty() {
            return Err(Problem::new(format!("the sweep has no value for `{path}`"), "write a list of values"));
        }
        let with = |variant: &Variant, value: &Spanned<Value>| {
            let gap = if variant.name.is_empty() { "" } else { "; " };
            let mut more = variant.clone();
            more.name = format!("{}{gap}{path}={}", variant.name, value.get_ref());
            more.span = Some(value.span());
            more.sets.push((path.clone(), value.clone()));
            more
        };
        variants = variants.iter().flat_map(|variant| list.iter().map(move |value| with(variant, value))).collect();
    }
    Ok(variants)
}

/// A case: its values in place of those of the file.
fn of_variant(table: &Table, variant: Variant, folder: &Path) -> Result<Plan, Problem> {
    let mut table = table.clone();
    let Variant { name, span, sets } = variant;
    let here = |problem: Problem| {
        let message = if name.is_empty() { problem.message } else { format!("case `{name}`: {}", problem.message) };
        Problem { message, span: span.clone(), help: problem.help }
    };
    for (path, value) in &sets {
        values::put(&mut table, path, value.get_ref().clone())
            .map_err(|problem| Problem { span: Some(value.span()), ..problem })?;
    }
    let settings = parse(&values::text(&table)?).map_err(here)?;
    Plan::of(name.clone(), &settings, folder).map_err(here)
}

/// Names of cases and figures.
fn check_names(settings: &File, variants: &[Variant]) -> Result<(), Problem> {
    let cases = settings.cases();
    for (at, case) in cases.iter().enumerate() {
        let name = case.name.get_ref();
        if cases[..at].iter().any(|before| before.name.get_ref() == name) {
            return Err(Problem::at(&case.name, format!("the case `{name}` is there twice"), "give it another name"));
        }
    }
    let figures = match settings {
        File::Events(_) => FIGURES.to_vec(),
        File::Dragonfly(_) => dragonfly::FIGURES.into_iter().chain([dragonfly::SETTLED]).collect(),
    };
    let names: Vec<_> = variants.iter().map(|variant| variant.name.as_str()).filter(|name| !name.is_empty()).collect();
    for expect in settings.expect() {
        let figure = expect.figure.get_ref();
        if !figures.contains(&figure.as_str()) {
            let help = format!("the figures are {}", figures.join(", "));
            return Err(Problem::at(&expect.figure, format!("no figure is called `{figure}`"), help));
        }
        for case in expect.case.iter().chain(&expect.than) {
            if !names.contains(&case.get_ref().as_str()) {
                let help = format!("the cases are {}", names.join(", "));
                return Err(Problem::at(case, format!("no case is called `{}`", case.get_ref()), help));
            }
        }
        if expect.case.is_none() && !names.is_empty() {
            return Err(Problem::at(
                &expect.figure,
                "the case is missing",
                format!("the cases are {}", names.join(", ")),
            ));
        }
        if let Some(bound) = &expect.bound
            && !["about", "most", "least"].contains(&bound.get_ref().as_str())
        {
            return Err(Problem::at(
                bound,
                format!("no bound is called `{}`", bound.get_ref()),
                "use about, most or least",
            ));
        }
    }
    Ok(())
}
