// SPDX-License-Identifier: MIT OR Apache-2.0
//! What state is called in its scope.

use crate::leaf::join;

/// Name of a register, a delay line, a memory or a child stage in its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called<'a> {
    /// After the field that it is made for: the innermost scope.
    Field,
    /// After the field, followed by a number.
    Numbered(u32),
    /// This name instead of the field's.
    Named(&'a str),
}

impl Called<'_> {
    /// The scope around it and its name there, if it has one.
    pub(crate) fn inside(self, scope: &[String]) -> (&[String], String) {
        let (field, around) = scope.split_last().map_or(("", scope), |(field, around)| (field.as_str(), around));
        let name = match self {
            Called::Field => field.to_owned(),
            Called::Numbered(number) => join(field, &number.to_string()),
            Called::Named(name) => name.to_owned(),
        };
        (around, name)
    }
}
