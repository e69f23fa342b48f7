// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes through the pipeline: an event, an adjustment, a command, or the sweep of a row.

use super::config::CccTableConfig;
use super::ports::{AckEvent, BACKLOG_WIDTH, QUANTA_WIDTH, SIZE_WIDTH, SendEvent};
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, name_nets};

/// The pipeline of passes.
pub const PASS: Pipeline = Pipeline::new("pass");

/// A pass. At most one of its kinds is 1.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Pass<L: Reading> {
    /// An ACK.
    #[reset]
    pub acks: Bits<L>,
    #[reset]
    pub nacks: Bits<L>,
    /// Credit.
    #[reset]
    pub credits: Bits<L>,
    /// An event of `ack` of no kind.
    #[reset]
    pub odd: Bits<L>,
    /// An event of `send`.
    #[reset]
    pub sends: Bits<L>,
    #[reset]
    pub loses: Bits<L>,
    /// New data.
    #[reset]
    pub feeds: Bits<L>,
    #[reset]
    pub commands: Bits<L>,
    #[reset]
    pub adjusts: Bits<L>,
    /// The row is swept.
    #[reset]
    pub sweeps: Bits<L>,
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
}

#[name_nets]
impl<L: Logic> Pass<L> {
    /// An event.
    pub fn is_event(&self) -> Bits<L> {
        self.acks | self.nacks | self.credits | self.odd | self.sends | self.loses | self.feeds
    }

    /// The access to the row of its CCC; none in the sweep.
    pub fn access(&self) -> Access<L> {
        Access { valid: self.is_event() | self.commands | self.adjusts, index: self.ccc }
    }

    /// The same, also in the sweep.
    pub fn any_access(&self) -> Access<L> {
        Access { valid: self.access().valid | self.sweeps, index: self.ccc }
    }
}

/// The fields of the event.
#[derive(Bundle)]
#[shape(config: CccTableConfig)]
pub struct Load<L: Reading> {
    pub ack: AckEvent<L>,
    pub send: SendEvent<L>,
    /// Of a packet sent, lost, or of a NACK.
    #[width(SIZE_WIDTH)]
    pub size: Bits<L>,
    /// New data.
    #[width(BACKLOG_WIDTH)]
    pub bytes: Bits<L>,
}

/// What later steps need of it.
#[derive(Bundle)]
#[shape]
pub struct Kept<L: Reading> {
    #[width(SIZE_WIDTH)]
    pub size: Bits<L>,
    #[width(QUANTA_WIDTH)]
    pub quanta: Bits<L>,
    #[width(7)]
    pub pend: Bits<L>,
    pub restore: Bits<L>,
    pub marked: Bits<L>,
    /// A NACK of reason 1, and of reason 2.
    pub reason_1: Bits<L>,
    pub reason_2: Bits<L>,
}

#[name_nets]
impl<L: Logic> Load<L> {
    /// What later steps need.
    pub fn kept(&self) -> Kept<L> {
        let AckEvent { quanta, pend, restore, marked, reason, .. } = self.ack;
        let (reason_1, reason_2) = (reason.equals(1), reason.equals(2));
        Kept { size: self.size, quanta, pend, restore, marked, reason_1, reason_2 }
    }
}

#[name_nets]
impl<L: Logic> Kept<L> {
    /// Bytes that are newly received.
    pub fn received(&self) -> Bits<L> {
        self.quanta.concat(Bits::lit(8, 0))
    }
}
