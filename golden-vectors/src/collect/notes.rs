// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the flags of a vector file mean.

use super::ports::map_of;
use crate::schema::Note;
use std::collections::BTreeMap;

/// Makes the notes of a vector file from a table of flag, kind of fault and description.
pub fn notes(table: &[(&str, &str, &str)]) -> BTreeMap<String, Note> {
    let note = |&(flag, bug_type, description): &(&str, &str, &str)| {
        (flag.to_owned(), Note { bug_type: bug_type.into(), description: description.into(), links: Vec::new() })
    };
    map_of(table.iter().map(note))
}
