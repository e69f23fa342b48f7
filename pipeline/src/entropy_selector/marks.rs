// SPDX-License-Identifier: MIT OR Apache-2.0
//! What feedback does: it sets a mark, and hands the changed state to the request side. With memories of latency 2:
//!
//! ```text
//!  step 0  arrive   CCC to the table of lifes and to `summaries`
//!       2  admit    open? EV in range? then the word to `words`
//!       3  age      summary: planes that are too old emptied, the word's plane made valid
//!       4  look     was the word valid in each plane? the CCC to `counts`
//!       5  mark     word: the bit set in this epoch's plane, cleared in the other
//!       7  count    marks of each plane
//!       8  tell     summary and counts to the request side and the keeper
//!      10  tell     word to the request side, two steps later, as requests read it two steps later
//! ```
//!
//! With memories of latency `l`, `admit` is step `l`, and all behind it keep their distance from it. `words` and `counts`
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
use super::epoch::{Age, Epochs, age, current, fill, planes_held};
use super::modes::Way;
use super::penalties::{self, PassedOver, Penalties};
use super::ports::{EV_WIDTH, Feedback};
use super::records::{Counts, Life, Summary, ToldSummary, ToldWord, Word, alive, marked, renewed};
use super::request::Heard;
use super::space::beyond;
use crate::row::Row;
use crate::update::{Ask, Update};
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, bits, index_width, name_nets, select, when};

/// Feedback in steps 1 to `l`.
#[derive(Bundle)]
struct Arrived<L: Reading> {
    #[reset]
    valid: Bits<L>,
    ccc: Bits<L>,
    ev: Bits<L>,
    /// There is such a CCC, and the table has been swept.
    inside: Bits<L>,
    /// Of each EV space by exponent, whether the EV is beyond it.
    beyond: Bits<L>,
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
fn out_of_range<L: Logic>(at: Arrived<L>, life: Life<L>) -> Bits<L> {
    at.beyond.slice_at(life.space, 1).named("out_of_range")
}

/// The feedback side.
#[name_nets]
pub struct Marker<L: Logic> {
    config: EntropySelectorConfig,
    arrived: Row<Arrived<L>>,
    /// Steps `l` + 1 to `l` + 6.
    mark: [Reg<Mark<L>>; 6],
    /// Step `l` + 1.
    epochs: Reg<Epochs<L>>,
    dead: Reg<[Bits<L>; 2]>,
    summaries: Update<L, Summary<L>>,
    words: Update<L, Word<L>>,
    counts: Update<L, Counts<L>>,
    /// Of the CCC's row before the mark.
    age: Delay<Age<L>>,
    /// The words written before this mark, of the planes that hold marks.
    written: Reg<[Bits<L>; 2]>,
    /// The mark's word is one of them.
    in_word: Reg<[Bits<L>; 2]>,
    /// The bit of the EV.
    hot: Reg<Bits<L>>,
    /// Where the EV had a mark before.
    had: [Reg<[Bits<L>; 2]>; 2],
    summary: Delay<Summary<L>>,
    word: Delay<ToldWord<L>>,
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
            inside: flag,
            beyond: bits(config.ev_bits() + 1),
            kind: bits(2),
            epochs: config.epochs(),
        };
        let mark = Mark { valid: flag, ccc, ev, odd: flag };
        let latency = config.ram_latency;
        let mark = |step: u32| Reg::numbered(latency + step, &mark);
        let follows = |step: u32| mark(step).without_reset();
        Marker {
            config,
            arrived: Row::new(latency as usize, |i| Reg::numbered(i as u32 + 1, &arrived)),
            mark: [mark(1), mark(2), follows(3), follows(4), follows(5), follows(6)],
            // Data of a mark.
            epochs: Reg::new(&config.epochs()).without_reset(),
            dead: Reg::new(&[bits(2); 2]),
            summaries: Update::new(config.cccs, latency, &config.summary()),
            // These follow the summary: the marks in them outlive a reset.
            words: Update::new(config.cccs << config.word_bits(), latency, &config.word()).without_reset(),
            counts: Update::new(config.cccs, latency, &config.counts()).without_reset(),
            age: Delay::new(&Age { now: flag, young: flag }, 4),
            written: Reg::new(&[bits(config.words()); 2]),
            in_word: Reg::new(&[flag; 2]),
            hot: Reg::new(&bits(config.word_width())),
            had: [4, 5].map(|step| Reg::numbered(latency + step, &[flag; 2])),
            summary: Delay::new(&config.summary(), 4),
            word: Delay::new(&config.told_word(), 4).without_reset(),
            penalties: config.modes.count().then(|| Penalties::new(config)),
            closed: Reg::new(&bits(32)).with_reset(),
            range: Reg::new(&bits(32)).with_reset(),
        }
    }

    /// What is told in step `l` + 6.
    pub fn told_summary(&self) -> ToldSummary<L> {
        let mark = self.mark[5].get();
        ToldSummary { valid: mark.valid, ccc: mark.ccc, summary: self.summary.get(), counts: self.counts.changed() }
    }

    /// What is told in step `l` + 8.
    pub fn told_word(&self) -> ToldWord<L> {
        self.word.get()
    }

    /// Feedback for closed CCCs, and for EVs that a CCC has not.
    pub fn refused(&self) -> (Bits<L>, Bits<L>) {
        (self.closed.get(), self.range.get())
    }

    /// The feedback in step `l`, if it changes anything. `life` and `way` are those of its CCC.
    pub fn heard(&self, life: Life<L>, way: Way<L>) -> Heard<L> {
        let at = self.arrived.last();
        let valid = (at.valid & at.inside & life.open & !life.rod & !out_of_range(at, life)).named("feedback_heard");
        let ev = at.ev.truncate(self.config.ev_bits());
        Heard { valid, ccc: at.ccc, ev, kind: at.kind, turn: life.turn, way }
    }

    /// One cycle. `passed` is an EV passed over, if there is mode `counting`; `life` is that of the feedback in step `l`, and
    /// `heard` what [`Self::heard`] says of it.
    pub fn clock(
        &self,
        feedback: Feedback<L>,
        passed: Option<PassedOver<L>>,
        swept: Bits<L>,
        epochs: Epochs<L>,
        life: Life<L>,
        heard: Heard<L>,
    ) {
        let (config, at) = (self.config, self.arrived.last());
        let [mark_1, mark_2, mark_3, mark_4, mark_5, _] = Reg::get_all(&self.mark);
        let (summary, word, counts) = (self.summaries.operand(), self.words.operand(), self.counts.operand());
        let penalties = self.penalties.as_ref().map(Penalties::now);

        // l + 8, l + 6: what has been changed is told.
        let told = ToldWord {
            valid: mark_4.valid,
            ccc: mark_4.ccc,
            word: self.word_of(mark_4.ev),
            value: self.words.changed(),
        };
        self.word.shift(told);
        self.summary.shift(self.summaries.changed());

        // l
        let open = (at.inside & life.open).named("feedback_open");
        let taken = (heard.valid & heard.kind.any() & heard.way.marks()).named("mark_taken");
        let (closed, range) = (self.closed.get(), self.range.get());
        when(at.valid & !open, || self.closed.set(closed + 1));
        when(at.valid & open & out_of_range(at, life), || self.range.set(range + 1));
        let mut mark = Mark { valid: taken, ccc: at.ccc, ev: heard.ev, odd: at.epochs.now.bit(0) };
        let mut asked = Ask { valid: feedback.valid, key: feedback.ccc };
        self.ask_word(mark_2.valid);
        self.ask_counts();
        if let (Some(penalties), Some(passed)) = (&self.penalties, passed) {
            let (counts, over) = (heard.way.counts(), penalties.passed(config.ram_latency as usize));
            // Penalties are in plane 0, of whichever epoch they are.
            let own = Mark { odd: mark.odd & !counts, ..mark };
            let passed_over = Mark { valid: over.valid, ccc: over.ccc, ev: over.ev, odd: Bits::lit(1, 0) };
            mark = select(over.valid, passed_over, own);
            penalties.shift();
            penalties.enter(counts, at.kind);
            asked = penalties.arrive(feedback, passed);
        }
        self.summaries.clock(asked, mark.valid);

        when(mark_5.valid, || self.count(mark_5, counts, penalties));
        when(mark_4.valid, || self.had[1].set(self.had[0].get()));
        when(mark_3.valid, || self.mark_word(mark_3, word, penalties));
        when(mark_2.valid, || self.look(mark_2));
        let alive = alive(summary.generation, self.dead.get());
        let mut age = age(summary.tag, self.epochs.get(), alive);
        if let Some(penalties) = penalties {
            age = penalties.age(age, alive);
        }
        self.age.shift(age);
        when(mark_1.valid, || self.age_summary(mark_1, summary, age));
        when(at.valid, || {
            self.epochs.set(at.epochs);
            self.dead.set(life.dead);
        });
        for (reg, mark) in self.mark.iter().zip([mark, mark_1, mark_2, mark_3, mark_4, mark_5]) {
            reg.set(mark);
        }

        // 0 to l - 1
        let arrives = Arrived {
            valid: feedback.valid,
            ccc: feedback.ccc,
            ev: feedback.ev,
            inside: config.inside(feedback.ccc) & swept,
            beyond: beyond(feedback.ev, config.ev_bits()),
            kind: feedback.kind,
            epochs,
        };
        self.arrived.shift(arrives);
    }

    /// Step 2: the word of the feedback. Whether that marks is too late for the read of so large a memory as `words`.
    fn ask_word(&self, stays: Bits<L>) {
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
            penalties.ask(valid, ccc, ev, stays);
        }
        let key = ccc.concat(self.word_of(ev)).truncate(index_width(config.cccs << config.word_bits()));
        self.words.clock(Ask { valid, key }, stays);
    }

    /// Step 4. A mark that is asked for before it is sure to outlive a reset must be there when it is counted.
    fn ask_counts(&self) {
        let latency = self.config.ram_latency as usize;
        let mark = self.mark[3 - latency].get();
        let stays = if latency > 2 { self.mark[3].get().valid } else { Bits::lit(1, 1) };
        self.counts.clock(Ask { valid: mark.valid, key: mark.ccc }, stays);
    }

    /// The word of an EV.
    fn word_of(&self, ev: Bits<L>) -> Bits<L> {
        ev.slice(self.config.bit_bits(), self.config.word_bits())
    }

    /// Step `l` + 1: the CCC's summary as of this epoch, with the mark's word written.
    fn age_summary(&self, mark: Mark<L>, row: Summary<L>, age: Age<L>) {
        let (dead, now) = (self.dead.get(), self.epochs.get().now);
        let held = planes_held(age, mark.odd);
        let words = self.config.words();
        let written = [0, 1].map(|i: usize| row.written[i] & fill(held[i], words));
        self.written.set(written);

        let word = Bits::lit(words, 1) << self.word_of(mark.ev);
        let current = current(mark.odd);
        self.summaries.change(Summary {
            tag: now,
            generation: select(age.young, row.generation, renewed(row.generation, dead)),
            written: [0, 1].map(|i: usize| written[i] | word & fill(current[i], words)),
        });
    }

    /// Step `l` + 2: whether the mark's word had been written.
    fn look(&self, mark: Mark<L>) {
        let (written, place) = (self.written.get(), self.word_of(mark.ev));
        self.in_word.set(written.map(|words| words.slice_at(place, 1)));
        self.hot.set(Bits::lit(self.config.word_width(), 1) << mark.ev.slice(0, self.config.bit_bits()));
    }

    /// Step `l` + 3: the word with the mark, and where the EV had one before.
    fn mark_word(&self, mark: Mark<L>, word: Word<L>, now: Option<penalties::Now<L>>) {
        let (in_word, hot) = (self.in_word.get(), self.hot.get());
        let (width, current) = (self.config.word_width(), current(mark.odd));
        let plane = [0, 1].map(|i: usize| word.plane[i] & fill(in_word[i], width));
        let mut had = plane.map(|plane| (plane & hot).any());
        let mut marked = [0, 1].map(|i: usize| select(current[i], plane[i] | hot, plane[i] & !hot));
        if let (Some(penalties), Some(now)) = (&self.penalties, now) {
            (marked[0], had[0]) = penalties.change(now, hot, plane[0], had[0], marked[0]);
        }
        self.had[0].set(had);
        self.words.change(Word { plane: marked });
    }

    /// Step `l` + 5: the counts with the mark.
    fn count(&self, mark: Mark<L>, counts: Counts<L>, now: Option<penalties::Now<L>>) {
        let (age, [even, odd]) = (self.age.get(), self.had[1].get());
        let width = self.config.count_bits();
        let latest = counts.latest & fill(age.now, width);
        let mut more = (!(even | odd)).extend(width);
        if let Some(now) = now {
            more = more | fill(now.cleared, width);
        }
        self.counts.change(Counts {
            all: marked(counts, age) + more,
            latest: latest + (!select(mark.odd, odd, even)).extend(width),
        });
    }
}
