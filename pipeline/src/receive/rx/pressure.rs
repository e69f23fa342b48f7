// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much senders of UET are to slow down because the pool of frames fills (row RX19, uet.md 2.9): nothing while at least half of
//! the cells are free, then in proportion to what is missing, up to one packet per RTT when none is.

use crate::receive::ack_generator::PRESSURE_WIDTH;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select};

/// The most that rcv_cwnd_pend says.
const STOP: u64 = 127;

/// The part of `pressure` that comes from the pool.
#[name_nets]
pub struct PoolPressure<L: Logic> {
    /// Half of the cells are 2 to the power of this.
    half_log: u32,
    pend: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> PoolPressure<L> {
    /// For a pool of so many cells, a power of two.
    pub fn new(cells: u64) -> Self {
        PoolPressure { half_log: cells.ilog2() - 1, pend: Reg::new(&bits(PRESSURE_WIDTH)).with_reset() }
    }

    /// The larger one of this and what the host says.
    pub fn with(&self, host: Bits<L>) -> Bits<L> {
        let pend = self.pend.get();
        select(host.less(pend), pend, host)
    }

    /// One clock cycle with so many free cells.
    pub fn clock(&self, free: Bits<L>) {
        let width = free.width().max(self.half_log + 2).max(PRESSURE_WIDTH + 2);
        let (free, half) = (free.extend(width), Bits::lit(width, 1 << self.half_log));
        // 128 times the missing part of a half.
        let missing = half - free;
        let share = match self.half_log.checked_sub(PRESSURE_WIDTH) {
            Some(down) => missing >> u64::from(down),
            None => missing << u64::from(PRESSURE_WIDTH - self.half_log),
        };
        let pend = select(share.less(STOP + 1), share, Bits::lit(width, STOP)).truncate(PRESSURE_WIDTH);
        self.pend.set(pend.gate(free.less(1 << self.half_log)));
    }
}
