// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is kept of a packet until it is checked, and what its length alone says (rows RQ5 and RQ6).
//!
//! A slot has 18 bits. The first packet of a WRITE says how much the others have to bring, in 32 bits, of which the slot has the low
//! ones; the others are in a memory with half as many rows, that of the pair of slots. Of two slots side by side one may be that of a
//! first packet: if both are, the second one is refused (RQ4), and neither length matters any more.

use super::ports::{CAUSE_WIDTH, DMA_LENGTH_WIDTH, MTU_WIDTH, Request, cause};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// The longest message, 2^31 bytes.
const LONGEST_LOG: u32 = 31;
/// Bits of a length that are not in the slot.
pub const HIGH_WIDTH: u32 = DMA_LENGTH_WIDTH - MTU_WIDTH;

/// A packet that waits to be checked.
#[derive(Bundle)]
#[shape]
pub struct Slot<L: Reading> {
    pub first: Bits<L>,
    pub last: Bits<L>,
    pub write: Bits<L>,
    /// It is refused for its own length; the low bits are the cause.
    pub wrong: Bits<L>,
    /// First of a WRITE: low bits of what the packets after it have to bring. Others: the length, in bytes.
    #[width(MTU_WIDTH)]
    pub low: Bits<L>,
}

#[name_nets]
impl<L: Logic> Slot<L> {
    /// The slot of a request, with this path MTU, and the high bits of what the packets after it have to bring.
    pub fn of(request: Request<L>, mtu: Bits<L>) -> (Self, Bits<L>) {
        let Request { first, last, write, length, dma_length } = request;
        let only = first & last;
        let (path_mtu, largest) = (mtu.extend(length.width()), mtu.extend(DMA_LENGTH_WIDTH));
        let rest = dma_length - largest;
        let beyond = dma_length.bit(LONGEST_LOG) & dma_length.slice(0, LONGEST_LOG).any();
        let wrong_size = select(last, length.greater(path_mtu) | !first & !length.any(), length.differs(path_mtu));
        let unequal = dma_length.differs(length.extend(DMA_LENGTH_WIDTH));
        let wrong_length = write & select(only, unequal, first & (dma_length.at_most(largest) | beyond));
        let wrong = mtu.any() & (wrong_size | wrong_length);
        let code = |value| Bits::lit(MTU_WIDTH, value);
        let cause = select(wrong_size, code(cause::SIZE), code(cause::LENGTH));
        let low = select(first & write, rest.truncate(MTU_WIDTH), length.truncate(MTU_WIDTH));
        let slot = Slot { first, last, write, wrong, low: select(wrong, cause, low) };
        (slot, rest.slice(MTU_WIDTH, HIGH_WIDTH))
    }

    /// Why it is refused for its own length.
    pub fn cause(&self) -> Bits<L> {
        self.low.truncate(CAUSE_WIDTH).gate(self.wrong)
    }

    /// It is the first packet of a WRITE of several.
    pub fn announces(&self) -> Bits<L> {
        self.first & self.write & !self.last
    }

    /// What the packets after it have to bring, or its length.
    pub fn bytes(&self, high: Bits<L>) -> Bits<L> {
        high.gate(self.first).concat(self.low)
    }
}
