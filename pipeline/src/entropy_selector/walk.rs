// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a request does: it finds the first free EV behind the one granted last. With memories of latency 2:
//!
//! ```text
//!  step 0  arrive    CCC to the lifes and to `summary`
//!       2  age       summary: which planes still hold marks; CCC to `plane_0`, `plane_1` and `cursors`
//!       3  judge     saturated? then no word holds marks
//!       4  free      every word: its EVs without a mark, and whether there are any; the cursor
//!       5  approach  the cursor, or where the request two ahead has ended; the next word with a free EV
//!       6  walk      the first free EV behind the cursor: in its word, else in the next word
//!       7  arrive    EV to `cursors` and `grant`
//! ```
//!
//! With memories of latency `l`, `age` is step `l`, and all behind it keep their distance from it. Planes and cursors are
//! asked in step 2 even so: what they give is needed in step `l` + 2.
//!
//! The last steps but one are a loop of one clock for requests of one CCC back to back: the walk starts where the one
//! ahead ends. That clock only chooses between two words, because the next word with a free EV is known before: for the
//! word in which the walk starts, and for the word to which it may move on. A request further ahead is seen as it writes
//! its cursor: in steps `l` + 2 down to 3 for those that are three to `l` + 2 ahead, in the memory from `l` + 3 on.
//!
//! Feedback may write a word of a plane in the clock of the read, which then does not give that word; what was told is
//! caught on the way, and used in its place.

use super::EntropySelectorConfig;
use super::epoch::{Age, Epochs, age, fill, planes_held};
use super::modes::Way;
use super::passing::Passing;
use super::penalties::{PassedOver, ageless};
use super::ports::{EV_WIDTH, Grant, Request};
use super::records::{Cursor, Life, ToldSummary, ToldWord, alive, marked};
use super::request::{Arrived, Asked, Caller, CaughtWord, Known, Next, Others, Patch, Place, State};
use super::search::{all_but_one, behind_first, next_word};
use crate::row::Row;
use crate::update::Ask;
use crate::write_first::WriteFirst;
use rtl_model::{Bits, Logic, Ram, RamShape, Reg, Wide, bits, name_nets, select, when, wide};

/// The request side.
#[name_nets]
pub struct Walker<L: Logic> {
    config: EntropySelectorConfig,
    summary: WriteFirst<L, State<L>>,
    planes: [Ram<Wide<L>>; 2],
    cursors: WriteFirst<L, Cursor<L>>,
    arrived: Row<Arrived<L>>,
    /// Steps `l` + 1 to `l` + 5.
    asked: [Reg<Asked<L>>; 5],
    /// Steps `l` + 1 and `l` + 2.
    before: [Reg<Bits<L>>; 2],
    /// Steps 4 to `l` + 2.
    known: Row<Known<L>>,
    /// Steps 3 to `l` + 2.
    caught_word: Row<CaughtWord<L>>,
    state: Reg<State<L>>,
    age: Reg<Age<L>>,
    held: Reg<[Bits<L>; 2]>,
    /// Step `l` + 2: the words of each plane that hold marks, the same for the caught word alone.
    marked_words: Reg<[Bits<L>; 2]>,
    marked_caught: Reg<[Bits<L>; 2]>,
    caught_at: Reg<Bits<L>>,
    /// The words of the EV space but the caught one.
    other_words: Reg<Bits<L>>,
    /// Step `l` + 1.
    space: Reg<Bits<L>>,
    /// Steps `l` + 2 to `l` + 5.
    reach: [Reg<Bits<L>>; 4],
    /// Steps `l` + 2 to `l` + 5.
    saturated: [Reg<Bits<L>>; 4],
    /// Steps `l` + 3 and `l` + 4.
    free: [Reg<Wide<L>>; 2],
    patch: [Reg<Patch<L>>; 2],
    /// Step `l` + 3.
    free_words: Reg<Bits<L>>,
    start: Reg<Bits<L>>,
    follows: Reg<[Bits<L>; 2]>,
    /// Step `l` + 4: where the walk starts, the free EVs of that word, and the word to which it may move on.
    walk: Reg<Place<L>>,
    here: Reg<Bits<L>>,
    next: Reg<Next<L>>,
    /// Step `l` + 5.
    ended: Reg<Place<L>>,
    /// If there is mode `counting`.
    passing: Option<Passing<L>>,
    grant: Reg<Grant<L>>,
    refused: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Walker<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ccc, ev) = (bits(1), config.ccc(), bits(config.ev_bits()));
        let (words, word, width) = (bits(config.words()), bits(config.word_bits()), bits(config.word_width()));
        let (latency, steps) = (config.ram_latency, config.ram_latency as usize);
        let state = State { summary: config.summary(), counts: config.counts() };
        let arrived = Arrived { valid: flag, ccc, inside: flag, epochs: config.epochs() };
        let asked = Asked { valid: flag, ccc, open: flag, turn: flag };
        let known = Known { hit: flag, ev };
        let caught = CaughtWord { hit: flag, word, value: config.word() };
        let plane = RamShape::new(config.cccs).unused_on_collision().latency(latency).lanes(config.words());
        let place = Place { word, evs: width };
        Walker {
            config,
            summary: WriteFirst::new(config.cccs, latency, 1, &state),
            planes: [0, 1].map(|i| Ram::numbered(i, plane, &wide(config.evs as u32))),
            cursors: WriteFirst::new(config.cccs, latency, 2, &Cursor { turn: flag, ev }),
            arrived: Row::new(steps, |i| Reg::numbered(i as u32 + 1, &arrived)),
            asked: [1, 2, 3, 4, 5].map(|i| Reg::numbered(latency + i, &asked)),
            before: [1, 2].map(|i| Reg::numbered(latency + i, &ev)),
            known: Row::new(steps - 1, |i| Reg::numbered(i as u32 + 4, &known)),
            caught_word: Row::new(steps, |i| Reg::numbered(i as u32 + 3, &caught)),
            state: Reg::new(&state),
            age: Reg::new(&Age { now: flag, young: flag }),
            held: Reg::new(&[flag; 2]),
            marked_words: Reg::new(&[words; 2]),
            marked_caught: Reg::new(&[flag; 2]),
            caught_at: Reg::new(&words),
            other_words: Reg::new(&words),
            space: Reg::new(&config.space()),
            reach: [2, 3, 4, 5].map(|i| Reg::numbered(latency + i, &ev)),
            saturated: [2, 3, 4, 5].map(|i| Reg::numbered(latency + i, &flag)),
            free: [3, 4].map(|i| Reg::numbered(latency + i, &wide(config.evs as u32))),
            patch: [3, 4].map(|i| Reg::numbered(latency + i, &Patch { hit: flag, word, free: width })),
            free_words: Reg::new(&words),
            start: Reg::new(&ev),
            follows: Reg::new(&[flag; 2]),
            walk: Reg::new(&place),
            here: Reg::new(&width),
            next: Reg::new(&Next { word, behind: words }),
            ended: Reg::new(&place),
            passing: config.modes.count().then(|| Passing::new(config)),
            grant: Reg::new(&config.grant()),
            refused: Reg::new(&bits(32)).with_reset(),
        }
    }

    pub fn grant(&self) -> Grant<L> {
        self.grant.get()
    }

    pub fn refused(&self) -> Bits<L> {
        self.refused.get()
    }

    /// The cursor that the keeper asked for `l` cycles ago.
    pub fn keeper_cursor(&self) -> Cursor<L> {
        self.cursors.data(1)
    }

    /// The request in step `l`, if its CCC is open. `life` and `way` are those of the CCC.
    pub fn caller(&self, life: Life<L>, way: Way<L>) -> Caller<L> {
        let at = self.arrived.last();
        let valid = at.valid & at.inside & life.open;
        Caller { valid, ccc: at.ccc, turn: life.turn, start: life.before + 1, space: life.space, way }
    }

    /// The request in step 1.
    pub fn asked_1(&self) -> Ask<L> {
        let Arrived { valid, ccc, .. } = self.arrived.get(0);
        Ask { valid, key: ccc }
    }

    /// The EV that the request of the grant has passed over first, if that matters.
    pub fn passed_over(&self) -> Option<PassedOver<L>> {
        self.passing.as_ref().map(|passing| passing.passed(self.grant.get()))
    }

    /// One cycle. `life` and `way` are those of the request in step `l`.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        request: Request<L>,
        swept: Bits<L>,
        epochs: Epochs<L>,
        limit: Bits<L>,
        life: Life<L>,
        way: Way<L>,
        told: ToldSummary<L>,
        told_word: ToldWord<L>,
        keeper: Bits<L>,
        others: Others<L>,
    ) {
        let (config, latency) = (self.config, self.config.ram_latency as usize);
        let [asked_1, asked_2, asked_3, asked_4, asked_5] = Reg::get_all(&self.asked);
        let [saturated_2, saturated_3, saturated_4, saturated_5] = Reg::get_all(&self.saturated);
        let at = self.arrived.last();
        // The request in step 2, and what is told in that clock.
        let (reads, ccc) = if latency == 1 {
            (asked_1.valid, asked_1.ccc)
        } else {
            let arrived = self.arrived.get(1);
            (arrived.valid, arrived.ccc)
        };
        let hit = told_word.valid & told_word.ccc.equals(ccc);
        let caught = CaughtWord { hit, word: told_word.word, value: told_word.value };
        let same = |ahead: Asked<L>, me: Asked<L>| ahead.open & ahead.turn.equals(me.turn) & ahead.ccc.equals(me.ccc);

        // l + 5
        let ended = self.ended.get();
        let ended_ev = ended.word.concat(ended.evs.first_set()).named("ended_ev");
        let other = others.other;
        // What is beyond the EV space is cut, in modes other than the bitmap (row S17).
        let ev = (select(other.valid, other.ev, ended_ev) & self.reach[3].get()).named("granted");
        let open = asked_5.valid & asked_5.open;
        let granted = ev & fill(open, config.ev_bits());
        self.grant.set(Grant {
            valid: asked_5.valid,
            ccc: asked_5.ccc,
            open,
            ev: granted.extend(EV_WIDTH),
            saturated: saturated_5 & open & !other.valid,
            port: config.port_of(granted),
        });
        let refused = self.refused.get();
        when(asked_5.valid & !asked_5.open, || self.refused.set(refused + 1));

        if let Some(passing) = &self.passing {
            passing.clock(way.counts(), self.walk.get(), self.reach[3].get());
        }

        // l + 3, l + 4
        when(asked_3.open | asked_4.open, || self.approach_and_walk(ended, others.holds));

        // l + 2
        when(asked_2.open, || {
            let (cursor, before) = (self.cursors.data(0), self.before[1].get());
            let mut stored = select(cursor.turn.equals(asked_2.turn), cursor.ev, before);
            if latency > 1 {
                let known = self.known.last();
                stored = select(known.hit, known.ev, stored);
            }
            self.start.set(select(same(asked_5, asked_2), ended_ev, stored));
            self.follows.set([same(asked_3, asked_2), same(asked_4, asked_2)]);
            self.find_free();
        });

        // l + 1
        when(asked_1.open, || {
            self.know(latency + 1, same(asked_5, asked_1), ended_ev);
            self.before[1].set(self.before[0].get());
            self.judge(limit, caught);
            self.pass(latency + 1, ccc, caught);
        });

        // l
        let open = at.valid & at.inside & life.open;
        let asked = Asked { valid: at.valid, ccc: at.ccc, open, turn: life.turn };
        when(at.valid, || {
            let state = self.summary.data(0);
            self.state.set(state);
            let alive = alive(state.summary.generation, life.dead);
            let mut aged = age(state.summary.tag, at.epochs, alive);
            if self.passing.is_some() {
                aged = ageless(aged, alive, way.counts());
            }
            let Age { now, young } = aged;
            let age = Age { now: now.named("marks_now"), young: young.named("marks_young") };
            self.age.set(age);
            self.held.set(planes_held(age, at.epochs.now.bit(0)));
            self.before[0].set(life.before);
            self.space.set(life.space);
            self.know(latency, same(asked_5, asked), ended_ev);
            self.pass(latency, ccc, caught);
        });
        if latency > 2 {
            when(reads, || self.pass(2, ccc, caught));
        }
        for (reg, asked) in self.asked.iter().zip([asked, asked_1, asked_2, asked_3, asked_4]) {
            reg.set(asked);
        }
        for (reg, value) in self.saturated[1..].iter().zip([saturated_2, saturated_3, saturated_4]) {
            reg.set(value);
        }

        // 0 to l - 1
        let inside = config.inside(request.ccc) & swept;
        self.arrived.shift(Arrived { valid: request.valid, ccc: request.ccc, inside, epochs });

        // The memories of the request side have one writer each: feedback, feedback, requests.
        let state = State { summary: told.summary, counts: told.counts };
        self.summary.clock(&[request.ccc], Ask { valid: told.valid, key: told.ccc }, state);
        when(told_word.valid, || {
            for (plane, value) in self.planes.iter().zip(told_word.value.plane) {
                plane.write_lane(told_word.ccc, told_word.word, value);
            }
        });
        self.planes.iter().for_each(Ram::clock);
        let arrived = Cursor { turn: asked_5.turn, ev: select(others.moves, ended_ev, ev) };
        self.cursors.clock(&[ccc, keeper], Ask { valid: asked_5.open, key: asked_5.ccc }, arrived);
    }

    /// Steps 3 to `l` + 1: whether the request that writes its cursor in this clock is of the same CCC.
    fn know(&self, step: usize, hit: Bits<L>, ev: Bits<L>) {
        match step {
            0..=2 => {}
            3 => self.known.set(0, Known { hit, ev }),
            _ => {
                let known = self.known.get(step - 4);
                self.known.set(step - 3, Known { hit: hit | known.hit, ev: select(hit, ev, known.ev) });
            }
        }
    }

    /// Steps 2 to `l` + 1: the planes are asked, and what was caught then goes along.
    fn pass(&self, step: usize, ccc: Bits<L>, caught: CaughtWord<L>) {
        if step == 2 {
            self.caught_word.set(0, caught);
            self.planes.iter().for_each(|plane| plane.read(ccc));
        } else if step > 2 {
            self.caught_word.set(step - 2, self.caught_word.get(step - 3));
        }
    }

    /// Step `l` + 1: the words that hold marks, none if too many EVs have one. At latency 1 a word is caught now.
    fn judge(&self, limit: Bits<L>, now: CaughtWord<L>) {
        let caught = match self.config.ram_latency as usize {
            1 => now,
            latency => self.caught_word.get(latency - 2),
        };
        let (state, held) = (self.state.get(), self.held.get());
        let words = self.config.words();
        let marked = marked(state.counts, self.age.get()).named("marked");
        let (space, reach) = (self.space.get(), self.config.reach(self.space.get()));
        // As many as the space has is a power of two.
        let saturated = (marked.greater(limit) | marked.slice_at(space, 1)).named("too_many");
        self.saturated[0].set(saturated);
        let holds = [0, 1].map(|i: usize| held[i] & !saturated);
        let written = state.summary.written;
        self.marked_words.set([0, 1].map(|i: usize| written[i] & fill(holds[i], words)));
        self.marked_caught.set([0, 1].map(|i: usize| written[i].slice_at(caught.word, 1) & holds[i]));
        let at = (Bits::lit(words, 1) << caught.word) & fill(caught.hit, words);
        let inside = self.config.words_in(reach);
        self.caught_at.set(at & inside);
        self.other_words.set(!at & inside);
        self.reach[0].set(reach);
    }

    /// Step `l` + 2: every EV without a mark, and the words of the EV space that have one.
    fn find_free(&self) {
        let caught = self.caught_word.last();
        let (marked, width) = (self.marked_words.get(), self.config.word_width());
        let marks = |i: usize| self.planes[i].data() & marked[i].spread(width);
        let free = !(marks(0) | marks(1));
        let marked = self.marked_caught.get();
        let marks = |i: usize| caught.value.plane[i] & fill(marked[i], width);
        let patch = !(marks(0) | marks(1));
        let at = self.caught_at.get();
        let words = free.any_each(width) & self.other_words.get() | at & fill(patch.any(), self.config.words());
        self.reach[1].set(self.reach[0].get());
        self.free[0].set(free);
        self.patch[0].set(Patch { hit: caught.hit, word: caught.word, free: patch });
        self.free_words.set(words);
    }

    /// Steps `l` + 3 and `l` + 4. `ended` is where the request in step `l` + 5 has ended; the one in step `l` + 4 `holds` if
    /// it ends where it starts.
    fn approach_and_walk(&self, ended: Place<L>, holds: Bits<L>) {
        let config = self.config;
        let (walk, here, next) = (self.walk.get(), self.here.get(), self.next.get());
        let [_, reach, reach_4, _] = Reg::get_all(&self.reach);
        let places = config.places_in(reach_4);
        let (free, patch) = (self.free[1].get(), self.patch[1].get());
        let behind = (here & behind_first(walk.evs) & places).named("behind");
        let stays = (behind.any() | holds).named("stays");
        let there = self.free_of(free, patch, next.word);
        let behind = select(holds, walk.evs, behind);
        let place = Place { word: select(stays, walk.word, next.word), evs: select(stays, behind, there) };
        self.ended.set(place);

        let (free, patch, words) = (self.free[0].get(), self.patch[0].get(), self.free_words.get());
        let ([follows_walk, follows_ended], start) = (self.follows.get(), self.start.get());
        self.free[1].set(free);
        self.patch[1].set(patch);
        let started = Place {
            word: start.slice(config.bit_bits(), config.word_bits()),
            evs: Bits::lit(config.word_width(), 1) << start.slice(0, config.bit_bits()),
        };
        let from = select(follows_ended, ended, started);
        self.walk.set(select(follows_walk, place, from));
        let moves = follows_walk & !stays;
        let word = select(follows_walk, walk.word, from.word).named("from_word");
        // A walk may start in a word that the EV space has not any more (row S17), with nothing free in it.
        let width = config.word_width();
        let inside = |word: Bits<L>| self.free_of(free, patch, word) & fill(config.word_in(word, reach), width);
        self.here.set(select(moves, inside(next.word), inside(word)));
        self.reach[2].set(reach);
        self.reach[3].set(reach_4);
        let stay = next_word(words, Bits::lit(config.words(), all_but_one(config.words())) << word);
        self.next.set(select(moves, next_word(words, next.behind), stay));
    }

    /// The free EVs of a word.
    fn free_of(&self, free: Wide<L>, patch: Patch<L>, word: Bits<L>) -> Bits<L> {
        select(patch.hit & patch.word.equals(word), patch.free, free.lane(word, self.config.word_width()))
    }
}
