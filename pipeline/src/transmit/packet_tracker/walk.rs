// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walks: ACKs, *again* and commands (rows D1, D7, D12, D13, D29 and D30). With memories of latency `l`:
//!
//! ```text
//!  first pass   p              enters; nothing else does until the walk has ended
//!               2 l + 9        what it is to do
//!  walk         q = 2 l + 10   turn: the first visit, or the end
//!  visit        w              word of states is read and changed, or written by *open*
//!               w + l + 1      what it releases, or finds
//!               w + l + 5      first packet of it, or the next turn;  otherwise a turn is behind the last packet
//!  second pass  t              enters in the turn without a visit
//! ```
//!
//! What it serves stays until the next walk begins, for its second pass.

use super::config::{BLOCK, BLOCK_BITS, PacketTrackerConfig};
use super::context::Owner;
use super::counts::Counted;
use super::judge::Judged;
use super::pass::Pass;
use super::ports::Command;
use super::releases::Release;
use super::serving::Serving;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, bits, name_nets, select, when};

/// The pipeline of the walk.
const WALK: Pipeline = Pipeline::new("walk");

/// What is still to be visited.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
struct Plan<L: Reading> {
    /// Blocks of the cumulative part, or words that *open* writes.
    #[width(config.left_bits())]
    left: Bits<L>,
    /// The next one of them, or of the search.
    #[width(config.block_bits())]
    block: Bits<L>,
    is_first: Bits<L>,
    /// *Again* has not found its packet.
    searches: Bits<L>,
    /// Blocks that only the bitmap names.
    has_first: Bits<L>,
    has_second: Bits<L>,
}

/// A visit in steps 1 to `l` + 4.
#[derive(Bundle)]
#[shape]
pub struct Visit<L: Reading> {
    /// It releases packets, or finds one.
    #[reset]
    pub releases: Bits<L>,
    /// It writes a word for *open*.
    #[reset]
    pub opens: Bits<L>,
    /// The parity of the lap of its block; for *open* of that of the base.
    pub parity: Bits<L>,
    /// *Open*: the base is in this word, or in a later one.
    pub has_base: Bits<L>,
    pub before_base: Bits<L>,
}

/// The second pass of a walk.
#[derive(Clone, Copy)]
pub struct Finish<L: Logic> {
    /// It enters.
    pub valid: Bits<L>,
    pub pdc: Bits<L>,
    pub ev: Bits<L>,
}

/// The packet that was read last: that which *again* has found.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
struct Found<L: Reading> {
    valid: Bits<L>,
    #[shape(config.count())]
    place: Bits<L>,
}

/// The walk.
#[name_nets]
pub struct Walk<L: Logic> {
    config: PacketTrackerConfig,
    /// From its first pass to its second one.
    walking: Reg<Bits<L>>,
    serving: Reg<Serving<L>>,
    turn: Reg<Bits<L>>,
    plan: Reg<Plan<L>>,
    /// PSNs of the first block, and of the last one.
    from_first: Reg<Bits<L>>,
    to_last: Reg<Bits<L>>,
    visits: PipelineRegs<Visit<L>>,
    /// The block of the latest visit, and the PSNs of it that are named.
    block: Reg<Bits<L>>,
    mask: Reg<Bits<L>>,
    found: Reg<Found<L>>,
    /// How far behind the base it is.
    offset: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Walk<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (flag, block, states) = (bits(1), bits(config.block_bits()), bits(BLOCK));
        Walk {
            config,
            walking: Reg::new(&flag).with_reset(),
            serving: Reg::new(&Serving::shape(config)),
            turn: Reg::new(&flag).with_reset(),
            plan: Reg::new(&Plan::shape(config)),
            from_first: Reg::new(&states),
            to_last: Reg::new(&states),
            visits: PipelineRegs::new(1..=config.ram_latency + 4, &Visit::shape()).checked(WALK),
            block: Reg::new(&block),
            mask: Reg::new(&states),
            found: Reg::new(&Found::shape(config)),
            offset: Reg::new(&config.count()),
        }
    }

    /// A walk is under way, but for its first clock cycle.
    pub fn walking(&self) -> Bits<L> {
        self.walking.get()
    }

    /// What it serves.
    pub fn serving(&self) -> Serving<L> {
        self.serving.get()
    }

    /// There is something to visit.
    fn wants(&self) -> Bits<L> {
        let Plan { left, searches, has_first, has_second, .. } = self.plan.get();
        left.any() | searches | has_first | has_second
    }

    /// The second pass enters in this clock cycle.
    pub fn finish(&self) -> Finish<L> {
        let Serving { pdc, ev, .. } = self.serving.get();
        Finish { valid: self.turn.get() & !self.wants(), pdc, ev }
    }

    /// The block that is visited in this clock cycle, if there is a visit.
    fn visited(&self, judged: &Judged<L>) -> (Bits<L>, Bits<L>) {
        let Plan { left, block, searches, has_first, .. } = self.plan.get();
        let in_order = left.any() | searches;
        (in_order, select(in_order, block, select(has_first, judged.block, judged.block + 1)))
    }

    /// The word of states that is visited in this clock cycle.
    pub fn access(&self, judged: &Judged<L>) -> Access<L> {
        let index = self.config.word(self.serving.get().pdc, self.visited(judged).1);
        Access { valid: self.turn.get() & self.wants(), index }
    }

    /// The visit in step `l` + 1, and the PSNs of its block that are named.
    pub fn visit(&self) -> (Visit<L>, Bits<L>) {
        (self.visits.at(self.config.ram_latency + 1), self.mask.get())
    }

    /// The PSNs of a word from that of the base on: for *open*.
    pub fn from_base(&self) -> Bits<L> {
        self.from_first.get()
    }

    /// The block of the latest visit.
    pub fn block(&self) -> Bits<L> {
        self.block.get()
    }

    /// A packet was released, or *again* has found one; how far behind the base that is, from step 1 of the second pass on.
    pub fn found(&self) -> (Bits<L>, Bits<L>) {
        (self.found.get().valid, self.offset.get())
    }

    /// One clock cycle: a walk enters; the passes in all steps; what was found, and, in step 2 `l` + 9, whose PDC it is
    /// and its counts; the packet that is read, and whether another one follows; the command.
    pub fn clock(
        &self,
        enters: Bits<L>,
        passes: &[Pass<L>],
        judged: &Judged<L>,
        (owner, counted): (Owner<L>, Counted<L>),
        (read, follows): (Release<L>, Bits<L>),
        command: Command<L>,
    ) {
        let config = self.config;
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));
        let (turn, plan, serving, found) = (self.turn.get(), self.plan.get(), self.serving.get(), self.found.get());
        let (first_mask, last_mask) = (self.from_first.get(), self.to_last.get());
        let (wants, finish) = (self.wants(), self.finish().valid);
        let (in_order, block) = self.visited(judged);
        let visits = turn & wants;
        let pass = passes[config.outputs() as usize];
        let begins = pass.looks;

        self.walking.set((self.walking.get() | enters) & !finish);
        let waited = self.visits.last();
        let writes = visits & serving.opens;
        let idle = waited.releases & !follows;
        self.turn.set(begins | writes | idle | read.valid & !follows);

        // w
        let base_word = self.word_of(config.place(serving.base));
        let word = config.word_in(block);
        let (has_base, before_base) = match (word, base_word) {
            (Some(word), Some(base)) => (word.equals(base), word.less(base)),
            _ => (yes, no),
        };
        let top = config.block_bits() - 1;
        let parity = select(serving.opens, config.lap_of(serving.base), block.bit(top));
        self.visits.shift(Visit { releases: visits & !serving.opens, opens: writes, parity, has_base, before_base });
        let all = !Bits::lit(BLOCK, 0);
        let from = select(plan.is_first, first_mask, all);
        let to = select(plan.left.equals(1), last_mask, all);
        let parts = judged.parts;
        let of_bitmap = select(plan.has_first, parts.first, parts.second);
        when(visits, || {
            self.block.set(block);
            self.mask.set(select(in_order, from & to, of_bitmap));
        });

        // What *again* finds.
        let finds = read.valid & serving.agains;
        self.offset.set(found.place - config.place(serving.base));
        when(begins, || self.found.set(Found { valid: no, ..found }));
        when(read.valid, || self.found.set(Found { valid: yes, place: read.place }));

        // What is left, or what there is as the walk begins.
        when(visits, || {
            self.plan.set(Plan {
                left: plan.left - plan.left.any().extend(config.left_bits()),
                block: plan.block + 1,
                is_first: no,
                searches: plan.searches,
                has_first: plan.has_first & in_order,
                has_second: plan.has_second & (in_order | plan.has_first),
            });
        });
        when(finds, || self.plan.set(Plan { searches: no, ..plan }));
        when(begins, || {
            let next = Serving::of(pass.pdc, judged, owner, counted.first, command);
            let start = select(next.agains, next.first, config.place(next.base));
            let first_block = start.slice(BLOCK_BITS, config.block_bits());
            let words = Bits::lit(config.left_bits(), config.words());
            self.plan.set(Plan {
                left: select(next.opens, words, judged.blocks.gate(next.accepted | next.closes)),
                block: first_block.gate(!next.opens),
                is_first: yes,
                searches: next.agains & next.open & judged.may_repeat & counted.marks.any(),
                has_first: next.accepted & parts.has_first,
                has_second: next.accepted & parts.has_second,
            });
            self.from_first.set(all << start.truncate(BLOCK_BITS));
            self.to_last.set(!(all << judged.last << 1));
            self.serving.set(next);
        });
    }

    /// The word that has this place, if there are several.
    fn word_of(&self, place: Bits<L>) -> Option<Bits<L>> {
        self.config.word_in(place.slice(BLOCK_BITS, self.config.block_bits()))
    }
}

impl PacketTrackerConfig {
    /// Width of the number of blocks that are left: those of a window that begins and ends in the same word, or of all
    /// words.
    pub(super) const fn left_bits(self) -> u32 {
        self.count_bits() + 1 - BLOCK_BITS
    }

    /// The word of this block, if there are several.
    fn word_in<L: Logic>(self, block: Bits<L>) -> Option<Bits<L>> {
        (self.block_bits() > 1).then(|| block.truncate(self.block_bits() - 1))
    }

    /// The parity of the lap of this PSN.
    pub(super) fn lap_of<L: Logic>(self, psn: Bits<L>) -> Bits<L> {
        psn.bit(self.slot_bits())
    }
}
