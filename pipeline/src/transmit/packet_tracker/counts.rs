// SPDX-License-Identifier: MIT OR Apache-2.0
//! The numbers of packets in flight and marked, and where the first marked one may be (rows D6, D8, D14, D18 and D22).
//! With memories of latency `l`:
//!
//! ```text
//!  l + 7    PDC to `rows`
//!  2 l + 7  what the pass changes, unless it marks
//!  2 l + 8  row
//!  2 l + 9  written
//! ```

use super::config::PacketTrackerConfig;
use super::pass::Pass;
use super::serving::Serving;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select, when};

/// The counts of a PDC.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Counted<L: Reading> {
    #[shape(config.count())]
    pub flying: Bits<L>,
    #[shape(config.count())]
    pub marks: Bits<L>,
    /// The low bits of a PSN from the base to the next one: none before it is marked.
    #[shape(config.count())]
    pub first: Bits<L>,
}

/// What a pass changes in step 2 `l` + 8, unless it marks.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
struct Change<L: Reading> {
    #[shape(config.count())]
    flying: Bits<L>,
    #[shape(config.count())]
    marks: Bits<L>,
    sets_first: Bits<L>,
    #[shape(config.count())]
    first: Bits<L>,
    /// The PDC is opened.
    opens: Bits<L>,
}

/// What is known of passes and of the walk.
pub struct CountsIn<L: Logic> {
    /// Step 2 `l` + 7: a new packet is sent.
    pub sends: Bits<L>,
    /// Step 2 `l` + 8: the packet is marked.
    pub takes: Bits<L>,
    pub walk: Serving<L>,
    /// *Again* has found a packet.
    pub found: Bits<L>,
    /// Packets released, in flight and marked; *first* after them.
    pub released: [Bits<L>; 2],
    pub first: Bits<L>,
}

/// The counts of all PDCs.
#[name_nets]
pub struct Counts<L: Logic> {
    config: PacketTrackerConfig,
    rows: RmwTable<L, Counted<L>>,
    change: Reg<Change<L>>,
}

#[name_nets]
impl<L: Logic> Counts<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (flag, count) = (bits(1), config.count());
        Counts {
            config,
            rows: RmwTable::new(config.pdcs, config.ram_latency, &Counted::shape(config)).compared_early(),
            change: Reg::new(&Change::shape(config)),
        }
    }

    /// Step 2 `l` + 9: the counts after the pass.
    pub fn counted(&self) -> Counted<L> {
        self.rows.modified()
    }

    /// One clock cycle: the passes in all steps.
    pub fn clock(&self, passes: &[Pass<L>], from: CountsIn<L>) {
        let (config, step) = (self.config, self.config.counts() as usize);
        let width = config.count_bits();

        // 2 l + 8
        let (pass, row, change) = (passes[step], self.rows.operand(), self.change.get());
        let place = config.place(pass.psn);
        // Both are from the base to the next PSN, so that the sign of the difference tells which one comes first.
        let is_first = self.rows.of_operand(|row| !row.marks.any() | (place - row.first).bit(config.slot_bits()));
        let takes = from.takes;
        let taken = takes & is_first;
        let next = Counted {
            flying: row.flying + (change.flying | takes.extend_signed(width)),
            marks: row.marks + (change.marks | takes.extend(width)),
            first: select(change.sets_first, change.first, select(taken, place, row.first)),
        };
        let opened = Counted { first: change.first, ..next.none() };
        self.rows.clock(passes[config.access(config.counts()) as usize].access(), Bits::lit(1, 1));
        when(pass.access().valid, || self.rows.modify(select(change.opens, opened, next)));

        // 2 l + 7
        let (pass, walk) = (passes[step - 1], from.walk);
        let repeats = pass.finishes & walk.agains & from.found;
        let releases = pass.finishes & walk.accepted;
        let opens = pass.finishes & walk.opens;
        let [in_flight, marked] = from.released.map(|count| (Bits::lit(width, 0) - count).gate(releases));
        let behind = config.place(pass.psn) + 1;
        let first = select(opens, config.place(walk.base), from.first);
        self.change.set(Change {
            flying: in_flight | (from.sends | repeats).extend(width),
            marks: marked | repeats.extend_signed(width),
            sets_first: repeats | releases,
            first: select(repeats, behind, first),
            opens,
        });
    }
}

#[name_nets]
impl<L: Logic> Counted<L> {
    /// The same with no packets.
    fn none(&self) -> Self {
        let none = Bits::lit(self.flying.width(), 0);
        Counted { flying: none, marks: none, ..*self }
    }
}
