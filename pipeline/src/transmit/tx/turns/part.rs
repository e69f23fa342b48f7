// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which bytes of its message a packet has (row TX2), and its nominal size. The place of the message is held; with memories
//! of latency `l` and the place known in cycle n:
//!
//! ```text
//!  cycle n + l        row of the message
//!        n + l + 1    in its register
//!        n + l + 2    offset, payload bytes, first, last
//!        n + l + 3    nominal size, address
//! ```

use super::super::config::{ADDRESS_WIDTH, LENGTH_WIDTH, PAYLOAD_WIDTH, TxConfig};
use super::super::messages::Message;
use crate::transmit::packet_tracker::SIZE_WIDTH;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// A packet of a message.
#[derive(Bundle)]
#[shape]
pub struct Part<L: Reading> {
    /// Where its payload begins in the message.
    #[width(LENGTH_WIDTH)]
    pub offset: Bits<L>,
    /// Payload bytes.
    #[width(PAYLOAD_WIDTH)]
    pub length: Bits<L>,
    pub first: Bits<L>,
    pub last: Bits<L>,
}

/// The packet of a number in a message, step by step.
#[name_nets]
pub struct Parts<L: Logic> {
    config: TxConfig,
    message: Reg<Message<L>>,
    part: Reg<Part<L>>,
    size: Reg<Bits<L>>,
    address: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Parts<L> {
    pub fn new(config: TxConfig) -> Self {
        let flag = bits(1);
        let part: Part<Shape> = Part::shape();
        Parts {
            config,
            message: Reg::new(&Message::shape(config)),
            part: Reg::new(&part),
            size: Reg::new(&bits(SIZE_WIDTH)),
            address: Reg::new(&bits(ADDRESS_WIDTH)),
        }
    }

    /// The message.
    pub fn message(&self) -> Message<L> {
        self.message.get()
    }

    /// The packet.
    pub fn part(&self) -> Part<L> {
        self.part.get()
    }

    /// Its nominal size.
    pub fn size(&self) -> Bits<L> {
        self.size.get()
    }

    /// The address of its first byte.
    pub fn address(&self) -> Bits<L> {
        self.address.get()
    }

    /// One clock cycle: the row that was read, and the number of the packet. While the packet is offered, all is held: its
    /// message may be acknowledged meanwhile, and another one come to its place.
    pub fn clock(&self, held: Bits<L>, row: Message<L>, index: Bits<L>) {
        let Message { address, length, packets, .. } = self.message.get();
        let part = self.part.get();
        // The number of a packet has as many bits less than an offset as a packet has.
        let offset = index.extend(LENGTH_WIDTH) << u64::from(self.config.segment_log);
        let last = packets.equals(index + 1);
        let rest = (length - offset).truncate(PAYLOAD_WIDTH);
        when(!held, || {
            self.size.set(part.length + self.config.overhead());
            self.address.set(address + part.offset.extend(ADDRESS_WIDTH));
            self.part.set(Part {
                offset,
                length: select(last, rest, Bits::lit(PAYLOAD_WIDTH, self.config.segment())),
                first: !index.any(),
                last,
            });
            self.message.set(row);
        });
    }
}
