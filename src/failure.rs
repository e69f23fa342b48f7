// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why the command did not succeed, and with which exit status it says so.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::fmt::{self, Display};
use std::io;
use std::ops::Range;
use std::path::Path;

/// A command that did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// A check failed: exit status 1. What failed has been printed already.
    Check,
    /// Used wrongly, or something around us is missing or broken: exit status 2.
    Usage(Box<Mistake>),
    /// The reader of our output has gone away, which is its right.
    BrokenPipe,
}

/// A message, and what to do about it.
#[derive(Debug)]
pub struct Mistake {
    /// What is wrong.
    pub message: String,
    /// Where, if it is in a text.
    pub place: Option<Place>,
    /// The way out.
    pub help: Option<String>,
}

/// A place in a configuration that is wrong.
#[derive(Debug)]
pub struct Place {
    /// The file of the configuration.
    pub name: String,
    /// The configuration.
    pub text: String,
    /// The place.
    pub span: Range<usize>,
    /// What is wrong with the place.
    pub label: String,
}

/// As it is written to standard error; a place in colour, which a stream that is no terminal has to leave out.
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

impl Failure {
    /// One line.
    pub fn message(message: impl ToString) -> Self {
        Failure::Usage(Box::new(Mistake { message: message.to_string(), place: None, help: None }))
    }

    /// One line and the way out.
    pub fn with_help(message: impl ToString, help: impl ToString) -> Self {
        Failure::Usage(Box::new(Mistake { message: message.to_string(), place: None, help: Some(help.to_string()) }))
    }

    /// A file that could not be read or written.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |error| Failure::message(format!("{path}: {error}"))
    }
}

impl From<testbench::Error> for Failure {
    fn from(error: testbench::Error) -> Self {
        Failure::message(error)
    }
}

impl From<golden_vectors::VectorError> for Failure {
    fn from(error: golden_vectors::VectorError) -> Self {
        Failure::message(error)
    }
}

/// The result of a command.
pub type Outcome<T = ()> = Result<T, Failure>;
