// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is kept of a CCC, and what the three sides tell one another of it.
//!
//! | record | kept in | written by |
//! |---|---|---|
//! | [`CccState`] | `ccc_states` | the keeper |
//! | [`Cursor`] | `cursors` | requests |
//! | [`ModeState`](super::modes::Way) | `mode_states`, if there is a choice of modes | the keeper |
//! | [`Ring`] | `recycled`, `freezes`; a copy for requests in `rings` | feedback |
//! | [`Summary`], [`Counts`], [`Word`] | `summaries`, `counts`, `words`; copies for requests in `summary` and the planes | feedback |

use super::EntropySelectorConfig;
use super::epoch::{Age, replicate};
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, name_nets, select};

/// The life of a CCC.
#[derive(Bundle)]
pub struct CccState<L: Reading> {
    /// The CCC is open.
    pub open: Bits<L>,
    /// The cursor counts if it has the same.
    pub generation: Bits<L>,
    /// The EV before the first.
    pub ev_before_start: Bits<L>,
    /// The generations of marks that do not count.
    pub stale_mark_generations: [Bits<L>; 2],
    /// Feedback does nothing: a CCC of ROD or TFC.
    pub rod: Bits<L>,
    /// The exponent of its EV space.
    pub space: Bits<L>,
}

/// Where the walk of a CCC is.
#[derive(Bundle)]
pub struct Cursor<L: Reading> {
    /// It counts if the life has the same.
    pub generation: Bits<L>,
    /// The EV granted last.
    pub ev: Bits<L>,
}

/// What is known of a CCC's marks without its words.
#[derive(Bundle)]
pub struct Summary<L: Reading> {
    /// Epoch of the last change.
    pub epoch: Bits<L>,
    /// The row is dead while this is one of the life's `stale_mark_generations`: its marks are of another life, of a larger EV space, or too
    /// old for `epoch` to tell.
    pub mark_generation: Bits<L>,
    /// By epoch parity: the words that have been written since the plane was restarted.
    pub written: [Bits<L>; 2],
}

/// Marked EVs as of the last change.
#[derive(Bundle)]
pub struct Counts<L: Reading> {
    /// Number of EVs with a mark, of both epochs.
    pub all: Bits<L>,
    /// Those marked in the epoch of the last change.
    pub latest: Bits<L>,
}

/// One word of both planes.
#[derive(Bundle)]
pub struct Word<L: Reading> {
    /// Marks of the word, one bit per EV; plane 0 of even epochs, plane 1 of odd ones.
    pub plane: [Bits<L>; 2],
}

/// Summary and counts of a CCC, told to the request side.
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

/// A word, told to the request side.
#[derive(Bundle)]
pub struct WordUpdate<L: Reading> {
    /// 1 if there is an update in this clock cycle.
    #[reset]
    pub valid: Bits<L>,
    /// Index of the CCC.
    pub ccc: Bits<L>,
    /// Number of the word in the CCC.
    pub word: Bits<L>,
    /// New contents of the word.
    pub value: Word<L>,
}

/// EVs to be used once more, as feedback has left them (row P1).
#[derive(Bundle)]
pub struct Ring<L: Reading> {
    /// It counts if the way has the same.
    pub generation: Bits<L>,
    /// The slot that is written next.
    pub head: Bits<L>,
    /// The number of pops in this round with which all slots are used.
    pub empty_at: Bits<L>,
    /// Slots that hold an EV.
    pub written: Bits<L>,
    /// EVs are used again and again.
    pub frozen: Bits<L>,
    /// How often it has been emptied, modulo 4.
    pub flush_count: Bits<L>,
}

#[name_nets]
impl<L: Logic> Ring<L> {
    /// The ring of a CCC without feedback, as wide as another one.
    pub fn empty(like: &Self) -> Self {
        let zero = |x: Bits<L>| Bits::lit(x.width(), 0);
        Ring {
            generation: zero(like.generation),
            head: zero(like.head),
            empty_at: zero(like.empty_at),
            written: zero(like.written),
            frozen: zero(like.frozen),
            flush_count: zero(like.flush_count),
        }
    }
}

/// An EV for a slot of a ring.
#[derive(Bundle)]
pub struct Push<L: Reading> {
    /// 1 if there is an EV to store in this clock cycle.
    pub valid: Bits<L>,
    /// Index of the CCC whose ring is written.
    pub ccc: Bits<L>,
    /// Slot of the ring, 0 to 7.
    pub slot: Bits<L>,
    /// EV that goes into the slot.
    pub ev: Bits<L>,
}

impl EntropySelectorConfig {
    pub(super) fn summary(self) -> Summary<Shape> {
        Summary { epoch: bits(self.epoch_bits()), mark_generation: bits(2), written: [bits(self.words()); 2] }
    }

    pub(super) fn counts(self) -> Counts<Shape> {
        Counts { all: bits(self.count_bits()), latest: bits(self.count_bits()) }
    }

    pub(super) fn word(self) -> Word<Shape> {
        Word { plane: [bits(self.word_width()); 2] }
    }

    pub(super) fn word_update(self) -> WordUpdate<Shape> {
        WordUpdate { valid: bits(1), ccc: self.ccc(), word: bits(self.word_bits()), value: self.word() }
    }

    pub(super) fn ccc_state(self) -> CccState<Shape> {
        let (flag, stale_mark_generations) = (bits(1), [bits(2); 2]);
        CccState {
            open: flag,
            generation: flag,
            ev_before_start: bits(self.ev_bits()),
            stale_mark_generations,
            rod: flag,
            space: self.space(),
        }
    }
}

/// Whether marks of a generation count.
#[name_nets]
pub fn marks_valid<L: Logic>(mark_generation: Bits<L>, stale_mark_generations: [Bits<L>; 2]) -> Bits<L> {
    mark_generation.differs(stale_mark_generations[0]) & mark_generation.differs(stale_mark_generations[1])
}

/// The generation of a row that starts anew: neither dead nor the one before, which the keeper may be about to kill.
#[name_nets]
pub fn next_generation<L: Logic>(before: Bits<L>, stale_mark_generations: [Bits<L>; 2]) -> Bits<L> {
    let [one, two] = [1, 2].map(|n: u64| (before + n, marks_valid(before + n, stale_mark_generations)));
    select(one.1, one.0, select(two.1, two.0, before + 3))
}

/// EVs with a mark in force.
#[name_nets]
pub fn marked<L: Logic>(counts: Counts<L>, age: Age<L>) -> Bits<L> {
    let width = counts.all.width();
    select(age.current, counts.all, counts.latest) & replicate(age.recent, width)
}
