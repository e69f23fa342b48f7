// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why the command did not succeed, and with which exit status it says so.

use miette::{Diagnostic, NamedSource, SourceSpan};
use std::io;
use std::path::Path;
use thiserror::Error;

/// A command that did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// A check failed: exit status 1. What failed has been printed already.
    Check,
    /// Used wrongly, or something around us is missing or broken: exit status 2.
    Usage(Box<dyn Diagnostic + Send + Sync>),
    /// The reader of our output has gone away, which is its right.
    BrokenPipe,
}

/// A message, and what to do about it.
#[derive(Debug, Error, Diagnostic)]
#[error("{message}")]
struct Plain {
    message: String,
    #[help]
    help: Option<String>,
}

/// A place in a configuration that is wrong.
#[derive(Debug, Error, Diagnostic)]
#[error("{message}")]
pub struct InText {
    /// What is wrong.
    pub message: String,
    /// The configuration.
    #[source_code]
    pub text: NamedSource<String>,
    /// The place.
    #[label("{label}")]
    pub span: SourceSpan,
    /// What is wrong with the place.
    pub label: String,
    /// What is allowed.
    #[help]
    pub help: Option<String>,
}

impl Failure {
    /// One line.
    pub fn message(message: impl ToString) -> Self {
        Failure::Usage(Box::new(Plain { message: message.to_string(), help: None }))
    }

    /// One line and the way out.
    pub fn with_help(message: impl ToString, help: impl ToString) -> Self {
        Failure::Usage(Box::new(Plain { message: message.to_string(), help: Some(help.to_string()) }))
    }

    /// A file that could not be read or written.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |error| Failure::message(format!("{path}: {error}"))
    }
}

impl From<InText> for Failure {
    fn from(error: InText) -> Self {
        Failure::Usage(Box::new(error))
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
