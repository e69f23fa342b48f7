// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes through the pipeline: a single operation, one of the two passes of a walk, or the sweep of a row.

use super::config::{EV_WIDTH, PacketTrackerConfig};
use super::ports::{REASON_WIDTH, RTX_WIDTH, SIZE_WIDTH, TIME_WIDTH, TOTAL_WIDTH};
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, name_nets};

/// The pipeline of passes.
pub const PASS: Pipeline = Pipeline::new("pass");

/// A pass. At most one of its kinds is 1.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Pass<L: Reading> {
    /// The first pass of a walk, which looks at the state.
    #[reset]
    pub looks: Bits<L>,
    /// The second one, which changes it.
    #[reset]
    pub finishes: Bits<L>,
    #[reset]
    pub nacks: Bits<L>,
    #[reset]
    pub credits: Bits<L>,
    /// The end of a turn.
    #[reset]
    pub ends: Bits<L>,
    /// A new packet.
    #[reset]
    pub news: Bits<L>,
    /// The head of a scan.
    #[reset]
    pub heads: Bits<L>,
    #[reset]
    pub examines: Bits<L>,
    /// The end of a scan.
    #[reset]
    pub completes: Bits<L>,
    /// The row is swept.
    #[reset]
    pub sweeps: Bits<L>,
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// The PSN of a NACK or an examination; from step `l` + 4 on also that of a packet that is sent.
    #[shape(config.psn())]
    pub psn: Bits<L>,
}

#[name_nets]
impl<L: Logic> Pass<L> {
    /// An operation, or its end, that has its effect with this pass.
    pub fn ends_operation(&self) -> Bits<L> {
        self.finishes | self.is_single()
    }

    /// A single operation.
    pub fn is_single(&self) -> Bits<L> {
        self.nacks | self.credits | self.ends | self.news | self.heads | self.examines | self.completes
    }

    /// It may mark its PSN.
    pub fn may_mark(&self) -> Bits<L> {
        self.nacks | self.examines
    }

    /// The access to the row of its PDC; none in the sweep.
    pub fn access(&self) -> Access<L> {
        Access { valid: self.looks | self.ends_operation(), index: self.pdc }
    }

    /// The same, also in the sweep.
    pub fn any_access(&self) -> Access<L> {
        Access { valid: self.access().valid | self.sweeps, index: self.pdc }
    }
}

/// What a single operation says besides.
#[derive(Bundle)]
#[shape]
pub struct Load<L: Reading> {
    /// The size of a new packet, or the EV of a NACK.
    #[width(EV_WIDTH)]
    pub size_or_ev: Bits<L>,
    /// A new packet asks for an ACK.
    pub asks: Bits<L>,
    /// The turn is over.
    pub last: Bits<L>,
    /// The flags and the code of a NACK.
    pub marked: Bits<L>,
    pub retx: Bits<L>,
    #[width(REASON_WIDTH)]
    pub reason: Bits<L>,
    /// When a NACK arrived, or how much credit there is.
    #[width(TOTAL_WIDTH)]
    pub number: Bits<L>,
}

#[name_nets]
impl<L: Logic> Load<L> {
    /// The size of the new packet.
    pub fn size(&self) -> Bits<L> {
        self.size_or_ev.truncate(SIZE_WIDTH)
    }

    /// When the NACK arrived.
    pub fn arrived(&self) -> Bits<L> {
        self.number.truncate(TIME_WIDTH)
    }
}

/// The record of a packet.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Record<L: Reading> {
    #[width(SIZE_WIDTH)]
    pub size: Bits<L>,
    #[width(TIME_WIDTH)]
    pub stamp: Bits<L>,
    #[width(RTX_WIDTH)]
    pub rtx_count: Bits<L>,
    /// The low bits of its EV.
    #[width(config.ev_bits)]
    pub ev: Bits<L>,
}

impl PacketTrackerConfig {
    /// The bits of an EV that are kept in a record.
    pub(super) fn low_ev<L: Logic>(self, ev: Bits<L>) -> Bits<L> {
        ev.truncate(self.ev_bits)
    }

    /// The bits of an EV that are kept once for a PDC.
    pub(super) fn upper_ev<L: Logic>(self, ev: Bits<L>) -> Option<Bits<L>> {
        self.upper(|width| ev.slice(EV_WIDTH - width, width))
    }

    /// The low bits of a PSN that tell apart all from base to next.
    pub(super) fn place<L: Logic>(self, psn: Bits<L>) -> Bits<L> {
        psn.truncate(self.count_bits())
    }

    /// The row of the slot of this place.
    pub(super) fn slot<L: Logic>(self, pdc: Bits<L>, place: Bits<L>) -> Bits<L> {
        pdc.concat(place.truncate(self.slot_bits()))
    }

    /// The row of the states of this block.
    pub(super) fn word<L: Logic>(self, pdc: Bits<L>, block: Bits<L>) -> Bits<L> {
        match self.block_bits() {
            1 => pdc,
            width => pdc.concat(block.truncate(width - 1)),
        }
    }
}
