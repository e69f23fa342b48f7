// SPDX-License-Identifier: MIT OR Apache-2.0
//! The feedback pipeline: it sets a mark and sends the changed state to the request side. With memories of latency 2:
//!
//! ```text
//!  step 0  accept    CCC to `ccc_states` and to `summaries`
//!       2  admit     open? EV in range? then the word to `words`
//!       3  age       summary: expired planes emptied, the word's plane made valid
//!       4  written?  was the word written in each plane? the CCC to `counts`
//!       5  mark      word: the bit set in the plane of this epoch, cleared in the other
//!       7  count     marks of each plane
//!       8  update    summary and counts to the request side and to `ccc_control`
//!      10  update    word to the request side, two steps later, because requests read it two steps later
//! ```
//!
//! With memories of latency `l`, `admit` is step `l`, and all later steps keep their distance from it. `words` and
//! `counts` are read in steps 2 and 4 nevertheless: their rows are needed in steps `l` + 3 and `l` + 5.
//!
//! A CCC has two planes of one bit per EV, for marks of even and of odd epochs, so that a mark expires without a write:
//! two epochs later its plane is the current one again, and is empty until a first mark restarts it. The restart is
//! lazy: the CCC's summary has one bit per word and plane, which tells whether the word has been written since. With
//! the epoch of the last change beside these bits, ageing a CCC needs only one row. An EV has a mark in at most one
//! plane. So two counts are enough: all marks, and those of the epoch of the last change, which are the only valid ones
//! one epoch later.
//!
//! A reset discards marks up to step `l` + 2. After that step the summary has been written, and the writes that belong
//! to it must follow, so that the tables agree when a CCC is opened again.
//!
//! In mode `penalty` a mark is a penalty: see [`super::penalties`].

use super::config::EntropySelectorConfig;
use super::epoch::{Age, age, current, epoch_of, planes_held, replicate, rtt_count};
use super::mode_state::ModeState;
use super::penalties::{self, PassedOver, Penalties};
use super::ports::{EV_WIDTH, Feedback, KIND_WIDTH};
use super::records::{
    CccState, Counts, Summary, SummaryUpdate, Word, WordUpdate, marked, marks_valid, next_generation,
};
use super::request::AdmittedFeedback;
use super::space::outside_space;
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable};
use rtl_model::{Bits, Bundle, Delay, Logic, Pipeline, Reading, Reg, bits, index_width, name_nets, select, when};

/// The pipeline of events.
const MARK: Pipeline = Pipeline::new("mark");

/// Accepted feedback in steps 1 to `l`.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
struct Arrived<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(config.ccc())]
    ccc: Bits<L>,
    #[width(EV_WIDTH)]
    ev: Bits<L>,
    /// 1 if the CCC number is below `cccs` and the sweep is over.
    index_valid: Bits<L>,
    /// For each exponent of an EV space, one bit: whether the EV is outside it.
    #[width(config.ev_bits() + 1)]
    outside_space: Bits<L>,
    #[width(KIND_WIDTH)]
    kind: Bits<L>,
    /// RTTs of class 0 at its acceptance.
    #[shape(rtt_count())]
    rtts: Bits<L>,
}

/// Mark in the pipeline, from step `l` + 1 on.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
struct Mark<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(config.ccc())]
    ccc: Bits<L>,
    #[width(config.ev_bits())]
    ev: Bits<L>,
    /// Parity of its epoch, which selects the plane.
    odd: Bits<L>,
}

/// The feedback pipeline: marks EVs and sends updates to the request side.
#[name_nets]
pub struct Marker<L: Logic> {
    config: EntropySelectorConfig,
    arrived: PipelineRegs<Arrived<L>>,
    /// Marks in steps `l` + 1 to `l` + 6.
    mark: PipelineRegs<Mark<L>>,
    /// Epoch of its CCC as of the acceptance of the mark in step `l` + 1.
    epoch: Reg<Bits<L>>,
    /// Stale mark generations of the CCC of the mark in step `l` + 1.
    stale_mark_generations: Reg<[Bits<L>; 2]>,
    /// Summaries of all CCCs.
    summaries: RmwTable<L, Summary<L>>,
    /// Words of marks of all CCCs.
    words: RmwTable<L, Word<L>>,
    /// Mark counts of all CCCs.
    counts: RmwTable<L, Counts<L>>,
    /// Age of the CCC's summary before the mark.
    age: Delay<Age<L>>,
    /// Words written before this mark, in the planes that hold valid marks.
    written: Reg<[Bits<L>; 2]>,
    /// 1 if the word of the mark is one of them, per plane.
    in_word: Reg<[Bits<L>; 2]>,
    /// One-hot position of the EV in its word.
    ev_onehot: Reg<Bits<L>>,
    /// 1 if the EV had a mark before, per plane.
    was_marked: PipelineRegs<[Bits<L>; 2]>,
    /// Summary after the mark, delayed to its update in step `l` + 6.
    summary: Delay<Summary<L>>,
    /// Word after the mark, delayed to its update in step `l` + 8.
    word: Delay<WordUpdate<L>>,
    /// Penalties of mode `penalty`; absent if the mode is not built.
    penalties: Option<Penalties<L>>,
    /// Counter: feedback for CCCs that are not open.
    closed: Counter<L>,
    /// Counter: feedback for EVs outside the EV space.
    range: Counter<L>,
}

#[name_nets]
impl<L: Logic> Marker<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ccc, ev) = (bits(1), config.ccc(), bits(config.ev_bits()));
        let arrived = Arrived::shape(config);
        let mark = Mark::shape(config);
        let l = config.ram_latency;
        Marker {
            config,
            arrived: PipelineRegs::new(1..=l, &arrived).checked(MARK),
            mark: PipelineRegs::of(l + 1..=l + 6, |step| {
                let mark = Reg::numbered(step, &mark);
                if step > l + 2 { mark.without_reset() } else { mark }
            })
            .checked(MARK),
            // Belongs to a mark, which has the valid bit.
            epoch: Reg::new(&Summary::shape(config).epoch).without_reset(),
            stale_mark_generations: Reg::new(&[bits(2); 2]),
            summaries: RmwTable::new(config.cccs, l, &Summary::shape(config)),
            // Not reset: what belongs to a written summary must be written too.
            words: RmwTable::new(config.cccs << config.word_bits(), l, &Word::shape(config)).without_reset(),
            counts: RmwTable::new(config.cccs, l, &Counts::shape(config)).without_reset(),
            age: Delay::new(&Age::shape(), 4),
            written: Reg::new(&[bits(config.words()); 2]),
            in_word: Reg::new(&[flag; 2]),
            ev_onehot: Reg::new(&bits(config.word_width())),
            was_marked: PipelineRegs::new(l + 4..=l + 5, &[flag; 2]).checked(MARK),
            summary: Delay::new(&Summary::shape(config), 4),
            word: Delay::new(&WordUpdate::shape(config), 4).without_reset(),
            penalties: config.modes.has_penalty().then(|| Penalties::new(config)),
            closed: Counter::new(32),
            range: Counter::new(32),
        }
    }

    /// Update in step `l` + 6.
    pub fn summary_update(&self) -> SummaryUpdate<L> {
        let mark = self.mark.last();
        SummaryUpdate { valid: mark.valid, ccc: mark.ccc, summary: self.summary.get(), counts: self.counts.modified() }
    }

    /// Update in step `l` + 8.
    pub fn word_update(&self) -> WordUpdate<L> {
        self.word.get()
    }

    /// Counters: feedback for closed CCCs, and for EVs outside the EV space.
    pub fn refused(&self) -> (Bits<L>, Bits<L>) {
        (self.closed.get(), self.range.get())
    }

    /// The feedback in step `l`, if it is admitted. `ccc_state` and `mode_state` are those of its CCC.
    pub fn admitted_feedback(&self, ccc_state: CccState<L>, mode_state: ModeState<L>) -> AdmittedFeedback<L> {
        let at = self.arrived.last();
        // Another EV would not help after a trim at the last hop, which is kind 4 (rule S4).
        let acts = !ccc_state.rod & !at.kind.bit(KIND_WIDTH - 1);
        let valid = (at.valid & at.index_valid & ccc_state.open & acts & !self.out_of_range(at, ccc_state))
            .named("feedback_admitted");
        AdmittedFeedback {
            valid,
            ccc: at.ccc,
            ev: at.ev.truncate(self.config.ev_bits()),
            kind: at.kind.truncate(KIND_WIDTH - 1),
            generation: ccc_state.generation,
            epoch: epoch_of(at.rtts, ccc_state.rtt_class),
            mode_state,
        }
    }

    /// Whether the EV of a feedback for an open CCC is not one of its EVs (rules S8, S17, S22).
    fn out_of_range(&self, at: Arrived<L>, ccc_state: CccState<L>) -> Bits<L> {
        let foreign = self.config.foreign(at.ev, ccc_state.upper);
        (at.outside_space.slice_at(ccc_state.space, 1) | foreign).named("out_of_range")
    }

    /// One cycle. `passed` is an EV passed over, if mode `penalty` is built; `ccc_state` is that of the feedback in
    /// step `l`, and `admitted_feedback` the result of [`Self::admitted_feedback`].
    pub fn clock(
        &self,
        feedback: Feedback<L>,
        passed: Option<PassedOver<L>>,
        swept: Bits<L>,
        rtts: Bits<L>,
        ccc_state: CccState<L>,
        admitted_feedback: AdmittedFeedback<L>,
    ) {
        let (config, l, at) = (self.config, self.config.ram_latency, self.arrived.last());
        let [mark_1, mark_2, mark_3, mark_4, mark_5, _] = self.mark.each();
        let (summary, word, counts) = (self.summaries.operand(), self.words.operand(), self.counts.operand());
        let penalties = self.penalties.as_ref().map(Penalties::now);

        // l + 8, l + 6: the updates.
        let word_update = WordUpdate {
            valid: mark_4.valid,
            ccc: mark_4.ccc,
            word: self.word_of(mark_4.ev),
            value: self.words.modified(),
        };
        self.word.shift(word_update);
        self.summary.shift(self.summaries.modified());

        // l
        let open = (at.index_valid & ccc_state.open).named("feedback_open");
        let taken =
            (admitted_feedback.valid & admitted_feedback.kind.any() & admitted_feedback.mode_state.uses_marks())
                .named("mark_taken");
        self.closed.count(at.valid & !open);
        self.range.count(at.valid & open & self.out_of_range(at, ccc_state));
        let epoch = admitted_feedback.epoch;
        let mut mark = Mark { valid: taken, ccc: at.ccc, ev: admitted_feedback.ev, odd: epoch.bit(0) };
        let mut read_access = Access { valid: feedback.valid, index: feedback.ccc };
        self.read_word(mark_2.valid);
        self.read_counts();
        if let (Some(penalties), Some(passed)) = (&self.penalties, passed) {
            let (counts, over) = (admitted_feedback.mode_state.uses_penalties(), penalties.passed(config.ram_latency));
            // Penalties are in plane 0, whatever the epoch.
            let own = Mark { odd: mark.odd & !counts, ..mark };
            let passed_over = Mark { valid: over.valid, ccc: over.ccc, ev: over.ev, odd: Bits::lit(1, 0) };
            mark = select(over.valid, passed_over, own);
            penalties.enter(counts, admitted_feedback.kind);
            read_access = penalties.arrive(feedback, passed);
        }
        self.summaries.clock(read_access, mark.valid);

        when(mark_5.valid, || self.count(mark_5, counts, penalties));
        when(mark_4.valid, || self.was_marked.set(l + 5, self.was_marked.at(l + 4)));
        when(mark_3.valid, || self.mark_word(mark_3, word, penalties));
        when(mark_2.valid, || self.check_written(mark_2));
        let marks_valid = marks_valid(summary.mark_generation, self.stale_mark_generations.get());
        let mut age = age(summary.epoch, self.epoch.get(), marks_valid);
        if let Some(penalties) = penalties {
            age = penalties.age(age, marks_valid);
        }
        self.age.shift(age);
        when(mark_1.valid, || self.age_summary(mark_1, summary, age));
        when(at.valid, || {
            self.epoch.set(epoch.truncate(config.epoch_bits()));
            self.stale_mark_generations.set(ccc_state.stale_mark_generations);
        });
        self.mark.shift(mark);

        // 0 to l - 1
        let entering = Arrived {
            valid: feedback.valid,
            ccc: feedback.ccc,
            ev: feedback.ev,
            index_valid: config.index_valid(feedback.ccc) & swept,
            outside_space: outside_space(feedback.ev.truncate(config.ev_bits())),
            kind: feedback.kind,
            rtts,
        };
        self.arrived.shift(entering);
    }

    /// Step 2: reads the word of the feedback. Whether the feedback sets a mark is known too late for the read of a
    /// memory as large as `words`.
    fn read_word(&self, stays: Bits<L>) {
        let config = self.config;
        let (mut valid, mut ccc, mut ev) = if config.ram_latency == 1 {
            let mark = self.mark.at(2);
            (mark.valid, mark.ccc, mark.ev)
        } else {
            let arrived = self.arrived.at(2);
            (arrived.valid, arrived.ccc, arrived.ev.truncate(config.ev_bits()))
        };
        if let Some(penalties) = &self.penalties {
            if config.ram_latency > 1 {
                let over = penalties.passed(2);
                valid = valid | over.valid;
                (ccc, ev) = (select(over.valid, over.ccc, ccc), select(over.valid, over.ev, ev));
            }
            penalties.read(valid, ccc, ev, stays);
        }
        let index = ccc.concat(self.word_of(ev)).truncate(index_width(config.cccs << config.word_bits()));
        self.words.clock(Access { valid, index }, stays);
    }

    /// Step 4: reads the counts. At latency 3 a reset may still discard the mark in that step, so the access commits
    /// only if the mark is still there later.
    fn read_counts(&self) {
        let (l, mark) = (self.config.ram_latency, self.mark.at(4));
        let stays = if l > 2 { self.mark.at(l + 4).valid } else { Bits::lit(1, 1) };
        self.counts.clock(Access { valid: mark.valid, index: mark.ccc }, stays);
    }

    /// The word of an EV.
    fn word_of(&self, ev: Bits<L>) -> Bits<L> {
        ev.slice(self.config.bit_bits(), self.config.word_bits())
    }

    /// Step `l` + 1: the CCC's summary as of this epoch, with the word of the mark as written.
    fn age_summary(&self, mark: Mark<L>, row: Summary<L>, age: Age<L>) {
        let (stale_mark_generations, epoch) = (self.stale_mark_generations.get(), self.epoch.get());
        let held = planes_held(age, mark.odd);
        let words = self.config.words();
        let written = [0, 1].map(|i: usize| row.written[i] & replicate(held[i], words));
        self.written.set(written);

        let word = Bits::lit(words, 1) << self.word_of(mark.ev);
        let current = current(mark.odd);
        self.summaries.modify(Summary {
            epoch,
            mark_generation: select(
                age.recent,
                row.mark_generation,
                next_generation(row.mark_generation, stale_mark_generations),
            ),
            written: [0, 1].map(|i: usize| written[i] | word & replicate(current[i], words)),
        });
    }

    /// Step `l` + 2: whether the word of the mark had been written.
    fn check_written(&self, mark: Mark<L>) {
        let (written, place) = (self.written.get(), self.word_of(mark.ev));
        self.in_word.set(written.map(|words| words.slice_at(place, 1)));
        self.ev_onehot.set(Bits::lit(self.config.word_width(), 1) << mark.ev.slice(0, self.config.bit_bits()));
    }

    /// Step `l` + 3: the word with the mark, and where the EV had one before.
    fn mark_word(&self, mark: Mark<L>, word: Word<L>, now: Option<penalties::PenaltyStep<L>>) {
        let (in_word, ev_onehot) = (self.in_word.get(), self.ev_onehot.get());
        let (width, current) = (self.config.word_width(), current(mark.odd));
        let plane = [0, 1].map(|i: usize| word.plane[i] & replicate(in_word[i], width));
        let mut was_marked = plane.map(|plane| (plane & ev_onehot).any());
        let mut marked = [0, 1].map(|i: usize| select(current[i], plane[i] | ev_onehot, plane[i] & !ev_onehot));
        if let (Some(penalties), Some(now)) = (&self.penalties, now) {
            (marked[0], was_marked[0]) = penalties.change(now, ev_onehot, plane[0], was_marked[0], marked[0]);
        }
        self.was_marked.set(self.config.ram_latency + 4, was_marked);
        self.words.modify(Word { plane: marked });
    }

    /// Step `l` + 5: the counts with the mark.
    fn count(&self, mark: Mark<L>, counts: Counts<L>, now: Option<penalties::PenaltyStep<L>>) {
        let (age, [even, odd]) = (self.age.get(), self.was_marked.last());
        let width = self.config.count_bits();
        let latest = counts.latest & replicate(age.current, width);
        let mut more = (!(even | odd)).extend(width);
        if let Some(now) = now {
            more = more | replicate(now.cleared, width);
        }
        self.counts.modify(Counts {
            all: marked(counts, age) + more,
            latest: latest + (!select(mark.odd, odd, even)).extend(width),
        });
    }
}
