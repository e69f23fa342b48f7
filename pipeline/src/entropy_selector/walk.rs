// SPDX-License-Identifier: MIT OR Apache-2.0
//! The request pipeline: it finds the first free EV after the one granted last. With memories of latency 2:
//!
//! ```text
//!  step 0  accept      CCC to `ccc_states` and to `summary`
//!       2  age         summary: which planes still hold valid marks; CCC to `planes` and `cursors`
//!       3  saturated?  if so, no word holds marks
//!       4  free EVs    every word: its EVs without a mark, and whether there are any; the cursor
//!       5  locate      the cursor, or where the walk two requests earlier ended; the next word with a free EV
//!       6  search      the first free EV after the cursor: in its word, else in the next word
//!       7  result      EV to `cursors` and `grant`
//! ```
//!
//! With memories of latency `l`, `age` is step `l`, and all later steps keep their distance from it. Planes and cursors
//! are read in step 2 nevertheless: their data are needed in step `l` + 2.
//!
//! The steps before the last one are a loop of one clock cycle for back-to-back requests of one CCC: each walk starts
//! where the previous one ends. In that cycle the loop only chooses between two words, because the next word with a
//! free EV is known earlier: for the word in which the walk starts, and for the word to which it may advance. An
//! earlier request is seen when it writes its cursor: in steps `l` + 2 down to 3 if it is three to `l` + 2 requests
//! earlier, in the memory if it is `l` + 3 or more.
//!
//! Feedback may write a word of a plane in the clock cycle of the read; the read data of that word are then not valid.
//! The update of that cycle is kept in a bypass register and used in its place.

use super::EntropySelectorConfig;
use super::epoch::{Age, Epochs, age, planes_held, replicate};
use super::modes::ModeState;
use super::passed_over::PassedOverTracker;
use super::penalties::{PassedOver, without_expiry};
use super::ports::{EV_WIDTH, Grant, Request};
use super::records::{CccState, Cursor, SummaryUpdate, WordUpdate, marked, marks_valid};
use super::request::{
    AdmittedRequest, Arrived, BypassWord, CursorBypass, EvPosition, MarkState, NextWord, Patch, TrackedRequest,
    WalkOverride,
};
use super::search::{above_lowest, all_but_one, next_word};
use crate::blocks::counter::Counter;
use crate::blocks::shift_register::ShiftRegister;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Logic, Ram, RamShape, Reg, Wide, bits, name_nets, select, when, wide};

/// The request pipeline: finds the next free EV of the CCC.
#[name_nets]
pub struct Walker<L: Logic> {
    config: EntropySelectorConfig,
    /// Copy of summaries and counts for requests.
    summary: WriteFirstRam<L, MarkState<L>>,
    /// Copy of the marks for requests, one memory per plane.
    planes: [Ram<Wide<L>>; 2],
    /// Cursors of all CCCs.
    cursors: WriteFirstRam<L, Cursor<L>>,
    /// Accepted requests in steps 1 to `l`.
    arrived: ShiftRegister<Arrived<L>>,
    /// Requests in steps `l` + 1 to `l` + 5.
    tracked: [Reg<TrackedRequest<L>>; 5],
    /// EV before the first one to grant, in steps `l` + 1 and `l` + 2.
    ev_before_start: [Reg<Bits<L>>; 2],
    /// Cursors written after the read of `cursors`, in steps 4 to `l` + 2.
    cursor_bypass: ShiftRegister<CursorBypass<L>>,
    /// Word updated in the clock cycle of the read, in steps 3 to `l` + 2.
    bypass_word: ShiftRegister<BypassWord<L>>,
    /// Summary and counts of the CCC in step `l` + 1.
    mark_state: Reg<MarkState<L>>,
    /// Age of its summary.
    age: Reg<Age<L>>,
    /// 1 if the plane holds valid marks, per plane.
    held: Reg<[Bits<L>; 2]>,
    /// Words that hold marks, per plane; valid in step `l` + 2.
    marked_words: Reg<[Bits<L>; 2]>,
    /// 1 if the bypass word holds marks, per plane; valid in step `l` + 2.
    bypass_marked: Reg<[Bits<L>; 2]>,
    /// The bypass word, one-hot; 0 if there is none in the EV space.
    bypass_select: Reg<Bits<L>>,
    /// Words of the EV space except the bypass word, one bit each.
    other_words: Reg<Bits<L>>,
    /// Exponent of the EV space of the request in step `l` + 1.
    space: Reg<Bits<L>>,
    /// EV space mask, in steps `l` + 2 to `l` + 5.
    space_mask: [Reg<Bits<L>>; 4],
    /// 1 if the CCC is saturated, in steps `l` + 2 to `l` + 5.
    saturated: [Reg<Bits<L>>; 4],
    /// EVs without a mark, one bit each, in steps `l` + 3 and `l` + 4.
    free: [Reg<Wide<L>>; 2],
    /// EVs without a mark of the bypass word, in steps `l` + 3 and `l` + 4.
    patch: [Reg<Patch<L>>; 2],
    /// Words with a free EV, one bit each; valid in step `l` + 3.
    free_words: Reg<Bits<L>>,
    /// EV after which the walk of the request in step `l` + 3 starts, unless it is back to back.
    start: Reg<Bits<L>>,
    /// 1 if the request in step `l` + 3 is for the same CCC as the previous one, and as the one before that.
    back_to_back: Reg<[Bits<L>; 2]>,
    /// Where the walk of the request in step `l` + 4 starts.
    walk: Reg<EvPosition<L>>,
    /// Free EVs of the word in which it starts.
    free_in_word: Reg<Bits<L>>,
    /// Word with a free EV to which the walk may advance.
    next: Reg<NextWord<L>>,
    /// Where the walk of the request in step `l` + 5 ended.
    result: Reg<EvPosition<L>>,
    /// Finds EVs passed over, for mode `penalty`; absent if the mode is not built.
    passed_over_tracker: Option<PassedOverTracker<L>>,
    /// Answer to the request.
    grant: Reg<Grant<L>>,
    /// Counter: requests for CCCs that are not open.
    refused: Counter<L>,
}

#[name_nets]
impl<L: Logic> Walker<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ccc, ev) = (bits(1), config.ccc(), bits(config.ev_bits()));
        let (words, word, width) = (bits(config.words()), bits(config.word_bits()), bits(config.word_width()));
        let (latency, steps) = (config.ram_latency, config.ram_latency as usize);
        let mark_state = MarkState { summary: config.summary(), counts: config.counts() };
        let arrived = Arrived { valid: flag, ccc, index_valid: flag, epochs: config.epochs() };
        let tracked = TrackedRequest { valid: flag, ccc, open: flag, generation: flag };
        let cursor_bypass = CursorBypass { hit: flag, ev };
        let bypass = BypassWord { hit: flag, word, value: config.word() };
        let plane = RamShape::new(config.cccs).unused_on_collision().latency(latency).lanes(config.words());
        let place = EvPosition { word, candidates: width };
        Walker {
            config,
            summary: WriteFirstRam::new(config.cccs, latency, 1, &mark_state),
            planes: [0, 1].map(|i| Ram::numbered(i, plane, &wide(config.evs as u32))),
            cursors: WriteFirstRam::new(config.cccs, latency, 2, &Cursor { generation: flag, ev }),
            arrived: ShiftRegister::new(steps, |i| Reg::numbered(i as u32 + 1, &arrived)),
            tracked: [1, 2, 3, 4, 5].map(|i| Reg::numbered(latency + i, &tracked)),
            ev_before_start: [1, 2].map(|i| Reg::numbered(latency + i, &ev)),
            cursor_bypass: ShiftRegister::new(steps - 1, |i| Reg::numbered(i as u32 + 4, &cursor_bypass)),
            bypass_word: ShiftRegister::new(steps, |i| Reg::numbered(i as u32 + 3, &bypass)),
            mark_state: Reg::new(&mark_state),
            age: Reg::new(&Age { current: flag, recent: flag }),
            held: Reg::new(&[flag; 2]),
            marked_words: Reg::new(&[words; 2]),
            bypass_marked: Reg::new(&[flag; 2]),
            bypass_select: Reg::new(&words),
            other_words: Reg::new(&words),
            space: Reg::new(&config.space()),
            space_mask: [2, 3, 4, 5].map(|i| Reg::numbered(latency + i, &ev)),
            saturated: [2, 3, 4, 5].map(|i| Reg::numbered(latency + i, &flag)),
            free: [3, 4].map(|i| Reg::numbered(latency + i, &wide(config.evs as u32))),
            patch: [3, 4].map(|i| Reg::numbered(latency + i, &Patch { hit: flag, word, free: width })),
            free_words: Reg::new(&words),
            start: Reg::new(&ev),
            back_to_back: Reg::new(&[flag; 2]),
            walk: Reg::new(&place),
            free_in_word: Reg::new(&width),
            next: Reg::new(&NextWord { word, later_words: words }),
            result: Reg::new(&place),
            passed_over_tracker: config.modes.has_penalty().then(|| PassedOverTracker::new(config)),
            grant: Reg::new(&config.grant()),
            refused: Counter::new(32),
        }
    }

    pub fn grant(&self) -> Grant<L> {
        self.grant.get()
    }

    pub fn refused(&self) -> Bits<L> {
        self.refused.get()
    }

    /// The cursor that a command read `l` cycles ago.
    pub fn command_cursor(&self) -> Cursor<L> {
        self.cursors.data(1)
    }

    /// The request in step `l`, if its CCC is open. `ccc_state` and `mode_state` are those of the CCC.
    pub fn admitted(&self, ccc_state: CccState<L>, mode_state: ModeState<L>) -> AdmittedRequest<L> {
        let at = self.arrived.last();
        let valid = at.valid & at.index_valid & ccc_state.open;
        AdmittedRequest {
            valid,
            ccc: at.ccc,
            generation: ccc_state.generation,
            start: ccc_state.ev_before_start + 1,
            space: ccc_state.space,
            mode_state,
        }
    }

    /// The request in step 1.
    pub fn request_in_step_1(&self) -> Access<L> {
        let Arrived { valid, ccc, .. } = self.arrived.get(0);
        Access { valid, index: ccc }
    }

    /// The EV that the request of the grant has passed over first, if mode `penalty` is built.
    pub fn passed_over(&self) -> Option<PassedOver<L>> {
        self.passed_over_tracker.as_ref().map(|passed_over_tracker| passed_over_tracker.passed(self.grant.get()))
    }

    /// One cycle. `ccc_state` and `mode_state` are those of the request in step `l`.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        request: Request<L>,
        swept: Bits<L>,
        epochs: Epochs<L>,
        limit: Bits<L>,
        ccc_state: CccState<L>,
        mode_state: ModeState<L>,
        summary_update: SummaryUpdate<L>,
        word_update: WordUpdate<L>,
        ccc_control: Bits<L>,
        walk_override: WalkOverride<L>,
    ) {
        let (config, latency) = (self.config, self.config.ram_latency as usize);
        let [asked_1, asked_2, asked_3, asked_4, asked_5] = Reg::get_all(&self.tracked);
        let [saturated_2, saturated_3, saturated_4, saturated_5] = Reg::get_all(&self.saturated);
        let at = self.arrived.last();
        // The request in step 2, and the update of that clock cycle.
        let (reads, ccc) = if latency == 1 {
            (asked_1.valid, asked_1.ccc)
        } else {
            let arrived = self.arrived.get(1);
            (arrived.valid, arrived.ccc)
        };
        let hit = word_update.valid & word_update.ccc.equals(ccc);
        let bypass = BypassWord { hit, word: word_update.word, value: word_update.value };
        let same = |ahead: TrackedRequest<L>, me: TrackedRequest<L>| {
            ahead.open & ahead.generation.equals(me.generation) & ahead.ccc.equals(me.ccc)
        };

        // l + 5
        let result = self.result.get();
        let result_ev = result.word.concat(result.candidates.first_set()).named("result_ev");
        let ev_override = walk_override.ev_override;
        // In modes other than the bitmap the EV is reduced modulo the size of the EV space (rule S17).
        let ev = (select(ev_override.valid, ev_override.ev, result_ev) & self.space_mask[3].get()).named("granted");
        let open = asked_5.valid & asked_5.open;
        let granted = ev & replicate(open, config.ev_bits());
        self.grant.set(Grant {
            valid: asked_5.valid,
            ccc: asked_5.ccc,
            open,
            ev: granted.extend(EV_WIDTH),
            saturated: saturated_5 & open & !ev_override.valid,
            port: config.port_of(granted),
        });
        self.refused.count(asked_5.valid & !asked_5.open);

        if let Some(passed_over_tracker) = &self.passed_over_tracker {
            passed_over_tracker.clock(mode_state.uses_penalties(), self.walk.get(), self.space_mask[3].get());
        }

        // l + 3, l + 4
        when(asked_3.open | asked_4.open, || self.locate_and_search(result, walk_override.keep_position));

        // l + 2
        when(asked_2.open, || {
            let (cursor, before) = (self.cursors.data(0), self.ev_before_start[1].get());
            let mut stored = select(cursor.generation.equals(asked_2.generation), cursor.ev, before);
            if latency > 1 {
                let cursor_bypass = self.cursor_bypass.last();
                stored = select(cursor_bypass.hit, cursor_bypass.ev, stored);
            }
            self.start.set(select(same(asked_5, asked_2), result_ev, stored));
            self.back_to_back.set([same(asked_3, asked_2), same(asked_4, asked_2)]);
            self.find_free();
        });

        // l + 1
        when(asked_1.open, || {
            self.bypass_cursor(latency + 1, same(asked_5, asked_1), result_ev);
            self.ev_before_start[1].set(self.ev_before_start[0].get());
            self.check_saturation(limit, bypass);
            self.forward_bypass(latency + 1, ccc, bypass);
        });

        // l
        let open = at.valid & at.index_valid & ccc_state.open;
        let tracked = TrackedRequest { valid: at.valid, ccc: at.ccc, open, generation: ccc_state.generation };
        when(at.valid, || {
            let mark_state = self.summary.data(0);
            self.mark_state.set(mark_state);
            let marks_valid = marks_valid(mark_state.summary.mark_generation, ccc_state.stale_mark_generations);
            let mut aged = age(mark_state.summary.epoch, at.epochs, marks_valid);
            if self.passed_over_tracker.is_some() {
                aged = without_expiry(aged, marks_valid, mode_state.uses_penalties());
            }
            let Age { current, recent } = aged;
            let age = Age { current: current.named("marks_current"), recent: recent.named("marks_recent") };
            self.age.set(age);
            self.held.set(planes_held(age, at.epochs.current.bit(0)));
            self.ev_before_start[0].set(ccc_state.ev_before_start);
            self.space.set(ccc_state.space);
            self.bypass_cursor(latency, same(asked_5, tracked), result_ev);
            self.forward_bypass(latency, ccc, bypass);
        });
        if latency > 2 {
            when(reads, || self.forward_bypass(2, ccc, bypass));
        }
        for (reg, tracked) in self.tracked.iter().zip([tracked, asked_1, asked_2, asked_3, asked_4]) {
            reg.set(tracked);
        }
        for (reg, value) in self.saturated[1..].iter().zip([saturated_2, saturated_3, saturated_4]) {
            reg.set(value);
        }

        // 0 to l - 1
        let index_valid = config.index_valid(request.ccc) & swept;
        self.arrived.shift(Arrived { valid: request.valid, ccc: request.ccc, index_valid, epochs });

        // The memories of the request side have one writer each: feedback, feedback, requests.
        let mark_state = MarkState { summary: summary_update.summary, counts: summary_update.counts };
        self.summary.clock(
            &[request.ccc],
            Access { valid: summary_update.valid, index: summary_update.ccc },
            mark_state,
        );
        when(word_update.valid, || {
            for (plane, value) in self.planes.iter().zip(word_update.value.plane) {
                plane.write_lane(word_update.ccc, word_update.word, value);
            }
        });
        self.planes.iter().for_each(Ram::clock);
        let arrived = Cursor { generation: asked_5.generation, ev: select(walk_override.writes_cursor, result_ev, ev) };
        self.cursors.clock(&[ccc, ccc_control], Access { valid: asked_5.open, index: asked_5.ccc }, arrived);
    }

    /// Steps 3 to `l` + 1: takes over the cursor that is written in this clock cycle, if it is of the same CCC.
    fn bypass_cursor(&self, step: usize, hit: Bits<L>, ev: Bits<L>) {
        match step {
            0..=2 => {}
            3 => self.cursor_bypass.set(0, CursorBypass { hit, ev }),
            _ => {
                let cursor_bypass = self.cursor_bypass.get(step - 4);
                self.cursor_bypass.set(
                    step - 3,
                    CursorBypass { hit: hit | cursor_bypass.hit, ev: select(hit, ev, cursor_bypass.ev) },
                );
            }
        }
    }

    /// Steps 2 to `l` + 1: reads the planes, and carries the word that was updated in that cycle with the request.
    fn forward_bypass(&self, step: usize, ccc: Bits<L>, bypass: BypassWord<L>) {
        if step == 2 {
            self.bypass_word.set(0, bypass);
            self.planes.iter().for_each(|plane| plane.read(ccc));
        } else if step > 2 {
            self.bypass_word.set(step - 2, self.bypass_word.get(step - 3));
        }
    }

    /// Step `l` + 1: the words that hold marks; none if the CCC is saturated. At latency 1 the bypass word is that of
    /// this cycle, `now`.
    fn check_saturation(&self, limit: Bits<L>, now: BypassWord<L>) {
        let bypass = match self.config.ram_latency as usize {
            1 => now,
            latency => self.bypass_word.get(latency - 2),
        };
        let (mark_state, held) = (self.mark_state.get(), self.held.get());
        let words = self.config.words();
        let marked = marked(mark_state.counts, self.age.get()).named("marked");
        let (space, space_mask) = (self.space.get(), self.config.space_mask(self.space.get()));
        // All EVs of the space are marked: that number is a power of two.
        let saturated = (marked.greater(limit) | marked.slice_at(space, 1)).named("too_many");
        self.saturated[0].set(saturated);
        let keep_position = [0, 1].map(|i: usize| held[i] & !saturated);
        let written = mark_state.summary.written;
        self.marked_words.set([0, 1].map(|i: usize| written[i] & replicate(keep_position[i], words)));
        self.bypass_marked.set([0, 1].map(|i: usize| written[i].slice_at(bypass.word, 1) & keep_position[i]));
        let at = (Bits::lit(words, 1) << bypass.word) & replicate(bypass.hit, words);
        let index_valid = self.config.words_in(space_mask);
        self.bypass_select.set(at & index_valid);
        self.other_words.set(!at & index_valid);
        self.space_mask[0].set(space_mask);
    }

    /// Step `l` + 2: every EV without a mark, and the words of the EV space that have such an EV.
    fn find_free(&self) {
        let bypass = self.bypass_word.last();
        let (marked, width) = (self.marked_words.get(), self.config.word_width());
        let marks = |i: usize| self.planes[i].data() & marked[i].spread(width);
        let free = !(marks(0) | marks(1));
        let marked = self.bypass_marked.get();
        let marks = |i: usize| bypass.value.plane[i] & replicate(marked[i], width);
        let patch = !(marks(0) | marks(1));
        let at = self.bypass_select.get();
        let words = free.any_each(width) & self.other_words.get() | at & replicate(patch.any(), self.config.words());
        self.space_mask[1].set(self.space_mask[0].get());
        self.free[0].set(free);
        self.patch[0].set(Patch { hit: bypass.hit, word: bypass.word, free: patch });
        self.free_words.set(words);
    }

    /// Steps `l` + 3 and `l` + 4. `result` is where the walk of the request in step `l` + 5 ended; `keep_position` is 1
    /// if that of the request in step `l` + 4 ends where it starts.
    fn locate_and_search(&self, result: EvPosition<L>, keep_position: Bits<L>) {
        let config = self.config;
        let (walk, free_in_word, next) = (self.walk.get(), self.free_in_word.get(), self.next.get());
        let [_, space_mask, reach_4, _] = Reg::get_all(&self.space_mask);
        let places = config.places_in(reach_4);
        let (free, patch) = (self.free[1].get(), self.patch[1].get());
        let later_evs = (free_in_word & above_lowest(walk.candidates) & places).named("later_evs");
        let stays = (later_evs.any() | keep_position).named("stays");
        let free_in_next = self.free_of(free, patch, next.word);
        let later_evs = select(keep_position, walk.candidates, later_evs);
        let place = EvPosition {
            word: select(stays, walk.word, next.word),
            candidates: select(stays, later_evs, free_in_next),
        };
        self.result.set(place);

        let (free, patch, words) = (self.free[0].get(), self.patch[0].get(), self.free_words.get());
        let ([follows_walk, follows_ended], start) = (self.back_to_back.get(), self.start.get());
        self.free[1].set(free);
        self.patch[1].set(patch);
        let started = EvPosition {
            word: start.slice(config.bit_bits(), config.word_bits()),
            candidates: Bits::lit(config.word_width(), 1) << start.slice(0, config.bit_bits()),
        };
        let from = select(follows_ended, result, started);
        self.walk.set(select(follows_walk, place, from));
        let moves = follows_walk & !stays;
        let word = select(follows_walk, walk.word, from.word).named("from_word");
        // A walk may start in a word outside the EV space (rule S17); no EV of it is free then.
        let width = config.word_width();
        let index_valid =
            |word: Bits<L>| self.free_of(free, patch, word) & replicate(config.word_in(word, space_mask), width);
        self.free_in_word.set(select(moves, index_valid(next.word), index_valid(word)));
        self.space_mask[2].set(space_mask);
        self.space_mask[3].set(reach_4);
        let stay = next_word(words, Bits::lit(config.words(), all_but_one(config.words())) << word);
        self.next.set(select(moves, next_word(words, next.later_words), stay));
    }

    /// The free EVs of a word.
    fn free_of(&self, free: Wide<L>, patch: Patch<L>, word: Bits<L>) -> Bits<L> {
        select(patch.hit & patch.word.equals(word), patch.free, free.lane(word, self.config.word_width()))
    }
}
