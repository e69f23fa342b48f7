// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stages `icrc` and `icrc_insert` must do with a frame: the table of their contract, row by row.
//!
//! "Row n" is row n of the table in `docs/stages/icrc.md`.

pub use crate::headers::codec::icrc_place::{place, place_at};

use crate::headers::codec::icrc_place::{covered, link, network};
use crate::headers::{icrc, udp};
use crate::schema::{Expect, Reason, Verdict};
use std::collections::BTreeMap;
use std::ops::Range;

/// Which counter a frame counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counted {
    /// RoCEv2 with the right ICRC, or with one put in.
    Good,
    /// RoCEv2 with a wrong ICRC.
    Bad,
    /// Not RoCEv2, or marked already.
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
pub fn check(frame: &[u8], marked: bool) -> Judged {
    check_at(frame, marked, udp::ROCEV2)
}

/// The stage `icrc` with RoCEv2 at another UDP port.
#[must_use]
pub fn check_at(frame: &[u8], marked: bool, port: u16) -> Judged {
    match judge(frame, marked, port) {
        Err(row) => other(row, None),
        Ok(covered) => {
            let sent = &frame[covered.end..covered.end + icrc::LEN];
            match icrc::icrc(&frame[covered]) == *sent {
                false => Judged::new(9, Counted::Bad, Some(Reason::Icrc), None),
                true => Judged::new(10, Counted::Good, None, None),
            }
        }
    }
}

/// The stage `icrc_insert`. It learns of a mark, and of the frame's length, when the ICRC's place may have passed: so
/// rows 1 and, where the packet is longer than the frame, 6 do not keep it from filling the place, as far as that is in
/// the frame.
#[must_use]
pub fn insert(frame: &[u8], marked: bool) -> Judged {
    insert_at(frame, marked, udp::ROCEV2)
}

/// The stage `icrc_insert` with RoCEv2 at another UDP port.
#[must_use]
pub fn insert_at(frame: &[u8], marked: bool, port: u16) -> Judged {
    let filled = covered(frame, port).map(|(covered, _)| {
        let mut filled = frame.to_vec();
        let place = filled.get_mut(covered.end..).unwrap_or_default();
        let crc = icrc::icrc(frame.get(covered).unwrap_or_default());
        place.iter_mut().zip(crc).for_each(|(byte, crc)| *byte = crc);
        filled
    });
    let changed = filled.ok().filter(|filled| filled != frame);
    match judge(frame, marked, port) {
        Err(row) => other(row, changed),
        Ok(_) => Judged::new(10, Counted::Good, None, changed),
    }
}

fn other(row: u8, frame: Option<Vec<u8>>) -> Judged {
    Judged::new(row, Counted::Other, (row == 1).then_some(Reason::BadFrame), frame)
}

/// Rows 1 to 8: what the ICRC behind it covers, or the row that ends it.
fn judge(frame: &[u8], marked: bool, port: u16) -> Result<Range<usize>, u8> {
    if marked {
        return Err(1);
    }
    let (start, _) = link(frame)?;
    let (_, packet) = network(frame, start)?;
    if packet > frame.len() {
        return Err(6);
    }
    Ok(covered(frame, port)?.0)
}
