// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rounds: every EV once, in an order that the round's word gives (rows O1, O2). For the modes `oblivious` and `counter`,
//! and for what REPS draws. With memories of latency `l`:
//!
//! ```text
//!  step 1      CCC to the table
//!       l + 2  EV = index ^ word, if one is drawn; the index behind it, in a new round with the next word
//!       l + 3  written
//! ```
//!
//! One step behind the ring, which says in step `l` + 2 whether an EV is drawn.

use super::EntropySelectorConfig;
use super::modes::mode;
use super::request::AdmittedRequest;
use crate::rmw_table::{Access, RmwTable};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, constant, name_nets, select, when};

/// Width of the word: a register with feedback, of maximal length.
pub const LFSR_WIDTH: u32 = 16;

/// Where a CCC is in its round.
#[derive(Bundle)]
struct Round<L: Reading> {
    /// It counts if the life has the same.
    generation: Bits<L>,
    /// EVs of the round that have been used.
    index: Bits<L>,
    /// Its lowest bits give the order.
    lfsr: Bits<L>,
}

/// The rounds of all CCCs.
#[name_nets]
pub struct Rounds<L: Logic> {
    config: EntropySelectorConfig,
    rounds: RmwTable<L, Round<L>>,
    /// As of one clock ago.
    seed: Reg<Bits<L>>,
    /// Of the EV space of the caller in step `l` + 2.
    space_mask: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Rounds<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let round = Round { generation: bits(1), index: bits(config.ev_bits()), lfsr: bits(LFSR_WIDTH) };
        Rounds {
            config,
            // Goes on over a reset, as its callers do.
            rounds: RmwTable::new(config.cccs, config.ram_latency, &round).without_reset(),
            seed: Reg::new(&bits(LFSR_WIDTH)),
            space_mask: Reg::new(&bits(config.ev_bits())),
        }
    }

    /// One cycle; the next EV of the caller in step `l` + 2, which moves on if it `draws`. `read_access` is the request in
    /// step 1, and `entering` the caller in step `l` + 1.
    pub fn clock(
        &self,
        read_access: Access<L>,
        entering: AdmittedRequest<L>,
        admitted: AdmittedRequest<L>,
        draws: Bits<L>,
        seed: Bits<L>,
    ) -> Bits<L> {
        let (row, seeded) = (self.rounds.operand(), self.seed.get());
        self.seed.set(seed);
        let row_stale = row.generation.differs(admitted.generation).named("round_row_stale");
        let index = select(row_stale, admitted.start, row.index);
        let lfsr = select(row_stale, self.lfsr_seed(admitted, seeded), row.lfsr);
        let next = (index + 1) & self.space_mask.get();
        self.space_mask.set(self.config.space_mask(entering.space));
        let ends = (draws & !next.any()).named("round_ends");
        self.rounds.clock(read_access, entering.valid);
        when(admitted.valid, || {
            self.rounds.modify(Round {
                generation: admitted.generation,
                index: select(draws, next, index),
                lfsr: select(ends, lfsr_advance(lfsr), lfsr),
            });
        });
        (index ^ lfsr.truncate(self.config.ev_bits())).named("drawn")
    }

    /// State of the LFSR in the first round (rule O1).
    fn lfsr_seed(&self, admitted: AdmittedRequest<L>, seed: Bits<L>) -> Bits<L> {
        let ccc = admitted.ccc.extend(LFSR_WIDTH - 4).concat(Bits::lit(4, 0));
        let lfsr = (seed ^ ccc) | Bits::lit(LFSR_WIDTH, 1 << (LFSR_WIDTH - 1));
        select(admitted.mode_state.is(constant!(mode::ROUND_ROBIN)), Bits::lit(LFSR_WIDTH, 0), lfsr)
    }
}

/// Sixteen steps of the register: x^16 + x^14 + x^13 + x^11 + 1.
#[name_nets]
fn lfsr_advance<L: Logic>(lfsr: Bits<L>) -> Bits<L> {
    let mut lfsr = lfsr;
    for _ in 0..LFSR_WIDTH {
        let bit = lfsr.bit(0) ^ lfsr.bit(2) ^ lfsr.bit(3) ^ lfsr.bit(5);
        lfsr = bit.concat(lfsr.slice(1, LFSR_WIDTH - 1));
    }
    lfsr
}
