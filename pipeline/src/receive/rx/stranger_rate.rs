// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often packets of no connection are answered (row RX14): one answer, then none for a time. So who sends such packets
//! with the address of another has the device send few to it.

use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, when};

/// Width of the time.
pub const INTERVAL_WIDTH: u32 = 31;

/// Settings of answers, which are registers.
#[derive(Bundle)]
#[shape]
pub struct AnswerSettings<L: Reading> {
    /// The registers take all fields.
    pub valid: Bits<L>,
    /// UET: clock cycles after an answer to a packet of no connection in which there is no other one. RoCEv2: the same after a
    /// congestion notification packet, for its connection; 0 for none.
    #[width(INTERVAL_WIDTH)]
    pub interval: Bits<L>,
}

/// The time until the next answer.
#[name_nets]
pub struct StrangerRate<L: Logic> {
    interval: Reg<Bits<L>>,
    left: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> StrangerRate<L> {
    /// With this time until there is another setting.
    pub fn new(interval: u64) -> Self {
        assert!(interval < 1 << INTERVAL_WIDTH, "{interval} clock cycles between answers do not fit");
        let shape = bits(INTERVAL_WIDTH);
        StrangerRate {
            interval: Reg::starting_at(&shape, Bits::lit(INTERVAL_WIDTH, interval)).with_reset(),
            left: Reg::new(&shape).with_reset(),
        }
    }

    /// There may be an answer.
    pub fn may_answer(&self) -> Bits<L> {
        !self.left.get().any()
    }

    /// One clock cycle, with an answer or without.
    pub fn clock(&self, answers: Bits<L>, settings: AnswerSettings<L>) {
        let left = self.left.get();
        when(answers, || self.left.set(self.interval.get())).or_when(left.any(), || self.left.set(left - 1));
        when(settings.valid, || {
            self.interval.set(settings.interval);
            // A time that has been too long is over.
            self.left.set(Bits::lit(INTERVAL_WIDTH, 0));
        });
    }
}
