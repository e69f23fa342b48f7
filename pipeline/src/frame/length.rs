// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps 0 to 2: the length of the frame, in its last beat.

use super::lanes::BusLayout;
use super::steps::StepStatus;
use rtl_model::stream::Beat;
use rtl_model::{Bits, Logic, Reg, Wide, bits, name_nets, select, when, wide};

/// Bits of a frame length. A frame of 128 KiB or more is too long: an IP packet with Ethernet and two tags has at most
/// 65,597 bytes.
pub(crate) const LENGTH: u32 = 17;

/// Whole beats counted, bytes of the last beat counted, both together.
#[name_nets]
pub(crate) struct FrameLength<L: Logic> {
    /// Bits that count the bytes of a beat.
    byte_width: u32,
    keep: Reg<Wide<L>>,
    whole: Reg<Bits<L>>,
    whole_0: Reg<Bits<L>>,
    bytes_before: Reg<Bits<L>>,
    bytes_kept: Reg<Bits<L>>,
    length: Reg<Bits<L>>,
    too_long: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> FrameLength<L> {
    pub fn new(lanes: BusLayout) -> Self {
        let byte_width = lanes.select_width() + 2;
        FrameLength {
            byte_width,
            keep: Reg::new(&wide(4 * lanes.count)),
            whole: Reg::new(&bits(LENGTH + 1 - byte_width)).with_reset(),
            whole_0: Reg::new(&bits(LENGTH + 1 - byte_width)),
            bytes_before: Reg::new(&bits(LENGTH + 1 - byte_width)),
            bytes_kept: Reg::new(&bits(byte_width + 1)),
            length: Reg::new(&bits(LENGTH)),
            too_long: Reg::new(&bits(1)),
        }
    }

    /// Step 2, in the last beat: bytes of the frame; all ones if it is too long.
    pub fn get(&self) -> Bits<L> {
        self.length.get()
    }

    /// Step 2, in the last beat: the frame has 2^[`LENGTH`] bytes or more.
    pub fn too_long(&self) -> Bits<L> {
        self.too_long.get()
    }

    /// `taken`: a beat enters.
    pub fn clock(&self, steps: &StepStatus<L>, taken: Bits<L>, beat: Beat<L>) {
        when(steps.last(1), || {
            let zero = Bits::lit(self.byte_width, 0);
            let bytes = self.bytes_before.get().concat(zero) + self.bytes_kept.get().extend(LENGTH + 1);
            let too_long = bytes.bit(LENGTH);
            self.length.set(select(too_long, !Bits::lit(LENGTH, 0), bytes.truncate(LENGTH)));
            self.too_long.set(too_long);
        });
        when(steps.last(0), || {
            self.bytes_before.set(self.whole_0.get());
            self.bytes_kept.set(kept_bytes(self.keep.get()));
        });
        when(taken, || {
            // Whole beats before this one: all beats but the last are whole. The count stops when the frame is too
            // long.
            let whole = self.whole.get();
            let most = whole.bit(whole.width() - 1);
            when(beat.tlast, || {
                self.keep.set(beat.tkeep);
                self.whole_0.set(whole);
                self.whole.set(Bits::lit(whole.width(), 0));
            })
            .otherwise(|| self.whole.set(select(most, whole, whole + 1)));
        });
    }
}

/// Number of ones of a `tkeep`, which is contiguous from bit 0: full groups of eight, and the rest of one group.
#[name_nets]
fn kept_bytes<L: Logic>(keep: Wide<L>) -> Bits<L> {
    let groups = keep.width() / 8;
    let group = |i: u32| keep.slice(8 * i, 8);
    if groups == 1 {
        return group(0).count_ones();
    }
    let mut full = group(0).bit(7);
    let mut rest = Bits::lit(8, 0);
    for i in 0..groups {
        let kept = group(i);
        if i > 0 {
            full = kept.bit(7).concat(full);
        }
        rest = rest | select(kept.bit(7), Bits::lit(8, 0), kept);
    }
    let full = full.count_ones().concat(Bits::lit(3, 0));
    full + rest.count_ones().extend(full.width())
}
