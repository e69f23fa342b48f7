// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of all suites. A new stage adds one line here.

use crate::schema::{TimedFile, VectorFile};
use crate::{
    arbiter, elab_feedback, elab_scheduler, entropy_selector, fifo, frame_gate, header_builder, header_parser, icrc,
    mark_monitor, path_scheduler, skid_buffer,
};

/// A suite of vectors: one file in the folder `vectors/`.
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// The stage that it tests. Its file has the same name with `.json` behind it.
    pub stage: &'static str,
    /// The text of the committed file.
    pub committed: &'static str,
    /// What generates the file.
    pub kind: Kind,
}

/// The kind of file, and the function that generates it.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Frames.
    Frames(fn() -> VectorFile),
    /// Frames, which are also written as a capture.
    Captured(fn() -> VectorFile),
    /// Events with cycles.
    Timed(fn() -> TimedFile),
}

macro_rules! suite {
    ($stage:literal, $kind:expr) => {
        Suite { stage: $stage, committed: include_str!(concat!("../../vectors/", $stage, ".json")), kind: $kind }
    };
}

/// All suites, in the order in which the manifest lists their files.
pub const SUITES: [Suite; 13] = [
    suite!("header_parser", Kind::Captured(header_parser::vectors)),
    suite!("icrc", Kind::Captured(icrc::check_vectors)),
    suite!("icrc_insert", Kind::Frames(icrc::insert_vectors)),
    suite!("header_builder", Kind::Frames(header_builder::vectors)),
    suite!("entropy_selector", Kind::Timed(entropy_selector::vectors)),
    suite!("path_scheduler", Kind::Timed(path_scheduler::vectors)),
    suite!("elab_scheduler", Kind::Timed(elab_scheduler::vectors)),
    suite!("elab_feedback", Kind::Timed(elab_feedback::vectors)),
    suite!("frame_gate", Kind::Timed(frame_gate::vectors)),
    suite!("fifo", Kind::Timed(fifo::vectors)),
    suite!("skid_buffer", Kind::Timed(skid_buffer::vectors)),
    suite!("arbiter", Kind::Timed(arbiter::vectors)),
    suite!("mark_monitor", Kind::Timed(mark_monitor::vectors)),
];

impl Suite {
    /// Name of its file.
    pub fn file_name(&self) -> String {
        format!("{}.json", self.stage)
    }

    /// Whether the cases are events with cycles, and not frames.
    pub const fn is_timed(&self) -> bool {
        matches!(self.kind, Kind::Timed(_))
    }
}
