// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is kept of a packet until it is checked, and what its length alone says (rows V5 and V6).

use super::ports::{CAUSE_WIDTH, DMA_LENGTH_WIDTH, LENGTH_WIDTH, Request, cause};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// The longest message, 2^31 bytes.
const LONGEST_LOG: u32 = 31;

/// A packet that waits to be checked.
#[derive(Bundle)]
#[shape]
pub struct Slot<L: Reading> {
    pub first: Bits<L>,
    pub last: Bits<L>,
    pub write: Bits<L>,
    /// The path MTU is known, so lengths matter.
    pub sized: Bits<L>,
    /// What its own length makes of it.
    #[width(CAUSE_WIDTH)]
    pub cause: Bits<L>,
    /// Of a WRITE. First: what the packets after it have to bring. Others: its length.
    #[width(DMA_LENGTH_WIDTH)]
    pub bytes: Bits<L>,
}

#[name_nets]
impl<L: Logic> Slot<L> {
    /// The slot of a request, with this path MTU.
    pub fn of(request: Request<L>, mtu: Bits<L>) -> Self {
        let Request { first, last, write, length, dma_length } = request;
        let only = first & last;
        let sized = mtu.any();
        let rest = dma_length - mtu.extend(DMA_LENGTH_WIDTH);
        let below = dma_length.at_most(mtu.extend(DMA_LENGTH_WIDTH));
        let beyond = dma_length.bit(LONGEST_LOG) & dma_length.slice(0, LONGEST_LOG).any();
        let wrong_size = select(last, length.greater(mtu) | !first & !length.any(), length.differs(mtu));
        let unequal = dma_length.differs(length.extend(DMA_LENGTH_WIDTH));
        let wrong_length = write & select(only, unequal, first & (below | beyond));
        let code = |value| Bits::lit(CAUSE_WIDTH, value);
        let found = select(wrong_size, code(cause::SIZE), select(wrong_length, code(cause::LENGTH), code(cause::NONE)));
        let bytes = select(first, rest, length.extend(DMA_LENGTH_WIDTH));
        debug_assert_eq!(length.width(), LENGTH_WIDTH, "a length and a path MTU are compared");
        Slot { first, last, write, sized, cause: found.gate(sized), bytes }
    }
}
