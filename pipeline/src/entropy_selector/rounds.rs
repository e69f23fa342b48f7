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
use super::request::Caller;
use crate::update::{Ask, Update};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// Width of the word: a register with feedback, of maximal length.
pub const WORD_WIDTH: u32 = 16;

/// Where a CCC is in its round.
#[derive(Bundle)]
struct Round<L: Reading> {
    /// It counts if the life has the same.
    turn: Bits<L>,
    /// EVs of the round that have been used.
    index: Bits<L>,
    /// Its lowest bits give the order.
    word: Bits<L>,
}

/// The rounds of all CCCs.
#[name_nets]
pub struct Rounds<L: Logic> {
    config: EntropySelectorConfig,
    rounds: Update<L, Round<L>>,
    /// As of one clock ago.
    seed: Reg<Bits<L>>,
    /// Of the EV space of the caller in step `l` + 2.
    reach: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Rounds<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let round = Round { turn: bits(1), index: bits(config.ev_bits()), word: bits(WORD_WIDTH) };
        Rounds {
            config,
            // Goes on over a reset, as its callers do.
            rounds: Update::new(config.cccs, config.ram_latency, &round).without_reset(),
            seed: Reg::new(&bits(WORD_WIDTH)),
            reach: Reg::new(&bits(config.ev_bits())),
        }
    }

    /// One cycle; the next EV of the caller in step `l` + 2, which moves on if it `draws`. `asked` is the request in
    /// step 1, and `arrives` the caller in step `l` + 1.
    pub fn clock(
        &self,
        asked: Ask<L>,
        arrives: Caller<L>,
        caller: Caller<L>,
        draws: Bits<L>,
        seed: Bits<L>,
    ) -> Bits<L> {
        let (row, seeded) = (self.rounds.operand(), self.seed.get());
        self.seed.set(seed);
        let fresh = row.turn.differs(caller.turn).named("round_fresh");
        let index = select(fresh, caller.start, row.index);
        let word = select(fresh, self.first_word(caller, seeded), row.word);
        let next = (index + 1) & self.reach.get();
        self.reach.set(self.config.reach(arrives.space));
        let ends = (draws & !next.any()).named("round_ends");
        self.rounds.clock(asked, arrives.valid);
        when(caller.valid, || {
            self.rounds.change(Round {
                turn: caller.turn,
                index: select(draws, next, index),
                word: select(ends, stepped(word), word),
            });
        });
        (index ^ word.truncate(self.config.ev_bits())).named("drawn")
    }

    /// Row O1.
    fn first_word(&self, caller: Caller<L>, seed: Bits<L>) -> Bits<L> {
        let ccc = caller.ccc.extend(WORD_WIDTH - 4).concat(Bits::lit(4, 0));
        let word = (seed ^ ccc) | Bits::lit(WORD_WIDTH, 1 << (WORD_WIDTH - 1));
        select(caller.way.is(mode::COUNTER), Bits::lit(WORD_WIDTH, 0), word)
    }
}

/// Sixteen steps of the register: x^16 + x^14 + x^13 + x^11 + 1.
#[name_nets]
fn stepped<L: Logic>(word: Bits<L>) -> Bits<L> {
    let mut word = word;
    for _ in 0..WORD_WIDTH {
        let bit = word.bit(0) ^ word.bit(2) ^ word.bit(3) ^ word.bit(5);
        word = bit.concat(word.slice(1, WORD_WIDTH - 1));
    }
    word
}
