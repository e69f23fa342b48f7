// SPDX-License-Identifier: MIT OR Apache-2.0
//! The request pipeline: it finds the first free EV after the one granted last. With memories of latency 2:
//!
//! ```text
//!  step 0  accept      CCC to `ccc_states` and to `summary`
//!       2  epoch       that of the CCC; its summary; CCC to `planes` and `cursors`
//!       3  age         which planes still hold valid marks; saturated? if so, no word holds marks
//!       4  free EVs    every word: its EVs without a mark, and whether there are any; the cursor
//!       5  locate      the cursor, or where the walk two requests earlier ended; the next word with a free EV
//!       6  search      the first free EV after the cursor: in its word, else in the next word
//!       7  result      EV to `cursors` and `grant`
//! ```
//!
//! With memories of latency `l`, `epoch` is step `l`, and all later steps keep their distance from it. Planes and cursors
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

use super::config::EntropySelectorConfig;
use super::epoch::{Age, age, epoch_of, planes_held, replicate};
use super::mode_state::ModeState;
use super::modes::{Modes, mode};
use super::passed_over::{PassedOverTracker, Walked};
use super::penalties::{PassedOver, without_expiry};
use super::ports::{Grant, Request};
use super::records::{CccState, Counts, Cursor, Summary, SummaryUpdate, WordUpdate, marks_valid};
use super::request::{
    AdmittedRequest, Arrived, BypassWord, CursorBypass, EvPosition, MarkState, Patch, TrackedRequest, WalkOverride,
};
use super::search::{above_lowest, next_word, words_behind};
use super::settings::SATURATION_WIDTH;
use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Delay, Logic, Pipeline, Ram, RamShape, Reg, Wide, across, bits, name_nets, select, when, wide};

/// The pipeline of requests.
const WALK: Pipeline = Pipeline::new("walk");

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
    arrived: PipelineRegs<Arrived<L>>,
    /// Requests in steps `l` + 1 to `l` + 5.
    tracked: PipelineRegs<TrackedRequest<L>>,
    /// EV before the first one to grant, in steps `l` + 1 and `l` + 2.
    ev_before_start: PipelineRegs<Bits<L>>,
    /// Cursors written after the read of `cursors`, in steps 4 to `l` + 2.
    cursor_bypass: PipelineRegs<CursorBypass<L>>,
    /// Word updated in the clock cycle of the read, in steps 3 to `l` + 2.
    bypass_word: PipelineRegs<BypassWord<L>>,
    /// Summary and counts of the CCC in step `l` + 1.
    mark_state: Reg<MarkState<L>>,
    /// 1 if its marks are valid once they are young enough.
    marks_valid: Reg<Bits<L>>,
    /// 1 if they are penalties, which do not expire; absent if mode `penalty` is not built.
    uses_penalties: Option<Reg<Bits<L>>>,
    /// Its epoch.
    epoch: Reg<Bits<L>>,
    /// Words that hold marks, per plane; valid in step `l` + 2.
    marked_words: Reg<[Bits<L>; 2]>,
    /// 1 if the bypass word holds marks, per plane; valid in step `l` + 2.
    bypass_marked: Reg<[Bits<L>; 2]>,
    /// The bypass word, one-hot; 0 if there is none in the EV space.
    bypass_select: Reg<Bits<L>>,
    /// Words of the EV space except the bypass word, one bit each.
    other_words: Reg<Bits<L>>,
    /// The most marked EVs of the EV space that are still avoided, for the request in step `l` + 1.
    limit: Reg<Bits<L>>,
    /// Upper bits of EVs on the wire, in steps `l` + 1 to `l` + 5.
    upper: PipelineRegs<Bits<L>>,
    /// Free ports of the request, delayed to step `l` + 5.
    free_ports: Delay<Bits<L>>,
    /// EV space mask, in steps `l` + 1 to `l` + 5.
    space_mask: PipelineRegs<Bits<L>>,
    /// 1 if the CCC is saturated, in steps `l` + 2 to `l` + 5.
    saturated: PipelineRegs<Bits<L>>,
    /// EVs without a mark, one bit each, in steps `l` + 3 and `l` + 4.
    free: PipelineRegs<Wide<L>>,
    /// EVs without a mark of the bypass word, in steps `l` + 3 and `l` + 4.
    patch: PipelineRegs<Patch<L>>,
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
    next_word: Reg<Bits<L>>,
    /// Where the walk of the request in step `l` + 5 ended.
    result: Reg<EvPosition<L>>,
    /// Finds EVs passed over, for mode `penalty`; absent if the mode is not built.
    passed_over_tracker: Option<PassedOverTracker<L>>,
    /// Answer to the request.
    grant: Reg<Grant<L>>,
    /// Counter: requests for CCCs that are not open.
    refused: Counter<L>,
    /// Counter: requests whose EV is of a port that is not free.
    blocked: Counter<L>,
}

#[name_nets]
impl<L: Logic> Walker<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ccc, ev) = (bits(1), config.ccc(), bits(config.ev_bits()));
        let (words, word, width) = (bits(config.words()), bits(config.word_bits()), bits(config.word_width()));
        let l = config.ram_latency;
        let mark_state = MarkState { summary: Summary::shape(config), counts: Counts::shape(config) };
        let tracked = TrackedRequest::shape(config);
        let cursor_bypass = CursorBypass::shape(config);
        let bypass = BypassWord::shape(config);
        let plane = RamShape::new(config.cccs).unused_on_collision().latency(l).lanes(config.words());
        let place = EvPosition::shape(config);
        Walker {
            config,
            summary: WriteFirstRam::new(config.cccs, l, 1, &mark_state),
            planes: [0, 1].map(|i| Ram::numbered(i, plane, &wide(config.evs as u32))),
            cursors: WriteFirstRam::new(config.cccs, l, config.cursor_ports(), &Cursor::shape(config)),
            arrived: PipelineRegs::new(1..=l, &Arrived::shape(config)).checked(WALK),
            tracked: PipelineRegs::new(l + 1..=l + 5, &tracked).checked(WALK),
            ev_before_start: PipelineRegs::new(l + 1..=l + 2, &ev).checked(WALK),
            cursor_bypass: PipelineRegs::new(4..=l + 2, &cursor_bypass).checked(WALK),
            bypass_word: PipelineRegs::new(3..=l + 2, &bypass).checked(WALK),
            mark_state: Reg::new(&mark_state),
            marks_valid: Reg::new(&flag),
            uses_penalties: config.modes.has_penalty().then(|| Reg::new(&flag)),
            epoch: Reg::new(&bits(config.epoch_bits())),
            marked_words: Reg::new(&[words; 2]),
            bypass_marked: Reg::new(&[flag; 2]),
            bypass_select: Reg::new(&words),
            other_words: Reg::new(&words),
            limit: Reg::new(&ev),
            upper: PipelineRegs::new(l + 1..=l + 5, &config.upper()).checked(WALK),
            free_ports: Delay::new(&bits(config.ports as u32), l as usize + 5),
            space_mask: PipelineRegs::new(l + 1..=l + 5, &ev).checked(WALK),
            saturated: PipelineRegs::new(l + 2..=l + 5, &flag).checked(WALK),
            free: PipelineRegs::new(l + 3..=l + 4, &wide(config.evs as u32)).checked(WALK),
            patch: PipelineRegs::new(l + 3..=l + 4, &Patch::shape(config)).checked(WALK),
            free_words: Reg::new(&words),
            start: Reg::new(&ev),
            back_to_back: Reg::new(&[flag; 2]),
            walk: Reg::new(&place),
            free_in_word: Reg::new(&width),
            next_word: Reg::new(&word),
            result: Reg::new(&place),
            passed_over_tracker: config.modes.has_penalty().then(|| PassedOverTracker::new(config)),
            grant: Reg::new(&Grant::shape(config)),
            refused: Counter::new(32),
            blocked: Counter::new(32),
        }
    }

    pub fn grant(&self) -> Grant<L> {
        self.grant.get()
    }

    /// Counters: requests for CCCs that are not open, and blocked requests.
    pub fn refused(&self) -> (Bits<L>, Bits<L>) {
        (self.refused.get(), self.blocked.get())
    }

    /// The cursor that a command read `l` cycles ago.
    pub fn command_cursor(&self) -> Cursor<L> {
        self.cursors.data(1)
    }

    /// The cursor that a reroute event read `l` cycles ago, if mode `single_path` is built.
    pub fn reroute_cursor(&self) -> Option<Cursor<L>> {
        (self.config.cursor_ports() > 2).then(|| self.cursors.data(2))
    }

    /// Looks up the EV for the request in step `l` + 3: bits of which one is 1 if it has no mark, or its CCC is
    /// saturated.
    pub fn free_bits(&self, ev: Bits<L>) -> Bits<L> {
        let (config, l) = (self.config, self.config.ram_latency);
        let (free, patch, width) = (self.free.at(l + 3), self.patch.at(l + 3), config.word_width());
        let word = ev.slice(config.bit_bits(), config.word_bits());
        // Decoded, because a multiplexer of all EVs is larger.
        let onehot = Bits::lit(width, 1) << ev.slice(0, config.bit_bits());
        let of_each = (0..config.word_bits()).fold(onehot.widen(), |words, _| words.concat(words));
        let stored = (free & of_each).any_each(width) & Bits::lit(config.words(), 1) << word;
        let patched = (patch.hit & patch.word.equals(word)).named("looks_up_patch");
        ((patch.free & onehot).any() & patched).concat(stored.gate(!patched))
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
            stride: ccc_state.stride,
            epoch: epoch_of(at.rtts, ccc_state.rtt_class),
            mode_state,
        }
    }

    /// The read of a row of its CCC by the request in a step from 1 to `l` + 5.
    pub fn access(&self, step: u32) -> Access<L> {
        if step <= self.config.ram_latency {
            let Arrived { valid, ccc, .. } = self.arrived.at(step);
            return Access { valid, index: ccc };
        }
        let TrackedRequest { valid, ccc, .. } = self.tracked.at(step);
        Access { valid, index: ccc }
    }

    /// The EV that the request of the grant has passed over first, if mode `penalty` is built.
    pub fn passed_over(&self) -> Option<PassedOver<L>> {
        self.passed_over_tracker.as_ref().map(|passed_over_tracker| passed_over_tracker.passed())
    }

    /// One cycle. `ccc_state` and `mode_state` are those of the request in step `l`.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        request: Request<L>,
        swept: Bits<L>,
        rtts: Bits<L>,
        saturation: Bits<L>,
        ccc_state: CccState<L>,
        mode_state: ModeState<L>,
        summary_update: SummaryUpdate<L>,
        word_update: WordUpdate<L>,
        cursor_reads: [Bits<L>; 2],
        walk_override: WalkOverride<L>,
    ) {
        let (config, l, at) = (self.config, self.config.ram_latency, self.arrived.last());
        let [request_1, request_2, request_3, request_4, request_5] = self.tracked.each();
        // The request in step 2, and the update of that clock cycle.
        let Access { valid: reads, index: ccc } = self.access(2);
        let hit = word_update.valid & word_update.ccc.equals(ccc);
        let bypass = BypassWord { hit, word: word_update.word, value: word_update.value };
        let same = |ahead: TrackedRequest<L>, me: TrackedRequest<L>| {
            let ahead = across(ahead);
            ahead.open & ahead.generation.equals(me.generation) & ahead.ccc.equals(me.ccc)
        };

        // l + 5
        let result = self.result.get();
        let result_ev = result.word.concat(result.candidates.first_set()).named("result_ev");
        let ev_override = walk_override.ev_override;
        // In modes other than the bitmap the EV is reduced modulo the size of the EV space (rule S17).
        let ev = (select(ev_override.valid, ev_override.ev, result_ev) & self.space_mask.at(l + 5)).named("granted");
        let admitted = request_5.valid & request_5.open;
        let port_free = self.free_ports.get().slice_at(config.port_of(ev), 1).named("port_free");
        let saturated = self.saturated.at(l + 5) & !ev_override.valid;
        let (open, blocked) = (admitted & port_free, admitted & !port_free);
        self.grant.set(Grant {
            valid: request_5.valid,
            ccc: request_5.ccc,
            open,
            blocked,
            ev: config.on_wire(self.upper.at(l + 5), ev).gate(open),
            saturated: saturated & open,
            port: config.port_of(ev).gate(open),
        });
        self.refused.count(request_5.valid & !request_5.open);
        self.blocked.count(blocked);

        if let Some(passed_over_tracker) = &self.passed_over_tracker {
            let walked = Walked { valid: admitted, ccc: request_5.ccc, ev, saturated };
            let uses_penalties = mode_state.uses_penalties();
            passed_over_tracker.clock(uses_penalties, self.walk.get(), walked, self.space_mask.at(l + 5));
        }

        // l + 3, l + 4
        when(across(request_3.open) | across(request_4.open), || {
            self.locate_and_search(result, walk_override.keep_position)
        });

        self.saturated.advance(l + 3..=l + 5);

        // l + 2
        when(request_2.open, || {
            let (cursor, before) = (self.cursors.data(0), self.ev_before_start.at(l + 2));
            let mut stored = select(cursor.generation.equals(request_2.generation), cursor.ev, before);
            if l > 1 {
                let cursor_bypass = self.cursor_bypass.last();
                stored = select(cursor_bypass.hit, cursor_bypass.ev, stored);
            }
            self.start.set(select(same(request_5, request_2), result_ev, stored));
            self.back_to_back.set([same(request_3, request_2), same(request_4, request_2)]);
            self.find_free();
        });

        // l + 1
        when(request_1.open, || {
            self.bypass_cursor(l + 1, same(request_5, request_1), result_ev);
            self.ev_before_start.set(l + 2, self.ev_before_start.at(l + 1));
            self.check_saturation(bypass);
            self.forward_bypass(l + 1, ccc, bypass);
        });

        // l
        let open = at.valid & at.index_valid & ccc_state.open;
        let tracked = TrackedRequest { valid: at.valid, ccc: at.ccc, open, generation: ccc_state.generation };
        when(at.valid, || {
            let mark_state = self.summary.data(0);
            self.mark_state.set(mark_state);
            let marks_valid = marks_valid(mark_state.summary.mark_generation, ccc_state.stale_mark_generations);
            self.marks_valid.set(marks_valid);
            if let Some(uses_penalties) = &self.uses_penalties {
                uses_penalties.set(mode_state.uses_penalties());
            }
            self.epoch.set(epoch_of(at.rtts, ccc_state.rtt_class).truncate(config.epoch_bits()));
            self.ev_before_start.set(l + 1, ccc_state.ev_before_start);
            let space_mask = config.space_mask(ccc_state.space);
            self.space_mask.set(l + 1, space_mask);
            self.limit.set(config.saturation_limit(saturation, ccc_state.space, space_mask));
            self.bypass_cursor(l, same(request_5, tracked), result_ev);
            self.forward_bypass(l, ccc, bypass);
        });
        if l > 2 {
            when(reads, || self.forward_bypass(2, ccc, bypass));
        }
        self.upper.shift(ccc_state.upper);
        self.free_ports.shift(request.free_ports);
        self.tracked.shift(tracked);

        // 0 to l - 1
        let index_valid = config.index_valid(request.ccc) & swept;
        self.arrived.shift(Arrived { valid: request.valid, ccc: request.ccc, index_valid, rtts });

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
        let arrived =
            Cursor { generation: request_5.generation, ev: select(walk_override.writes_cursor, result_ev, ev) };
        let reads = [ccc, cursor_reads[0], cursor_reads[1]];
        self.cursors.clock(
            &reads[..config.cursor_ports()],
            Access { valid: request_5.open, index: request_5.ccc },
            arrived,
        );
    }

    /// Steps 3 to `l` + 1: takes over the cursor that is written in this clock cycle, if it is of the same CCC.
    fn bypass_cursor(&self, step: u32, hit: Bits<L>, ev: Bits<L>) {
        match step {
            0..=2 => {}
            3 => self.cursor_bypass.set(4, CursorBypass { hit, ev }),
            _ => {
                let cursor_bypass = self.cursor_bypass.at(step);
                self.cursor_bypass.set(
                    step + 1,
                    CursorBypass { hit: hit | cursor_bypass.hit, ev: select(hit, ev, cursor_bypass.ev) },
                );
            }
        }
    }

    /// Steps 2 to `l` + 1: reads the planes, and carries the word that was updated in that cycle with the request.
    fn forward_bypass(&self, step: u32, ccc: Bits<L>, bypass: BypassWord<L>) {
        if step == 2 {
            self.bypass_word.set(3, bypass);
            self.planes.iter().for_each(|plane| plane.read(ccc));
        } else if step > 2 {
            self.bypass_word.set(step + 1, self.bypass_word.at(step));
        }
    }

    /// Step `l` + 1: the words that hold marks; none if the CCC is saturated. At latency 1 the bypass word is that of
    /// this cycle, `now`.
    fn check_saturation(&self, now: BypassWord<L>) {
        let l = self.config.ram_latency;
        let bypass = if l == 1 { now } else { self.bypass_word.at(l + 1) };
        let (mark_state, epoch, marks_valid) = (self.mark_state.get(), self.epoch.get(), self.marks_valid.get());
        let mut age = age(mark_state.summary.epoch, epoch, marks_valid);
        if let Some(uses_penalties) = &self.uses_penalties {
            age = without_expiry(age, marks_valid, uses_penalties.get());
        }
        let Age { current, recent } = age;
        let age = Age { current: current.named("marks_current"), recent: recent.named("marks_recent") };
        let held = planes_held(age, epoch.bit(0));
        let (words, space_mask) = (self.config.words(), self.space_mask.at(l + 1));
        // Both counts are compared, because the age is not known before.
        let limit = self.limit.get().extend(self.config.count_bits());
        let Counts { all, latest } = mark_state.counts;
        let too_many = select(age.current, all.greater(limit), latest.greater(limit));
        let saturated = (too_many & age.recent).named("saturates");
        self.saturated.set(l + 2, saturated);
        let looked_at = [0, 1].map(|i: usize| held[i] & !saturated);
        let written = mark_state.summary.written;
        self.marked_words.set([0, 1].map(|i: usize| written[i] & replicate(looked_at[i], words)));
        self.bypass_marked.set([0, 1].map(|i: usize| written[i].slice_at(bypass.word, 1) & looked_at[i]));
        let at = (Bits::lit(words, 1) << bypass.word) & replicate(bypass.hit, words);
        let index_valid = self.config.words_in(space_mask);
        self.bypass_select.set(at & index_valid);
        self.other_words.set(!at & index_valid);
        self.space_mask.set(l + 2, space_mask);
    }

    /// Step `l` + 2: every EV without a mark, and the words of the EV space that have such an EV.
    fn find_free(&self) {
        let (l, bypass) = (self.config.ram_latency, self.bypass_word.last());
        let (marked, width) = (self.marked_words.get(), self.config.word_width());
        let marks = |i: usize| self.planes[i].data() & marked[i].spread(width);
        let free = !(marks(0) | marks(1));
        let marked = self.bypass_marked.get();
        let marks = |i: usize| bypass.value.plane[i] & replicate(marked[i], width);
        let patch = !(marks(0) | marks(1));
        let at = self.bypass_select.get();
        let words = free.any_each(width) & self.other_words.get() | at & replicate(patch.any(), self.config.words());
        self.space_mask.set(l + 3, self.space_mask.at(l + 2));
        self.free.set(l + 3, free);
        self.patch.set(l + 3, Patch { hit: bypass.hit, word: bypass.word, free: patch });
        self.free_words.set(words);
    }

    /// Steps `l` + 3 and `l` + 4. `result` is where the walk of the request in step `l` + 5 ended; `keep_position` is 1
    /// if that of the request in step `l` + 4 ends where it starts.
    fn locate_and_search(&self, result: EvPosition<L>, keep_position: Bits<L>) {
        let (config, l) = (self.config, self.config.ram_latency);
        let (walk, free_in_word, next) = (self.walk.get(), self.free_in_word.get(), self.next_word.get());
        let (space_mask, space_mask_4) = (self.space_mask.at(l + 3), self.space_mask.at(l + 4));
        let places = config.places_in(space_mask_4);
        let (free, patch) = (self.free.at(l + 4), self.patch.at(l + 4));
        let later_evs = (free_in_word & above_lowest(walk.candidates) & places).named("later_evs");
        let stays = (later_evs.any() | keep_position).named("stays");
        let free_in_next = self.free_of(free, patch, next);
        let later_evs = select(keep_position, walk.candidates, later_evs);
        let place =
            EvPosition { word: select(stays, walk.word, next), candidates: select(stays, later_evs, free_in_next) };
        self.result.set(place);

        let (free, patch, words) = (self.free.at(l + 3), self.patch.at(l + 3), self.free_words.get());
        let ([follows_walk, follows_ended], start) = (self.back_to_back.get(), self.start.get());
        self.free.set(l + 4, free);
        self.patch.set(l + 4, patch);
        let started = EvPosition {
            word: start.slice(config.bit_bits(), config.word_bits()),
            candidates: Bits::lit(config.word_width(), 1) << start.slice(0, config.bit_bits()),
        };
        let from = select(follows_ended, result, started);
        // The walk of the request ahead, which ends in this clock cycle.
        let (ended, stayed) = (across(place), across(stays));
        self.walk.set(select(follows_walk, ended, from));
        let moves = follows_walk & !stayed;
        let word = select(follows_walk, walk.word, from.word).named("from_word");
        // A walk may start in a word outside the EV space (rule S17); no EV of it is free then.
        let width = config.word_width();
        let index_valid =
            |word: Bits<L>| self.free_of(free, patch, word) & replicate(config.word_in(word, space_mask), width);
        self.free_in_word.set(select(moves, index_valid(next), index_valid(word)));
        self.space_mask.set(l + 4, space_mask);
        self.space_mask.set(l + 5, space_mask_4);
        let behind = [next, word].map(|word| words & words_behind(word));
        self.next_word.set(next_word(words, behind, moves, config.modes == Modes::BITMAP));
    }

    /// The free EVs of a word.
    fn free_of(&self, free: Wide<L>, patch: Patch<L>, word: Bits<L>) -> Bits<L> {
        select(patch.hit & patch.word.equals(word), patch.free, free.lane(word, self.config.word_width()))
    }
}

impl EntropySelectorConfig {
    /// Read ports of the cursors: requests, commands, and reroute events if mode `single_path` is built.
    const fn cursor_ports(self) -> usize {
        if self.modes.has(mode::SINGLE_PATH) { 3 } else { 2 }
    }

    /// The most marked EVs of a space with which a CCC is not saturated: the fraction of the space, rounded down, and
    /// less than all (rule S7).
    fn saturation_limit<L: Logic>(self, saturation: Bits<L>, space: Bits<L>, space_mask: Bits<L>) -> Bits<L> {
        let parts = SATURATION_WIDTH - 1;
        let fraction =
            (saturation.truncate(parts).extend(parts + self.ev_bits()) << space).slice(parts, self.ev_bits());
        select(saturation.bit(parts), space_mask, fraction)
    }
}
