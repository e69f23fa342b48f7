// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names the frames in sequence that are never delivered (row RX24), as the answers of the reorder stage say. With memories of latency
//! `l`:
//!
//! ```text
//!  cycle n          an arrival enters the reorder stage, if there is room for what may be said of it; its number to `entered`
//!        n + l + 12 answer, with the number beside it: to `frames`, unless the packet is delivered
//!        2 l + 14   on `undelivered`, if none is ahead of it
//! ```
//!
//! An answer comes for each arrival, in their order and after a time that is always the same.

use super::config::RxConfig;
use super::ports::{Undelivered, UndeliveredFrame};
use crate::blocks::fifo::Fifo;
use crate::blocks::open_count::OpenCount;
use crate::receive::reorder::{Answer, outcome};
use rtl_model::{Bits, Bundle, Logic, Reading, constant, name_nets};

/// Frames that are not delivered and wait, and arrivals that have no answer yet.
const OPEN: u64 = 32;
/// Arrivals without an answer: fewer than the latency of an answer.
const ARRIVALS: u64 = 16;

/// An arrival that has no answer yet.
#[derive(Bundle)]
#[shape(config: RxConfig)]
struct Entered<L: Reading> {
    #[shape(UndeliveredFrame::shape(config).handle)]
    handle: Bits<L>,
    /// The gate had no room for it, so the host does not know of it.
    lost: Bits<L>,
}

/// The frames that are never delivered.
#[name_nets]
pub struct UndeliveredFrames<L: Logic> {
    entered: Fifo<L, Entered<L>>,
    frames: Fifo<L, UndeliveredFrame<L>>,
    open: OpenCount<L>,
}

#[name_nets]
impl<L: Logic> UndeliveredFrames<L> {
    pub fn new(config: RxConfig) -> Self {
        let frame = UndeliveredFrame::shape(config);
        let (latency, answer) = (config.reorder.ram_latency, u64::from(config.reorder.answer_latency()));
        assert!(answer <= ARRIVALS, "each arrival has a row until its answer");
        UndeliveredFrames {
            entered: Fifo::new(ARRIVALS, latency, &Entered::shape(config)),
            frames: Fifo::new(OPEN, latency, &frame),
            open: OpenCount::new(OPEN),
        }
    }

    /// The most that wait, and clock cycles in which one that is known becomes visible.
    pub(super) fn extent(config: &RxConfig) -> (u64, u64) {
        (OPEN, u64::from(config.reorder.ram_latency) + 3)
    }

    /// There is room for what may be said of an arrival.
    pub fn room(&self) -> Bits<L> {
        !self.open.full()
    }

    /// The frame that is output.
    pub fn undelivered(&self) -> Undelivered<L> {
        Undelivered { valid: self.frames.valid(), frame: self.frames.front() }
    }

    /// One clock cycle: an arrival enters, with its number, or is that of a frame that is lost; the reorder stage answers; the frame that is
    /// output is taken, or not.
    pub fn clock(&self, (enters, handle, lost): (Bits<L>, Bits<L>, Bits<L>), answer: &Answer<L>, ready: Bits<L>) {
        let front = self.entered.front();
        let is_delivered =
            answer.outcome.equals(constant!(outcome::IN_ORDER)) | answer.outcome.equals(constant!(outcome::HELD));
        let is_over = is_delivered | front.lost;
        let [over, undelivered] = [is_over, !is_over].map(|is| is & answer.valid);
        self.open.clock(enters, self.frames.valid() & ready, over);
        let frame = UndeliveredFrame { connection: answer.connection, handle: front.handle, cause: answer.outcome };
        self.frames.clock(undelivered, || frame, ready);
        self.entered.clock(enters, || Entered { handle, lost }, answer.valid);
    }
}
