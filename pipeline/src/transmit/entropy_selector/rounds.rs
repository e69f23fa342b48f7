// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rounds: every EV once, in an order that the LFSR gives (rules O1, O2). For the modes `oblivious` and `round_robin`,
//! and for the EVs that REPS draws. With memories of latency `l`:
//!
//! ```text
//!  step 1      CCC to the table
//!       l + 2  EV = index ^ LFSR, if one is drawn; next index; next LFSR state if a round ends
//!       l + 3  row written
//! ```
//!
//! This is one step later than the ring, which decides by step `l` + 2 whether an EV is drawn.

use super::config::EntropySelectorConfig;
use super::mode_state::LFSR_WIDTH;
use super::modes::mode;
use super::request::AdmittedRequest;
use crate::blocks::table::{Access, RmwTable};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, constant, name_nets, select, when};

/// Position of a CCC in its round.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
struct Round<L: Reading> {
    /// The row is valid if the CCC state has the same generation.
    generation: Bits<L>,
    /// Index of the next EV in the round.
    #[width(config.ev_bits())]
    index: Bits<L>,
    /// State of the LFSR; its lowest bits give the order.
    #[width(LFSR_WIDTH)]
    lfsr: Bits<L>,
}

/// Table of the rounds of all CCCs.
#[name_nets]
pub struct Rounds<L: Logic> {
    config: EntropySelectorConfig,
    rounds: RmwTable<L, Round<L>>,
    /// EV space mask of the request in step `l` + 2.
    space_mask: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Rounds<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let round = Round::shape(config);
        Rounds {
            config,
            // Not reset, as the admitted requests are not.
            rounds: RmwTable::new(config.cccs, config.ram_latency, &round).without_reset(),
            space_mask: Reg::new(&bits(config.ev_bits())),
        }
    }

    /// One cycle; returns the next EV for the request in step `l` + 2, and advances if it `draws`. `read_access` is the
    /// request in step 1, `entering` the admitted request in step `l` + 1.
    pub fn clock(
        &self,
        read_access: Access<L>,
        entering: AdmittedRequest<L>,
        admitted: AdmittedRequest<L>,
        draws: Bits<L>,
    ) -> Bits<L> {
        let row = self.rounds.operand();
        let row_stale = row.generation.differs(admitted.generation).named("round_row_stale");
        // The first EV is the start: as the index in `round_robin`, else as lowest bits of the LFSR (rule O1).
        let round_robin = admitted.mode_state.is(constant!(mode::ROUND_ROBIN));
        let lfsr = admitted.mode_state.lfsr.concat(admitted.start);
        let index = select(row_stale, admitted.start.gate(round_robin), row.index);
        let lfsr = select(row_stale, lfsr.gate(!round_robin), row.lfsr);
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
}

/// Sixteen steps of the LFSR: x^16 + x^14 + x^13 + x^11 + 1.
#[name_nets]
fn lfsr_advance<L: Logic>(lfsr: Bits<L>) -> Bits<L> {
    let mut lfsr = lfsr;
    for _ in 0..LFSR_WIDTH {
        let bit = lfsr.bit(0) ^ lfsr.bit(2) ^ lfsr.bit(3) ^ lfsr.bit(5);
        lfsr = bit.concat(lfsr.slice(1, LFSR_WIDTH - 1));
    }
    lfsr
}
