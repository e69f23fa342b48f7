// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which vectors are run: `--filter`.

use crate::stages::{Judge, StageName};

/// Selects vectors by a part of the id, by the stage, or by both: `STAGE/TEXT`. Of several texts one is enough; without any
/// all are selected.
pub struct Filter<'a> {
    texts: &'a [String],
    /// The stages, if each text begins with that of one.
    stages: Option<Vec<StageName>>,
}

impl<'a> Filter<'a> {
    pub fn new(texts: &'a [String]) -> Self {
        let stage = |text: &String| {
            let name = text.split('/').next().unwrap_or_default();
            StageName::ALL.iter().copied().find(|stage| stage.name() == name)
        };
        let stages = texts.iter().map(stage).collect::<Option<Vec<_>>>();
        Self { texts, stages: stages.filter(|_| !texts.is_empty()) }
    }

    pub fn is_all(&self) -> bool {
        self.texts.is_empty()
    }

    pub fn selects(&self, stage: &str, id: &str) -> bool {
        let by = |text: &String| {
            let behind = text.strip_prefix(stage).and_then(|rest| rest.strip_prefix('/'));
            *text == stage || id.contains(text) || behind.is_some_and(|text| id.contains(text))
        };
        self.is_all() || self.texts.iter().any(by)
    }

    /// Whether this stage, or the file of its vectors, may have one that is selected. Ids begin with the stage of the file;
    /// a stage may also run those of another one, in the reverse direction.
    pub fn concerns(&self, stage: StageName) -> bool {
        let backwards = |stage: StageName| match &stage.spec().judge {
            Judge::Frames(judge) => judge.backwards,
            _ => None,
        };
        let by =
            |named: &StageName| *named == stage || backwards(*named) == Some(stage) || backwards(stage) == Some(*named);
        self.stages.as_ref().is_none_or(|named| named.iter().any(by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_stages() {
        let selects = |texts: &[&str], stage: &str, id: &str| {
            let texts: Vec<_> = texts.iter().map(|text| (*text).to_owned()).collect();
            Filter::new(&texts).selects(stage, id)
        };
        let id = "header_parser/link/type-0806";
        assert!(selects(&[], "icrc", "icrc/length"));
        assert!(selects(&["type-0806"], "header_builder", id) && selects(&["header_builder"], "header_builder", id));
        assert!(
            selects(&["header_builder/link"], "header_builder", id) && selects(&["x", "link"], "header_parser", id)
        );
        assert!(!selects(&["header_builder/link"], "header_parser", id) && !selects(&["icrc"], "header_parser", id));
    }

    /// What is not read has nothing that is selected.
    #[test]
    fn stages_that_are_not_named_are_not_read() {
        let concerned = |texts: &[&str]| {
            let texts: Vec<_> = texts.iter().map(|text| (*text).to_owned()).collect();
            let filter = Filter::new(&texts);
            StageName::ALL.iter().copied().filter(|stage| filter.concerns(*stage)).collect::<Vec<_>>()
        };
        let frames = [StageName::HeaderParser, StageName::HeaderBuilder];
        assert_eq!(concerned(&["header_parser/link"]), frames);
        assert_eq!(concerned(&["header_builder"]), frames);
        assert_eq!(concerned(&["reorder", "tally/x"]), [StageName::Reorder, StageName::Tally]);
        for texts in [&["reorder", "link"][..], &["orde"], &[]] {
            assert_eq!(concerned(texts).len(), StageName::ALL.len(), "{texts:?}");
        }
    }
}
