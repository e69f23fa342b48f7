// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 7 and 8: the payload is rotated to its place and put after the headers or after its own last bytes.
//!
//! ```text
//!  headers of 10 bytes   h0 h1 h2 h3 h4 h5 h6 h7 | h8 h9 p0 p1 p2 p3 p4 p5 | p6 p7 p8
//!  payload at the input                            p0 p1 p2 p3 p4 p5 p6 p7 | p8
//!  rotated by 2                                    p6 p7 p0 p1 p2 p3 p4 p5 |       p8
//! ```
//!
//! Bytes that are rotated over the end of the beat are the beginning of the next one. If that happens in the last beat,
//! the frame has one more beat. Bytes behind the end of the frame are 0.

use super::join::JoinStep;
use super::ports::USER;
use crate::frame::{BusLayout, kept};
use crate::headers::reason::DropReason;
use rtl_model::stream::{Beat, Side};
use rtl_model::{Bits, Logic, Reg, Shape, Wide, bits, name_nets, select, when, wide};

/// The output of step 7.
#[name_nets]
#[derive(Clone, Copy)]
pub(super) struct Out<L: Logic> {
    /// There is a beat.
    pub valid: Bits<L>,
    /// One more beat follows it.
    pub extra_beat: Bits<L>,
    /// It is the last beat of the frame.
    pub tlast: Bits<L>,
    /// The source marked the frame as bad.
    pub bad: Bits<L>,
}

#[name_nets]
pub(super) struct MergeStep<L: Logic> {
    lanes: BusLayout,
    valid: Reg<Bits<L>>,
    /// The beginning of the beat: headers, or bytes left over from the beat before.
    low: Reg<Wide<L>>,
    /// Payload beat rotated to its place after the headers.
    high: Reg<Wide<L>>,
    keep: Reg<Wide<L>>,
    /// One bit per two bytes: they come from `low`.
    is_low: Reg<Bits<L>>,
    last: Reg<Bits<L>>,
    bad: Reg<Bits<L>>,
    side: Reg<Side<L>>,
    /// This is the extra beat.
    in_extra_beat: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> MergeStep<L> {
    pub fn new(data_width: u32, side: Side<Shape>) -> Self {
        let lanes = BusLayout { count: data_width / 32, last: 0 };
        MergeStep {
            lanes,
            valid: Reg::new(&bits(1)).with_reset(),
            low: Reg::new(&wide(data_width)),
            high: Reg::new(&wide(data_width)),
            keep: Reg::new(&wide(data_width / 8)),
            is_low: Reg::new(&bits(2 * lanes.count)),
            last: Reg::new(&bits(1)),
            bad: Reg::new(&bits(1)),
            side: Reg::new(&side),
            in_extra_beat: Reg::new(&bits(1)),
        }
    }

    pub fn out(&self) -> Out<L> {
        let (valid, last) = (self.valid.get(), self.last.get());
        // Bytes are contiguous, so if some are rotated over the end, the first of the beat is.
        let over = self.keep.get().bit(0) & !self.in_extra_beat.get();
        Out { valid, extra_beat: valid & last & over, tlast: last & !over, bad: self.bad.get() }
    }

    pub fn beat(&self, out: &Out<L>) -> Beat<L> {
        let (is_low, keep) = (self.is_low.get(), self.keep.get());
        let (bytes, lower) = (is_low.spread(16), is_low.spread(2));
        let tdata = (self.low.get() & bytes) | (self.high.get() & !bytes);
        let tkeep = select(self.in_extra_beat.get(), keep & lower, keep | lower);
        let bad = Bits::lit(USER, DropReason::BadFrame.code() << 1 | 1);
        let tuser = select(out.tlast & out.bad, bad, Bits::lit(USER, 0));
        kept(Beat { tdata, tkeep, tlast: out.tlast, tuser, side: self.side.get() })
    }

    /// Called when there is room for the output. `from`: step 6.
    pub fn clock(&self, out: &Out<L>, from: &JoinStep<L>) {
        when(out.extra_beat, || {
            self.low.set(self.high.get());
            self.in_extra_beat.set(Bits::lit(1, 1));
        })
        .otherwise(|| {
            self.valid.set(from.valid());
            when(from.valid(), || {
                let from = from.joined();
                let rotation = from.rotation;
                self.low.set(select(from.starts, from.head, self.high.get()));
                self.high.set(align_payload(from.payload, rotation, 32));
                self.keep.set(align_payload(from.keep, rotation, 4));
                let ones = |count: u32| Bits::lit(count, u64::MAX >> (64 - count));
                let all = ones(2 * self.lanes.count);
                let bytes_of_low = !(all << rotation.concat(Bits::lit(1, 1)));
                self.is_low.set(select(from.headers_only, all, bytes_of_low));
                self.last.set(from.last);
                self.bad.set(from.bad);
                self.side.set(from.side);
                self.in_extra_beat.set(Bits::lit(1, 0));
            });
        });
    }
}

/// The beat rotated up by `words` of four bytes, of `unit` bits, and two bytes.
#[name_nets]
fn align_payload<L: Logic>(beat: Wide<L>, words: Bits<L>, unit: u32) -> Wide<L> {
    let back = Bits::lit(words.width(), 0) - words;
    let align_payload = beat.rotate_right(back, unit);
    let (width, half) = (beat.width(), unit / 2);
    align_payload.part(0, width - half).concat(align_payload.part(width - half, half))
}
