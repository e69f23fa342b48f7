// SPDX-License-Identifier: MIT OR Apache-2.0
//! What feedback does: it sets a mark, and hands the changed state to the request side. With memories of latency 2:
//!
//! ```text
//!  step 0  arrive   CCC to the table of lifes and to `summaries`
//!       2  admit    open? EV in range? then the word to `words`
//!       3  age      summary: planes that are too old emptied, the word's plane made valid
//!       4  look     was the word valid in each plane? the CCC to `uses_penalties`
//!       5  mark     word: the bit set in this epoch's plane, cleared in the other
//!       7  count    marks of each plane
//!       8  tell     summary and counts to the request side and the keeper
//!      10  tell     word to the request side, two steps later, as requests read it two steps later
//! ```
//!
//! With memories of latency `l`, `admit` is step `l`, and all behind it keep their distance from it. `words` and `uses_penalties`
//! are asked in steps 2 and 4 even so: their rows are needed in steps `l` + 3 and `l` + 5.
//!
//! A CCC has two planes of one bit an EV, for marks of even and of odd epochs, so that a mark expires without anybody
//! touching it: in the next epoch but one its plane is the current one again, and empty until a first mark restarts it.
//! Restarting is lazy. A bit a word and plane, in the CCC's summary, says whether the word has been written since; with
//! the epoch of the last change beside them, ageing a CCC is a matter of one row. An EV has a mark in one plane at most.
//! So two counts do: all marks, and those of the epoch of the last change, which are all there are one epoch later.
//!
//! A reset forgets the marks up to step `l` + 2. From there on the summary has been written, and what belongs to it must
//! follow, so that the tables agree when a CCC is opened again.
//!
//! In mode `counting` a mark is a penalty: see [`super::penalties`].

use super::EntropySelectorConfig;
use super::epoch::{Age, Epochs, age, current, planes_held, replicate};
use super::modes::ModeState;
use super::penalties::{self, PassedOver, Penalties};
use super::ports::{EV_WIDTH, Feedback};
use super::records::{
    CccState, Counts, Summary, SummaryUpdate, Word, WordUpdate, marked, marks_valid, next_generation,
};
use super::request::AdmittedFeedback;
use super::space::outside_space;
use crate::rmw_table::{Access, RmwTable};
use crate::shift_register::ShiftRegister;
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, bits, index_width, name_nets, select, when};

/// Feedback in steps 1 to `l`.
#[derive(Bundle)]
struct Arrived<L: Reading> {
    #[reset]
    valid: Bits<L>,
    ccc: Bits<L>,
    ev: Bits<L>,
    /// There is such a CCC, and the table has been swept.
    index_valid: Bits<L>,
    /// Of each EV space by exponent, whether the EV is beyond it.
    outside_space: Bits<L>,
    kind: Bits<L>,
    epochs: Epochs<L>,
}

/// A mark on its way, from step `l` + 1 on.
#[derive(Bundle)]
struct Mark<L: Reading> {
    #[reset]
    valid: Bits<L>,
    ccc: Bits<L>,
    ev: Bits<L>,
    /// Parity of its epoch: the plane.
    odd: Bits<L>,
}

/// Whether the EV of a feedback for an open CCC is beyond its space (rows S8, S17).
#[name_nets]
fn out_of_range<L: Logic>(at: Arrived<L>, ccc_state: CccState<L>) -> Bits<L> {
    at.outside_space.slice_at(ccc_state.space, 1).named("out_of_range")
}

/// The feedback pipeline: marks EVs and sends updates to the request side.
#[name_nets]
pub struct Marker<L: Logic> {
    config: EntropySelectorConfig,
    arrived: ShiftRegister<Arrived<L>>,
    /// Steps `l` + 1 to `l` + 6.
    mark: [Reg<Mark<L>>; 6],
    /// Epochs as of the acceptance of the mark in step `l` + 1.
    epochs: Reg<Epochs<L>>,
    stale_mark_generations: Reg<[Bits<L>; 2]>,
    summaries: RmwTable<L, Summary<L>>,
    words: RmwTable<L, Word<L>>,
    counts: RmwTable<L, Counts<L>>,
    /// Of the CCC's row before the mark.
    age: Delay<Age<L>>,
    /// The words written before this mark, of the planes that hold marks.
    written: Reg<[Bits<L>; 2]>,
    /// The mark's word is one of them.
    in_word: Reg<[Bits<L>; 2]>,
    /// The bit of the EV.
    ev_onehot: Reg<Bits<L>>,
    /// Where the EV had a mark before.
    was_marked: [Reg<[Bits<L>; 2]>; 2],
    summary: Delay<Summary<L>>,
    word: Delay<WordUpdate<L>>,
    /// If there is mode `counting`.
    penalties: Option<Penalties<L>>,
    closed: Reg<Bits<L>>,
    range: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Marker<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ccc, ev) = (bits(1), config.ccc(), bits(config.ev_bits()));
        let arrived = Arrived {
            valid: flag,
            ccc,
            ev: bits(EV_WIDTH),
            index_valid: flag,
            outside_space: bits(config.ev_bits() + 1),
            kind: bits(2),
            epochs: config.epochs(),
        };
        let mark = Mark { valid: flag, ccc, ev, odd: flag };
        let latency = config.ram_latency;
        let mark = |step: u32| Reg::numbered(latency + step, &mark);
        let follows = |step: u32| mark(step).without_reset();
        Marker {
            config,
            arrived: ShiftRegister::new(latency as usize, |i| Reg::numbered(i as u32 + 1, &arrived)),
            mark: [mark(1), mark(2), follows(3), follows(4), follows(5), follows(6)],
            // Data of a mark.
            epochs: Reg::new(&config.epochs()).without_reset(),
            stale_mark_generations: Reg::new(&[bits(2); 2]),
            summaries: RmwTable::new(config.cccs, latency, &config.summary()),
            // These follow the summary: the marks in them outlive a reset.
            words: RmwTable::new(config.cccs << config.word_bits(), latency, &config.word()).without_reset(),
            counts: RmwTable::new(config.cccs, latency, &config.counts()).without_reset(),
            age: Delay::new(&Age { current: flag, recent: flag }, 4),
            written: Reg::new(&[bits(config.words()); 2]),
            in_word: Reg::new(&[flag; 2]),
            ev_onehot: Reg::new(&bits(config.word_width())),
            was_marked: [4, 5].map(|step| Reg::numbered(latency + step, &[flag; 2])),
            summary: Delay::new(&config.summary(), 4),
            word: Delay::new(&config.word_update(), 4).without_reset(),
            penalties: config.modes.has_penalty().then(|| Penalties::new(config)),
            closed: Reg::new(&bits(32)).with_reset(),
            range: Reg::new(&bits(32)).with_reset(),
        }
    }

    /// What is told in step `l` + 6.
    pub fn summary_update(&self) -> SummaryUpdate<L> {
        let mark = self.mark[5].get();
        SummaryUpdate { valid: mark.valid, ccc: mark.ccc, summary: self.summary.get(), counts: self.counts.modified() }
    }

    /// What is told in step `l` + 8.
    pub fn word_update(&self) -> WordUpdate<L> {
        self.word.get()
    }

    /// Feedback for closed CCCs, and for EVs that a CCC has not.
    pub fn refused(&self) -> (Bits<L>, Bits<L>) {
        (self.closed.get(), self.range.get())
    }

    /// The feedback in step `l`, if it changes anything. `ccc_state` and `mode_state` are those of its CCC.
    pub fn admitted_feedback(&self, ccc_state: CccState<L>, mode_state: ModeState<L>) -> AdmittedFeedback<L> {
        let at = self.arrived.last();
        let valid = (at.valid & at.index_valid & ccc_state.open & !ccc_state.rod & !out_of_range(at, ccc_state))
            .named("feedback_admitted");
        let ev = at.ev.truncate(self.config.ev_bits());
        AdmittedFeedback { valid, ccc: at.ccc, ev, kind: at.kind, generation: ccc_state.generation, mode_state }
    }

    /// One cycle. `passed` is an EV passed over, if there is mode `counting`; `ccc_state` is that of the feedback in step `l`, and
    /// `admitted_feedback` what [`Self::admitted_feedback`] says of it.
    pub fn clock(
        &self,
        feedback: Feedback<L>,
        passed: Option<PassedOver<L>>,
        swept: Bits<L>,
        epochs: Epochs<L>,
        ccc_state: CccState<L>,
        admitted_feedback: AdmittedFeedback<L>,
    ) {
        let (config, at) = (self.config, self.arrived.last());
        let [mark_1, mark_2, mark_3, mark_4, mark_5, _] = Reg::get_all(&self.mark);
        let (summary, word, counts) = (self.summaries.operand(), self.words.operand(), self.counts.operand());
        let penalties = self.penalties.as_ref().map(Penalties::now);

        // l + 8, l + 6: what has been changed is told.
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
        let (closed, range) = (self.closed.get(), self.range.get());
        when(at.valid & !open, || self.closed.set(closed + 1));
        when(at.valid & open & out_of_range(at, ccc_state), || self.range.set(range + 1));
        let mut mark = Mark { valid: taken, ccc: at.ccc, ev: admitted_feedback.ev, odd: at.epochs.current.bit(0) };
        let mut read_access = Access { valid: feedback.valid, index: feedback.ccc };
        self.read_word(mark_2.valid);
        self.read_counts();
        if let (Some(penalties), Some(passed)) = (&self.penalties, passed) {
            let (counts, over) =
                (admitted_feedback.mode_state.uses_penalties(), penalties.passed(config.ram_latency as usize));
            // Penalties are in plane 0, of whichever epoch they are.
            let own = Mark { odd: mark.odd & !counts, ..mark };
            let passed_over = Mark { valid: over.valid, ccc: over.ccc, ev: over.ev, odd: Bits::lit(1, 0) };
            mark = select(over.valid, passed_over, own);
            penalties.shift();
            penalties.enter(counts, at.kind);
            read_access = penalties.arrive(feedback, passed);
        }
        self.summaries.clock(read_access, mark.valid);

        when(mark_5.valid, || self.count(mark_5, counts, penalties));
        when(mark_4.valid, || self.was_marked[1].set(self.was_marked[0].get()));
        when(mark_3.valid, || self.mark_word(mark_3, word, penalties));
        when(mark_2.valid, || self.check_written(mark_2));
        let marks_valid = marks_valid(summary.mark_generation, self.stale_mark_generations.get());
        let mut age = age(summary.epoch, self.epochs.get(), marks_valid);
        if let Some(penalties) = penalties {
            age = penalties.age(age, marks_valid);
        }
        self.age.shift(age);
        when(mark_1.valid, || self.age_summary(mark_1, summary, age));
        when(at.valid, || {
            self.epochs.set(at.epochs);
            self.stale_mark_generations.set(ccc_state.stale_mark_generations);
        });
        for (reg, mark) in self.mark.iter().zip([mark, mark_1, mark_2, mark_3, mark_4, mark_5]) {
            reg.set(mark);
        }

        // 0 to l - 1
        let entering = Arrived {
            valid: feedback.valid,
            ccc: feedback.ccc,
            ev: feedback.ev,
            index_valid: config.index_valid(feedback.ccc) & swept,
            outside_space: outside_space(feedback.ev, config.ev_bits()),
            kind: feedback.kind,
            epochs,
        };
        self.arrived.shift(entering);
    }

    /// Step 2: the word of the feedback. Whether that marks is too late for the read of so large a memory as `words`.
    fn read_word(&self, stays: Bits<L>) {
        let config = self.config;
        let (mut valid, mut ccc, mut ev) = if config.ram_latency == 1 {
            let mark = self.mark[0].get();
            (mark.valid, mark.ccc, mark.ev)
        } else {
            let arrived = self.arrived.get(1);
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

    /// Step 4. A mark that is asked for before it is sure to outlive a reset must be there when it is counted.
    fn read_counts(&self) {
        let latency = self.config.ram_latency as usize;
        let mark = self.mark[3 - latency].get();
        let stays = if latency > 2 { self.mark[3].get().valid } else { Bits::lit(1, 1) };
        self.counts.clock(Access { valid: mark.valid, index: mark.ccc }, stays);
    }

    /// The word of an EV.
    fn word_of(&self, ev: Bits<L>) -> Bits<L> {
        ev.slice(self.config.bit_bits(), self.config.word_bits())
    }

    /// Step `l` + 1: the CCC's summary as of this epoch, with the mark's word written.
    fn age_summary(&self, mark: Mark<L>, row: Summary<L>, age: Age<L>) {
        let (stale_mark_generations, epoch) = (self.stale_mark_generations.get(), self.epochs.get().current);
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

    /// Step `l` + 2: whether the mark's word had been written.
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
        self.was_marked[0].set(was_marked);
        self.words.modify(Word { plane: marked });
    }

    /// Step `l` + 5: the counts with the mark.
    fn count(&self, mark: Mark<L>, counts: Counts<L>, now: Option<penalties::PenaltyStep<L>>) {
        let (age, [even, odd]) = (self.age.get(), self.was_marked[1].get());
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
