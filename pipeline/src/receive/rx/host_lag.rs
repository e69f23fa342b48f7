// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether it is the host for which the pool of frames has no place (row RX27). It *lags* if `m_delivery` has been stalled for so
//! many clock cycles since it last had nothing to offer: at the rate of the bus so many beats of the pool wait for the host alone.

use crate::receive::reorder::PayloadConfig;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, when};

/// The part of the pool that may wait for the host before it lags, as a power of two.
const PART_LOG: u32 = 3;

/// Clock cycles in which the host has taken nothing.
#[name_nets]
pub struct HostLag<L: Logic> {
    /// Its highest bit stays 1.
    stalls: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> HostLag<L> {
    pub fn new(pool: PayloadConfig) -> Self {
        HostLag { stalls: Reg::new(&bits(pool.beats().ilog2() - PART_LOG + 1)).with_reset() }
    }

    /// The host lags.
    pub fn lags(&self) -> Bits<L> {
        let stalls = self.stalls.get();
        stalls.bit(stalls.width() - 1)
    }

    /// One clock cycle, with a beat for the host or without; it is ready or not.
    pub fn clock(&self, offers: Bits<L>, ready: Bits<L>) {
        let (stalls, counts) = (self.stalls.get(), !ready & !self.lags());
        when(!offers, || self.stalls.set(Bits::lit(stalls.width(), 0))).or_when(counts, || self.stalls.set(stalls + 1));
    }
}
