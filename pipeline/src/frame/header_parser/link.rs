// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 0 to 2 of the parser: words, tags, layer 3.
//!
//! ```text
//!  0 words, shifted by two bytes so that headers fall on lanes; beats counted
//!  1 EtherTypes compared, bytes of the last beat counted
//!  2 tags and layer 3 known, length of the frame known
//! ```

use crate::frame::{BusLayout, ETHERTYPE, EtherTypes, FrameLength, Link, StepStatus};
use rtl_model::stream::Beat;
use rtl_model::{Bits, Logic, Reg, Wide, bits, name_nets, when, wide};

#[name_nets]
pub(super) struct LinkSteps<L: Logic> {
    lanes: BusLayout,
    types: EtherTypes<L>,
    length: FrameLength<L>,
    // 0
    tail: Reg<Bits<L>>,
    words_0: Reg<Wide<L>>,
    bad_0: Reg<Bits<L>>,
    // 1
    words_1: Reg<Wide<L>>,
    bad_1: Reg<Bits<L>>,
    /// Words of the beat in step 2, shifted by two bytes.
    pub words_2: Reg<Wide<L>>,
    /// Step 2, in the last beat: the MAC marked the frame as bad.
    pub bad: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> LinkSteps<L> {
    pub fn new(lanes: BusLayout) -> Self {
        let data = wide(32 * lanes.count);
        LinkSteps {
            lanes,
            types: EtherTypes::new(lanes),
            length: FrameLength::new(lanes),
            tail: Reg::new(&bits(16)),
            words_0: Reg::new(&data),
            bad_0: Reg::new(&bits(1)),
            words_1: Reg::new(&data),
            bad_1: Reg::new(&bits(1)),
            words_2: Reg::new(&data),
            bad: Reg::new(&bits(1)),
        }
    }

    /// Number of tags and layer 3; valid in step 2.
    pub fn link(&self) -> Link<L> {
        self.types.link.get()
    }

    /// Step 2, in the last beat: bytes of the frame.
    pub fn length(&self) -> Bits<L> {
        self.length.get()
    }

    /// Step 2, in the last beat: the frame is longer than its length field can hold.
    pub fn too_long(&self) -> Bits<L> {
        self.length.too_long()
    }

    /// `taken`: a beat enters; `headers`: it can hold headers.
    pub fn clock(&self, steps: &StepStatus<L>, taken: Bits<L>, headers: Bits<L>, beat: Beat<L>) {
        self.length.clock(steps, taken, beat);
        // An EtherType is in the low half of a shifted word.
        self.types.clock(steps, |i| self.lanes.word(self.words_0.get(), ETHERTYPE + i).slice(0, 16));
        when(steps.active(1), || self.words_2.set(self.words_1.get()));
        when(steps.last(1), || self.bad.set(self.bad_1.get()));
        when(steps.active(0), || self.words_1.set(self.words_0.get()));
        when(steps.last(0), || self.bad_1.set(self.bad_0.get()));
        when(taken & headers, || {
            let width = 32 * self.lanes.count;
            self.words_0.set(beat.tdata.part(0, width - 16).concat(self.tail.get().widen()));
            self.tail.set(beat.tdata.slice(width - 16, 16));
        });
        when(taken & beat.tlast, || self.bad_0.set(beat.tuser));
    }
}
