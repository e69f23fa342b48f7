// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state stored per CCC, and the updates that the pipelines send to one another.
//!
//! | record | memory | written by |
//! |---|---|---|
//! | [`CccState`] | `ccc_states` | commands and scrubber |
//! | [`Cursor`] | `cursors` | requests |
//! | [`ModeState`](super::mode_state::ModeState) | `mode_states`, if there is a choice of modes | commands |
//! | [`Ring`](super::ring_records::Ring) | `ring_rows`, `freezes`; a copy for requests in `rings` | feedback |
//! | [`Summary`], [`Counts`], [`Word`] | `summaries`, `counts`, `words`; copies in `summary`, `planes` | feedback |

use super::config::EntropySelectorConfig;
use super::epoch::{Age, RTT_CLASS_WIDTH, replicate};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// Port of requests to the tables of CCC states and mode states.
pub const REQUEST: usize = 0;
/// Port of feedback to them.
pub const FEEDBACK: usize = 1;
/// Port of commands and the scrubber to them.
pub const COMMAND: usize = 2;

/// Width of the number of openings.
pub const OPENINGS_WIDTH: u32 = 4;

/// State of a CCC.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct CccState<L: Reading> {
    /// 1 if the CCC is open.
    pub open: Bits<L>,
    /// Generation, changed by *open*; a cursor is valid if it has the same one.
    pub generation: Bits<L>,
    /// EV before the first one to grant.
    #[width(config.ev_bits())]
    pub ev_before_start: Bits<L>,
    /// Mark generations that are stale.
    #[width(2)]
    pub stale_mark_generations: [Bits<L>; 2],
    /// 1 if feedback has no effect (ROD or TFC).
    pub rod: Bits<L>,
    /// Exponent of the EV space.
    #[shape(config.space())]
    pub space: Bits<L>,
    /// RTT class.
    #[width(RTT_CLASS_WIDTH)]
    pub rtt_class: Bits<L>,
    /// Log2 of the stride of its group (rule S21).
    #[shape(config.space())]
    pub stride: Bits<L>,
    /// Upper bits of its EVs on the wire (rule S22).
    #[shape(config.upper())]
    pub upper: Bits<L>,
    /// Number of times the CCC has been opened, modulo 16 (rule S23).
    #[width(OPENINGS_WIDTH)]
    pub openings: Bits<L>,
}

/// Cursor of a CCC: where its walk continues.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Cursor<L: Reading> {
    /// The row is valid if the CCC state has the same generation.
    pub generation: Bits<L>,
    /// EV granted last; in mode `mixed`, the EV that the bitmap chose last.
    #[width(config.ev_bits())]
    pub ev: Bits<L>,
}

/// Summary of a CCC's marks, without the words.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Summary<L: Reading> {
    /// Epoch of the last change.
    #[width(config.epoch_bits())]
    pub epoch: Bits<L>,
    /// Mark generation. The marks are stale while it is one of the `stale_mark_generations` of the CCC state: they are
    /// of an earlier opening, of a larger EV space, or so old that `epoch` may be ambiguous.
    #[width(2)]
    pub mark_generation: Bits<L>,
    /// Words written since the plane was restarted, one bit per word; plane 0 of even epochs, plane 1 of odd ones.
    #[width(config.words())]
    pub written: [Bits<L>; 2],
}

/// Mark counts of a CCC as of the last change.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Counts<L: Reading> {
    /// Number of EVs with a mark, of both epochs.
    #[width(config.count_bits())]
    pub all: Bits<L>,
    /// Number of EVs marked in the epoch of the last change.
    #[width(config.count_bits())]
    pub latest: Bits<L>,
}

/// One word of marks, in both planes.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Word<L: Reading> {
    /// Marks of the word, one bit per EV; plane 0 of even epochs, plane 1 of odd ones.
    #[width(config.word_width())]
    pub plane: [Bits<L>; 2],
}

/// Update to the request side: summary and counts of a CCC.
#[derive(Bundle)]
pub struct SummaryUpdate<L: Reading> {
    /// 1 if there is an update in this clock cycle.
    #[reset]
    pub valid: Bits<L>,
    /// Index of the CCC.
    pub ccc: Bits<L>,
    /// Its new summary.
    pub summary: Summary<L>,
    /// Its new mark counts.
    pub counts: Counts<L>,
}

/// Update to the request side: one word of marks.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct WordUpdate<L: Reading> {
    /// 1 if there is an update in this clock cycle.
    #[reset]
    pub valid: Bits<L>,
    /// Index of the CCC.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// Number of the word in the CCC.
    #[width(config.word_bits())]
    pub word: Bits<L>,
    /// New contents of the word.
    pub value: Word<L>,
}

/// Whether marks of a generation are valid.
#[name_nets]
pub fn marks_valid<L: Logic>(mark_generation: Bits<L>, stale_mark_generations: [Bits<L>; 2]) -> Bits<L> {
    mark_generation.differs(stale_mark_generations[0]) & mark_generation.differs(stale_mark_generations[1])
}

/// Mark generation of a summary that restarts: neither stale nor `before`, which the scrubber may be about to make
/// stale.
#[name_nets]
pub fn next_generation<L: Logic>(before: Bits<L>, stale_mark_generations: [Bits<L>; 2]) -> Bits<L> {
    let [one, two] = [1, 2].map(|n: u64| (before + n, marks_valid(before + n, stale_mark_generations)));
    select(one.1, one.0, select(two.1, two.0, before + 3))
}

/// Number of EVs with a valid mark.
#[name_nets]
pub fn marked<L: Logic>(counts: Counts<L>, age: Age<L>) -> Bits<L> {
    let width = counts.all.width();
    select(age.current, counts.all, counts.latest) & replicate(age.recent, width)
}
