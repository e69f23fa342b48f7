// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a request, and feedback, carries from step to step, and what it meets.

use super::EntropySelectorConfig;
use super::epoch::Epochs;
use super::modes::Way;
use super::records::{Counts, Summary, Word};
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, name_nets};

/// Summary and counts of a CCC.
#[derive(Bundle)]
pub struct State<L: Reading> {
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
    pub inside: Bits<L>,
    pub epochs: Epochs<L>,
}

/// A request from step `l` + 1 on.
#[derive(Bundle)]
pub struct Asked<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    /// It is a request for an open CCC. Outlives a reset: what it leaves in one table it must leave in all.
    pub open: Bits<L>,
    pub turn: Bits<L>,
}

/// An EV that may be known.
#[derive(Bundle)]
pub struct Known<L: Reading> {
    pub hit: Bits<L>,
    pub ev: Bits<L>,
}

/// A word that was told in the clock of the read.
#[derive(Bundle)]
pub struct CaughtWord<L: Reading> {
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
pub struct Place<L: Reading> {
    pub word: Bits<L>,
    /// The lowest of these EVs of the word.
    pub evs: Bits<L>,
}

/// The word to which a walk may move on.
#[derive(Bundle)]
pub struct Next<L: Reading> {
    pub word: Bits<L>,
    /// The words behind it.
    pub behind: Bits<L>,
}

/// A request for an open CCC, for modes other than the bitmap.
#[derive(Bundle)]
pub struct Caller<L: Reading> {
    /// There is one. No reset, as [`Asked::open`].
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    pub turn: Bits<L>,
    /// The first EV.
    pub start: Bits<L>,
    /// The exponent of the EV space.
    pub space: Bits<L>,
    pub way: Way<L>,
}

/// Feedback that changes an open CCC, for modes other than the bitmap.
#[derive(Bundle)]
pub struct Heard<L: Reading> {
    /// There is some. No reset: what it leaves in one table it must leave in all.
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    pub ev: Bits<L>,
    pub kind: Bits<L>,
    /// That of the life.
    pub turn: Bits<L>,
    pub way: Way<L>,
}

/// An EV that is not the bitmap's.
#[derive(Bundle)]
pub struct Other<L: Reading> {
    pub valid: Bits<L>,
    pub ev: Bits<L>,
}

/// What the other modes say to the walk.
#[derive(Bundle)]
pub struct Others<L: Reading> {
    /// The request in step `l` + 4 ends where it starts.
    pub holds: Bits<L>,
    /// The request in step `l` + 5 is granted this EV, if its EV space has it.
    pub other: Other<L>,
    /// The cursor of the request in step `l` + 5 is the bitmap's.
    pub moves: Bits<L>,
}

#[name_nets]
impl<L: Logic> Others<L> {
    /// Where there are no others.
    pub fn none(config: EntropySelectorConfig) -> Self {
        let (no, ev) = (Bits::lit(1, 0), Bits::lit(config.ev_bits(), 0));
        Others { holds: no, other: Other { valid: no, ev }, moves: Bits::lit(1, 1) }
    }
}

impl EntropySelectorConfig {
    pub(super) fn caller(self) -> Caller<Shape> {
        let (flag, start) = (bits(1), bits(self.ev_bits()));
        Caller { valid: flag, ccc: self.ccc(), turn: flag, start, space: self.space(), way: self.way() }
    }

    pub(super) fn heard(self) -> Heard<Shape> {
        let ev = bits(self.ev_bits());
        Heard { valid: bits(1), ccc: self.ccc(), ev, kind: bits(2), turn: bits(1), way: self.way() }
    }
}
