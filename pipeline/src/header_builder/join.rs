// SPDX-License-Identifier: MIT OR Apache-2.0
//! Step 6: which beat comes next. Headers of several beats go one beat after the other; the last of them, which they
//! never fill, takes the begin of the payload along; from then on there is a beat of the frame for each of the payload.

use super::pack::FRAME;
use crate::frame::Lanes;
use rtl_model::stream::{Beat, Side};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Wide, bits, name_nets, select, when, wide};

/// Bits of the headers; the first word begins two bytes ahead of the frame.
const HEAD: u32 = 32 * FRAME as u32 - 16;
/// The same, filled up to a power of two.
const ROOM: u32 = 1024;
/// Bits of the number of a word.
const WORD: u32 = 5;

/// All headers of a frame.
#[derive(Bundle)]
pub(super) struct Head<L: Reading> {
    /// Byte 0 of the frame in the lowest bits.
    pub bytes: Wide<L>,
    /// Number of the last word. Its last two bytes are bytes `4 last` and `4 last + 1` of the frame.
    pub last: Bits<L>,
    /// A payload follows.
    pub has_rest: Bits<L>,
    /// The side band of the frame.
    pub side: Side<L>,
}

impl Head<Shape> {
    pub const fn new(side: Side<Shape>) -> Self {
        Head { bytes: wide(HEAD), last: bits(WORD), has_rest: bits(1), side }
    }
}

/// What comes next.
#[name_nets]
#[derive(Clone, Copy)]
pub(super) struct Next<L: Logic> {
    /// Something does.
    pub valid: Bits<L>,
    /// A beat of the payload, or its begin.
    pub with_rest: Bits<L>,
    /// The end of headers and payload.
    pub last: Bits<L>,
    /// Nothing but headers, and they go on.
    whole: Bits<L>,
}

/// Which headers go into a beat and how far its payload is turned.
#[derive(Bundle)]
pub(super) struct Joined<L: Reading> {
    /// A beat of headers, if there are any in it.
    pub head: Wide<L>,
    /// A beat of the payload, without bytes if there is none in it.
    pub rest: Wide<L>,
    pub keep: Wide<L>,
    /// Words by which the payload is turned, and two bytes.
    pub turn: Bits<L>,
    /// Nothing but headers, and they go on.
    pub whole: Bits<L>,
    /// There are headers in it.
    pub starts: Bits<L>,
    /// The end of headers and payload.
    pub last: Bits<L>,
    /// The source found the payload bad.
    pub bad: Bits<L>,
    /// The side band of the frame.
    pub side: Side<L>,
}

#[name_nets]
pub(super) struct JoinStep<L: Logic> {
    lanes: Lanes,
    /// Beat of the headers that comes next, where they can have more than one.
    index: Option<Reg<Bits<L>>>,
    /// The headers are sent, the payload is not.
    in_rest: Reg<Bits<L>>,
    valid: Reg<Bits<L>>,
    joined: Reg<Joined<L>>,
}

#[name_nets]
impl<L: Logic> JoinStep<L> {
    pub fn new(data_width: u32, side: Side<Shape>) -> Self {
        let lanes = Lanes { count: data_width / 32, last: FRAME as u32 - 1 };
        let joined = Joined {
            head: wide(data_width),
            rest: wide(data_width),
            keep: wide(data_width / 8),
            turn: bits(lanes.select_width()),
            whole: bits(1),
            starts: bits(1),
            last: bits(1),
            bad: bits(1),
            side,
        };
        let index_width = WORD - lanes.select_width();
        JoinStep {
            lanes,
            index: (index_width > 0).then(|| Reg::new(&bits(index_width)).with_reset()),
            in_rest: Reg::new(&bits(1)).with_reset(),
            valid: Reg::new(&bits(1)).with_reset(),
            joined: Reg::new(&joined),
        }
    }

    /// Step 6.
    pub fn valid(&self) -> Bits<L> {
        self.valid.get()
    }

    /// Step 6.
    pub fn joined(&self) -> Joined<L> {
        self.joined.get()
    }

    /// `rest`: what there is of the payload.
    pub fn next(&self, head: &Head<L>, head_valid: Bits<L>, rest: &Beat<L>, rest_valid: Bits<L>) -> Next<L> {
        let (in_rest, width) = (self.in_rest.get(), self.lanes.select_width());
        let whole = match &self.index {
            Some(index) => index.get().differs(head.last.slice(width, WORD - width)) & !in_rest,
            None => Bits::lit(1, 0),
        };
        let with_rest = head.has_rest & !whole;
        let last = select(with_rest, rest.tlast, !whole);
        Next { valid: head_valid & (rest_valid | !with_rest), with_rest, last, whole }
    }

    /// `head`, `rest`: what [`Self::next`] was told.
    pub fn clock(&self, next: &Next<L>, head: impl Fn() -> Head<L>, rest: impl Fn() -> Beat<L>) {
        self.valid.set(next.valid);
        when(next.valid, || {
            let (head, rest, width) = (head(), rest(), self.lanes.select_width());
            let in_rest = self.in_rest.get();
            self.joined.set(Joined {
                head: self.beat(head.bytes),
                rest: rest.tdata,
                keep: select(next.with_rest, rest.tkeep, Wide::lit(4 * self.lanes.count, 0)),
                turn: head.last.truncate(width),
                whole: next.whole,
                starts: !in_rest,
                last: next.last,
                bad: next.with_rest & rest.tuser,
                side: head.side,
            });
            self.in_rest.set(next.with_rest & !next.last);
            if let Some(index) = &self.index {
                let more = select(next.whole, index.get() + 1, index.get());
                index.set(select(next.last, Bits::lit(more.width(), 0), more));
            }
        });
    }

    /// The beat of the headers that comes next.
    fn beat(&self, bytes: Wide<L>) -> Wide<L> {
        let bytes = bytes.extend(ROOM);
        match &self.index {
            Some(index) => bytes.rotate_right(index.get(), 32 * self.lanes.count).part(0, 32 * self.lanes.count),
            None => bytes,
        }
    }
}
