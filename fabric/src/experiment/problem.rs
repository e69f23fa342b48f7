// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wrong with an experiment, where, and what helps.

use std::fmt::{self, Display};
use std::ops::Range;
use toml::Spanned;

/// A mistake in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// The bytes of the text at which it is, if it is at one place.
    pub span: Option<Range<usize>>,
    /// What to do.
    pub help: String,
}

impl Problem {
    /// At no place.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Problem { message: message.into(), span: None, help: help.into() }
    }

    /// At the place of a value.
    pub fn at<T>(value: &Spanned<T>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Problem { span: Some(value.span()), ..Problem::new(message, help) }
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.help)
    }
}

impl std::error::Error for Problem {}
