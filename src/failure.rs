// SPDX-License-Identifier: MIT OR Apache-2.0
//! Failures of a command, and their exit statuses.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::fmt::{self, Display};
use std::io;
use std::ops::Range;
use std::path::Path;

/// The reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// A check failed: exit status 1. The failed checks have been printed already.
    Check,
    /// A mistake in the use of the command, or a missing or broken file or program: exit status 2.
    Usage(Box<Mistake>),
    /// A defect of the tool or of a stage, about which the user can do nothing: exit status 70, which is `EX_SOFTWARE`
    /// of `sysexits.h`.
    Defect(String),
    /// The reader of the output has closed it, which is no error.
    BrokenPipe,
}

/// A message, and how to solve the problem.
#[derive(Debug)]
pub struct Mistake {
    /// The problem.
    pub message: String,
    /// Its place in a configuration, if there is one.
    pub place: Option<Place>,
    /// A suggestion how to solve it.
    pub help: Option<String>,
}

/// A wrong place in a configuration.
#[derive(Debug)]
pub struct Place {
    /// The file name of the configuration.
    pub name: String,
    /// The text of the configuration.
    pub text: String,
    /// The range of bytes in the text.
    pub span: Range<usize>,
    /// The problem at this place.
    pub label: String,
}

/// The text for standard error. A place is in colour, which a stream that is no terminal must remove.
impl Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Place { name, text, span, label }) = &self.place else {
            write!(f, "mpnic: {}", self.message)?;
            return self.help.iter().try_for_each(|help| write!(f, "\n  help: {help}"));
        };
        let place = AnnotationKind::Primary.span(span.clone()).label(label);
        let said = Level::ERROR.primary_title(&self.message);
        let said = said.element(Snippet::source(text).path(name).annotation(place));
        let said = said.elements(self.help.iter().map(|help| Level::HELP.message(help)));
        f.write_str(&Renderer::styled().decor_style(DecorStyle::Unicode).render(&[said]))
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Check => f.write_str("mpnic: a check failed"),
            Failure::Usage(mistake) => mistake.fmt(f),
            Failure::Defect(what) => write!(
                f,
                "mpnic: this is a defect of mpnic or of one of its stages, not of what it was given:\n{}\n  \
                 help: report it, with the command and what --print-config says",
                what.trim_end()
            ),
            Failure::BrokenPipe => f.write_str("mpnic: the reader has gone away"),
        }
    }
}

impl std::error::Error for Failure {}

impl Failure {
    /// The exit status of the command.
    pub fn status(&self) -> u8 {
        match self {
            Failure::BrokenPipe => 0,
            Failure::Check => 1,
            Failure::Usage(_) => 2,
            Failure::Defect(_) => 70,
        }
    }

    /// Makes the failure for a defect of the tool or of a stage.
    pub(crate) fn defect(what: impl ToString) -> Self {
        Failure::Defect(what.to_string())
    }

    /// Converts a failure that no input of the user can have caused to a defect.
    pub(crate) fn ours(self) -> Self {
        match self {
            Failure::Usage(mistake) => Failure::Defect(mistake.message),
            other => other,
        }
    }

    /// Makes a failure from one line.
    pub fn message(message: impl ToString) -> Self {
        Failure::Usage(Box::new(Mistake { message: message.to_string(), place: None, help: None }))
    }

    /// Makes a failure from one line and a suggestion.
    pub fn with_help(message: impl ToString, help: impl ToString) -> Self {
        Failure::Usage(Box::new(Mistake { message: message.to_string(), place: None, help: Some(help.to_string()) }))
    }

    /// Makes a failure for a file that could not be read or written.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |error| Failure::message(format!("{path}: {error}"))
    }
}

impl From<testbench::Error> for Failure {
    fn from(error: testbench::Error) -> Self {
        match error {
            testbench::Error::Design(_) | testbench::Error::Mismatch(_) => Failure::defect(error),
            _ => Failure::message(error),
        }
    }
}

impl From<golden_vectors::VectorError> for Failure {
    fn from(error: golden_vectors::VectorError) -> Self {
        Failure::message(error)
    }
}

/// The result of a command.
pub type Outcome<T = ()> = Result<T, Failure>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::stages::{StageName, verilog};
    use hdl::Header;

    /// Errors of a stage are no mistakes on the command line.
    fn is_defect(failure: &Failure, about: &str) {
        let said = failure.to_string();
        assert!(matches!(failure, Failure::Defect(_)) && failure.status() == 70, "{said}");
        assert!(said.starts_with("mpnic: this is a defect of mpnic or of one of its stages, not of what"), "{said}");
        assert!(said.contains(about) && said.contains("\n  help: report it"), "{said}");
    }

    #[test]
    fn a_stage_that_does_not_elaborate_is_a_defect() {
        // No file can have this value: the amount does not fit the counter.
        let mut config = Config::default();
        (config.tally.width, config.tally.amount_width) = (8, 16);
        is_defect(&StageName::Tally.circuit(&config).expect_err("it is broken"), "WIDTH MISMATCH");
        is_defect(&StageName::Tally.latency(&config).expect_err("it is broken"), "WIDTH MISMATCH");
    }

    #[test]
    fn a_netlist_that_cannot_be_printed_is_a_defect() {
        let mut circuit = StageName::Tally.circuit(&Config::default()).expect("it elaborates");
        circuit.rename("module");
        is_defect(&verilog(&circuit, &Header::default()).expect_err("a reserved word"), "RESERVED WORD");
    }

    #[test]
    fn what_is_missing_is_no_defect() {
        let missing = testbench::Error::MissingTool {
            tool: "verilator".to_owned(),
            package: "verilator",
            cause: "not found".to_owned(),
            hint: "",
        };
        assert_eq!(Failure::from(missing).status(), 2);
        assert_eq!((Failure::Check.status(), Failure::BrokenPipe.status()), (1, 0));
        assert_eq!(Config::parse("nic.toml", "x = 1").map_err(|failure| failure.status()).err(), Some(2));
    }
}
