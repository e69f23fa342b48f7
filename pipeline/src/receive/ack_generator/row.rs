// SPDX-License-Identifier: MIT OR Apache-2.0
//! The row of a connection: what passes read of it. What only takes and visits read is in memories of their own.

use super::config::AckGeneratorConfig;
use super::ports::{FLOWLET_WIDTH, MSN_WIDTH, TOTAL_WIDTH};
use rtl_model::{Bits, Bundle, Reading, bits};

/// The row of a connection.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Row<L: Reading> {
    pub open: Bits<L>,
    /// Differs from the bit on the side of takes while the connection is due.
    pub toggle: Bits<L>,
    /// An ACK is owed, and not due.
    pub waiting: Bits<L>,
    #[shape(config.psn())]
    pub expected: Bits<L>,
    /// Number of packets held; for RoCEv2 only whether there are some.
    #[shape(if config.roce(()).is_some() { bits(1) } else { config.held() })]
    pub held: Bits<L>,
    /// Owed: a merged packet was marked.
    pub marked: Bits<L>,
    #[shape(config.roce(RoceRow::shape()))]
    pub roce: Option<RoceRow<L>>,
    #[shape(config.uet(UetRow::shape()))]
    pub uet: Option<UetRow<L>>,
}

/// What RoCEv2 has.
#[derive(Bundle)]
#[shape]
pub struct RoceRow<L: Reading> {
    pub multipath: Bits<L>,
    /// Owed: a merged arrival had packets held, or was late.
    pub reordered: Bits<L>,
    pub suspected: Bits<L>,
    /// Owed: *code*, one bit for each.
    pub sequence: Bits<L>,
    pub not_ready: Bits<L>,
    pub invalid: Bits<L>,
    /// The gap has had its NAK.
    pub answered: Bits<L>,
    /// The delay is that of the trigger, not 0.
    pub timed: Bits<L>,
    /// Packets that count, less than the setting while the connection waits; else not used.
    #[width(8)]
    pub packets: Bits<L>,
    #[width(MSN_WIDTH)]
    pub msn: Bits<L>,
    #[width(FLOWLET_WIDTH)]
    pub top: Bits<L>,
}

/// What UET has.
#[derive(Bundle)]
#[shape]
pub struct UetRow<L: Reading> {
    /// Nothing has been merged since *open*.
    pub first: Bits<L>,
    /// Bytes that count, less than the setting while the connection waits; else not used.
    #[width(16)]
    pub bytes: Bits<L>,
    #[width(TOTAL_WIDTH)]
    pub total: Bits<L>,
}

/// What a pass does to its connection, apart from its ACK being due already.
#[derive(Bundle)]
pub struct Verdict<L: Reading> {
    /// An arrival that is not *unknown*.
    pub known: Bits<L>,
    /// It is to be answered by a reply.
    pub replies: Bits<L>,
    /// There is no room for the reply; it is merged in its place.
    pub overflows: Bits<L>,
    /// It is merged, and may become the trigger.
    pub triggers: Bits<L>,
    pub new: Bits<L>,
    pub urgent: Bits<L>,
    /// A new packet reaches the count. Apart from *urgent*, as it comes late.
    pub counts: Bits<L>,
    /// Packets or bytes that count after a new packet; MSN or bytes received after it.
    pub count: Bits<L>,
    pub sum: Bits<L>,
    pub roce: Option<RoceVerdict<L>>,
}

/// What the row makes of it.
#[derive(Bundle)]
pub struct RoceVerdict<L: Reading> {
    /// *out of sequence*, with *answered* 0.
    pub sequence: Bits<L>,
    pub not_ready: Bits<L>,
    /// *invalid*.
    pub invalid: Bits<L>,
    /// In order, on an open connection.
    pub in_order: Bits<L>,
    /// *out of sequence*, with *answered* 1.
    pub repeats: Bits<L>,
    pub refused: Bits<L>,
}
