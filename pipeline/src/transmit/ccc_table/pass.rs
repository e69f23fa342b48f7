// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes through the pipeline: an event, an adjustment, a command, or the sweep of a row.

use super::config::CccTableConfig;
use super::ports::{AckEvent, SendEvent};
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Reading, Shape, bits, name_nets};

/// A pass. At most one of its kinds is 1.
#[derive(Bundle)]
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
pub struct Load<L: Reading> {
    pub ack: AckEvent<L>,
    pub send: SendEvent<L>,
    /// Of a packet sent, lost, or of a NACK.
    pub size: Bits<L>,
    /// New data.
    pub bytes: Bits<L>,
}

/// What later steps need of it.
#[derive(Bundle)]
pub struct Kept<L: Reading> {
    pub size: Bits<L>,
    pub quanta: Bits<L>,
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

impl CccTableConfig {
    pub(super) fn pass(self) -> Pass<Shape> {
        let flag = bits(1);
        Pass {
            acks: flag,
            nacks: flag,
            credits: flag,
            odd: flag,
            sends: flag,
            loses: flag,
            feeds: flag,
            commands: flag,
            adjusts: flag,
            sweeps: flag,
            ccc: self.ccc(),
        }
    }

    pub(super) fn load(self) -> Load<Shape> {
        let input = self.input_shape();
        Load { ack: input.ack, send: input.send, size: input.loss.size, bytes: input.data.bytes }
    }

    pub(super) fn kept(self) -> Kept<Shape> {
        let (input, flag) = (self.input_shape().ack, bits(1));
        Kept {
            size: input.size,
            quanta: input.quanta,
            pend: input.pend,
            restore: flag,
            marked: flag,
            reason_1: flag,
            reason_2: flag,
        }
    }
}
