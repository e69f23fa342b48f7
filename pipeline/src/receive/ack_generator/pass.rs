// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes through the pipeline: an arrival, or in its place a command, an event, an expiry, or the sweep of a row.

use super::config::AckGeneratorConfig;
use super::packets::{RocePacket, UetPacket};
use super::ports::{Arrival, outcome};
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, name_nets, select};

/// The pipeline of passes.
pub const PASS: Pipeline = Pipeline::new("pass");

/// A pass through the pipeline. At most one of its kinds is 1.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Pass<L: Reading> {
    /// There is a pass.
    #[reset]
    pub valid: Bits<L>,
    /// An arrival.
    #[reset]
    pub arrives: Bits<L>,
    /// A command.
    #[reset]
    pub commands: Bits<L>,
    /// An event: a suspected loss.
    #[reset]
    pub reports: Bits<L>,
    /// An expiry.
    #[reset]
    pub expires: Bits<L>,
    /// The row is swept.
    #[reset]
    pub sweeps: Bits<L>,
    #[shape(config.connection())]
    pub connection: Bits<L>,
    #[width(outcome::WIDTH)]
    pub outcome: Bits<L>,
    /// The PSN of the packet; from step 5 on also that of the trigger after *open*.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// The expected PSN after an arrival or *open*.
    #[shape(config.psn())]
    pub expected: Bits<L>,
    #[shape(config.held())]
    pub held: Bits<L>,
    pub ack_request: Bits<L>,
    pub ecn: Bits<L>,
    #[shape(config.roce(RocePacket::shape()))]
    pub roce: Option<RocePacket<L>>,
    #[shape(config.uet(UetPacket::shape(config)))]
    pub uet: Option<UetPacket<L>>,
}

#[name_nets]
impl<L: Logic> Pass<L> {
    /// The pass of an arrival.
    pub fn of(arrival: Arrival<L>) -> Self {
        let no = Bits::lit(1, 0);
        Pass {
            valid: arrival.valid,
            arrives: arrival.valid,
            commands: no,
            reports: no,
            expires: no,
            sweeps: no,
            connection: arrival.connection,
            outcome: arrival.outcome,
            psn: arrival.psn,
            expected: arrival.expected,
            held: arrival.packet.held,
            ack_request: arrival.packet.ack_request,
            ecn: arrival.packet.ecn,
            roce: RocePacket::of(arrival.packet),
            uet: UetPacket::of(arrival.packet),
        }
    }

    /// The access to the row of its connection.
    pub fn access(&self) -> Access<L> {
        Access { valid: self.valid, index: self.connection }
    }

    /// 1 for an arrival with this outcome.
    pub fn is(&self, outcome: u64) -> Bits<L> {
        self.arrives & self.outcome.equals(outcome)
    }

    /// 1 for an arrival on a connection that `reorder` knows.
    pub fn known(&self) -> Bits<L> {
        self.arrives & self.outcome.differs(outcome::UNKNOWN)
    }

    /// Step 4: the pass with what *open* sets in place of the fields of a packet.
    pub fn or_opened(self) -> Self {
        Pass {
            psn: select(self.commands, self.expected - 1, self.psn),
            held: self.held.gate(self.arrives),
            ecn: self.ecn & self.arrives,
            roce: self.roce.map(|packet| packet.or_opened(self.arrives)),
            uet: self.uet.map(|packet| packet.or_opened(self.arrives, self.expected)),
            ..self
        }
    }
}
