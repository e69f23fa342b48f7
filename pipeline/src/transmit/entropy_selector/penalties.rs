// SPDX-License-Identifier: MIT OR Apache-2.0
//! Penalties in mode `penalty`: feedback adds to them, and requests that pass over an EV decrement them (rules K1 to
//! K5). Both use the pipeline of the marks, one change per clock cycle:
//!
//! ```text
//!  step 0      EV passed over: it takes a cycle with GOOD feedback or none
//!       2      EV to `penalties`, as its word to `words`
//!       l + 1  the marks of the CCC do not expire
//!       l + 3  penalty changed; bit of the EV set, or cleared if the penalty becomes 0
//!       l + 5  marks counted
//! ```
//!
//! A marked EV has its bit in plane 0 of its word, where requests look for it; plane 1 stays empty. So the memory of
//! penalties is never cleared: the stored penalty of an EV is valid if the EV is marked.

use super::config::EntropySelectorConfig;
use super::epoch::{Age, replicate};
use super::ports::Feedback;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, PackedRam, RmwTable};
use crate::transmit::feedback;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, bits, constant, index_width, name_nets, select, when};

/// The pipeline of events and sweeps.
const PENALTY: Pipeline = Pipeline::new("penalty");

/// Width of a penalty in bits.
const WIDTH: u32 = 4;
/// Kinds of feedback that do not add 1.
/// What a NACK adds.
const NACK_PENALTY: u64 = 4;

/// First EV that a request has passed over.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct PassedOver<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    #[width(config.ev_bits())]
    pub ev: Bits<L>,
}

/// Change of the penalty of an EV.
#[derive(Bundle)]
#[shape]
struct Change<L: Reading> {
    /// 1 if the CCC is in mode `penalty`.
    uses_penalties: Bits<L>,
    /// Kind of the feedback; 0 for a request.
    #[width(2)]
    kind: Bits<L>,
}

#[name_nets]
impl<L: Logic> Change<L> {
    /// 1 if the change is a decrement by 1.
    fn decrements(self) -> Bits<L> {
        self.uses_penalties & !self.kind.any()
    }
}

/// Contents of the registers in one clock cycle.
#[name_nets]
#[derive(Clone, Copy)]
pub struct PenaltyStep<L: Logic> {
    /// Changes in steps `l` + 1 and `l` + 3.
    ages: Change<L>,
    change: Change<L>,
    penalty: Bits<L>,
    /// 1 if the EV in step `l` + 5 is not marked any more.
    pub cleared: Bits<L>,
}

/// Table of penalties, 4 bits per EV.
#[name_nets]
pub struct Penalties<L: Logic> {
    config: EntropySelectorConfig,
    penalties: RmwTable<L, Bits<L>, PackedRam<L>>,
    /// EVs passed over, in steps 1 to `l`.
    passed: PipelineRegs<PassedOver<L>>,
    /// Changes in steps `l` + 1 to `l` + 3.
    change: PipelineRegs<Change<L>>,
    /// In steps `l` + 4 and `l` + 5: 1 if the EV is not marked any more.
    cleared: PipelineRegs<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Penalties<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, l, evs) = (bits(1), config.ram_latency, config.cccs * config.evs);
        let (passed, change) = (PassedOver::shape(config), Change::shape());
        let words = config.cccs << config.word_bits();
        let rows = || PackedRam::new(words, config.bit_bits(), WIDTH, l);
        Penalties {
            config,
            // Not reset, as the words of marks: if a word changes, the penalty must change too.
            penalties: RmwTable::of(rows, evs, l, &bits(WIDTH)).without_reset(),
            passed: PipelineRegs::new(1..=l, &passed).checked(PENALTY),
            change: PipelineRegs::new(l + 1..=l + 3, &change).checked(PENALTY),
            cleared: PipelineRegs::new(l + 4..=l + 5, &flag).checked(PENALTY),
        }
    }

    pub fn now(&self) -> PenaltyStep<L> {
        let l = self.config.ram_latency;
        PenaltyStep {
            ages: self.change.at(l + 1),
            change: self.change.at(l + 3),
            penalty: self.penalties.operand(),
            cleared: self.cleared.at(l + 5),
        }
    }

    /// EV passed over in step `step`, 1 to `l`.
    pub fn passed(&self, step: u32) -> PassedOver<L> {
        self.passed.at(step)
    }

    /// Step 0: rule K4. Returns what reads the CCC's row: an EV passed over, or feedback that may set a mark.
    pub fn arrive(&self, feedback: Feedback<L>, passed: PassedOver<L>) -> Access<L> {
        let bad = (feedback.valid & feedback.kind.any()).named("bad_feedback");
        self.passed.shift(PassedOver { valid: passed.valid & !bad, ..passed });
        Access { valid: bad | passed.valid, index: select(bad, feedback.ccc, passed.ccc) }
    }

    /// Step `l`: a change by feedback of this `kind`, or of the EV passed over, and the steps after it.
    pub fn enter(&self, uses_penalties: Bits<L>, kind: Bits<L>) {
        let (l, passed) = (self.config.ram_latency, self.passed.last().valid);
        self.change.shift(Change { uses_penalties: uses_penalties | passed, kind: kind & replicate(!passed, 2) });
        self.cleared.set(l + 5, self.cleared.at(l + 4));
    }

    /// Step 2: reads the penalty of this EV. `marks` is 1 if there is a mark in step `l` + 2.
    pub fn read(&self, valid: Bits<L>, ccc: Bits<L>, ev: Bits<L>, marks: Bits<L>) {
        let change = self.change.at(self.config.ram_latency + 2);
        let index = ccc.concat(ev).truncate(index_width(self.config.cccs * self.config.evs));
        self.penalties.clock(Access { valid, index }, marks & change.uses_penalties);
    }

    /// Step `l` + 3, if it has a mark. `ev_onehot` is the bit of its EV; `plane` is the word before the change,
    /// `was_marked` the bit of the EV in it; `marked` is the word with the mark. Returns the word after the change, and
    /// whether the EV is to be counted as marked before.
    pub fn change(
        &self,
        now: PenaltyStep<L>,
        ev_onehot: Bits<L>,
        plane: Bits<L>,
        was_marked: Bits<L>,
        marked: Bits<L>,
    ) -> (Bits<L>, Bits<L>) {
        let PenaltyStep { change, penalty, .. } = now;
        let decrements = change.decrements();
        let last = penalty.equals(1).named("last_penalty");
        let added = select(
            change.kind.equals(constant!(feedback::NACK)),
            Bits::lit(WIDTH + 1, NACK_PENALTY),
            Bits::lit(WIDTH + 1, 1),
        );
        let sum = (penalty & replicate(was_marked, WIDTH)).extend(WIDTH + 1) + added;
        let full = sum.bit(WIDTH) | change.kind.equals(constant!(feedback::TIMEOUT));
        let more = sum.truncate(WIDTH) | replicate(full, WIDTH);
        when(change.uses_penalties, || self.penalties.modify(select(decrements, penalty - 1, more)));
        self.cleared.set(self.config.ram_latency + 4, decrements & was_marked & last);
        (select(decrements, plane & !(ev_onehot & replicate(last, ev_onehot.width())), marked), was_marked | decrements)
    }
}

#[name_nets]
impl<L: Logic> PenaltyStep<L> {
    /// Step `l` + 1: rule K2. An EV passed over was marked; if its row has become stale, the result does not matter.
    pub fn age(self, age: Age<L>, marks_valid: Bits<L>) -> Age<L> {
        without_expiry(age, marks_valid | self.ages.decrements(), self.ages.uses_penalties)
    }
}

/// The age of a summary; if it `uses_penalties`, its marks do not expire while it is `marks_valid`.
#[name_nets]
pub fn without_expiry<L: Logic>(age: Age<L>, marks_valid: Bits<L>, uses_penalties: Bits<L>) -> Age<L> {
    let held = marks_valid & uses_penalties;
    Age { current: age.current | held, recent: age.recent | held }
}
