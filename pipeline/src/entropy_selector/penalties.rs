// SPDX-License-Identifier: MIT OR Apache-2.0
//! Penalties: what feedback, and requests that pass over an EV, do in mode `counting` (rows K1 to K5). They go the way that
//! marks go, one a clock:
//!
//! ```text
//!  step 0      EV passed over: it has the clock of feedback that is GOOD, or of none
//!       2      EV to `penalties`, as its word to `words`
//!       l + 1  the CCC's row does not age
//!       l + 3  penalty changed; the EV's bit set, or cleared with the last of it
//!       l + 5  counted
//! ```
//!
//! A marked EV has its bit in plane 0 of the word, where requests look for it; plane 1 stays empty. So the memory of
//! penalties is never cleared: what it has of an EV counts if the EV is marked.

use super::EntropySelectorConfig;
use super::epoch::{Age, fill};
use super::ports::Feedback;
use crate::row::Row;
use crate::rows::Lanes;
use crate::update::{Ask, Update};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, index_width, name_nets, select, when};

/// Width of a penalty.
const WIDTH: u32 = 4;
/// Kinds of feedback that do not add 1.
const NACK: u64 = 2;
const TIMEOUT: u64 = 3;
/// What a NACK adds.
const OF_NACK: u64 = 4;

/// The first EV that a request has passed over.
#[derive(Bundle)]
pub struct PassedOver<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    pub ccc: Bits<L>,
    pub ev: Bits<L>,
}

/// What a mark does to the penalty of its EV.
#[derive(Bundle)]
struct Change<L: Reading> {
    /// It is of a CCC in this mode.
    counts: Bits<L>,
    /// That of the feedback; 0 for a request.
    kind: Bits<L>,
}

#[name_nets]
impl<L: Logic> Change<L> {
    /// It takes 1 off.
    fn takes(self) -> Bits<L> {
        self.counts & !self.kind.any()
    }
}

/// What stands in the registers in a clock.
#[name_nets]
#[derive(Clone, Copy)]
pub struct Now<L: Logic> {
    /// Steps `l` + 1 and `l` + 3.
    ages: Change<L>,
    change: Change<L>,
    penalty: Bits<L>,
    /// Step `l` + 5: the EV is not marked any more.
    pub cleared: Bits<L>,
}

/// The penalties.
#[name_nets]
pub struct Penalties<L: Logic> {
    config: EntropySelectorConfig,
    rows: Update<L, Bits<L>, Lanes<L>>,
    /// Steps 1 to `l`.
    passed: Row<PassedOver<L>>,
    /// Steps `l` + 1 to `l` + 3.
    change: [Reg<Change<L>>; 3],
    /// Steps `l` + 4 and `l` + 5: the EV is not marked any more.
    cleared: [Reg<Bits<L>>; 2],
}

#[name_nets]
impl<L: Logic> Penalties<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, latency, evs) = (bits(1), config.ram_latency, config.cccs * config.evs);
        let (passed, change) = (config.passed_over(), Change { counts: flag, kind: bits(2) });
        let words = config.cccs << config.word_bits();
        let rows = || Lanes::new(words, config.bit_bits(), WIDTH, latency);
        Penalties {
            config,
            // As the words of marks: where a word is changed its penalty must be.
            rows: Update::of(rows, evs, latency, &bits(WIDTH)).without_reset(),
            passed: Row::new(latency as usize, |i| Reg::numbered(i as u32 + 1, &passed)),
            change: [1, 2, 3].map(|i| Reg::numbered(latency + i, &change)),
            cleared: [4, 5].map(|i| Reg::numbered(latency + i, &flag)),
        }
    }

    pub fn now(&self) -> Now<L> {
        let [ages, _, change] = Reg::get_all(&self.change);
        Now { ages, change, penalty: self.rows.operand(), cleared: self.cleared[1].get() }
    }

    /// The EV passed over in step 1 and behind it.
    pub fn passed(&self, step: usize) -> PassedOver<L> {
        self.passed.get(step - 1)
    }

    /// Step 0: row K4. What asks for the CCC's row: of feedback only what may mark.
    pub fn arrive(&self, feedback: Feedback<L>, passed: PassedOver<L>) -> Ask<L> {
        let bad = (feedback.valid & feedback.kind.any()).named("bad_feedback");
        self.passed.shift(PassedOver { valid: passed.valid & !bad, ..passed });
        Ask { valid: bad | passed.valid, key: select(bad, feedback.ccc, passed.ccc) }
    }

    /// Step `l`: a mark of feedback of this `kind`, or of the EV passed over.
    pub fn enter(&self, counts: Bits<L>, kind: Bits<L>) {
        let passed = self.passed.last().valid;
        self.change[0].set(Change { counts: counts | passed, kind: kind & fill(!passed, 2) });
    }

    /// Step 2: the penalty of this EV is asked for. `marks` says whether there is a mark in step `l` + 2.
    pub fn ask(&self, valid: Bits<L>, ccc: Bits<L>, ev: Bits<L>, marks: Bits<L>) {
        let [_, change, _] = Reg::get_all(&self.change);
        let key = ccc.concat(ev).truncate(index_width(self.config.cccs * self.config.evs));
        self.rows.clock(Ask { valid, key }, marks & change.counts);
    }

    /// From step `l` + 1 on the changes go on, a step a clock.
    pub fn shift(&self) {
        for i in [2, 1] {
            self.change[i].set(self.change[i - 1].get());
        }
        self.cleared[1].set(self.cleared[0].get());
    }

    /// Step `l` + 3, where there is a mark: `hot` is the bit of its EV, `plane` the word before, in which the EV `had` a mark;
    /// `marked` is the word with it. Gives the word behind the change, and whether the EV counts as marked before.
    pub fn change(
        &self,
        now: Now<L>,
        hot: Bits<L>,
        plane: Bits<L>,
        had: Bits<L>,
        marked: Bits<L>,
    ) -> (Bits<L>, Bits<L>) {
        let Now { change, penalty, .. } = now;
        let takes = change.takes();
        let last = penalty.equals(1).named("last_penalty");
        let added = select(change.kind.equals(NACK), Bits::lit(WIDTH + 1, OF_NACK), Bits::lit(WIDTH + 1, 1));
        let sum = (penalty & fill(had, WIDTH)).extend(WIDTH + 1) + added;
        let full = sum.bit(WIDTH) | change.kind.equals(TIMEOUT);
        let more = sum.truncate(WIDTH) | fill(full, WIDTH);
        when(change.counts, || self.rows.change(select(takes, penalty - 1, more)));
        self.cleared[0].set(takes & had & last);
        (select(takes, plane & !(hot & fill(last, hot.width())), marked), had | takes)
    }
}

#[name_nets]
impl<L: Logic> Now<L> {
    /// Step `l` + 1: K2. What was passed over was marked, and whatever becomes of a row that is dead by now is void.
    pub fn age(self, age: Age<L>, alive: Bits<L>) -> Age<L> {
        ageless(age, alive | self.ages.takes(), self.ages.counts)
    }
}

/// The age of a row whose marks are penalties if it `counts`: they hold as long as it is `alive`.
#[name_nets]
pub fn ageless<L: Logic>(age: Age<L>, alive: Bits<L>, counts: Bits<L>) -> Age<L> {
    let held = alive & counts;
    Age { now: age.now | held, young: age.young | held }
}

impl EntropySelectorConfig {
    pub(super) fn passed_over(self) -> PassedOver<Shape> {
        PassedOver { valid: bits(1), ccc: self.ccc(), ev: bits(self.ev_bits()) }
    }
}
