// SPDX-License-Identifier: MIT OR Apache-2.0
//! The suite of the stage: its cases are judged by the oracle of the stage.

use super::oracle::parse;
use crate::collect::frames::Suite;

/// A suite without cases.
pub fn suite() -> Suite {
    Suite::new(|frame, bad_frame, options| {
        let reading = parse(frame, bad_frame, options);
        (reading.row, (&reading).into())
    })
}
