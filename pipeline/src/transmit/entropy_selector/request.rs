// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records that requests and feedback carry from step to step.

use super::config::EntropySelectorConfig;
use super::epoch::{EPOCH_WIDTH, rtt_count};
use super::mode_state::ModeState;
use super::records::{Counts, Summary, Word};
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, name_nets};

/// Summary and counts of a CCC, as requests read them.
#[derive(Bundle)]
pub struct MarkState<L: Reading> {
    pub summary: Summary<L>,
    pub counts: Counts<L>,
}

/// Request in steps 1 to `l`.
#[derive(Bundle)]
pub struct Arrived<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    /// 1 if the CCC number is below `cccs` and the sweep is over.
    pub index_valid: Bits<L>,
    /// RTTs of class 0 at its acceptance.
    pub rtts: Bits<L>,
}

impl EntropySelectorConfig {
    pub(super) fn arrived(self) -> Arrived<Shape> {
        Arrived { valid: bits(1), ccc: self.ccc(), index_valid: bits(1), rtts: rtt_count() }
    }
}

/// Request from step `l` + 1 on.
#[derive(Bundle)]
pub struct TrackedRequest<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    /// 1 if the request is for an open CCC. Not reset: if the request has written one table, it must write them all.
    pub open: Bits<L>,
    pub generation: Bits<L>,
}

/// Cursor written after the read of `cursors` was issued, if there is one.
#[derive(Bundle)]
pub struct CursorBypass<L: Reading> {
    pub hit: Bits<L>,
    pub ev: Bits<L>,
}

/// Word that was updated in the clock cycle of the read.
#[derive(Bundle)]
pub struct BypassWord<L: Reading> {
    pub hit: Bits<L>,
    pub word: Bits<L>,
    pub value: Word<L>,
}

/// Free EVs of a word that was updated in the clock cycle of the read.
#[derive(Bundle)]
pub struct Patch<L: Reading> {
    pub hit: Bits<L>,
    pub word: Bits<L>,
    pub free: Bits<L>,
}

/// Position at which a walk starts or has ended.
#[derive(Bundle)]
pub struct EvPosition<L: Reading> {
    pub word: Bits<L>,
    /// One bit per EV of the word; the position is the lowest 1.
    pub candidates: Bits<L>,
}

/// Request for an open CCC, for the alternate modes.
#[derive(Bundle)]
pub struct AdmittedRequest<L: Reading> {
    /// 1 if there is a request. Not reset, as [`TrackedRequest::open`].
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    pub generation: Bits<L>,
    /// First EV after opening.
    pub start: Bits<L>,
    /// Exponent of the EV space.
    pub space: Bits<L>,
    /// Log2 of the stride of its group.
    pub stride: Bits<L>,
    /// Epoch of the CCC at its acceptance.
    pub epoch: Bits<L>,
    pub mode_state: ModeState<L>,
}

/// Feedback that may change an open CCC.
#[derive(Bundle)]
pub struct AdmittedFeedback<L: Reading> {
    /// 1 if there is feedback. Not reset: if the feedback has written one table, it must write them all.
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    pub ev: Bits<L>,
    pub kind: Bits<L>,
    /// Generation of the CCC state.
    pub generation: Bits<L>,
    /// Epoch of the CCC at its acceptance.
    pub epoch: Bits<L>,
    pub mode_state: ModeState<L>,
}

/// EV that replaces that of the walk.
#[derive(Bundle)]
pub struct EvOverride<L: Reading> {
    pub valid: Bits<L>,
    pub ev: Bits<L>,
}

/// How the alternate modes override the walk.
#[derive(Bundle)]
pub struct WalkOverride<L: Reading> {
    /// 1 if the walk of the request in step `l` + 4 ends where it starts.
    pub keep_position: Bits<L>,
    /// EV for the request in step `l` + 5, reduced modulo the size of its EV space.
    pub ev_override: EvOverride<L>,
    /// 1 if the request in step `l` + 5 writes the EV of the walk to its cursor, 0 if it writes the granted EV.
    pub writes_cursor: Bits<L>,
}

#[name_nets]
impl<L: Logic> WalkOverride<L> {
    /// No override, if only `bitmap` is built.
    pub fn none(config: EntropySelectorConfig) -> Self {
        let (no, ev) = (Bits::lit(1, 0), Bits::lit(config.ev_bits(), 0));
        WalkOverride { keep_position: no, ev_override: EvOverride { valid: no, ev }, writes_cursor: Bits::lit(1, 1) }
    }
}

impl EntropySelectorConfig {
    pub(super) fn admitted(self) -> AdmittedRequest<Shape> {
        let (flag, start) = (bits(1), bits(self.ev_bits()));
        AdmittedRequest {
            valid: flag,
            ccc: self.ccc(),
            generation: flag,
            start,
            space: self.space(),
            stride: self.space(),
            epoch: bits(EPOCH_WIDTH),
            mode_state: ModeState::shape(self),
        }
    }

    pub(super) fn admitted_feedback(self) -> AdmittedFeedback<Shape> {
        let ev = bits(self.ev_bits());
        AdmittedFeedback {
            valid: bits(1),
            ccc: self.ccc(),
            ev,
            kind: bits(2),
            generation: bits(1),
            epoch: bits(EPOCH_WIDTH),
            mode_state: ModeState::shape(self),
        }
    }
}
