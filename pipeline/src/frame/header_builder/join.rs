// SPDX-License-Identifier: MIT OR Apache-2.0
//! Step 6 selects the next beat. Headers of several beats are sent one beat after the other; the last of these beats,
//! which headers never fill, also takes the beginning of the payload. After that there is one beat of the frame per
//! beat of the payload. The place of a CRC that is appended is part of the payload: of its last beat, or of one more.

use super::pack::FRAME;
use super::tail::Tail;
use crate::frame::BusLayout;
use rtl_model::stream::{Beat, Side};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Wide, bits, name_nets, select, when};

/// Bits of the headers; the first word begins two bytes before the frame.
const HEAD: u32 = 32 * FRAME as u32 - 16;
/// The same, rounded up to a power of two.
const ROOM: u32 = 1024;
/// Bits of the number of a word.
const WORD: u32 = 5;

/// All headers of a frame.
#[derive(Bundle)]
#[shape(side: Side<Shape>)]
pub(super) struct Head<L: Reading> {
    /// Byte 0 of the frame in the lowest bits.
    #[width(HEAD)]
    pub bytes: Wide<L>,
    /// Number of the last word. Its last two bytes are bytes `4 last` and `4 last + 1` of the frame.
    #[width(WORD)]
    pub last: Bits<L>,
    /// 1 if payload follows the headers on `s_axis`.
    pub has_payload: Bits<L>,
    /// The side band of the frame.
    #[shape(side)]
    pub side: Side<L>,
}

/// The beat that step 6 sends next: headers, headers with payload, or payload.
#[name_nets]
#[derive(Clone, Copy)]
pub(super) struct Next<L: Logic> {
    /// 1 if a beat can be sent.
    pub valid: Bits<L>,
    /// It holds payload, or the beginning of it.
    pub with_payload: Bits<L>,
    /// A beat of the payload is taken for it.
    pub takes_payload: Bits<L>,
    /// Headers and payload end in it.
    pub last: Bits<L>,
    /// It holds only headers, and more headers follow.
    headers_only: Bits<L>,
}

fn lanes(data_width: u32) -> BusLayout {
    BusLayout { count: data_width / 32, last: FRAME as u32 - 1 }
}

/// A beat with its headers, and the rotation of its payload.
#[derive(Bundle)]
#[shape(data_width: u32, side: Side<Shape>)]
pub(super) struct Joined<L: Reading> {
    /// A beat of headers; valid if there are any in it.
    #[width(data_width)]
    pub head: Wide<L>,
    /// A beat of the payload, with `keep` 0 if there is none in it.
    #[width(data_width)]
    pub payload: Wide<L>,
    #[width(data_width / 8)]
    pub keep: Wide<L>,
    /// Words by which the payload is rotated, in addition to two bytes.
    #[width(lanes(data_width).select_width())]
    pub rotation: Bits<L>,
    /// It holds only headers, and more headers follow.
    pub headers_only: Bits<L>,
    /// It holds headers.
    pub starts: Bits<L>,
    /// Headers and payload end in it.
    pub last: Bits<L>,
    /// The source marked the payload as bad.
    pub bad: Bits<L>,
    /// The side band of the frame.
    #[shape(side)]
    pub side: Side<L>,
}

#[name_nets]
pub(super) struct JoinStep<L: Logic> {
    lanes: BusLayout,
    /// Number of the next beat of the headers, where they can have more than one.
    index: Option<Reg<Bits<L>>>,
    /// The headers have been sent, the payload has not.
    in_payload: Reg<Bits<L>>,
    /// Appends the place of a CRC.
    tail: Option<Tail<L>>,
    valid: Reg<Bits<L>>,
    joined: Reg<Joined<L>>,
}

#[name_nets]
impl<L: Logic> JoinStep<L> {
    pub fn new(data_width: u32, side: Side<Shape>, appends_crc: bool) -> Self {
        let (lanes, joined) = (lanes(data_width), Joined::shape(data_width, side));
        let index_width = WORD - lanes.select_width();
        JoinStep {
            lanes,
            index: (index_width > 0).then(|| Reg::new(&bits(index_width)).with_reset()),
            in_payload: Reg::new(&bits(1)).with_reset(),
            tail: appends_crc.then(Tail::new),
            valid: Reg::new(&bits(1)).with_reset(),
            joined: Reg::new(&joined),
        }
    }

    /// Step 6 holds a beat.
    pub fn valid(&self) -> Bits<L> {
        self.valid.get()
    }

    /// The beat in step 6; valid while [`Self::valid`] is 1.
    pub fn joined(&self) -> Joined<L> {
        self.joined.get()
    }

    /// Selects the next beat; `payload` is the next beat of the payload.
    pub fn next(&self, head: &Head<L>, head_valid: Bits<L>, payload: &Beat<L>, payload_valid: Bits<L>) -> Next<L> {
        let (in_payload, width) = (self.in_payload.get(), self.lanes.select_width());
        let headers_only = match &self.index {
            Some(index) => index.get().differs(head.last.slice(width, WORD - width)) & !in_payload,
            None => Bits::lit(1, 0),
        };
        let takes_payload = head.has_payload & !headers_only;
        let Some(tail) = &self.tail else {
            let last = select(takes_payload, payload.tlast, !headers_only);
            let valid = head_valid & (payload_valid | !takes_payload);
            return Next { valid, with_payload: takes_payload, takes_payload, last, headers_only };
        };
        let takes_payload = takes_payload & !tail.is_next();
        let last = !headers_only & (!takes_payload | payload.tlast & Tail::fits(payload.tkeep));
        let valid = head_valid & (payload_valid | !takes_payload);
        Next { valid, with_payload: !headers_only, takes_payload, last, headers_only }
    }

    /// `head`, `payload`: the arguments of [`Self::next`].
    pub fn clock(&self, next: &Next<L>, head: impl Fn() -> Head<L>, payload: impl Fn() -> Beat<L>) {
        self.valid.set(next.valid);
        when(next.valid, || {
            let (head, payload, width) = (head(), payload(), self.lanes.select_width());
            let in_payload = self.in_payload.get();
            let (keep, bad) = match &self.tail {
                Some(tail) => tail.append(next.takes_payload, &payload),
                None => (payload.tkeep, payload.tuser),
            };
            self.joined.set(Joined {
                head: self.beat(head.bytes),
                payload: payload.tdata,
                keep: select(next.with_payload, keep, Wide::lit(4 * self.lanes.count, 0)),
                rotation: head.last.truncate(width),
                headers_only: next.headers_only,
                starts: !in_payload,
                last: next.last,
                bad: next.with_payload & bad,
                side: head.side,
            });
            self.in_payload.set(next.with_payload & !next.last);
            if let Some(index) = &self.index {
                let more = select(next.headers_only, index.get() + 1, index.get());
                index.set(select(next.last, Bits::lit(more.width(), 0), more));
            }
        });
    }

    /// The next beat of the headers.
    fn beat(&self, bytes: Wide<L>) -> Wide<L> {
        let bytes = bytes.extend(ROOM);
        match &self.index {
            Some(index) => bytes.rotate_right(index.get(), 32 * self.lanes.count).part(0, 32 * self.lanes.count),
            None => bytes,
        }
    }
}
