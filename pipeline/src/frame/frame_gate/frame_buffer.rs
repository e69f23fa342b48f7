// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of beats: a frame is written as it comes, and released or rolled back at its end.
//!
//! ```text
//!         read ->                start ->        write ->
//!  | free | released frames ..... | this frame .. | free |
//! ```

use super::config::{FrameGateConfig, USER};
use crate::blocks::prefetch_fifo::PrefetchFifo;
use rtl_model::stream::Beat;
use rtl_model::{Bits, Logic, Reg, bits, clog2, name_nets, when};

#[name_nets]
pub(super) struct FrameBuffer<L: Logic> {
    beats: PrefetchFifo<L, Beat<L>>,
    /// Write pointer: row of the next beat.
    write: Reg<Bits<L>>,
    /// Row of the first beat of this frame.
    start: Reg<Bits<L>>,
    /// There was no room for a beat of this frame; its further beats are not stored.
    overflowed: Reg<Bits<L>>,
    /// `start` delayed by one and two clock cycles, until the record can be read as well.
    released: Option<[Reg<Bits<L>>; 2]>,
    /// Number of beats in the memory, one clock cycle ago.
    fill: Reg<Bits<L>>,
    high_water: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> FrameBuffer<L> {
    pub fn new(config: &FrameGateConfig) -> Self {
        let pointer = bits(clog2(config.beats) + 1);
        let beat = Beat::shape(config.data_width, USER, config.side_band.shape());
        FrameBuffer {
            beats: PrefetchFifo::new(config.beats, config.ram_latency, &beat),
            write: Reg::new(&pointer).with_reset(),
            start: Reg::new(&pointer).with_reset(),
            overflowed: Reg::new(&bits(1)).with_reset(),
            released: config.records.then(|| [1, 2].map(|i| Reg::numbered(i, &pointer).with_reset())),
            fill: Reg::new(&pointer).with_reset(),
            high_water: Reg::new(&pointer).with_reset(),
        }
    }

    /// There is room for a beat, and there was for the earlier beats of its frame.
    pub fn fits(&self) -> Bits<L> {
        !self.overflowed.get() & !self.beats.full(self.write.get())
    }

    /// There is a beat.
    pub fn valid(&self) -> Bits<L> {
        self.beats.valid()
    }

    /// The released beat to take next; valid while [`Self::valid`] is 1.
    pub fn front(&self) -> Beat<L> {
        self.beats.front()
    }

    /// The largest number of beats that the memory has held.
    pub fn high_water(&self) -> Bits<L> {
        self.high_water.get()
    }

    /// One clock edge. `accept`: if the frame ends in this beat, it is released.
    pub fn clock(&self, valid: Bits<L>, beat: Beat<L>, accept: Bits<L>, ready: Bits<L>) {
        let (write, start, fits) = (self.write.get(), self.start.get(), self.fits());
        let (fill, high_water) = (self.fill.get(), self.high_water.get());
        when(high_water.less(fill), || self.high_water.set(fill));
        self.fill.set(write - self.beats.read());
        let released = match &self.released {
            None => start,
            Some(released) => {
                let [released_1, released_2] = Reg::get_all(released);
                released[1].set(released_1);
                released[0].set(start);
                released_2
            }
        };
        let stores = (valid & fits).named("stores");
        when(stores, || self.beats.write(write, beat));
        let next = write + 1;
        when(valid, || {
            self.overflowed.set(!fits & !beat.tlast);
            when(beat.tlast & accept, || self.start.set(next));
            // A frame that cannot pass frees its rows at once.
            let stays = fits & (accept | !beat.tlast);
            when(stays, || self.write.set(next)).otherwise(|| self.write.set(start));
        });
        self.beats.clock(released, ready);
    }
}
