// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a request does: it finds the first free EV behind the one granted last.
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
//! Steps 5 and 6 are a loop of one clock for requests of one CCC back to back: the walk starts where the one ahead ends.
//! That clock only chooses between two words, because the next word with a free EV is known before: for the word in
//! which the walk starts, and for the word to which it may move on. A request further ahead is seen as it writes its
//! cursor: in steps 4, 3, 2 for those that are three, four, five ahead.
//!
//! What feedback tells is written to the request side's memories, of which a read in the same clock gives nothing (of
//! the planes: nothing of that word); so it is caught on the way, and used in place of the read.

use super::EntropySelectorConfig;
use super::epoch::{age, fill};
use super::keeper::Life;
use super::marks::{Counts, Summary, ToldSummary, ToldWord, Word};
use super::ports::{EV_WIDTH, Grant, Request};
use crate::update::Ask;
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Wide, bits, select, when, wide};

/// Where the walk of a CCC is.
#[derive(Bundle)]
pub struct Cursor<L: Reading> {
    /// It counts if the life has the same.
    pub turn: Bits<L>,
    /// The EV granted last.
    pub ev: Bits<L>,
}

/// Summary and counts of a CCC.
#[derive(Bundle)]
struct State<L: Reading> {
    summary: Summary<L>,
    counts: Counts<L>,
}

/// What was told in the clock of the read.
#[derive(Bundle)]
struct Caught<L: Reading> {
    hit: Bits<L>,
    state: State<L>,
}

/// A request in steps 1 and 2.
#[derive(Bundle)]
struct Arrived<L: Reading> {
    #[reset]
    valid: Bits<L>,
    ccc: Bits<L>,
    /// There is such a CCC, and the table has been swept.
    inside: Bits<L>,
    epoch: Bits<L>,
}

/// A request from step 3 on.
#[derive(Bundle)]
struct Asked<L: Reading> {
    #[reset]
    valid: Bits<L>,
    ccc: Bits<L>,
    open: Bits<L>,
    turn: Bits<L>,
}

/// An EV that may be known.
#[derive(Bundle)]
struct Known<L: Reading> {
    hit: Bits<L>,
    ev: Bits<L>,
}

/// A word that was told in the clock of the read.
#[derive(Bundle)]
struct CaughtWord<L: Reading> {
    hit: Bits<L>,
    word: Bits<L>,
    value: Word<L>,
}

/// The free EVs of a word that was told in the clock of the read.
#[derive(Bundle)]
struct Patch<L: Reading> {
    hit: Bits<L>,
    word: Bits<L>,
    free: Bits<L>,
}

/// Where a walk starts, or has ended.
#[derive(Bundle)]
struct Place<L: Reading> {
    word: Bits<L>,
    /// The lowest of these EVs of the word.
    evs: Bits<L>,
}

/// The request side.
pub struct Walker<L: Logic> {
    config: EntropySelectorConfig,
    summary: Ram<State<L>>,
    planes: [Ram<Wide<L>>; 2],
    cursors: Ram<Cursor<L>>,
    arrived: [Reg<Arrived<L>>; 2],
    caught: [Reg<Caught<L>>; 2],
    /// Steps 3 to 7.
    asked: [Reg<Asked<L>>; 5],
    /// Steps 3 and 4.
    before: [Reg<Bits<L>>; 2],
    known: [Reg<Known<L>>; 2],
    caught_word: [Reg<CaughtWord<L>>; 2],
    state: Reg<State<L>>,
    held: Reg<[Bits<L>; 2]>,
    /// Step 4: the words of each plane that hold marks, the same for the caught word alone.
    marked_words: Reg<[Bits<L>; 2]>,
    marked_caught: Reg<[Bits<L>; 2]>,
    caught_at: Reg<Bits<L>>,
    /// Steps 4 to 7.
    saturated: [Reg<Bits<L>>; 4],
    /// Steps 5 and 6.
    free: [Reg<Wide<L>>; 2],
    patch: [Reg<Patch<L>>; 2],
    /// Step 5.
    free_words: Reg<Bits<L>>,
    start: Reg<Bits<L>>,
    follows: Reg<[Bits<L>; 2]>,
    /// Step 6: where the walk starts, and the word to which it may move on.
    walk: Reg<Place<L>>,
    next: Reg<Bits<L>>,
    /// Step 7.
    ended: Reg<Place<L>>,
    grant: Reg<Grant<L>>,
    refused: Reg<Bits<L>>,
}

impl<L: Logic> Walker<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let (flag, ccc, ev) = (bits(1), config.ccc(), bits(config.ev_bits()));
        let (words, word, width) = (bits(config.words()), bits(config.word_bits()), bits(config.word_width()));
        let state = State { summary: config.summary(), counts: config.counts() };
        let arrived = Arrived { valid: flag, ccc, inside: flag, epoch: bits(config.epoch_bits()) };
        let asked = Asked { valid: flag, ccc, open: flag, turn: flag };
        let plane = RamShape::new(config.cccs).lanes(config.words());
        let place = Place { word, evs: width };
        Walker {
            config,
            summary: Ram::new("summary", RamShape::new(config.cccs), &state),
            planes: [0, 1].map(|i| Ram::new(&format!("plane_{i}"), plane, &wide(config.evs as u32))),
            cursors: Ram::new("cursors", RamShape::new(config.cccs).read_first().reads(2), &Cursor { turn: flag, ev }),
            arrived: [1, 2].map(|i| Reg::new(&format!("request_{i}"), &arrived)),
            caught: [1, 2].map(|i| Reg::new(&format!("caught_{i}"), &Caught { hit: flag, state })),
            asked: [3, 4, 5, 6, 7].map(|i| Reg::new(&format!("asked_{i}"), &asked)),
            before: [3, 4].map(|i| Reg::new(&format!("before_{i}"), &ev)),
            known: [3, 4].map(|i| Reg::new(&format!("known_{i}"), &Known { hit: flag, ev })),
            caught_word: [3, 4].map(|i| {
                let word = CaughtWord { hit: flag, word, value: config.word() };
                Reg::new(&format!("caught_word_{i}"), &word)
            }),
            state: Reg::new("state", &state),
            held: Reg::new("held", &[flag; 2]),
            marked_words: Reg::new("marked_words", &[words; 2]),
            marked_caught: Reg::new("marked_caught", &[flag; 2]),
            caught_at: Reg::new("caught_at", &words),
            saturated: [4, 5, 6, 7].map(|i| Reg::new(&format!("saturated_{i}"), &flag)),
            free: [5, 6].map(|i| Reg::new(&format!("free_{i}"), &wide(config.evs as u32))),
            patch: [5, 6].map(|i| Reg::new(&format!("patch_{i}"), &Patch { hit: flag, word, free: width })),
            free_words: Reg::new("free_words", &words),
            start: Reg::new("start", &ev),
            follows: Reg::new("follows", &[flag; 2]),
            walk: Reg::new("walk", &place),
            next: Reg::new("next_word", &word),
            ended: Reg::new("ended", &place),
            grant: Reg::new("grant", &config.grant()),
            refused: Reg::new("refused_requests", &bits(32)),
        }
    }

    #[inline(always)]
    pub fn grant(&self) -> Grant<L> {
        self.grant.get()
    }

    #[inline(always)]
    pub fn refused(&self) -> Bits<L> {
        self.refused.get()
    }

    /// The cursor that the keeper asked for two cycles ago.
    #[inline(always)]
    pub fn keeper_cursor(&self) -> Cursor<L> {
        self.cursors.data_port(1)
    }

    /// One cycle. `life` is that of the request in step 2.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        request: Request<L>,
        swept: Bits<L>,
        epoch: Bits<L>,
        limit: Bits<L>,
        life: Life<L>,
        told: ToldSummary<L>,
        told_word: ToldWord<L>,
        keeper: Ask<L>,
    ) {
        let config = self.config;
        let [asked_3, asked_4, asked_5, asked_6, asked_7] = [0, 1, 2, 3, 4].map(|i: usize| self.asked[i].get());
        let [saturated_4, saturated_5, saturated_6, saturated_7] = [0, 1, 2, 3].map(|i: usize| self.saturated[i].get());
        let (arrived_1, at) = (self.arrived[0].get(), self.arrived[1].get());
        let same = |ahead: Asked<L>, me: Asked<L>| {
            ahead.valid & ahead.open & ahead.turn.equals(me.turn) & ahead.ccc.equals(me.ccc)
        };

        // 7
        let ended = self.ended.get();
        let ended_ev = ended.word.concat(ended.evs.first_set()).named("ended_ev");
        let arrives = asked_7.valid & asked_7.open;
        when(arrives, || self.cursors.write(asked_7.ccc, Cursor { turn: asked_7.turn, ev: ended_ev }));
        self.grant.set(Grant {
            valid: asked_7.valid,
            ccc: asked_7.ccc,
            open: asked_7.open,
            ev: (ended_ev & fill(asked_7.open, config.ev_bits())).extend(EV_WIDTH),
            saturated: saturated_7 & asked_7.open,
        });
        let refused = self.refused.get();
        when(asked_7.valid & !asked_7.open, || self.refused.set(refused + 1));
        let catch = |me: Asked<L>, known: Known<L>| {
            let hit = same(asked_7, me);
            Known { hit: hit | known.hit, ev: select(hit, ended_ev, known.ev) }
        };

        // 5, 6
        self.approach_and_walk(ended);

        // 4
        let known = catch(asked_4, self.known[1].get());
        let (cursor, before) = (self.cursors.data(), self.before[1].get());
        let stored = select(cursor.turn.equals(asked_4.turn), cursor.ev, before);
        self.start.set(select(known.hit, known.ev, stored));
        self.follows.set([same(asked_5, asked_4), same(asked_6, asked_4)]);
        when(asked_4.valid, || self.find_free());

        // 3
        let known_3 = self.known[0].get();
        self.known[1].set(catch(asked_3, known_3));
        self.before[1].set(self.before[0].get());
        let saturated = self.judge(limit);
        self.caught_word[1].set(self.caught_word[0].get());

        // 2
        let open = at.inside & life.open;
        let asked_2 = Asked { valid: at.valid, ccc: at.ccc, open, turn: life.turn };
        let caught = self.caught[1].get();
        let read = self.summary.data();
        let state = select(caught.hit, caught.state, read);
        self.state.set(state);
        let (current, young) = age(state.summary.tag, at.epoch);
        let (alive, odd) = (state.summary.generation.differs(life.dead), at.epoch.bit(0));
        self.held.set([alive & select(odd, young, current), alive & select(odd, current, young)]);
        self.before[0].set(life.before);
        let nothing = Known { hit: Bits::lit(1, 0), ev: ended_ev };
        self.known[0].set(catch(asked_2, nothing));
        let hit = told_word.valid & told_word.ccc.equals(at.ccc);
        self.caught_word[0].set(CaughtWord { hit, word: told_word.word, value: told_word.value });
        when(at.valid, || {
            self.planes.iter().for_each(|plane| plane.read(at.ccc));
            self.cursors.read(at.ccc);
        });

        for (reg, asked) in self.asked.iter().zip([asked_2, asked_3, asked_4, asked_5, asked_6]) {
            reg.set(asked);
        }
        for (reg, value) in self.saturated.iter().zip([saturated, saturated_4, saturated_5, saturated_6]) {
            reg.set(value);
        }

        // 0, 1
        self.caught[1].set(self.caught[0].get());
        self.arrived[1].set(arrived_1);
        let hit = told.valid & told.ccc.equals(request.ccc);
        self.caught[0].set(Caught { hit, state: State { summary: told.summary, counts: told.counts } });
        let inside = config.inside(request.ccc) & swept;
        self.arrived[0].set(Arrived { valid: request.valid, ccc: request.ccc, inside, epoch });
        when(request.valid, || self.summary.read(request.ccc));

        // The memories of the request side have one writer each: feedback, feedback, requests.
        when(told.valid, || {
            self.summary.write(told.ccc, State { summary: told.summary, counts: told.counts });
        });
        when(told_word.valid, || {
            for (plane, value) in self.planes.iter().zip(told_word.value.plane) {
                plane.write_lane(told_word.ccc, told_word.word, value);
            }
        });
        when(keeper.valid, || self.cursors.read_port(1, keeper.key));
        self.summary.clock();
        self.planes.iter().for_each(Ram::clock);
        self.cursors.clock();
    }

    /// Step 3: the words that hold marks, none if too many EVs have one.
    #[inline(always)]
    fn judge(&self, limit: Bits<L>) -> Bits<L> {
        let (state, held, caught) = (self.state.get(), self.held.get(), self.caught_word[0].get());
        let (words, count) = (self.config.words(), self.config.count_bits());
        let [even, odd] = [0, 1].map(|i: usize| state.counts.marks[i] & fill(held[i], count));
        let marked = (even + odd).named("marked");
        let saturated = marked.greater(limit) | marked.bit(self.config.ev_bits());
        let holds = [0, 1].map(|i: usize| held[i] & !saturated);
        let written = state.summary.written;
        self.marked_words.set([0, 1].map(|i: usize| written[i] & fill(holds[i], words)));
        self.marked_caught.set([0, 1].map(|i: usize| written[i].slice_at(caught.word, 1) & holds[i]));
        self.caught_at.set((Bits::lit(words, 1) << caught.word) & fill(caught.hit, words));
        saturated
    }

    /// Step 4: every EV without a mark, and the words that have one.
    #[inline(always)]
    fn find_free(&self) {
        let (marked, caught, width) = (self.marked_words.get(), self.caught_word[1].get(), self.config.word_width());
        let marks = |i: usize| self.planes[i].data() & marked[i].spread(width);
        let free = !(marks(0) | marks(1));
        let marked = self.marked_caught.get();
        let marks = |i: usize| caught.value.plane[i] & fill(marked[i], width);
        let patch = !(marks(0) | marks(1));
        let at = self.caught_at.get();
        let words = free.any_each(width) & !at | at & fill(patch.any(), self.config.words());
        self.free[0].set(free);
        self.patch[0].set(Patch { hit: caught.hit, word: caught.word, free: patch });
        self.free_words.set(words);
    }

    /// Steps 5 and 6. `ended` is where the request in step 7 has ended.
    #[inline(always)]
    fn approach_and_walk(&self, ended: Place<L>) {
        let config = self.config;
        let (walk, next, free, patch) = (self.walk.get(), self.next.get(), self.free[1].get(), self.patch[1].get());
        let evs = |word: Bits<L>| {
            select(patch.hit & patch.word.equals(word), patch.free, free.lane(word, config.word_width()))
        };
        let behind = !(walk.evs ^ (walk.evs - 1));
        let here = (evs(walk.word) & behind).named("free_here");
        let stays = here.any().named("stays");
        let place = Place { word: select(stays, walk.word, next), evs: select(stays, here, evs(next)) };
        self.ended.set(place);

        let (free_5, patch_5, words) = (self.free[0].get(), self.patch[0].get(), self.free_words.get());
        let ([follows_walk, follows_ended], start) = (self.follows.get(), self.start.get());
        self.free[1].set(free_5);
        self.patch[1].set(patch_5);
        let started = Place {
            word: start.slice(config.bit_bits(), config.word_bits()),
            evs: Bits::lit(config.word_width(), 1) << start.slice(0, config.bit_bits()),
        };
        let from = select(follows_ended, ended, started);
        self.walk.set(select(follows_walk, place, from));
        let walked = select(stays, next_word(words, walk.word), next_word(words, next));
        self.next.set(select(follows_walk, walked, next_word(words, from.word)));
    }

    pub fn reset(&self) {
        self.arrived.iter().for_each(Reg::reset);
        self.asked.iter().for_each(Reg::reset);
        self.grant.reset();
        self.refused.reset();
    }
}

/// The first of the words behind `word`, itself the last.
#[inline(always)]
fn next_word<L: Logic>(words: Bits<L>, word: Bits<L>) -> Bits<L> {
    let width = words.width();
    let behind = words & (Bits::lit(width, (1 << width) - 2) << word);
    select(behind.any(), behind.first_set(), words.first_set())
}
