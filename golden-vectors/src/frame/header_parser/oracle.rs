// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `header_parser` must say of a frame.

use crate::headers::codec::{Options, Reading, read};
use crate::schema::{Expect, Reason, Verdict};
use std::collections::BTreeMap;

/// Row 1, then the other rows but for row 14: the ICRC is left to the stage `icrc`. `bad_frame` is the MAC's mark.
#[must_use]
pub fn parse(frame: &[u8], bad_frame: bool, options: &Options) -> Reading {
    if bad_frame {
        return Reading::dropped(1, Reason::BadFrame);
    }
    read(frame, &Options { refuse_icrc: false, ..*options })
}

impl From<&Reading> for Expect {
    /// Of a dropped frame nothing is promised, also where the headers are complete.
    fn from(reading: &Reading) -> Self {
        let (reason, fields) = match reading.verdict {
            Verdict::Ok => (Some(reading.reason).filter(|reason| *reason != Reason::None), reading.fields()),
            Verdict::Drop => (Some(reading.reason), BTreeMap::new()),
        };
        Self { verdict: reading.verdict, reason, fields, frame: None }
    }
}
