// SPDX-License-Identifier: MIT OR Apache-2.0
//! The message that a connection is in, and whether a packet may follow (rows RQ4 to RQ6).

use super::config::RequestCheckConfig;
use super::ports::{CAUSE_WIDTH, DMA_LENGTH_WIDTH, cause};
use super::slot::Slot;
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// The state of a connection.
#[derive(Bundle)]
#[shape(config: RequestCheckConfig)]
pub struct Message<L: Reading> {
    /// A message is open.
    pub open: Bits<L>,
    /// It is a WRITE.
    pub write: Bits<L>,
    /// The path MTU is known, so lengths matter.
    pub sized: Bits<L>,
    /// What the WRITE still has to bring, in bytes.
    #[width(DMA_LENGTH_WIDTH)]
    pub rest: Bits<L>,
    /// Why a packet was refused; 0 if none was.
    #[width(CAUSE_WIDTH)]
    pub cause: Bits<L>,
    /// The PSN of that packet.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// That packet was to be delivered: all that come later are behind it, however far.
    pub reached: Bits<L>,
}

#[name_nets]
impl<L: Logic> Message<L> {
    /// The connection is in error.
    pub fn in_error(&self) -> Bits<L> {
        self.cause.any()
    }

    /// Whether a packet in the order of the connection is refused, and whether it is behind the one that was.
    pub fn refuses(&self, psn: Bits<L>) -> [Bits<L>; 2] {
        let ahead = psn - self.psn;
        let before = ahead.bit(ahead.width() - 1);
        [self.in_error() & (self.reached | !before), self.reached | ahead.any()]
    }

    /// Why this packet may not follow, with its [bytes](Slot::bytes); 0 if it may.
    pub fn judge(&self, packet: Slot<L>, bytes: Bits<L>) -> Bits<L> {
        let Slot { first, last, write, wrong, .. } = packet;
        let order = select(first, self.open, !self.open | write ^ self.write);
        let (missing, beyond) = (self.rest.differs(bytes), self.rest.at_most(bytes));
        let length = self.sized & write & !first & select(last, missing, beyond);
        let code = |value| Bits::lit(CAUSE_WIDTH, value);
        let of_length = select(wrong, packet.cause(), code(cause::LENGTH).gate(length));
        select(order, code(cause::ORDER), of_length)
    }

    /// The state after this packet, which may follow.
    pub fn after(&self, packet: Slot<L>, bytes: Bits<L>) -> Self {
        let Slot { first, last, write, .. } = packet;
        let rest = select(first, bytes, self.rest - bytes);
        Message { open: !last, write, rest, ..*self }
    }
}
