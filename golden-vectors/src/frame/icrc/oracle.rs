// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stages `icrc` and `icrc_insert` must do with a frame: the table of their contract, row by row.
//!
//! "Row n" is row n of the table in `docs/stages/icrc.md`.

pub use crate::headers::codec::icrc_place::place;

use crate::headers::codec::Options;
use crate::headers::codec::icrc_place::{Code, covered, filled, link, network};
use crate::headers::icrc;
use crate::schema::{Expect, Reason, Verdict};
use std::collections::BTreeMap;
use std::ops::Range;

/// Which counter a frame counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counted {
    /// RoCEv2 or UET with the right CRC, or with one put in.
    Good,
    /// RoCEv2 or UET with a wrong CRC.
    Bad,
    /// Without a CRC, or marked already.
    Other,
}

/// The answer for a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The row that decided, 1 to 10.
    pub row: u8,
    /// The counter.
    pub counted: Counted,
    /// Verdict, and the frame if it changed.
    pub expect: Expect,
}

impl Judged {
    fn new(row: u8, counted: Counted, reason: Option<Reason>, frame: Option<Vec<u8>>) -> Self {
        let verdict = if reason.is_some() { Verdict::Drop } else { Verdict::Ok };
        Self { row, counted, expect: Expect { verdict, reason, fields: BTreeMap::new(), frame } }
    }
}

/// The stage `icrc`. A marked frame has the reason `bad_frame`.
#[must_use]
pub fn check(frame: &[u8], marked: bool, options: &Options) -> Judged {
    match judge(frame, marked, options) {
        Err(row) => other(row, None),
        Ok((code, covered)) => {
            let sent = &frame[covered.end..covered.end + icrc::LEN];
            match code.of(&frame[covered]) == *sent {
                false => Judged::new(9, Counted::Bad, Some(Reason::Icrc), None),
                true => Judged::new(10, Counted::Good, None, None),
            }
        }
    }
}

/// The stage `icrc_insert`. It learns of a mark, and of the frame's length, when the place of the CRC may have passed: so
/// rows 1 and, where the packet is longer than the frame, 6 do not keep it from filling the place, as far as that is in
/// the frame.
#[must_use]
pub fn insert(frame: &[u8], marked: bool, options: &Options) -> Judged {
    let changed = Some(filled(frame.to_vec(), options)).filter(|filled| filled != frame);
    match judge(frame, marked, options) {
        Err(row) => other(row, changed),
        Ok(_) => Judged::new(10, Counted::Good, None, changed),
    }
}

fn other(row: u8, frame: Option<Vec<u8>>) -> Judged {
    Judged::new(row, Counted::Other, (row == 1).then_some(Reason::BadFrame), frame)
}

/// Rows 1 to 8: which CRC, and what it covers, or the row that ends it.
fn judge(frame: &[u8], marked: bool, options: &Options) -> Result<(Code, Range<usize>), u8> {
    if marked {
        return Err(1);
    }
    let (start, _) = link(frame)?;
    let (_, packet, _) = network(frame, start, options)?;
    if packet > frame.len() {
        return Err(6);
    }
    covered(frame, options).map(|(code, covered, _)| (code, covered))
}
