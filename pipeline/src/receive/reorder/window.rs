// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which PSNs of the window have been received (rows R2 and R5). With memories of latency `l`, for a pass that enters in
//! step 0:
//!
//! ```text
//!  0      connection to `bases`
//!  l + 1  base: distance of the PSN from it
//!  2      connection to `rows`, `bitmaps` and `opens`
//!  l + 2  open? in the window? the slot of the PSN, and the slots before that of the base
//!  l + 3  mark: the bit of the slot becomes the parity of the PSN's lap; was it that before?
//!  l + 4  compare: all bits with the parities of the laps of the window
//!  l + 5  what is missing, to the search
//! ```
//!
//! Slot `s` belongs to the PSNs with `PSN mod window = s`, one in each lap. Its bit is the parity of the lap of the last
//! PSN that came for it. Of the window from the base on, each slot has one PSN: those from the slot of the base on are in
//! the lap of the base, the slots before it in the next lap. So a PSN has been received if the bit is the parity of its lap,
//! and no bit is ever cleared. The base may be behind the expected PSN by any part of the window.

use super::config::{GROUP, ReorderConfig};
use super::pass::{PASS, Pass};
use super::ports::SACK_WIDTH;
use super::slot_decode::SlotDecode;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::Upsets;
use crate::blocks::table::{Access, RmwTable, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Wide, bits, clog2, name_nets, select, when, wide};

/// The row of a connection, beside its bitmap.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Row<L: Reading> {
    /// Counts openings, so that the state of sub-paths of the one before becomes stale.
    #[width(config.path_bits())]
    pub generation: Bits<L>,
    /// The highest PSN that has been received.
    #[shape(config.psn())]
    pub highest: Bits<L>,
}

/// A new base of a connection.
#[derive(Bundle)]
pub struct BaseWrite<L: Reading> {
    pub valid: Bits<L>,
    pub connection: Bits<L>,
    pub base: Bits<L>,
}

/// PSNs minus the base.
#[derive(Bundle)]
struct Offsets<L: Reading> {
    psn: Bits<L>,
    /// The PSN of bit 0 of the SACK word.
    word: Bits<L>,
    /// Where the search begins: the base, or the PSN that is checked.
    from: Bits<L>,
    /// Its slot.
    slot: SlotDecode<L>,
}

/// Where a PSN is, seen from the base.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Distance<L: Reading> {
    /// PSN minus base is below the window.
    pub in_window: Bits<L>,
    /// It is below twice the window.
    pub near: Bits<L>,
    /// The PSN is before the base.
    pub before: Bits<L>,
    /// PSN minus base, if it is near.
    #[width(config.count_bits())]
    pub ahead: Bits<L>,
    /// Where the search begins: the base, or the PSN that is checked.
    #[shape(config.psn())]
    pub from: Bits<L>,
}

/// The SACK word, seen from the base.
#[derive(Bundle)]
#[shape]
struct WordDistance<L: Reading> {
    /// The word begins before the base.
    before: Bits<L>,
    /// Number of its PSNs before the base, or else before the end of the window: this many, all, or none.
    #[width(clog2(SACK_WIDTH.into()))]
    count: Bits<L>,
    all: Bits<L>,
    none: Bits<L>,
}

/// The first bits of a SACK word: those in the bytes above, and in one byte some.
#[derive(Bundle)]
#[shape]
struct WordMask<L: Reading> {
    before: Bits<L>,
    #[width(8)]
    bytes: Bits<L>,
    #[width(8)]
    last_byte: Bits<L>,
    #[width(8)]
    bits: Bits<L>,
}

/// What step `l` + 3 has found.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Marked<L: Reading> {
    /// The arrival is one of an open connection that has a slot.
    #[reset]
    marks: Bits<L>,
    /// The old bit of the slot, in one of the groups.
    #[width(config.groups())]
    old_bit: Bits<L>,
    /// The PSN is not above the highest.
    late: Bits<L>,
    /// It is above the one behind the highest.
    jumps: Bits<L>,
}

/// What step `l` + 4 has found.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Seen<L: Reading> {
    pub open: Bits<L>,
    /// The PSN had been received before.
    pub known: Bits<L>,
    /// The packet is a new one in the window.
    #[reset]
    pub new: Bits<L>,
    pub late: Bits<L>,
    /// PSNs before it, and behind those received, are missing: it begins a gap.
    pub jumps: Bits<L>,
    #[shape(config.psn())]
    pub highest: Bits<L>,
}

/// Bitmaps of received PSNs.
#[name_nets]
pub struct Window<L: Logic> {
    config: ReorderConfig,
    /// The first PSN of each connection whose slot is not free.
    bases: WriteFirstRam<L, Bits<L>>,
    base: Reg<Bits<L>>,
    offsets: Reg<Offsets<L>>,
    /// Steps `l` + 3 to `l` + 9.
    distance: PipelineRegs<Distance<L>>,
    word_distance: Reg<WordDistance<L>>,
    word_mask: Reg<WordMask<L>>,
    /// Step `l` + 5: bits of the SACK word that are known without the row.
    word_known: Reg<Bits<L>>,
    word_before: Reg<Bits<L>>,
    rows: RmwTable<L, Row<L>>,
    /// Which connections are open. Apart from their rows, because it is needed one step earlier.
    opens: WriteFirstRam<L, Bits<L>>,
    /// Step 2: the pass opens, closes or sweeps its connection.
    sets_open: Reg<Bits<L>>,
    /// Steps `l` + 3 and `l` + 4, after the pass.
    open: PipelineRegs<Bits<L>>,
    bitmaps: RmwTable<L, Wide<L>>,
    /// Step `l` + 3: the bit of the slot; all bits for a pass that starts.
    slot: Reg<Wide<L>>,
    /// Step `l` + 3: an arrival of an open connection that has a slot.
    marks: Reg<Bits<L>>,
    /// Step `l` + 3: the bits of the slot are changed: such an arrival, or a start.
    changes: Reg<Bits<L>>,
    /// Step `l` + 3: the highest PSN, if the PSN is above it or the pass starts.
    new_highest: Reg<Bits<L>>,
    /// Steps `l` + 3 and `l` + 4: the slots before that of `from`.
    wrapped: PipelineRegs<Wide<L>>,
    marked: Reg<Marked<L>>,
    /// Step `l` + 5: slots with what is searched for, and the groups that have some.
    wanted: Reg<Wide<L>>,
    wanted_groups: Reg<Bits<L>>,
    word: Reg<Bits<L>>,
    /// Steps `l` + 5 to `l` + 9.
    seen: PipelineRegs<Seen<L>>,
}

#[name_nets]
impl<L: Logic> Window<L> {
    pub fn new(config: ReorderConfig) -> Self {
        let ReorderConfig { connections, ram_latency: l, .. } = config;
        let ram = config.ram();
        let (flag, psn, slots, sack) = (bits(1), config.psn(), wide(config.window as u32), bits(SACK_WIDTH));
        let groups = bits(config.groups());
        let row = Row::shape(config);
        Window {
            config,
            bases: WriteFirstRam::new(connections, ram, 1, &psn),
            base: Reg::new(&psn),
            offsets: Reg::new(&Offsets { psn, word: psn, from: psn, slot: SlotDecode::shape(config) }),
            distance: PipelineRegs::new(l + 3..=l + 9, &Distance::shape(config)).checked(PASS),
            word_distance: Reg::new(&WordDistance::shape()),
            word_mask: Reg::new(&WordMask::shape()),
            word_known: Reg::new(&sack),
            word_before: Reg::new(&flag),
            rows: RmwTable::new(connections, ram, &row).compared_early(),
            opens: WriteFirstRam::new(connections, ram, 1, &flag),
            sets_open: Reg::new(&flag).with_reset(),
            open: PipelineRegs::new(l + 3..=l + 4, &flag).checked(PASS),
            bitmaps: RmwTable::new(connections, ram, &slots).compared_early(),
            slot: Reg::new(&slots),
            marks: Reg::new(&flag).with_reset(),
            changes: Reg::new(&flag),
            new_highest: Reg::new(&psn),
            wrapped: PipelineRegs::new(l + 3..=l + 4, &slots).checked(PASS),
            marked: Reg::new(&Marked::shape(config)),
            wanted: Reg::new(&slots),
            wanted_groups: Reg::new(&groups),
            word: Reg::new(&sack),
            seen: PipelineRegs::new(l + 5..=l + 9, &Seen::shape(config)).checked(PASS),
        }
    }

    /// The row of the pass in step `l` + 4, as the pass leaves it.
    pub fn row(&self) -> Row<L> {
        self.rows.modified()
    }

    /// 1 if the connection of the pass in step `l` + 4 is open after the pass.
    pub fn open(&self) -> Bits<L> {
        self.open.last()
    }

    /// The slots that the pass in step `l` + 5 searches for, and the groups that have some.
    pub fn wanted(&self) -> (Wide<L>, Bits<L>) {
        (self.wanted.get(), self.wanted_groups.get())
    }

    /// The SACK word of the pass in step `l` + 5.
    pub fn sack(&self) -> Bits<L> {
        let (known, received) = (self.word_known.get(), self.word.get());
        select(self.word_before.get(), received | known, received & known)
    }

    /// Where the PSN is of the pass in this step, `l` + 3 to `l` + 9.
    pub fn distance(&self, step: u32) -> Distance<L> {
        self.distance.at(step)
    }

    /// What has been found of the pass in this step, `l` + 5 to `l` + 9.
    pub fn seen(&self, step: u32) -> Seen<L> {
        self.seen.at(step)
    }

    /// What was wrong with rows that have been used: `bases`, `opens`, `rows`, `bitmaps`.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        [self.bases.upsets(), self.opens.upsets(), self.rows.upsets(), self.bitmaps.upsets()].concat()
    }

    /// The PSN of the pass in step `l` + 2 is in the window, and it is the base.
    pub fn place(&self) -> (Bits<L>, Bits<L>) {
        let (ahead, slot_bits) = (self.offsets.get().psn, self.config.slot_bits());
        let in_window = !ahead.slice(slot_bits, self.config.psn_bits - slot_bits).any();
        (in_window, in_window & !ahead.truncate(slot_bits).any())
    }

    /// One clock cycle, with the passes in all steps, and a new base of a connection; the arrival in step `l` + 2 gets
    /// nothing if it is `denied`.
    pub fn clock(&self, passes: &[Pass<L>], base_write: BaseWrite<L>, denied: Option<Bits<L>>) {
        let l = self.config.ram_latency as usize;
        self.compare(passes[l + 4]);
        self.mark(passes[2], passes[l + 3]);
        self.locate(passes[l + 1], passes[l + 2], denied);

        // 2: passes before this one have read.
        let pass = passes[2];
        let writes = Access { valid: self.sets_open.get(), index: pass.connection };
        self.opens.check(0, passes[l + 2].valid);
        self.opens.clock(&[pass.connection], writes, pass.opens);
        self.sets_open.set(passes[1].starts() | passes[1].closes);

        // l
        let at_base = passes[l];
        self.bases.check(0, at_base.valid & !at_base.starts());
        self.base.set(select(at_base.starts(), at_base.psn, self.bases.data(0)));

        // 0 to l
        let BaseWrite { valid, connection, base } = base_write;
        self.bases.clock(&[passes[0].connection], Access { valid, index: connection }, base);
    }

    /// Step `l` + 4: which slots of the window are missing.
    fn compare(&self, pass: Pass<L>) {
        let (l, slot_bits) = (self.config.ram_latency, self.config.slot_bits());
        let (marked, row, bitmap) = (self.marked.get(), self.rows.modified(), self.bitmaps.modified());
        let from = self.distance.at(l + 4).from;
        let missing = bitmap ^ self.wrapped.last() ^ self.all_slots(from.bit(slot_bits));
        let wanted = missing ^ self.all_slots(pass.checks & !pass.seeks);
        self.wanted.set(wanted);
        self.wanted_groups.set(wanted.any_each(GROUP));
        let word_bits = slot_bits - clog2(SACK_WIDTH.into());
        let word = match word_bits {
            0 => missing.slice(0, SACK_WIDTH),
            _ => missing.lane(pass.psn.slice(slot_bits - word_bits, word_bits), SACK_WIDTH),
        };
        self.word.set(!word);

        let known = marked.old_bit.any().equals(pass.psn.bit(slot_bits));
        let new = marked.marks & !known;
        self.seen.shift(Seen {
            open: self.open.last(),
            known,
            new,
            late: new & marked.late,
            jumps: new & marked.jumps,
            highest: row.highest,
        });

        let WordMask { before, bytes, last_byte, bits } = self.word_mask.get();
        let byte = |i: u32| bytes.bit(i).extend_signed(8) | bits & last_byte.bit(i).extend_signed(8);
        self.word_known.set((1..8).fold(byte(0), |low, i| byte(i).concat(low)));
        self.word_before.set(before);
    }

    /// Step `l` + 3: the row is changed. `entering` is in step 2.
    fn mark(&self, entering: Pass<L>, pass: Pass<L>) {
        let (l, slot_bits) = (self.config.ram_latency, self.config.slot_bits());
        let (row, bitmap, slot, wrapped) =
            (self.rows.operand(), self.bitmaps.operand(), self.slot.get(), self.wrapped.at(l + 3));
        // Both are within the window of one base, so PSN minus highest less one tells which one comes first.
        let low = |psn: Bits<L>| psn.truncate(self.config.count_bits());
        let beyond = |row: Row<L>| low(pass.psn) + !low(row.highest);
        let above = self.rows.of_operand(|row| !beyond(row).bit(slot_bits));
        let jumps = self.rows.of_operand(|row| beyond(row).any()) & above;
        let yes = Bits::lit(1, 1);
        self.rows.clock(entering.access(), yes);
        self.bitmaps.clock(entering.access(), yes);

        let parity = pass.psn.bit(slot_bits);
        let starts = pass.starts();
        let marks = self.marks.get();
        // The lap of the PSN; for a start, of which nothing has been received, the laps before those of the window.
        let laps = wrapped & self.all_slots(starts) ^ self.all_slots(parity ^ starts);
        let changes = slot & self.all_slots(self.changes.get());
        let changed = bitmap & !changes | laps & changes;
        let generation = (row.generation + pass.opens.extend(row.generation.width())).gate(!pass.sweeps);
        // Not a select: synthesis would make an enable of it, behind all that it takes to find `sets`.
        let sets = starts | marks & above;
        let highest = self.new_highest.get().gate(sets) | row.highest.gate(!sets);
        when(pass.valid, || {
            self.rows.modify(Row { generation, highest });
            self.bitmaps.modify(changed);
        });
        self.marked.set(Marked { marks, old_bit: (bitmap & slot).any_each(GROUP), late: !above, jumps });
        self.wrapped.advance(l + 4..=l + 4);

        let WordDistance { before, count, all, none } = self.word_distance.get();
        let (byte, first) = (count.slice(3, 3), |count: Bits<L>| !(!Bits::lit(8, 0) << count));
        self.word_mask.set(WordMask {
            before,
            bytes: first(byte).gate(!none) | all.extend_signed(8),
            last_byte: (Bits::lit(8, 1) << byte).gate(!none),
            bits: first(count.truncate(3)),
        });
    }

    /// Steps `l` + 1 and `l` + 2: where the PSN and its SACK word are, seen from the base.
    fn locate(&self, at_base: Pass<L>, pass: Pass<L>, denied: Option<Bits<L>>) {
        let (l, slot_bits, psn_bits) = (self.config.ram_latency, self.config.slot_bits(), self.config.psn_bits);
        let (Offsets { psn: ahead, word, from, slot }, base) = (self.offsets.get(), self.base.get());
        let slots = self.config.window as u32;

        // l + 2
        let one = Wide::lit(slots, 1);
        self.slot.set(one << pass.psn.truncate(slot_bits) | self.all_slots(pass.starts()));
        self.wrapped.set(l + 3, slot.slots_before());
        let in_window = !ahead.slice(slot_bits, psn_bits - slot_bits).any();
        self.new_highest.set(select(pass.starts(), pass.psn - 1, pass.psn));
        let open = self.opens.data(0);
        let marks = pass.arrives & pass.found & !pass.is_probe() & in_window & open;
        let keeps_cells = match denied {
            Some(denied) => marks & !denied,
            None => marks,
        };
        self.marks.set(keeps_cells);
        self.changes.set(keeps_cells | pass.starts());
        self.open.shift(open);
        self.distance.shift(Distance {
            in_window,
            near: !ahead.slice(slot_bits + 1, psn_bits - slot_bits - 1).any(),
            before: ahead.bit(psn_bits - 1),
            ahead: ahead.truncate(slot_bits + 1),
            from,
        });
        self.word_distance.set(self.word_distance(word));

        // l + 1
        let from = select(at_base.checks, at_base.psn, base);
        self.offsets.set(Offsets {
            psn: at_base.psn - base,
            word: word_base(at_base.psn) - base,
            from,
            slot: SlotDecode::of(from.truncate(slot_bits)),
        });
    }

    /// Where the SACK word is: `offset` is that of its first PSN from the base.
    fn word_distance(&self, offset: Bits<L>) -> WordDistance<L> {
        let (slot_bits, psn_bits, word_bits) =
            (self.config.slot_bits(), self.config.psn_bits, clog2(SACK_WIDTH.into()));
        let before = offset.bit(psn_bits - 1);
        let outside = offset.slice(slot_bits, psn_bits - slot_bits);
        // The word has the base in it, or ends at it; or the end of the window, in the same way.
        let last = match slot_bits > word_bits {
            true => !(!offset.slice(word_bits, slot_bits - word_bits)).any(),
            false => Bits::lit(1, 1),
        };
        let at_end = last & (!before | !(!outside).any());
        let count = Bits::lit(word_bits, 0) - offset.truncate(word_bits);
        let none = outside.any() & !before;
        WordDistance { before, count, all: !none & (!at_end | !count.any()), none }
    }

    /// This bit for every slot.
    fn all_slots(&self, bit: Bits<L>) -> Wide<L> {
        bit.widen().extend_signed(self.config.window as u32)
    }
}

/// PSN of bit 0 of the SACK word that has this PSN (row R5).
#[name_nets]
pub fn word_base<L: Logic>(psn: Bits<L>) -> Bits<L> {
    let low = clog2(SACK_WIDTH.into());
    psn.slice(low, psn.width() - low).concat(Bits::lit(low, 0))
}
