// SPDX-License-Identifier: MIT OR Apache-2.0
//! The suite of the stage: the oracle of the stage gives the expected answers.

use super::oracle::parse;
use crate::collect::frames::Suite;

/// A suite without groups.
pub fn suite() -> Suite {
    Suite::new(|frame, bad_frame, options| {
        let reading = parse(frame, bad_frame, options);
        (reading.row, (&reading).into())
    })
}
