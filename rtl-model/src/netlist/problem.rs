// SPDX-License-Identifier: MIT OR Apache-2.0
//! The problems that a stage can have. They are collected and reported together, with the Rust lines.

use super::circuit::Site;
use std::fmt;

/// The kinds of problem; their texts are fixed, so that they can be searched for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Title {
    /// Operands, an assignment, a literal or a slice of the wrong width.
    WidthMismatch,
    /// Values of two steps of one pipeline, or one that enters a step which is not the next.
    StepMismatch,
    /// A register, memory or child is read after it was assigned or clocked.
    ReadAfterAssign,
    /// A register that is read, a memory or a child that nothing drives.
    NoDriver,
    /// A memory or child that is clocked twice, or under a condition.
    MultipleDrivers,
    /// A value that depends on itself within one clock cycle.
    CombinationalLoop,
    /// A variable that is used beyond one clock cycle.
    VariableInState,
    /// Two items of one module with the same name.
    NameClash,
    /// A name that Verilog does not allow.
    ReservedWord,
    /// An input port that is never read.
    UnusedInput,
    /// A net of one module used in another.
    ForeignNet,
    /// A `switch` with the same value twice.
    DuplicateCase,
    /// A valid or a ready that no handshake can be made of.
    Handshake,
    /// A register that is made with a reset, of a record that marks no field for it.
    NothingReset,
}

impl fmt::Display for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Title::WidthMismatch => "WIDTH MISMATCH",
            Title::StepMismatch => "STEP MISMATCH",
            Title::ReadAfterAssign => "READ AFTER ASSIGN",
            Title::NoDriver => "NO DRIVER",
            Title::MultipleDrivers => "MULTIPLE DRIVERS",
            Title::CombinationalLoop => "COMBINATIONAL LOOP",
            Title::VariableInState => "VARIABLE IN STATE",
            Title::NameClash => "NAME CLASH",
            Title::ReservedWord => "RESERVED WORD",
            Title::UnusedInput => "UNUSED INPUT",
            Title::ForeignNet => "FOREIGN NET",
            Title::DuplicateCase => "DUPLICATE CASE",
            Title::Handshake => "HANDSHAKE",
            Title::NothingReset => "NOTHING RESET",
        })
    }
}

/// One problem of a design.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// Title of the check that failed, such as WIDTH MISMATCH.
    pub title: Title,
    /// The module it is in.
    pub module: String,
    /// Description of the problem.
    pub text: String,
    /// How to correct it.
    pub help: &'static str,
    /// The Rust lines, each with what happens there.
    pub sites: Vec<(&'static str, Site)>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}: {}", self.title, self.module, self.text)?;
        for (what, site) in &self.sites {
            write!(f, "\n  {what} at {}:{}:{}", site.file(), site.line(), site.column())?;
        }
        write!(f, "\n  help: {}", self.help)
    }
}

/// The problems found so far in one module.
pub(super) struct Problems {
    module: String,
    list: Vec<Problem>,
}

impl Problems {
    pub fn of(module: &str) -> Self {
        Problems { module: module.to_owned(), list: Vec::new() }
    }

    /// Adds a problem, unless it is known.
    pub fn add(&mut self, title: Title, text: String, help: &'static str, sites: Vec<(&'static str, Site)>) {
        let problem = Problem { title, module: self.module.clone(), text, help, sites };
        if !self.list.contains(&problem) {
            self.list.push(problem);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn into_list(self) -> Vec<Problem> {
        self.list
    }
}

/// All problems of a design.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// In order of discovery.
    pub problems: Vec<Problem>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Report {}
