// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of all suites. A new stage adds one line here.

use crate::schema::{TimedFile, VectorFile};

/// A suite of vectors: one file of the archive.
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// The stage that it tests.
    pub stage: &'static str,
    /// Its file has this name with `.json` behind it: that of the stage, or another one if the stage has two files.
    pub file: &'static str,
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
    ($stage:literal, $kind:ident($module:ident::$generate:ident)) => {
        suite!($stage, $stage, $kind($module::$generate))
    };
    ($stage:literal, $file:literal, $kind:ident($module:ident::$generate:ident)) => {
        Suite { stage: $stage, file: $file, kind: Kind::$kind(crate::$module::$generate) }
    };
}

/// All suites, in the order in which the manifest lists their files.
pub const SUITES: &[Suite] = &[
    suite!("header_parser", Captured(header_parser::vectors)),
    suite!("icrc", Captured(icrc::check_vectors)),
    suite!("icrc_insert", Frames(icrc::insert_vectors)),
    suite!("header_builder", Frames(header_builder::vectors)),
    suite!("entropy_selector", Timed(entropy_selector::vectors)),
    suite!("path_scheduler", Timed(path_scheduler::vectors)),
    suite!("elab_scheduler", Timed(elab_scheduler::vectors)),
    suite!("elab_feedback", Timed(elab_feedback::vectors)),
    suite!("frame_gate", Timed(frame_gate::vectors)),
    suite!("context_lookup", Timed(context_lookup::vectors)),
    suite!("reorder", Timed(reorder::vectors)),
    suite!("reorder", "reorder_payload", Timed(reorder::payload_vectors)),
    suite!("ack_generator", Timed(ack_generator::vectors)),
    suite!("ccc_table", Timed(ccc_table::vectors)),
    suite!("packet_tracker", Timed(packet_tracker::vectors)),
    suite!("credit_pacer", Timed(credit_pacer::vectors)),
    suite!("fifo", Timed(fifo::vectors)),
    suite!("skid_buffer", Timed(skid_buffer::vectors)),
    suite!("arbiter", Timed(arbiter::vectors)),
    suite!("mark_monitor", Timed(mark_monitor::vectors)),
];

impl Suite {
    /// Name of its file.
    pub fn file_name(&self) -> String {
        format!("{}.json", self.file)
    }

    /// Whether the cases are events with cycles, and not frames.
    pub const fn is_timed(&self) -> bool {
        matches!(self.kind, Kind::Timed(_))
    }
}
