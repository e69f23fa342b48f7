// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records that requests and feedback carry from step to step.

use super::config::EntropySelectorConfig;
use super::epoch::{EPOCH_WIDTH, rtt_count};
use super::mode_state::ModeState;
use super::records::{Counts, Summary, Word};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// Summary and counts of a CCC, as requests read them.
#[derive(Bundle)]
pub struct MarkState<L: Reading> {
    pub summary: Summary<L>,
    pub counts: Counts<L>,
}

/// Request in steps 1 to `l`.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Arrived<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// 1 if the CCC number is below `cccs` and the sweep is over.
    pub index_valid: Bits<L>,
    /// RTTs of class 0 at its acceptance.
    #[shape(rtt_count())]
    pub rtts: Bits<L>,
}

/// Request from step `l` + 1 on.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct TrackedRequest<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// 1 if the request is for an open CCC. Not reset: if the request has written one table, it must write them all.
    pub open: Bits<L>,
    pub generation: Bits<L>,
}

/// Cursor written after the read of `cursors` was issued, if there is one.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct CursorBypass<L: Reading> {
    pub hit: Bits<L>,
    #[width(config.ev_bits())]
    pub ev: Bits<L>,
}

/// Word that was updated in the clock cycle of the read.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct BypassWord<L: Reading> {
    pub hit: Bits<L>,
    #[width(config.word_bits())]
    pub word: Bits<L>,
    pub value: Word<L>,
}

/// Free EVs of a word that was updated in the clock cycle of the read.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Patch<L: Reading> {
    pub hit: Bits<L>,
    #[width(config.word_bits())]
    pub word: Bits<L>,
    #[width(config.word_width())]
    pub free: Bits<L>,
}

/// Position at which a walk starts or has ended.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct EvPosition<L: Reading> {
    #[width(config.word_bits())]
    pub word: Bits<L>,
    /// One bit per EV of the word; the position is the lowest 1.
    #[width(config.word_width())]
    pub candidates: Bits<L>,
}

/// Request for an open CCC, for the alternate modes.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct AdmittedRequest<L: Reading> {
    /// 1 if there is a request. Not reset, as [`TrackedRequest::open`].
    pub valid: Bits<L>,
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    pub generation: Bits<L>,
    /// First EV after opening.
    #[width(config.ev_bits())]
    pub start: Bits<L>,
    /// Exponent of the EV space.
    #[shape(config.space())]
    pub space: Bits<L>,
    /// Log2 of the stride of its group.
    #[shape(config.space())]
    pub stride: Bits<L>,
    /// Epoch of the CCC at its acceptance.
    #[width(EPOCH_WIDTH)]
    pub epoch: Bits<L>,
    pub mode_state: ModeState<L>,
}

/// Feedback that may change an open CCC.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct AdmittedFeedback<L: Reading> {
    /// 1 if there is feedback. Not reset: if the feedback has written one table, it must write them all.
    pub valid: Bits<L>,
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    #[width(config.ev_bits())]
    pub ev: Bits<L>,
    #[width(2)]
    pub kind: Bits<L>,
    /// Generation of the CCC state.
    pub generation: Bits<L>,
    /// Epoch of the CCC at its acceptance.
    #[width(EPOCH_WIDTH)]
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
