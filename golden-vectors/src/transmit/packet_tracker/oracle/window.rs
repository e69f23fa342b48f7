// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packets of a PDC: states and records of its PSNs, one word of states for each block.

use super::Shape;

/// What a packet of the window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Neither acknowledged nor marked.
    InFlight,
    /// To be sent again.
    Marked,
    /// Acknowledged.
    Acknowledged,
}

/// The record of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Time of the latest transmission.
    pub stamp: u32,
    /// Nominal size.
    pub size: u16,
    /// Low bits of the EV of the latest transmission.
    pub ev: u16,
    /// How often it was sent again, up to 3.
    pub rtx_count: u8,
}

/// 64 PSNs with the same floor(PSN / 64).
#[derive(Clone, Copy, Debug)]
struct Block {
    acknowledged: u64,
    marked: u64,
    records: [Record; 64],
}

impl Block {
    const EMPTY: Block =
        Block { acknowledged: 0, marked: 0, records: [Record { stamp: 0, size: 0, ev: 0, rtx_count: 0 }; 64] };
}

/// States and records by PSN modulo *W*. Only those of PSNs in the window have a meaning, but a marked bit is 1 only for these.
#[derive(Clone, Debug, Default)]
pub struct Window {
    /// *W* / 64 blocks; none before the PDC was opened for the first time.
    blocks: Vec<Block>,
}

/// The place of a PSN in its block.
const fn bit(psn: u64) -> u64 {
    1 << (psn % 64)
}

impl Window {
    /// An empty window. It takes memory only the first time.
    pub fn open(&mut self, shape: Shape) {
        self.blocks.resize((shape.window / 64) as usize, Block::EMPTY);
    }

    const fn index(&self, psn: u64) -> usize {
        // A power of two.
        (psn / 64) as usize & (self.blocks.len() - 1)
    }

    fn block(&self, psn: u64) -> &Block {
        &self.blocks[self.index(psn)]
    }

    fn block_mut(&mut self, psn: u64) -> &mut Block {
        let index = self.index(psn);
        &mut self.blocks[index]
    }

    /// What is acknowledged in the block of a PSN, with other laps of the same word.
    pub fn acknowledged(&self, psn: u64) -> u64 {
        self.block(psn).acknowledged
    }

    /// What a packet is.
    pub fn state(&self, psn: u64) -> State {
        let block = self.block(psn);
        match (block.acknowledged & bit(psn), block.marked & bit(psn)) {
            (0, 0) => State::InFlight,
            (0, _) => State::Marked,
            _ => State::Acknowledged,
        }
    }

    /// Its record.
    pub fn record(&self, psn: u64) -> &Record {
        &self.block(psn).records[(psn % 64) as usize]
    }

    /// A new packet is in flight.
    pub fn send(&mut self, psn: u64, record: Record) {
        let block = self.block_mut(psn);
        block.acknowledged &= !bit(psn);
        block.marked &= !bit(psn);
        block.records[(psn % 64) as usize] = record;
    }

    /// A packet in flight is to be sent again.
    pub fn mark(&mut self, psn: u64) {
        self.block_mut(psn).marked |= bit(psn);
    }

    /// A marked packet is in flight again. Returns its record, which is to be renewed.
    pub fn send_again(&mut self, psn: u64) -> &mut Record {
        let block = self.block_mut(psn);
        block.marked &= !bit(psn);
        &mut block.records[(psn % 64) as usize]
    }

    /// A packet that was not acknowledged is so from now on. Returns whether it was marked, and its record.
    pub fn release(&mut self, psn: u64) -> (bool, Record) {
        let block = self.block_mut(psn);
        let late = block.marked & bit(psn) != 0;
        block.acknowledged |= bit(psn);
        block.marked &= !bit(psn);
        (late, block.records[(psn % 64) as usize])
    }

    /// How far the first marked packet is behind a PSN, if all marked ones are from it on and there is one.
    pub fn next_marked(&self, psn: u64) -> u64 {
        let mut block = psn - psn % 64;
        let mut marked = self.block(block).marked & (u64::MAX << (psn % 64));
        while marked == 0 {
            block += 64;
            marked = self.block(block).marked;
        }
        block + u64::from(marked.trailing_zeros()) - psn
    }
}
