// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame reader: follows the cells of a frame through the pool and puts its beats on `m_axis` (row R34). With memories
//! of latency `l`:
//!
//! ```text
//!  cycle n          a packet that has been read from its slot
//!        n + 1      its frame is begun: cell and position of a beat; the next cell is read with the first beat of a cell
//!        n + 2      row to the pool
//!        n + 2 + l  beat to `places`
//!        n + 5 + l  beat on `m_axis`, if none waits ahead of it
//!        r          last beat of a cell transferred: the cell is returned, and goes to the free cells in cycle r + 1
//! ```
//!
//! A beat is read per clock cycle, also from one frame to the next. The next cell is known `l` + 1 cycles after the first
//! beat of a cell, which has four beats at least. So frames have no gaps.

use super::cells::Returned;
use super::sizes::Sizes;
use crate::blocks::fifo::Fifo;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::{TableRam, Upsets};
use crate::receive::reorder::config::PLACES;
use crate::receive::reorder::credits::Credits;
use rtl_model::stream::{Axis, Beat};
use rtl_model::{Bits, Bundle, Logic, RamShape, Reading, Reg, Shape, Wide, bits, name_nets, select, when};

/// Beats that are read from the pool and not transferred.
const BEATS_AHEAD: u64 = PLACES;

/// The frame that is read, and the next beat of it.
#[derive(Bundle)]
struct Frame<L: Reading> {
    #[reset]
    valid: Bits<L>,
    connection: Bits<L>,
    psn: Bits<L>,
    cell: Bits<L>,
    /// The beat is the first one of the next cell.
    advances: Bits<L>,
    position: Bits<L>,
    /// Beats after this one.
    more: Bits<L>,
    /// There are none.
    last: Bits<L>,
}

/// What goes beside a beat.
#[derive(Bundle)]
#[shape(sizes: Sizes)]
struct Mark<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(sizes.stage.connection())]
    connection: Bits<L>,
    #[shape(sizes.stage.psn())]
    psn: Bits<L>,
    #[shape(sizes.pool.cell())]
    cell: Bits<L>,
    /// It is the last beat of its cell.
    ends_cell: Bits<L>,
    /// It is the last beat of its frame.
    last: Bits<L>,
}

/// A beat as the pool has it: where the frame ends is known without.
#[derive(Bundle)]
struct Stored<L: Reading> {
    tdata: Wide<L>,
    tkeep: Wide<L>,
    tuser: Bits<L>,
    side: rtl_model::stream::Side<L>,
}

/// A beat that has been read.
#[derive(Bundle)]
struct Place<L: Reading> {
    beat: Stored<L>,
    connection: Bits<L>,
    psn: Bits<L>,
    cell: Bits<L>,
    ends_cell: Bits<L>,
    last: Bits<L>,
}

/// The transfer of a beat.
#[derive(Bundle)]
pub struct Transfer<L: Reading> {
    /// The last beat of a cell has been transferred: the cell is returned.
    pub ends_cell: Bits<L>,
    /// The last beat of a frame has been transferred.
    pub ends_frame: Bits<L>,
    pub connection: Bits<L>,
    pub cell: Bits<L>,
}

/// The pool, and what reads it.
#[name_nets]
pub struct FrameReader<L: Logic> {
    sizes: Sizes,
    pool: TableRam<L, Stored<L>>,
    frame: Reg<Frame<L>>,
    /// Steps 1 to `l` after the first beat of a cell: the number of the next one is being read.
    fetching: PipelineRegs<Bits<L>>,
    next_cell: Reg<Bits<L>>,
    /// Row of the pool.
    row: Reg<Bits<L>>,
    /// Steps 1 to `l` + 1 of a beat.
    marks: PipelineRegs<Mark<L>>,
    places: Fifo<L, Place<L>>,
    /// Beats that are being read or wait.
    read_ahead: Credits<L>,
    /// The cell that was returned in the clock cycle before.
    returned: Reg<Returned<L>>,
}

#[name_nets]
impl<L: Logic> FrameReader<L> {
    pub fn new(sizes: Sizes) -> Self {
        let (flag, pool, stage, ram) = (bits(1), sizes.pool, sizes.stage, sizes.stage.ram());
        let l = ram.latency;
        let (connection, psn, cell, position) =
            (stage.connection(), stage.psn(), pool.cell(), bits(pool.position_bits()));
        let beat = stored::<Shape>(pool.beat());
        let rows = RamShape::new(pool.cells << pool.position_bits()).unused_on_collision();
        let mark = Mark::shape(sizes);
        FrameReader {
            sizes,
            pool: TableRam::new(ram, rows, &beat),
            frame: Reg::new(&Frame {
                valid: flag,
                connection,
                psn,
                cell,
                advances: flag,
                position,
                more: bits(pool.beats_bits()),
                last: flag,
            }),
            fetching: PipelineRegs::new(1..=l, &flag).with_reset(),
            next_cell: Reg::new(&cell),
            row: Reg::new(&bits(pool.cell_bits() + pool.position_bits())),
            marks: PipelineRegs::new(1..=l + 1, &mark),
            places: Fifo::new(
                BEATS_AHEAD,
                ram.latency(1),
                &Place { beat, connection, psn, cell, ends_cell: flag, last: flag },
            ),
            read_ahead: Credits::new(),
            returned: Reg::new(&Returned::shape(sizes)),
        }
    }

    /// The beat on `m_axis`, and connection and PSN of its frame.
    pub fn delivery(&self) -> (Axis<L>, Bits<L>, Bits<L>) {
        let Place { beat, connection, psn, last, .. } = self.places.front();
        let Stored { tdata, tkeep, tuser, side } = beat;
        let beat = Beat { tdata, tkeep, tlast: last, tuser, side };
        (Axis::offer(self.places.valid(), beat), connection, psn)
    }

    /// What is transferred in this clock cycle, if the receiver is `ready`.
    pub fn transfer(&self, ready: Bits<L>) -> Transfer<L> {
        let (transferred, place) = (self.places.valid() & ready, self.places.front());
        let Place { connection, cell, ends_cell, last, .. } = place;
        Transfer { ends_cell: transferred & ends_cell, ends_frame: transferred & last, connection, cell }
    }

    /// The cell that goes to the free ones.
    pub fn returned(&self) -> Returned<L> {
        self.returned.get()
    }

    /// What was wrong with rows that have been used: `pool`, `places`.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        [self.pool.upsets(), self.places.upsets()].concat()
    }

    /// The next cell that was read is used in this clock cycle.
    pub fn fetched(&self) -> Bits<L> {
        self.fetching.last()
    }

    /// 1 if a beat is read in this clock cycle.
    fn issues(&self) -> Bits<L> {
        self.frame.get().valid & self.read_ahead.room()
    }

    /// 1 if the next packet is taken.
    pub fn takes(&self, available: Bits<L>) -> Bits<L> {
        let frame = self.frame.get();
        available & (!frame.valid | self.issues() & frame.last)
    }

    /// The cell of the beat that is read.
    fn cell(&self) -> Bits<L> {
        let frame = self.frame.get();
        select(frame.advances, self.next_cell.get(), frame.cell)
    }

    /// The cell whose next one is read in this clock cycle, if one is.
    pub fn follows(&self) -> (Bits<L>, Bits<L>) {
        let (frame, position) = (self.frame.get(), self.sizes.pool.position_bits());
        // After the first beat of a cell there is a whole cell, or more.
        let has_next = frame.more.slice(position, frame.more.width() - position).any();
        (self.issues() & !frame.position.any() & has_next, self.cell())
    }

    /// One clock cycle: a beat is stored; `takes` the packet with this connection, PSN and slot; `next` is the cell that has
    /// been read by [`Self::follows`].
    pub fn clock(
        &self,
        (stores, stored_row, beat): (Bits<L>, Bits<L>, Beat<L>),
        takes: Bits<L>,
        (connection, psn, slot): (Bits<L>, Bits<L>, Bits<L>),
        next: Bits<L>,
        transfer: Transfer<L>,
        ready: Bits<L>,
    ) {
        let pool = self.sizes.pool;
        let (issues, (fetches, _), cell, frame) = (self.issues(), self.follows(), self.cell(), self.frame.get());
        let transferred = self.places.valid() & ready;

        // Out
        self.returned.set(Returned { valid: transfer.ends_cell, cell: transfer.cell });
        self.read_ahead.clock(issues, transferred);
        let read = self.marks.last();
        let Mark { valid, connection: its_connection, psn: its_psn, cell: its_cell, ends_cell, last } = read;
        let data = self.pool.data();
        let place = Place { beat: data, connection: its_connection, psn: its_psn, cell: its_cell, ends_cell, last };
        self.places.clock(valid, || place, ready);

        // The pool
        when(stores, || self.pool.write(stored_row, stored(beat)));
        // In every clock cycle: an enable would have to reach all blocks of the memory.
        self.pool.read(self.row.get());
        self.pool.check(0, valid);
        self.pool.clock();

        // Rows
        let Frame { connection: of, psn: number, position, more, last, .. } = frame;
        let ends_cell = position.all() | last;
        self.marks.shift(Mark { valid: issues, connection: of, psn: number, cell, ends_cell, last });
        self.row.set(cell.concat(position));
        when(self.fetched(), || self.next_cell.set(next));
        self.fetching.shift(fetches);
        let (beats_bits, cell_bits) = (pool.beats_bits(), pool.cell_bits());
        let (beats, first) = (slot.truncate(beats_bits), slot.slice(beats_bits, cell_bits));
        when(takes, || {
            self.frame.set(Frame {
                valid: Bits::lit(1, 1),
                connection,
                psn,
                cell: first,
                advances: Bits::lit(1, 0),
                position: Bits::lit(pool.position_bits(), 0),
                more: beats,
                last: !beats.any(),
            });
        })
        .or_when(issues, || {
            self.frame.set(Frame {
                valid: !last,
                connection: of,
                psn: number,
                cell,
                advances: position.all(),
                position: position + 1,
                more: more - 1,
                last: more.equals(1),
            });
        });
    }
}

/// The part of a beat that the pool has.
fn stored<L: Reading>(beat: Beat<L>) -> Stored<L> {
    let Beat { tdata, tkeep, tuser, side, .. } = beat;
    Stored { tdata, tkeep, tuser, side }
}
