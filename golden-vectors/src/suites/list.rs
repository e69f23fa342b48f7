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
    ($stage:literal, $kind:ident($($part:ident)::+)) => {
        suite!($stage, $stage, $kind($($part)::+))
    };
    ($stage:literal, $file:literal, $kind:ident($($part:ident)::+)) => {
        Suite {
            stage: $stage,
            file: $file,
            kind: Kind::$kind(crate::$($part)::+),
        }
    };
}

/// All suites, in the order in which the manifest lists their files.
pub const SUITES: &[Suite] = &[
    suite!("header_parser", Captured(frame::header_parser::vectors)),
    suite!("icrc", Captured(frame::icrc::check_vectors)),
    suite!("icrc_insert", Frames(frame::icrc::insert_vectors)),
    suite!("header_builder", Frames(frame::header_builder::vectors)),
    suite!("entropy_selector", Timed(transmit::entropy_selector::vectors)),
    suite!("path_scheduler", Timed(transmit::path_scheduler::vectors)),
    suite!("elab_scheduler", Timed(elab::scheduler::vectors)),
    suite!("elab_feedback", Timed(elab::feedback::vectors)),
    suite!("frame_gate", Timed(frame::frame_gate::vectors)),
    suite!("context_lookup", Timed(receive::context_lookup::vectors)),
    suite!("reorder", Timed(receive::reorder::vectors)),
    suite!("reorder", "reorder_payload", Timed(receive::reorder::payload_vectors)),
    suite!("ack_generator", Timed(receive::ack_generator::vectors)),
    suite!("ccc_table", Timed(transmit::ccc_table::vectors)),
    suite!("packet_tracker", Timed(transmit::packet_tracker::vectors)),
    suite!("credit_pacer", Timed(receive::credit_pacer::vectors)),
    suite!("lia_router", Timed(routing::lia_router::vectors)),
    suite!("fifo", Timed(blocks::fifo::vectors)),
    suite!("skid_buffer", Timed(blocks::skid_buffer::vectors)),
    suite!("arbiter", Timed(blocks::arbiter::vectors)),
    suite!("mark_monitor", Timed(examples::mark_monitor::vectors)),
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
