// SPDX-License-Identifier: MIT OR Apache-2.0
//! Step 6 selects the next beat. Headers of several beats are sent one beat after the other; the last of these beats,
//! which headers never fill, also takes the beginning of the payload. After that there is one beat of the frame per
//! beat of the payload.

use super::pack::FRAME;
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
    valid: Reg<Bits<L>>,
    joined: Reg<Joined<L>>,
}

#[name_nets]
impl<L: Logic> JoinStep<L> {
    pub fn new(data_width: u32, side: Side<Shape>) -> Self {
        let (lanes, joined) = (lanes(data_width), Joined::shape(data_width, side));
        let index_width = WORD - lanes.select_width();
        JoinStep {
            lanes,
            index: (index_width > 0).then(|| Reg::new(&bits(index_width)).with_reset()),
            in_payload: Reg::new(&bits(1)).with_reset(),
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
        let with_payload = head.has_payload & !headers_only;
        let last = select(with_payload, payload.tlast, !headers_only);
        Next { valid: head_valid & (payload_valid | !with_payload), with_payload, last, headers_only }
    }

    /// `head`, `payload`: the arguments of [`Self::next`].
    pub fn clock(&self, next: &Next<L>, head: impl Fn() -> Head<L>, payload: impl Fn() -> Beat<L>) {
        self.valid.set(next.valid);
        when(next.valid, || {
            let (head, payload, width) = (head(), payload(), self.lanes.select_width());
            let in_payload = self.in_payload.get();
            self.joined.set(Joined {
                head: self.beat(head.bytes),
                payload: payload.tdata,
                keep: select(next.with_payload, payload.tkeep, Wide::lit(4 * self.lanes.count, 0)),
                rotation: head.last.truncate(width),
                headers_only: next.headers_only,
                starts: !in_payload,
                last: next.last,
                bad: next.with_payload & payload.tuser,
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
