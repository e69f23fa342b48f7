// SPDX-License-Identifier: MIT OR Apache-2.0
//! The writer: puts the beats of frames into cells (rows R30 and R31).
//!
//! ```text
//!  0  a beat is accepted: does it take a cell? is the frame cut?
//!  1  the cell on offer, or that of the beat before
//!  2  the beat to the pool; a cell that has been taken to the list of the walk, and to `next` of the one before; first
//!     cell and number of beats of a frame whose last beat this is
//! ```
//!
//! A beat takes a cell whatever becomes of its frame.

use super::config::USER;
use super::sizes::Sizes;
use rtl_model::stream::{Axis, Beat};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, when};

/// The frame whose beats come, before the next one.
#[derive(Bundle)]
#[shape(sizes: Sizes)]
struct Progress<L: Reading> {
    /// The next beat needs a cell.
    #[reset]
    needs: Bits<L>,
    /// Nothing more of the frame is stored.
    #[reset]
    cut: Bits<L>,
    /// Cells that it has taken.
    #[reset]
    #[shape(sizes.pool.frame_count())]
    cells: Bits<L>,
    /// Number of the next beat, in its cell and in its frame.
    #[reset]
    #[width(sizes.pool.position_bits())]
    position: Bits<L>,
    #[reset]
    #[width(sizes.pool.beats_bits())]
    beats: Bits<L>,
}

/// A beat in step 1.
#[derive(Bundle)]
#[shape(sizes: Sizes)]
struct Placed<L: Reading> {
    #[reset]
    stores: Bits<L>,
    #[reset]
    takes: Bits<L>,
    /// It takes the first cell of its frame.
    first: Bits<L>,
    #[width(sizes.pool.position_bits())]
    position: Bits<L>,
}

/// The frame of a beat in step 1, if it is the last one.
#[derive(Bundle)]
#[shape(sizes: Sizes)]
pub struct Frame<L: Reading> {
    /// Number of cells that it has taken.
    #[shape(sizes.pool.frame_count())]
    pub cells: Bits<L>,
    /// It has been cut.
    pub cut: Bits<L>,
    /// Number of its beats less one.
    #[width(sizes.pool.beats_bits())]
    beats: Bits<L>,
}

/// A beat in step 2, on its way to the pool.
#[derive(Bundle)]
#[shape(sizes: Sizes)]
pub struct Store<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[width(sizes.pool.position_bits())]
    pub position: Bits<L>,
}

/// A cell that has been taken, in step 2.
#[derive(Bundle)]
#[shape(sizes: Sizes)]
struct Taken<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// It is behind another one of the same frame.
    #[reset]
    follows: Bits<L>,
    /// That other one.
    #[shape(sizes.pool.cell())]
    previous: Bits<L>,
}

/// Beats on their way into the pool.
#[name_nets]
pub struct Writer<L: Logic> {
    sizes: Sizes,
    progress: Reg<Progress<L>>,
    placed: Reg<Placed<L>>,
    frame: Reg<Frame<L>>,
    placed_beat: Reg<Beat<L>>,
    /// Step 2.
    store: Reg<Store<L>>,
    beat: Reg<Beat<L>>,
    taken: Reg<Taken<L>>,
    cell: Reg<Bits<L>>,
    first_cell: Reg<Bits<L>>,
    beats: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Writer<L> {
    pub fn new(sizes: Sizes) -> Self {
        let (flag, pool) = (bits(1), sizes.pool);
        let (cell, position, beats) = (pool.cell(), bits(pool.position_bits()), bits(pool.beats_bits()));
        let cells = pool.frame_count();
        let zero = |width: u32| Bits::lit(width, 0);
        let start = Progress {
            needs: Bits::lit(1, 1),
            cut: zero(1),
            cells: zero(cells.bits()),
            position: zero(pool.position_bits()),
            beats: zero(pool.beats_bits()),
        };
        Writer {
            sizes,
            progress: Reg::starting_at(&Progress::shape(sizes), start),
            placed: Reg::new(&Placed::shape(sizes)),
            frame: Reg::new(&Frame::shape(sizes)),
            placed_beat: Reg::new(&pool.beat()).without_reset(),
            store: Reg::new(&Store::shape(sizes)),
            beat: Reg::new(&pool.beat()).without_reset(),
            taken: Reg::new(&Taken::shape(sizes)),
            cell: Reg::new(&cell),
            first_cell: Reg::new(&cell),
            beats: Reg::new(&beats),
        }
    }

    /// 1 if a cell is taken for a beat that is `accepted`.
    pub fn takes(&self, accepted: Bits<L>, none: Bits<L>) -> Bits<L> {
        let Progress { needs, cut, .. } = self.progress.get();
        accepted & needs & !cut & !none & !self.is_longest()
    }

    /// The frame has as many cells as a frame can have.
    fn is_longest(&self) -> Bits<L> {
        let cells = self.progress.get().cells;
        cells.bit(cells.width() - 1)
    }

    /// 1 if the free cell on offer is used in this clock cycle.
    pub fn pops(&self) -> Bits<L> {
        self.placed.get().takes
    }

    /// Step 1: the frame that ends there, if one does.
    pub fn frame(&self) -> Frame<L> {
        self.frame.get()
    }

    /// Step 2: first cell and number of beats less one of this frame, as a slot has them.
    pub fn slot(&self) -> Bits<L> {
        self.first_cell.get().concat(self.beats.get()).extend(self.sizes.pool.slot_width())
    }

    /// Step 2: the beat, with its row of the pool.
    pub fn store(&self) -> (Bits<L>, Bits<L>, Beat<L>) {
        let Store { valid, position } = self.store.get();
        (valid, self.cell.get().concat(position), self.beat.get())
    }

    /// Step 2: a cell that has been taken.
    pub fn taken(&self) -> (Bits<L>, Bits<L>) {
        (self.taken.get().valid, self.cell.get())
    }

    /// Step 2: a cell whose next one is that of [`Self::taken`].
    pub fn link(&self) -> (Bits<L>, Bits<L>) {
        let Taken { follows, previous, .. } = self.taken.get();
        (follows, previous)
    }

    /// One clock cycle: a beat is `accepted`, and `takes` a cell; `none` is free if 1. `front` is the free cell on offer.
    pub fn clock(&self, accepted: Bits<L>, takes: Bits<L>, none: Bits<L>, axis: Axis<L>, front: Bits<L>) {
        let (progress, placed, frame, cell) =
            (self.progress.get(), self.placed.get(), self.frame.get(), self.cell.get());
        let Progress { needs, cut, cells, position, beats } = progress;
        let is_longest = self.is_longest();

        // 1
        self.store.set(Store { valid: placed.stores, position: placed.position });
        self.beat.set(self.placed_beat.get());
        self.beats.set(frame.beats);
        self.taken.set(Taken { valid: placed.takes, follows: placed.takes & !placed.first, previous: cell });
        when(placed.takes, || self.cell.set(front));
        when(placed.takes & placed.first, || self.first_cell.set(front));

        // 0
        let beat = axis.beat(USER);
        let is_cut = cut | needs & (none | is_longest);
        let counted = cells + takes.extend(cells.width());
        let goes_on = !beat.tlast;
        when(accepted, || {
            self.progress.set(Progress {
                needs: beat.tlast | position.all(),
                cut: is_cut & goes_on,
                cells: counted.gate(goes_on),
                position: (position + 1).gate(goes_on),
                beats: (beats + 1).gate(goes_on),
            });
        });
        // In every clock cycle: an enable would have to reach all bits of the beat.
        self.frame.set(Frame { cells: counted, cut: is_cut, beats });
        self.placed_beat.set(beat);
        self.placed.set(Placed { stores: accepted & !is_cut, takes, first: !cells.any(), position });
    }
}
