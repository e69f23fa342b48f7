// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a request carries from step to step, and what it meets.

use super::epoch::Epochs;
use super::records::{Counts, Summary, Word};
use rtl_model::{Bits, Bundle, Reading};

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
