// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clearing: the cells of the packets that a closed connection held are returned (row R35). With memories of latency `l`,
//! for a `close` that takes effect in cycle `e`:
//!
//! ```text
//!  e + l + 5   the row of the connection is copied
//!  e + l + 10  something is held: begin at the expected PSN; the search needs five steps
//!  e + l + 16  the slot of the next packet, in the place of one read of the reader
//!  e + 2l + 17 `found`: first cell and number of cells
//!  e + 2l + 18 `held`: the packet whose cells are returned
//!  e + 2l + 20 its first cell is returned; the next one every l + 6 cycles
//! ```
//!
//! While the cells of a packet are returned, the next packet is searched and read. A cell takes as long as that. The last
//! packet is the one with the highest PSN. All PSNs are within the window, so slots stand for them.

use super::cells::Returned;
use super::quota::CellReturn;
use super::sizes::Sizes;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::receive::reorder::config::GROUP;
use crate::receive::reorder::found::Found;
use crate::receive::reorder::pass::Pass;
use crate::receive::reorder::search::Search;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Wide, bits, clog2, name_nets, select, when, wide};

/// Steps of the search, and one for the slot.
const SEARCH_STEPS: u32 = 5;

/// The connection that is cleared.
#[derive(Bundle)]
struct Cleared<L: Reading> {
    #[reset]
    active: Bits<L>,
    connection: Bits<L>,
    /// The slot of the highest PSN.
    last: Bits<L>,
}

/// A packet of it.
#[derive(Bundle)]
struct Packet<L: Reading> {
    #[reset]
    valid: Bits<L>,
    cell: Bits<L>,
    /// Cells after this one.
    more: Bits<L>,
    /// It is the last packet.
    last: Bits<L>,
}

/// What a command meets when it looks at its connection.
#[derive(Bundle)]
#[shape]
pub struct Blocked<L: Reading> {
    /// This connection is being cleared.
    pub same: Bits<L>,
    /// Some connection is.
    pub any: Bits<L>,
}

/// The read of a slot.
#[derive(Bundle)]
pub struct SlotRead<L: Reading> {
    pub valid: Bits<L>,
    pub connection: Bits<L>,
    pub slot: Bits<L>,
    /// The slot that was read as many clock cycles ago as the latency is used in this one.
    pub used: Bits<L>,
}

/// The connection that is being cleared, if one is.
#[name_nets]
pub struct Clearing<L: Logic> {
    sizes: Sizes,
    cleared: Reg<Cleared<L>>,
    /// Received PSNs, and the groups that have some.
    row: Reg<Wide<L>>,
    groups: Reg<Bits<L>>,
    search: Search<L>,
    /// The slot from which on the next packet is searched.
    from: Reg<Bits<L>>,
    /// Steps 1 to 5 of the search.
    searching: PipelineRegs<Bits<L>>,
    /// The slot of the next packet has been found.
    ready: Reg<Bits<L>>,
    slot: Reg<Bits<L>>,
    /// Steps 1 to `l` of the read of a slot.
    reading: PipelineRegs<Bits<L>>,
    /// A slot is being read, or its packet waits.
    occupied: Reg<Bits<L>>,
    found: Reg<Packet<L>>,
    held: Reg<Packet<L>>,
    /// Steps 1 to `l` of the read of the next cell of a packet.
    fetching: PipelineRegs<Bits<L>>,
    timer: Reg<Bits<L>>,
    /// The cell that was returned in the clock cycle before.
    returned: Reg<Returned<L>>,
    /// Of the last command: as it looked, and as it took effect.
    looked: Reg<Blocked<L>>,
    applied: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Clearing<L> {
    pub fn new(sizes: Sizes) -> Self {
        let (flag, pool, stage, l) = (bits(1), sizes.pool, sizes.stage, sizes.stage.ram_latency);
        let slot = bits(stage.slot_bits());
        let more = bits(pool.beats_bits() - pool.position_bits());
        let packet = Packet { valid: flag, cell: pool.cell(), more, last: flag };
        Clearing {
            sizes,
            cleared: Reg::new(&Cleared { active: flag, connection: stage.connection(), last: slot }),
            row: Reg::new(&wide(stage.window as u32)),
            groups: Reg::new(&bits(stage.groups())),
            search: Search::new(stage),
            from: Reg::new(&slot),
            searching: PipelineRegs::new(1..=SEARCH_STEPS, &flag).with_reset(),
            ready: Reg::new(&flag).with_reset(),
            slot: Reg::new(&slot),
            reading: PipelineRegs::new(1..=l, &flag).with_reset(),
            occupied: Reg::new(&flag).with_reset(),
            found: Reg::new(&packet),
            held: Reg::new(&packet),
            fetching: PipelineRegs::new(1..=l, &flag).with_reset(),
            timer: Reg::new(&bits(clog2(u64::from(l) + 10))),
            returned: Reg::new(&Returned::shape(sizes)),
            looked: Reg::new(&Blocked::shape()),
            applied: Reg::new(&flag),
        }
    }

    /// What the last command met when it looked at its connection.
    pub fn blocked(&self) -> Blocked<L> {
        self.looked.get()
    }

    /// The connection of the last command was being cleared when the command took effect.
    pub fn drains(&self) -> Bits<L> {
        self.applied.get()
    }

    /// A slot is read in this clock cycle, instead of one that is delivered.
    pub fn reads(&self) -> SlotRead<L> {
        let valid = self.ready.get() & !self.occupied.get();
        SlotRead { valid, connection: self.cleared.get().connection, slot: self.slot.get(), used: self.reading.last() }
    }

    /// A cell is returned in this clock cycle.
    pub fn returns(&self) -> CellReturn<L> {
        let Cleared { active, connection, .. } = self.cleared.get();
        CellReturn { valid: active & !self.timer.get().any(), connection }
    }

    /// The cell that goes to the free ones.
    pub fn returned(&self) -> Returned<L> {
        self.returned.get()
    }

    /// The next cell that was read is used in this clock cycle.
    pub fn fetched(&self) -> Bits<L> {
        self.fetching.last()
    }

    /// The cell whose next one is read in this clock cycle, if one is.
    pub fn follows(&self) -> (Bits<L>, Bits<L>) {
        let held = self.held.get();
        (self.returns().valid & held.more.any(), held.cell)
    }

    /// One clock cycle: the passes in all steps; the `missing` PSNs of that in step `l` + 5, and what has been found of that
    /// in step `l` + 10; the `data` of the slot read, and the `next` cell.
    pub fn clock(&self, passes: &[Pass<L>], missing: Wide<L>, found: Found<L>, data: Bits<L>, next: Bits<L>) {
        let (l, slot_bits, pool) = (self.sizes.stage.ram_latency, self.sizes.stage.slot_bits(), self.sizes.pool);
        let cleared = self.cleared.get();
        let (SlotRead { valid: reads, slot, .. }, CellReturn { valid: returns, .. }) = (self.reads(), self.returns());
        let (follows, _) = self.follows();
        let (packet, held, from, timer) = (self.found.get(), self.held.get(), self.from.get(), self.timer.get());
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));

        // Commands
        let entering = passes[0];
        let same = cleared.active & cleared.connection.equals(entering.connection);
        when(entering.looks, || self.looked.set(Blocked { same, any: cleared.active }));
        when(entering.applies, || self.applied.set(same));

        // Cells of a packet
        let closing = passes[self.sizes.stage.move_step() as usize];
        let starts = (closing.applies & closing.closes & found.gap).named("starts_clearing");
        self.returned.set(Returned { valid: returns, cell: held.cell });
        let restarted = |cycles: u32| Bits::lit(timer.width(), cycles.into());
        self.timer.set(timer - 1);
        when(returns, || self.timer.set(restarted(l + 5)));
        when(starts, || self.timer.set(restarted(l + 9)));
        let (loads, fetched) = (packet.valid & !held.valid, self.fetching.last());
        when(fetched, || self.held.set(Packet { cell: next, ..held }))
            .or_when(returns, || self.held.set(Packet { valid: follows, more: held.more - 1, ..held }))
            .or_when(loads, || self.held.set(packet));
        when(starts, || {
            let last = found.highest.truncate(slot_bits);
            self.cleared.set(Cleared { active: yes, connection: closing.connection, last });
        })
        .or_when(returns & !follows & held.last, || self.cleared.set(Cleared { active: no, ..cleared }));

        self.fetching.shift(follows);

        // Slots
        let (reading, searched) = (self.reading.last(), self.searching.last());
        let (beats, first) = (data.truncate(pool.beats_bits()), data.slice(pool.beats_bits(), pool.cell_bits()));
        let more = beats.slice(pool.position_bits(), pool.beats_bits() - pool.position_bits());
        let last = slot.equals(cleared.last);
        when(reading, || self.found.set(Packet { valid: yes, cell: first, more, last }))
            .or_when(loads, || self.found.set(Packet { valid: no, ..packet }));
        when(loads, || self.occupied.set(no)).or_when(reads, || self.occupied.set(yes));
        self.reading.shift(reads);

        // Search
        let (advance, _) = self.search.result();
        when(searched, || self.slot.set(from + advance.truncate(slot_bits)));
        when(reads | starts, || self.ready.set(no)).or_when(searched, || self.ready.set(yes));
        let goes_on = reads & slot.differs(cleared.last);
        let next_from = select(goes_on, slot + 1, from);
        let next_from = select(starts, found.expected.truncate(slot_bits), next_from);
        self.from.set(next_from);
        self.searching.shift(starts | goes_on);
        self.search.clock(self.row.get(), self.groups.get(), [next_from, from, from, from]);
        self.groups.set(self.row.get().any_each(GROUP));
        when(passes[l as usize + 5].closes, || self.row.set(!missing));
    }
}
