// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a request, and feedback, carries from step to step, and what it meets.

use super::EntropySelectorConfig;
use super::epoch::Epochs;
use super::modes::ModeState;
use super::records::{Counts, Summary, Word};
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, name_nets};

/// Summary and counts of a CCC.
#[derive(Bundle)]
pub struct MarkState<L: Reading> {
    pub summary: Summary<L>,
    pub counts: Counts<L>,
}

/// A request in steps 1 to `l`.
#[derive(Bundle)]
pub struct Arrived<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    /// There is such a CCC, and the table has been swept.
    pub index_valid: Bits<L>,
    pub epochs: Epochs<L>,
}

/// A request from step `l` + 1 on.
#[derive(Bundle)]
pub struct TrackedRequest<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    /// It is a request for an open CCC. Outlives a reset: what it leaves in one table it must leave in all.
    pub open: Bits<L>,
    pub generation: Bits<L>,
}

/// An EV that may be known.
#[derive(Bundle)]
pub struct CursorBypass<L: Reading> {
    pub hit: Bits<L>,
    pub ev: Bits<L>,
}

/// A word that was told in the clock of the read.
#[derive(Bundle)]
pub struct BypassWord<L: Reading> {
    pub hit: Bits<L>,
    pub word: Bits<L>,
    pub value: Word<L>,
}

/// The free EVs of a word that was told in the clock of the read.
#[derive(Bundle)]
pub struct Patch<L: Reading> {
    pub hit: Bits<L>,
    pub word: Bits<L>,
    pub free: Bits<L>,
}

/// Where a walk starts, or has ended.
#[derive(Bundle)]
pub struct EvPosition<L: Reading> {
    pub word: Bits<L>,
    /// The lowest of these EVs of the word.
    pub candidates: Bits<L>,
}

/// The word to which a walk may move on.
#[derive(Bundle)]
pub struct NextWord<L: Reading> {
    pub word: Bits<L>,
    /// The words behind it.
    pub later_words: Bits<L>,
}

/// A request for an open CCC, for modes other than the bitmap.
#[derive(Bundle)]
pub struct AdmittedRequest<L: Reading> {
    /// There is one. No reset, as [`TrackedRequest::open`].
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    pub generation: Bits<L>,
    /// First EV after opening.
    pub start: Bits<L>,
    /// The exponent of the EV space.
    pub space: Bits<L>,
    pub mode_state: ModeState<L>,
}

/// Feedback that changes an open CCC, for modes other than the bitmap.
#[derive(Bundle)]
pub struct AdmittedFeedback<L: Reading> {
    /// There is some. No reset: what it leaves in one table it must leave in all.
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    pub ev: Bits<L>,
    pub kind: Bits<L>,
    /// That of the life.
    pub generation: Bits<L>,
    pub mode_state: ModeState<L>,
}

/// An EV that is not the bitmap's.
#[derive(Bundle)]
pub struct EvOverride<L: Reading> {
    pub valid: Bits<L>,
    pub ev: Bits<L>,
}

/// What the other modes say to the walk.
#[derive(Bundle)]
pub struct WalkOverride<L: Reading> {
    /// The request in step `l` + 4 ends where it starts.
    pub keep_position: Bits<L>,
    /// The request in step `l` + 5 is granted this EV, if its EV space has it.
    pub ev_override: EvOverride<L>,
    /// The cursor of the request in step `l` + 5 is the bitmap's.
    pub writes_cursor: Bits<L>,
}

#[name_nets]
impl<L: Logic> WalkOverride<L> {
    /// Where there are no others.
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
            mode_state: self.mode_state(),
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
            mode_state: self.mode_state(),
        }
    }
}
